#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: migrations of known causes. CPUs 1 and 5 are on different nodes.
set -u
run() {
	numatrace -q -o "/out/$1.jsonl" -- causes "$@" > "/out/$1.made"
	echo $? > "/out/$1.status"
}
run affinity 1 5 200
run queued 1 5 200
run exec 1 5 20
run hotplug 5
# The system view across hotplug: the CPU's node keeps its other CPUs.
numatrace -q -i 200ms -o /out/plug.jsonl -- sh -c 'sleep 1
	echo 0 > /sys/devices/system/cpu/cpu5/online; sleep 1
	echo 1 > /sys/devices/system/cpu/cpu5/online; sleep 1'
