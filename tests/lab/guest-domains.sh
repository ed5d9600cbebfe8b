#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: numatrace domains, beside what the kernel shows of its domains elsewhere, as
# booted and with cpuset partitions. Everything is left in /out for check_domains.py.
set -u
cgroup=/sys/fs/cgroup/unified

# Names, flags and levels of every domain, a line each. From 6.4 the files are there only once
# the scheduler is verbose; before 5.13 they were sysctls.
kernel_domains() {
	if [ -e /sys/kernel/debug/sched/verbose ]; then
		echo Y > /sys/kernel/debug/sched/verbose
	fi
	for dir in /sys/kernel/debug/sched/domains /proc/sys/kernel/sched_domain; do
		[ ! -d $dir ] || (cd $dir && find . -name name -o -name flags -o -name level) |
			(cd $dir && xargs grep -H .)
	done
}

see() {	# NAME
	mkdir "/out/$1"
	numatrace domains --format json > "/out/$1/domains.json" 2> "/out/$1/err"
	echo $? > "/out/$1/status"
	numatrace domains > "/out/$1/table"
	kernel_domains > "/out/$1/kernel"
	grep -E '^cpu|^domain' /proc/schedstat | cut -d' ' -f1-3 > "/out/$1/schedstat"
	cat /sys/devices/system/cpu/online > "/out/$1/online"
}

partition() {	# KIND
	mkdir $cgroup/part
	echo 2-3 > $cgroup/part/cpuset.cpus
	echo "$1" > $cgroup/part/cpuset.cpus.partition
	cat $cgroup/part/cpuset.cpus.partition > /out/partition
	[ "$(cat /out/partition)" != "$1" ] || see "partition-$1"
	echo member > $cgroup/part/cpuset.cpus.partition
	rmdir $cgroup/part
}

cat /proc/sys/kernel/osrelease > /out/release
see boot
numatrace -q -o /out/run.jsonl -- true
numatrace domains --format json /out/run.jsonl > /out/record.json
su -s /bin/sh user -c 'numatrace domains' > /out/user.out 2> /out/user.err
echo $? > /out/user.status
if echo +cpuset > $cgroup/cgroup.subtree_control; then
	partition root
	partition isolated
	see member
fi
