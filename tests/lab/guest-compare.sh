#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: two sets of six runs of the same, in turn, so that whatever drifts while the guest
# runs is in both. Everything is left in /out for check_compare.py.
set -u

run() {	# NAME
	numatrace -q -o "/out/$1.jsonl" -- stress-ng --fstat 4 -t 1 --metrics > /dev/null 2>> /out/errors
	echo $? >> /out/status
}

for i in 1 2 3 4 5 6; do
	run "a$i"
	run "b$i"
done
