// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <jansson.h>

#include "model/json_put.h"
#include "view/compare.h"
#include "view/compare_cell.h"
#include "view/section.h"

static const char *const weight_name[] = {
	[NT_REFUSES] = "refuses",
	[NT_MISLEADS] = "misleads",
	[NT_DIFFERS] = "differs",
};

/* Text that is printable already, and so fit for JSON. */
static void put_text(struct nt_put *p, json_t *o, const char *key, const char *text)
{
	nt_put(p, o, key, json_string(text));
}

static void put_sides(struct nt_put *p, json_t *root, const struct nt_compare *c)
{
	json_t *a, *o;
	size_t i;

	put_text(p, root, "named_by", c->id_name);
	a = nt_put_array(p, root, "sides");
	for (i = 0; i < (size_t)c->nsides; i++) {
		o = json_object();
		nt_push(p, a, o);
		put_text(p, o, "id", c->side[i].id);
		nt_put_u64(p, o, "runs", c->side[i].n);
	}
	o = nt_put_object(p, root, "common");
	for (i = 0; i < c->naxes; i++)
		put_text(p, o, c->axis[i].name, c->axis[i].value);
}

static void put_doubts(struct nt_put *p, json_t *root, const struct nt_compare *c)
{
	json_t *a = nt_put_array(p, root, "doubts"), *o;
	size_t i;

	for (i = 0; i < c->ndoubts; i++) {
		o = json_object();
		nt_push(p, a, o);
		put_text(p, o, "weight", weight_name[c->doubt[i].weight]);
		put_text(p, o, "text", c->doubt[i].text);
	}
}

static void put_stats(struct nt_put *p, json_t *o, const struct nt_stats *s)
{
	nt_put_u64(p, o, "runs", s->n);
	if (!s->n)
		return;
	nt_put_real(p, o, "mean", s->mean);
	nt_put_real(p, o, "stddev", s->sd);
	nt_put_real(p, o, "min", s->min);
	nt_put_real(p, o, "max", s->max);
}

static void put_welch(struct nt_put *p, json_t *cell, const struct nt_welch *w)
{
	json_t *o = nt_put_object(p, cell, "welch");

	put_text(p, o, "verdict", nt_verdict_name[w->verdict]);
	nt_put_real(p, o, "t", w->t);
	nt_put_real(p, o, "df", w->df);
	nt_put_real(p, o, "p", w->p);
	nt_put_real(p, o, "ratio", w->ratio);
	nt_put_real(p, o, "ratio_low", w->low);
	nt_put_real(p, o, "ratio_high", w->high);
}

static void put_cell(struct nt_put *p, json_t *a, const struct nt_row *row, int side)
{
	const struct nt_cell *cell = &row->cell[side];
	json_t *o = json_object();

	nt_push(p, a, o);
	if (row->functional) {
		nt_put_u64(p, o, "runs", cell->runs);
		nt_put_real(p, o, "happened", cell->happened);
	} else {
		put_stats(p, o, &cell->s);
	}
	if (!side)
		return;
	nt_put_real(p, o, "change", row->functional ? nt_reproduction(row, cell) : cell->change);
	nt_put_bool(p, o, "changed", cell->changed);
	if (!row->functional)
		put_welch(p, o, &cell->w);
}

static const char *unit_of(const struct nt_row *row)
{
	if (row->functional)
		return "percentage points of runs";
	if (row->mixed)
		return "percent of mean size";
	return row->absolute ? "difference" : "percent";
}

static void put_row(struct nt_put *p, json_t *rows, const struct nt_compare *c,
		    const struct nt_row *row)
{
	json_t *o = json_object(), *a;
	int i;

	nt_push(p, rows, o);
	nt_put_str(p, o, "key", row->key);
	if (c->by)
		put_text(p, o, "value", c->point[row->point].text);
	nt_put_bool(p, o, "score", row->score);
	nt_put_bool(p, o, "changed", row->changed);
	put_text(p, o, "change_in", unit_of(row));
	a = nt_put_array(p, o, "sides");
	for (i = 0; i < c->nsides; i++)
		put_cell(p, a, row, i);
}

int nt_compare_json(FILE *out, const struct nt_compare *c)
{
	struct nt_put p = { 0 };
	json_t *root = json_object(), *rows;
	size_t i;

	put_sides(&p, root, c);
	put_doubts(&p, root, c);
	if (c->by)
		nt_put_str(&p, root, "by", c->by);
	rows = nt_put_array(&p, root, "rows");
	for (i = 0; i < c->nrows; i++)
		put_row(&p, rows, c, &c->row[i]);
	nt_put_u64(&p, root, "compared", c->compared);
	nt_put_u64(&p, root, "changed", c->nchanged);
	nt_put_u64(&p, root, "one_sided", c->one_sided);
	nt_put_real(&p, root, "chance", nt_compare_chance(c));
	if (!p.err && !json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)))
		fputc('\n', out);
	json_decref(root);
	return p.err ? p.err : nt_flush(out);
}
