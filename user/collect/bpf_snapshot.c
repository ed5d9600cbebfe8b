// SPDX-License-Identifier: GPL-2.0-or-later
/* From the records of the snapshot iterator to run queues by CPU. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bpf_priv.h"

#define RESET_ON_FORK	0x40000000	/* SCHED_RESET_ON_FORK, a flag beside the policy */

/* Is numatrace itself of the fair class? */
static bool self_is_fair(void)
{
	int policy = sched_getscheduler(0) & ~RESET_ON_FORK;

	return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
}

static unsigned int less(unsigned int n, unsigned int by)
{
	return n > by ? n - by : 0;
}

static void fill_queue(struct nt_cpu_queue *c, const struct nt_queue_rec *rec, bool fair)
{
	struct nt_queue *q = &c->q;

	c->cpu = (int)rec->cpu;
	c->self = rec->self;
	q->cpus = 1;
	q->delayed = rec->delayed;
	q->running = less(rec->running, rec->delayed + rec->self);
	q->fair = less(rec->fair, rec->delayed + (rec->self && fair));
	/* As idle_cpu() has it: a task that was woken and does not run yet ends the idleness. */
	q->idle = (rec->idle || rec->self) && !q->running && !q->delayed;
	q->util = rec->util;
	q->load = rec->load;
	q->capacity = rec->capacity;
}

static void add_queue(struct nt_snapshot *s, const struct nt_queue_rec *rec, bool fair)
{
	if (!s->ncpus)
		s->at_ns = rec->time;
	s->took_ns = rec->time - s->at_ns;
	/* A sum that keeps where each address stands: CPUs that swap domains change it. */
	s->domains += rec->domains * (2 * (uint64_t)rec->cpu + 1);
	s->has_delayed = rec->has_delayed;
	fill_queue(&s->cpu[s->ncpus++], rec, fair);
}

/* CPUs come in the order of their threads; tasks of the workload anywhere between them. */
static int parse(struct nt_bpf *b, const char *buf, size_t len, struct nt_snapshot *s,
		 unsigned int *workload)
{
	bool fair = self_is_fair();
	size_t at = 0;
	__u32 kind;

	s->ncpus = 0;
	while (len - at >= sizeof(kind)) {
		struct nt_queue_task task;
		struct nt_queue_rec rec;

		memcpy(&kind, buf + at, sizeof(kind));
		if (kind == NT_QUEUE_CPU && len - at >= sizeof(rec)) {
			memcpy(&rec, buf + at, sizeof(rec));
			if (s->ncpus == b->ncpus || rec.cpu >= (__u32)b->ncpus)
				return -EOVERFLOW;
			add_queue(s, &rec, fair);
			at += sizeof(rec);
		} else if (kind == NT_QUEUE_TASK && len - at >= sizeof(task)) {
			memcpy(&task, buf + at, sizeof(task));
			if (task.cpu < (__u32)b->ncpus)
				workload[task.cpu]++;
			at += sizeof(task);
		} else {
			return -EPROTO;
		}
	}
	return 0;
}

static int read_queues(struct nt_bpf *b, struct nt_snapshot *s, unsigned int *workload)
{
	size_t len;
	char *buf;
	int i, err;

	b->skel->bss->cpu_walk++;
	err = nt_bpf_iterate(b->skel->links.snapshot, &buf, &len);
	if (err)
		return err;
	err = parse(b, buf, len, s, workload);
	free(buf);
	for (i = 0; !err && i < s->ncpus; i++) {
		struct nt_queue *q = &s->cpu[i].q;

		/* Tasks are met after the queues: one that came meanwhile is not in the count. */
		q->workload = workload[s->cpu[i].cpu];
		q->workload = q->workload < q->running ? q->workload : q->running;
	}
	return err;
}

int nt_bpf_snapshot(struct nt_bpf *b, const struct nt_topology *topo, struct nt_snapshot *s)
{
	unsigned int *workload = calloc(b->ncpus, sizeof(*workload));
	int err = nt_snapshot_init(s, b->ncpus, topo->nnodes);

	if (!workload)
		err = -ENOMEM;
	err = err ?: read_queues(b, s, workload);
	free(workload);
	if (err) {
		nt_snapshot_free(s);
		return err;
	}
	s->has_workload = b->workload;
	nt_snapshot_sum(s, topo);
	return 0;
}
