// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <jansson.h>
#include <sys/wait.h>

#include "model/json_machine.h"
#include "view/section.h"

static void put_outcome(struct nt_put *p, json_t *o, const struct nt_run *r)
{
	nt_put_real(p, o, "elapsed", r->ru.elapsed);
	nt_put_bool(p, o, "ended", r->ended);
	nt_put_u64(p, o, "samples", nt_run_samples(r));
	nt_put_bool(p, o, "interrupted", r->interrupted);
	if (!r->ended || !r->argv)
		return;
	if (WIFSIGNALED(r->wait_status))
		nt_put_int(p, o, "signal", WTERMSIG(r->wait_status));
	else
		nt_put_int(p, o, "exit_status", WEXITSTATUS(r->wait_status));
}

static void put_identity(struct nt_put *p, json_t *o, const struct nt_run *r)
{
	nt_put_str(p, o, "version", r->version);
	nt_put_str(p, o, "started", r->started);
	nt_put_str(p, o, "hostname", r->hostname);
	nt_put_str(p, o, "kernel", r->kernel);
	nt_put_str(p, o, "machine", r->machine);
	nt_put_str(p, o, "cpu_model", r->cpu_model);
	nt_put_argv(p, o, "command", r->argv);
	if (r->tool)
		nt_put_str(p, o, "tool", r->tool);
	nt_put_argv(p, o, "processes", r->process);
	nt_put_argv(p, o, "params", r->param);
	nt_put_kvs(p, o, "sysctl", &r->sysctl);
	nt_put_argv(p, o, "sched_features", r->sched_feature);
}

static void put_nodes(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	json_t *a = nt_put_array(p, obj, "nodes");
	int i;

	for (i = 0; i < r->topo.nnodes; i++) {
		const struct nt_node *n = &r->topo.node[i];
		json_t *o = json_object();

		nt_push(p, a, o);
		nt_put_int(p, o, "id", n->id);
		nt_put_str(p, o, "cpulist", n->cpulist);
		nt_put_int(p, o, "cpus", n->cpus);
		nt_put_int(p, o, "llcs", n->llcs);
		nt_put_u64(p, o, "mem_kb", n->mem_kb);
		if (r->node_meminfo)
			nt_put_kvs(p, o, "meminfo_kb", &r->node_meminfo[i]);
	}
}

/* Rows: from, columns: to, both in the order of "nodes". */
static void put_matrix(struct nt_put *p, json_t *obj, const struct nt_counters *c, int scope,
		       nt_cell_fn cell)
{
	json_t *rows = nt_put_array(p, obj, nt_scope_name[scope]);
	int from, to;

	for (from = 0; from < c->nnodes; from++) {
		json_t *row = json_array();

		nt_push(p, rows, row);
		for (to = 0; to < c->nnodes; to++)
			nt_push(p, row, nt_u64(cell(c, scope, from, to)));
	}
}

static void put_causes(struct nt_put *p, json_t *obj, const struct nt_counters *c, int scope)
{
	json_t *causes = nt_put_object(p, obj, nt_scope_name[scope]);
	int cause;

	for (cause = 0; cause < NT_NCAUSE; cause++) {
		json_t *o = nt_put_object(p, causes, nt_cause_name[cause]);

		nt_put_u64(p, o, "moves", nt_mig_sum(c, scope, cause, false));
		nt_put_u64(p, o, "cross_node", nt_mig_sum(c, scope, cause, true));
		nt_put_u64(p, o, "same_llc", nt_mig_same_llc(c, scope, cause));
	}
}

/* What was not measured is absent, here as in the metrics. */
static void put_moves(struct nt_put *p, json_t *o, const struct nt_run *r)
{
	int scope = nt_has_workload(r) ? NT_WORKLOAD : NT_SYSTEM, s;
	json_t *sub;

	if (r->feature[NT_F_MIGRATIONS].on) {
		sub = nt_put_object(p, o, "causes");
		for (s = scope; s < NT_NSCOPE; s++)
			put_causes(p, sub, &r->total, s);
		sub = nt_put_object(p, o, "matrix");
		for (s = scope; s < NT_NSCOPE; s++)
			put_matrix(p, sub, &r->total, s, nt_all_causes);
	}
	if (r->feature[NT_F_FORK].on) {
		sub = nt_put_object(p, o, "forks");
		for (s = scope; s < NT_NSCOPE; s++)
			put_matrix(p, sub, &r->total, s, nt_forks);
	}
}

static void put_chains(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	struct nt_expected x = { .why = NULL };

	if (!r->feature[NT_F_DOMAINS].on)
		return;
	p->err = p->err ?: nt_expect(r, &x);
	if (!p->err)
		nt_put_chains(p, obj, r, &x);
	nt_expected_free(&x);
}

static void put_losses(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	json_t *o;

	if (!r->ended)
		return;
	o = nt_put_object(p, obj, "lost");
	nt_put_u64(p, o, "groups_full", r->lost.groups_full);
	nt_put_u64(p, o, "tasks_full", r->lost.tasks_full);
	nt_put_u64(p, o, "bad_cpu", r->lost.bad_cpu);
	nt_put_u64(p, o, "unfinished", r->lost.unfinished);
	nt_put_u64(p, o, "missed", r->lost.missed);
	nt_put_real(p, obj, "self_cpu", r->self_cpu);
}

static void put_all(struct nt_put *p, json_t *o, const struct nt_run *r, const struct nt_kvs *m)
{
	put_identity(p, o, r);
	put_outcome(p, o, r);
	put_nodes(p, o, r);
	nt_put_kvs(p, o, "metrics", m);
	put_moves(p, o, r);
	put_chains(p, o, r);
	nt_put_features(p, o, r);
	put_losses(p, o, r);
	nt_put_strings(p, o, "notes", r->note, r->nnotes);
}

int nt_report_json(FILE *out, const struct nt_run *r)
{
	struct nt_kvs m = { 0 };
	struct nt_put p = { 0 };
	json_t *o = json_object();
	int err = nt_run_metrics(r, &m);

	if (!err) {
		put_all(&p, o, r, &m);
		err = p.err;
	}
	if (!err && !json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)))
		fputc('\n', out);
	json_decref(o);
	nt_kvs_free(&m);
	return err;
}
