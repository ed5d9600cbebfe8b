/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every CPU has to run at one moment. Nothing is hooked: one pass of an iterator reads all
 * run queues, and where there is a workload it also names the CPUs of its runnable tasks.
 */
#ifndef NT_SNAPSHOT_BPF_H
#define NT_SNAPSHOT_BPF_H

#include "walk.bpf.h"

const volatile bool count_workload = false;	/* else the map of its processes is not there */

/* Since 6.12 a task may sleep and still be queued; then its state is not 0. */
static __always_inline bool is_runnable(struct task_struct *p)
{
	return task_on_rq(p) == 1 && task_state(p) == 0;
}

static __always_inline void write_task(struct seq_file *seq, struct task_struct *p)
{
	struct nt_queue_task rec = { .kind = NT_QUEUE_TASK };

	rec.cpu = task_cpu(p);
	bpf_seq_write(seq, &rec, sizeof(rec));
}

static __always_inline void write_queue(struct seq_file *seq, struct rq *rq)
{
	struct nt_queue_rec rec = { .kind = NT_QUEUE_CPU };

	rec.time = bpf_ktime_get_ns();
	rec.cpu = rq->cpu;
	rec.running = rq->nr_running;
	read_fair_queue(rq, &rec);
	rec.idle = rq->curr == rq->idle;
	/* This program runs as part of numatrace, which is what that CPU has running. */
	rec.self = rec.cpu == bpf_get_smp_processor_id();
	rec.util = rq->cfs.avg.util_avg;
	rec.load = rq->cfs.avg.load_avg;
	rec.capacity = rq->cpu_capacity;
	rec.domains = (__u64)rq->sd;
	bpf_seq_write(seq, &rec, sizeof(rec));
}

SEC("?iter/task")
int snapshot(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *p = ctx->task;
	struct rq *rq = next_cpu(p);

	if (rq)
		write_queue(seq, rq);
	else if (count_workload && p && is_runnable(p) && workload_group(p))
		write_task(seq, p);
	return 0;
}

#endif
