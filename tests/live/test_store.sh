#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Records on disks that fill up, of runs that were killed, larger than memory, and files that are
# none. Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# A full disk: a small tmpfs in a mount namespace of its own.
full='mount -t tmpfs -o size=64k none "$1" && head -c 40000 /dev/zero > "$1/ballast" &&
	"$0" -q --no-bpf -i 10ms -o "$1/$2" -- sleep 1.5 2> "$1.err"; echo $? > "$1.status"
	cp "$1/$2" "$1.$2"'
for name in full.jsonl full.jsonl.gz; do
	rm -f "$tmp/disk.err"
	mkdir -p "$tmp/disk"
	unshare -m sh -c "$full" "$nt" "$tmp/disk" $name
	is "$(cat "$tmp/disk.status")" 125 "full disk, $name: the run ends with 125"
	[ "$(wc -l < "$tmp/disk.err")" = 1 ] && grep -q 'No space left on device' "$tmp/disk.err"
	ok $? "full disk, $name: one line says why"
	"$nt" report "$tmp/disk.$name" > "$tmp/out" && grep -Eq 'run ended early, [0-9]+ samples kept' "$tmp/out"
	ok $? "full disk, $name: the record is read up to its last whole line"
done

# SIGKILL at any moment of the writing.
for name in killed.jsonl killed.jsonl.gz; do
	"$nt" -q --no-bpf -i 10ms -o "$tmp/$name" -- sleep 20 &
	wait_for_file "$tmp/$name"
	sleep 0.5
	kill -KILL $!
	wait $! 2> /dev/null
	pkill -KILL -x -f 'sleep 20' -P 1 2> /dev/null
	"$nt" report "$tmp/$name" > "$tmp/out" && grep -Eq 'run ended early, [0-9]+ samples kept' "$tmp/out"
	ok $? "SIGKILL, $name: the record is read up to its last whole line"
done
