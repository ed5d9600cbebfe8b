// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_parse.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/cpulist.h"

/* An array of n whole numbers; NULL if absent. */
static int get_ints(struct nt_get *g, const json_t *obj, const char *key, int n, int min, int max,
		    int **out)
{
	json_t *a, *v;
	size_t i;
	int err = nt_get_array(g, obj, key, &a);

	if (err || !a)
		return err;
	if (json_array_size(a) != (size_t)n)
		return nt_fail(g->e, -EINVAL, "%s: %s: expected %d numbers, found %zu", g->where,
			       key, n, json_array_size(a));
	*out = nt_get_alloc(g, n, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	json_array_foreach(a, i, v) {
		err = nt_as_int(g, key, v, min, max, &(*out)[i]);
		if (err)
			return err;
	}
	return 0;
}

static int parse_node(struct nt_get *g, const json_t *o, struct nt_topology *t, int i)
{
	struct nt_node *node = &t->node[i];
	int err;

	err = nt_as_int(g, "node id", json_object_get(o, "id"), 0, INT_MAX, &node->id);
	if (!err && i && node->id <= node[-1].id)
		err = nt_fail(g->e, -EINVAL, "%s: node %d follows node %d: ids must rise",
			      g->where, node->id, node[-1].id);
	if (!err)
		err = nt_get_text(g, o, "cpulist", &node->cpulist);
	if (!err)
		err = nt_get_int(g, o, "cpus", 0, NT_CPU_LIMIT, &node->cpus);
	if (!err)
		err = nt_get_int(g, o, "llcs", 0, NT_CPU_LIMIT, &node->llcs);
	if (!err)
		err = nt_get_u64(g, o, "mem_kb", &node->mem_kb);
	if (!err)
		err = get_ints(g, o, "distance", t->nnodes, 0, INT_MAX, &node->distance);
	return err;
}

static int parse_nodes(struct nt_get *g, const json_t *obj, struct nt_topology *t)
{
	json_t *a, *o;
	size_t i;
	int err = nt_get_array(g, obj, "nodes", &a);

	if (err)
		return err;
	if (!json_array_size(a) || json_array_size(a) > NT_MAX_NODES)
		return nt_fail(g->e, -EINVAL, "%s: %zu nodes: expected 1 to %d", g->where,
			       json_array_size(a), NT_MAX_NODES);
	t->node = nt_get_alloc(g, json_array_size(a), sizeof(*t->node));
	if (!t->node)
		return -ENOMEM;
	t->nnodes = (int)json_array_size(a);
	json_array_foreach(a, i, o) {
		err = parse_node(g, o, t, (int)i);
		if (err)
			return err;
	}
	return 0;
}

/* In the file a CPU's node is an id, in memory an index. */
static int ids_to_index(struct nt_get *g, struct nt_topology *t)
{
	int cpu, i;

	for (cpu = 0; t->cpu_node && cpu < t->cpu_ids; cpu++) {
		int id = t->cpu_node[cpu];

		for (i = id < 0 ? -1 : 0; i >= 0 && i < t->nnodes; i++)
			if (t->node[i].id == id)
				break;
		if (i == t->nnodes)
			return nt_fail(g->e, -EINVAL, "%s: CPU %d: node %d is not listed",
				       g->where, cpu, id);
		t->cpu_node[cpu] = i;
	}
	return 0;
}

static int parse_topology(struct nt_get *g, const json_t *line, struct nt_topology *t)
{
	json_t *o;
	int err = nt_get_object(g, line, "topology", &o);

	if (!err && !o)
		err = nt_get_wrong(g, "topology", "an object", o);
	if (!err)
		err = nt_get_int(g, o, "cpus_online", 0, NT_CPU_LIMIT, &t->cpus_online);
	if (!err)
		err = nt_get_int(g, o, "cpu_ids", 0, NT_CPU_LIMIT, &t->cpu_ids);
	if (!err)
		err = nt_get_int(g, o, "llcs", 0, NT_CPU_LIMIT, &t->llcs);
	if (!err)
		err = nt_get_str(g, o, "isolated", &t->isolated);
	if (!err)
		err = parse_nodes(g, o, t);
	if (!err)
		err = get_ints(g, o, "cpu_node", t->cpu_ids, -1, INT_MAX, &t->cpu_node);
	if (!err)
		err = ids_to_index(g, t);
	if (!err)
		err = get_ints(g, o, "cpu_llc", t->cpu_ids, -1, NT_CPU_LIMIT, &t->cpu_llc);
	return err;
}

static int parse_domain(struct nt_get *g, const json_t *o, struct nt_domain *d)
{
	uint64_t flags = 0;
	char *name = NULL;
	size_t nflags;
	int err;

	d->imb_numa_nr = -1;
	err = nt_get_text(g, o, "name", &name);
	if (!err && strlen(name) >= sizeof(d->name))
		err = nt_fail(g->e, -EINVAL, "%s: a domain's name of %zu characters, limit %zu",
			      g->where, strlen(name), sizeof(d->name) - 1);
	if (!err)
		strcpy(d->name, name);
	free(name);
	if (!err)
		err = nt_get_int(g, o, "level", 0, NT_MAX_LEVELS - 1, &d->level);
	if (!err)
		err = nt_get_u64(g, o, "flags", &flags);
	d->flags = (unsigned int)flags;
	if (!err)
		err = nt_get_strings(g, o, "flag_names", &d->flag, &nflags);
	if (!err)
		err = nt_get_int(g, o, "span_weight", 0, NT_CPU_LIMIT, &d->span_weight);
	if (!err)
		err = nt_get_str(g, o, "span", &d->span);
	if (!err)
		err = nt_get_int(g, o, "groups", 0, NT_CPU_LIMIT, &d->groups);
	if (!err)
		err = nt_get_int(g, o, "imb_numa_nr", -1, INT_MAX, &d->imb_numa_nr);
	return err;
}

static int parse_chain(struct nt_get *g, const json_t *o, struct nt_chain *c)
{
	json_t *a, *d;
	size_t i;
	int err = nt_get_text(g, o, "cpus", &c->cpus);

	if (!err)
		err = nt_get_array(g, o, "domains", &a);
	if (err)
		return err;
	c->d = nt_get_alloc(g, json_array_size(a), sizeof(*c->d));
	if (!c->d)
		return -ENOMEM;
	json_array_foreach(a, i, d) {
		c->n = (int)i + 1;
		err = parse_domain(g, d, &c->d[i]);
		if (err)
			return err;
	}
	return 0;
}

static int parse_chains(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	json_t *a, *o;
	size_t i;
	int err = nt_get_array(g, line, "chains", &a);

	if (err)
		return err;
	r->chain = nt_get_alloc(g, json_array_size(a), sizeof(*r->chain));
	if (!r->chain)
		return -ENOMEM;
	json_array_foreach(a, i, o) {
		r->nchains = (int)i + 1;
		err = parse_chain(g, o, &r->chain[i]);
		if (err)
			return err;
	}
	return 0;
}

static int parse_features(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	json_t *features, *o;
	int i, err = nt_get_object(g, line, "features", &features);

	for (i = 0; !err && features && i < NT_NFEATURE; i++) {
		struct nt_feature *f = &r->feature[i];

		err = nt_get_object(g, features, nt_feature_name[i], &o);
		if (!err && o)
			err = nt_get_bool(g, o, "on", &f->on);
		if (!err && o)
			err = nt_get_str(g, o, "way", &f->way);
		if (!err && o)
			err = nt_get_str(g, o, "why", &f->why);
	}
	return err;
}

#define FEATURES_MAX	1024	/* kernels have some thirty; each is looked for in another list */

static int parse_sched_features(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	size_t n = 0;
	int err = nt_get_strings(g, line, "sched_features", &r->sched_feature, &n);

	if (!err && n > FEATURES_MAX)
		err = nt_fail(g->e, -EINVAL, "%s: sched_features: %zu names, limit %d", g->where, n,
			      FEATURES_MAX);
	return err;
}

static int parse_names(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	size_t argc, nprocesses, nparams;
	int err;

	err = nt_get_text(g, line, "version", &r->version);
	if (!err)
		err = nt_get_text(g, line, "started", &r->started);
	if (!err)
		err = nt_get_text(g, line, "hostname", &r->hostname);
	if (!err)
		err = nt_get_text(g, line, "kernel", &r->kernel);
	if (!err)
		err = nt_get_text(g, line, "machine", &r->machine);
	if (!err)
		err = nt_get_text(g, line, "cpu_model", &r->cpu_model);
	if (!err)
		err = nt_get_strings(g, line, "argv", &r->argv, &argc);
	if (!err)
		err = nt_get_str(g, line, "tool", &r->tool);
	if (!err)
		err = nt_get_strings(g, line, "processes", &r->process, &nprocesses);
	if (!err)
		err = nt_get_strings(g, line, "params", &r->param, &nparams);
	return err;
}

int nt_parse_header(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	int err;

	r->tick_hz = 100;
	r->alive_after = -1;
	err = parse_names(g, line, r);
	if (!err)
		err = nt_get_kvs(g, line, "sysctl", &r->sysctl);
	if (!err)
		err = parse_sched_features(g, line, r);
	if (!err)
		err = nt_get_int(g, line, "tick_hz", 1, 1000000, &r->tick_hz);
	if (!err)
		err = nt_get_bool(g, line, "bpf", &r->bpf);
	if (!err)
		err = parse_features(g, line, r);
	if (!err)
		err = parse_topology(g, line, &r->topo);
	if (!err)
		err = parse_chains(g, line, r);
	if (!err && nt_counters_init(&r->total, r->topo.nnodes))
		err = nt_fail(g->e, -ENOMEM, "%s: out of memory", g->where);
	return err;
}
