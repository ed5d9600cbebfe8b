#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest, booted with lockdown=MODE: what is left of numatrace, for check_lockdown.py.
# usage: guest-lockdown.sh A B    two CPUs, on different nodes if there are two
set -u
# shellcheck source=tests/lab/lib.sh
. /in/lab/lib.sh
mount -t securityfs securityfs /sys/kernel/security
cat /sys/kernel/security/lockdown > /out/lockdown
numatrace features
numatrace -q -o /out/affinity.jsonl -- causes affinity "$1" "$2" 200 > /out/affinity.made
in_cgroup busy stress-ng --fstat 10 -t 3
metrics
