// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "view/section.h"
#include "view/tbl.h"

#define MAX_SIDE_BY_SIDE	7	/* more columns than this: the workload below, not beside */

struct part {
	const char *name;
	size_t offset;
	bool always;
};

static const struct part parts[] = {
	{ "usr", offsetof(struct nt_util, usr), true },
	{ "nice", offsetof(struct nt_util, nice), false },
	{ "sys", offsetof(struct nt_util, sys), true },
	{ "iowait", offsetof(struct nt_util, iowait), false },
	{ "irq", offsetof(struct nt_util, irq), false },
	{ "soft", offsetof(struct nt_util, soft), false },
	{ "steal", offsetof(struct nt_util, steal), false },
	{ "guest", offsetof(struct nt_util, guest), false },
	{ "gnice", offsetof(struct nt_util, gnice), false },
	{ "idle", offsetof(struct nt_util, idle), true },
};
#define NPARTS (int)(sizeof(parts) / sizeof(parts[0]))

static double part(const struct nt_util *u, int i)
{
	/* cppcheck-suppress invalidPointerCast ; the offset is that of a double */
	return *(const double *)((const char *)u + parts[i].offset);
}

/* Which columns have anything in them; returns how many. */
static int choose(const struct nt_counters *c, bool shown[NPARTS])
{
	struct nt_util u;
	int node, i, n = 0;

	for (i = 0; i < NPARTS; i++) {
		shown[i] = parts[i].always;
		for (node = -1; node < c->nnodes; node++)
			if (nt_util_node(c, node, &u) && part(&u, i) > 0)
				shown[i] = true;
		n += shown[i];
	}
	return n;
}

/* node < 0: all of them. */
static struct nt_cpu_time workload_time(const struct nt_counters *c, int node)
{
	struct nt_cpu_time sum = { 0 };
	int i;

	for (i = 0; i < c->nnodes; i++) {
		if (node >= 0 && i != node)
			continue;
		sum.exec += c->node[i].wl.exec;
		sum.utime += c->node[i].wl.utime;
		sum.stime += c->node[i].wl.stime;
	}
	return sum;
}

static void workload_cells(struct nt_tbl *t, const struct nt_run *r, int node, double cpus)
{
	struct nt_cpu_time wl = workload_time(&r->total, node);
	double busy = (double)wl.exec / 1e9 / r->ru.elapsed, usr = 1;

	if (r->ru.elapsed <= 0)
		return;
	/* The kernel's rule, too: no tick in system mode, all of it is user. */
	if (wl.stime)
		usr = (double)wl.utime / ((double)wl.utime + (double)wl.stime);
	nt_tbl_cell(t, "%.2f", 100 * busy * usr / cpus);
	nt_tbl_cell(t, "%.2f", 100 * busy * (1 - usr) / cpus);
	nt_tbl_cell(t, "%.2f", busy);
}

/* On the average of the run; of a run without duration, those at its start. */
static double cpus_of(const struct nt_run *r, int node)
{
	double cpus = nt_cpus_online(r, node);

	if (cpus > 0)
		return cpus;
	return node < 0 ? r->topo.cpus_online : r->topo.node[node].cpus;
}

static void workload_columns(struct nt_tbl *t)
{
	nt_tbl_group(t, "workload");
	nt_tbl_col(t, NT_RIGHT, "%%usr");
	nt_tbl_col(t, NT_RIGHT, "%%sys");
	nt_tbl_col(t, NT_RIGHT, "BUSY-CPUS");
}

/* A whole number unless CPUs went or came during the run. */
static void cpus_cell(struct nt_tbl *t, double cpus)
{
	if (cpus <= 0)
		nt_tbl_cell(t, "no CPUs");
	else
		nt_tbl_cell(t, fabs(cpus - round(cpus)) < 0.005 ? "%.0f" : "%.2f", cpus);
}

/* Returns the node's CPUs: what can be said of none is its row's end. */
static double first_cells(struct nt_tbl *t, const struct nt_run *r, int node)
{
	double cpus = cpus_of(r, node);

	nt_tbl_row(t);
	if (node < 0)
		nt_tbl_cell(t, "all");
	else
		nt_tbl_cell(t, "%d", r->topo.node[node].id);
	cpus_cell(t, cpus);
	return cpus;
}

static void system_cells(struct nt_tbl *t, const struct nt_counters *c, int node,
			 const bool shown[NPARTS])
{
	struct nt_util u;
	bool known = nt_util_node(c, node, &u);
	int i;

	for (i = 0; i < NPARTS; i++) {
		if (!shown[i])
			continue;
		if (known)
			nt_tbl_cell(t, "%.2f", part(&u, i));
		else
			nt_tbl_cell(t, "-");
	}
}

static int system_table(const struct nt_section *s, const bool shown[NPARTS], bool workload)
{
	const struct nt_run *r = s->r;
	struct nt_tbl *t = nt_tbl_new();
	double cpus;
	int node, i;

	nt_tbl_col(t, NT_RIGHT, "NODE");
	nt_tbl_col(t, NT_RIGHT, "CPUS");
	nt_tbl_group(t, "whole system");
	for (i = 0; i < NPARTS; i++)
		if (shown[i])
			nt_tbl_col(t, NT_RIGHT, "%%%s", parts[i].name);
	if (workload)
		workload_columns(t);
	for (node = -1; node < r->topo.nnodes; node++) {
		cpus = first_cells(t, r, node);
		if (cpus <= 0)
			continue;
		system_cells(t, &r->total, node, shown);
		if (workload)
			workload_cells(t, r, node, cpus);
	}
	return nt_tbl_print(t, s->out);
}

static int workload_table(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	struct nt_tbl *t = nt_tbl_new();
	double cpus;
	int node;

	nt_tbl_col(t, NT_RIGHT, "NODE");
	nt_tbl_col(t, NT_RIGHT, "CPUS");
	workload_columns(t);
	for (node = -1; node < r->topo.nnodes; node++) {
		cpus = first_cells(t, r, node);
		if (cpus > 0)
			workload_cells(t, r, node, cpus);
	}
	return nt_tbl_print(t, s->out);
}

static int zero_columns(const struct nt_section *s, const bool shown[NPARTS])
{
	struct nt_words zero = { 0 };
	int i;

	for (i = 0; i < NPARTS; i++)
		if (!shown[i])
			nt_words_add(&zero, "%%%s", parts[i].name);
	return nt_words_line(s, &zero, "0.00 everywhere and not shown");
}

int nt_show_nodes(const struct nt_section *s)
{
	bool on = s->r->feature[NT_F_CPUTIME].on && nt_has_workload(s->r), shown[NPARTS], beside;
	int err;

	beside = choose(&s->r->total, shown) <= MAX_SIDE_BY_SIDE;
	nt_heading(s, "CPU time by node, %% of its online CPUs");
	err = system_table(s, shown, on && beside);
	if (!err && on && !beside)
		err = workload_table(s);
	if (!err)
		err = zero_columns(s, shown);
	if (!err && nt_has_workload(s->r))
		nt_is_off(s, NT_F_CPUTIME, "CPU time of the workload by node");
	return err;
}
