#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: a busy run, an idle one and an observation. Records in /out, for check.py --short.
set -u
cat /proc/sys/kernel/osrelease > /out/kernel
numatrace -q -o /out/busy.jsonl -- stress-ng --fstat 10 -t 4 --metrics > /out/busy.log 2>&1
echo $? > /out/busy.status
numatrace -q -o /out/idle.jsonl -- sleep 4
sh /in/lab/guest-observe.sh
for record in /out/*.jsonl; do
	numatrace report --format json "$record" > "${record%.jsonl}.json"
done
