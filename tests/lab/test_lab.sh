#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Real NUMA kernels in guests: run a script there, hold what it leaves against its oracles
# here. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

guest() {	# KERNEL SCRIPT CHECK [OPTION]
	local kernel=$1 script=$2 out=$tmp/$1-${2%.sh} status
	shift 2
	mkdir -p "$out"
	tools/lab run -t 420 -o "$out" -f tests/lab "$kernel" 2x4 -- sh "/in/lab/$script"
	status=$?
	if [ $status = 77 ]; then
		echo "ok 1 - $kernel # SKIP the kernel cannot be fetched"
	elif [ $status != 0 ]; then
		echo "not ok 1 - $kernel: the guest ended with status $status"
		return 1
	else
		python3 "tests/lab/$1" "${@:2}" "$out"
	fi
}

guest 6.1 guest-main.sh check.py || failed=1
for kernel in 5.10 6.12 6.18 7.x; do
	guest $kernel guest-short.sh check.py --short || failed=1
done
for kernel in 5.10 6.1 6.12 6.18 7.x; do
	guest $kernel guest-ways.sh check_ways.py || failed=1
done
for kernel in 5.10 6.1 6.12 6.18 7.x; do
	guest $kernel guest-causes.sh check_causes.py || failed=1
done
exit $failed
