// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/queue_stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void nt_sample_queues_free(struct nt_sample_queues *q)
{
	free(q->node);
	memset(q, 0, sizeof(*q));
}

static void spread_add(struct nt_spread *s, unsigned int v, bool first)
{
	s->sum += v;
	s->min = first || v < s->min ? v : s->min;
	s->max = first || v > s->max ? v : s->max;
}

static void node_add(struct nt_node_queues *n, const struct nt_queue *q, bool first)
{
	spread_add(&n->running, q->running, first);
	spread_add(&n->workload, q->workload, first);
	n->idle += q->idle;
}

static void trend_add(struct nt_trend *t, double v)
{
	size_t i;

	t->each = t->each ? t->each : 1;
	t->sum += v;
	if (++t->have < t->each)
		return;
	t->v[t->n++] = t->sum / (double)t->each;
	t->sum = 0;
	t->have = 0;
	if (t->n < NT_TREND)
		return;
	for (i = 0; i < NT_TREND / 2; i++)
		t->v[i] = (t->v[2 * i] + t->v[2 * i + 1]) / 2;
	t->n = NT_TREND / 2;
	t->each *= 2;
}

static void difference_add(struct nt_queue_stats *st, const struct nt_sample_queues *q)
{
	if (!q->pairs)
		return;
	st->paired++;
	st->judged += q->settled > 0;
	st->beyond += q->beyond > 0;
	st->difference_sum += q->difference;
	if (q->difference > st->difference_max)
		st->difference_max = q->difference;
	trend_add(&st->difference, q->difference);
}

int nt_queue_stats_add(struct nt_queue_stats *st, const struct nt_sample_queues *q, int nnodes)
{
	struct nt_queue all = { 0 };
	bool first = !st->samples;
	int i;

	if (!q->node)
		return 0;
	if (!st->node) {
		st->node = calloc(nnodes > 0 ? (size_t)nnodes : 1, sizeof(*st->node));
		st->nnodes = nnodes;
	}
	if (!st->node)
		return -ENOMEM;
	for (i = 0; i < st->nnodes; i++) {
		node_add(&st->node[i], &q->node[i], first);
		nt_queue_add(&all, &q->node[i]);
	}
	node_add(&st->all, &all, first);
	st->has_workload |= q->has_workload;
	st->samples++;
	difference_add(st, q);
	return 0;
}

void nt_queue_stats_free(struct nt_queue_stats *st)
{
	free(st->node);
	memset(st, 0, sizeof(*st));
}

size_t nt_trend_values(const struct nt_trend *t, double *v)
{
	size_t n = t->n;

	memcpy(v, t->v, n * sizeof(*v));
	if (t->have)
		v[n++] = t->sum / (double)t->have;
	return n;
}
