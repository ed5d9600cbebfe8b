// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/interval.h"

/* Moves from a node to others; from < 0: of all nodes. */
static uint64_t left_node(const struct nt_counters *c, int scope, int from)
{
	uint64_t n = 0;
	int cause, to;

	if (from < 0)
		return nt_mig_sum(c, scope, -1, true);
	for (cause = 0; cause < NT_NCAUSE; cause++)
		for (to = 0; to < c->nnodes; to++)
			if (to != from)
				n += nt_mig(c, scope, cause, from, to)->n;
	return n;
}

static void print_row(FILE *out, const struct nt_run *r, const struct nt_sample *s, int node)
{
	int scope = nt_has_workload(r) ? NT_WORKLOAD : NT_SYSTEM;
	uint64_t exec = 0;
	struct nt_util u;
	char label[16];
	int i;

	if (node < 0)
		snprintf(label, sizeof(label), "all");
	else
		snprintf(label, sizeof(label), "%d", r->topo.node[node].id);
	fprintf(out, "%9.3f %4s", s->t, label);
	/* No ticks: an interval too short, or no CPU on line. */
	if (nt_util_node(&s->c, node, &u))
		fprintf(out, " %7.2f %7.2f %7.2f", u.usr, u.sys, u.idle);
	else
		fprintf(out, " %7s %7s %7s", "-", "-", "-");
	if (scope == NT_WORKLOAD && r->feature[NT_F_CPUTIME].on) {
		for (i = 0; i < s->c.nnodes; i++)
			if (node < 0 || i == node)
				exec += s->c.node[i].wl.exec;
		fprintf(out, " %8.2f", s->dt > 0 ? exec / 1e9 / s->dt : 0.0);
	}
	if (r->feature[NT_F_MIGRATIONS].on)
		fprintf(out, " %9llu", (unsigned long long)left_node(&s->c, scope, node));
	fputc('\n', out);
}

void nt_interval_rows(FILE *out, const struct nt_run *r, const struct nt_sample *s)
{
	bool workload = nt_has_workload(r);
	int i;

	if (nt_run_samples(r) == 1)
		fprintf(out, "%9s %4s %7s %7s %7s%s%s\n", "TIME(s)", "NODE", "%usr", "%sys",
			"%idle",
			workload && r->feature[NT_F_CPUTIME].on ? "  wl.CPUs" : "",
			!r->feature[NT_F_MIGRATIONS].on ? "" :
			workload ? "  wl.leave" : "     leave");
	print_row(out, r, s, -1);
	for (i = 0; i < r->topo.nnodes; i++)
		if (r->topo.node[i].cpus || s->c.node[i].online_ns)
			print_row(out, r, s, i);
}
