// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/section.h"
#include "view/tbl.h"

/* Where the moves of one cause went; they add up to all. */
struct moves {
	uint64_t all, cross, same_llc, other_llc;
};

static struct moves count(const struct nt_counters *c, int scope, int cause)
{
	struct moves m = {
		.all = nt_mig_sum(c, scope, cause, false),
		.cross = nt_mig_sum(c, scope, cause, true),
		.same_llc = nt_mig_same_llc(c, scope, cause),
	};

	m.other_llc = m.all - m.cross - m.same_llc;
	return m;
}

static void columns(struct nt_tbl *t, const char *group)
{
	nt_tbl_group(t, group);
	nt_tbl_col(t, NT_RIGHT, "MOVES");
	nt_tbl_col(t, NT_RIGHT, "CROSS-NODE");
	nt_tbl_col(t, NT_RIGHT, "SAME-LLC");
	nt_tbl_col(t, NT_RIGHT, "OTHER-LLC");
}

static void row(struct nt_tbl *t, const struct nt_run *r, const char *name, int cause)
{
	int scope;

	nt_tbl_row(t);
	nt_tbl_cell(t, "%s", name);
	for (scope = nt_has_workload(r) ? NT_WORKLOAD : NT_SYSTEM; scope < NT_NSCOPE; scope++) {
		struct moves m = count(&r->total, scope, cause);

		nt_tbl_u64(t, m.all);
		nt_tbl_u64(t, m.cross);
		nt_tbl_u64(t, m.same_llc);
		nt_tbl_u64(t, m.other_llc);
	}
}

static int show_causes(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	struct nt_words none = { 0 };
	struct nt_tbl *t = nt_tbl_new();
	char label[60];
	int cause, err;

	nt_heading(s, "Migrations by cause");
	nt_tbl_col(t, NT_LEFT, "CAUSE");
	if (nt_has_workload(r))
		columns(t, "workload");
	columns(t, "whole system");
	row(t, r, "all", -1);
	for (cause = 0; cause < NT_NCAUSE; cause++) {
		if (nt_mig_sum(&r->total, NT_WORKLOAD, cause, false) ||
		    nt_mig_sum(&r->total, NT_SYSTEM, cause, false) || cause == NT_CAUSE_UNKNOWN)
			row(t, r, nt_cause_name[cause], cause);
		else
			nt_words_add(&none, "%s", nt_cause_name[cause]);
	}
	err = nt_tbl_print(t, s->out);
	snprintf(label, sizeof(label), "%d cause%s with no migrations not shown", none.n,
		 none.n == 1 ? "" : "s");
	return nt_words_line(s, &none, label) ?: err;
}

uint64_t nt_all_causes(const struct nt_counters *c, int scope, int from, int to)
{
	uint64_t n = 0;
	int cause;

	for (cause = 0; cause < NT_NCAUSE; cause++)
		n += nt_mig(c, scope, cause, from, to)->n;
	return n;
}

int nt_show_migrations(const struct nt_section *s)
{
	int err;

	if (nt_is_off(s, NT_F_MIGRATIONS, "Migrations"))
		return 0;
	err = show_causes(s);
	if (!err && s->r->topo.nnodes > 1)
		err = nt_show_matrices(s, "Migrations by node, all causes", nt_all_causes);
	return err;
}

uint64_t nt_forks(const struct nt_counters *c, int scope, int from, int to)
{
	return *nt_fork(c, scope, from, to);
}

int nt_show_forks(const struct nt_section *s)
{
	if (nt_is_off(s, NT_F_FORK, "Fork placement"))
		return 0;
	return nt_show_matrices(s, "Fork placement, parent's node to child's first", nt_forks);
}

static uint64_t calls(const uint64_t place[NT_NPLACE])
{
	uint64_t n = 0;
	int k;

	for (k = 0; k < NT_NPLACE; k++)
		n += place[k];
	return n;
}

static void place_columns(struct nt_tbl *t, const char *group)
{
	nt_tbl_group(t, group);
	nt_tbl_col(t, NT_RIGHT, "CALLS");
	nt_tbl_col(t, NT_RIGHT, "KEPT");
	nt_tbl_col(t, NT_RIGHT, "LLC");
	nt_tbl_col(t, NT_RIGHT, "NODE");
	nt_tbl_col(t, NT_RIGHT, "REMOTE");
}

int nt_show_placement(const struct nt_section *s)
{
	const struct nt_counters *c = &s->r->total;
	struct nt_tbl *t;
	int w, k, scope;

	if (nt_is_off(s, NT_F_PLACEMENT, "Placement"))
		return 0;
	nt_heading(s, "Placement: previous CPU kept, same LLC, same node, other node "
		      "(select_task_rq)");
	t = nt_tbl_new();
	nt_tbl_col(t, NT_LEFT, "AT");
	if (nt_has_workload(s->r))
		place_columns(t, "workload");
	place_columns(t, "whole system");
	for (w = 0; w < NT_NWAKE; w++) {
		nt_tbl_row(t);
		nt_tbl_cell(t, "%s", nt_wake_name[w]);
		for (scope = nt_has_workload(s->r) ? NT_WORKLOAD : NT_SYSTEM; scope < NT_NSCOPE;
		     scope++) {
			nt_tbl_u64(t, calls(c->place[scope][w]));
			for (k = 0; k < NT_NPLACE; k++)
				nt_tbl_u64(t, c->place[scope][w][k]);
		}
	}
	return nt_tbl_print(t, s->out);
}
