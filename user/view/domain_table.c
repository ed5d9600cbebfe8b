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

static void domain_row(struct nt_tbl *t, const struct nt_chain *c, int i)
{
	const struct nt_domain *d = &c->d[i];
	char *name = nt_safe(d->name);

	nt_tbl_row(t);
	list_cell(t, i ? "" : c->cpus);
	nt_tbl_cell(t, "%s", name ? name : "");
	free(name);
	nt_tbl_cell(t, "%d", d->span_weight);
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

static void chain_rows(struct nt_tbl *t, const struct nt_chain *c)
{
	int i;

	for (i = 0; i < c->n; i++)
		domain_row(t, c, i);
	if (c->n)
		return;
	nt_tbl_row(t);
	list_cell(t, c->cpus);
	nt_tbl_cell(t, "none");
	for (i = 0; i < 4; i++)
		nt_tbl_cell(t, "-");
}

static int explain(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	bool no_imb = false, no_groups = false, isolated = false;
	int i, k, err = 0;

	for (i = 0; i < r->nchains; i++) {
		isolated |= !r->chain[i].n;
		for (k = 0; k < r->chain[i].n; k++) {
			no_imb |= r->chain[i].d[k].imb_numa_nr < 0;
			no_groups |= !r->chain[i].d[k].groups;
		}
	}
	if (no_imb)
		err = nt_line(s, "imb_numa_nr \"-\": not in this kernel");
	if (!err && no_groups)
		err = nt_line(s, "groups \"-\": not counted");
	if (!err && isolated)
		err = nt_line(s, "level \"none\": these CPUs are in no domain (isolated)");
	return err;
}

int nt_show_domains(const struct nt_section *s)
{
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
	nt_tbl_col(t, NT_LEFT, "SPAN");
	nt_tbl_col(t, NT_RIGHT, "GROUPS");
	nt_tbl_col(t, NT_RIGHT, "imb_numa_nr");
	for (i = 0; i < s->r->nchains; i++)
		chain_rows(t, &s->r->chain[i]);
	err = nt_tbl_print(t, s->out);
	return err ? err : explain(s);
}
