// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "view/section.h"
#include "view/tbl.h"

#define MAX_LIST	30	/* longer CPU lists are cut; the JSON has them whole */

static void list_cell(struct nt_tbl *t, const char *list)
{
	char buf[MAX_LIST + 1], *text = nt_safe(list);

	nt_tbl_cell(t, "%s", text ? nt_fit(buf, sizeof(buf), text, MAX_LIST) : "");
	free(text);
}

static void domain_row(struct nt_tbl *t, const struct nt_chain *c, int i, bool spans)
{
	const struct nt_domain *d = &c->d[i];
	char *name = nt_safe(d->name);

	nt_tbl_row(t);
	list_cell(t, i ? "" : c->cpus);
	nt_tbl_cell(t, "%s", name ? name : "");
	free(name);
	nt_tbl_cell(t, "%d", d->span_weight);
	if (spans)
		list_cell(t, d->span ? d->span : "-");
	if (d->groups)
		nt_tbl_cell(t, "%d", d->groups);
	else
		nt_tbl_cell(t, "-");
	if (d->imb_numa_nr >= 0)
		nt_tbl_cell(t, "%d", d->imb_numa_nr);
	else
		nt_tbl_cell(t, "-");
}

static void chain_rows(struct nt_tbl *t, const struct nt_chain *c, bool spans)
{
	int i;

	for (i = 0; i < c->n; i++)
		domain_row(t, c, i, spans);
	if (c->n)
		return;
	nt_tbl_row(t);
	list_cell(t, c->cpus);
	nt_tbl_cell(t, "none");
	for (i = 0; i < 3 + spans; i++)
		nt_tbl_cell(t, "-");
}

/* CPUs with one chain may have different spans; the collector then leaves them out. */
static bool any_span(const struct nt_run *r)
{
	int i, k;

	for (i = 0; i < r->nchains; i++)
		for (k = 0; k < r->chain[i].n; k++)
			if (r->chain[i].d[k].span)
				return true;
	return false;
}

static int explain(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	bool spans = any_span(r), no_span = false, no_imb = false, no_groups = false;
	bool isolated = false;
	int i, k, err = 0;

	for (i = 0; i < r->nchains; i++) {
		isolated |= !r->chain[i].n;
		for (k = 0; k < r->chain[i].n; k++) {
			no_imb |= r->chain[i].d[k].imb_numa_nr < 0;
			no_span |= spans && !r->chain[i].d[k].span;
			no_groups |= !r->chain[i].d[k].groups;
		}
	}
	if (no_imb)
		err = nt_line(s, "imb_numa_nr \"-\": not in this kernel");
	if (!err && no_span)
		err = nt_line(s, "span \"-\": unknown, or not the same for all these CPUs");
	if (!err && no_groups)
		err = nt_line(s, "groups \"-\": not counted");
	if (!err && isolated)
		err = nt_line(s, "level \"none\": these CPUs are in no domain (isolated)");
	return err;
}

int nt_show_domains(const struct nt_section *s)
{
	bool spans = any_span(s->r);
	struct nt_tbl *t;
	int i, err;

	if (nt_is_off(s, NT_F_DOMAINS, "Scheduling domains"))
		return 0;
	nt_heading(s, "Scheduling domains at the start, lowest level first");
	if (!s->r->nchains)
		return nt_line(s, "none: the kernel built no domains");
	t = nt_tbl_new();
	nt_tbl_col(t, NT_LEFT, "CPUS");
	nt_tbl_col(t, NT_LEFT, "LEVEL");
	nt_tbl_col(t, NT_RIGHT, "WEIGHT");
	if (spans)
		nt_tbl_col(t, NT_LEFT, "SPAN");
	nt_tbl_col(t, NT_RIGHT, "GROUPS");
	nt_tbl_col(t, NT_RIGHT, "imb_numa_nr");
	for (i = 0; i < s->r->nchains; i++)
		chain_rows(t, &s->r->chain[i], spans);
	err = nt_tbl_print(t, s->out);
	return err ? err : explain(s);
}
