// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test robot's table. Expected lines are what its own functions print for these values,
 * and rows it published (means and spreads as printed, so the change is the published one).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/compare_util.h"

static const struct nt_compare_opts all = { .all = true };
static const struct nt_compare_opts compat = { .all = true, .compat = true };
static const struct nt_compare_view utf8 = { .utf8 = true };
static const struct nt_compare_view ascii = { 0 };

static char *make(const char *key, const double *a, size_t na, const double *b, size_t nb,
		  const struct nt_compare_opts *o, const struct nt_compare_view *v)
{
	struct nt_results s = { 0 };
	char *text;

	add_side(&s, 0, key, false, a, na);
	add_side(&s, 1, key, false, b, nb);
	text = table_of(&s, o, v, 2);
	nt_results_free(&s);
	return text;
}

#define CHECK(key, o, v, line, ...) do {					\
	static const double sides[2][6] = { __VA_ARGS__ };			\
	char *text_ = make(key, sides[0], count(sides[0]), sides[1],		\
			   count(sides[1]), o, v);				\
	assert_line(text_, line);						\
	free(text_);								\
} while (0)

/* Values end at the first -1e9. */
#define END	(-1e9)
static size_t count(const double *v)
{
	size_t n = 0;

	while (n < 6 && v[n] > END)
		n++;
	return n;
}

static void golden_vectors(void **state)
{
	(void)state;
	CHECK("golden.a", &all, &utf8,
	      "    100.00           +10.0%     110.00        golden.a",
	      { 100, 102, 98, 101, 99, 100 }, { 110, 112, 108, 111, 109, 110 });
	CHECK("golden.b%", &all, &utf8,
	      "     11.00 ±  7%     +10.0       21.00 ± 10%  golden.b%",
	      { 10, 12, 11, END }, { 20, 19, 24, END });
	CHECK("golden.b%", &all, &ascii,
	      "     11.00 ~  7%     +10.0       21.00 ~ 10%  golden.b%",
	      { 10, 12, 11, END }, { 20, 19, 24, END });
	CHECK("golden.c", &all, &utf8,
	      "    -13.50           +34.6%     -18.17        golden.c",
	      { -13, -15, -12, -14, -13, -14 }, { -18, -19, -17, -18, -18, -19 });
	CHECK("golden.d", &compat, &utf8,
	      "      0.00         +6e+102%       6.00 ± 13%  golden.d",
	      { 0, 0, 0, END }, { 5, 6, 7, END });
	CHECK("golden.e", &all, &utf8,
	      "     59969            +5.2%      63066        golden.e",
	      { 59969.7, 59969.9, END }, { 63066.2, 63066.4, END });
}

static void edges_of_the_mean(void **state)
{
	(void)state;
	CHECK("m", &all, &utf8, "   1000.00            +0.0%       1000        m",
	      { 999.996, END }, { 1000.1, END });
	CHECK("m", &all, &utf8, " 100000000            +0.0%      1e+08        m",
	      { 1e8, END }, { 100000001, END });
	CHECK("m", &all, &utf8, "     -1999           +50.0%      -2998        m",
	      { -1999.2, END }, { -2998.9, END });
	/* From 100000 on the change has two digits. */
	CHECK("m", &all, &utf8, "      1.00        +99999.0%       1000        m",
	      { 1, END }, { 1000.99, END });
	CHECK("m", &all, &utf8, "      0.01        +1.1e+05%      11.01        m",
	      { 0.01, END }, { 11.01, END });
}

/* Published rows. A cell that shows "x%" of spread has between x and x + 1. */
static const struct {
	const char *line;
	double mean[2], share[2];	/* share: spread in % of the mean */
} published[] = {
	{ " 2.751e+09 ±  2%      -9.7%  2.483e+09 ±  2%  cpuidle..time",
	  { 2.751e9, 2.483e9 }, { 2.5, 2.5 } },
	{ "      2.87            +0.5        3.34 ±  4%  mpstat.cpu.all.sys%",
	  { 2.87, 3.34 }, { 1.9, 4.5 } },
	{ "    516.50           +14.8%     593.00 ±  3%  stress-ng.cpu-online.ops",
	  { 516.5, 593 }, { 1, 3.5 } },
	{ "      1130 ± 23%     +72.3%       1948 ± 14%  numa-meminfo.node0.Active",
	  { 1130.9, 1948.1 }, { 23.5, 14.5 } },
	{ "    -13.50           +34.6%     -18.17        sched_debug.cpu.nr_uninterruptible.min",
	  { -13.5, -109.0 / 6 }, { 20, 20 } },
	{ "      0.03 ± 63%    +202.3%       0.10 ± 65%  perf-stat.i.major-faults",
	  { 0.032, 0.096736 }, { 63.5, 65.5 } },
	{ "     16.83 ± 37%     -68.3%       5.33 ± 64%  mpstat.max_utilization.seconds",
	  { 101.0 / 6, 32.0 / 6 }, { 37.5, 64.5 } },
	{ "      7.72 ±  2%     +17.8%       9.09 ±  3%  stress-ng.cpu-online.ops_per_sec",
	  { 7.718, 9.091 }, { 2.5, 3.5 } },
};

static void published_rows(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		double a[6], b[6];
		const char *key = strrchr(published[i].line, ' ') + 1;
		char *text;

		spread(a, 6, published[i].mean[0],
		       published[i].mean[0] * published[i].share[0] / 100);
		spread(b, 6, published[i].mean[1],
		       published[i].mean[1] * published[i].share[1] / 100);
		text = make(key, a, 6, b, 6, &all, &utf8);
		assert_line(text, published[i].line);
		free(text);
	}
}

static void spread_is_of_the_population(void **state)
{
	(void)state;
	/* 100 * sqrt(2 / 3) / 28 is 2.916, of a sample 3.57; cut, so 2. */
	CHECK("m", &all, &utf8, "     28.00 ±  2%      +0.0%      28.00        m",
	      { 27, 28, 29, END }, { 28, END });
	/* 2 itself is not above 2; of a mean of 0 the spread stands as it is. */
	CHECK("m", &all, &utf8, "    100.00            -1.0%      99.00 ±  3%  m",
	      { 98, 102, END }, { 96, 102, END });
	CHECK("m%", &all, &utf8, "      0.00 ±  3%      +0.0        0.00        m%",
	      { -3, 3, END }, { -1, 1, END });
	/* Of one run it is unknown, of a negative mean too. */
	CHECK("m", &all, &utf8, "     -5.00           +40.0%      -7.00        m",
	      { -5, END }, { -6, -8, END });
}

static void zero_base(void **state)
{
	(void)state;
	CHECK("m", &all, &utf8, "      0.00             n/a        6.00        m",
	      { 0, 0, 0, END }, { 6, 6, 6, END });
	CHECK("m", &all, &utf8, "      0.00            +0.0%       0.00        m",
	      { 0, 0, 0, END }, { 0, 0, 0, END });
	CHECK("m%", &all, &utf8, "      0.00            +6.0        6.00        m%",
	      { 0, 0, 0, END }, { 6, 6, 6, END });
}

static void base_of_both_signs(void **state)
{
	(void)state;
	/* Mean 1, mean size 3: from 1 to 4 is 300 % of the one, 100 % of the other. */
	CHECK("m", &all, &utf8, "      1.00 ±300%    +100.0%       4.00        m",
	      { 4, -2, END }, { 4, 4, END });
	CHECK("m", &all, &utf8,
	      "m: the base has values of both signs; its change is in % of their mean size",
	      { 4, -2, END }, { 4, 4, END });
	CHECK("m", &compat, &utf8, "      1.00 ±300%    +300.0%       4.00        m",
	      { 4, -2, END }, { 4, 4, END });
}

static void absent_stays_absent(void **state)
{
	static const double a[] = { 10, NO, 12, 11 }, b[] = { 20, 22, NO, NO }, none[] = { NO };
	char *text;

	(void)state;
	text = make("m", a, 4, b, 4, &all, &utf8);
	assert_line(text, "     11.00 ±  7%     +90.9%      21.00 ±  4%  m  "
			  "(runs with it: 3/4 2/4)");
	free(text);
	text = make("m", a, 4, none, 1, &all, &utf8);
	assert_line(text, "     11.00 ±  7%                     -        m  "
			  "(runs with it: 3/4 0/1)");
	assert_line(text, "1 metric is not on every side");
	free(text);
}

/* Each side by its own runs: 3 of 3 is all, not 3 of the base's 6. */
static void what_failed_how_often(void **state)
{
	static const double a[] = { 0, 0, 0, NO }, b[] = { 1, NO, 1, NO }, c[] = { 1, 1, 1 };
	static const char key[] = "dmesg.WARNING:at_kernel/foo";
	static const struct nt_compare_opts changed = { 0 };
	struct nt_results s = { 0 };
	char *text;

	(void)state;
	add_side(&s, 0, key, false, a, 4);
	add_side(&s, 1, key, false, b, 4);
	add_side(&s, 2, key, false, c, 3);
	text = table_of(&s, &changed, &utf8, 3);
	assert_line(text, "       fail:runs  %reproduction    fail:runs  %reproduction    "
			  "fail:runs");
	assert_line(text, "           |             |             |             |             "
			  "|    ");
	assert_line(text, "           :4           50%           2:4          100%           3:3"
			  "     dmesg.WARNING:at_kernel/foo");
	free(text);
	nt_results_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_vectors),
		cmocka_unit_test(edges_of_the_mean),
		cmocka_unit_test(published_rows),
		cmocka_unit_test(spread_is_of_the_population),
		cmocka_unit_test(zero_base),
		cmocka_unit_test(base_of_both_signs),
		cmocka_unit_test(absent_stays_absent),
		cmocka_unit_test(what_failed_how_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
