// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "view/section.h"
#include "view/tbl.h"

#define MAX_SQUARE	8	/* more nodes than this: a list of the largest pairs of two */
#define MAX_PAIRS	16

struct pair {
	uint64_t n;
	int from, to;
};

static bool differ(const struct nt_counters *c, nt_cell_fn cell)
{
	int from, to;

	for (from = 0; from < c->nnodes; from++)
		for (to = 0; to < c->nnodes; to++)
			if (cell(c, NT_WORKLOAD, from, to) != cell(c, NT_SYSTEM, from, to))
				return true;
	return false;
}

static bool all_zero(const struct nt_counters *c, nt_cell_fn cell, int scope)
{
	int from, to;

	for (from = 0; from < c->nnodes; from++)
		for (to = 0; to < c->nnodes; to++)
			if (cell(c, scope, from, to))
				return false;
	return true;
}

static int square(const struct nt_section *s, nt_cell_fn cell, int scope)
{
	const struct nt_topology *topo = &s->r->topo;
	const struct nt_counters *c = &s->r->total;
	struct nt_tbl *t = nt_tbl_new();
	int from, to;

	nt_tbl_col(t, NT_RIGHT, "FROM\\TO");
	for (to = 0; to < c->nnodes; to++)
		nt_tbl_col(t, NT_RIGHT, "node%d", topo->node[to].id);
	for (from = 0; from < c->nnodes; from++) {
		nt_tbl_row(t);
		nt_tbl_cell(t, "node%d", topo->node[from].id);
		for (to = 0; to < c->nnodes; to++)
			nt_tbl_u64(t, cell(c, scope, from, to));
	}
	return nt_tbl_print(t, s->out);
}

/* Largest first; equal ones in the order of the nodes, so that output is stable. */
static int by_count(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;

	if (p->n != q->n)
		return p->n < q->n ? 1 : -1;
	if (p->from != q->from)
		return p->from < q->from ? -1 : 1;
	return p->to < q->to ? -1 : p->to > q->to;
}

static size_t collect(const struct nt_counters *c, nt_cell_fn cell, int scope, struct pair *pair)
{
	size_t n = 0;
	int from, to;

	for (from = 0; from < c->nnodes; from++)
		for (to = 0; to < c->nnodes; to++)
			if (from != to && cell(c, scope, from, to))
				pair[n++] = (struct pair){ cell(c, scope, from, to), from, to };
	qsort(pair, n, sizeof(*pair), by_count);
	return n;
}

/* What the list leaves out. */
static int rest(const struct nt_section *s, nt_cell_fn cell, int scope, const struct pair *pair,
		size_t n)
{
	unsigned long long within = 0, more = 0;
	int node, err = 0;
	size_t i;

	for (node = 0; node < s->r->total.nnodes; node++)
		within += cell(&s->r->total, scope, node, node);
	for (i = MAX_PAIRS; i < n; i++)
		more += pair[i].n;
	if (n > MAX_PAIRS)
		err = nt_line(s, "and %zu more pairs with %llu together", n - MAX_PAIRS, more);
	return err ? err : nt_line(s, "within one node, all nodes: %llu", within);
}

static int pairs(const struct nt_section *s, nt_cell_fn cell, int scope)
{
	const struct nt_topology *topo = &s->r->topo;
	size_t nodes = (size_t)s->r->total.nnodes, n, i;
	struct pair *pair = malloc(nodes * nodes * sizeof(*pair));
	struct nt_tbl *t;
	int err;

	if (!pair)
		return -ENOMEM;
	n = collect(&s->r->total, cell, scope, pair);
	t = nt_tbl_new();
	nt_tbl_col(t, NT_RIGHT, "FROM");
	nt_tbl_col(t, NT_RIGHT, "TO");
	nt_tbl_col(t, NT_RIGHT, "COUNT");
	for (i = 0; i < n && i < MAX_PAIRS; i++) {
		nt_tbl_row(t);
		nt_tbl_cell(t, "node%d", topo->node[pair[i].from].id);
		nt_tbl_cell(t, "node%d", topo->node[pair[i].to].id);
		nt_tbl_u64(t, pair[i].n);
	}
	err = nt_tbl_print(t, s->out);
	if (!err)
		err = rest(s, cell, scope, pair, n);
	free(pair);
	return err;
}

static int matrix(const struct nt_section *s, const char *what, const char *whose, nt_cell_fn cell,
		  int scope)
{
	nt_heading(s, "%s, %s", what, whose);
	if (all_zero(&s->r->total, cell, scope))
		return nt_line(s, "none");
	if (s->r->total.nnodes > MAX_SQUARE)
		return pairs(s, cell, scope);
	return square(s, cell, scope);
}

int nt_show_matrices(const struct nt_section *s, const char *what, nt_cell_fn cell)
{
	bool same = !differ(&s->r->total, cell);
	int err;

	if (!nt_has_workload(s->r))
		return matrix(s, what, "whole system", cell, NT_SYSTEM);
	err = matrix(s, what, same ? "workload (the whole system had the same)" : "workload", cell,
		     NT_WORKLOAD);
	if (!err && !same)
		err = matrix(s, what, "whole system", cell, NT_SYSTEM);
	return err;
}
