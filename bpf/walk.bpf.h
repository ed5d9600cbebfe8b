/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk over the run queues of all CPUs on line: a task iterator meets the kernel threads bound
 * to each of them (ksoftirqd/N), and their run queue is the CPU's. It needs no symbol of a
 * kernel variable, no function hook, and sees idle CPUs too.
 */
#ifndef NT_WALK_BPF_H
#define NT_WALK_BPF_H

#include "maps.bpf.h"

__u32 cpu_walk = 0;			/* user space counts its walks here */

/* The run queue that this task leads to; NULL: to none, or it was here in this walk. */
static __always_inline struct rq *next_cpu(struct task_struct *p)
{
	struct cpu_state *s;
	struct rq *rq;

	if (!p || !(p->flags & PF_KTHREAD) || p->nr_cpus_allowed != 1)
		return NULL;
	rq = p->se.cfs_rq->rq;
	/* The threads of a CPU that went off line stay, parked on it. */
	if (!rq->online)
		return NULL;
	s = cpu_state(rq->cpu);
	if (!s || s->walk_seen == cpu_walk)
		return NULL;
	s->walk_seen = cpu_walk;
	return rq;
}

#endif
