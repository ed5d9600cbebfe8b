#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: the main job and its report; CPU time of other kinds of load; hooks that stay
# silent; processes observed. Everything is left in /out for check_main.py.
# usage: guest-main.sh A B    two CPUs, on nodes 0 and 1
set -u
# shellcheck source=tests/lab/lib.sh
. /in/lab/lib.sh

mainjob() {
	numatrace -o /out/main.jsonl -- stress-ng --fstat 10 -t 10 --metrics \
		> /out/main.log 2> /out/main.report
	echo $? > /out/main.status
	numatrace report /out/main.jsonl > /out/main.replay
}

# Hooks attach and stay silent with ftrace off: they must be reported as missing, not as 0.
without_ftrace() {
	echo 0 > /proc/sys/kernel/ftrace_enabled
	numatrace -o /out/noftrace.jsonl -- stress-ng --fstat 4 -t 2 --metrics \
		> /out/noftrace.log 2> /out/noftrace.report
	echo 1 > /proc/sys/kernel/ftrace_enabled
}

read_oracle() {
	read -r up _ < /proc/uptime
	read -r ran_a _ < "/proc/$a/schedstat"
	read -r ran_b _ < "/proc/$b/schedstat"
	echo "$up $ran_a $ran_b"
}

# Two spinners, each pinned to a node, observed with -p. While it counts, the clock and what the
# scheduler says they ran are read twice.
observe() {
	taskset -c "$1" sh -c 'while :; do :; done' &
	a=$!
	taskset -c "$2" sh -c 'while :; do :; done' &
	b=$!
	sleep 1
	numatrace -p $a,$b -d 3 -i 500ms -q -o /out/observe.jsonl &
	nt=$!
	until grep -q '"type":"sample"' /out/observe.jsonl 2> /dev/null; do sleep 0.05; done
	read_oracle > /out/observe.ran
	sleep 1.5
	read_oracle >> /out/observe.ran
	wait $nt
	echo $? > /out/observe.status
	kill $a $b
}

mainjob
in_cgroup pthread stress-ng --pthread 4 -t 5
in_cgroup fork stress-ng --fork 4 -t 5
in_cgroup cpu stress-ng --cpu 10 -t 5
without_ftrace
observe "$1" "$2"
metrics
