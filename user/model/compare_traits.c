// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_traits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nt_doubt(struct nt_compare *c, enum nt_weight weight, const char *fmt, ...)
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

int nt_doubt_change(struct nt_compare *c, const struct nt_side *s, const char *what,
		    const char *from, const char *to)
{
	if (c->nsides > 2)
		return nt_doubt(c, NT_DIFFERS, "%s %s -> %s (%s)", what, from, to, s->id);
	return nt_doubt(c, NT_DIFFERS, "%s %s -> %s", what, from, to);
}

/* Of the runs looked at? Those of a point of a sweep; negative: all. */
static bool is_at(const struct nt_compare *c, size_t run, int point)
{
	return point < 0 || c->at[run] == point;
}

/* The first run that tells, and what; NULL: none. */
static int first_that_tells(const struct nt_compare *c, const struct nt_trait *t, int point,
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

static int add_difference(struct nt_compare *c, const struct nt_trait *t, size_t base,
			  const char *is, size_t run, const char *other, int point)
{
	const struct nt_side *a = &c->side[c->r->v[base].side], *b = &c->side[c->r->v[run].side];
	const char *at = c->by && point >= 0 ? c->point[point].text : NULL;
	const char *in = at ? " at " : "", *by = at ? c->by : "", *eq = at ? "=" : "";

	at = at ? at : "";
	if (a == b)
		return nt_doubt(c, t->weight, "%s differs within %s%s%s%s%s: %s; %s", t->name,
				a->id, in, by, eq, at, is, other);
	if (t->weight == NT_DIFFERS)
		return nt_doubt_change(c, b, t->name, is, other);
	return nt_doubt(c, t->weight, "%s differs%s%s%s%s: %s: %s; %s: %s", t->name, in, by, eq, at,
		   a->id, is, b->id, other);
}

/* Of a side the first run that tells something else; runs in succession share their header. */
static int check_side(struct nt_compare *c, const struct nt_trait *t, const struct nt_side *s,
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

static int check_at(struct nt_compare *c, const struct nt_trait *t, int point)
{
	size_t base = 0;
	char *is;
	int i, err = first_that_tells(c, t, point, &base, &is);

	for (i = 0; is && !err && i < c->nsides; i++)
		err = check_side(c, t, &c->side[i], point, base, is);
	free(is);
	return err;
}

int nt_trait_check(struct nt_compare *c, const struct nt_trait *t)
{
	return check_at(c, t, -1);
}

int nt_trait_check_points(struct nt_compare *c, const struct nt_trait *t)
{
	int i, err = 0;

	for (i = 0; !err && i < c->npoints; i++)
		err = check_at(c, t, i);
	return err;
}
