#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: spinners on node 0 and none elsewhere, seen by numatrace snapshot; then they are
# let go to the whole machine, and where they are after a while is what the balancer made of it.
# Children of a task that forks on node 0 are counted by node. Left in /out for check_snapshot.py.
# Two nodes of 4 CPUs.
set -u
near=$(cat /sys/devices/system/node/node0/cpulist)
far=$(cat /sys/devices/system/node/node1/cpulist)

# What this script and numatrace run is on the last CPU of the other node, the spinners elsewhere.
own=${far#*-}
all=0-$((own - 1))
taskset -pc "$own" $$ > /dev/null

pids=''
spin() {	# COUNT CPUS    all of them allowed to each
	n=0
	while [ $n -lt "$1" ]; do
		n=$((n + 1))
		taskset -c "$2" sh -c 'while :; do :; done' &
		pids="$pids $!"
	done
}

spin_each() {	# COUNT FIRST-CPU    each bound to a CPU of its own, so that nothing moves it
	n=0
	while [ $n -lt "$1" ]; do
		taskset -c $(($2 + n)) sh -c 'while :; do :; done' &
		pids="$pids $!"
		n=$((n + 1))
	done
}

stop() {
	# shellcheck disable=SC2086
	kill $pids
	# shellcheck disable=SC2086
	wait $pids
	pids=''
}

# One series of snapshots for all; a phase is told by the lines that were out when it began and ended.
lines() { wc -l < /out/series; }

phase() {	# NAME SNAPSHOTS    little else of the script runs meanwhile
	begin=$(lines)
	until [ "$(lines)" -gt $((begin + $2)) ]; do sleep 1; done
	echo "$1 $((begin + 2)) $(lines)" >> /out/phases
}

where() {	# the CPUs of the spinners, one a line
	for pid in $pids; do
		cut -d' ' -f39 "/proc/$pid/stat"
	done
}

# As many spinners as asked for. Three times if need be: anybody may wake and upset the counts.
let_go() {	# COUNT
	for try in 1 2 3; do
		spin_each "$1" "${near%-*}"
		sleep 0.5
		phase "held.$1.$try" 8
		where > "/out/before.$1.$try"
		for pid in $pids; do taskset -pc "$all" "$pid" > /dev/null; done
		sleep 1.5
		where > "/out/after.$1.$try"
		phase "free.$1.$try" 5
		stop
		# One that stayed is enough where it has to, and so is one that left.
		moved=$(grep -vcE '^[0-3]$' "/out/after.$1.$try")
		[ "$1" -gt 2 ] && [ "$moved" -gt 0 ] && break
		[ "$1" -le 2 ] && [ "$moved" -eq 0 ] && break
	done
}

# A task that begins on node 0 and forks one child after the other, beside spinners on node 1;
# before that a spinner in its place. It is allowed everywhere: the kernel counts idle CPUs among
# those that a new task may run on. Where it wakes on the other node early on and stays there, there
# are too few children of node 0 to tell: then it is done again.
forks() {	# NAME COUNT
	spin "$2" "${far%-*}"
	spin 1 "${near%-*}"
	sleep 0.5
	phase "forks.$1" 5
	kill "${pids##* }"
	for _ in 1 2 3 4 5; do
		NUMATRACE_DENY=fexit,kprobe numatrace -q --force -o "/out/forks.$1.jsonl" -- \
			taskset -c "${near%-*}" sh -c "taskset -pc 0-$own \$\$ > /dev/null
				i=0; while [ \$i -lt 100 ]; do i=\$((i + 1)); (:); done"
		[ "$(from_near "/out/forks.$1.jsonl")" -ge 50 ] && break
	done
	stop
}

from_near() {	# RECORD    its workload's children of tasks on node 0
	tail -n 1 "$1" | grep -o '"forks":{"workload":[^"]*' | grep -o '\[0,[0-9]*,[0-9]*' |
		awk -F, '{ n += $3 } END { print n + 0 }'
}

numatrace snapshot -i 100ms --per-cpu --format json > /out/series &
series=$!
while [ "$(lines)" = 0 ]; do sleep 0.05; done
for k in 1 2 3; do let_go $k; done
forks alone 0
forks beside 1
kill $series
wait $series

# With each sample of a run, too.
spin 3 "$near"
NUMATRACE_DENY=fexit,kprobe numatrace -o /out/run.jsonl -i 200ms -- \
	sh -c "taskset -pc $far \$\$ > /dev/null; sleep 2.1" > /out/run.out 2> /out/run.report
stop
numatrace report /out/run.jsonl > /out/run.replay
numatrace report --format json /out/run.jsonl > /out/run.json
