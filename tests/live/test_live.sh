#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line on this machine's own kernel, whatever it permits. Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# Exit status: the command's own.
is "$(status_of "$nt" -q -- true)" 0 "true exits 0"
is "$(status_of "$nt" -q -- sh -c 'exit 3')" 3 "the command's status is passed on"
is "$(status_of "$nt" -q -- sh -c 'kill -KILL $$')" 137 "killed by SIGKILL is 137"
is "$(status_of "$nt" -q -- sh -c 'kill -SEGV $$')" 139 "killed by SIGSEGV is 139"
is "$(status_of "$nt" -q -- "$tmp/none")" 127 "a command that is not there is 127"
one_line none; ok $? "and one line names it"
: > "$tmp/plain"
is "$(status_of "$nt" -q -- "$tmp/plain")" 126 "a file that is no program is 126"
one_line plain; ok $? "and one line names it"

# Bad input: one line, 125, nothing started.
bad() {	# WORD-IN-THE-LINE ARGS...
	local word=$1
	shift
	rm -f "$tmp/started"
	is "$(status_of "$nt" "$@")" 125 "$* is refused"
	one_line "$word"; ok $? "$*: one line names the cause"
	[ ! -e "$tmp/started" ]; ok $? "$*: nothing was started"
}
bad abc -d abc -- touch "$tmp/started"
bad 10x -d 10x -- touch "$tmp/started"
bad -r -r 0 -- touch "$tmp/started"
bad -i -i -1 -- touch "$tmp/started"
bad bogus --bogus -- touch "$tmp/started"
bad -- -o "$tmp/x"
bad -- touch "$tmp/started"
bad xml --format xml -- touch "$tmp/started"
bad nobody-here --user nobody-here -- touch "$tmp/started"
bad directory -o "$tmp/no/dir/x" -- touch "$tmp/started"

# The command's output stays its own.
is "$("$nt" -- echo hi 2> /dev/null | wc -c)" 3 "stdout of the command is untouched"
is "$(echo abc | "$nt" -q -- cat)" abc "stdin is inherited"
head -c 300000 /dev/urandom > "$tmp/bytes"
"$nt" -q --score 'x=([0-9]+)zz' -- cat "$tmp/bytes" 2> /dev/null | cmp -s - "$tmp/bytes"
ok $? "bytes pass unchanged where a score is read"
"$nt" -o "$tmp/score.jsonl" -q --score 'speed=speed: ([0-9.]+)' -- \
	sh -c 'echo speed: 10; echo speed: 12.5' > /dev/null
is "$(value "$tmp/score.jsonl" speed)" 12.5 "--score takes the last match"

# Numbers: identities, and oracles that were there before us.
"$nt" -o "$tmp/fstat.jsonl" -- stress-ng --fstat 4 -t 3 --metrics > "$tmp/fstat.out" 2> "$tmp/fstat.err"
is $? 0 "stress-ng --fstat runs"
"$nt" report "$tmp/fstat.jsonl" > "$tmp/fstat.replay"
tail -c "$(wc -c < "$tmp/fstat.replay")" "$tmp/fstat.err" | cmp -s - "$tmp/fstat.replay"
ok $? "the record gives the same report, byte for byte"
score=$(awk '$4 == "fstat" { print $9 }' "$tmp/fstat.out" "$tmp/fstat.err" | head -n 1)
is "$(value "$tmp/fstat.jsonl" stress-ng.fstat.ops_per_sec | awk '{ print $1 + 0 }')" \
	"$(echo "$score" | awk '{ print $1 + 0 }')" "the score is what stress-ng printed"
grep -q 'imb_numa_nr' "$tmp/fstat.replay"; ok $? "the domains are shown"
for feature in migrations cputime fork domains; do
	grep -o "\"$feature\":[ ]*{[^}]*" "$tmp/fstat.jsonl" | grep -q '"on":[ ]*true'
	ok $? "$feature is measured here"
done
if grep -o '"balance":[ ]*{[^}]*' "$tmp/fstat.jsonl" | grep -q '"on":[ ]*false'; then
	grep -qi 'load balanc.*not available' "$tmp/fstat.replay"; ok $? "balance: missing, and says why"
	grep -qi 'placement.*not available' "$tmp/fstat.replay"; ok $? "placement: missing, and says why"
else
	skip "balance is missing, and says why" "this kernel permits function hooks"
	skip "placement is missing, and says why" "this kernel permits function hooks"
fi
total=$(value "$tmp/fstat.jsonl" migrations.total)
sum=$("$nt" report --format csv "$tmp/fstat.jsonl" | tr -d '\r' |
	awk -F, '$1 ~ /^migrations\./ && $1 !~ /total|cross_node/ { s += $2 } END { print s + 0 }')
is "$sum" "$total" "causes add up to the total"

# Moves that we make ourselves, an exact number of them.
moves=500
"$nt" -q -o "$tmp/aff.jsonl" -- sh -c 'i=0; while [ $i -lt '$moves' ]; do
	taskset -pc $((i % 2)) $$ > /dev/null; i=$((i + 1)); done'
if [ "$(nproc)" -ge 2 ]; then
	# Each taskset moves the shell while it waits: a wakeup on the CPU that is left to it.
	got=$(value "$tmp/aff.jsonl" migrations.total)
	[ "${got:-0}" -ge $((moves - 1)) ]; ok $? "$moves forced moves are seen ($got in all)"
else
	skip "forced moves are seen" "one CPU"
fi

# The workload's CPU time against its own cgroup, where there is a v1 cpuacct.
cg=$tmp/cg
mkdir "$cg"
if mount -t cgroup -o cpuacct none "$cg" 2> /dev/null; then
	mkdir "$cg/w"
	for load in "--fstat 4" "--pthread 2" "--fork 2" "--cpu 3"; do
		before=$(cat "$cg/w/cpuacct.usage")
		# shellcheck disable=SC2086
		"$nt" -q -o "$tmp/cg.jsonl" --force -- sh -c "echo \$\$ > $cg/w/tasks; exec stress-ng $load -t 3" \
			> /dev/null 2>&1
		after=$(cat "$cg/w/cpuacct.usage")
		ours=$(value "$tmp/cg.jsonl" workload.cpu_seconds)
		echo "$ours $before $after" |
			awk '{ t = ($3 - $2) / 1e9; d = ($1 - t) / t; exit !(d < 0.01 && d > -0.01) }'
		ok $? "stress-ng $load: CPU seconds $ours against the cgroup's $before..$after ns"
	done
	rmdir "$cg/w"
	umount "$cg"
else
	skip "CPU time against a cgroup" "no v1 cpuacct controller here"
fi

# Awkward workloads.
"$nt" -q -o "$tmp/forks.jsonl" -- perl -e 'for (1..10000) { my $p = fork; exit if !$p; waitpid $p, 0 }'
is $? 0 "10000 forks"
is "$(value "$tmp/forks.jsonl" fork.total)" 10000 "each is counted"
# Some kernels do not announce the end of every task: perf stat -e sched:sched_process_free
# counts as few on them. The guests, whose kernels do, must show 0.
unfinished=$(sed -n 's/.*"unfinished":[ ]*\([0-9]*\).*/\1/p' "$tmp/forks.jsonl")
[ "${unfinished:-0}" -le 100 ]; ok $? "and was seen to end, but for ${unfinished:-0}"
timeout 20 "$nt" -o "$tmp/daemon.jsonl" -- perl -e 'exit if fork; exit if fork; sleep 3' 2> "$tmp/err"
is $? 0 "a double-forked daemon does not hold the run up"
grep -qi 'alive' "$tmp/err"; ok $? "and it is named as still alive"
name=$(printf '\377\376\033[2J')
"$nt" -o "$tmp/name.jsonl" -- perl -e '$0 = "\xff\xfe\e[2J"; 1' "$name" 2> "$tmp/err"
is $? 0 "a name that is no UTF-8"
LC_ALL=C grep -q "$(printf '\033')\\[2J" "$tmp/err"; is $? 1 "no control bytes reach the terminal"
"$nt" report "$tmp/name.jsonl" > /dev/null; ok $? "and the record can be read"

# Signals.
# A shell starts background jobs with SIGINT ignored; a terminal does not.
env --default-signal=INT "$nt" -o "$tmp/int.jsonl" -- stress-ng --fstat 2 > "$tmp/out" 2> "$tmp/err" &
pid=$!
sleep 2
kill -INT $pid
wait $pid
ok $? "SIGINT ends stress-ng in good order"
grep -q 'interrupted' "$tmp/err"; ok $? "the report says interrupted"
"$nt" report "$tmp/int.jsonl" | grep -q '^ *all '; ok $? "and is whole"
"$nt" -q -- sleep 30 &
pid=$!
sleep 0.7
kill -TERM $pid
wait $pid
is $? 143 "SIGTERM is passed on"

# Nothing stays behind, even after SIGKILL, and the record is readable up to there.
"$nt" -i 100ms -q -o "$tmp/kill.jsonl" -- sleep 5.37 &
pid=$!
sleep 1
kill -KILL $pid
wait $pid 2> /dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(programs)" = 0 ] && break
	sleep 0.2
done
is "$(programs)" 0 "no program is left behind after SIGKILL"
"$nt" report "$tmp/kill.jsonl" > "$tmp/out"; ok $? "the record of a killed run is readable"
grep -q 'ended early' "$tmp/out"; ok $? "and says that it ended early"
pkill -f "^sleep 5.37$"

# Records are not lost.
is "$(status_of "$nt" -q -o "$tmp/kill.jsonl" -- true)" 125 "an existing record needs --force"
is "$(status_of "$nt" -q --force -o "$tmp/kill.jsonl" -- true)" 0 "and --force replaces it"

# Without privileges.
chmod 755 "$tmp"
cp "$nt" "$tmp/numatrace"
is "$(status_of as_user "$tmp/numatrace" -- true)" 125 "without capabilities: 125"
one_line CAP_BPF CAP_PERFMON no-bpf; ok $? "one line: the capabilities and --no-bpf"
is "$(status_of as_user "$tmp/numatrace" --no-bpf -- sleep 1.2)" 0 "--no-bpf works unprivileged"
grep -q '%usr' "$tmp/stderr"; ok $? "and has the node table"
is "$(status_of "$nt" -q --user nobody -- sh -c 'test "$(id -un)" = nobody')" 0 "--user runs the command as that user"

# Features: what is tried is undone, and the answer is JSON whoever asks.
json() {	# PYTHON EXPRESSION over f, {name: row}
	python3 -c "import json, sys
f = {r['name']: r for r in json.load(open(sys.argv[1]))['features']}
sys.exit(not ($1))" "$tmp/stdout"
}
is "$(status_of "$nt" features)" 0 "features: the main job can run"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(programs)" = 0 ] && break
	sleep 0.2
done
is "$(programs)" 0 "features: nothing stays loaded"
status_of "$nt" features --format json > /dev/null
json "f['migrations']['on'] and f['cputime']['on'] and f['domains']['on'] and len(f) >= 13"
ok $? "features: JSON has every question"
json "all(r['on'] or r['why'] for r in f.values())"; ok $? "features: what is off has a reason"
is "$(NUMATRACE_DENY=tracepoint status_of "$nt" features)" 1 \
	"features: without tracepoints no main job, so 1"
is "$(NUMATRACE_DENY=fexit,kprobe status_of "$nt" features --format json)" 0 \
	"features: without function hooks the main job runs"
json "not f['balance']['on'] and 'NUMATRACE_DENY' in f['balance']['why'] and f['balance']['hint']"
ok $? "features: a denied way is named"
is "$(NUMATRACE_DENY='attach domains' status_of "$nt" features --format json)" 0 \
	"features: a program that does not attach costs its feature only"
json "not f['domains']['on'] and 'attach' in f['domains']['why'] and f['fork']['on']"
ok $? "features: and says so"
is "$(NUMATRACE_DENY=btf status_of "$nt" features --format json)" 1 "features: without BTF 1"
json "'BTF' in f['migrations']['why'] and f['system']['on']"; ok $? "features: it says so"
is "$(NUMATRACE_DENY=probe_read status_of "$nt" -q -- true)" 0 "a run without probe_read works"
is "$(status_of as_user "$tmp/numatrace" features --format json)" 1 "features: unprivileged 1"
json "'CAP_BPF' in f['migrations']['why'] and f['migrations']['hint']"
ok $? "features: unprivileged names the capability"
is "$(NUMATRACE_ROOT=tests/fixtures/hotplug-0 status_of "$nt" features)" 1 \
	"features: in a fixture root no programs"
is "$(NUMATRACE_DENY=btf status_of "$nt" -- true)" 125 "no BTF: 125"
one_line BTF no-bpf; ok $? "one line: BTF and --no-bpf"

# Fixture roots: successive samples of two trees, to the digit.
if [ -d tests/fixtures/run-2node.0 ]; then
	NUMATRACE_ROOT=tests/fixtures/run-2node.0:tests/fixtures/run-2node.1 \
		"$nt" -o "$tmp/fix.jsonl" -q -- sleep 0.1
	is "$(value "$tmp/fix.jsonl" mpstat.node.0.usr%)" "$(cat tests/fixtures/run-2node.expect)" \
		"a pair of /proc/stat files gives the figures worked out by hand"
fi

finish
