#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: runs with an oracle beside each. Everything is left in /out for check.py.
set -u
cg=/sys/fs/cgroup/cpuacct
secs=${SECS:-6}

# CPU time by CPU of the workload's own cgroup, which nobody else is in.
in_cgroup() {	# NAME COMMAND...
	name=$1
	shift
	mkdir "$cg/$name"
	numatrace -q -o "/out/$name.jsonl" -- \
		sh -c "echo \$\$ > $cg/$name/tasks; cat /proc/\$\$/schedstat > /out/$name.before
			exec \"\$@\"" sh "$@" > "/out/$name.log" 2>&1
	echo $? > "/out/$name.status"
	cat "$cg/$name/cpuacct.usage_percpu" > "/out/$name.percpu"
}

mainjob() {
	numatrace -o /out/main.jsonl -- stress-ng --fstat 10 -t 10 --metrics \
		> /out/main.log 2> /out/main.report
	echo $? > /out/main.status
	numatrace report /out/main.jsonl > /out/main.replay
}

# mpstat beside us, as the command, so that both see the same interval but for its start. The
# load is steady, so that this does not matter: user time on node 0, system time on node 1.
beside_mpstat() {
	taskset -c 1 sh -c 'while :; do :; done' &
	user=$!
	taskset -c 5 dd if=/dev/zero of=/dev/null bs=64k 2> /dev/null &
	system=$!
	sleep 1
	numatrace -q -o /out/mpstat.jsonl -- mpstat -N ALL 10 1 > /out/mpstat.txt
	kill $user $system
}

# Hooks attach and stay silent with ftrace off: they must be reported as missing, not as 0.
without_ftrace() {
	echo 0 > /proc/sys/kernel/ftrace_enabled
	numatrace -o /out/noftrace.jsonl -- stress-ng --fstat 4 -t 2 --metrics \
		> /out/noftrace.log 2> /out/noftrace.report
	echo $? > /out/noftrace.status
	echo 1 > /proc/sys/kernel/ftrace_enabled
}

cat /proc/sys/kernel/osrelease > /out/kernel
mainjob
beside_mpstat
in_cgroup fstat stress-ng --fstat 10 -t "$secs"
in_cgroup pthread stress-ng --pthread 4 -t "$secs"
in_cgroup fork stress-ng --fork 4 -t "$secs"
in_cgroup cpu stress-ng --cpu 10 -t "$secs"
without_ftrace
numatrace -q -o /out/idle.jsonl -- sleep 4
sh /in/lab/guest-observe.sh
for record in /out/*.jsonl; do
	numatrace report --format json "$record" > "${record%.jsonl}.json"
done
