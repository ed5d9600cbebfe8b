#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Observing what runs already: -a and -p. Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

ran() {	# PID: CPU time of its threads so far, ns
	cat "/proc/$1"/task/*/schedstat 2> /dev/null | awk '{ s += $1 } END { printf "%.0f", s }'
}

# Observe until ^C, with the oracle read before and after, and twice inside the time that is
# certain to be counted: from the first sample on, and before the end.
observe() {	# NAME PID ORACLE-COMMAND...
	local name=$1 pid=$2 outer inner
	shift 2
	outer=$("$@")
	env --default-signal=INT "$nt" run -p "$pid" -i 100ms -o "$tmp/$name.jsonl" 2> "$tmp/$name.err" &
	wait_for_samples "$tmp/$name.jsonl"
	inner=$("$@")
	sleep 3
	inner=$(($("$@") - inner))
	kill -INT $!
	wait $!
	is $? 0 "$name: an observation that ^C ends exits 0"
	outer=$(($("$@") - outer))
	value "$tmp/$name.jsonl" workload.cpu_seconds | awk -v i=$inner -v o=$outer \
		'{ ok = $1 >= 0.99 * i / 1e9 && $1 <= 1.01 * o / 1e9 } END { exit !ok }'
	ok $? "$name: CPU seconds $(value "$tmp/$name.jsonl" workload.cpu_seconds), by the oracle $inner to $outer ns"
}

# Threads of a process that runs.
perl -Mthreads -e 'threads->create(sub { 1 while 1 }) for 1, 2; sleep 60' &
spin=$!
sleep 0.5
observe threads $spin ran $spin
grep -q "^observed process $spin perl" "$tmp/threads.err"; ok $? "the report names the process"
grep -q "3 tasks of the observed processes" "$tmp/threads.err"; ok $? "and counts its threads"
"$nt" report "$tmp/threads.jsonl" > "$tmp/replay"
tail -c "$(wc -c < "$tmp/replay")" "$tmp/threads.err" | cmp -s - "$tmp/replay"
ok $? "the record gives the same report"
grep -q '0 events lost' "$tmp/threads.err"; ok $? "nothing is lost"
is "$(value "$tmp/threads.jsonl" fork.total)" 0 "threads there before are no forks"
kill $spin

# Children that come later; the process itself says what they used. An older one is not observed.
perl -e 'if (!fork) { 1 while 1 } $SIG{USR1} = sub { $go = 1 }; select undef, undef, undef, 0.01 until $go;
	for (1 .. 3) { if (!fork) { do { @t = times } while $t[0] + $t[1] < 0.3; exit } } wait for 1 .. 3;
	@t = times; open F, ">", $ARGV[0]; print F $t[2] + $t[3]; close F; rename $ARGV[0], "$ARGV[0].whole"; sleep 60' "$tmp/used" &
parent=$!
sleep 0.3
env --default-signal=INT "$nt" run -p $parent -i 100ms -o "$tmp/children.jsonl" 2> "$tmp/err" &
wait_for_samples "$tmp/children.jsonl"
kill -USR1 $parent
wait_for_file "$tmp/used.whole"
sleep 0.3
kill -INT $!
wait $!
is "$(value "$tmp/children.jsonl" fork.total)" 3 "three children born later are counted"
# Where a kernel announces an end late or not at all, the record says so, and the time is short.
if grep -q '"unfinished"' "$tmp/children.jsonl"; then
	skip "and so is their time" "this kernel did not announce the end of one"
else
	within "$(value "$tmp/children.jsonl" workload.cpu_seconds)" "$(cat "$tmp/used.whole")" 8 \
		"and so is their time"
fi
pkill -P $parent
kill $parent

# A process that makes and loses threads all the time, against its own cgroup.
cg=$tmp/cg
mkdir "$cg"
if mount -t cgroup -o cpuacct none "$cg" 2> /dev/null; then
	mkdir "$cg/w"
	sh -c "echo \$\$ > $cg/w/tasks; exec stress-ng --pthread 1 -t 30" > /dev/null 2>&1 &
	stress=$!
	sleep 1
	worker=$(pgrep -P $stress | head -n 1)
	# The process that started it is in the cgroup as well, and sleeps.
	observe storm "$worker" cat "$cg/w/cpuacct.usage"
	kill $stress
	wait $stress
	rmdir "$cg/w"
	umount "$cg"
else
	skip "a process that makes threads all the time" "no v1 cpuacct controller here"
fi

# Ends.
sleep 1 &
timeout 20 "$nt" -p $! -d 15 2> "$tmp/err"
is $? 0 "a process that ends ends the observation"
grep -q 'ended with the last of its processes' "$tmp/err"; ok $? "and the report says so"
sleep 1 & one=$!
sleep 9 & two=$!
timeout 20 "$nt" -p $one,$two -d 2 2> "$tmp/err"
is $? 0 "one of two processes ends"
grep -q '1 of the 2 observed processes ended' "$tmp/err"; ok $? "and the report says so"
kill $two
for sig in INT TERM; do
	env --default-signal=INT timeout 20 "$nt" -a -o "$tmp/$sig.jsonl" 2> "$tmp/err" &
	wait_for_file "$tmp/$sig.jsonl"
	sleep 0.2
	pkill -$sig -P $!
	wait $!
	is $? 0 "SIG$sig is the way to end an observation"
	grep -q '^ *all ' "$tmp/err"; ok $? "SIG$sig: the report is printed"
	grep -q interrupted "$tmp/err"; is $? 1 "SIG$sig: and is not called interrupted"
done
env --default-signal=INT timeout 20 "$nt" -a -d 10 2> "$tmp/err" &
sleep 1
pkill -INT -P $!
wait $!
is $? 0 "SIGINT before the duration is over: exit 0"
grep -q interrupted "$tmp/err"; ok $? "and the report says interrupted"

# The whole machine: no workload, so no row and no key of one.
"$nt" run -a -d 500ms -i 200ms -o "$tmp/all.jsonl" 2> "$tmp/err"
is $? 0 "-a with -d exits 0"
grep -q '^observed the whole machine' "$tmp/err"; ok $? "and says what it was"
grep -q workload "$tmp/err"; is $? 1 "and has no column of a workload"
"$nt" report --format csv "$tmp/all.jsonl" > "$tmp/all.csv"
grep -qE '^"?(workload|migrations|fork|placement|time\.user)' "$tmp/all.csv"
is $? 1 "nor a metric of one"
grep -q '^system.migrations.total,' "$tmp/all.csv"; ok $? "it has those of the system"
is "$(status_of "$nt" run -a -d 300ms --no-bpf)" 0 "-a works without BPF"

# Refused.
bad_pid() {	# PID WORDS...
	is "$(status_of "$nt" -p "$1" -d 1)" 125 "-p $1 is refused"
	shift
	one_line "$@"; ok $? "one line says why: $*"
}
sleep 0 &
gone=$!
wait $gone
bad_pid $gone "no such process" "$gone"
perl -Mthreads -e 'threads->create(sub { sleep 9 }); sleep 9' &
owner=$!
sleep 0.3
for tid in $(cd /proc/$owner/task && echo *); do
	[ "$tid" = $owner ] || bad_pid "$tid" "thread of process $owner"
done
kill $owner
chmod 755 "$tmp"
cp "$nt" "$tmp/numatrace"
is "$(status_of as_user "$tmp/numatrace" -p $$ -d 1)" 125 "without capabilities -p is refused"
one_line CAP_BPF; ok $? "and one line names them"

finish
