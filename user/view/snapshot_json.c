// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "model/json_put.h"
#include "model/levels.h"
#include "view/snapshot_view.h"

static void put_queue(struct nt_put *p, json_t *o, const struct nt_snapshot *s,
		      const struct nt_queue *q)
{
	nt_put_u64(p, o, "idle", q->idle);
	nt_put_u64(p, o, "runnable", q->running);
	nt_put_u64(p, o, "fair", q->fair);
	if (s->has_delayed)
		nt_put_u64(p, o, "asleep", q->delayed);
	nt_put_u64(p, o, "util", q->util);
	nt_put_u64(p, o, "load", q->load);
	nt_put_u64(p, o, "capacity", q->capacity);
}

static void put_node(struct nt_put *p, json_t *o, const struct nt_snapshot *s,
		     const struct nt_queue *q)
{
	nt_put_u64(p, o, "cpus", q->cpus);
	put_queue(p, o, s, q);
}

static void put_nodes(struct nt_put *p, json_t *obj, const struct nt_run *r,
		      const struct nt_snapshot *s)
{
	json_t *a = nt_put_array(p, obj, "nodes"), *o;
	struct nt_queue all;
	int i;

	for (i = 0; i < s->nnodes; i++) {
		o = json_object();
		nt_push(p, a, o);
		nt_put_int(p, o, "id", r->topo.node[i].id);
		put_node(p, o, s, &s->node[i]);
	}
	nt_snapshot_total(s, &all);
	put_node(p, nt_put_object(p, obj, "all"), s, &all);
}

static void put_cpus(struct nt_put *p, json_t *obj, const struct nt_run *r,
		     const struct nt_snapshot *s)
{
	json_t *a = nt_put_array(p, obj, "cpus"), *o;
	int i;

	for (i = 0; i < s->ncpus; i++) {
		const struct nt_cpu_queue *c = &s->cpu[i];

		o = json_object();
		nt_push(p, a, o);
		nt_put_int(p, o, "cpu", c->cpu);
		if (c->node >= 0)
			nt_put_int(p, o, "node", r->topo.node[c->node].id);
		put_queue(p, o, s, &c->q);
	}
}

static void put_groups(struct nt_put *p, json_t *obj, const struct nt_numa_map *m)
{
	json_t *a = nt_put_array(p, obj, "groups"), *o;
	char *cpus;
	int i;

	for (i = 0; i < m->ngroups; i++) {
		o = json_object();
		nt_push(p, a, o);
		nt_put_str(p, o, "name", m->group[i].name);
		cpus = nt_cpuset_format(&m->group[i].cpus);
		nt_put(p, o, "cpus", cpus ? json_string(cpus) : NULL);
		free(cpus);
	}
}

/* Null: not settled. */
static void put_verdict(struct nt_put *p, json_t *o, const char *key, enum nt_verdict v)
{
	static const char *const names[] = { [NT_STAYS] = "stays", [NT_MOVES] = "moves" };

	nt_put_str(p, o, key, v == NT_UNSETTLED ? NULL : names[v]);
}

static void put_pairs(struct nt_put *p, json_t *obj, const struct nt_run *r,
		      const struct nt_numa_map *m, const struct nt_numa_judgement *j)
{
	json_t *a = nt_put_array(p, obj, "pairs"), *o;
	char label[NT_LEVEL_LABEL];
	int i, imb;

	for (i = 0; i < m->npairs; i++) {
		const struct nt_numa_judged *is = &j->j[i];

		o = json_object();
		nt_push(p, a, o);
		nt_put_str(p, o, "level", nt_level_label(r, is->pair->level, label, sizeof(label)));
		nt_put_str(p, o, "more", m->group[is->more].name);
		nt_put_str(p, o, "less", m->group[is->less].name);
		nt_put_int(p, o, "more_running", is->running[0]);
		nt_put_int(p, o, "less_running", is->running[1]);
		imb = nt_numa_pair_imb(r, is->pair);
		if (imb >= 0)
			nt_put_int(p, o, "imb_numa_nr", imb);
		put_verdict(p, o, "balance", is->balance);
		put_verdict(p, o, "fork", is->fork);
		put_verdict(p, o, "exec", is->exec);
	}
	nt_put_str(p, obj, "rule", m->rules.may ? nt_numa_rules_text(&m->rules) : NULL);
	nt_put_str(p, obj, "no_rule", m->why ? m->why : m->rules.why);
}

int nt_snapshot_json(FILE *out, const struct nt_run *r, const struct nt_numa_map *m,
		     const struct nt_numa_judgement *j, const struct nt_snapshot *s, double t,
		     bool per_cpu)
{
	int self = nt_snapshot_self(s);
	json_t *o = json_object();
	struct nt_put p = { 0 };

	nt_put_str(&p, o, "version", r->version);
	nt_put_str(&p, o, "hostname", r->hostname);
	nt_put_str(&p, o, "kernel", r->kernel);
	nt_put_str(&p, o, "started", r->started);
	nt_put_real(&p, o, "t", t);
	nt_put_u64(&p, o, "took_ns", s->took_ns);
	if (self >= 0)
		nt_put_int(&p, o, "self_cpu", self);
	put_nodes(&p, o, r, s);
	if (per_cpu)
		put_cpus(&p, o, r, s);
	put_groups(&p, o, m);
	put_pairs(&p, o, r, m, j);
	if (!p.err && !json_dumpf(o, out, JSON_COMPACT))
		fputc('\n', out);
	json_decref(o);
	return p.err;
}
