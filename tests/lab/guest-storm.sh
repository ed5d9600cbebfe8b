#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: CPUs of node 1 go off and on under load, all of them at once, and CPUs that were
# off at boot come on line for the first time, in the middle of a run. Spinners whose CPU time
# the kernel's own cgroup keeps are the workload; mpstat and a rested guest stand beside. The
# clock is set back as well. Records in /out, for check_storm.py.
set -u
cpus=/sys/devices/system/cpu
cg=/sys/fs/cgroup/cpuacct

plug() {	# 0|1 CPU...
	to=$1
	shift
	for cpu; do echo "$to" > "$cpus/cpu$cpu/online"; done
}

# Six spinners in a cgroup of their own, and what happens to the machine meanwhile.
storm() {	# NAME COMMAND
	mkdir "$cg/$1"
	numatrace -i 500ms -o "/out/$1.jsonl" -- sh -c "cat /proc/\$\$/schedstat > /out/$1.before
		echo \$\$ > $cg/$1/tasks
		pids=
		for i in 1 2 3 4 5 6; do sh -c 'while :; do :; done' & pids=\"\$pids \$!\"; done
		$2
		kill \$pids; wait" 2> "/out/$1.report"
	echo $? > "/out/$1.status"
	cat "$cg/$1/cpuacct.usage_percpu" > "/out/$1.percpu"
}

cat /proc/sys/kernel/osrelease > /out/kernel
cat $cpus/online > /out/boot
if [ "$(cat $cpus/online)" != "$(cat $cpus/present)" ]; then
	storm first "sleep 2; for c in 6 7; do echo 1 > $cpus/cpu\$c/online; done; sleep 4"
fi
storm rest "sleep 5"
storm plug "n=0; while [ \$n -lt 8 ]; do n=\$((n + 1))
	for c in 5 6 7; do echo 0 > $cpus/cpu\$c/online; done; sleep 0.3
	for c in 5 6 7; do echo 1 > $cpus/cpu\$c/online; done; sleep 0.3; done"
storm node "sleep 1; for c in 4 5 6 7; do echo 0 > $cpus/cpu\$c/online; done; sleep 3
	for c in 4 5 6 7; do echo 1 > $cpus/cpu\$c/online; done; sleep 2"
# A node that has no CPU when the run begins.
plug 0 4 5 6 7
storm dark "sleep 2; for c in 4 5 6 7; do echo 1 > $cpus/cpu\$c/online; done; sleep 4"

# A CPU that is not there any more when the run ends.
storm gone "sleep 1; echo 0 > $cpus/cpu7/online; sleep 2"
plug 1 7

# mpstat knows nothing of CPUs that come; it is asked about a node whose CPUs stay.
numatrace -q -i 500ms -o /out/mpstat.jsonl -- sh -c "
	taskset -c 1 sh -c 'while :; do :; done' & spin=\$!
	mpstat -N 0 6 1 > /out/mpstat.txt & mp=\$!
	n=0; while [ \$n -lt 6 ]; do n=\$((n + 1))
		echo 0 > $cpus/cpu6/online; sleep 0.4; echo 1 > $cpus/cpu6/online; sleep 0.4; done
	wait \$mp; kill \$spin"

# The wall clock goes back a day; elapsed time does not.
before=$(cut -d' ' -f1 /proc/uptime)
numatrace -q -i 200ms -o /out/clock.jsonl -- \
	sh -c 'sleep 1; date -s @1000000000; sleep 1' > /out/clock.set
echo "$before $(cut -d' ' -f1 /proc/uptime)" > /out/clock.uptime
for record in /out/*.jsonl; do
	numatrace report --format json "$record" > "${record%.jsonl}.json"
	numatrace report "$record" > "${record%.jsonl}.replay"
done
