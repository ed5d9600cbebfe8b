#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: two spinners, each pinned to a node, observed with -p. While it counts, the clock
# and what the scheduler says they ran are read twice. Left in /out for check.py.
set -u
read_oracle() {
	read -r up _ < /proc/uptime
	read -r ran_a _ < "/proc/$a/schedstat"
	read -r ran_b _ < "/proc/$b/schedstat"
	echo "$up $ran_a $ran_b"
}
taskset -c 1 sh -c 'while :; do :; done' &
a=$!
taskset -c 5 sh -c 'while :; do :; done' &
b=$!
sleep 1
numatrace -p $a,$b -d 3 -i 500ms -q -o /out/observe.jsonl &
nt=$!
until grep -q '"type":"sample"' /out/observe.jsonl 2> /dev/null; do sleep 0.05; done
read_oracle > /out/observe.ran
sleep 1.5
read_oracle >> /out/observe.ran
wait $nt
echo $? > /out/observe.status
kill $a $b
