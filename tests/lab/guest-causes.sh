#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: migrations of known causes between CPUs A and B, which are on different nodes if
# there are several; for check_causes.py.
# usage: guest-causes.sh [A B]
set -u
a=${1:-1} b=${2:-5}
home=0
while [ $home = "$a" ] || [ $home = "$b" ]; do home=$((home + 1)); done
online=/sys/devices/system/cpu/online
proc=/proc/sys/kernel

# Bound to one CPU, so that nothing moves the command before it counts by itself. On a busy host
# it may not have seen all that it made; its account then says so, and it is done again.
run() {	# MODE N
	for _ in 1 2 3; do
		echo > /sys/kernel/tracing/trace
		timeout 60 taskset -c $home numatrace -q --force -o "/out/$1.jsonl" -- \
			causes "$1" "$a" "$b" "$2" > "/out/$1.made" 2> "/out/$1.err"
		echo $? > "/out/$1.status"
		grep -q '"before": 0, "blurred": 0,' "/out/$1.made" && return
	done
}

# The kernel's trace of what NUMA balancing announces, and of who moves a task.
traced() {	# MODE N
	events=/sys/kernel/tracing/events/sched
	for event in sched_move_numa sched_swap_numa sched_stick_numa sched_migrate_task; do
		echo 1 > $events/$event/enable
	done
	run "$@"
	for event in sched_move_numa sched_swap_numa sched_stick_numa sched_migrate_task; do
		echo 0 > $events/$event/enable
	done
	cat /sys/kernel/tracing/trace > "/out/$1.trace"
}

cat $proc/osrelease > /out/kernel
echo "$a $b $home" > /out/cpus
echo 1 > $proc/sched_schedstats
[ -e $proc/numa_balancing ] && echo 0 > $proc/numa_balancing
run affinity 200
run queued 100
run wakeup 60
run fork 40
run exec 30
run rtpush 10
run rtpull 10
run periodic 6
run idle 6
run newidle 20
run nohz 10
run active 2
if [ -e $proc/numa_balancing ]; then
	touch /out/numa
	echo 1 > $proc/numa_balancing
	for scan in /sys/kernel/debug/sched/numa_balancing $proc; do
		for value in scan_delay scan_period_min scan_period_max; do
			for file in $scan/${value}_ms $scan/numa_balancing_${value}_ms; do
				[ -e "$file" ] && echo 100 > "$file"
			done
		done
	done
	traced numamove 2
	traced numaswap 2
	echo 0 > $proc/numa_balancing
fi
run hotplug 3

# The system view across hotplug: the CPU's node keeps its other CPUs.
cat $online > /out/plug.online
numatrace -q -i 200ms -o /out/plug.jsonl -- sh -c "sleep 1
	echo 0 > /sys/devices/system/cpu/cpu$b/online; cat $online >> /out/plug.online; sleep 1
	echo 1 > /sys/devices/system/cpu/cpu$b/online; sleep 1"
for record in /out/*.jsonl; do
	numatrace report --format json "$record" > "${record%.jsonl}.json"
done
