#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A test of the lab's tests: faults are planted in copies of the source, and the suite "cell" must
# then fail at the check that is about that fault. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
cache=$PWD/build/lab
number=0
failed=0

# What each fault does to bpf/migrate.bpf.h, and the check that must find it.
declare -A edit=(
	[newidle]='s/NT_CAUSE_PERIODIC/@/g; s/NT_CAUSE_NEWIDLE/NT_CAUSE_PERIODIC/g; s/@/NT_CAUSE_NEWIDLE/g'
	[source]='s/^\tcount_cell(NT_SYSTEM, /\tif (cause == NT_CAUSE_WAKEUP)\n\t\ta = b;\n&/'
	[node]='s/^\tcount_cell(NT_SYSTEM, /\tif (a->node == 1)\n\t\treturn 0;\n&/'
)
declare -A finds=(
	[newidle]='newidle balance moved [0-9]+ tasks'
	[source]='wakeups placed on other nodes'
	[node]='periodic and nohz balance moved|newidle balance moved|wakeups placed elsewhere'
)

ok() {	# STATUS WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		failed=1
	fi
}

plant() {	# FAULT
	local tree=$PWD/build/plants/$1
	rm -rf "$tree"
	mkdir -p "$tree"
	git ls-files -z Makefile bpf user vmlinux tools tests | xargs -0 cp --parents -t "$tree"
	sed -i "${edit[$1]}" "$tree/bpf/migrate.bpf.h"
	if cmp -s bpf/migrate.bpf.h "$tree/bpf/migrate.bpf.h"; then
		echo "nothing was planted" > "$tree.out"
		return
	fi
	make -C "$tree" --no-print-directory all build/causes > "$tree.out" 2>&1 || return
	echo "6.1 2x4 ci cell" > "$tree/tests/lab/cells"
	NUMATRACE_LAB_CACHE=$cache timeout 500 "$tree/tools/lab" matrix -o "$tree.cells" \
		> "$tree.out" 2>&1
}

for fault in "${!edit[@]}"; do
	plant "$fault" &
done
wait
for fault in "${!edit[@]}"; do
	out=build/plants/$fault.out
	if grep -q '# SKIP' "$out"; then
		number=$((number + 1))
		echo "ok $number - $fault # SKIP the kernel cannot be fetched"
		continue
	fi
	grep -qE "not ok.*(${finds[$fault]})" "$out"
	ok $? "the planted fault '$fault' is found"
	sed 's/^/# /' "$out"
done
exit $failed
