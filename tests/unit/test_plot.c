// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots and sparklines, character by character. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/plot.h"

static char *text;
static size_t len;

static int clean(void **state)
{
	(void)state;
	free(text);
	text = NULL;
	return 0;
}

static int plot(const char *title, const struct nt_series *s, size_t n)
{
	FILE *f = open_memstream(&text, &len);
	int err;

	assert_non_null(f);
	err = nt_plot(f, title, s, n);
	assert_int_equal(fclose(f), 0);
	return err;
}

/* 20 lines of printable ASCII, none wider than 80. */
static void check_shape(void)
{
	size_t lines = 0, width = 0, i;

	for (i = 0; i < len; i++) {
		lines += text[i] == '\n';
		width = text[i] == '\n' ? 0 : width + 1;
		assert_true(width <= 80);
		assert_true(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'));
	}
	assert_int_equal(lines, 20);
}

/*
 * Two sides of different length, as in the mails: where a mark of each falls on one place that
 * of the base shows, and the marks of the ends stand on the borders.
 */
static void test_two_sides(void **state)
{
	static const double base[] = { 100, 100, 80, 100, 0 }, new[] = { 0, 0, 80 };
	static const struct nt_series s[] = { { "base", base, 5 }, { "new", new, 3 } };

	(void)state;
	assert_int_equal(plot("fstat.ops", s, 2), 0);
	check_shape();
	assert_string_equal(text,
"\n"
"                                   fstat.ops\n"
"\n"
"  100 *.................*...------------------------------...*-----------------+\n"
"      |                     ......                  ......    .                |\n"
"      |                           ......      ......           ..              |\n"
"   80 ++                                ...*..                   .             |\n"
"      |                                                           .            |\n"
"      |                                                            ..          |\n"
"   60 ++                                                             .         |\n"
"      |                                                               .        |\n"
"   40 ++                                                               .       |\n"
"      |                                                                 ..     |\n"
"      |                                                                   .    |\n"
"   20 ++                                                                   .   |\n"
"      |                                                                     .. |\n"
"      |                                                                       .|\n"
"    0 O+----------------O------------------------------------------------------*\n"
"      1                                                                        5\n"
"      * base   O new\n");
}

static void refused(const struct nt_series *s, size_t n)
{
	assert_int_equal(plot("x", s, n), -EINVAL);
	assert_int_equal(len, 0);
	clean(NULL);
}

static void test_nothing_to_draw(void **state)
{
	static const double gaps[] = { NAN, INFINITY, -INFINITY, DBL_MAX };
	static const struct nt_series s[NT_MAX_SERIES + 1] = {
		{ "a", gaps, 4 }, { "b", gaps, 0 }, { "c", gaps, 1 },
	};

	(void)state;
	refused(s, 0);
	refused(s, 1);
	refused(s, 3);
	refused(s, NT_MAX_SERIES + 1);
}

static size_t count(char c)
{
	size_t n = 0, i;

	for (i = 0; i < len; i++)
		n += text[i] == c;
	return n;
}

/* No line goes over a gap: two points on each side, and one cell between the two of a pair. */
static void test_gap(void **state)
{
	static const double v[] = { 5, 5, NAN, 5, 5 };
	static const struct nt_series s = { "samples", v, 5 };

	(void)state;
	assert_int_equal(plot("gap", &s, 1), 0);
	check_shape();
	assert_int_equal(count('*'), 4 + 1);	/* and the one of the legend */
	assert_int_equal(count('.') - 7, 2 * 17);	/* 7 in the labels of the axis */
}

static void test_awkward_ranges(void **state)
{
	static const double sets[][2] = {
		{ 0, 0 }, { -1e300, 1e300 }, { 1e-300, 2e-300 }, { DBL_MIN, -DBL_TRUE_MIN },
		{ 1e15, 1e15 + 1 }, { -13.5, -18.17 }, { 1e7, 1e7 + 1 }, { 9999999, 0.001 },
		{ 1e-5, 2e-5 }, { 0.1, 0.1 + DBL_EPSILON }, { 123456.789, 123456.788 },
		{ 1e300, 1e300 }, { -DBL_TRUE_MIN, -DBL_TRUE_MIN }, { 9.5, 10.5 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		struct nt_series s = { "samples", sets[i], 2 };

		assert_int_equal(plot("range", &s, 1), 0);
		check_shape();
		assert_int_equal(count('*'), 3);
		clean(NULL);
	}
}

static void test_many_values(void **state)
{
	double *v = calloc(100000, sizeof(*v));
	struct nt_series s = { "samples", v, 100000 };
	size_t i;

	(void)state;
	for (i = 0; i < 100000; i++)
		v[i] = sin((double)i / 1e4);
	assert_int_equal(plot("many", &s, 1), 0);
	check_shape();
	free(v);
}

static void test_titles_are_ascii(void **state)
{
	static const double v[] = { 1 };
	static const struct nt_series s = { "\033]0;x\a", v, 1 };
	char title[300];

	(void)state;
	memset(title, '\xff', sizeof(title));
	title[sizeof(title) - 1] = '\0';
	assert_int_equal(plot(title, &s, 1), 0);
	check_shape();
	assert_non_null(strstr(text, "* _]0;x_\n"));
}

static const char *spark(const double *v, size_t n, size_t width, bool utf8)
{
	FILE *f;

	clean(NULL);
	f = open_memstream(&text, &len);
	assert_non_null(f);
	nt_sparkline(f, v, n, width, utf8);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void test_sparkline(void **state)
{
	static const double up[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, gap[] = { -1, NAN, 1 },
			    flat[] = { 3, 3 }, none[] = { NAN, INFINITY };

	(void)state;
	assert_string_equal(spark(up, 8, 10, false), "_.-=+*#@");
	assert_string_equal(spark(up, 8, 8, true), "▁▂▃▄▅▆▇█");
	assert_string_equal(spark(up, 8, 4, false), "_-*@");
	assert_string_equal(spark(gap, 3, 3, false), "_ @");
	assert_string_equal(spark(flat, 2, 9, false), "++");
	assert_string_equal(spark(none, 2, 9, false), "");
	assert_string_equal(spark(up, 0, 9, false), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_two_sides, clean),
		cmocka_unit_test_teardown(test_nothing_to_draw, clean),
		cmocka_unit_test_teardown(test_gap, clean),
		cmocka_unit_test_teardown(test_awkward_ranges, clean),
		cmocka_unit_test_teardown(test_many_values, clean),
		cmocka_unit_test_teardown(test_titles_are_ascii, clean),
		cmocka_unit_test_teardown(test_sparkline, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
