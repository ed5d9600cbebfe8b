#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# numatrace snapshot on this machine's own kernel. Prints TAP. Needs root. How many tasks others
# have to run here is not ours to say: what is exact is tested in guests.
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

bad() {	# WORD-IN-THE-LINE ARGS...
	local word=$1
	shift
	is "$(status_of "$nt" snapshot "$@")" 125 "snapshot $* is refused"
	one_line "$word" help; ok $? "snapshot $*: one line names the cause and the help"
}
bad count -n 0
bad count -n 1x
bad interval -i 1ms
bad interval -i abc
bad format --format csv
bad color --color blue
bad bogus --bogus
bad extra extra
bad value -n

json() {	# PYTHON EXPRESSION over s, the snapshots printed
	python3 -c "import json, sys
s = [json.loads(line) for line in open(sys.argv[1])]
sys.exit(not ($1))" "$tmp/stdout"
}

is "$(status_of "$nt" snapshot)" 0 "a snapshot"
grep -q '^Runnable tasks at 0.000 s' "$tmp/stdout" && grep -q 'NODE .*RUNNABLE' "$tmp/stdout"
ok $? "has nodes and runnable tasks"
grep -q 'numatrace, on CPU [0-9]*, is not counted' "$tmp/stdout"; ok $? "names the CPU that numatrace was on"

is "$(status_of "$nt" snapshot -n 3 -i 50ms --per-cpu --format json)" 0 "three snapshots as JSON"
json 'len(s) == 3'; ok $? "a line each"
json "[c['cpu'] for c in s[0]['cpus']] == sorted($(
	python3 -c 'import os; print([int(d[3:]) for d in os.listdir("/sys/devices/system/cpu") if d[3:].isdigit()])'))"
ok $? "each CPU once, as /sys lists them"
json "all(x['all'][k] == sum(n[k] for n in x['nodes']) == sum(c[k] for c in x['cpus'])
	for x in s for k in ('idle', 'runnable', 'fair', 'util', 'load', 'capacity'))"
ok $? "CPUs add up to nodes, nodes to the whole"
json "all(c['fair'] <= c['runnable'] and (not c['runnable'] or not c['idle'])
	for x in s for c in x['cpus'])"
ok $? "a CPU with a task is not idle"
json "s[0]['t'] == 0 and 0 < s[1]['t'] < s[2]['t']"; ok $? "each has its time"
json "all(sum(len(n) > 0 for n in x['nodes']) == 1 or x['pairs'] or x['no_rule'] for x in s) and
	all(p['more_running'] >= p['less_running'] for x in s for p in x['pairs'])"
ok $? "differences between nodes, or why there are none"

# Spinners that can run nowhere else are on that CPU, whoever else is.
cpu=$(taskset -pc $$ | sed 's/.*: *//; s/[-,].*//')
pids=()
for _ in 1 2 3; do
	taskset -c "$cpu" timeout 20 sh -c 'while :; do :; done' &
	pids+=($!)
done
sleep 0.3
status_of "$nt" snapshot -n 10 -i 20ms --per-cpu --format json > /dev/null
json "len(s) == 10 and all(c['runnable'] >= 3 and c['fair'] >= 3 and c['idle'] == 0
	for x in s for c in x['cpus'] if c['cpu'] == $cpu)"
ok $? "three spinners on CPU $cpu are three runnable tasks or more, every time"
kill "${pids[@]}"
wait "${pids[@]}" 2> /dev/null

# Without a number it goes on until it is told to stop, and what it printed is out.
timeout 30 "$nt" snapshot -i 100ms > "$tmp/stdout" &
for ((i = 0; i < 1000; i++)); do
	[ "$(grep -c '^Runnable' "$tmp/stdout")" -ge 3 ] && break
	sleep 0.02
done
kill $!
wait $! 2> /dev/null
[ "$(grep -c '^Runnable' "$tmp/stdout")" -ge 3 ]; ok $? "-i alone goes on until a signal"
"$nt" snapshot -i 10ms | head -n 1 > "$tmp/head"
is "${PIPESTATUS[0]}" 0 "a reader that goes away ends it quietly"

# What it cannot do it says.
is "$(NUMATRACE_DENY=btf status_of "$nt" snapshot)" 125 "without BTF: 125"
one_line BTF; ok $? "one line: BTF"
is "$(NUMATRACE_DENY=iterator status_of "$nt" snapshot)" 125 "without iterators: 125"
one_line 'run queues' NUMATRACE_DENY; ok $? "one line: the run queues, and why"
is "$(NUMATRACE_ROOT=tests/fixtures/sparse-0 status_of "$nt" snapshot)" 125 "not in a fixture root"
one_line NUMATRACE_ROOT unset; ok $? "one line: unset it"
chmod 755 "$tmp"
cp "$nt" "$tmp/numatrace"
is "$(status_of as_user "$tmp/numatrace" snapshot)" 125 "without capabilities: 125"
one_line CAP_BPF CAP_PERFMON root; ok $? "one line: the capabilities"
is "$(NUMATRACE_DENY='attach domains' status_of "$nt" snapshot)" 0 "without domains there are still tasks"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(bpftool prog show 2> /dev/null | grep -c 'name snapshot')" = 0 ] && break
	sleep 0.2
done
is "$(bpftool prog show 2> /dev/null | grep -c 'name snapshot')" 0 "nothing stays loaded"
finish
