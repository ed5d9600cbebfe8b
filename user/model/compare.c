// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare_doubts.h"
#include "model/compare_points.h"
#include "model/compare_sides.h"
#include "model/robot.h"

/* Rows stand in this order; the rest as the robot sorts: what has fewest rows first. */
enum group {
	FUNCTIONAL,		/* its own table */
	SCORE,
	TEST,			/* what else begins like a score */
	WORKLOAD,
	MIGRATIONS,
	BALANCE,
	DOMAIN,
	REST,
};

struct build {
	struct nt_compare *c;
	const struct nt_compare_opts *o;
	double *v;		/* values of a side */
};

static size_t base_length(const char *key)
{
	return strcspn(key, ".");
}

static bool same_base(const char *a, const char *b)
{
	size_t len = base_length(a);

	return len == base_length(b) && !strncmp(a, b, len);
}

/* Does the name begin as that of a score, one of a test's? */
static bool is_test(const struct nt_results *r, const char *key)
{
	size_t i;

	if (nt_robot_monitor(key))
		return false;
	for (i = 0; i < r->nkeys; i++)
		if (r->is_score[i] && same_base(r->key[i], key))
			return true;
	return false;
}

static int group_of(const struct nt_row *row, bool test)
{
	static const struct {
		const char *base;
		enum group group;
	} own[] = {
		{ "workload.", WORKLOAD }, { "migrations.", MIGRATIONS }, { "fork.", MIGRATIONS },
		{ "placement.", MIGRATIONS }, { "balance.", BALANCE }, { "domain.", DOMAIN },
	};
	size_t i;

	if (row->functional)
		return FUNCTIONAL;
	if (row->score)
		return SCORE;
	if (test)
		return TEST;
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (same_base(own[i].base, row->key))
			return (int)own[i].group;
	return REST;
}

static void fill_cell(const struct build *b, size_t key, const struct nt_side *side, int point,
		      struct nt_cell *cell)
{
	size_t i, n = 0;

	for (i = side->first; i < side->first + side->n; i++) {
		double v = nt_result_value(&b->c->r->v[i], key);

		if (b->c->at[i] != point)
			continue;
		cell->runs++;
		if (isnan(v))
			continue;
		b->v[n++] = v;
		cell->happened += v;
	}
	nt_stats_of(b->v, n, &cell->s);
}

static double change_of(const struct build *b, const struct nt_row *row,
			const struct nt_stats *with)
{
	const struct nt_stats *base = &row->cell[0].s;
	double d = with->mean - base->mean, of = base->mean;

	if (!base->n || !with->n)
		return NAN;
	if (row->absolute || d == 0)
		return d;
	if (row->mixed)
		of = base->mean_size;
	else if (of == 0 && b->o->compat)
		of = 1e-100;
	return of == 0 ? NAN : 100 * d / of;
}

static void compare_cells(const struct build *b, struct nt_row *row, bool test)
{
	const struct nt_stats *base = &row->cell[0].s;
	int i;

	row->mixed = base->mixed && !row->absolute && !b->o->compat;
	for (i = 1; i < b->c->nsides; i++) {
		struct nt_cell *cell = &row->cell[i];

		cell->change = change_of(b, row, &cell->s);
		cell->changed = nt_robot_changed(row->key, test, base, &cell->s);
		row->changed = row->changed || cell->changed;
		nt_welch(base, &cell->s, &cell->w);
	}
}

/* How many sides have it. */
static int count_present(const struct nt_compare *c, const struct nt_row *row)
{
	int n = 0, i;

	for (i = 0; i < c->nsides; i++)
		n += row->cell[i].s.n > 0;
	return n;
}

static void count_row(struct nt_compare *c, const struct nt_row *row)
{
	int n = count_present(c, row);

	c->one_sided += !row->functional && n && n < c->nsides;
	c->compared += row->functional || (row->cell[0].s.n && n > 1);
	c->nchanged += row->changed;
}

/* The robot shows a score by its rule alone. Of a sweep one wants all points, or none. */
static bool is_wanted(const struct nt_compare *c, const struct nt_row *row,
		      const struct nt_compare_opts *o)
{
	if (c->by)
		return count_present(c, row) && (o->all || o->stat || row->score);
	return o->all || row->changed || (row->score && !o->compat);
}

static bool asked_for(const struct nt_results *r, size_t key, const struct nt_compare_opts *o)
{
	if (o->kpi && !r->is_score[key])
		return false;
	return !o->stat || !regexec(o->stat, r->key[key], 0, NULL, 0);
}

static int add_row(struct build *b, size_t key, bool test, int point)
{
	struct nt_compare *c = b->c;
	struct nt_row *row = &c->row[c->nrows];
	int i;

	*row = (struct nt_row){ .key = c->r->key[key], .point = point };
	row->score = c->r->is_score[key];
	row->functional = nt_robot_functional(row->key);
	row->absolute = nt_robot_absolute(row->key);
	row->group = group_of(row, test);
	row->cell = calloc((size_t)c->nsides, sizeof(*row->cell));
	if (!row->cell)
		return -ENOMEM;
	for (i = 0; i < c->nsides; i++)
		fill_cell(b, key, &c->side[i], point, &row->cell[i]);
	compare_cells(b, row, test);
	count_row(c, row);
	if (is_wanted(c, row, b->o))
		c->nrows++;
	else
		free(row->cell);
	return 0;
}

static int add_key(struct build *b, size_t key)
{
	bool test = is_test(b->c->r, b->c->r->key[key]);
	int i, err = 0;

	for (i = 0; !err && i < b->c->npoints; i++)
		err = add_row(b, key, test, i);
	return err;
}

/* Rows in order of their base; then how many each base has decides. */
static int by_base(const void *a, const void *b)
{
	const struct nt_row *x = a, *y = b;
	size_t m = base_length(x->key), n = base_length(y->key);
	int d = strncmp(x->key, y->key, m < n ? m : n);

	return d ? d : (m > n) - (m < n);
}

static int by_group(const void *a, const void *b)
{
	const struct nt_row *x = a, *y = b;
	int d = x->group - y->group;

	d = d ? d : by_base(a, b);
	d = d ? d : strverscmp(x->key, y->key);
	return d ? d : x->point - y->point;
}

/* Groups beyond REST by size: a base with few rows would be lost behind one with hundreds. */
static void rank_rest(struct nt_compare *c)
{
	size_t i, k, end;

	for (i = 0; i < c->nrows; i = end) {
		for (end = i + 1; end < c->nrows && !by_base(&c->row[i], &c->row[end]); end++)
			;
		for (k = i; k < end; k++)
			if (c->row[k].group == REST)
				c->row[k].group += (int)(end - i);
	}
}

static void sort_rows(struct nt_compare *c)
{
	qsort(c->row, c->nrows, sizeof(*c->row), by_base);
	rank_rest(c);
	qsort(c->row, c->nrows, sizeof(*c->row), by_group);
}

static int add_rows(struct build *b)
{
	const struct nt_results *r = b->c->r;
	size_t i;
	int err = 0;

	b->v = calloc(r->n, sizeof(*b->v));
	b->c->row = calloc(r->nkeys * (size_t)b->c->npoints + 1, sizeof(*b->c->row));
	if (!b->v || !b->c->row)
		err = -ENOMEM;
	for (i = 0; !err && i < r->nkeys; i++)
		if (asked_for(r, i, b->o))
			err = add_key(b, i);
	free(b->v);
	if (!err)
		sort_rows(b->c);
	return err;
}

int nt_compare(struct nt_compare *c, const struct nt_results *r, char *const *names, int nsides,
	       const struct nt_compare_opts *opts)
{
	struct build b = { .c = c, .o = opts };
	int err;

	*c = (struct nt_compare){ .r = r, .nsides = nsides };
	err = nt_compare_sides(c, names);
	if (!err)
		err = nt_compare_points(c, opts->by);
	if (!err)
		err = nt_compare_doubts(c);
	return err ? err : add_rows(&b);
}

bool nt_compare_refused(const struct nt_compare *c)
{
	return c->ndoubts && c->doubt[0].weight == NT_REFUSES;
}

size_t nt_compare_runs(const struct nt_compare *c, int side, int point)
{
	const struct nt_side *s = &c->side[side];
	size_t n = 0, i;

	for (i = s->first; i < s->first + s->n; i++)
		n += c->at[i] == point;
	return n;
}

double nt_compare_chance(const struct nt_compare *c)
{
	double most = 0;
	int point, i;

	for (point = 0; point < c->npoints; point++) {
		size_t base = nt_compare_runs(c, 0, point);
		double chance = 0;

		for (i = 1; i < c->nsides; i++)
			chance += nt_robot_chance(base, nt_compare_runs(c, i, point));
		most = fmax(most, chance);
	}
	return fmin(most, 1);
}

bool nt_compare_few(const struct nt_compare *c)
{
	int point, i;

	for (point = 0; point < c->npoints; point++)
		for (i = 0; i < c->nsides; i++)
			if (nt_compare_runs(c, i, point) < NT_MIN_RUNS)
				return true;
	return false;
}

void nt_compare_free(struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->nrows; i++)
		free(c->row[i].cell);
	free(c->row);
	for (i = 0; c->side && i < (size_t)c->nsides; i++)
		free(c->side[i].id);
	free(c->side);
	for (i = 0; i < c->naxes; i++) {
		free(c->axis[i].name);
		free(c->axis[i].value);
	}
	free(c->axis);
	for (i = 0; c->point && i < (size_t)c->npoints; i++)
		free(c->point[i].text);
	free(c->point);
	free(c->at);
	for (i = 0; i < c->ndoubts; i++)
		free(c->doubt[i].text);
	free(c->doubt);
	memset(c, 0, sizeof(*c));
}
