// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/compare_cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/section.h"

const char *nt_cell_mean(char *buf, const struct nt_stats *s)
{
	double size = fabs(s->mean);

	if (!s->n)
		snprintf(buf, NT_CELL, "-");
	else if (size < 1000)
		snprintf(buf, NT_CELL, "%.2f", s->mean);
	else if (size <= 1e8)
		snprintf(buf, NT_CELL, "%d", (int)s->mean);
	else
		snprintf(buf, NT_CELL, "%.4g", s->mean);
	return buf;
}

const char *nt_cell_spread(char *buf, const struct nt_stats *s)
{
	double share = s->n > 1 ? s->mean != 0 ? 100 * s->sd / s->mean : s->sd : 0;

	if (!(share > 2))
		*buf = '\0';
	else if (share < 1e9)
		snprintf(buf, NT_CELL, "%d%%", (int)share);
	else
		snprintf(buf, NT_CELL, "%.0e%%", share);
	return buf;
}

const char *nt_cell_change(char *buf, const struct nt_row *row, const struct nt_cell *cell)
{
	double v = cell->change;

	if (!row->cell[0].s.n || !cell->s.n)
		*buf = '\0';
	else if (isnan(v))
		snprintf(buf, NT_CELL, "n/a");
	else
		snprintf(buf, NT_CELL, fabs(v) < 100000 ? "%+.1f%s" : "%+.2g%s", v,
			 row->absolute ? "" : "%");
	return buf;
}

char *nt_row_label(const struct nt_compare *c, const struct nt_row *row)
{
	char *key = nt_safe(row->key), *by, *text = NULL;
	int widest = 0, i;

	if (!c->by || !key)
		return key;
	for (i = 0; i < c->npoints; i++)
		if ((int)strlen(c->point[i].text) > widest)
			widest = (int)strlen(c->point[i].text);
	by = nt_safe(c->by);
	if (by && asprintf(&text, "%s (%s=%*s)", key, by, widest, c->point[row->point].text) < 0)
		text = NULL;
	free(by);
	free(key);
	return text;
}

void nt_put_welch(FILE *out, const struct nt_welch *w)
{
	fputs(nt_verdict_name[w->verdict], out);
	if (!isnan(w->p))
		fprintf(out, ", p %.2g", w->p);
	if (!isnan(w->low))
		fprintf(out, ", x %.4g [%.4g, %.4g]", w->ratio, w->low, w->high);
}

double nt_reproduction(const struct nt_row *row, const struct nt_cell *cell)
{
	return 100 * (cell->happened / (double)cell->runs -
		      row->cell[0].happened / (double)row->cell[0].runs);
}
