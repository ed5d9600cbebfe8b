/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did load balancing do, per domain level and idle type? load_balance() does not nest
 * on a CPU (a newidle pass runs with interrupts off, the others in the softirq), so one slot
 * per CPU joins entry, events inside and exit. The name is that of the kernel before 6.10;
 * user space sets the function that this kernel has.
 */
#ifndef NT_BALANCE_BPF_H
#define NT_BALANCE_BPF_H

#include "maps.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nt_balance_counts);
} balance SEC(".maps");

static __always_inline struct nt_balance_count *balance_slot(struct cpu_state *here)
{
	__u32 zero = 0, level = here->lb_level, idle = here->lb_idle;
	struct nt_balance_counts *b = bpf_map_lookup_elem(&balance, &zero);

	if (!b || level >= NT_MAX_LEVELS || idle >= NT_NIDLE)
		return NULL;
	return &b->n[level][idle];
}

static __always_inline void balance_crossed(struct cpu_state *here)
{
	struct nt_balance_count *c = balance_slot(here);

	if (c)
		c->moved_cross++;
}

static __always_inline int balance_enter(__u32 cpu, __u32 level, __u32 idle, int *again)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());

	if (!here)
		return 0;
	here->lb_level = level;
	here->lb_idle = idle_type(idle);
	here->lb_cpu = cpu;
	here->lb_asked = 0;
	here->lb_found = 0;
	here->lb_again = (__u64)again;
	here->lb_start = bpf_ktime_get_ns();
	here->lb_on = 1;
	return 0;
}

/* What became of a call. One that found a group and moved nothing has failed, however it ended. */
static __always_inline void balance_outcome(struct cpu_state *here, struct nt_balance_count *c,
					    bool refused, int moved)
{
	if (moved > 0)
		c->moved += moved;
	else if (here->lb_found)
		c->failed++;
	else if (refused)
		c->refused++;
	else
		c->nothing++;
}

static __always_inline int balance_leave(struct cpu_state *here, bool refused, int moved)
{
	struct nt_balance_count *c;

	here->lb_on = 0;
	c = balance_slot(here);
	if (!c)
		return 0;
	c->calls++;
	c->ns += bpf_ktime_get_ns() - here->lb_start;
	balance_outcome(here, c, refused, moved);
	return 0;
}

/* The state of a call that began after the programs were attached; NULL for one before. */
static __always_inline struct cpu_state *balance_inside(void)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());

	return here && here->lb_on ? here : NULL;
}

/* *again == 0 at the end: should_we_balance() said no. */
static __always_inline bool said_no(const int *again)
{
	int go_on = 1;

	bpf_probe_read_kernel(&go_on, sizeof(go_on), again);
	return !go_on;
}

static __always_inline int group_chosen(const struct sched_group *group)
{
	struct cpu_state *here = balance_inside();

	if (!here)
		return 0;
	here->lb_asked = 1;
	if (group)
		here->lb_found = 1;
	return 0;
}

SEC("?fentry/load_balance")
int BPF_PROG(balance_entry, int cpu, struct rq *rq, struct sched_domain *sd, int idle)
{
	return balance_enter(cpu, sd->level, idle, NULL);
}

SEC("?fexit/load_balance")
int BPF_PROG(balance_exit, int cpu, struct rq *rq, struct sched_domain *sd, int idle, int *again,
	     int moved)
{
	struct cpu_state *here = balance_inside();

	return here ? balance_leave(here, said_no(again), moved) : 0;
}

/*
 * Before 5.17 (is_int_ptr() in btf.c) the verifier refuses to read an int * argument. There,
 * should_we_balance() alone stands between the entry and find_busiest_group() (5.10 .. 5.16),
 * so a call that did not look for a group was refused. Newer kernels have other exits
 * between the two (6.18.44: another CPU is balancing this level).
 */
SEC("?fexit/load_balance")
int BPF_PROG(balance_exit_old, int cpu, struct rq *rq, struct sched_domain *sd, int idle,
	     int *again, int moved)
{
	struct cpu_state *here = balance_inside();

	return here ? balance_leave(here, !here->lb_asked, moved) : 0;
}

SEC("?fexit/find_busiest_group")
int BPF_PROG(busiest_group, struct lb_env *env, struct sched_group *group)
{
	return group_chosen(group);
}

/*
 * The same by kprobes. At most one call runs on a CPU, so none is missed for want of a
 * kretprobe instance (there are at least as many as CPUs).
 */
SEC("?kprobe")
int BPF_KPROBE(balance_kentry, int cpu, struct rq *rq, struct sched_domain *sd, int idle,
	       int *again)
{
	return balance_enter(cpu, BPF_CORE_READ(sd, level), idle, again);
}

SEC("?kretprobe")
int BPF_KRETPROBE(balance_kexit, int moved)
{
	struct cpu_state *here = balance_inside();

	return here ? balance_leave(here, said_no((int *)here->lb_again), moved) : 0;
}

SEC("?kretprobe")
int BPF_KRETPROBE(busiest_group_kexit, struct sched_group *group)
{
	return group_chosen(group);
}

#endif
