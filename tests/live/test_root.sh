#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A tool that root runs: what it leaves to whom, and what power it keeps. Prints TAP.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# Output files.
env SUDO_UID=65534 SUDO_GID=65534 "$nt" -q -o "$tmp/sudo.jsonl" -- true
is "$(stat -c %u:%g "$tmp/sudo.jsonl")" 65534:65534 "under sudo the record belongs to who asked for it"
"$nt" -q -o "$tmp/plain.jsonl" -- true
is "$(stat -c %u "$tmp/plain.jsonl")" 0 "without sudo it belongs to root"
echo precious > "$tmp/victim"
ln -s "$tmp/victim" "$tmp/link.jsonl"
is "$(status_of "$nt" -q -o "$tmp/link.jsonl" -- true)" 125 "a symbolic link is not written through"
is "$(status_of "$nt" -q --force -o "$tmp/link.jsonl" -- true)" 0 "--force replaces the link"
is "$(cat "$tmp/victim")" precious "and what it pointed to is as it was"
[ ! -L "$tmp/link.jsonl" ] && "$nt" report "$tmp/link.jsonl" > "$tmp/out"; ok $? "the record took its place"
ln -s "$tmp/nowhere" "$tmp/dangling.jsonl"
is "$(status_of "$nt" -q -o "$tmp/dangling.jsonl" -- true)" 125 "nor through one that points nowhere"
[ ! -e "$tmp/nowhere" ]; ok $? "and nothing appears there"

# --user.
"$nt" -q --user nobody -- cat /proc/self/status > "$tmp/status"
for set in CapInh CapPrm CapEff CapAmb; do
	is "$(awk -v s=$set: '$1 == s { print $2 }' "$tmp/status")" 0000000000000000 \
		"--user: the command has no capability in $set"
done
# Securebits that keep capabilities when root becomes somebody else, and ambient ones.
setpriv --securebits +no_setuid_fixup --inh-caps +sys_admin --ambient-caps +sys_admin \
	"$nt" -q --user nobody -- cat /proc/self/status > "$tmp/status"
is "$(awk '$1 == "CapEff:" { print $2 }' "$tmp/status")" 0000000000000000 \
	"--user: nor where securebits and ambient capabilities would leave some"
is "$(setpriv --groups 0,4,27 "$nt" -q --user nobody -- id -G)" "$(id -G nobody)" \
	"--user: the groups are the user's own"
is "$("$nt" -q --user nobody -- sh -c 'echo $HOME $USER')" "$(getent passwd nobody | cut -d: -f6) nobody" \
	"--user: and so is the environment"

# What numatrace itself keeps while it measures.
"$nt" -i 100ms -o "$tmp/caps.jsonl" -- sh -c 'taskset -pc 0 $$ > /dev/null; sleep 1.5' 2> "$tmp/err" &
wait_for_samples "$tmp/caps.jsonl"
is "$(awk '$1 == "CapEff:" { print $2 }' /proc/$!/status)" 0000008000000020 \
	"while it measures it keeps CAP_BPF and CAP_KILL alone"
wait $!
is $? 0 "which is enough to sample and to end in good order"
grep -q '0 events lost' "$tmp/err"; ok $? "and to see the end of every task"
"$nt" -q -i 100ms -o "$tmp/kill.jsonl" --user nobody -d 500ms -- sleep 20
is $? 143 "and to end a command of another user"
"$nt" -q -r 2 -- true
is $? 0 "the next run of a series attaches again"

finish
