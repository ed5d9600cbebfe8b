// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <jansson.h>

#include "model/json_put.h"
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

int nt_snapshot_json(FILE *out, const struct nt_run *r, const struct nt_snapshot *s, double t,
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
	if (!p.err && !json_dumpf(o, out, JSON_COMPACT))
		fputc('\n', out);
	json_decref(o);
	return p.err;
}
