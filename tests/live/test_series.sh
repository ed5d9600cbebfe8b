#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A series of runs: -r, --warmup, --prepare, --ignore-failure, progress. Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

runs() {	# how many the record holds
	grep -c '"type":"end"' "$1"
}

log=$tmp/log
"$nt" -q -r 3 --warmup 2 --prepare "echo prepare >> $log; echo out" -o "$tmp/s.jsonl" -- \
	sh -c "echo run >> $log" > "$tmp/stdout" 2> "$tmp/stderr"
is $? 0 "a series of 3 with 2 warm-up runs"
is "$(tr '\n' ' ' < "$log")" "$(for _ in 1 2 3 4 5; do printf 'prepare run '; done)" \
	"--prepare comes before each, warm-up runs included"
is "$(runs "$tmp/s.jsonl")" 3 "the record holds the measured runs"
[ ! -s "$tmp/stdout" ]; ok $? "what --prepare prints keeps out of stdout"
grep -q 'after 2 warm-up runs' "$tmp/s.jsonl"; ok $? "the record says that others were thrown away"

# Failures.
fails='n=$(cat count 2> /dev/null || echo 0); echo $((n + 1)) > count; [ $n != 1 ] || exit 3'
cd "$tmp" || exit 1
case $nt in /*) ;; *) nt=$OLDPWD/$nt ;; esac
is "$(status_of "$nt" -q -r 4 -o fail.jsonl -- sh -c "$fails")" 3 "a run that fails ends the series with its status"
one_line 'run 2 of 4' 'status 3'; ok $? "and one line says which"
is "$(runs fail.jsonl)" 2 "the rest is not run"
rm -f count
is "$(status_of "$nt" -q -r 4 --ignore-failure -o ignore.jsonl -- sh -c "$fails")" 3 \
	"--ignore-failure: the status is that of the run that failed"
is "$(runs ignore.jsonl)" 4 "and all are run"
is "$(status_of "$nt" -q -r 3 --prepare 'exit 7' -- touch never)" 125 "--prepare that fails"
one_line 'exit 7' 'status 7' 'run 1 of 3'; ok $? "one line says so"
[ ! -e never ]; ok $? "nothing was run"
is "$(status_of "$nt" -q -r 3 --warmup 1 -- sh -c 'exit 4')" 4 "a warm-up run that fails"
one_line 'warm-up 1 of 1'; ok $? "one line says so"
env --default-signal=INT "$nt" -q -r 5 --ignore-failure -o int.jsonl -- sleep 1 2> err &
wait_for_file int.jsonl
sleep 0.3
kill -INT $!
wait $!
is $? 130 "SIGINT ends the whole series"
is "$(runs int.jsonl)" 1 "--ignore-failure or not"
env --default-signal=INT "$nt" -q -r 2 --warmup 1 -- sh -c 'echo $$ >> pids; sleep 5' 2> err &
wait_for_file pids
sleep 0.2
kill -INT $!
wait $!
is "$? $(wc -l < pids)" "130 1" "SIGINT in a warm-up run as well"

# Progress: on a terminal's stderr, and only there.
script -qec "$nt -r 2 --warmup 1 -- true" /dev/null < /dev/null > screen
grep -q 'warm-up 1/1, not measured' screen; ok $? "a terminal sees the warm-up run announced"
grep -Eq 'run 2/2; [0-9.]+ s elapsed, about [0-9.]+ s left' screen; ok $? "and the second run with an estimate"
"$nt" -r 2 -- true 2> err
grep -q 'run 2/2' err; is $? 1 "a file sees nothing of it"
script -qec "$nt -q -r 2 -- true" /dev/null < /dev/null > screen
[ ! -s screen ]; ok $? "nor does -q"

finish
