// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare_sides.h"
#include "model/text.h"

static bool is_number(const char *s, double *v)
{
	char *end;

	*v = strtod(s, &end);
	return end != s && !*end && isfinite(*v);
}

static int by_value(const void *a, const void *b)
{
	const char *s = ((const struct nt_point *)a)->value;
	const char *t = ((const struct nt_point *)b)->value;
	double x, y;
	bool m = is_number(s, &x), n = is_number(t, &y);

	if (m != n)
		return n - m;
	if (m && x != y)
		return x < y ? -1 : 1;
	return strverscmp(s, t);
}

static bool is_known(const struct nt_compare *c, const char *value)
{
	int i;

	for (i = 0; i < c->npoints; i++)
		if (!strcmp(c->point[i].value, value))
			return true;
	return false;
}

/* Runs in succession share their header, so most values need not be looked for. */
static int collect(struct nt_compare *c)
{
	struct nt_point *more;
	size_t i;

	for (i = 0; i < c->r->nheads; i++) {
		const char *value = nt_param(c->r->head[i], c->by);

		if (!value || is_known(c, value))
			continue;
		more = reallocarray(c->point, (size_t)c->npoints + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		c->point = more;
		more += c->npoints++;
		more->value = value;
		more->text = nt_text_printable(value);
		if (!more->text)
			return -ENOMEM;
	}
	return 0;
}

static int place_of(const struct nt_compare *c, const struct nt_run *head)
{
	const struct nt_point probe = { .value = nt_param(head, c->by) }, *found = NULL;

	if (probe.value)
		found = bsearch(&probe, c->point, (size_t)c->npoints, sizeof(probe), by_value);
	return found ? (int)(found - c->point) : -1;
}

static void place_runs(struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->r->n; i++) {
		const struct nt_run *head = c->r->v[i].head;

		if (i && head == c->r->v[i - 1].head)
			c->at[i] = c->at[i - 1];
		else
			c->at[i] = place_of(c, head);
	}
}

int nt_compare_points(struct nt_compare *c, const char *by)
{
	int err;

	c->by = by;
	c->at = calloc(c->r->n, sizeof(*c->at));
	if (!c->at)
		return -ENOMEM;
	if (!by) {
		c->point = calloc(1, sizeof(*c->point));
		c->npoints = 1;
		return c->point ? 0 : -ENOMEM;
	}
	err = collect(c);
	if (!err && !c->npoints)
		err = -ENOENT;
	if (err)
		return err;
	qsort(c->point, (size_t)c->npoints, sizeof(*c->point), by_value);
	place_runs(c);
	return 0;
}
