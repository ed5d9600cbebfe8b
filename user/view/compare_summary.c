// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "view/compare.h"
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

static void put_counts(FILE *out, const struct nt_compare *c)
{
	double chance = nt_compare_chance(c);
	int i;

	fprintf(out, "%zu of %zu metrics changed by the robot's rule; runs: %zu", c->nchanged,
		c->compared, c->side[0].n);
	for (i = 1; i < c->nsides; i++)
		fprintf(out, "%s%zu", i + 1 < c->nsides ? ", " : " and ", c->side[i].n);
	fputc('\n', out);
	if (chance > 0)
		fprintf(out, "With so many runs it flags up to %.2g %% of metrics that vary by "
			"chance alone\n", 100 * chance);
}

static int put_mixed(FILE *out, const struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->nrows; i++) {
		char *key = c->row[i].mixed ? nt_safe(c->row[i].key) : NULL;

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
	fputc('\n', out);
	put_counts(out, c);
	if (nt_compare_few(c))
		fprintf(out, "Too few runs: of a side with fewer than %d the spread is unknown, so "
			"nothing is shown to differ\n", NT_MIN_RUNS);
	if (c->one_sided)
		fprintf(out, "%zu metric%s not on every side\n", c->one_sided,
			c->one_sided == 1 ? " is" : "s are");
	return put_mixed(out, c);
}
