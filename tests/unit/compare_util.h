/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of comparisons: sides made of numbers. Include after cmocka.h. */
#ifndef NT_TEST_COMPARE_UTIL_H
#define NT_TEST_COMPARE_UTIL_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare.h"
#include "view/compare.h"

#define NO	NAN		/* a run without the metric */

/* Runs of a side with one metric: n values, NO for none. */
static inline void add_side(struct nt_results *s, int side, const char *key, bool score,
			    const double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct nt_run none = { 0 };

		assert_int_equal(nt_results_begin(s, side), 0);
		nt_results_last(s)->foreign = true;
		if (!isnan(v[i]) && score)
			assert_int_equal(nt_results_put_score(s, key, v[i]), 0);
		else if (!isnan(v[i]))
			assert_int_equal(nt_results_put(s, key, v[i]), 0);
		assert_int_equal(nt_results_set_head(s, &none), 0);
	}
}

/* n values around a mean: the spread of the population is sd if n is even. */
static inline void spread(double *v, size_t n, double mean, double sd)
{
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = i % 2 ? mean + sd : mean - sd;
}

/* The table, for the caller to free. */
static inline char *table_of(const struct nt_results *s, const struct nt_compare_opts *o,
			     const struct nt_compare_view *v, int nsides)
{
	static char *const names[] = { "base", "new", "newer" };
	struct nt_compare c;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(nt_compare(&c, s, names, nsides, o), 0);
	assert_int_equal(nt_compare_table(f, &c, v), 0);
	assert_int_equal(fclose(f), 0);
	nt_compare_free(&c);
	return text;
}

static inline void assert_line(const char *text, const char *line)
{
	size_t len = strlen(line);
	const char *at = text;

	while ((at = strstr(at, line)) && !((at == text || at[-1] == '\n') && at[len] == '\n'))
		at++;
	if (!at)
		fail_msg("no line '%s' in:\n%s", line, text);
}

#endif
