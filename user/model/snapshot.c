// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/run.h"

int nt_snapshot_init(struct nt_snapshot *s, int ncpus, int nnodes)
{
	memset(s, 0, sizeof(*s));
	s->cpu = calloc(ncpus > 0 ? (size_t)ncpus : 1, sizeof(*s->cpu));
	s->node = calloc(nnodes > 0 ? (size_t)nnodes : 1, sizeof(*s->node));
	if (!s->cpu || !s->node) {
		nt_snapshot_free(s);
		return -ENOMEM;
	}
	s->ncpus = ncpus;
	s->nnodes = nnodes;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	return ((const struct nt_cpu_queue *)a)->cpu - ((const struct nt_cpu_queue *)b)->cpu;
}

void nt_queue_add(struct nt_queue *to, const struct nt_queue *q)
{
	to->cpus += q->cpus;
	to->idle += q->idle;
	to->running += q->running;
	to->fair += q->fair;
	to->workload += q->workload;
	to->delayed += q->delayed;
	to->util += q->util;
	to->load += q->load;
	to->capacity += q->capacity;
}

void nt_snapshot_sum(struct nt_snapshot *s, const struct nt_topology *t)
{
	int i;

	if (s->ncpus)
		qsort(s->cpu, (size_t)s->ncpus, sizeof(*s->cpu), by_number);
	memset(s->node, 0, (size_t)s->nnodes * sizeof(*s->node));
	for (i = 0; i < s->ncpus; i++) {
		struct nt_cpu_queue *c = &s->cpu[i];

		c->node = c->cpu >= 0 && c->cpu < t->cpu_ids ? t->cpu_node[c->cpu] : -1;
		if (c->node >= s->nnodes)
			c->node = -1;
		if (c->node >= 0)
			nt_queue_add(&s->node[c->node], &c->q);
	}
}

void nt_snapshot_total(const struct nt_snapshot *s, struct nt_queue *all)
{
	int i;

	memset(all, 0, sizeof(*all));
	for (i = 0; i < s->nnodes; i++)
		nt_queue_add(all, &s->node[i]);
}

int nt_snapshot_self(const struct nt_snapshot *s)
{
	int i, cpu = -1;

	for (i = 0; i < s->ncpus; i++)
		if (s->cpu[i].self)
			cpu = s->cpu[i].cpu;
	return cpu;
}

void nt_snapshot_free(struct nt_snapshot *s)
{
	free(s->cpu);
	free(s->node);
	memset(s, 0, sizeof(*s));
}
