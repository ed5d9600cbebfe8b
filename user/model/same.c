// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/same.h"

#include <string.h>

bool nt_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool nt_same_strings(char *const *a, char *const *b)
{
	if (!a || !b)
		return a == b;
	for (; *a && *b; a++, b++)
		if (strcmp(*a, *b))
			return false;
	return *a == *b;
}

bool nt_same_kvs(const struct nt_kvs *a, const struct nt_kvs *b)
{
	size_t i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++)
		if (strcmp(a->v[i].key, b->v[i].key) || a->v[i].value != b->v[i].value)
			return false;
	return true;
}

static bool same_ints(const int *a, const int *b, int n)
{
	if (!a || !b)
		return a == b;
	return !memcmp(a, b, (size_t)n * sizeof(*a));
}

bool nt_same_topology(const struct nt_topology *a, const struct nt_topology *b)
{
	int i;

	if (a->nnodes != b->nnodes || a->cpus_online != b->cpus_online ||
	    a->cpu_ids != b->cpu_ids || a->llcs != b->llcs ||
	    !nt_same_text(a->isolated, b->isolated))
		return false;
	for (i = 0; i < a->nnodes; i++) {
		const struct nt_node *m = &a->node[i], *n = &b->node[i];

		if (m->id != n->id || m->cpus != n->cpus || m->llcs != n->llcs ||
		    !nt_same_text(m->cpulist, n->cpulist) ||
		    !same_ints(m->distance, n->distance, a->nnodes))
			return false;
	}
	return same_ints(a->cpu_node, b->cpu_node, a->cpu_ids) &&
	       same_ints(a->cpu_llc, b->cpu_llc, a->cpu_ids);
}

bool nt_same_domain(const struct nt_domain *a, const struct nt_domain *b)
{
	return !strcmp(a->name, b->name) && a->level == b->level && a->flags == b->flags &&
	       a->span_weight == b->span_weight && a->groups == b->groups &&
	       a->imb_numa_nr == b->imb_numa_nr && nt_same_text(a->span, b->span);
}

static bool same_chain(const struct nt_chain *a, const struct nt_chain *b)
{
	int i;

	if (a->n != b->n || !nt_same_text(a->cpus, b->cpus))
		return false;
	for (i = 0; i < a->n; i++)
		if (!nt_same_domain(&a->d[i], &b->d[i]))
			return false;
	return true;
}

bool nt_same_chains(const struct nt_run *a, const struct nt_run *b)
{
	int i;

	if (a->nchains != b->nchains)
		return false;
	for (i = 0; i < a->nchains; i++)
		if (!same_chain(&a->chain[i], &b->chain[i]))
			return false;
	return true;
}

bool nt_same_features(const struct nt_run *a, const struct nt_run *b)
{
	int i;

	for (i = 0; i < NT_NFEATURE; i++)
		if (a->feature[i].on != b->feature[i].on ||
		    !nt_same_text(a->feature[i].way, b->feature[i].way))
			return false;
	return a->bpf == b->bpf;
}

bool nt_same_header(const struct nt_run *a, const struct nt_run *b)
{
	return nt_same_text(a->version, b->version) && nt_same_text(a->hostname, b->hostname) &&
	       nt_same_text(a->kernel, b->kernel) && nt_same_text(a->machine, b->machine) &&
	       nt_same_text(a->cpu_model, b->cpu_model) && nt_same_strings(a->argv, b->argv) &&
	       nt_same_text(a->tool, b->tool) &&
	       nt_same_strings(a->process, b->process) &&
	       nt_same_strings(a->param, b->param) && nt_same_kvs(&a->sysctl, &b->sysctl) &&
	       nt_same_strings(a->sched_feature, b->sched_feature) &&
	       a->tick_hz == b->tick_hz && nt_same_topology(&a->topo, &b->topo) &&
	       nt_same_chains(a, b) && nt_same_features(a, b);
}
