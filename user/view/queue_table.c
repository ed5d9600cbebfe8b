// SPDX-License-Identifier: GPL-2.0-or-later
/* What CPUs had to run, over the samples of a run. */
#include "view/plot.h"
#include "view/section.h"
#include "view/tbl.h"

#define SPARK_WIDTH	40

static void spread_columns(struct nt_tbl *t)
{
	nt_tbl_col(t, NT_RIGHT, "AVERAGE");
	nt_tbl_col(t, NT_RIGHT, "MIN");
	nt_tbl_col(t, NT_RIGHT, "MAX");
}

static void spread_cells(struct nt_tbl *t, const struct nt_spread *s, unsigned long samples)
{
	nt_tbl_cell(t, "%.2f", s->sum / (double)samples);
	nt_tbl_cell(t, "%u", s->min);
	nt_tbl_cell(t, "%u", s->max);
}

/* Nodes that had no CPU have nothing to run: they are left out. */
static bool has_cpus(const struct nt_run *r, int node)
{
	return r->topo.node[node].cpus || r->total.node[node].online_ns;
}

static int node_table(const struct nt_section *s)
{
	const struct nt_queue_stats *st = &s->r->queues;
	struct nt_tbl *t = nt_tbl_new();
	int node;

	nt_tbl_col(t, NT_RIGHT, "NODE");
	nt_tbl_group(t, "whole system");
	spread_columns(t);
	nt_tbl_col(t, NT_RIGHT, "IDLE-CPUS");
	if (st->has_workload) {
		nt_tbl_group(t, "workload");
		spread_columns(t);
	}
	for (node = -1; node < st->nnodes; node++) {
		const struct nt_node_queues *q = node < 0 ? &st->all : &st->node[node];

		if (node >= 0 && !has_cpus(s->r, node))
			continue;
		nt_tbl_row(t);
		if (node < 0)
			nt_tbl_cell(t, "all");
		else
			nt_tbl_cell(t, "%d", s->r->topo.node[node].id);
		spread_cells(t, &q->running, st->samples);
		nt_tbl_cell(t, "%.2f", q->idle / (double)st->samples);
		if (st->has_workload)
			spread_cells(t, &q->workload, st->samples);
	}
	return nt_tbl_print(t, s->out);
}

static void show_trend(const struct nt_section *s)
{
	double v[NT_TREND + 1];
	size_t n = nt_trend_values(&s->r->queues.difference, v);

	fputs("  over time: ", s->out);
	nt_sparkline(s->out, v, n, SPARK_WIDTH, s->utf8);
	fputc('\n', s->out);
}

static int show_differences(const struct nt_section *s)
{
	const struct nt_queue_stats *st = &s->r->queues;
	int err;

	if (!st->paired)
		return 0;
	err = nt_line(s, "largest difference between groups of nodes: %.2f tasks on the average, "
		      "at most %d", st->difference_sum / (double)st->paired, st->difference_max);
	if (!err && st->difference_max)
		show_trend(s);
	if (err || !st->judged)
		return err ? err :
		       nt_line(s, "what this kernel tolerates of it counts do not settle; it "
			       "compares the load of nodes that are full");
	err = nt_line(s, "beyond what this kernel tolerates at load balance: %lu of %lu samples, "
		      "%.1f %%", st->beyond, st->judged,
		      100.0 * (double)st->beyond / (double)st->judged);
	if (!err && st->judged < st->paired)
		err = nt_line(s, "not settled by counts, and not among them: %lu samples",
			      st->paired - st->judged);
	return err;
}

int nt_show_queues(const struct nt_section *s)
{
	const struct nt_queue_stats *st = &s->r->queues;
	int err;

	if (!st->samples)
		return 0;
	nt_heading(s, "Runnable tasks by node, in %lu snapshot%s", st->samples,
		   st->samples == 1 ? "" : "s");
	err = node_table(s);
	return err ? err : show_differences(s);
}
