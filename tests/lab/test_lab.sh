#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Real NUMA kernels in guests: run guest-main.sh there, hold what it leaves against its
# oracles here. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tools/lab run -t 420 -o "$tmp" -f tests/lab/guest-main.sh 6.1 2x4 -- sh /in/guest-main.sh
status=$?
if [ $status = 77 ]; then
	echo "ok 1 - lab 6.1 2x4 # SKIP the kernel cannot be fetched"
	echo 1..1
	exit 0
elif [ $status != 0 ]; then
	echo "not ok 1 - lab 6.1 2x4 ended with status $status"
	exit 1
fi
python3 tests/lab/check.py "$tmp"
