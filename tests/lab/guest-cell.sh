#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: a busy run beside the kernel's own statistics of load balancing, one beside mpstat,
# one across hotplug, one of an idle machine. Everything is left in /out for check_cell.py.
# usage: guest-cell.sh A B    two CPUs, on different nodes if there are two
set -u
a=$1 b=$2
# shellcheck source=tests/lab/lib.sh
. /in/lab/lib.sh

# The kernel's counters are read around the run, and at both ends inside it: ours lie between.
busy() {
	echo 1 > /proc/sys/kernel/sched_schedstats
	cat /proc/schedstat > /out/outer.0; cat /proc/stat > /out/stat.outer.0
	# shellcheck disable=SC2016 # for the inner shell
	in_cgroup busy sh -c 'cat /proc/schedstat > /out/inner.0; cat /proc/stat > /out/stat.inner.0
		stress-ng --fstat 10 -t 4 --metrics; status=$?
		cat /proc/schedstat > /out/inner.1; cat /proc/stat > /out/stat.inner.1; exit $status'
	cat /proc/schedstat > /out/outer.1; cat /proc/stat > /out/stat.outer.1
	echo 0 > /proc/sys/kernel/sched_schedstats
}

# A steady load, user time on one node and system time on the other, seen by mpstat for 6 s.
beside_mpstat() {
	cat /sys/devices/system/node/node*/cpulist > /out/nodelists
	taskset -c "$a" sh -c 'while :; do :; done' &
	user=$!
	taskset -c "$b" dd if=/dev/zero of=/dev/null bs=64k 2> /dev/null &
	system=$!
	sleep 1
	numatrace -q -i 200ms -o /out/mpstat.jsonl -- \
		sh -c 'LC_ALL=C exec mpstat -N ALL 6 1 > /out/mpstat.txt'
	kill $user $system
}

across_hotplug() {
	cat /sys/devices/system/cpu/online > /out/online
	echo "$b" > /out/plugged
	numatrace -q -i 200ms -o /out/plug.jsonl -- sh -c "sleep 1
		echo 0 > /sys/devices/system/cpu/cpu$b/online; sleep 1
		echo 1 > /sys/devices/system/cpu/cpu$b/online; sleep 1"
}

busy
beside_mpstat
across_hotplug
numatrace -q -o /out/idle.jsonl -- sleep 3
metrics
