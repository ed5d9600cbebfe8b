// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"
#include "view/compare.h"
#include "view/compare_cell.h"
#include "view/section.h"

/* Widths of the robot's columns (lib/compare.rb): mean, spread, change with its sign. */
#define ABS	10
#define ERR	6
#define REL	10
#define NEXT	(REL + 2 + ABS + ERR)

struct table {
	FILE *out;
	const struct nt_compare *c;
	const struct nt_compare_view *v;
	int widest;		/* of the labels in it, if something follows them */
};

static void put_mean(const struct table *t, const struct nt_stats *s)
{
	char buf[NT_CELL];

	fprintf(t->out, "%*s", ABS, nt_cell_mean(buf, s));
}

static void put_spread(const struct table *t, const struct nt_stats *s)
{
	char buf[NT_CELL];

	if (*nt_cell_spread(buf, s))
		fprintf(t->out, " %s%*s", t->v->utf8 ? "±" : "~", ERR - 2, buf);
	else
		fprintf(t->out, "%*s", ERR, "");
}

/* The sign of % has a column of its own. */
static void put_change(const struct table *t, const struct nt_row *row, const struct nt_cell *cell)
{
	char buf[NT_CELL];
	bool share = strchr(nt_cell_change(buf, row, cell), '%');

	fprintf(t->out, "%*s%s", share ? REL + 1 : REL, buf, share ? " " : "  ");
}

static int put_label(const struct table *t, const struct nt_row *row)
{
	char *text = nt_row_label(t->c, row);

	if (!text)
		return -ENOMEM;
	fprintf(t->out, "  %-*s", t->widest, text);
	free(text);
	return 0;
}

/* Beside the robot's columns, for each further side. */
static void put_welch(const struct table *t, const struct nt_row *row)
{
	int i;

	for (i = 1; i < t->c->nsides; i++) {
		fputs("  ", t->out);
		nt_put_welch(t->out, &row->cell[i].w);
	}
}

/* Where runs of a side do not have it, how many do. */
static void put_runs(const struct table *t, const struct nt_row *row)
{
	bool all = true;
	int i;

	for (i = 0; i < t->c->nsides; i++)
		all = all && row->cell[i].s.n == row->cell[i].runs;
	for (i = 0; !all && i < t->c->nsides; i++)
		fprintf(t->out, "%s%zu/%zu%s", i ? " " : "  (runs with it: ", row->cell[i].s.n,
			row->cell[i].runs, i + 1 < t->c->nsides ? "" : ")");
}

static int put_row(const struct table *t, const struct nt_row *row)
{
	int i, err;

	put_mean(t, &row->cell[0].s);
	put_spread(t, &row->cell[0].s);
	for (i = 1; i < t->c->nsides; i++) {
		put_change(t, row, &row->cell[i]);
		put_mean(t, &row->cell[i].s);
		put_spread(t, &row->cell[i].s);
	}
	err = put_label(t, row);
	if (t->v->welch)
		put_welch(t, row);
	put_runs(t, row);
	fputc('\n', t->out);
	return err;
}

static void put_happened(const struct table *t, const struct nt_cell *cell)
{
	if (cell->happened == 0)
		fprintf(t->out, "%*s", ABS + 1, "");
	else
		fprintf(t->out, "%*.0f", ABS + 1, cell->happened);
	fprintf(t->out, ":%-*zu", ERR - 2, cell->runs);
}

static int put_functional(const struct table *t, const struct nt_row *row)
{
	int i, err;

	put_happened(t, &row->cell[0]);
	for (i = 1; i < t->c->nsides; i++) {
		fprintf(t->out, "%*.0f%% ", REL, nt_reproduction(row, &row->cell[i]));
		put_happened(t, &row->cell[i]);
	}
	err = put_label(t, row);
	fputc('\n', t->out);
	return err;
}

/* n characters of text at most, right-aligned in as many columns. */
static void put_fitted(FILE *out, const char *text, int n)
{
	const char *end = text;
	int k = 0;

	for (; *end && k < n; k++)
		end += nt_utf8_len(end) ?: 1;
	fprintf(out, "%*s%.*s", n - k, "", (int)(end - text), text);
}

static void put_dashes(FILE *out, int n)
{
	while (n--)
		fputc('-', out);
}

static void put_axes(const struct table *t)
{
	size_t i, n = t->c->naxes;

	for (i = 0; i < n; i++)
		fprintf(t->out, "%s%s", t->c->axis[i].name, i + 1 < n ? "/" : ":\n  ");
	for (i = 0; i < n; i++)
		fprintf(t->out, "%s%s", t->c->axis[i].value, i + 1 < n ? "/" : "\n\n");
}

static void put_header(const struct table *t)
{
	int i;

	for (i = 0; i < 89; i++)
		fputc('=', t->out);
	fputc('\n', t->out);
	put_axes(t);
	fprintf(t->out, "%s: \n", t->c->id_name);
	for (i = 0; i < t->c->nsides; i++)
		fprintf(t->out, "  %s\n", t->c->side[i].id);
	fputc('\n', t->out);
	for (i = 0; i < t->c->nsides; i++) {
		fputs(i ? " " : "", t->out);
		put_fitted(t->out, t->c->side[i].id, i ? NEXT - 1 : ABS + ERR);
	}
	fputc('\n', t->out);
	for (i = 0; i < t->c->nsides; i++) {
		fputs(i ? " " : "", t->out);
		put_dashes(t->out, i ? NEXT - 1 : ABS + ERR);
	}
	fputc('\n', t->out);
}

static void put_heading(const struct table *t, const char *first, const char *next)
{
	int i;

	fputs(first, t->out);
	for (i = 1; i < t->c->nsides; i++)
		fputs(next, t->out);
	fputc('\n', t->out);
}

static int put_rows(const struct table *t, bool functional)
{
	bool any = false;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < t->c->nrows; i++) {
		const struct nt_row *row = &t->c->row[i];

		if (row->functional != functional)
			continue;
		if (!any && functional) {
			put_heading(t, "       fail:runs", "  %reproduction    fail:runs");
			put_heading(t, "           |    ", "         |             |    ");
		} else if (!any) {
			put_heading(t, "         %stddev", "     %change         %stddev");
			put_heading(t, "             \\  ", "        |                \\  ");
		}
		any = true;
		err = functional ? put_functional(t, row) : put_row(t, row);
	}
	return err;
}

static int find_widest(struct table *t)
{
	size_t i;

	for (i = 0; i < t->c->nrows; i++) {
		char *text = nt_row_label(t->c, &t->c->row[i]);

		if (!text)
			return -ENOMEM;
		if ((int)strlen(text) > t->widest)
			t->widest = (int)strlen(text);
		free(text);
	}
	return 0;
}

int nt_compare_table(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v)
{
	struct table t = { out, c, v, 0 };
	int err = v->welch ? find_widest(&t) : 0;

	if (err)
		return err;
	nt_compare_top(out, c);
	put_header(&t);
	err = put_rows(&t, true);
	if (!err)
		err = put_rows(&t, false);
	if (!err)
		err = nt_compare_summary(out, c);
	return err ? err : nt_flush(out);
}
