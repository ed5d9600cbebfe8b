/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who moved a task, from which node to which? The cause is decided from the state of the
 * task, its run queue and the CPU where the event fires, by tracepoints alone, so it needs
 * no function hooks. docs/METRICS.md has the rule of each cause.
 */
#ifndef NT_MIGRATE_BPF_H
#define NT_MIGRATE_BPF_H

#include "maps.bpf.h"
#include "cputime.bpf.h"

/*
 * May the task no longer be on this CPU? Then it moves for its affinity: neither the
 * balancer nor exec touches such a task. migration_cpu_stop() clears migration_pending
 * before it moves the task (5.11 .. 7.3), so that field does not tell.
 */
static __always_inline bool barred_from(struct task_struct *p, __u32 cpu)
{
	unsigned long word = 0;

	if (!can_probe_read)
		return true;	/* what is left when every other cause was ruled out */
	bpf_probe_read_kernel(&word, sizeof(word),
			      (void *)__builtin_preserve_access_index(&p->cpus_mask) +
			      (cpu / 64) * sizeof(word));
	return !(word >> (cpu % 64) & 1);
}

/*
 * Is this the move that NUMA balancing announced? It announces attempts: one that failed stays
 * announced, and the task may then be moved by anybody. So it must go where it was to go, and
 * a stopper must move it. The second task of a swap is moved by the other CPU's stopper,
 * which is no softirq and, unlike a CPU that pulls as it goes idle, a running task.
 */
static __always_inline bool numa_moves(struct task_struct *p, struct cpu_state *here,
				       struct cpu_state *src, __u32 to, bool stopper)
{
	if (src->numa_task != (__u64)p || src->numa_dst != to)
		return false;
	return stopper || (here->softirq_task != bpf_get_current_task() &&
			   current_is_running_task());
}

/* The stopper thread moves the task: somebody asked for it in so many words. */
static __always_inline int stopper_cause(struct task_struct *p, struct rq *rq,
					 struct cpu_state *src, __u32 from, __u32 to)
{
	if (src->going_down)
		return NT_CAUSE_HOTPLUG;
	if (task_in_execve(p))
		return NT_CAUSE_EXEC;
	/* Set by the balancer before the stopper runs, cleared after the task moved. */
	if (rq->active_balance && rq->push_cpu == (int)to)
		return NT_CAUSE_ACTIVE;
	if (barred_from(p, from))
		return NT_CAUSE_AFFINITY;
	return p->prio < MAX_RT_PRIO ? NT_CAUSE_RT : NT_CAUSE_UNKNOWN;
}

/* A queued task is moved: by a balancer, by sched_setaffinity's caller, or pushed for RT. */
static __always_inline int queued_cause(struct task_struct *p, struct cpu_state *here,
					__u32 from, __u32 to)
{
	__u32 cpu = bpf_get_smp_processor_id();
	bool softirq = here->softirq_task == bpf_get_current_task();

	if (p->prio < MAX_RT_PRIO)
		return current_is_running_task() && !softirq && can_probe_read &&
		       barred_from(p, from) ? NT_CAUSE_AFFINITY : NT_CAUSE_RT;
	if (softirq) {
		if (here->lb_on)
			return here->lb_cpu == cpu ? NT_CAUSE_PERIODIC : NT_CAUSE_NOHZ;
		return to == cpu ? NT_CAUSE_PERIODIC : NT_CAUSE_NOHZ;
	}
	/* A CPU going idle has taken its task off the queue; a system call's caller has not. */
	if (current_is_running_task())
		return barred_from(p, from) ? NT_CAUSE_AFFINITY : NT_CAUSE_UNKNOWN;
	return to == cpu || here->lb_on ? NT_CAUSE_NEWIDLE : NT_CAUSE_UNKNOWN;
}

static __always_inline int migration_cause(struct task_struct *p, struct rq *rq,
					   struct cpu_state *here, __u32 from, __u32 to)
{
	__u32 state = task_state(p), on_rq = task_on_rq(p);
	struct cpu_state *src = cpu_state(from);
	bool stopper;

	if (!on_rq && (state & TASK_WAKING))
		return NT_CAUSE_WAKEUP;
	if (!src)
		return NT_CAUSE_UNKNOWN;
	stopper = (__u64)rq->stop == bpf_get_current_task();
	if (numa_moves(p, here, src, to, stopper)) {
		src->numa_task = 0;
		return src->numa_cause;
	}
	if (stopper)
		return stopper_cause(p, rq, src, from, to);
	if (on_rq == ON_RQ_MIGRATING)
		return queued_cause(p, here, from, to);
	/* A throttled deadline task is moved off a dead CPU by its timer. */
	return p->prio < MAX_RT_PRIO ? NT_CAUSE_RT : NT_CAUSE_UNKNOWN;
}

static __always_inline void count_cell(__u32 scope, __u32 cause, struct nt_cpu_place *from,
				       struct nt_cpu_place *to)
{
	__u32 i = ((scope * NT_NCAUSE + cause) * nr_nodes + from->node) * nr_nodes + to->node;
	struct nt_mig_count *c = bpf_map_lookup_elem(&migrations, &i);

	if (c)
		__sync_fetch_and_add(from->llc == to->llc ? &c->same_llc : &c->other_llc, 1);
}

static __always_inline void balance_crossed(struct cpu_state *here);

SEC("?tp_btf/sched_migrate_task")
int BPF_PROG(on_migrate, struct task_struct *p, int dest_cpu)
{
	struct cpu_state *here = cpu_state(bpf_get_smp_processor_id());
	__u32 from = task_cpu(p), to = dest_cpu;
	struct nt_cpu_place *a, *b;
	struct rq *rq;
	bool workload;
	__u32 cause;

	/* set_task_cpu() announces moves to the same CPU as well: they are none. */
	if (from == to || !here)
		return 0;
	rq = p->se.cfs_rq->rq;	/* here, where all ways still are one: see kernel_member() */
	workload = charge_move(p, from);
	a = cpu_place(from);
	b = cpu_place(to);
	if (!a || !b)
		return 0;
	/*
	 * Through memory: of a number that it knows the verifier tries what follows anew for each
	 * cause, which is half of all that it did for this program.
	 */
	*(volatile __u32 *)&here->cause = migration_cause(p, rq, here, from, to);
	cause = *(volatile __u32 *)&here->cause;
	count_cell(NT_SYSTEM, cause, a, b);
	if (workload)
		count_cell(NT_WORKLOAD, cause, a, b);
	if (a->node != b->node && here->lb_on &&
	    (cause == NT_CAUSE_PERIODIC || cause == NT_CAUSE_NEWIDLE || cause == NT_CAUSE_NOHZ))
		balance_crossed(here);
	return 0;
}

SEC("?tp_btf/softirq_entry")
int BPF_PROG(on_softirq_entry, unsigned int vec)
{
	struct cpu_state *here;

	if (vec != SCHED_SOFTIRQ)
		return 0;
	here = cpu_state(bpf_get_smp_processor_id());
	if (here)
		here->softirq_task = bpf_get_current_task();
	return 0;
}

SEC("?tp_btf/softirq_exit")
int BPF_PROG(on_softirq_exit, unsigned int vec)
{
	struct cpu_state *here;

	if (vec != SCHED_SOFTIRQ)
		return 0;
	here = cpu_state(bpf_get_smp_processor_id());
	if (here)
		here->softirq_task = 0;
	return 0;
}

static __always_inline void expect_numa(__u32 cpu, struct task_struct *p, __u32 dst, __u32 cause)
{
	struct cpu_state *s = cpu_state(cpu);

	if (!s)
		return;
	s->numa_dst = dst;
	s->numa_cause = cause;
	s->numa_task = (__u64)p;
}

/* Both announce an attempt, on the task's own CPU, before the stopper runs. */
SEC("?tp_btf/sched_move_numa")
int BPF_PROG(on_move_numa, struct task_struct *p, int src_cpu, int dst_cpu)
{
	expect_numa(src_cpu, p, dst_cpu, NT_CAUSE_NUMA_MOVE);
	return 0;
}

SEC("?tp_btf/sched_swap_numa")
int BPF_PROG(on_swap_numa, struct task_struct *a, int a_cpu, struct task_struct *b, int b_cpu)
{
	expect_numa(a_cpu, a, b_cpu, NT_CAUSE_NUMA_SWAP);
	expect_numa(b_cpu, b, a_cpu, NT_CAUSE_NUMA_SWAP);
	return 0;
}

/* The states of hotplug count down when a CPU goes; the first step down clears it as active. */
SEC("?tp_btf/cpuhp_enter")
int BPF_PROG(on_cpuhp, unsigned int cpu, int target, int step)
{
	struct cpu_state *s = cpu_state(cpu);

	if (s)
		s->going_down = target < step;
	return 0;
}

#endif
