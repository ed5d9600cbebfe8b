// SPDX-License-Identifier: GPL-2.0-or-later
/* The formula beside what a kernel holds: which CPUs make a root domain, which level is which. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/expected.h"

/* "6.1" of "6.1.0-50-amd64"; "" if it is no release. */
static void version_of(const char *release, char *buf, size_t len)
{
	int major, minor;

	if (release && sscanf(release, "%d.%d", &major, &minor) == 2)
		snprintf(buf, len, "%d.%d", major, minor);
	else
		buf[0] = '\0';
}

static bool at_least(const char *release, int major, int minor)
{
	int a, b;

	return release && sscanf(release, "%d.%d", &a, &b) == 2 &&
	       (a > major || (a == major && b >= minor));
}

static bool asymmetric(const struct nt_topology *t)
{
	int i, k;

	for (i = 0; i < t->nnodes; i++)
		for (k = 0; k < i; k++)
			if (t->node[i].distance && t->node[k].distance &&
			    t->node[i].distance[k] != t->node[k].distance[i])
				return true;
	return false;
}

/* With numa=fake nodes share their CPUs. */
static bool nodes_overlap(const struct nt_topology *t)
{
	int i, sum = 0;

	for (i = 0; i < t->nnodes; i++)
		sum += t->node[i].cpus;
	return sum > t->cpus_online;
}

/*
 * Why the formula cannot be applied to a machine; NULL if it can, static text. Elsewhere than
 * on these architectures levels stand between the cache and the node (s390 books, powerpc
 * core groups). Since 6.19 (arch_sched_node_distance()) x86 evens out some distances.
 */
static const char *not_modelled(const struct nt_run *r)
{
	if (!r->machine || (strcmp(r->machine, "x86_64") && strcmp(r->machine, "aarch64")))
		return "the levels of this architecture are not modelled";
	if (nodes_overlap(&r->topo))
		return "nodes share their CPUs (numa=fake)";
	if (!strcmp(r->machine, "x86_64") && at_least(r->kernel, 6, 19) && asymmetric(&r->topo))
		return "distances differ by direction, and this kernel may even them out";
	return NULL;
}

static const char no_data[] = "CPUs, caches or distances are not known in full";

/* Does a level stand where the formula expects none, by its name? */
static bool known_name(const char *name)
{
	static const char *const names[] = { "SMT", "CLS", "MC", "DIE", "PKG", "NODE", "NUMA" };
	size_t i;

	/* A kernel that does not say gives "L0", "L1"... */
	if (name[0] == 'L' && name[1] >= '0' && name[1] <= '9')
		return true;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Values depend on the span alone, so that which of several equal levels is left is no matter. */
static int imb_of(const struct nt_kind *k, const struct nt_domain *d)
{
	int i;

	if (!known_name(d->name))
		return -1;
	if (d->span_weight <= k->llc)
		return 0;
	for (i = 0; i < k->n; i++)
		if (k->level[i].weight == d->span_weight)
			return k->level[i].imb;
	return -1;
}

static bool overlap(const struct nt_cpuset *a, const struct nt_cpuset *b)
{
	int cpu;

	nt_cpuset_for_each(cpu, a)
		if (nt_cpuset_test(b, cpu))
			return true;
	return false;
}

/* One root domain at a time: chains that follow each other mostly have the same. */
struct root {
	const char *span;
	struct nt_kind *kind;
	int n;
};

static int enter_root(struct root *root, const struct nt_run *r, const struct nt_chain *c,
		      enum nt_imb_rule rule)
{
	const char *span = c->d[c->n - 1].span;
	struct nt_cpuset map = { 0 };
	int err;

	if (root->span && span && !strcmp(root->span, span))
		return 0;
	nt_kinds_free(root->kind, root->n);
	*root = (struct root){ .span = NULL };
	err = span ? nt_cpuset_parse(&map, span) : -ENODATA;
	err = err ?: nt_kinds(&r->topo, &map, rule, &root->kind, &root->n);
	nt_cpuset_free(&map);
	if (!err)
		root->span = span;
	return err;
}

/* What all CPUs of the chain are to have; -1 where they differ. */
static int expect_chain(const struct root *root, const struct nt_chain *c, int *imb)
{
	struct nt_cpuset cpus = { 0 };
	int err = nt_cpuset_parse(&cpus, c->cpus), i, k;
	bool seen = false;

	for (i = 0; !err && i < root->n; i++) {
		if (!overlap(&cpus, &root->kind[i].cpus))
			continue;
		for (k = 0; k < c->n; k++) {
			int v = imb_of(&root->kind[i], &c->d[k]);

			imb[k] = !seen || imb[k] == v ? v : -1;
		}
		seen = true;
	}
	nt_cpuset_free(&cpus);
	return err;
}

static int expect_all(const struct nt_run *r, enum nt_imb_rule rule, int **imb)
{
	struct root root = { .span = NULL };
	int i, err = 0;

	for (i = 0; i < r->nchains && !err; i++) {
		const struct nt_chain *c = &r->chain[i];

		if (!c->n)
			continue;
		err = enter_root(&root, r, c, rule);
		err = err ?: expect_chain(&root, c, imb[i]);
	}
	nt_kinds_free(root.kind, root.n);
	return err;
}

static int new_table(const struct nt_run *r, int ***out)
{
	int **imb = calloc((size_t)r->nchains + 1, sizeof(*imb)), i, k;

	*out = imb;
	for (i = 0; imb && i < r->nchains; i++) {
		imb[i] = calloc((size_t)r->chain[i].n + 1, sizeof(**imb));
		if (!imb[i])
			return -ENOMEM;
		for (k = 0; k < r->chain[i].n; k++)
			imb[i][k] = -1;
	}
	return imb ? 0 : -ENOMEM;
}

static void free_table(int **imb, int n)
{
	int i;

	for (i = 0; imb && i < n; i++)
		free(imb[i]);
	free(imb);
}

/* Domains whose value is not the expected one, and how many could be compared. */
static int count_differ(const struct nt_run *r, int *const *imb, int *compared)
{
	int i, k, differ = 0;

	*compared = 0;
	for (i = 0; i < r->nchains; i++)
		for (k = 0; k < r->chain[i].n; k++) {
			int have = r->chain[i].d[k].imb_numa_nr;

			if (have < 0 || imb[i][k] < 0)
				continue;
			(*compared)++;
			differ += have != imb[i][k];
		}
	return differ;
}

/* A rule of another version that gives the values at hand, or NONE. */
static enum nt_imb_rule fitting_rule(const struct nt_run *r, enum nt_imb_rule not_this)
{
	enum nt_imb_rule rule, fits = NT_IMB_NONE;
	int **imb, compared;

	for (rule = NT_IMB_QUARTER; rule <= NT_IMB_EIGHTH && fits == NT_IMB_NONE; rule++) {
		if (rule == not_this)
			continue;
		if (!new_table(r, &imb) && !expect_all(r, rule, imb) &&
		    !count_differ(r, imb, &compared) && compared)
			fits = rule;
		free_table(imb, r->nchains);
	}
	return fits;
}

static bool field_exists(const struct nt_run *r)
{
	int i, k;

	for (i = 0; i < r->nchains; i++)
		for (k = 0; k < r->chain[i].n; k++)
			if (r->chain[i].d[k].imb_numa_nr >= 0)
				return true;
	return false;
}

static int because(char **why, const char *text)
{
	*why = strdup(text);
	return *why ? 0 : -ENOMEM;
}

static int no_formula(char **why, const char *mainline)
{
	if (!*mainline)
		return because(why, "the version of this kernel is not known");
	if (asprintf(why, "mainline %s has no imb_numa_nr", mainline) < 0) {
		*why = NULL;
		return -ENOMEM;
	}
	return 0;
}

int nt_expect(const struct nt_run *r, struct nt_expected *x)
{
	const char *why;
	int err, compared;

	memset(x, 0, sizeof(*x));
	x->read = field_exists(r);
	x->rule = nt_imb_rule(r->kernel);
	x->nchains = r->nchains;
	why = x->read ? not_modelled(r) : "imb_numa_nr is not in this kernel";
	version_of(r->kernel, x->mainline, sizeof(x->mainline));
	err = new_table(r, &x->imb);
	if (err || why)
		return err ? err : because(&x->why, why);
	if (x->rule == NT_IMB_NONE) {
		x->fits = fitting_rule(r, NT_IMB_NONE);
		return no_formula(&x->why, x->mainline);
	}
	err = expect_all(r, x->rule, x->imb);
	if (err)
		return err == -ENOMEM ? err : because(&x->why, no_data);
	x->differ = count_differ(r, x->imb, &compared);
	if (x->differ)
		x->fits = fitting_rule(r, x->rule);
	return 0;
}

int nt_expected_finding(const struct nt_expected *x, char **text)
{
	static const char *const since[] = {
		[NT_IMB_QUARTER] = "5.18", [NT_IMB_EIGHTH] = "6.0",
	};
	bool backport = x->read && x->rule == NT_IMB_NONE && *x->mainline;
	char *what;
	int n;

	*text = NULL;
	if (!x->differ && !backport)
		return 0;
	if (backport)
		n = asprintf(&what, "imb_numa_nr is in this kernel and not in mainline %s: it was "
			     "taken from a newer one", x->mainline);
	else
		n = asprintf(&what, "imb_numa_nr of %d domain%s is not what mainline %s's formula "
			     "gives: a patched kernel?", x->differ, x->differ == 1 ? "" : "s",
			     x->mainline);
	if (n >= 0 && x->fits != NT_IMB_NONE) {
		n = asprintf(text, "%s%s Mainline %s's formula gives all its values", what,
			     backport ? "." : "",
			     since[x->fits]);
		free(what);
	} else {
		*text = what;
	}
	return n < 0 ? -ENOMEM : 0;
}

void nt_expected_free(struct nt_expected *x)
{
	free_table(x->imb, x->nchains);
	free(x->why);
	memset(x, 0, sizeof(*x));
}

/* CPUs on line that isolcpus= left in the domains. */
static int domain_cpus(const struct nt_topology *t, struct nt_cpuset *map)
{
	struct nt_cpuset isolated = { 0 };
	int cpu, err = t->isolated ? nt_cpuset_parse(&isolated, t->isolated) : 0;

	for (cpu = 0; cpu < t->cpu_ids && !err && t->cpu_node; cpu++)
		if (t->cpu_node[cpu] >= 0 && !nt_cpuset_test(&isolated, cpu))
			err = nt_cpuset_add(map, cpu);
	nt_cpuset_free(&isolated);
	return err;
}

int nt_expect_machine(const struct nt_run *r, struct nt_kind **kind, int *n, char **why)
{
	enum nt_imb_rule rule = nt_imb_rule(r->kernel);
	const char *text = not_modelled(r);
	struct nt_cpuset map = { 0 };
	char version[16];
	int err;

	*kind = NULL;
	*n = 0;
	*why = NULL;
	if (text)
		return because(why, text);
	if (rule == NT_IMB_NONE) {
		version_of(r->kernel, version, sizeof(version));
		return no_formula(why, version);
	}
	err = domain_cpus(&r->topo, &map);
	err = err ?: nt_kinds(&r->topo, &map, rule, kind, n);
	nt_cpuset_free(&map);
	return err && err != -ENOMEM ? because(why, no_data) : err;
}
