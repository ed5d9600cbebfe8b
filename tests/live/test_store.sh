#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Records on disks that fill up, of runs that were killed, larger than memory, and files that are
# none. Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# A full disk: a small tmpfs in a mount namespace of its own.
full='mount -t tmpfs -o size=64k none "$1" && head -c "$3" /dev/zero > "$1/ballast" &&
	"$0" -q --no-bpf -i 10ms -o "$1/$2" -- sleep 1.5 2> "$1.err"; echo $? > "$1.status"
	cp "$1/$2" "$1.$2"'
mkdir "$tmp/disk"
for name in full.jsonl full.jsonl.gz; do
	taken=40000
	[ $name = full.jsonl ] || taken=57344
	unshare -m sh -c "$full" "$nt" "$tmp/disk" $name $taken
	is "$(cat "$tmp/disk.status")" 125 "full disk, $name: the run ends with 125"
	[ "$(wc -l < "$tmp/disk.err")" = 1 ] && grep -q 'No space left on device' "$tmp/disk.err"
	ok $? "full disk, $name: one line says why"
	"$nt" report "$tmp/disk.$name" > "$tmp/out" && grep -Eq 'run ended early, [0-9]+ samples kept' "$tmp/out"
	ok $? "full disk, $name: the record is read up to its last whole line"
done

# SIGKILL at any moment of the writing.
for name in killed.jsonl killed.jsonl.gz; do
	"$nt" -q --no-bpf -i 10ms -o "$tmp/$name" -- sleep 3 &
	wait_for_file "$tmp/$name"
	sleep 0.5
	kill -KILL $!
	wait $! 2> /dev/null
	"$nt" report "$tmp/$name" > "$tmp/out" && grep -Eq 'run ended early, [0-9]+ samples kept' "$tmp/out"
	ok $? "SIGKILL, $name: the record is read up to its last whole line"
done

# What is no record, or only begins as one.
good=$tmp/good.jsonl
"$nt" -q --no-bpf -i 100ms -o "$good" -- sleep 0.5
bad=$tmp/bad

refused() {	# NAME WORD...   of the file $bad
	local name=$1
	shift
	[ "$(status_of "$nt" report "$bad")" = 125 ] && one_line "$bad" "$@"
	ok $? "$name: refused in one line"
}

kept() {	# NAME WORD...
	local name=$1 word
	shift
	"$nt" report "$bad" > "$tmp/out" 2> "$tmp/err" && grep -q 'run ended early' "$tmp/out" && [ ! -s "$tmp/err" ]
	ok $? "$name: what comes before it is shown"
	tr -s ' \n' ' ' < "$tmp/out" > "$tmp/text"
	for word; do
		grep -q -- "$word" "$tmp/text"
		ok $? "$name: and the report says: $word"
	done
}

head -n 1 "$good" | tr -d '\n' | head -c 300 > "$bad"; refused "truncated header" ':1: '
head -n 2 "$good" | head -c -20 > "$bad"; kept "truncated"
{ head -n 2 "$good"; echo '{"type":"sample",,}'; tail -n 1 "$good"; } > "$bad"; kept "corrupt" ':3: not JSON'
: > "$bad"; refused "empty" 'empty'
cat "$nt" > "$bad"; refused "binary" ':1: '
gzip -c "$good" | head -c -40 > "$bad"; kept "gzip cut short"
{ head -n 2 "$good"; echo '{"type":"end","t":1,"t":2,"counters":{}}'; } > "$bad"; kept "duplicate keys" ':3: not JSON: duplicate object key'
{ head -n 2 "$good"; echo '{"type":"end","self_cpu":NaN,"counters":{}}'; } > "$bad"; kept "NaN" ':3: not JSON'
{ head -n 2 "$good"; echo '{"type":"end","self_cpu":1e400,"counters":{}}'; } > "$bad"; kept "1e400" ':3: not JSON: real number overflow'
{ head -n 2 "$good"; head -c 200000 /dev/zero | tr '\0' '['; echo; } > "$bad"; kept "deep nesting" ':3: not JSON: maximum parsing depth'
{ head -n 2 "$good"; echo '{"type":"end","alive_after":99999999999999999999,"counters":{}}'; } > "$bad"
kept "64-bit overflow" ':3: not JSON: too big integer'
sed '1s/numatrace\/1/numatrace\/9/' "$good" > "$bad"; refused "unknown schema" ':1: schema numatrace/9'
{ printf '\357\273\277'; sed 's/$/\r/' "$good"; } > "$bad"
"$nt" report "$good" > "$tmp/want"; "$nt" report "$bad" | cmp -s - "$tmp/want"; ok $? "BOM and CRLF: read as if they were not there"
rm "$bad"; mkdir "$bad"; refused "directory" 'Is a directory'; rmdir "$bad"
refused "no file" 'No such file'
cp "$good" "$bad"; chmod 600 "$bad"; chmod 755 "$tmp"; cp "$nt" "$tmp/nt"
[ "$(status_of as_user "$tmp/nt" report "$bad")" = 125 ] && one_line "$bad" 'Permission denied'
ok $? "unreadable: refused in one line"
rm "$bad"; mkfifo "$bad"; refused "FIFO that nobody writes" 'nobody writes'; rm "$bad"

# Control characters in file names, in command lines and in what a record says of them.
esc=$(printf '\033[2J')
status_of "$nt" report "$tmp/a$esc" > /dev/null
grep -qF "$esc" "$tmp/stderr"; is $? 1 "a file name passes no control characters to the terminal"
status_of "$nt" -- "/no$esc" > /dev/null
grep -qF "$esc" "$tmp/stderr"; is $? 1 "nor does a command that cannot be run"
"$nt" --no-bpf -o "$tmp/esc.jsonl" -- sh -c : "$(printf 'x\033[2J\302\233\342\200\256\007')" 2> "$tmp/err"
for format in table json csv; do
	"$nt" report --format $format "$tmp/esc.jsonl"
done >> "$tmp/err"
LC_ALL=C grep -q "$(printf '[\001-\010\016-\037\177]\|\302\233\|\342\200')" "$tmp/err"
is $? 1 "nor does a command line, live or from its record"

# More than memory: one line is held at a time, and of runs what a comparison needs.
peak() {	# COMMAND...   the most memory it had, KiB; its output goes to $tmp/out
	python3 -c 'import re, subprocess, sys, time
most = 0
with open(sys.argv[1], "w") as out:
	p = subprocess.Popen(sys.argv[2:], stdout=out, stderr=out)
	while p.poll() is None:
		found = re.search(r"VmHWM:\s*(\d+)", open(f"/proc/{p.pid}/status").read())
		most = max(most, int(found[1]) if found else 0)
		time.sleep(0.001)
print(most)' "$tmp/out" "$@"
}

at_most() {	# KIB LIMIT WHAT
	[ "${1:-999999}" -le "$2" ]; ok $? "$3 in ${1:-?} KiB, at most $2"
}

repeated() {	# MIB LINES   on stdout, over and over
	awk -v text="$2" -v size="$1" \
		'BEGIN { while (n < size * 1048576) { print text; n += length(text) + 1 } }' < /dev/null
}

{
	head -n 1 "$good"
	repeated 64 "$(sed -n 2p "$good")"
	tail -n 1 "$good"
} > "$tmp/big.jsonl"
at_most "$(peak "$nt" report "$tmp/big.jsonl")" 16384 "a record of 64 MiB is read"
"$nt" report "$tmp/big.jsonl" > "$tmp/out"; ok $? "and to its end"
at_most "$(peak "$nt" compare "$good" -- "$tmp/big.jsonl")" 16384 "and compared"
at_most "$(peak "$nt" compare "$good" -- - < "$tmp/big.jsonl")" 16384 "and compared from a pipe"
grep -q ' metrics changed by' "$tmp/out"; ok $? "and to its end"
# Cut short, so that its samples must be summed up.
head -n -1 "$tmp/big.jsonl" > "$tmp/cut.jsonl"
at_most "$(peak "$nt" compare "$good" -- "$tmp/cut.jsonl")" 16384 "and compared where its end is missing"
grep -q '1 of 1 run ended early' "$tmp/out"; ok $? "which is said"
repeated 32 "$(head -n 1 "$good"; tail -n 1 "$good")" > "$tmp/runs.jsonl"
at_most "$(peak "$nt" report --format csv "$tmp/runs.jsonl")" 16384 "a record of 32 MiB of runs is read"
is "$(grep -c '^key,value$' "$tmp/out")" "$(grep -c '"type":"header"' "$tmp/runs.jsonl")" "and each of them is reported"

finish
