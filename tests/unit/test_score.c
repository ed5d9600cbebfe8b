// SPDX-License-Identifier: GPL-2.0-or-later
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collect/score.h"
#include "collect/stress_ng.h"

static char *stress_argv[] = { "/usr/bin/stress-ng", "--fstat", "1", "--metrics", NULL };
static char *other_argv[] = { "bench", "--metrics", NULL };

static void feed(struct nt_scores *s, const char *const *line)
{
	for (; *line; line++)
		nt_scores_line(s, *line);
}

static double value(const struct nt_scores *s, const char *key)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].key, key))
			return s->v[i].value;
	fail_msg("no %s", key);
	return 0;
}

static void open_stress(struct nt_scores *s)
{
	struct nt_error e;

	assert_int_equal(nt_scores_init(s, NULL, 0, stress_argv, true, &e), 0);
	assert_true(nt_scores_wanted(s));
}

/* Output of stress-ng 0.15.06 --fstat 1 --memrate 1 -t 1 --metrics, as it came. */
static void reads_metrics_of_0_15_06(void **state)
{
	static const char *const lines[] = {
"stress-ng: info:  [5024] setting to a 1 second run per stressor",
"stress-ng: info:  [5024] dispatching hogs: 1 fstat",
"stress-ng: metrc: [5024] stressor       bogo ops real time  usr time  sys time   bogo ops/s"
"     bogo ops/s CPU used per       RSS Max",
"stress-ng: metrc: [5024]                           (secs)    (secs)    (secs)   (real time)"
" (usr+sys time) instance (%)          (KB)",
"stress-ng: metrc: [5024] fstat              1679      1.00      0.51      0.99      1678.83"
"        1119.40       149.98          3340",
"stress-ng: metrc: [5024] memrate               0      1.01      0.82      0.17         0.00"
"           0.00        97.61        264236",
"stress-ng: metrc: [5024] miscellaneous metrics:",
"stress-ng: metrc: [5024] memrate            18124.67 write64stoq MB per sec "
"(geometic mean of 1 instances)",
"stress-ng: metrc: [5024] memrate              763.60 write1024 MB per sec "
"(geometic mean of 1 instances)",
"stress-ng: info:  [5024] successful run completed in 1.00s", NULL };
	struct nt_scores s;

	(void)state;
	open_stress(&s);
	feed(&s, lines);
	assert_int_equal(s.n, 4);
	assert_string_equal(s.v[0].key, "stress-ng.fstat.ops");
	assert_true(value(&s, "stress-ng.fstat.ops") == 1679);
	assert_true(value(&s, "stress-ng.fstat.ops_per_sec") == 1678.83);
	assert_true(value(&s, "stress-ng.memrate.ops") == 0);
	nt_scores_free(&s);
}

/* One row each of --metrics-brief, --sn and --timestamp, and of a version before 0.15.05. */
static void reads_other_rows(void **state)
{
	static const struct {
		const char *line;
		double ops, rate;
	} t[] = {
{ "stress-ng: metrc: [11744] cpu                1678      1.00      0.97      0.01      1671.44"
  "        1708.40", 1678, 1671.44 },
{ "stress-ng: metrc: [21092] cpu                1810 1.004e+00 9.934e-01 1.197e-02  1.80225e+03"
  "    1.80042e+03      1.0010e+02          6492", 1810, 1802.25 },
{ "stress-ng: 03:04:31.99 metrc: [21097] cpu                1741      1.00      0.99      0.01"
  "      1741.29        1739.23       100.12          6552", 1741, 1741.29 },
{ "stress-ng: info:  [12] cpu                1700      1.00      0.97      0.01      1650.50"
  "        1708.40", 1700, 1650.5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct nt_stress_row row;

		assert_true(nt_stress_row(t[i].line, false, &row));
		assert_string_equal(row.name, "cpu");
		assert_true(row.ops == t[i].ops);
		assert_true(row.ops_per_sec == t[i].rate);
	}
}

/* --log-brief leaves the prefix out; only after the header are such rows believed. */
static void reads_bare_rows_after_their_header(void **state)
{
	static const char row[] =
"cpu                1723      1.00      0.99      0.01      1723.01        1721.52       100.09"
"          6484";
	static const char *const lines[] = {
"stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s CPU used per"
"       RSS Max",
"                          (secs)    (secs)    (secs)   (real time) (usr+sys time) instance (%)"
"          (KB)", row, NULL };
	struct nt_scores s;

	(void)state;
	open_stress(&s);
	nt_scores_line(&s, row);
	assert_int_equal(s.n, 0);
	feed(&s, lines);
	assert_true(value(&s, "stress-ng.cpu.ops_per_sec") == 1723.01);
	nt_scores_free(&s);
}

static void passes_over_what_is_no_row(void **state)
{
	static const char *const lines[] = {
		"", " ", "stress-ng:", "stress-ng: metrc: [1]", "stress-ng: metrc: [1] cpu",
		"stress-ng: metrc: [1] cpu 1 2 3 4 5",
		"stress-ng: metrc: [1] cpu 1 2 3 4 5 6 7",
		"stress-ng: metrc: [1] cpu 1 2 3 4 5 6 7 8 9",
		"stress-ng: metrc: [1] cpu 1 2 3 4 nan 6",
		"stress-ng: metrc: [1] cpu 1 2 3 4 5x 6",
		"stress-ng: metrc: [1] cpu 1 2 3 4 5,5 6",
		"stress-ng: metrc: [1] 123 1 2 3 4 5 6",
		"stress-ng: warn:  [1] cpu 1 2 3 4 5 6",
		"other: metrc: [1] cpu 1 2 3 4 5 6",
		"a b c d e f g h i j k l m n o p q r s t u v w x y z", NULL };
	struct nt_scores s;
	struct nt_error e;

	(void)state;
	open_stress(&s);
	feed(&s, lines);
	assert_int_equal(s.n, 0);
	nt_scores_free(&s);
	assert_int_equal(nt_scores_init(&s, NULL, 0, other_argv, true, &e), 0);
	assert_false(nt_scores_wanted(&s));
	nt_scores_free(&s);
	assert_int_equal(nt_scores_init(&s, NULL, 0, stress_argv, false, &e), 0);
	assert_false(nt_scores_wanted(&s));
	nt_scores_free(&s);
}

static void applies_rules(void **state)
{
	static const char *const rules[] = { "rate=rate: +([0-9.]+) op", "neg=x=(-?[0-9.e+]+)",
					     "text=v=([a-z]*)", "none=zzz([0-9])" };
	static const char *const lines[] = { "rate: 5 op/s", "rate:  12.5 op/s", "rate: x op/s",
					     "x=-1.5e+3", "x=7.", "v=abc", NULL };
	struct nt_run r = { 0 };
	struct nt_scores s;
	struct nt_error e;

	(void)state;
	assert_int_equal(nt_scores_init(&s, rules, 4, other_argv, true, &e), 0);
	assert_true(nt_scores_wanted(&s));
	feed(&s, lines);
	assert_int_equal(nt_scores_finish(&s, &r), 0);
	assert_int_equal(r.nscores, 2);
	assert_string_equal(r.score[0].key, "rate");
	assert_true(r.score[0].value == 12.5);
	assert_true(r.score[1].value == 7);
	assert_int_equal(r.nnotes, 2);
	assert_non_null(strstr(r.note[0], "no score text: the group held no number"));
	assert_non_null(strstr(r.note[1], "no score none: no line of the output matched"));
	nt_run_free(&r);

	/* Ready for the next run, without the values of this one. */
	memset(&r, 0, sizeof(r));
	nt_scores_line(&s, "rate: 3 op");
	assert_int_equal(nt_scores_finish(&s, &r), 0);
	assert_int_equal(r.nscores, 1);
	assert_true(r.score[0].value == 3);
	nt_run_free(&r);
	nt_scores_free(&s);
}

static void refuses_bad_rules(void **state)
{
	static const struct {
		const char *rule[2], *says;
	} t[] = {
		{ { "a=([" },		"bad regular expression" },
		{ { "a=[0-9]+" },	"needs a group" },
		{ { "a" },		"NAME=REGEX" },
		{ { "=(.)" },		"NAME=REGEX" },
		{ { "a b=(.)" },	"one word" },
		{ { "a=(.)", "a=(x)" },	"given twice" },
		/* Found by fuzzing: the C library takes gigabytes for these, or for ever. */
		{ { "a= *([0-9]) ++++++++++++++++++++++++++++++++++++++++" }, "written out" },
		{ { "a=(((x{255}){255}){255})" }, "written out" },
		{ { "a=(x{,32767})" },	"written out" },
		{ { "a=(([0-9]+)+)+{3}{9}{99}" }, "written out" },
		{ { "a=(x)???????????????????????????????????????" }, "written out" },
		{ { "a=((((((((((((((((((((((((((((((((((x" }, "within each other" },
		{ { "a=([0-9]+)\\1" },	"back-references" },
		{ { "a=(.*)*\\1" },	"may match nothing" },
		{ { "a=(.*)*x" },	"may match nothing" },
		{ { "a=(^|$|\\<)+([0-9])" }, "may match nothing" },
		{ { "a=((x?|y{0,2})z*){3}" }, "may match nothing" },
		{ { "a=(|||||7||||])*\n+" }, "may match nothing" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct nt_scores s;
		struct nt_error e = { "" };

		assert_true(nt_scores_init(&s, t[i].rule, t[i].rule[1] ? 2 : 1, other_argv, true,
					   &e) < 0);
		assert_non_null(strstr(e.msg, t[i].says));
	}
}

/* What looks like much and is not. */
static void takes_rules_of_all_kinds(void **state)
{
	static const char *const rule[] = {
		"a=^[^]+(){}[:digit:]]*([0-9]{1,10})", "b=\\(\\+\\{([0-9]+)",
		"c=[[:digit:]+*]{3}(.)", "e=(^|[(]).*x|^)+([0-9])",
		"d=([0-9]+)\\.([0-9]+)? *(k|M|G)?(i?)B/s +total+ of+ runs+ so+ far+ as+ "
		"seen+ here+",
	};
	struct nt_error e = { "" };
	struct nt_scores s;

	(void)state;
	if (nt_scores_init(&s, rule, sizeof(rule) / sizeof(*rule), other_argv, true, &e))
		fail_msg("%s", e.msg);
	nt_scores_free(&s);
}

static void parses_numbers_whatever_the_locale(void **state)
{
	double v;

	(void)state;
	setlocale(LC_ALL, "de_DE.UTF-8");	/* where it is installed */
	assert_true(nt_number("1678.83", &v) && v == 1678.83);
	assert_true(nt_number("  -2e3\t", &v) && v == -2000);
	assert_true(nt_number(".5", &v) && v == .5);
	setlocale(LC_ALL, "C");
	assert_false(nt_number("", &v));
	assert_false(nt_number(" ", &v));
	assert_false(nt_number("1,5", &v));
	assert_false(nt_number("10x", &v));
	assert_false(nt_number("0x10", &v));
	assert_false(nt_number("nan", &v));
	assert_false(nt_number("inf", &v));
	assert_false(nt_number("1e999", &v));
	assert_false(nt_number("1 2", &v));
	assert_false(nt_number("1-2", &v));
}

static void gives_advice(void **state)
{
	static const struct {
		char *argv[6];
		int n;
	} t[] = {
		{ { "stress-ng", "--fstat", "10" }, 2 },
		{ { "stress-ng", "--fstat", "10", "--metrics" }, 1 },
		{ { "stress-ng", "--fstat", "10", "-M", "-t10" }, 0 },
		{ { "stress-ng", "--metrics-brief", "-t", "10" }, 0 },
		{ { "stress-ng", "-vMt", "10" }, 0 },
		{ { "stress-ng", "--metrics", "--timeout=10" }, 0 },
		{ { "stress-ng", "--metrics", "--timeout", "10" }, 0 },
		{ { "stress-ng", "--metrics", "--cpu-ops", "10" }, 0 },
		{ { "stress-ng", "-c", "-M", "-t", "1" }, 1 },
		{ { "stress-ng", "--help" }, 0 },
		{ { "stress-ng", "-V" }, 0 },
		{ { "stress-ng", "--job", "file" }, 0 },
		{ { "stress-ng", "-j", "file" }, 0 },
		{ { "stress-ng", "-c" }, 2 },
		{ { "stress-ng", "--metric", "-t1" }, 1 },
		{ { "stress-ng-wrapper", "--fstat", "10" }, 0 },
		{ { "true" }, 0 },
	};
	const char *line[2];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		if (nt_scores_advice(t[i].argv, line) != t[i].n)
			fail_msg("case %zu", i);
	nt_scores_advice(t[0].argv, line);
	assert_non_null(strstr(line[0], "--metrics"));
	assert_non_null(strstr(line[1], "24 hours"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_metrics_of_0_15_06),
		cmocka_unit_test(reads_other_rows),
		cmocka_unit_test(reads_bare_rows_after_their_header),
		cmocka_unit_test(passes_over_what_is_no_row),
		cmocka_unit_test(applies_rules),
		cmocka_unit_test(refuses_bad_rules),
		cmocka_unit_test(takes_rules_of_all_kinds),
		cmocka_unit_test(parses_numbers_whatever_the_locale),
		cmocka_unit_test(gives_advice),
	};

	return cmocka_run_group_tests_name("score", tests, NULL, NULL);
}
