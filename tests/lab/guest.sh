#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In the guest: run suites one after the other, and keep what each leaves in /out apart. Each gets
# as arguments two CPUs, neither the first of its node, and on different nodes if there are two.
# usage: guest.sh "SUITE..."
set -u
a='' b=''
for node in /sys/devices/system/node/node[0-9]*; do
	first=$(cut -d, -f1 "$node/cpulist")
	[ "$first" ] || continue
	low=${first%-*} high=${first#*-}
	if [ ! "$a" ]; then
		a=$((low + 1)) b=$high
	elif [ $((low + 1)) -ne "$a" ]; then
		b=$((low + 1))
		break
	fi
done

for suite in $1; do
	cat /proc/sys/kernel/osrelease > /out/kernel
	numatrace features --format json > /out/features.json
	echo "$suite: CPUs $a and $b"
	if ! timeout 600 sh "/in/lab/guest-$suite.sh" "$a" "$b"; then
		echo "$suite ended with status $?"
	fi
	mkdir -p "/run/suites/$suite"
	mv /out/* "/run/suites/$suite/"
done
mv /run/suites/* /out/
