#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest, booted with nokaslr nopti and its memory kept: where the run queues are, and what
# numatrace reads of their domains. For check_memory.py.
set -u
echo 0 > /proc/sys/kernel/kptr_restrict
grep -E ' (runqueues|__per_cpu_offset)$' /proc/kallsyms > /out/symbols
cat /sys/kernel/btf/vmlinux > /out/btf
cat /sys/devices/system/cpu/online > /out/online
numatrace domains --format json > /out/domains.json
