// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "view/compare.h"
#include "view/compare_cell.h"
#include "view/csv.h"
#include "view/section.h"

static void put_stats(FILE *out, const struct nt_stats *s)
{
	nt_csv_number(out, (double)s->n);
	nt_csv_number(out, s->n ? s->mean : NAN);
	nt_csv_number(out, s->n ? s->sd : NAN);
	nt_csv_number(out, s->n ? s->min : NAN);
	nt_csv_number(out, s->n ? s->max : NAN);
}

static void put_against(FILE *out, const struct nt_row *row, const struct nt_cell *cell)
{
	const struct nt_welch *w = &cell->w;

	nt_csv_number(out, row->functional ? nt_reproduction(row, cell) : cell->change);
	fprintf(out, ",%s", cell->changed ? "yes" : "no");
	if (row->functional) {
		fputs(",,,,,,", out);
		return;
	}
	nt_csv_number(out, w->t);
	nt_csv_number(out, w->df);
	nt_csv_number(out, w->p);
	nt_csv_number(out, w->ratio);
	nt_csv_number(out, w->low);
	nt_csv_number(out, w->high);
	fprintf(out, ",%s", nt_verdict_name[w->verdict]);
}

static int put_cell(FILE *out, const struct nt_compare *c, const struct nt_row *row, int side)
{
	int err = nt_csv_text(out, row->key);

	fputc(',', out);
	if (!err && c->by) {
		err = nt_csv_text(out, c->point[row->point].value);
		fputc(',', out);
	}
	if (!err)
		err = nt_csv_text(out, c->side[side].id);
	put_stats(out, &row->cell[side].s);
	if (side)
		put_against(out, row, &row->cell[side]);
	else
		fputs(",,,,,,,,,", out);
	fputc('\n', out);
	return err;
}

int nt_compare_csv(FILE *out, const struct nt_compare *c)
{
	size_t i;
	int side, err = 0;

	fputs("key,", out);
	if (c->by) {
		err = nt_csv_text(out, c->by);
		fputc(',', out);
	}
	fputs("side,runs,mean,stddev,min,max,change,changed,t,df,p,ratio,ratio_low,ratio_high,"
	      "verdict\n", out);
	for (i = 0; !err && i < c->nrows; i++)
		for (side = 0; !err && side < c->nsides; side++)
			err = put_cell(out, c, &c->row[i], side);
	return err ? err : nt_flush(out);
}
