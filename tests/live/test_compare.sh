#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The compare subcommand: what it refuses, with which status and on which stream. Prints TAP.
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

for i in 1 2; do
	"$nt" -q --no-bpf -r 3 -o "$tmp/$i.jsonl" -- sleep 0.05
	"$nt" -q --no-bpf -r 3 -o "$tmp/nr$i.jsonl" --param nr="$i" -- sleep 0.0$i
done

is "$(status_of "$nt" compare "$tmp/1.jsonl" -- "$tmp/2.jsonl")" 0 "two sets of the same are compared"
[ -s "$tmp/stdout" ] && [ ! -s "$tmp/stderr" ]; ok $? "on stdout, with nothing to complain of"
is "$(head -c 5 "$tmp/stdout")" "=====" "and nothing above the table"

is "$(status_of "$nt" compare "$tmp/nr1.jsonl" -- "$tmp/nr2.jsonl")" 125 "another command is refused"
one_line 'command differs' 'sleep 0.01' 'sleep 0.02' '--force'; ok $? "in one line that names both, and the way out"
[ ! -s "$tmp/stdout" ]; ok $? "and no table"

is "$(status_of "$nt" compare "$tmp/nr1.jsonl" --force -- "$tmp/nr2.jsonl")" 0 "--force compares it"
grep -q '^Warning: command differs' "$tmp/stdout"; ok $? "under a warning"
grep -q '^Warning: label nr differs: nr1.jsonl: 1; nr2.jsonl: 2$' "$tmp/stdout"; ok $? "and one of the label"

head -n -1 "$tmp/2.jsonl" > "$tmp/cut.jsonl"
status_of "$nt" compare "$tmp/1.jsonl" -- "$tmp/cut.jsonl" > /dev/null
grep -q '^Warning: cut.jsonl: 1 of 3 runs ended early' "$tmp/stdout"; ok $? "a record cut short is counted"

printf '{"event":"x","counter-value":"1","unit":""}\n' > "$tmp/perf.json"
status_of "$nt" compare "$tmp/1.jsonl" -- "$tmp/perf.json" > /dev/null
is "$(grep -c '^Warning: perf.json: a file of another tool' "$tmp/stdout")" 1 "of another tool's file it says once what cannot be checked"

cp "$nt" "$tmp/nt"; chmod 755 "$tmp"; cp "$tmp/1.jsonl" "$tmp/secret.jsonl"; chmod 600 "$tmp/secret.jsonl"
chmod 644 "$tmp/1.jsonl"
is "$(status_of as_user "$tmp/nt" compare "$tmp/1.jsonl" -- "$tmp/secret.jsonl")" 125 "an unreadable file is refused"
one_line 'secret.jsonl: Permission denied'; ok $? "in one line that names it"

is "$(status_of "$nt" compare --format yaml "$tmp/1.jsonl" -- "$tmp/2.jsonl")" 125 "a format that is none is refused"
one_line 'yaml' 'table, json, csv or markdown'; ok $? "in one line that names those there are"
status_of "$nt" compare --format json --all "$tmp/1.jsonl" -- "$tmp/2.jsonl" > /dev/null
python3 -m json.tool "$tmp/stdout" > /dev/null; ok $? "--format json is JSON"

finish
