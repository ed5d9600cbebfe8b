#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each subcommand once under valgrind: no invalid access, nothing uninitialised used, no leak.
# Prints TAP.
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v valgrind > /dev/null; then
	skip "valgrind" "valgrind is not installed"
	finish
	exit
fi

clean() {	# WANTED-STATUS WHAT COMMAND...
	local want=$1 status
	shift 2
	timeout 60 valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
		--log-file="$tmp/vg" "$@" > "$tmp/stdout" 2> "$tmp/stderr"
	status=$?
	# Lines of "--PID--" say what valgrind itself does not know (system calls of 5.3 and later).
	grep '^==' "$tmp/vg" > "$tmp/errors"
	[ "$status" = "$want" ] && [ ! -s "$tmp/errors" ] && return 0
	echo "# status $status"
	head -n 30 "$tmp/errors" | sed 's/^/# /'
	return 1
}

check() {	# WANTED-STATUS WHAT COMMAND...
	clean "$@"
	ok $? "valgrind: $2"
}

record=tests/golden/no-bpf.jsonl
check 0 "report" "$nt" report $record
check 0 "report as json" "$nt" report --format json $record
check 0 "report of a large record as csv" "$nt" report --format csv tests/golden/nodes-16.jsonl
check 0 "report --plot" "$nt" report --plot mpstat.node.all.usr% $record
check 125 "report of what is no record" "$nt" report tests/live/lib.sh
check 0 "domains of a record" "$nt" domains tests/golden/ring.jsonl
check 0 "domains of a machine of files" env NUMATRACE_ROOT=tests/fixtures/sparse-0 "$nt" domains
sets=tests/golden/compare
check 0 "compare" "$nt" compare --all --welch $sets/imb-base.jsonl -- $sets/imb-new.jsonl
check 0 "compare as json" "$nt" compare --format json --by nr_threads $sets/fsmark-base.jsonl -- $sets/fsmark-new.jsonl
check 0 "compare --plot" "$nt" compare --plot a.score $sets/imb-base.jsonl -- $sets/imb-new.jsonl
check 125 "compare of what is not to be compared" "$nt" compare $sets/odd-base.jsonl -- $sets/odd-new.jsonl
check 1 "features" env NUMATRACE_DENY=tracepoint,iterator,fexit,kprobe,btf "$nt" features
check 0 "run --no-bpf" "$nt" --no-bpf -r 2 -i 100ms --score 'n=([0-9]+)' -o "$tmp/v.jsonl.gz" -- sh -c 'sleep 0.3; echo 7'
check 127 "a command that is not there" "$nt" --no-bpf -- /no/such/command

# On a terminal that script(1) makes, and without programs: valgrind knows not all of bpf(2).
TERM=xterm NUMATRACE_DENY=btf script -qec "valgrind -q --error-exitcode=99 --leak-check=full \
	--errors-for-leak-kinds=definite,indirect --log-file=$tmp/vg $nt top -n 3 -i 100ms" /dev/null \
	< /dev/null > "$tmp/stdout"
status=$?
grep '^==' "$tmp/vg" | head -n 30 | sed 's/^/# /'
[ $status = 0 ] && ! grep -q '^==' "$tmp/vg" && grep -q 'numatrace top' "$tmp/stdout"
ok $? "valgrind: top"

finish
