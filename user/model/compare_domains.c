// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare_structure.h"
#include "model/compare_traits.h"
#include "model/cpulist.h"
#include "model/levels.h"
#include "model/same.h"
#include "model/text.h"

struct pair {
	struct nt_compare *c;
	const struct nt_side *s;	/* of b */
	const struct nt_run *a, *b;	/* the base's and the side's */
};

static int change(const struct pair *p, const char *what, const char *from, const char *to)
{
	return nt_doubt_change(p->c, p->s, what, from, to);
}

static void put_imb(char *buf, size_t len, const struct nt_kv *kv)
{
	if (kv)
		snprintf(buf, len, "%.0f", kv->value);
	else
		snprintf(buf, len, "none");
}

/* "domain.NUMA.imb_numa_nr" as "NUMA imb_numa_nr 24 -> 12". */
static int compare_imb(const struct pair *p, const char *key, const struct nt_kv *a,
		       const struct nt_kv *b)
{
	const char *label = key + strlen("domain.");
	char *safe, from[32], to[32], of[NT_LEVEL_LABEL + 32];
	int err;

	if (a && b && a->value == b->value)
		return 0;
	put_imb(from, sizeof(from), a);
	put_imb(to, sizeof(to), b);
	snprintf(of, sizeof(of), "%.*s %s", (int)strcspn(label, "."), label,
		 label + strcspn(label, ".") + 1);
	safe = nt_text_printable(of);
	err = safe ? change(p, safe, from, to) : -ENOMEM;
	free(safe);
	return err;
}

static int compare_imbs(const struct pair *p)
{
	struct nt_kvs a = { 0 }, b = { 0 };
	size_t i;
	int err = nt_domain_metrics(p->a, &a);

	if (!err)
		err = nt_domain_metrics(p->b, &b);
	for (i = 0; !err && i < a.n; i++)
		err = compare_imb(p, a.v[i].key, &a.v[i], nt_kvs_find(&b, a.v[i].key));
	for (i = 0; !err && i < b.n; i++)
		if (!nt_kvs_find(&a, b.v[i].key))
			err = compare_imb(p, b.v[i].key, NULL, &b.v[i]);
	nt_kvs_free(&a);
	nt_kvs_free(&b);
	return err;
}

/* The labels of all levels, lowest first, with a blank between; for the caller to free. */
static char *levels_of(const struct nt_run *r)
{
	char label[NT_LEVEL_LABEL], *text = NULL, *safe;
	bool any = false;
	int level;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (level = 0; f && level < NT_MAX_LEVELS; level++) {
		if (!nt_level_exists(r, level))
			continue;
		fprintf(f, "%s%s", any ? " " : "", nt_level_label(r, level, label, sizeof(label)));
		any = true;
	}
	if (!f || fclose(f)) {
		free(text);
		return NULL;
	}
	safe = nt_text_printable(any ? text : "none");
	free(text);
	return safe;
}

static int compare_levels(const struct pair *p, bool *differ)
{
	char *a = levels_of(p->a), *b = levels_of(p->b);
	int err = a && b ? 0 : -ENOMEM;

	*differ = !err && strcmp(a, b);
	if (*differ)
		err = change(p, "domain levels", a, b);
	free(a);
	free(b);
	return err;
}

static int weight_of(const struct nt_domain *d)
{
	return d->span_weight;
}

static int groups_of(const struct nt_domain *d)
{
	return d->groups;
}

/* The domain of a level in chain i; NULL: it has none. */
static const struct nt_domain *domain_of(const struct nt_run *r, int i, int level)
{
	int k;

	for (k = 0; k < r->chain[i].n; k++)
		if (r->chain[i].d[k].level == level)
			return &r->chain[i].d[k];
	return NULL;
}

/* What all domains of a level have, each number once, in order: "6,8". 0 is not known. */
static char *numbers_of(const struct nt_run *r, int level, int (*of)(const struct nt_domain *d))
{
	struct nt_cpuset set = { 0 };
	char *text = NULL;
	int i, err = 0;

	for (i = 0; !err && i < r->nchains; i++) {
		const struct nt_domain *d = domain_of(r, i, level);

		if (d && of(d) > 0 && of(d) < NT_CPU_LIMIT)
			err = nt_cpuset_add(&set, of(d));
	}
	if (!err)
		text = nt_cpuset_format(&set);
	nt_cpuset_free(&set);
	return text;
}

static int compare_numbers(const struct pair *p, const char *label, const char *what, int la,
			   int lb, int (*of)(const struct nt_domain *d))
{
	char *a = numbers_of(p->a, la, of), *b = numbers_of(p->b, lb, of), *name = NULL;
	int err = a && b ? 0 : -ENOMEM;

	if (!err && *a && *b && strcmp(a, b)) {
		err = asprintf(&name, "%s %s", label, what) < 0 ? -ENOMEM : change(p, name, a, b);
		free(name);
	}
	free(a);
	free(b);
	return err;
}

/* Names of flags, in order and each once; they are the chain's. */
struct flags {
	const char **v;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int add_flags(struct flags *l, char *const *flag)
{
	size_t n = 0;
	const char **more;

	while (flag[n])
		n++;
	more = reallocarray(l->v, l->n + n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	l->v = more;
	while (n--)
		l->v[l->n++] = flag[n];
	return 0;
}

static int flags_of(const struct nt_run *r, int level, struct flags *l)
{
	size_t k, n = 0;
	int i, err = 0;

	*l = (struct flags){ 0 };
	for (i = 0; !err && i < r->nchains; i++) {
		const struct nt_domain *d = domain_of(r, i, level);

		if (d && d->flag)
			err = add_flags(l, d->flag);
	}
	if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), by_name);
	for (k = 0; k < l->n; k++)
		if (!n || strcmp(l->v[n - 1], l->v[k]))
			l->v[n++] = l->v[k];
	l->n = n;
	return err;
}

/* Those of a that b has not, each after a sign. */
static void put_flags(FILE *f, char sign, const struct flags *a, const struct flags *b)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (!bsearch(&a->v[i], b->v, b->n, sizeof(*b->v), by_name))
			fprintf(f, " %c%s", sign, a->v[i]);
}

static int tell_flags(const struct pair *p, const char *label, const struct flags *a,
		      const struct flags *b)
{
	char *text = NULL, *safe = NULL;
	const char *side = p->c->nsides > 2 ? p->s->id : NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int err = 0;

	if (!f)
		return -ENOMEM;
	put_flags(f, '-', a, b);
	put_flags(f, '+', b, a);
	if (fclose(f) || !(safe = nt_text_printable(text)))
		err = -ENOMEM;
	else if (len)
		err = nt_doubt(p->c, NT_DIFFERS, "%s flags%s%s%s%s", label, safe, side ? " (" : "",
			       side ? side : "", side ? ")" : "");
	free(safe);
	free(text);
	return err;
}

/* By name only: a flag's number is another one from one kernel to the next. */
static int compare_flags(const struct pair *p, const char *label, int la, int lb)
{
	struct flags a, b = { 0 };
	int err = flags_of(p->a, la, &a);

	if (!err)
		err = flags_of(p->b, lb, &b);
	if (!err && a.n && b.n)
		err = tell_flags(p, label, &a, &b);
	free(a.v);
	free(b.v);
	return err;
}

static int level_labelled(const struct nt_run *r, const char *label)
{
	char buf[NT_LEVEL_LABEL];
	int level;

	for (level = 0; level < NT_MAX_LEVELS; level++)
		if (nt_level_exists(r, level) &&
		    !strcmp(nt_level_label(r, level, buf, sizeof(buf)), label))
			return level;
	return -1;
}

/* Levels are told apart by label: their numbers may differ between kernels. */
static int compare_level(const struct pair *p, int la)
{
	char label[NT_LEVEL_LABEL], *safe;
	int lb, err;

	nt_level_label(p->a, la, label, sizeof(label));
	lb = level_labelled(p->b, label);
	if (lb < 0)
		return 0;
	safe = nt_text_printable(label);
	if (!safe)
		return -ENOMEM;
	err = compare_numbers(p, safe, "CPUs", la, lb, weight_of);
	if (!err)
		err = compare_numbers(p, safe, "groups", la, lb, groups_of);
	if (!err)
		err = compare_flags(p, safe, la, lb);
	free(safe);
	return err;
}

/* The same chains of levels for the same CPUs, over the same CPUs. */
static bool same_cpus(const struct nt_run *a, const struct nt_run *b)
{
	int i, k;

	if (a->nchains != b->nchains)
		return false;
	for (i = 0; i < a->nchains; i++) {
		const struct nt_chain *m = &a->chain[i], *n = &b->chain[i];

		if (m->n != n->n || !nt_same_text(m->cpus, n->cpus))
			return false;
		for (k = 0; k < m->n; k++)
			if (m->d[k].span && n->d[k].span && strcmp(m->d[k].span, n->d[k].span))
				return false;
	}
	return true;
}

int nt_compare_domains(struct nt_compare *c, const struct nt_side *s, const struct nt_run *base,
		       const struct nt_run *with)
{
	const struct pair p = { c, s, base, with };
	size_t said;
	bool differ;
	int level, err = compare_imbs(&p);

	said = c->ndoubts;
	if (!err)
		err = compare_levels(&p, &differ);
	for (level = 0; !err && level < NT_MAX_LEVELS; level++)
		if (nt_level_exists(base, level))
			err = compare_level(&p, level);
	if (!err && c->ndoubts == said && !same_cpus(base, with))
		err = nt_doubt(c, NT_DIFFERS, "%s: domains of the same sizes over other CPUs",
			       s->id);
	return err;
}
