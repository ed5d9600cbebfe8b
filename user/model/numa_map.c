// SPDX-License-Identifier: GPL-2.0-or-later
/* From chains of domains to groups and pairs, as build_overlap_sched_groups() makes them. */
#include "model/numa_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/domains.h"

#define MAX_PAIRS	40000	/* in each direction, of 200 nodes; more would take long */

/* While the map is made. */
struct builder {
	struct nt_numa_map *m;
	const struct nt_run *r;
	struct nt_cpuset *cpus;		/* [nchains] of each chain */
	struct nt_cpuset **span;	/* [nchains][n] of each domain; empty: unknown */
	int **group;			/* [nchains][n] group of that span, -1: not made yet */
	bool unknown;			/* a span that is needed is not known */
	int room;			/* of pairs */
};

static bool subset(const struct nt_cpuset *a, const struct nt_cpuset *of)
{
	int cpu;

	nt_cpuset_for_each(cpu, a)
		if (!nt_cpuset_test(of, cpu))
			return false;
	return true;
}

static bool meet(const struct nt_cpuset *a, const struct nt_cpuset *b)
{
	int cpu;

	nt_cpuset_for_each(cpu, a)
		if (nt_cpuset_test(b, cpu))
			return true;
	return false;
}

/* "node 0", "nodes 0-1" where the group has all their CPUs, else its CPUs. */
static char *name_of(const struct nt_run *r, const struct nt_cpuset *cpus)
{
	struct nt_cpuset nodes = { 0 };
	int cpu, i, n = 0, err = 0;
	char *list = NULL, *name;

	nt_cpuset_for_each(cpu, cpus) {
		int node = cpu < r->topo.cpu_ids && r->topo.cpu_node ? r->topo.cpu_node[cpu] : -1;

		if (node >= 0 && r->topo.node[node].id < NT_CPU_LIMIT)
			err = err ?: nt_cpuset_add(&nodes, r->topo.node[node].id);
	}
	for (i = 0; i < r->topo.nnodes; i++)
		if (nt_cpuset_test(&nodes, r->topo.node[i].id))
			n += r->topo.node[i].cpus;
	if (!err)
		list = nt_cpuset_format(n == (int)nt_cpuset_count(cpus) ? &nodes : cpus);
	if (!list || asprintf(&name, "%s%s %s", n == (int)nt_cpuset_count(cpus) ? "node" : "CPU",
			      strpbrk(list, ",-") ? "s" : "", list) < 0)
		name = NULL;
	free(list);
	nt_cpuset_free(&nodes);
	return name;
}

/* The group of these CPUs, made if it is new. Its number, or -ENOMEM. */
static int intern(struct builder *b, const struct nt_cpuset *cpus)
{
	struct nt_numa_map *m = b->m;
	struct nt_numa_group *more, *g;
	int i, cpu, err = 0;

	for (i = 0; i < m->ngroups; i++)
		if (nt_cpuset_equal(&m->group[i].cpus, cpus))
			return i;
	more = realloc(m->group, ((size_t)m->ngroups + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	m->group = more;
	g = &more[m->ngroups++];
	*g = (struct nt_numa_group){ .name = name_of(b->r, cpus) };
	nt_cpuset_for_each(cpu, cpus)
		err = err ?: nt_cpuset_add(&g->cpus, cpu);
	return err || !g->name ? -ENOMEM : i;
}

/*
 * The domain of a chain whose span is its CPUs' group in a domain of that level and span: the
 * highest one below, within the span. -1: each of its CPUs is a group of its own.
 */
static int depth_below(const struct builder *b, int chain, int level, const struct nt_cpuset *span)
{
	const struct nt_chain *c = &b->r->chain[chain];
	int k = c->n - 1;

	while (k >= 0 && c->d[k].level >= level)
		k--;
	while (k >= 0 && !subset(&b->span[chain][k], span))
		k--;
	return k;
}

static int domain_group(struct builder *b, int chain, int depth)
{
	int *g = &b->group[chain][depth];

	if (!nt_cpuset_count(&b->span[chain][depth]))
		b->unknown = true;
	else if (*g < 0)
		*g = intern(b, &b->span[chain][depth]);
	return *g;
}

static int cpu_group(struct builder *b, int cpu)
{
	struct nt_cpuset one = { 0 };
	int err = nt_cpuset_add(&one, cpu);

	err = err ?: intern(b, &one);
	nt_cpuset_free(&one);
	return err;
}

/* The groups of a domain; the first nlocal are those of its own chain. */
struct list {
	int *group;
	int n, nlocal;
};

static int list_add(struct list *l, int group)
{
	int *more, i;

	if (group < 0)
		return group == -ENOMEM ? group : 0;
	for (i = 0; i < l->n; i++)
		if (l->group[i] == group)
			return 0;
	more = realloc(l->group, ((size_t)l->n + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	l->group = more;
	more[l->n++] = group;
	return 0;
}

static int list_chain(struct builder *b, struct list *l, int chain, int level,
		      const struct nt_cpuset *span)
{
	int depth = depth_below(b, chain, level, span), cpu, err = 0;

	if (depth >= 0)
		return list_add(l, domain_group(b, chain, depth));
	nt_cpuset_for_each(cpu, &b->cpus[chain])
		if (!err && nt_cpuset_test(span, cpu))
			err = list_add(l, cpu_group(b, cpu));
	return err;
}

static int list_groups(struct builder *b, struct list *l, int chain, int depth)
{
	const struct nt_cpuset *span = &b->span[chain][depth];
	int level = b->r->chain[chain].d[depth].level, i, err;

	err = list_chain(b, l, chain, level, span);
	l->nlocal = l->n;
	for (i = 0; i < b->r->nchains && !err; i++)
		if (i != chain && meet(&b->cpus[i], span))
			err = list_chain(b, l, i, level, span);
	return err;
}

static int add_pair(struct builder *b, int local, int other, int level, struct nt_numa_side side)
{
	struct nt_numa_map *m = b->m;
	struct nt_numa_pair *more, *p;
	int at = local > other;

	if (m->npairs == b->room) {
		more = realloc(m->pair, (2 * (size_t)b->room + 16) * sizeof(*more));
		if (!more)
			return -ENOMEM;
		m->pair = more;
		b->room = 2 * b->room + 16;
	}
	p = &m->pair[m->npairs++];
	p->level = level;
	p->group[at] = local;
	p->group[!at] = other;
	p->side[at] = side;
	p->side[!at] = (struct nt_numa_side){ .chain = -1 };
	return 0;
}

static int pair_domain(struct builder *b, int chain, int depth)
{
	struct nt_numa_side side = { .chain = chain, .depth = depth };
	unsigned int weight = 0;
	struct list l = { 0 };
	int i, k, err;

	if (!nt_cpuset_count(&b->span[chain][depth])) {
		b->unknown = true;
		return 0;
	}
	err = list_groups(b, &l, chain, depth);
	for (i = 0; i < l.n; i++)
		weight += nt_cpuset_count(&b->m->group[l.group[i]].cpus);
	side.overlap = weight != nt_cpuset_count(&b->span[chain][depth]);
	for (i = 0; i < l.nlocal && !err; i++)
		for (k = 0; k < l.n && !err; k++)
			if (k != i)
				err = add_pair(b, l.group[i], l.group[k],
					       b->r->chain[chain].d[depth].level, side);
	free(l.group);
	return err;
}

static int by_groups(const void *a, const void *b)
{
	const struct nt_numa_pair *x = a, *y = b;

	if (x->level != y->level)
		return x->level - y->level;
	if (x->group[0] != y->group[0])
		return x->group[0] - y->group[0];
	return x->group[1] - y->group[1];
}

/* Both directions of a pair into one. CPUs of a group may have chains that differ below it. */
static void merge_pairs(struct nt_numa_map *m)
{
	int i, n = 0, at;

	if (m->npairs)
		qsort(m->pair, (size_t)m->npairs, sizeof(*m->pair), by_groups);
	for (i = 0; i < m->npairs; i++) {
		if (!n || by_groups(&m->pair[n - 1], &m->pair[i])) {
			m->pair[n++] = m->pair[i];
			continue;
		}
		for (at = 0; at < 2; at++)
			if (m->pair[n - 1].side[at].chain < 0)
				m->pair[n - 1].side[at] = m->pair[i].side[at];
	}
	m->npairs = n;
}

static int read_sets(struct builder *b)
{
	const struct nt_run *r = b->r;
	size_t n = (size_t)r->nchains + 1;
	int i, k, err = 0;

	b->cpus = calloc(n, sizeof(*b->cpus));
	b->span = calloc(n, sizeof(void *));
	b->group = calloc(n, sizeof(*b->group));
	if (!b->cpus || !b->span || !b->group)
		return -ENOMEM;
	for (i = 0; i < r->nchains; i++) {
		const struct nt_chain *c = &r->chain[i];

		err = nt_cpuset_parse(&b->cpus[i], c->cpus);
		b->span[i] = calloc((size_t)c->n + 1, sizeof(**b->span));
		b->group[i] = calloc((size_t)c->n + 1, sizeof(**b->group));
		if (err == -ENOMEM || !b->span[i] || !b->group[i])
			return -ENOMEM;
		for (k = 0; k < c->n; k++) {
			b->group[i][k] = -1;
			/* What is no list comes from a record: not known. */
			if (c->d[k].span &&
			    nt_cpuset_parse(&b->span[i][k], c->d[k].span) == -ENOMEM)
				return -ENOMEM;
		}
	}
	return 0;
}

static void free_sets(struct builder *b)
{
	int i, k;

	for (i = 0; i < b->r->nchains; i++) {
		if (b->cpus)
			nt_cpuset_free(&b->cpus[i]);
		for (k = 0; b->span && b->span[i] && k < b->r->chain[i].n; k++)
			nt_cpuset_free(&b->span[i][k]);
		if (b->span)
			free(b->span[i]);
		if (b->group)
			free(b->group[i]);
	}
	free(b->cpus);
	free(b->span);
	free(b->group);
}

static bool has_imb(const struct nt_run *r)
{
	int i, k;

	for (i = 0; i < r->nchains; i++)
		for (k = 0; k < r->chain[i].n; k++)
			if (r->chain[i].d[k].imb_numa_nr >= 0)
				return true;
	return false;
}

static int make_pairs(struct builder *b)
{
	const struct nt_run *r = b->r;
	int i, k, err = read_sets(b);

	for (i = 0; i < r->nchains; i++)
		for (k = 0; k < r->chain[i].n && !err && b->m->npairs <= MAX_PAIRS; k++)
			if (nt_domain_is_numa(&r->chain[i].d[k]))
				err = pair_domain(b, i, k);
	return err;
}

int nt_numa_map_init(struct nt_numa_map *m, const struct nt_run *r)
{
	struct builder b = { .m = m, .r = r };
	const char *why = NULL;
	int err;

	*m = (struct nt_numa_map){ .rules = nt_numa_rules(r->kernel, has_imb(r)) };
	if (!r->feature[NT_F_DOMAINS].on) {
		why = "the scheduling domains were not read";
	} else {
		err = make_pairs(&b);
		free_sets(&b);
		if (err)
			return err;
		if (m->npairs > MAX_PAIRS)
			why = "there are too many pairs of groups";
		else if (b.unknown)
			why = "the CPUs of some domain are not known";
		else if (!m->npairs)
			why = "no domain between nodes (SD_NUMA)";
	}
	if (!why) {
		merge_pairs(m);
		return 0;
	}
	m->npairs = 0;
	m->why = strdup(why);
	return m->why ? 0 : -ENOMEM;
}

void nt_numa_map_free(struct nt_numa_map *m)
{
	int i;

	for (i = 0; i < m->ngroups; i++) {
		free(m->group[i].name);
		nt_cpuset_free(&m->group[i].cpus);
	}
	free(m->group);
	free(m->pair);
	free(m->why);
	memset(m, 0, sizeof(*m));
}

int nt_numa_pair_imb(const struct nt_run *r, const struct nt_numa_pair *p)
{
	int imb = -1, at;

	for (at = 0; at < 2; at++) {
		const struct nt_numa_side *s = &p->side[at];
		int v = s->chain < 0 ? -1 : r->chain[s->chain].d[s->depth].imb_numa_nr;

		if (s->chain < 0 || v == imb)
			continue;
		if (imb >= 0)
			return -1;
		imb = v;
	}
	return imb;
}
