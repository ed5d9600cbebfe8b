// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "view/compare.h"
#include "view/compare_cell.h"
#include "view/section.h"

void nt_compare_refusal(FILE *out, const struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->ndoubts && c->doubt[i].weight == NT_REFUSES; i++)
		fprintf(out, "numatrace: not compared: %s; --force compares all the same\n",
			c->doubt[i].text);
}

void nt_compare_top(FILE *out, const struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->ndoubts; i++)
		fprintf(out, "%s%s\n", c->doubt[i].weight == NT_DIFFERS ? "" : "Warning: ",
			c->doubt[i].text);
	if (c->ndoubts)
		fputc('\n', out);
}

/* Of a sweep the least and the most of any point. */
static void put_runs(FILE *out, const struct nt_compare *c, int side)
{
	size_t least = SIZE_MAX, most = 0;
	int i;

	for (i = 0; i < c->npoints; i++) {
		size_t n = nt_compare_runs(c, side, i);

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	if (least == most)
		fprintf(out, "%zu", most);
	else
		fprintf(out, "%zu to %zu", least, most);
}

static int put_counts(FILE *out, const struct nt_compare *c)
{
	char *by = c->by ? nt_safe(c->by) : NULL;
	double chance = nt_compare_chance(c);
	int i;

	if (c->by && !by)
		return -ENOMEM;
	fprintf(out, "%zu of %zu metrics%s%s changed by the robot's rule; runs%s: ", c->nchanged,
		c->compared, by ? " at a value of " : "", by ? by : "", by ? " of each" : "");
	for (i = 0; i < c->nsides; i++) {
		fputs(!i ? "" : i + 1 < c->nsides ? ", " : " and ", out);
		put_runs(out, c, i);
	}
	fputc('\n', out);
	if (chance > 0)
		fprintf(out, "With so many runs it flags up to %.2g %% of metrics that vary by "
			"chance alone\n", 100 * chance);
	free(by);
	return 0;
}

static int put_mixed(FILE *out, const struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->nrows; i++) {
		char *key = c->row[i].mixed ? nt_row_label(c, &c->row[i]) : NULL;

		if (key)
			fprintf(out, "%s: the base has values of both signs; its change is in %% "
				"of their mean size\n", key);
		else if (c->row[i].mixed)
			return -ENOMEM;
		free(key);
	}
	return 0;
}

int nt_compare_summary(FILE *out, const struct nt_compare *c)
{
	int err;

	fputc('\n', out);
	err = put_counts(out, c);
	if (err)
		return err;
	if (nt_compare_few(c))
		fprintf(out, "Too few runs: of a side with fewer than %d the spread is unknown, so "
			"nothing is shown to differ\n", NT_MIN_RUNS);
	if (c->one_sided)
		fprintf(out, "%zu metric%s not on every side\n", c->one_sided,
			c->one_sided == 1 ? " is" : "s are");
	if (c->by && !c->nrows)
		fputs("No scores to show; --stat REGEX names other metrics\n", out);
	return put_mixed(out, c);
}
