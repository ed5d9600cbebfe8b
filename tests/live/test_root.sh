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

# A folder such as /tmp, in which somebody else was first.
chmod 711 "$tmp"
mkdir -m 1777 "$tmp/sticky"
as_user ln -s "$tmp/victim" "$tmp/sticky/link.jsonl"
as_user sh -c "echo theirs > $tmp/sticky/file.jsonl; ln $tmp/sticky/file.jsonl $tmp/sticky/hard"
for name in link.jsonl file.jsonl; do
	is "$(status_of "$nt" -q -o "$tmp/sticky/$name" -- true)" 125 "sticky folder, $name of another user: refused"
	one_line "$tmp/sticky/$name exists already" --force; ok $? "sticky folder, $name: in one line"
	is "$(status_of "$nt" -q --force -o "$tmp/sticky/$name" -- true)" 0 "sticky folder, $name: --force puts a new file there"
	is "$(stat -c '%F %u' "$tmp/sticky/$name")" "regular file 0" "sticky folder, $name: which is root's own"
done
is "$(cat "$tmp/victim")" precious "sticky folder: the link's target is as it was"
is "$(cat "$tmp/sticky/hard")" theirs "sticky folder: the other's file was not written to"
env SUDO_UID=-2 SUDO_GID=5x "$nt" -q -o "$tmp/odd.jsonl" -- true
is "$(stat -c %u:%g "$tmp/odd.jsonl")" 0:0 "SUDO_UID and SUDO_GID that are no numbers change no owner"

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

# Names that processes give themselves.
perl -e '$0 = "x\e[2J\xc2\x9b"; sleep 3' &
sleep 0.3
"$nt" -p $! -d 300ms -o "$tmp/comm.jsonl" 2> "$tmp/err"
is $? 0 "a process whose name clears the screen can be observed"
for format in table json csv; do
	"$nt" report --format $format "$tmp/comm.jsonl"
done >> "$tmp/err"
LC_ALL=C grep -q "$(printf '[\001-\010\016-\037\177]\|\302\233')" "$tmp/err"
is $? 1 "and its name passes no control characters"
grep -q 'x.*2J' "$tmp/err"; ok $? "which is there in print"

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
