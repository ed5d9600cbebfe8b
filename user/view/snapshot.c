// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/snapshot.h"

#include <errno.h>
#include <stdlib.h>

#include "view/section.h"
#include "view/snapshot_view.h"
#include "view/tbl.h"

#define ONE_TASK	1024.0	/* load of a task of nice 0 that always runs */

static void queue_columns(struct nt_tbl *t, const struct nt_snapshot *s)
{
	nt_tbl_col(t, NT_RIGHT, "RUNNABLE");
	nt_tbl_col(t, NT_RIGHT, "FAIR");
	if (s->has_delayed)
		nt_tbl_col(t, NT_RIGHT, "ASLEEP");
	nt_tbl_col(t, NT_RIGHT, "%%UTIL");
	nt_tbl_col(t, NT_RIGHT, "LOAD");
}

static void queue_cells(struct nt_tbl *t, const struct nt_snapshot *s, const struct nt_queue *q)
{
	nt_tbl_cell(t, "%u", q->running);
	nt_tbl_cell(t, "%u", q->fair);
	if (s->has_delayed)
		nt_tbl_cell(t, "%u", q->delayed);
	if (q->capacity)
		nt_tbl_cell(t, "%.1f", 100.0 * (double)q->util / (double)q->capacity);
	else
		nt_tbl_cell(t, "-");
	nt_tbl_cell(t, "%.2f", (double)q->load / ONE_TASK);
}

static void node_cells(struct nt_tbl *t, const struct nt_snapshot *s, const struct nt_queue *q)
{
	if (!q->cpus) {
		nt_tbl_cell(t, "no CPUs");
		return;
	}
	nt_tbl_cell(t, "%u", q->cpus);
	nt_tbl_cell(t, "%u", q->idle);
	queue_cells(t, s, q);
}

static int show_nodes(const struct nt_section *sec, const struct nt_snapshot *s)
{
	const struct nt_topology *topo = &sec->r->topo;
	struct nt_tbl *t = nt_tbl_new();
	struct nt_queue all;
	int i;

	nt_tbl_col(t, NT_RIGHT, "NODE");
	nt_tbl_col(t, NT_RIGHT, "CPUS");
	nt_tbl_col(t, NT_RIGHT, "IDLE");
	queue_columns(t, s);
	nt_snapshot_total(s, &all);
	nt_tbl_row(t);
	nt_tbl_cell(t, "all");
	node_cells(t, s, &all);
	for (i = 0; i < s->nnodes; i++) {
		nt_tbl_row(t);
		nt_tbl_cell(t, "%d", topo->node[i].id);
		node_cells(t, s, &s->node[i]);
	}
	return nt_tbl_print(t, sec->out);
}

static void node_cell(struct nt_tbl *t, const struct nt_topology *topo, int node)
{
	if (node < 0)
		nt_tbl_cell(t, "-");
	else
		nt_tbl_cell(t, "%d", topo->node[node].id);
}

static int show_cpus(const struct nt_section *sec, const struct nt_snapshot *s)
{
	struct nt_tbl *t = nt_tbl_new();
	int i;

	fputc('\n', sec->out);
	nt_tbl_col(t, NT_RIGHT, "CPU");
	nt_tbl_col(t, NT_RIGHT, "NODE");
	nt_tbl_col(t, NT_RIGHT, "IDLE");
	queue_columns(t, s);
	for (i = 0; i < s->ncpus; i++) {
		nt_tbl_row(t);
		nt_tbl_cell(t, "%d", s->cpu[i].cpu);
		node_cell(t, &sec->r->topo, s->cpu[i].node);
		nt_tbl_cell(t, "%u", s->cpu[i].q.idle);
		queue_cells(t, s, &s->cpu[i].q);
	}
	return nt_tbl_print(t, sec->out);
}

static int count_unplaced(const struct nt_snapshot *s)
{
	int i, n = 0;

	for (i = 0; i < s->ncpus; i++)
		n += s->cpu[i].node < 0;
	return n;
}

static int explain(const struct nt_section *sec, const struct nt_snapshot *s)
{
	int self = nt_snapshot_self(s), unplaced = count_unplaced(s), err = 0;

	if (self >= 0)
		err = nt_line(sec, "read in %.3f ms; numatrace, on CPU %d, is not counted but in "
			      "%%UTIL and LOAD", (double)s->took_ns / 1e6, self);
	else
		err = nt_line(sec, "read in %.3f ms", (double)s->took_ns / 1e6);
	if (!err && !s->has_delayed)
		err = nt_line(sec, "tasks that sleep and are still queued are in RUNNABLE: this "
			      "kernel does not count them");
	if (!err && unplaced)
		err = nt_line(sec, "%d CPU%s of no known node: in no row of nodes", unplaced,
			      unplaced == 1 ? "" : "s");
	return err;
}

static int show_machine(const struct nt_section *sec)
{
	const struct nt_run *r = sec->r;
	char *kernel = nt_safe(r->kernel), *host = nt_safe(r->hostname);

	if (kernel && host)
		fprintf(sec->out, "Linux %s on %s: %d node%s, %d CPU%s on line; %s\n", kernel, host,
			r->topo.nnodes, r->topo.nnodes == 1 ? "" : "s", r->topo.cpus_online,
			r->topo.cpus_online == 1 ? "" : "s", r->started);
	free(host);
	free(kernel);
	return kernel && host ? 0 : -ENOMEM;
}

static int report_tables(const struct nt_section *sec, const struct nt_numa_map *m,
			 const struct nt_numa_judgement *j, const struct nt_snapshot *s, double t,
			 bool per_cpu)
{
	int err = t > 0 ? 0 : show_machine(sec);

	nt_heading(sec, "Runnable tasks at %.3f s", t);
	err = err ?: show_nodes(sec, s);
	if (!err && per_cpu)
		err = show_cpus(sec, s);
	err = err ?: explain(sec, s);
	return err ?: nt_show_judgement(sec, m, j, s);
}

int nt_snapshot_report(FILE *out, const struct nt_run *r, const struct nt_numa_map *m,
		       const struct nt_snapshot *s, double t, const struct nt_snapshot_view *view)
{
	struct nt_section sec = {
		.out = out, .r = r, .color = view->o.color,
		.width = view->o.width > 0 ? view->o.width : NT_DEFAULT_WIDTH,
	};
	struct nt_numa_judgement j;
	int err = nt_numa_judge(m, r, s, &j);

	if (!err && view->o.format == NT_FORMAT_JSON)
		err = nt_snapshot_json(out, r, m, &j, s, t, view->per_cpu);
	else if (!err)
		err = report_tables(&sec, m, &j, s, t, view->per_cpu);
	nt_numa_judgement_free(&j);
	return err ?: nt_flush(out);
}
