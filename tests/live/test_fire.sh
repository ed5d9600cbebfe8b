#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Under fire: signals, closed ends, narrow limits, foreign locales and namespaces, full maps.
# Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

whole() {	# the record has its end and can be read
	grep -q '"type":"end"' "$1" && "$nt" report "$1" > "$tmp/out"
}

# SIGINT twice: the second kills a command that does not heed the first.
env --default-signal=INT "$nt" -i 100ms -o "$tmp/twice.jsonl" -- sh -c 'trap "" INT; while :; do sleep 0.1; done' \
	2> "$tmp/err" &
wait_for_samples "$tmp/twice.jsonl"
kill -INT $!
sleep 0.5
kill -INT $!
wait $!
is $? 137 "SIGINT twice kills a command that ignores it"
grep -q 'killed by SIGKILL, interrupted' "$tmp/err"; ok $? "and the report is printed"
whole "$tmp/twice.jsonl"; ok $? "and the record is whole"

# SIGPIPE: whoever reads the report goes away.
"$nt" -o "$tmp/pipe.jsonl" -- sh -c "sleep 0.3; echo > $tmp/went-on" 2>&1 > /dev/null | head -c 1 > /dev/null
is "${PIPESTATUS[0]}" 0 "| head: the status is the command's"
[ -e "$tmp/went-on" ]; ok $? "| head: the command runs to its end"
whole "$tmp/pipe.jsonl"; ok $? "| head: and the record is whole"
"$nt" report --format json "$tmp/pipe.jsonl" 2> "$tmp/err" | head -n 1 > /dev/null
is "${PIPESTATUS[0]}" 0 "report | head -1 ends quietly"
[ ! -s "$tmp/err" ]; ok $? "and says nothing"

# Closed from the start.
"$nt" -q -o "$tmp/closed.jsonl" -- sh -c 'echo x' >&-
whole "$tmp/closed.jsonl"; ok $? "stdout closed: the record is whole"
"$nt" -o "$tmp/closed2.jsonl" -- true >&- 2>&- <&-
is $? 0 "all three closed"
whole "$tmp/closed2.jsonl"; ok $? "and the record is whole"

# The terminal goes away.
script -qec "$nt -i 100ms -o $tmp/hup.jsonl -- sleep 20" /dev/null < /dev/null > /dev/null 2>&1 &
wait_for_samples "$tmp/hup.jsonl"
kill -KILL $!
wait $! 2> /dev/null
for _ in $(seq 50); do
	grep -q '"type":"end"' "$tmp/hup.jsonl" && break
	sleep 0.1
done
whole "$tmp/hup.jsonl"; ok $? "terminal gone: the record is whole"
grep -q 'killed by SIGHUP, interrupted' "$tmp/out"; ok $? "and says how the command ended"

# ^Z and continued, as the terminal does it: the whole group.
bash -c 'set -m; "$0" -i 100ms -o "$1" -- perl -e "1 while times < 1" 2> "$2" & until grep -q sample "$1" 2> /dev/null; do sleep 0.05; done
	kill -TSTP -- -$!; sleep 1.5; ps -o stat= -p $! > "$2.stat"; kill -CONT -- -$!; wait $!' \
	"$nt" "$tmp/tstp.jsonl" "$tmp/err"
is $? 0 "^Z and fg: the run goes on"
grep -q '^T' "$tmp/err.stat"; ok $? "numatrace was stopped, too"
grep -Eq 'suspended \(\^Z\) for 1\.[3-9] s' "$tmp/err"; ok $? "and the report says for how long"

# Two at once, and one under the other: each counts its own.
forks='for (1 .. 500) { my $p = fork; exit if !$p; waitpid $p, 0 }'
"$nt" -q -o "$tmp/first.jsonl" -- perl -e "$forks" &
"$nt" -q -o "$tmp/second.jsonl" -- perl -e "$forks"
wait $!
is "$(value "$tmp/first.jsonl" fork.total)" 500 "two at once: the first counts its forks"
is "$(value "$tmp/second.jsonl" fork.total)" 500 "two at once: the second counts its forks"
"$nt" -q -o "$tmp/outer.jsonl" -- "$nt" -q -o "$tmp/inner.jsonl" -- perl -e "$forks"
is $? 0 "numatrace under numatrace"
is "$(value "$tmp/inner.jsonl" fork.total)" 500 "the inner one counts its forks"
outer=$(value "$tmp/outer.jsonl" fork.total)
[ "${outer:-0}" -ge 501 ]; ok $? "the outer one these and that of the inner one ($outer)"

# Narrow limits: numatrace works within them, and the command inherits them.
is "$(ulimit -n 64; "$nt" -q -r 2 -- sh -c 'ulimit -n' | tr '\n' ' ')" "64 64 " "ulimit -n 64"
is "$(ulimit -l 64; "$nt" -q -r 2 -- sh -c 'ulimit -l' | tr '\n' ' ')" "64 64 " "ulimit -l 64"

# A locale with a decimal comma: numbers keep the point.
if localedef -i de_DE -f UTF-8 "$tmp/de_DE.UTF-8" 2> /dev/null; then
	de() { env LOCPATH="$tmp" LC_ALL=de_DE.UTF-8 "$@"; }
	is "$(de printf '%.1f' 1,5)" 1,5 "the locale is there"
	de "$nt" -q -d 1.5 --score 's=s: ([0-9.]+)' -o "$tmp/de.jsonl" -- echo s: 12.5 > /dev/null
	is "$(de "$nt" report --format csv "$tmp/de.jsonl" | sed -n 's/^s,//p')" 12.5 "de_DE: a score keeps its point"
	for format in table json csv; do
		"$nt" report --format $format "$tmp/de.jsonl" > "$tmp/c.out"
		de "$nt" report --format $format "$tmp/de.jsonl" | cmp -s - "$tmp/c.out"
		ok $? "de_DE: the report as $format is the same"
	done
else
	skip "numbers keep the point" "localedef cannot make de_DE.UTF-8"
fi

# PID namespaces: the workload's PIDs differ inside, and numatrace may be inside itself.
"$nt" -q -o "$tmp/ns.jsonl" -- unshare -pf --mount-proc perl -e "$forks"
is "$(value "$tmp/ns.jsonl" fork.total)" 501 "a workload in a PID namespace of its own is followed"
unshare -pf --mount-proc "$nt" -q -o "$tmp/inside.jsonl" -- perl -e "$forks"
is "$(value "$tmp/inside.jsonl" fork.total)" 500 "numatrace in a PID namespace follows its workload"
unshare -pf --mount-proc sh -c 'perl -e "1 while times < 20" & "$0" -q -p $! -d 1 -o "$1"; kill $!' \
	"$nt" "$tmp/pidns.jsonl"
value "$tmp/pidns.jsonl" workload.cpu_seconds | awk '{ t = $1 } END { exit !(t > 0.2 && t < 1.5) }'
ok $? "and finds a process by the PID it has there"

# Tables full: counted and printed.
NUMATRACE_TEST_TABLE=16 "$nt" -o "$tmp/full.jsonl" -- perl -e 'for (1 .. 50) { if (!fork) { sleep 1; exit } }
	1 while wait > 0' 2> "$tmp/err"
is $? 0 "a full table of processes does not disturb the command"
grep -Eq '[0-9]+ processes not followed \(table full\)' "$tmp/err"; ok $? "and is reported"
lost=$(sed -n 's/.*"groups_full":\([0-9]*\).*/\1/p' "$tmp/full.jsonl")
is "${lost:-0}" 35 "35 of 51 processes had no room in a table of 16"
is "$(value "$tmp/full.jsonl" fork.total)" 50 "but that they were forked is counted"
if [ "$(nproc)" -ge 2 ]; then
	NUMATRACE_TEST_TABLE=16 "$nt" -o "$tmp/moved.jsonl" -- sh -c 'perl -Mthreads -e \
		"threads->create(sub { select undef, undef, undef, 0.01 for 1 .. 100 }) for 1 .. 40;
		\$_->join for threads->list" & sleep 0.5; taskset -apc 0 $!; sleep 0.2; taskset -apc 1 $!; wait' \
		> /dev/null 2> "$tmp/err"
	is $? 0 "a full table of moved threads does not disturb the command"
	grep -Eq '[0-9]+ moves charged late \(table full\)' "$tmp/err"; ok $? "and is reported"
else
	skip "a full table of moved threads" "one CPU"
fi
is "$(NUMATRACE_TEST_TABLE=x status_of "$nt" -q -- true)" 125 "a table size that is no number is refused"

finish
