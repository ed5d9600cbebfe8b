// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_doubts.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "model/compare_tell.h"
#include "model/levels.h"
#include "model/same.h"
#include "model/text.h"

struct trait {
	enum nt_weight weight;
	const char *name;
	nt_tell_fn tell;
	const char *which;	/* handed to tell */
};

static int add(struct nt_compare *c, enum nt_weight weight, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int add(struct nt_compare *c, enum nt_weight weight, const char *fmt, ...)
{
	struct nt_doubt *more = reallocarray(c->doubt, c->ndoubts + 1, sizeof(*more));
	va_list ap;
	int n;

	if (!more)
		return -ENOMEM;
	c->doubt = more;
	va_start(ap, fmt);
	n = vasprintf(&more[c->ndoubts].text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	more[c->ndoubts++].weight = weight;
	return 0;
}

/* Of the runs looked at? Those of a point of a sweep; negative: all. */
static bool is_at(const struct nt_compare *c, size_t run, int point)
{
	return point < 0 || c->at[run] == point;
}

/* The first run that tells, and what; NULL: none. */
static int first_that_tells(const struct nt_compare *c, const struct trait *t, int point,
			    size_t *i, char **text)
{
	int err = 0;

	for (*text = NULL; !err && *i < c->r->n; ++*i) {
		if (is_at(c, *i, point))
			err = t->tell(c->r->v[*i].head, t->which, text);
		if (err || *text)
			break;
	}
	return err;
}

static int add_difference(struct nt_compare *c, const struct trait *t, size_t base, const char *is,
			  size_t run, const char *other, int point)
{
	const struct nt_side *a = &c->side[c->r->v[base].side], *b = &c->side[c->r->v[run].side];
	const char *at = c->by && point >= 0 ? c->point[point].text : NULL;
	const char *in = at ? " at " : "", *by = at ? c->by : "", *eq = at ? "=" : "";

	at = at ? at : "";
	if (a == b)
		return add(c, t->weight, "%s differs within %s%s%s%s%s: %s; %s", t->name, a->id,
			   in, by, eq, at, is, other);
	return add(c, t->weight, "%s differs%s%s%s%s: %s: %s; %s: %s", t->name, in, by, eq, at,
		   a->id, is, b->id, other);
}

/* Of a side the first run that tells something else; runs in succession share their header. */
static int check_side(struct nt_compare *c, const struct trait *t, const struct nt_side *s,
		      int point, size_t base, const char *is)
{
	const struct nt_run *last = NULL;
	bool differs = false;
	size_t i;
	int err = 0;

	for (i = s->first; !err && !differs && i < s->first + s->n; i++) {
		const struct nt_run *head = c->r->v[i].head;
		char *text = NULL;

		if (head == last || !is_at(c, i, point))
			continue;
		last = head;
		err = t->tell(head, t->which, &text);
		differs = text && strcmp(text, is);
		if (differs)
			err = add_difference(c, t, base, is, i, text, point);
		free(text);
	}
	return err;
}

static int check_at(struct nt_compare *c, const struct trait *t, int point)
{
	size_t base = 0;
	char *is;
	int i, err = first_that_tells(c, t, point, &base, &is);

	for (i = 0; is && !err && i < c->nsides; i++)
		err = check_side(c, t, &c->side[i], point, base, is);
	free(is);
	return err;
}

/* What must be the same in all runs. */
static int check(struct nt_compare *c, const struct trait *t)
{
	return check_at(c, t, -1);
}

/* What may differ from one point of a sweep to the next. */
static int check_points(struct nt_compare *c, const struct trait *t)
{
	int i, err = 0;

	for (i = 0; !err && i < c->npoints; i++)
		err = check_at(c, t, i);
	return err;
}

/* Labels that name a side or a point differ on purpose. */
static bool differs_on_purpose(const struct nt_compare *c, const char *key)
{
	return !strcmp(key, "commit") || !strcmp(key, "kernel") || (c->by && !strcmp(key, c->by));
}

struct keys {
	char **v;
	size_t n;
};

/* Check a label "KEY=VALUE" unless one of that key was; the key stays in seen. */
static int check_param(struct nt_compare *c, const char *param, struct keys *seen)
{
	struct trait t = { NT_MISLEADS, NULL, nt_tell_param, NULL };
	char *key = strndup(param, strcspn(param, "=")), *safe = NULL, *name = NULL, **more;
	size_t i;
	int err = -ENOMEM;

	if (!key)
		return -ENOMEM;
	for (i = 0; i < seen->n && strcmp(seen->v[i], key); i++)
		;
	if (i < seen->n || differs_on_purpose(c, key)) {
		free(key);
		return 0;
	}
	more = reallocarray(seen->v, seen->n + 1, sizeof(*more));
	if (!more) {
		free(key);
		return -ENOMEM;
	}
	seen->v = more;
	seen->v[seen->n++] = key;
	safe = nt_text_printable(key);
	if (safe && asprintf(&name, "label %s", safe) >= 0) {
		t.name = name;
		t.which = key;
		err = check_points(c, &t);
		free(name);
	}
	free(safe);
	return err;
}

static int check_params(struct nt_compare *c)
{
	struct keys seen = { 0 };
	size_t i, k;
	int err = 0;

	for (i = 0; !err && i < c->r->nheads; i++) {
		char **param = c->r->head[i]->param;

		for (; !err && param && *param; param++)
			err = check_param(c, *param, &seen);
	}
	for (k = 0; k < seen.n; k++)
		free(seen.v[k]);
	free(seen.v);
	return err;
}

static int check_features(struct nt_compare *c)
{
	struct trait t = { NT_MISLEADS, NULL, nt_tell_feature, NULL };
	char name[64];
	int i, err = 0;

	t.name = name;
	for (i = 0; !err && i < NT_NFEATURE; i++) {
		t.which = nt_feature_name[i];
		snprintf(name, sizeof(name), "feature %s", t.which);
		err = check(c, &t);
	}
	return err;
}

static int check_foreign(struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->r->n; i++)
		if (!nt_is_record(c->r->v[i].head))
			return add(c, NT_MISLEADS, "%s: a file of another tool tells neither "
				   "machine nor command: not checked whether they are the same",
				   c->side[c->r->v[i].side].id);
	return 0;
}

/*
 * Did the command not end as it should? Of SIGTERM it dies under -d, and that is no failure;
 * an observation without a command is ended by ^C.
 */
static bool failed(const struct nt_result *r)
{
	int st = r->wait_status;

	return WIFSIGNALED(st) ? WTERMSIG(st) != SIGTERM : WEXITSTATUS(st) != 0;
}

static int check_ends(struct nt_compare *c, const struct nt_side *s)
{
	size_t cut = 0, interrupted = 0, bad = 0, i;

	for (i = s->first; i < s->first + s->n; i++) {
		const struct nt_result *r = &c->r->v[i];

		if (!r->ended)
			cut++;
		else if (r->head->argv && r->interrupted)
			interrupted++;
		else if (r->head->argv && failed(r))
			bad++;
	}
	if (!cut && !interrupted && !bad)
		return 0;
	return add(c, NT_MISLEADS, "%s: %zu of %zu run%s ended early (%zu without an end in the "
		   "record, %zu interrupted, %zu failed)", s->id, cut + interrupted + bad, s->n,
		   nt_plural(s->n), cut, interrupted, bad);
}

static int check_losses(struct nt_compare *c, const struct nt_side *s)
{
	unsigned long long sum = 0;
	size_t runs = 0, i;

	for (i = s->first; i < s->first + s->n; i++) {
		const struct nt_losses *l = &c->r->v[i].lost;
		uint64_t n = l->groups_full + l->tasks_full + l->bad_cpu + l->unfinished;

		sum += n;
		runs += n > 0;
	}
	if (!sum)
		return 0;
	return add(c, NT_MISLEADS, "%s: %llu event%s lost in %zu of %zu run%s, not to be relied "
		   "on", s->id, sum, nt_plural(sum), runs, s->n, nt_plural(s->n));
}

static int check_left_out(struct nt_compare *c)
{
	size_t n = 0, i;

	for (i = 0; i < c->r->n; i++)
		n += c->at[i] < 0;
	if (!n)
		return 0;
	return add(c, NT_MISLEADS, "%zu of %zu runs have no label %s and are left out", n, c->r->n,
		   c->by);
}

static const struct nt_run *head_with_domains(const struct nt_compare *c, const struct nt_side *s)
{
	size_t i;

	for (i = s->first; i < s->first + s->n; i++)
		if (c->r->v[i].head->nchains)
			return c->r->v[i].head;
	return NULL;
}

static void put_imb(char *buf, size_t len, const struct nt_kv *kv)
{
	if (kv)
		snprintf(buf, len, "%.0f", kv->value);
	else
		snprintf(buf, len, "none");
}

/* "domain.NUMA.imb_numa_nr" as "NUMA imb_numa_nr 24 -> 12". */
static int add_imb(struct nt_compare *c, const struct nt_side *s, const char *key,
		   const struct nt_kv *a, const struct nt_kv *b)
{
	const char *label = key + strlen("domain.");
	int len = (int)strcspn(label, ".");
	char *safe, from[32], to[32], of[NT_LEVEL_LABEL];
	int err;

	if (a && b && a->value == b->value)
		return 0;
	put_imb(from, sizeof(from), a);
	put_imb(to, sizeof(to), b);
	snprintf(of, sizeof(of), "%.*s", len, label);
	safe = nt_text_printable(of);
	if (!safe)
		return -ENOMEM;
	err = add(c, NT_DIFFERS, "%s %s %s -> %s%s%s%s", safe, label + len + 1, from, to,
		  c->nsides > 2 ? " (" : "", c->nsides > 2 ? s->id : "", c->nsides > 2 ? ")" : "");
	free(safe);
	return err;
}

static int compare_imb(struct nt_compare *c, const struct nt_side *s, const struct nt_run *base,
		       const struct nt_run *with)
{
	struct nt_kvs a = { 0 }, b = { 0 };
	size_t i;
	int err = nt_domain_metrics(base, &a);

	if (!err)
		err = nt_domain_metrics(with, &b);
	for (i = 0; !err && i < a.n; i++)
		err = add_imb(c, s, a.v[i].key, &a.v[i], nt_kvs_find(&b, a.v[i].key));
	for (i = 0; !err && i < b.n; i++)
		if (!nt_kvs_find(&a, b.v[i].key))
			err = add_imb(c, s, b.v[i].key, NULL, &b.v[i]);
	nt_kvs_free(&a);
	nt_kvs_free(&b);
	return err;
}

static int check_domains(struct nt_compare *c)
{
	const struct nt_run *base = head_with_domains(c, &c->side[0]);
	int i, err = 0;

	for (i = 1; base && !err && i < c->nsides; i++) {
		const struct nt_run *with = head_with_domains(c, &c->side[i]);

		if (with && !nt_same_chains(base, with))
			err = compare_imb(c, &c->side[i], base, with);
	}
	return err;
}

int nt_compare_doubts(struct nt_compare *c)
{
	static const struct trait topology = { NT_REFUSES, "topology", nt_tell_topology, NULL };
	static const struct trait command = { NT_REFUSES, "command", nt_tell_command, NULL };
	int i, err = check(c, &topology);

	if (!err)
		err = check_points(c, &command);
	if (!err)
		err = check_left_out(c);
	if (!err)
		err = check_foreign(c);
	if (!err)
		err = check_params(c);
	if (!err)
		err = check_features(c);
	for (i = 0; !err && i < c->nsides; i++)
		err = check_ends(c, &c->side[i]);
	for (i = 0; !err && i < c->nsides; i++)
		err = check_losses(c, &c->side[i]);
	return err ? err : check_domains(c);
}
