# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the live tests share: results as TAP, and a look into what numatrace printed. The
# first argument of each test is the program; $tmp is a folder of its own.
nt=${1:-build/numatrace}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0 failed=0

ok() {	# CONDITION-STATUS WHAT
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		failed=$((failed + 1))
	fi
}

skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

is() {	# GOT WANTED WHAT
	[ "$1" = "$2" ]
	local same=$?
	ok $same "$3"
	[ $same = 0 ] || printf '#  got    %s\n#  wanted %s\n' "$1" "$2"
}

status_of() {
	"$@" > "$tmp/stdout" 2> "$tmp/stderr"
	echo $?
}

one_line() {	# the last error is one line of numatrace's, and holds these words
	local word
	[ "$(wc -l < "$tmp/stderr")" = 1 ] || return 1
	grep -q '^numatrace: ' "$tmp/stderr" || return 1
	for word; do
		grep -q -- "$word" "$tmp/stderr" || return 1
	done
}

value() {	# RECORD METRIC
	"$nt" report --format csv "$1" | tr -d '\r' | sed -n "s/^\"\\{0,1\\}$2\"\\{0,1\\},//p"
}

programs() {
	bpftool prog show 2> /dev/null | grep -c 'name on_migrate'
}

as_user() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

wait_for_file() {	# at most 10 s
	local i
	for ((i = 0; i < 1000; i++)); do
		[ -e "$1" ] && return 0
		sleep 0.01
	done
	return 1
}

wait_for_samples() {	# until the record holds one: counting has begun
	local i
	for ((i = 0; i < 1000; i++)); do
		grep -q '"type":"sample"' "$1" 2> /dev/null && return 0
		sleep 0.01
	done
	return 1
}

within() {	# GOT WANTED PERCENT WHAT
	awk -v got="${1:-nan}" -v want="$2" -v tol="$3" \
		'BEGIN { d = got - want; exit !(d <= tol * want / 100 && d >= -tol * want / 100) }'
	ok $? "$4: $1 against $2, within $3 %"
}

finish() {
	echo "1..$n"
	[ $failed = 0 ]
}
