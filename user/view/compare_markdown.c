// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/compare.h"
#include "view/compare_cell.h"
#include "view/section.h"

/* What Markdown would take for markup, or for the end of a cell. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*<[|~", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static int put_label(FILE *out, const struct nt_compare *c, const struct nt_row *row)
{
	char *text = nt_row_label(c, row);

	if (!text)
		return -ENOMEM;
	put_escaped(out, text);
	free(text);
	return 0;
}

static void put_doubts(FILE *out, const struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->ndoubts; i++) {
		fputs(c->doubt[i].weight == NT_DIFFERS ? "- " : "- **Warning:** ", out);
		put_escaped(out, c->doubt[i].text);
		fputc('\n', out);
	}
	if (c->ndoubts)
		fputc('\n', out);
}

static void put_header(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v)
{
	int i;

	fprintf(out, "| %s", c->id_name);
	for (i = 0; i < c->nsides; i++) {
		fputs(i ? " | %change | " : " | ", out);
		put_escaped(out, c->side[i].id);
		fputs(i && v->welch ? " | Welch" : "", out);
	}
	fputs(" |\n|---", out);
	for (i = 0; i < c->nsides; i++)
		fprintf(out, "%s%s", i ? "|--:|--:" : "|--:", i && v->welch ? "|---" : "");
	fputs("|\n", out);
}

static void put_value(FILE *out, const struct nt_row *row, const struct nt_cell *cell, bool utf8)
{
	char mean[NT_CELL], spread[NT_CELL];

	if (row->functional) {
		fprintf(out, " | %.0f:%zu", cell->happened, cell->runs);
		return;
	}
	fprintf(out, " | %s", nt_cell_mean(mean, &cell->s));
	if (*nt_cell_spread(spread, &cell->s))
		fprintf(out, " %s %s", utf8 ? "±" : "\\~", spread);
}

static int put_row(FILE *out, const struct nt_compare *c, const struct nt_row *row,
		   const struct nt_compare_view *v)
{
	char change[NT_CELL];
	int i, err;

	fputs("| ", out);
	err = put_label(out, c, row);
	for (i = 0; i < c->nsides; i++) {
		const struct nt_cell *cell = &row->cell[i];

		if (i && row->functional)
			fprintf(out, " | %.0f%%", nt_reproduction(row, cell));
		else if (i)
			fprintf(out, " | %s", nt_cell_change(change, row, cell));
		put_value(out, row, cell, v->utf8);
		if (!i || !v->welch)
			continue;
		fputs(" | ", out);
		if (!row->functional)
			nt_put_welch(out, &cell->w);
	}
	fputs(" |\n", out);
	return err;
}

int nt_compare_markdown(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v)
{
	size_t i;
	int err = 0;

	put_doubts(out, c);
	put_header(out, c, v);
	for (i = 0; !err && i < c->nrows; i++)
		err = put_row(out, c, &c->row[i], v);
	if (!err)
		err = nt_compare_summary(out, c);
	return err ? err : nt_flush(out);
}
