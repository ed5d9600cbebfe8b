// SPDX-License-Identifier: GPL-2.0-or-later
/* The formula itself: levels and values for the CPUs of one root domain. */
#include "model/expected.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum nt_imb_rule nt_imb_rule(const char *release)
{
	int major, minor;

	if (!release || sscanf(release, "%d.%d", &major, &minor) != 2)
		return NT_IMB_NONE;
	if (major >= 6)
		return NT_IMB_EIGHTH;
	return major == 5 && minor >= 18 ? NT_IMB_QUARTER : NT_IMB_NONE;
}

/* One root domain, counted. */
struct domain_map {
	const struct nt_topology *t;
	enum nt_imb_rule rule;
	int total;		/* its CPUs */
	int *node_cpus;		/* [nnodes] of them in each node */
	int *llc_cpus;		/* [llcs] of them at each cache */
	int distance[NT_EXPECT_LEVELS];	/* between nodes with CPUs, rising, each once */
	int ndistances;
};

/* A list of rising numbers, each once; -ENODATA: no room. */
static int add_distance(struct domain_map *m, int d)
{
	int i, k;

	for (i = 0; i < m->ndistances && m->distance[i] < d; i++)
		;
	if (i < m->ndistances && m->distance[i] == d)
		return 0;
	if (m->ndistances == NT_EXPECT_LEVELS)
		return -ENODATA;
	for (k = m->ndistances++; k > i; k--)
		m->distance[k] = m->distance[k - 1];
	m->distance[i] = d;
	return 0;
}

/* Levels come from all nodes with CPUs on line (0fb3978b0aac), in the root domain or not. */
static int read_distances(struct domain_map *m)
{
	const struct nt_topology *t = m->t;
	int i, k, err = 0, with_cpus = 0;

	for (i = 0; i < t->nnodes; i++)
		with_cpus += t->node[i].cpus > 0;
	for (i = 0; i < t->nnodes && with_cpus > 1; i++) {
		if (!t->node[i].cpus)
			continue;
		if (!t->node[i].distance)
			return -ENODATA;
		for (k = 0; k < t->nnodes && !err; k++)
			if (t->node[k].cpus)
				err = add_distance(m, t->node[i].distance[k]);
	}
	return err;
}

static int count_cpus(struct domain_map *m, const struct nt_cpuset *map)
{
	const struct nt_topology *t = m->t;
	int cpu;

	m->node_cpus = calloc((size_t)t->nnodes + 1, sizeof(int));
	m->llc_cpus = calloc((size_t)t->cpu_ids + 1, sizeof(int));
	if (!m->node_cpus || !m->llc_cpus)
		return -ENOMEM;
	nt_cpuset_for_each(cpu, map) {
		if (cpu >= t->cpu_ids || t->cpu_node[cpu] < 0 || t->cpu_llc[cpu] < 0 ||
		    t->cpu_llc[cpu] >= t->cpu_ids)
			return -ENODATA;
		/* A CPU that came on line in a node that had none: its distances were not asked. */
		if (!t->node[t->cpu_node[cpu]].cpus)
			return -ENODATA;
		m->node_cpus[t->cpu_node[cpu]]++;
		m->llc_cpus[t->cpu_llc[cpu]]++;
		m->total++;
	}
	return 0;
}

/* CPUs of the root domain in nodes no farther than that from a node. */
static int cpus_within(const struct domain_map *m, int node, int distance)
{
	int i, n = 0;

	for (i = 0; i < m->t->nnodes; i++)
		if (m->t->node[node].distance[i] <= distance)
			n += m->node_cpus[i];
	return n;
}

static int above_cache(enum nt_imb_rule rule, int weight, int llc)
{
	int llcs = weight / llc, imb;

	if (rule == NT_IMB_QUARTER)
		return llcs == 1 ? weight >> 2 : llcs;
	imb = llcs == 1 ? weight >> 3 : llcs;
	return imb > 1 ? imb : 1;
}

/* Returns whether more levels follow: building ends at the level that spans everything. */
static bool add_level(struct nt_kind *k, const struct domain_map *m, int weight, int distance)
{
	k->level[k->n].weight = weight;
	k->level[k->n++].distance = distance;
	return weight < m->total && k->n < NT_EXPECT_LEVELS;
}

/*
 * The levels as they are before those of equal span are merged: the first level above the
 * cache spans the node on every architecture modelled here. Then values: that of the node
 * grows with the span, measured in spans of the first NUMA level.
 */
static void make_kind(struct nt_kind *k, const struct domain_map *m, int node, int llc)
{
	int i, first, base;
	bool more;

	k->llc = llc;
	if (llc >= m->total)
		return;
	more = add_level(k, m, m->node_cpus[node], 0);
	for (i = 0; i < m->ndistances && more; i++)
		more = add_level(k, m, cpus_within(m, node, m->distance[i]), m->distance[i]);
	base = above_cache(m->rule, k->level[0].weight, llc);
	/* The smallest distance makes the level NODE, which is no NUMA level. */
	first = k->n > 2 ? k->level[2].weight : k->level[0].weight;
	if (first < 1)		/* a record can claim anything */
		first = 1;
	k->level[0].imb = base;
	for (i = 1; i < k->n; i++) {
		int factor = k->level[i].weight / first;

		k->level[i].imb = base * (factor > 1 ? factor : 1);
	}
}

/* Like the kernel: of levels with the same span only the lowest is left. */
static void merge_levels(struct nt_kind *k)
{
	int i, n = 0;

	for (i = 0; i < k->n; i++)
		if (!n || k->level[n - 1].weight != k->level[i].weight)
			k->level[n++] = k->level[i];
	k->n = n;
}

static bool same_kind(const struct nt_kind *a, const struct nt_kind *b)
{
	return a->llc == b->llc && a->n == b->n &&
	       !memcmp(a->level, b->level, (size_t)a->n * sizeof(a->level[0]));
}

/* Which kind has a CPU of that node and cache size been given before? */
struct known {
	int node, llc, kind;
};

struct kinds {
	struct nt_kind *kind;
	int n;
	struct known *known;
	int nknown;
};

static int new_known(struct kinds *all, const struct domain_map *m, int node, int llc)
{
	struct nt_kind *more, k = { .n = 0 };
	struct known *known;
	int i;

	make_kind(&k, m, node, llc);
	merge_levels(&k);
	for (i = 0; i < all->n && !same_kind(&all->kind[i], &k); i++)
		;
	if (i == all->n) {
		more = realloc(all->kind, ((size_t)all->n + 1) * sizeof(*more));
		if (!more)
			return -ENOMEM;
		all->kind = more;
		all->kind[all->n++] = k;
	}
	known = realloc(all->known, ((size_t)all->nknown + 1) * sizeof(*known));
	if (!known)
		return -ENOMEM;
	all->known = known;
	all->known[all->nknown++] = (struct known){ node, llc, i };
	return i;
}

static int kind_of(struct kinds *all, const struct domain_map *m, int cpu)
{
	int node = m->t->cpu_node[cpu], llc = m->llc_cpus[m->t->cpu_llc[cpu]], i;

	for (i = all->nknown - 1; i >= 0; i--)
		if (all->known[i].node == node && all->known[i].llc == llc)
			return all->known[i].kind;
	return new_known(all, m, node, llc);
}

int nt_kinds(const struct nt_topology *t, const struct nt_cpuset *map, enum nt_imb_rule rule,
	     struct nt_kind **kind, int *n)
{
	struct domain_map m = { .t = t, .rule = rule };
	struct kinds all = { 0 };
	int cpu, i, err;

	err = t->cpu_node && t->cpu_llc ? count_cpus(&m, map) : -ENODATA;
	err = err ?: read_distances(&m);
	if (!err) {
		nt_cpuset_for_each(cpu, map) {
			i = kind_of(&all, &m, cpu);
			err = i < 0 ? i : nt_cpuset_add(&all.kind[i].cpus, cpu);
			if (err)
				break;
		}
	}
	free(m.node_cpus);
	free(m.llc_cpus);
	free(all.known);
	if (err) {
		nt_kinds_free(all.kind, all.n);
		return err;
	}
	*kind = all.kind;
	*n = all.n;
	return 0;
}

void nt_kinds_free(struct nt_kind *kind, int n)
{
	int i;

	for (i = 0; i < n; i++)
		nt_cpuset_free(&kind[i].cpus);
	free(kind);
}
