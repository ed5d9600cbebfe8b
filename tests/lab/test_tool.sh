#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The lab itself: what comes back from a guest, and what it says when one panics, hangs or cannot
# be had. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/live/lib.sh
. tests/live/lib.sh
lab=tools/lab

said() {	# EXTENDED-REGEX: the last error holds a line of the lab's with it
	grep -qE "^lab: .*($1)" "$tmp/stderr"
}

guest() {	# OPTION... -- COMMAND: a small guest
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	status_of "$lab" run "${options[@]}" 6.1 1x4 "$@"
}

status=$(status_of "$lab" fetch 6.1)
if [ "$status" = 77 ]; then
	skip "a guest" "$(tail -n 1 "$tmp/stderr")"
	finish
	exit
fi

# What comes back.
mkdir "$tmp/in"
echo 'kept' > "$tmp/in/kept file"
is "$(guest -f "$tmp/in" -o "$tmp/out" -- sh -c 'echo to stdout; echo to stderr >&2
	cp "/in/in/kept file" /out/; exit 7')" 7 "the command's exit status comes back"
is "$(tr -d '\r' < "$tmp/stdout" | sort | tr '\n' ,)" "to stderr,to stdout," "and its output"
is "$(cat "$tmp/out/kept file")" kept "and the files it left, of those it was given"
# shellcheck disable=SC2016 # for the guest's shell
is "$(guest -- sh -c 'kill -TERM $$')" 143 "a command that a signal ends: 128 and the signal"

# A guest that goes wrong.
is "$(guest -- sh -c 'echo before; echo c > /proc/sysrq-trigger; sleep 60')" 125 "a panic is 125"
said 'the guest died: Kernel panic'; ok $? "and is named"
grep -q 'sysrq' "$tmp/stderr"; ok $? "with the guest's last lines"
is "$(tr -d '\r' < "$tmp/stdout")" before "what was written before it is kept"
begun=$SECONDS mark=test.mark=$$
{ sleep 15; pgrep -f "^qemu-system.*$mark" > "$tmp/running"; } &
is "$(guest -t 25 --append "$mark" -- sh -c 'echo before; sleep 1000')" 124 "a hang is 124"
[ $((SECONDS - begun)) -lt 60 ]; ok $? "after the time given"
said 'did not end in 25 s'; ok $? "and says so"
[ -s "$tmp/running" ] && ! pgrep -f "^qemu-system.*$mark" > /dev/null
ok $? "the guest that ran is gone"

# What is not there.
is "$(status_of "$lab" run nonsense 1x4 -- true)" 125 "a kernel with no name of one is 125"
said "no kernel named 'nonsense'"; ok $? "and is named"
is "$(status_of "$lab" run 9.99 1x4 -- true)" 77 "a kernel that the archive lacks is 77"
said '9.99'; ok $? "and is named"
is "$(status_of "$lab" run 6.1 nonsense -- true)" 125 "a topology that is not there is 125"
said nonsense; ok $? "and is named"
is "$(status_of "$lab" run 6.1 1x4)" 125 "no command is 125"

# An archive out of reach: each cell is a skip with its reason, none a pass.
export http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9
is "$(NUMATRACE_LAB_CACHE=$tmp/empty status_of "$lab" matrix 6.1/1x4)" 0 "no archive: no failure"
grep -qE '^ok 1 - 6.1 1x4 # SKIP lab: .+' "$tmp/stdout"; ok $? "but a skip with its reason"
grep -qx '0 passed, 0 failed, 1 skipped' "$tmp/stdout"; ok $? "that is counted as one"
finish
