#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: what the kernel offers, with hooks switched off as well; then fexit and kprobe
# side by side over one interval, and causes told without reading kernel memory. Records and
# features in /out, for check_ways.py.
set -u
cat /proc/sys/kernel/osrelease > /out/kernel
cat /sys/kernel/security/lockdown > /out/lockdown 2> /dev/null
numatrace features
features() {	# NAME
	numatrace features --format json > "/out/features-$1.json"
	echo $? > "/out/features-$1.status"
}
features all
NUMATRACE_DENY=fexit features fexit
NUMATRACE_DENY=fexit,kprobe features hooks
NUMATRACE_DENY=probe_read features read
NUMATRACE_DENY=tracepoint features tracepoint
# The entry of the first way attaches, its exit does not: the next way is to count all the same.
NUMATRACE_DENY="attach balance_exit,attach balance_exit_old" features half
NUMATRACE_DENY="attach balance_exit,attach balance_exit_old,attach balance_kexit" features none
if echo 0 > /sys/kernel/debug/kprobes/enabled; then
	NUMATRACE_DENY=fexit features kprobes-off
	echo 1 > /sys/kernel/debug/kprobes/enabled
fi
# 7.3 answers EIO, so there it cannot be switched off.
if echo 0 > /proc/sys/kernel/ftrace_enabled; then
	features ftrace-off
	echo 1 > /proc/sys/kernel/ftrace_enabled
fi

# Both end together. What they count apart was before the second of them began.
wait='while [ ! -e /tmp/end ]; do sleep 0.2; done'
numatrace -q -i 200ms -o /out/fexit.jsonl -- sh -c "$wait" &
NUMATRACE_DENY=fexit numatrace -q -i 200ms -o /out/kprobe.jsonl -- sh -c "$wait" &
until [ -s /out/fexit.jsonl ] && [ -s /out/kprobe.jsonl ]; do sleep 0.2; done
sleep 2
stress-ng --fstat 10 --fork 2 -t 10 > /dev/null 2>&1
sleep 1
touch /tmp/end
wait

NUMATRACE_DENY=probe_read numatrace -q -o /out/affinity-read.jsonl -- causes affinity "$1" "$2" 200 \
	> /out/affinity-read.made
for record in /out/*.jsonl; do
	numatrace report --format json "$record" > "${record%.jsonl}.json"
done
