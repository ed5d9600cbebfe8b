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

static __always_inline int balance_enter(__u32 cpu, struct sched_domain *sd, __u32 idle)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());

	if (!here)
		return 0;
	here->lb_level = sd->level;
	here->lb_idle = idle_type(idle);
	here->lb_cpu = cpu;
	here->lb_found = 0;
	here->lb_start = bpf_ktime_get_ns();
	here->lb_on = 1;
	return 0;
}

static __always_inline int balance_leave(bool refused, int moved)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());
	struct nt_balance_count *c;

	if (!here || !here->lb_on)	/* attached between entry and exit */
		return 0;
	here->lb_on = 0;
	c = balance_slot(here);
	if (!c)
		return 0;
	c->calls++;
	c->ns += bpf_ktime_get_ns() - here->lb_start;
	if (moved > 0)
		c->moved += moved;
	else if (refused)
		c->refused++;
	else if (here->lb_found)
		c->failed++;
	else
		c->nothing++;
	return 0;
}

SEC("?fentry/load_balance")
int BPF_PROG(balance_entry, int cpu, struct rq *rq, struct sched_domain *sd, int idle)
{
	return balance_enter(cpu, sd, idle);
}

/* *again == 0 at the end: should_we_balance() said no. */
SEC("?fexit/load_balance")
int BPF_PROG(balance_exit, int cpu, struct rq *rq, struct sched_domain *sd, int idle, int *again,
	     int moved)
{
	int go_on = 1;

	bpf_probe_read_kernel(&go_on, sizeof(go_on), again);
	return balance_leave(!go_on, moved);
}

SEC("?fexit/find_busiest_group")
int BPF_PROG(busiest_group, struct lb_env *env, struct sched_group *group)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());

	if (here && group)
		here->lb_found = 1;
	return 0;
}

#endif
