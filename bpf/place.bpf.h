/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where are tasks put when they wake, fork and exec? The answer of select_task_rq_fair(),
 * and for new tasks the place where they first ran (no migration event tells that).
 */
#ifndef NT_PLACE_BPF_H
#define NT_PLACE_BPF_H

#include "maps.bpf.h"

/* Third argument of select_task_rq_fair(), 5.10 .. 7.3: the same bits in sd_flag and WF_*. */
#define WAKE_EXEC	0x2
#define WAKE_FORK	0x4
#define WAKE_TTWU	0x8

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nt_placements);
} placements SEC(".maps");

static __always_inline int place_of(struct nt_cpu_place *a, struct nt_cpu_place *b)
{
	if (a->node != b->node)
		return NT_PLACE_REMOTE;
	return a->llc == b->llc ? NT_PLACE_LLC : NT_PLACE_NODE;
}

/*
 * Whose is the move? A newborn is its maker's: it joins the workload when it is woken. At every
 * wakeup, so the pointer is loaded as it is and its millisecond at the start is paid.
 */
static __always_inline __u64 group_placed(struct task_struct *p, int flags)
{
	return flags & WAKE_FORK ? makers_group(p) : (__u64)p->signal;
}

static __always_inline int placed(__u64 group, int prev, int flags, int cpu)
{
	struct nt_cpu_place *a = cpu_place(prev), *b = cpu_place(cpu);
	struct nt_placements *c;
	__u32 zero = 0, type, place;

	if (!a || !b)
		return 0;
	if (flags & WAKE_FORK)
		type = NT_WAKE_FORK;
	else if (flags & WAKE_EXEC)
		type = NT_WAKE_EXEC;
	else if (flags & WAKE_TTWU)
		type = NT_WAKE_WAKEUP;
	else
		return 0;
	c = bpf_map_lookup_elem(&placements, &zero);
	if (!c)
		return 0;
	place = prev == cpu ? NT_PLACE_KEPT : place_of(a, b);
	c->n[NT_SYSTEM][type][place]++;
	if (workload_signal(group))
		c->n[NT_WORKLOAD][type][place]++;
	return 0;
}

/* 5.11 (3aef1551e942) merged sd_flag and wake_flags into one argument. */
SEC("?fexit/select_task_rq_fair")
int BPF_PROG(select_rq_3, struct task_struct *p, int prev, int flags, int cpu)
{
	return placed(group_placed(p, flags), prev, flags, cpu);
}

SEC("?fexit/select_task_rq_fair")
int BPF_PROG(select_rq_4, struct task_struct *p, int prev, int sd_flag, int wake_flags, int cpu)
{
	return placed(group_placed(p, sd_flag), prev, sd_flag, cpu);
}

/*
 * A kretprobe has no arguments, so the entry keeps them for its CPU. All callers of
 * select_task_rq() (wakeup, fork, exec) hold the task's pi_lock, a raw spinlock, with
 * interrupts off from before the call until after it, on PREEMPT_RT as well: nothing else on
 * this CPU gets in between, and the task does not leave it.
 */
SEC("?kprobe")
int BPF_KPROBE(select_rq_kentry, struct task_struct *p, int prev, int flags)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());

	if (!here)
		return 0;
	here->place_group = flags & WAKE_FORK ? current_group() :
			    (__u64)BPF_CORE_READ(p, signal);
	here->place_prev = prev;
	here->place_flags = flags;
	here->place_on = 1;
	return 0;
}

SEC("?kretprobe")
int BPF_KRETPROBE(select_rq_kexit, int cpu)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());

	if (!here || !here->place_on)
		return 0;
	here->place_on = 0;
	return placed(here->place_group, here->place_prev, here->place_flags, cpu);
}

static __always_inline void count_fork(__u32 scope, struct nt_cpu_place *from,
				       struct nt_cpu_place *to)
{
	__u32 i = (scope * nr_nodes + from->node) * nr_nodes + to->node;
	__u64 *n = bpf_map_lookup_elem(&forks, &i);

	if (n)
		__sync_fetch_and_add(n, 1);
}

/* The parent's CPU runs this; the child is on its first CPU already. */
SEC("?tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
	struct nt_cpu_place *a = cpu_place(bpf_get_smp_processor_id());
	struct nt_cpu_place *b = cpu_place(task_cpu(p));

	if (!a || !b)
		return 0;
	count_fork(NT_SYSTEM, a, b);
	if (workload_signal(makers_group(p)))
		count_fork(NT_WORKLOAD, a, b);
	return 0;
}

#endif
