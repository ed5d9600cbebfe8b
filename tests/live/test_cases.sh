#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What other tools were seen to get wrong: rows of a machine of one node, mounts that are missing,
# privileges that are, the idle task. Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")

# On a machine of one node, its row and that of all are one and the same. CPUs differ in everything,
# so that sums of shares taken apart would not.
one_node() {	# DIR TICKS-OF-CPU0 ... CPU3
	local dir=$1 cpu=0 row
	shift
	python3 "$here/../fixtures/make-machine" 1 4 2 1 6.1.0 "$dir"
	{
		echo "cpu  1 1 1 1 1 1 1 1 1 1"
		for row; do
			echo "cpu$cpu $row"
			cpu=$((cpu + 1))
		done
		echo "ctxt 1"
	} > "$dir/proc/stat"
}
same_rows() {	# RECORD WHAT
	local column all node bad=
	for column in usr nice sys iowait irq soft steal guest gnice idle; do
		all=$(value "$1" "mpstat.node.all.$column%") node=$(value "$1" "mpstat.node.0.$column%")
		[ -n "$all" ] && [ "$all" = "$node" ] || bad="$bad $column: $all, $node"
	done
	is "$bad" "" "$2: node 0 and all have the same shares"
	"$nt" report "$1" | awk '/^CPU time by node/ { on = 1 } on && $1 == "all" { $1 = ""; a = $0 }
		on && $1 == "0" { $1 = ""; n = $0; on = 0 } END { exit !(a != "" && a == n) }'
	ok $? "$2: and so are the rows of the report"
}
one_node "$tmp/one.0" "100 0 50 1000 20 1 2 3 0 0" "200 7 60 2000 5 0 9 0 0 0" \
	"300 0 70 3000 0 0 0 0 0 0" "400 0 80 4000 0 0 0 0 0 0"
one_node "$tmp/one.1" "389 0 113 10598 33 39 27 3 0 0" "488 7 98 11595 18 25 40 0 0 0" \
	"301 0 171 12900 1 0 0 3 0 0" "977 13 80 13423 0 0 0 0 0 0"
NUMATRACE_ROOT=$tmp/one.0:$tmp/one.1 "$nt" -q -o "$tmp/one.jsonl" -- sleep 0.1
same_rows "$tmp/one.jsonl" "one node of four CPUs"
value "$tmp/one.jsonl" mpstat.node.0.irq% |
	awk '{ want = 100 * 63 / 40035; exit !($1 > want - 1e-6 && $1 < want + 1e-6) }'
ok $? "the share of irq is that of the ticks"
if [ "$(cat /sys/devices/system/node/online 2> /dev/null || echo 0)" = 0 ]; then
	"$nt" -q -o "$tmp/here.jsonl" -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
	same_rows "$tmp/here.jsonl" "this machine"
else
	skip "this machine: node 0 and all have the same shares" "it has several nodes"
fi

# No tracefs and no debugfs: the same ways to the same features, and nothing is mounted.
ways() {	# RECORD
	sed -n '1s/.*"features":\({.*\),"topology".*/\1/p' "$1" | tr '{' '\n' | grep -o '"on":true.*"way":"[^"]*"'
}
forks='for (1 .. 20) { my $p = fork; exit if !$p; waitpid $p, 0 }'
"$nt" -q -o "$tmp/mounted.jsonl" -- true
unshare -m sh -c 'grep -E " (tracefs|debugfs) " /proc/mounts | while read -r _ at _; do umount -l "$at"; done
	[ -z "$(grep -E " (tracefs|debugfs) " /proc/mounts)" ] || exit 99
	"$0" -q -o "$1" -- perl -e "$2" || exit
	grep -E " (tracefs|debugfs) " /proc/mounts > "$3"; exit 0' \
	"$nt" "$tmp/bare.jsonl" "$forks" "$tmp/mounts"
is $? 0 "no tracefs, no debugfs: a run"
is "$(value "$tmp/bare.jsonl" fork.total)" 20 "no tracefs, no debugfs: forks are counted"
is "$(ways "$tmp/bare.jsonl" | grep -v kprobe)" "$(ways "$tmp/mounted.jsonl" | grep -v kprobe)" \
	"no tracefs, no debugfs: the same ways as with them"
[ -n "$(ways "$tmp/bare.jsonl")" ]; ok $? "and there are some"
[ -e "$tmp/mounts" ] && [ ! -s "$tmp/mounts" ]; ok $? "no tracefs, no debugfs: none is mounted"

# The capabilities that tracing needs are enough, one of them is not, and each refusal says what
# is missing and starts nothing.
chmod 755 "$tmp"
cp "$nt" "$tmp/numatrace"
with_caps() {	# CAPS COMMAND...
	local caps=$1
	shift
	as_user --inh-caps "$caps" --ambient-caps "$caps" "$@"
}
refused() {	# WHAT WORDS... -- COMMAND...
	local what=$1 words=()
	shift
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	shift
	is "$(status_of "$@" -- sh -c 'echo started')" 125 "$what: 125"
	one_line "${words[@]}"; ok $? "$what: one line names ${words[*]}"
	[ ! -s "$tmp/stdout" ]; ok $? "$what: nothing is started"
}
is "$(with_caps +bpf,+perfmon "$tmp/numatrace" -q -- echo started)" started "CAP_BPF and CAP_PERFMON are enough"
refused "CAP_BPF alone" CAP_PERFMON -- with_caps +bpf "$tmp/numatrace"
grep -q CAP_BPF "$tmp/stderr"; is $? 1 "CAP_BPF alone: it does not ask for what is there"
refused "CAP_PERFMON alone" CAP_BPF -- with_caps +perfmon "$tmp/numatrace"
grep -q CAP_PERFMON "$tmp/stderr"; is $? 1 "CAP_PERFMON alone: it does not ask for what is there"
refused "root without capabilities" CAP_BPF CAP_PERFMON -- \
	setpriv --bounding-set=-all --inh-caps=-all "$nt"
few_files() {
	(ulimit -n 14; "$@")
}
refused "14 files" "Too many open files" "ulimit -n" -- few_files "$nt"
grep -q CAP_ "$tmp/stderr"; is $? 1 "14 files: capabilities are not blamed"

# The idle task neither works nor moves, and is nobody's involuntary switch.
"$nt" -q -o "$tmp/idle.jsonl" -- sleep 2
value "$tmp/idle.jsonl" time.involuntary_context_switches | awk '{ exit !($1 <= 20) }'
ok $? "sleep 2: switches from the idle task are not involuntary ones of the command"
value "$tmp/idle.jsonl" workload.cpu_seconds | awk '{ exit !($1 < 0.1) }'
ok $? "sleep 2: nor is its time the workload's"

finish
