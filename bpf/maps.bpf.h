/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps and what the programs share. Sizes of 1 are placeholders: user space sets them from
 * the machine before loading. Arrays that user space reads at each sample are mapped into
 * it, so reading them takes no system call.
 */
#ifndef NT_MAPS_BPF_H
#define NT_MAPS_BPF_H

#include "compat.bpf.h"

const volatile __u32 nr_nodes = 1;	/* size of the matrices */

struct nt_census census;
__u32 adopting = NT_ADOPT_NOTHING;	/* enum nt_adopt, set by user space */

/*
 * What is going on on one CPU; written on that CPU, but for the numa_* of a swap. So wide that
 * no two CPUs write to one cache line, wherever in a line the first of the array begins.
 */
struct cpu_state {
	__u64 softirq_task;	/* the task under which SCHED_SOFTIRQ runs, 0 none */
	__u64 numa_task;	/* task that NUMA balancing last chose to move from here */
	__u32 numa_dst;
	__u32 numa_cause;
	__u32 going_down;	/* the CPU is on its way to offline */
	__u32 cause;		/* of the move at hand */
	__u32 lb_on;		/* inside load_balance() */
	__u32 lb_level;
	__u32 lb_idle;
	__u32 lb_cpu;		/* for which CPU */
	__u32 lb_asked;		/* a busier group was looked for */
	__u32 lb_found;		/* and found */
	__u64 lb_start;
	__u64 lb_again;		/* kprobes: load_balance()'s int *, which only its entry has */
	__u64 place_group;	/* kprobes: arguments of select_task_rq_fair(), ditto */
	__u32 place_prev;
	__u32 place_flags;
	__u32 place_on;		/* inside it */
	__u32 walk_seen;	/* the last walk over the CPUs that came by here */
} __attribute__((aligned(128)));

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* CPUs */
	__type(key, __u32);
	__type(value, struct cpu_state);
} cpu_states SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);		/* CPUs */
	__type(key, __u32);
	__type(value, struct nt_cpu_place);
} cpu_places SEC(".maps");

struct group {
	__u64 live;		/* threads not yet freed */
	__u64 taken_over;	/* it ran before: only threads in moved_tasks are counted ones */
};

/* The workload's thread groups: their signal_struct, unique while any thread is left. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct group);
} groups SEC(".maps");

/* The processes to take over: PIDs as numatrace sees them. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, NT_MAX_PIDS);
	__type(key, __u32);
	__type(value, __u32);
} wanted SEC(".maps");

/*
 * Threads that moved: their counters at the last move. Keyed by task_struct address. Of groups
 * taken over: all threads, from their first reading.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct nt_cpu_time);
} moved_tasks SEC(".maps");

/* Migrations: [scope][cause][from][to]. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nt_mig_count);
} migrations SEC(".maps");

/* Fork placement: [scope][from][to]. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} forks SEC(".maps");

/* CPU time of the workload, by CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nt_cpu_time);
} cpu_times SEC(".maps");

static __always_inline struct cpu_state *cpu_state(__u32 cpu)
{
	return bpf_map_lookup_elem(&cpu_states, &cpu);
}

/* Is the thread group of that signal_struct of the workload? */
static __always_inline struct group *workload_signal(__u64 key)
{
	return bpf_map_lookup_elem(&groups, &key);
}

static __always_inline struct group *workload_group(struct task_struct *p)
{
	return workload_signal(task_group(p));
}

static __always_inline struct nt_cpu_place *cpu_place(__u32 cpu)
{
	struct nt_cpu_place *pl = bpf_map_lookup_elem(&cpu_places, &cpu);

	if (!pl || pl->node >= nr_nodes) {
		__sync_fetch_and_add(&census.bad_cpu, 1);
		return NULL;
	}
	return pl;
}

#endif
