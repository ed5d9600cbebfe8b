// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arithmetic of counters. The matrices grow with the square of the nodes and are mostly zero:
 * a zero is read and never written, so that their pages stay untouched and cost no memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/run.h"

#define PLACES		(NT_NSCOPE * NT_NWAKE * NT_NPLACE)
#define BALANCES	(NT_MAX_LEVELS * NT_NIDLE * sizeof(struct nt_balance_count) / sizeof(__u64))

static size_t pairs(const struct nt_counters *c)
{
	return (size_t)c->nnodes * (size_t)c->nnodes;
}

static size_t mig_cells(const struct nt_counters *c)
{
	return NT_NSCOPE * NT_NCAUSE * pairs(c);
}

int nt_counters_init(struct nt_counters *c, int nnodes)
{
	size_t n = nnodes > 0 ? (size_t)nnodes : 1;	/* calloc(0) may be NULL */

	memset(c, 0, sizeof(*c));
	c->nnodes = nnodes;
	c->node = calloc(n, sizeof(*c->node));
	c->mig = calloc(NT_NSCOPE * NT_NCAUSE * n * n, sizeof(*c->mig));
	c->fork = calloc(NT_NSCOPE * n * n, sizeof(*c->fork));
	if (c->node && c->mig && c->fork)
		return 0;
	nt_counters_free(c);
	return -ENOMEM;
}

void nt_counters_free(struct nt_counters *c)
{
	int i;

	for (i = 0; c->node && i < c->nnodes; i++)
		nt_kvs_free(&c->node[i].mem);
	nt_kvs_free(&c->sys);
	free(c->node);
	free(c->mig);
	free(c->fork);
	memset(c, 0, sizeof(*c));
}

struct nt_mig_cell *nt_mig(const struct nt_counters *c, int scope, int cause, int from, int to)
{
	size_t row = ((size_t)scope * NT_NCAUSE + (size_t)cause) * (size_t)c->nnodes + (size_t)from;

	return &c->mig[row * (size_t)c->nnodes + (size_t)to];
}

uint64_t *nt_fork(const struct nt_counters *c, int scope, int from, int to)
{
	size_t row = (size_t)scope * (size_t)c->nnodes + (size_t)from;

	return &c->fork[row * (size_t)c->nnodes + (size_t)to];
}

static uint64_t mig_sum_cause(const struct nt_counters *c, int scope, int cause, bool cross)
{
	uint64_t sum = 0;
	int from, to;

	for (from = 0; from < c->nnodes; from++)
		for (to = 0; to < c->nnodes; to++)
			if (!cross || from != to)
				sum += nt_mig(c, scope, cause, from, to)->n;
	return sum;
}

uint64_t nt_mig_sum(const struct nt_counters *c, int scope, int cause, bool cross)
{
	uint64_t sum = 0;

	if (cause >= 0)
		return mig_sum_cause(c, scope, cause, cross);
	for (cause = 0; cause < NT_NCAUSE; cause++)
		sum += mig_sum_cause(c, scope, cause, cross);
	return sum;
}

uint64_t nt_mig_same_llc(const struct nt_counters *c, int scope, int cause)
{
	int first = cause < 0 ? 0 : cause, last = cause < 0 ? NT_NCAUSE - 1 : cause, i, n;
	uint64_t sum = 0;

	/* A cache does not span nodes, so the diagonal has them all. */
	for (i = first; i <= last; i++)
		for (n = 0; n < c->nnodes; n++)
			sum += nt_mig(c, scope, i, n, n)->same_llc;
	return sum;
}

/* Values of src, which are sums already, added to those of dst. */
static int kvs_add(struct nt_kvs *dst, const struct nt_kvs *src)
{
	const struct nt_kv *to;
	size_t i;

	for (i = 0; i < src->n; i++) {
		to = nt_kvs_near(dst, src->v[i].key, i);
		if (to)
			dst->v[to - dst->v].value += src->v[i].value;
		else if (nt_kvs_append(dst, src->v[i].key, src->v[i].value))
			return -ENOMEM;
	}
	return 0;
}

/* Counting starts at 0, so what was not there before is all new. */
static int kvs_sub(struct nt_kvs *dst, const struct nt_kvs *now, const struct nt_kvs *before)
{
	const struct nt_kv *was;
	double delta;
	size_t i;

	for (i = 0; i < now->n; i++) {
		was = nt_kvs_near(before, now->v[i].key, i);
		delta = now->v[i].value - (was ? was->value : 0);
		if (nt_kvs_append(dst, now->v[i].key, delta > 0 ? delta : 0))
			return -ENOMEM;
	}
	return 0;
}

/* Structs of nothing but __u64 are added as rows of numbers. */
static void add_u64(void *dst, const void *src, size_t n)
{
	const uint64_t *s = src;
	uint64_t *d = dst;
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i])
			d[i] += s[i];
}

/* dst is all 0. */
static void sub_u64(void *dst, const void *now, const void *before, size_t n)
{
	const uint64_t *a = now, *b = before;
	uint64_t *d = dst;
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] > b[i])
			d[i] = a[i] - b[i];
}

#define CELL_U64	(sizeof(struct nt_mig_cell) / sizeof(__u64))
#define TIME_U64	(sizeof(struct nt_cpu_time) / sizeof(__u64))

int nt_counters_add(struct nt_counters *dst, const struct nt_counters *src)
{
	int i, err = 0;

	if (dst->nnodes != src->nnodes)
		return -EINVAL;
	for (i = 0; i < src->nnodes && !err; i++) {
		struct nt_node_count *d = &dst->node[i];
		const struct nt_node_count *s = &src->node[i];

		add_u64(d->tick, s->tick, NT_NTICK);
		d->online_ns += s->online_ns;
		add_u64(&d->wl, &s->wl, TIME_U64);
		d->sched_softirqs += s->sched_softirqs;
		err = kvs_add(&d->mem, &s->mem);
	}
	add_u64(dst->mig, src->mig, mig_cells(src) * CELL_U64);
	add_u64(dst->fork, src->fork, NT_NSCOPE * pairs(src));
	add_u64(dst->place, src->place, PLACES);
	add_u64(dst->balance, src->balance, BALANCES);
	return err ?: kvs_add(&dst->sys, &src->sys);
}

int nt_counters_copy(struct nt_counters *dst, const struct nt_counters *src)
{
	int err = nt_counters_init(dst, src->nnodes);

	if (err)
		return err;
	err = nt_counters_add(dst, src);
	if (err)
		nt_counters_free(dst);
	return err;
}

int nt_counters_sub(struct nt_counters *dst, const struct nt_counters *now,
		    const struct nt_counters *before)
{
	int i, err;

	if (now->nnodes != before->nnodes)
		return -EINVAL;
	err = nt_counters_init(dst, now->nnodes);
	for (i = 0; i < now->nnodes && !err; i++) {
		const struct nt_node_count *a = &now->node[i], *b = &before->node[i];
		struct nt_node_count *d = &dst->node[i];

		sub_u64(d->tick, a->tick, b->tick, NT_NTICK);
		sub_u64(&d->online_ns, &a->online_ns, &b->online_ns, 1);
		sub_u64(&d->wl, &a->wl, &b->wl, TIME_U64);
		sub_u64(&d->sched_softirqs, &a->sched_softirqs, &b->sched_softirqs, 1);
		err = kvs_sub(&d->mem, &a->mem, &b->mem);
	}
	err = err ?: kvs_sub(&dst->sys, &now->sys, &before->sys);
	if (err) {
		nt_counters_free(dst);
		return err;
	}
	sub_u64(dst->mig, now->mig, before->mig, mig_cells(now) * CELL_U64);
	sub_u64(dst->fork, now->fork, before->fork, NT_NSCOPE * pairs(now));
	sub_u64(dst->place, now->place, before->place, PLACES);
	sub_u64(dst->balance, now->balance, before->balance, BALANCES);
	return 0;
}
