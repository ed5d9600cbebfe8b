#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Under fire: storms of forks, threads and moves, little memory, long runs, containers. What was
# made is counted by build/storm itself. Prints TAP. Needs root.
# shellcheck disable=SC2016
set -u
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
storm=$(dirname "$nt")/storm
forks='for (1 .. 500) { my $p = fork; exit if !$p; waitpid $p, 0 }'

lost() {	# RECORD FIELD
	sed -n "s/.*\"lost\":{[^}]*\"$2\":\\([0-9]*\\).*/\\1/p" "$1"
}

# The time that a cgroup of the same processes counted, where there is a v1 cpuacct.
cg=$tmp/cg
mkdir "$cg"
mount -t cgroup -o cpuacct none "$cg" 2> /dev/null && mkdir "$cg/w" || cg=
in_cgroup() {	# NAME COMMAND...: how many were made; the cgroup's time in $tmp/NAME.ns
	local name=$1 before=0
	shift
	[ -z "$cg" ] || before=$(cat "$cg/w/cpuacct.usage")
	"$nt" -q -o "$tmp/$name.jsonl" -- \
		sh -c '[ -z "$0" ] || echo $$ > "$0/w/tasks"; exec "$@"' "$cg" "$@" 2> "$tmp/err"
	[ -z "$cg" ] || echo $(($(cat "$cg/w/cpuacct.usage") - before)) > "$tmp/$name.ns"
}

ticks() {	# RECORD: of all nodes, in the whole run
	tail -n 1 "$1" | grep -o '"ticks":{[^}]*}' |
		grep -oE '"(usr|nice|sys|idle|iowait|irq|soft|steal)":[0-9]+' |
		awk -F: '{ sum += $2 } END { print sum }'
}

check_storm() {	# NAME MADE WANTED WHAT: the census is exact, and so is the time
	local record=$tmp/$1.jsonl unfinished
	is "$2" "$3" "$4 are made"
	is "$(for f in groups_full tasks_full bad_cpu; do lost "$record" $f; done)" "" "$4: 0 lost"
	# Some kernels do not announce the end of every task, see test_live.sh.
	unfinished=$(lost "$record" unfinished)
	[ "${unfinished:-0}" -le $(($3 / 100)) ]
	ok $? "$4: each was seen to end, but for ${unfinished:-0}"
	[ "$(ticks "$record")" -le "$(awk -v cpus="$(getconf _NPROCESSORS_ONLN)" '
		{ print int(1.01 * 100 * cpus * $1 + 20) }' <<< "$(value "$record" time.elapsed_time)")" ]
	ok $? "$4: what the machine did ends with the command, not with the wait for its tasks"
	if [ -s "$tmp/$1.ns" ]; then
		within "$(value "$record" workload.cpu_seconds)" \
			"$(awk '{ print $1 / 1e9 }' "$tmp/$1.ns")" 1 \
			"$4: CPU seconds against the cgroup"
	else
		skip "$4: CPU seconds against the cgroup" "no v1 cpuacct controller here"
	fi
}

# 600 samples of a long run beside everything else; memory is looked at below.
"$nt" -q -i 10ms -o "$tmp/long.jsonl" -- sleep 300 &
long=$!
rss() {	# when it has taken as many samples
	while [ "$(wc -l < "$tmp/long.jsonl")" -lt "$1" ]; do sleep 0.05; done
	awk '/^VmRSS/ { print $2 }' "/proc/$long/status"
}
wait_for_samples "$tmp/long.jsonl"
early=$(rss 150)

# The command, its two parents and their children. Threads are not placed as forks are counted:
# fork.total has processes and threads.
made=$(in_cgroup processes "$storm" processes 100000)
check_storm processes "$made" 100000 "100,000 processes"
is "$(value "$tmp/processes.jsonl" fork.total)" 100002 "100,000 processes: each is counted"
made=$(in_cgroup threads "$storm" threads 200000)
check_storm threads "$made" 200000 "200,000 threads"
is "$(value "$tmp/threads.jsonl" fork.total)" 200002 "200,000 threads: each is counted"

# We know how many moves were made, not by whom: between the change of a running task's mask and
# the stopper's move a balancer may take the task to where it is to go. Nobody wakes or executes
# these tasks; what does is the command's beginning. Two tasks pin themselves first.
counted() {	# RECORD MADE WHAT
	local got affinity balanced=0 cause
	got=$(($(value "$1" migrations.total) - $(value "$1" migrations.wakeup) -
		$(value "$1" migrations.exec)))
	affinity=$(value "$1" migrations.affinity)
	# A balancer may take a moving task first, and it may move those that wait, who are bound to
	# no CPU: what is neither must have been made.
	for cause in periodic newidle nohz active; do
		cause=$(value "$1" migrations.$cause)
		balanced=$((balanced + ${cause:-0}))
	done
	[ "$got" -ge "$2" ] && [ $((got - balanced)) -le $(($2 + 2)) ]
	ok $? "$3 ($got)"
	[ "${affinity:-0}" -ge $(($2 * 99 / 100)) ]; ok $? "and $affinity of them are by affinity"
}
if [ "$(nproc)" -ge 2 ]; then
	in_cgroup moves "$storm" moves 200000 > /dev/null
	counted "$tmp/moves.jsonl" 200000 "200,000 moves: as many are counted as were made"
	value "$tmp/moves.jsonl" time.elapsed_time |
		awk '{ printf "# %d moves a second\n", 200000 / $1 }'
	is "$(lost "$tmp/moves.jsonl" tasks_full)" "" "200,000 moves: none is charged late"
else
	skip "200,000 moves are counted" "one CPU"
fi
late=$(rss 600)
kill $long
wait $long 2> /dev/null
[ "$late" -le $((early + 512)) ]
ok $? "a long run's memory is flat: $early kB after 150 samples, $late kB after 600"

# 32 MiB for numatrace, its programs and the command.
mem=$tmp/mem
mkdir "$mem"
if mount -t cgroup -o memory none "$mem" 2> /dev/null && mkdir "$mem/w"; then
	echo 32M > "$mem/w/memory.limit_in_bytes"
	is "$(status_of sh -c 'echo $$ > "$1/w/tasks"; exec "$0" -q -o "$2" -- perl -e "$3"' \
		"$nt" "$mem" "$tmp/mem.jsonl" "$forks")" 0 "a memory cgroup of 32 MiB is enough"
	is "$(value "$tmp/mem.jsonl" fork.total)" 500 "and all is counted"
	echo "# at most $(cat "$mem/w/memory.max_usage_in_bytes") bytes"
	rmdir "$mem/w"
else
	skip "a memory cgroup of 32 MiB" "no v1 memory controller here"
fi
mountpoint -q "$mem" && umount "$mem"

# A container: other PIDs inside, its own mounts and hosts' name. All of it is followed.
made=$(in_cgroup container unshare -pfmiu --mount-proc "$storm" processes 5000)
check_storm container "$made" 5000 "5,000 processes in a container"
is "$(value "$tmp/container.jsonl" fork.total)" 5003 \
	"and the one that unshare forks, with the parents"
if [ "$(nproc)" -ge 2 ]; then
	in_cgroup hops unshare -pfmiu --mount-proc "$storm" moves 10000 > /dev/null
	counted "$tmp/hops.jsonl" 10000 "moves in a container: all are counted"
fi

# A short command 50 times over: nothing divides by its duration, nobody is left hanging.
for _ in $(seq 50); do
	"$nt" -- true 2> "$tmp/err" || echo failed
	grep -E '(^|[^a-z])-?(nan|inf)' "$tmp/err"
done > "$tmp/out"
[ ! -s "$tmp/out" ]; ok $? "true 50 times over: each has a report of numbers"
is "$(NUMATRACE_DENY=tracepoint status_of "$nt" -- sleep 4711.5)" 125 "where nothing attaches"
! grep -lsz '^4711.5$' /proc/[0-9]*/cmdline > /dev/null; ok $? "the held command does not stay"
rmdir "${cg:-$tmp}/w" 2> /dev/null
[ -z "$cg" ] || umount "$cg"

finish
