// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/json_machine.h"

static void put_node(struct nt_put *p, json_t *nodes, const struct nt_topology *t, int i)
{
	const struct nt_node *node = &t->node[i];
	json_t *o = json_object(), *dist;
	int k;

	nt_push(p, nodes, o);
	nt_put_int(p, o, "id", node->id);
	nt_put_str(p, o, "cpulist", node->cpulist);
	nt_put_int(p, o, "cpus", node->cpus);
	nt_put_int(p, o, "llcs", node->llcs);
	nt_put_u64(p, o, "mem_kb", node->mem_kb);
	if (!node->distance)
		return;
	dist = nt_put_array(p, o, "distance");
	for (k = 0; k < t->nnodes; k++)
		nt_push(p, dist, json_integer(node->distance[k]));
}

void nt_put_topology(struct nt_put *p, json_t *obj, const struct nt_topology *t)
{
	json_t *o = nt_put_object(p, obj, "topology"), *a;
	int i;

	nt_put_int(p, o, "cpus_online", t->cpus_online);
	nt_put_int(p, o, "cpu_ids", t->cpu_ids);
	nt_put_int(p, o, "llcs", t->llcs);
	if (t->isolated)
		nt_put_str(p, o, "isolated", t->isolated);
	a = nt_put_array(p, o, "nodes");
	for (i = 0; i < t->nnodes; i++)
		put_node(p, a, t, i);
	if (t->cpu_node) {
		a = nt_put_array(p, o, "cpu_node");
		for (i = 0; i < t->cpu_ids; i++) {
			int n = t->cpu_node[i];

			nt_push(p, a, json_integer(n < 0 ? -1 : t->node[n].id));
		}
	}
	if (t->cpu_llc) {
		a = nt_put_array(p, o, "cpu_llc");
		for (i = 0; i < t->cpu_ids; i++)
			nt_push(p, a, json_integer(t->cpu_llc[i]));
	}
}

/* Absent: not counted, not named, not in this kernel, not expected. */
static void put_domain(struct nt_put *p, json_t *chain, const struct nt_domain *d, int expected)
{
	json_t *o = json_object();

	nt_push(p, chain, o);
	nt_put_str(p, o, "name", d->name);
	nt_put_int(p, o, "level", d->level);
	nt_put_u64(p, o, "flags", d->flags);
	nt_put_argv(p, o, "flag_names", d->flag);
	nt_put_int(p, o, "span_weight", d->span_weight);
	nt_put_str(p, o, "span", d->span);
	if (d->groups)
		nt_put_int(p, o, "groups", d->groups);
	if (d->imb_numa_nr >= 0)
		nt_put_int(p, o, "imb_numa_nr", d->imb_numa_nr);
	if (expected >= 0)
		nt_put_int(p, o, "expected", expected);
}

void nt_put_chains(struct nt_put *p, json_t *obj, const struct nt_run *r,
		   const struct nt_expected *x)
{
	json_t *chains = nt_put_array(p, obj, "chains");
	int i, k;

	for (i = 0; i < r->nchains; i++) {
		json_t *o = json_object(), *a;

		nt_push(p, chains, o);
		nt_put_str(p, o, "cpus", r->chain[i].cpus);
		a = nt_put_array(p, o, "domains");
		for (k = 0; k < r->chain[i].n; k++)
			put_domain(p, a, &r->chain[i].d[k], x ? x->imb[i][k] : -1);
	}
}
