// SPDX-License-Identifier: GPL-2.0-or-later
/* Chains of domains as a tree: CPUs, and below them the levels of their chain. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/domains.h"
#include "model/levels.h"
#include "view/domain_view.h"
#include "view/tbl.h"

#define MAX_LIST	30	/* longer CPU lists are cut; the JSON has them whole */
#define MAX_CHAINS	8	/* more than these: chains that differ in spans alone are joined */

struct tree {
	const struct nt_run *r;
	const struct nt_expected *x;
	struct nt_tbl *t;
	bool spans, join;
	bool no_span, no_groups, no_value;	/* a "-" was printed in that column */
	bool numbered;				/* a level is NUMA2, not the kernel's NUMA */
};

static void list_cell(struct nt_tbl *t, const char *before, const char *list, const char *after)
{
	char buf[MAX_LIST + 1], *text = nt_safe(list);

	nt_tbl_cell(t, "%s%s%s", before, text ? nt_fit(buf, sizeof(buf), text, MAX_LIST) : "",
		    after);
	free(text);
}

static void number_cell(struct nt_tbl *t, bool known, int v, bool *missing)
{
	if (known)
		nt_tbl_cell(t, "%d", v);
	else
		nt_tbl_cell(t, "-");
	*missing |= !known;
}

static void level_row(struct tree *tr, int i, int k, bool joined)
{
	const struct nt_domain *d = &tr->r->chain[i].d[k];
	char label[NT_LEVEL_LABEL], *name;
	bool seen = false;

	nt_level_label(tr->r, d->level, label, sizeof(label));
	tr->numbered |= strcmp(label, d->name) != 0;
	name = nt_safe(label);
	nt_tbl_child(tr->t);
	nt_tbl_cell(tr->t, "%s", name ? name : "");
	free(name);
	nt_tbl_cell(tr->t, "%d", d->span_weight);
	if (tr->spans) {
		/* Of joined chains only the whole root domain is the same for all. */
		bool shown = d->span && (!joined || k == tr->r->chain[i].n - 1);

		list_cell(tr->t, "", shown ? d->span : "-", "");
		tr->no_span |= !shown;
	}
	number_cell(tr->t, d->groups > 0, d->groups, &tr->no_groups);
	number_cell(tr->t, d->imb_numa_nr >= 0, d->imb_numa_nr, &seen);
	if (!tr->x->why)
		number_cell(tr->t, tr->x->imb[i][k] >= 0, tr->x->imb[i][k], &tr->no_value);
}

static bool same_root(const struct nt_run *r, int a, int b)
{
	const char *x = nt_chain_root(&r->chain[a]), *y = nt_chain_root(&r->chain[b]);

	return x && y ? !strcmp(x, y) : x == y;
}

/* Alike in all but the CPUs they span? */
static bool alike(const struct tree *tr, int a, int b)
{
	const struct nt_chain *c = &tr->r->chain[a], *d = &tr->r->chain[b];
	int k;

	if (c->n != d->n || !same_root(tr->r, a, b))
		return false;
	for (k = 0; k < c->n; k++) {
		const struct nt_domain *x = &c->d[k], *y = &d->d[k];

		if (strcmp(x->name, y->name) || x->level != y->level || x->flags != y->flags ||
		    x->span_weight != y->span_weight || x->groups != y->groups ||
		    x->imb_numa_nr != y->imb_numa_nr || tr->x->imb[a][k] != tr->x->imb[b][k])
			return false;
	}
	return true;
}

/* Has a chain before this one been printed for both? */
static bool joined_before(const struct tree *tr, int i)
{
	int k;

	for (k = 0; tr->join && k < i; k++)
		if (alike(tr, k, i))
			return true;
	return false;
}

/* All CPUs of the chains alike to i, and how many chains these are. */
static char *joined_cpus(const struct tree *tr, int i, int *chains)
{
	struct nt_cpuset all = { 0 }, one = { 0 };
	int k, cpu, err = 0;
	char *text = NULL;

	*chains = 0;
	for (k = i; k < tr->r->nchains && !err; k++) {
		if (k > i && (!tr->join || !alike(tr, i, k)))
			continue;
		++*chains;
		if (nt_cpuset_parse(&one, tr->r->chain[k].cpus))
			continue;
		nt_cpuset_for_each(cpu, &one)
			err = err ?: nt_cpuset_add(&all, cpu);
	}
	if (!err)
		text = *chains == 1 ? strdup(tr->r->chain[i].cpus) : nt_cpuset_format(&all);
	nt_cpuset_free(&all);
	nt_cpuset_free(&one);
	return text;
}

static int chain_rows(struct tree *tr, int i, bool below_root)
{
	int k, chains;
	char *cpus;

	if (joined_before(tr, i))
		return 0;
	cpus = joined_cpus(tr, i, &chains);
	if (!cpus)
		return -ENOMEM;
	if (below_root)
		nt_tbl_branch(tr->t);
	else
		nt_tbl_row(tr->t);
	list_cell(tr->t, "", cpus, tr->r->chain[i].n ? "" : ": none");
	free(cpus);
	for (k = 0; k < tr->r->chain[i].n; k++)
		level_row(tr, i, k, chains > 1);
	return 0;
}

/* Several root domains: each with its chains below it. */
static int root_rows(struct tree *tr, int first)
{
	int i, err = 0;

	nt_tbl_row(tr->t);
	list_cell(tr->t, "root domain ", nt_chain_root(&tr->r->chain[first]), "");
	for (i = first; i < tr->r->nchains && !err; i++)
		if (tr->r->chain[i].n && same_root(tr->r, first, i))
			err = chain_rows(tr, i, true);
	return err;
}

static int all_rows(struct tree *tr)
{
	bool roots = nt_count_roots(tr->r) > 1;
	int i, err = 0;

	for (i = 0; i < tr->r->nchains && !err; i++) {
		if (!roots || !nt_chain_root(&tr->r->chain[i]))
			err = chain_rows(tr, i, false);
		else if (nt_chain_opens_root(tr->r, i))
			err = root_rows(tr, i);
	}
	return err;
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

/* Root domains within which nothing is balanced across nodes, though the machine has several. */
static int explain_roots(const struct nt_section *s)
{
	bool several = nt_count_roots(s->r) > 1;
	int i, err = 0;

	for (i = 0; i < s->r->nchains && !err; i++) {
		const struct nt_chain *c = &s->r->chain[i];

		if (!nt_chain_opens_root(s->r, i) || nt_chain_has_numa(c))
			continue;
		if (several)
			err = nt_line(s, "root domain %s has no level between nodes (SD_NUMA)",
				      nt_chain_root(c));
		else
			err = nt_line(s, "there is no level between nodes (SD_NUMA)");
	}
	return err;
}

static int explain_expected(const struct nt_section *s, const struct nt_expected *x)
{
	char *finding;
	int err;

	if (!x->read)
		return nt_line(s, "imb_numa_nr \"-\": not in this kernel");
	if (x->why)
		err = nt_line(s, "no expected value: %s", x->why);
	else
		err = nt_line(s, "EXPECTED: by mainline %s's formula, from CPUs, nodes, distances "
			      "and caches", x->mainline);
	err = err ?: nt_expected_finding(x, &finding);
	if (err || !finding)
		return err;
	err = nt_line(s, "%s", finding);
	free(finding);
	return err;
}

static int explain(const struct nt_section *s, const struct tree *tr)
{
	bool none = false;
	int i, err;

	for (i = 0; i < s->r->nchains; i++)
		none |= !s->r->chain[i].n;
	err = explain_roots(s);
	if (!err && tr->x->nchains > (int)none)
		err = explain_expected(s, tr->x);
	if (!err && tr->numbered)
		err = nt_line(s, "levels of one name are numbered here, nearest first");
	if (!err && tr->no_value)
		err = nt_line(s, "EXPECTED \"-\": the formula has no level of that weight");
	if (!err && tr->no_span)
		err = nt_line(s, "span \"-\": unknown, or not the same for all these CPUs");
	if (!err && tr->no_groups)
		err = nt_line(s, "groups \"-\": not counted");
	if (!err && none)
		err = nt_line(s, "\"none\": these CPUs are in no domain: isolated, or alone in "
			      "their partition");
	return err;
}

int nt_domain_tree(const struct nt_section *s, const struct nt_expected *x)
{
	struct tree tr = {
		.r = s->r, .x = x, .t = nt_tbl_new(),
		.spans = any_span(s->r), .join = s->r->nchains > MAX_CHAINS,
	};
	int err, printed;

	nt_tbl_col(tr.t, NT_TREE, "CPUS, LEVEL");
	nt_tbl_col(tr.t, NT_RIGHT, "WEIGHT");
	if (tr.spans)
		nt_tbl_col(tr.t, NT_LEFT, "SPAN");
	nt_tbl_col(tr.t, NT_RIGHT, "GROUPS");
	nt_tbl_col(tr.t, NT_RIGHT, "imb_numa_nr");
	if (!x->why)
		nt_tbl_col(tr.t, NT_RIGHT, "EXPECTED");
	err = all_rows(&tr);
	printed = nt_tbl_print(tr.t, s->out);
	err = err ?: printed;
	return err ?: explain(s, &tr);
}

int nt_show_domains(const struct nt_section *s)
{
	struct nt_expected x;
	int err;

	if (nt_is_off(s, NT_F_DOMAINS, "Scheduling domains"))
		return 0;
	nt_heading(s, "Scheduling domains at the start, lowest level first");
	if (!s->r->nchains)
		return nt_line(s, "none: the kernel built no domains");
	err = nt_expect(s->r, &x);
	err = err ?: nt_domain_tree(s, &x);
	nt_expected_free(&x);
	return err;
}
