# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the guest scripts share.

# Measure a command in a cgroup of its own, and keep the cgroup's CPU time by CPU.
in_cgroup() {	# NAME COMMAND...
	cg=/sys/fs/cgroup/cpuacct/$1
	name=$1
	shift
	mkdir "$cg"
	# shellcheck disable=SC2016 # for the inner shell
	numatrace -q -o "/out/$name.jsonl" -- \
		sh -c 'echo $$ > "$0/tasks"; cat "/proc/$$/schedstat" > "/out/$1.before"; shift
			exec "$@"' "$cg" "$name" "$@" > "/out/$name.log" 2>&1
	echo $? > "/out/$name.status"
	cat "$cg/cpuacct.usage_percpu" > "/out/$name.percpu"
}

# The metrics of every record left so far, as the report gives them.
metrics() {
	for record in /out/*.jsonl; do
		numatrace report --format json "$record" > "${record%.jsonl}.json"
	done
}
