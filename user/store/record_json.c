// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_json.h"

#include <errno.h>

#include <string.h>

#include "model/json_machine.h"
#include "store/members.h"

static json_t *finish(struct nt_put *p, json_t *obj)
{
	if (!p->err)
		return obj;
	json_decref(obj);
	return NULL;
}

json_t *nt_json_header(const struct nt_run *r)
{
	struct nt_put p = { 0 };
	json_t *o = json_object();
	nt_put_str(&p, o, "type", "header");
	nt_put_str(&p, o, "schema", NT_SCHEMA);
	nt_put_str(&p, o, "version", r->version);
	nt_put_str(&p, o, "started", r->started);
	nt_put_str(&p, o, "hostname", r->hostname);
	nt_put_str(&p, o, "kernel", r->kernel);
	nt_put_str(&p, o, "machine", r->machine);
	nt_put_str(&p, o, "cpu_model", r->cpu_model);
	nt_put_argv(&p, o, "argv", r->argv);
	if (r->tool)
		nt_put_str(&p, o, "tool", r->tool);
	nt_put_argv(&p, o, "processes", r->process);
	nt_put_argv(&p, o, "params", r->param);
	nt_put_kvs(&p, o, "sysctl", &r->sysctl);
	nt_put_argv(&p, o, "sched_features", r->sched_feature);
	nt_put_int(&p, o, "tick_hz", r->tick_hz);
	nt_put_bool(&p, o, "bpf", r->bpf);
	nt_put_features(&p, o, r);
	nt_put_topology(&p, o, &r->topo);
	nt_put_chains(&p, o, r, NULL);
	return finish(&p, o);
}

static void put_node_count(struct nt_put *p, json_t *nodes, int id, const struct nt_node_count *n)
{
	json_t *o = json_object(), *ticks;
	int i;

	nt_push(p, nodes, o);
	nt_put_int(p, o, "id", id);
	ticks = nt_put_object(p, o, "ticks");
	for (i = 0; i < NT_NTICK; i++)
		nt_put_count(p, ticks, nt_tick_name[i], n->tick[i]);
	nt_put_count(p, o, "online_ns", n->online_ns);
	nt_put_members(p, o, nt_cpu_time_members, &n->wl);
	nt_put_count(p, o, "sched_softirqs", n->sched_softirqs);
	nt_put_kvs(p, o, "mem", &n->mem);
}

/* [cause, from node, to node, moves, of these within one LLC] */
static void put_mig_row(struct nt_put *p, json_t *rows, const struct nt_topology *t,
			const struct nt_mig_cell *cell, int cause, int from, int to)
{
	json_t *row;

	if (!cell->n && !cell->same_llc)
		return;
	row = json_array();
	nt_push(p, rows, row);
	nt_push(p, row, nt_str(nt_cause_name[cause]));
	nt_push(p, row, json_integer(t->node[from].id));
	nt_push(p, row, json_integer(t->node[to].id));
	nt_push(p, row, nt_u64(cell->n));
	nt_push(p, row, nt_u64(cell->same_llc));
}

static void put_migrations(struct nt_put *p, json_t *obj, const struct nt_topology *t,
			   const struct nt_counters *c)
{
	json_t *o = nt_put_object(p, obj, "migrations");
	int s, cause, from, to;

	for (s = 0; s < NT_NSCOPE; s++) {
		json_t *rows = nt_put_array(p, o, nt_scope_name[s]);

		for (cause = 0; cause < NT_NCAUSE; cause++)
			for (from = 0; from < c->nnodes; from++)
				for (to = 0; to < c->nnodes; to++)
					put_mig_row(p, rows, t, nt_mig(c, s, cause, from, to),
						    cause, from, to);
	}
}

/* [parent's node, child's first node, tasks] */
static void put_forks(struct nt_put *p, json_t *obj, const struct nt_topology *t,
		      const struct nt_counters *c)
{
	json_t *o = nt_put_object(p, obj, "forks");
	int s, from, to;

	for (s = 0; s < NT_NSCOPE; s++) {
		json_t *rows = nt_put_array(p, o, nt_scope_name[s]);

		for (from = 0; from < c->nnodes; from++) {
			for (to = 0; to < c->nnodes; to++) {
				uint64_t n = *nt_fork(c, s, from, to);
				json_t *row;

				if (!n)
					continue;
				row = json_array();
				nt_push(p, rows, row);
				nt_push(p, row, json_integer(t->node[from].id));
				nt_push(p, row, json_integer(t->node[to].id));
				nt_push(p, row, nt_u64(n));
			}
		}
	}
}

static void put_placement(struct nt_put *p, json_t *obj, const struct nt_counters *c)
{
	json_t *o = nt_put_object(p, obj, "placement");
	int s, w, k;

	for (s = 0; s < NT_NSCOPE; s++) {
		json_t *scope = nt_put_object(p, o, nt_scope_name[s]);

		for (w = 0; w < NT_NWAKE; w++) {
			json_t *wake = nt_put_object(p, scope, nt_wake_name[w]);

			for (k = 0; k < NT_NPLACE; k++)
				nt_put_count(p, wake, nt_place_name[k], c->place[s][w][k]);
		}
	}
}

static void put_balance(struct nt_put *p, json_t *obj, const struct nt_counters *c)
{
	static const struct nt_balance_count none;
	json_t *rows = nt_put_array(p, obj, "balance");
	int level, idle;

	for (level = 0; level < NT_MAX_LEVELS; level++) {
		for (idle = 0; idle < NT_NIDLE; idle++) {
			const struct nt_balance_count *b = &c->balance[level][idle];
			json_t *o;

			if (!memcmp(b, &none, sizeof(none)))
				continue;
			o = json_object();
			nt_push(p, rows, o);
			nt_put_int(p, o, "level", level);
			nt_put_str(p, o, "idle", nt_idle_name[idle]);
			nt_put_members(p, o, nt_balance_members, b);
		}
	}
}

json_t *nt_json_counters(const struct nt_run *r, const struct nt_counters *c)
{
	struct nt_put p = { 0 };
	json_t *o = json_object(), *nodes = nt_put_array(&p, o, "nodes");
	int i;

	for (i = 0; i < c->nnodes; i++)
		put_node_count(&p, nodes, r->topo.node[i].id, &c->node[i]);
	put_migrations(&p, o, &r->topo, c);
	put_forks(&p, o, &r->topo, c);
	put_placement(&p, o, c);
	put_balance(&p, o, c);
	nt_put_kvs(&p, o, "sys", &c->sys);
	return finish(&p, o);
}

/* What CPUs had to run when the sample ended. Without pairs there was nothing to judge. */
static void put_queues(struct nt_put *p, json_t *obj, const struct nt_run *r,
		       const struct nt_sample_queues *q)
{
	json_t *o, *a, *row;
	int i;

	if (!q->node)
		return;
	o = nt_put_object(p, obj, "snapshot");
	nt_put_bool(p, o, "has_workload", q->has_workload);
	nt_put_bool(p, o, "has_delayed", q->has_delayed);
	a = nt_put_array(p, o, "nodes");
	for (i = 0; i < r->topo.nnodes; i++) {
		row = json_object();
		nt_push(p, a, row);
		nt_put_int(p, row, "id", r->topo.node[i].id);
		nt_put_queue(p, row, &q->node[i]);
	}
	if (!q->pairs)
		return;
	nt_put_int(p, o, "pairs", q->pairs);
	nt_put_int(p, o, "settled", q->settled);
	nt_put_int(p, o, "beyond", q->beyond);
	nt_put_int(p, o, "difference", q->difference);
}

json_t *nt_json_sample(const struct nt_run *r, const struct nt_sample *s)
{
	struct nt_put p = { 0 };
	json_t *o = json_object();

	nt_put_str(&p, o, "type", "sample");
	nt_put_real(&p, o, "t", s->t);
	nt_put_real(&p, o, "dt", s->dt);
	nt_put_str(&p, o, "online", s->online);
	nt_put(&p, o, "counters", nt_json_counters(r, &s->c));
	put_queues(&p, o, r, &s->queues);
	return finish(&p, o);
}

static void put_rusage(struct nt_put *p, json_t *obj, const struct nt_rusage *ru)
{
	json_t *o = nt_put_object(p, obj, "rusage");

	nt_put_real(p, o, "elapsed", ru->elapsed);
	nt_put_real(p, o, "user", ru->user);
	nt_put_real(p, o, "system", ru->system);
	nt_put_members(p, o, nt_rusage_members, ru);
}

static void put_meminfo(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	json_t *a = nt_put_array(p, obj, "meminfo");
	int i;

	for (i = 0; r->node_meminfo && i < r->topo.nnodes; i++) {
		json_t *o = json_object();

		nt_push(p, a, o);
		nt_put_int(p, o, "id", r->topo.node[i].id);
		nt_put_kvs(p, o, "kb", &r->node_meminfo[i]);
	}
}

/* An array, since two scores may have one name. */
static void put_scores(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	json_t *a = nt_put_array(p, obj, "scores");
	size_t i;

	for (i = 0; i < r->nscores; i++) {
		json_t *o = json_object();

		nt_push(p, a, o);
		nt_put_str(p, o, "key", r->score[i].key);
		nt_put_real(p, o, "value", r->score[i].value);
	}
}

/* What compare reads, and anybody who wants numbers without knowing how they are made. */
static void put_metrics(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	struct nt_kvs m = { 0 };

	if (nt_run_metrics(r, &m))
		p->err = -ENOMEM;
	nt_put_kvs(p, obj, "metrics", &m);
	nt_kvs_free(&m);
}

json_t *nt_json_end(const struct nt_run *r)
{
	struct nt_put p = { 0 };
	json_t *o = json_object();

	nt_put_str(&p, o, "type", "end");
	nt_put_bool(&p, o, "interrupted", r->interrupted);
	nt_put_int(&p, o, "wait_status", r->wait_status);
	put_rusage(&p, o, &r->ru);
	nt_put(&p, o, "counters", nt_json_counters(r, &r->total));
	put_meminfo(&p, o, r);
	put_scores(&p, o, r);
	put_metrics(&p, o, r);
	nt_put_members(&p, nt_put_object(&p, o, "lost"), nt_lost_members, &r->lost);
	nt_put_int(&p, o, "alive_after", r->alive_after);
	nt_put_real(&p, o, "self_cpu", r->self_cpu);
	nt_put_strings(&p, o, "notes", r->note, r->nnotes);
	return finish(&p, o);
}
