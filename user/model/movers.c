// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/movers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_tid(const void *a, const void *b)
{
	const struct nt_mover *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

void nt_movers_order(struct nt_movers *v)
{
	if (v->n)
		qsort(v->m, v->n, sizeof(*v->m), by_tid);
}

static int compare(__u64 a, __u64 b)
{
	return (a < b) - (a > b);
}

/* Most first; what is equal keeps its place from one interval to the next. */
static int by_moves(const void *a, const void *b)
{
	const struct nt_moved *x = a, *y = b;

	return compare(x->m.moves, y->m.moves) ?: compare(x->m.cross, y->m.cross) ?:
	       by_tid(&x->m, &y->m);
}

static int by_cross(const void *a, const void *b)
{
	const struct nt_moved *x = a, *y = b;

	return compare(x->m.cross, y->m.cross) ?: by_moves(a, b);
}

static int by_total(const void *a, const void *b)
{
	const struct nt_moved *x = a, *y = b;

	return compare(x->total, y->total) ?: by_moves(a, b);
}

/* What one task did in between. A task not in the older reading, or another one, began at 0. */
static struct nt_moved difference(const struct nt_mover *now, const struct nt_mover *was)
{
	struct nt_moved d = { .m = *now, .total = now->moves };

	if (!was || was->task != now->task || was->moves > now->moves || was->cross > now->cross)
		return d;
	d.m.moves -= was->moves;
	d.m.cross -= was->cross;
	return d;
}

int nt_moved_since(const struct nt_movers *was, const struct nt_movers *now,
		   enum nt_mover_sort sort, struct nt_moved **out, size_t *n)
{
	static int (*const order[])(const void *, const void *) = {
		[NT_SORT_MOVES] = by_moves, [NT_SORT_CROSS] = by_cross, [NT_SORT_TOTAL] = by_total,
	};
	struct nt_moved *list = malloc((now->n ? now->n : 1) * sizeof(*list)), d;
	size_t i, k = 0;

	if (!list)
		return -ENOMEM;
	*n = 0;
	for (i = 0; i < now->n; i++) {
		while (k < was->n && was->m[k].tid < now->m[i].tid)
			k++;
		d = difference(&now->m[i], k < was->n && was->m[k].tid == now->m[i].tid ?
			       &was->m[k] : NULL);
		if (d.m.moves)
			list[(*n)++] = d;
	}
	if (*n)
		qsort(list, *n, sizeof(*list), order[sort]);
	*out = list;
	return 0;
}

void nt_movers_free(struct nt_movers *v)
{
	free(v->m);
	memset(v, 0, sizeof(*v));
}
