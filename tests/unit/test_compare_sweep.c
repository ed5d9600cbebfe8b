// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs that differ in a label on purpose: a row for each of its values. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/compare_util.h"

static const struct nt_compare_view ascii = { 0 };

/* A run of "t -n ARG" on one node, with a score, a metric, and labels. */
static void add_run(struct nt_results *s, int side, const char *arg, const char *label,
		    const char *other, double v)
{
	char *argv[] = { (char *)"t", (char *)"-n", (char *)arg, NULL };
	const char *params[] = { label, other };
	struct nt_run head = { 0 };

	assert_int_equal(nt_run_set_command(&head, argv, params, other ? 2 : label ? 1 : 0), 0);
	head.topo.node = calloc(1, sizeof(*head.topo.node));
	head.topo.nnodes = 1;
	assert_int_equal(nt_results_begin(s, side), 0);
	assert_int_equal(nt_results_put_score(s, "t.ops", v), 0);
	assert_int_equal(nt_results_put(s, "m", 2 * v), 0);
	assert_int_equal(nt_results_set_head(s, &head), 0);
}

static char *sweep(struct nt_results *s, bool every)
{
	const struct nt_compare_opts o = { .by = "n", .all = every };
	char *text = table_of(s, &o, &ascii, 2);

	nt_results_free(s);
	return text;
}

/* By size and not by letters; what is no finite number comes last. */
static void order_of_values(void **state)
{
	static const char *const label[] = { "n=nan", "n=10", "n=9", "n=big", "n=0x8", "n=1e3" };
	static const char rows[] =
		"      3.00            +0.0%       3.00        t.ops (n=  9)\n"
		"      2.00            +0.0%       2.00        t.ops (n= 10)\n"
		"      6.00            +0.0%       6.00        t.ops (n=1e3)\n"
		"      4.00            +0.0%       4.00        t.ops (n=big)\n"
		"      1.00            +0.0%       1.00        t.ops (n=nan)\n";
	struct nt_results s = { 0 };
	int side, i;
	char *text;

	(void)state;
	for (side = 0; side < 2; side++)
		for (i = 0; i < 6; i++)
			add_run(&s, side, "1", label[i], NULL, i + 1);
	text = sweep(&s, false);
	assert_line(text, "      5.00            +0.0%       5.00        t.ops (n=0x8)");
	assert_non_null(strstr(text, rows));
	assert_null(strstr(text, " m ("));
	free(text);
}

/* Each point by its own runs, also in what is said of chance and of too few. */
static void runs_of_a_point(void **state)
{
	struct nt_results s = { 0 };
	char *text;
	int i;

	(void)state;
	for (i = 0; i < 3; i++)
		add_run(&s, 0, "1", "n=1", NULL, 10 + i);
	add_run(&s, 0, "2", "n=2", NULL, 20);
	for (i = 0; i < 3; i++)
		add_run(&s, 1, "1", "n=1", NULL, 20 + i);
	add_run(&s, 1, "4", "n=4", NULL, 40);
	text = sweep(&s, true);
	assert_line(text, "     11.00 ~  7%     +90.9%      21.00 ~  3%  t.ops (n=1)");
	assert_line(text, "     20.00                           -        t.ops (n=2)");
	assert_line(text, "         -                       40.00        t.ops (n=4)");
	assert_line(text, "     22.00 ~  7%     +90.9%      42.00 ~  3%  m (n=1)");
	assert_line(text, "2 of 2 metrics at a value of n changed by the robot's rule; "
		    "runs of each: 0 to 3 and 0 to 3");
	assert_line(text, "4 metrics are not on every side");
	assert_non_null(strstr(text, "Too few runs"));
	assert_non_null(strstr(text, "up to 20 %"));
	free(text);
}

/* The command and other labels must be the same at each point, not at all. */
static void doubts_of_a_point(void **state)
{
	static const char above[] =
		"Warning: command differs at n=2: base: t -n 2; new: t -n 3\n"
		"Warning: label disk differs at n=2: base: b; new: c\n"
		"\n";
	struct nt_results s = { 0 };
	char *text;

	(void)state;
	add_run(&s, 0, "1", "n=1", "disk=a", 1);
	add_run(&s, 0, "2", "n=2", "disk=b", 1);
	add_run(&s, 1, "1", "n=1", "disk=a", 1);
	add_run(&s, 1, "3", "n=2", "disk=c", 1);
	text = sweep(&s, false);
	assert_memory_equal(text, above, strlen(above));
	free(text);
	add_run(&s, 0, "1", "n=1", NULL, 1);
	add_run(&s, 0, "5", "n=1", NULL, 1);
	add_run(&s, 0, "7", "k=1", NULL, 1);
	add_run(&s, 1, "1", "n=1", NULL, 1);
	text = sweep(&s, false);
	assert_line(text, "Warning: command differs within base at n=1: t -n 1; t -n 5");
	assert_line(text, "Warning: 1 of 4 runs have no label n and are left out");
	free(text);
}

static void no_such_label(void **state)
{
	static const struct nt_compare_opts o = { .by = "threads" };
	static char *const names[] = { "base", "new" };
	struct nt_results s = { 0 };
	struct nt_compare c;

	(void)state;
	add_run(&s, 0, "1", "n=1", NULL, 1);
	add_run(&s, 1, "1", "thread=1", NULL, 1);
	assert_int_equal(nt_compare(&c, &s, names, 2, &o), -ENOENT);
	nt_compare_free(&c);
	nt_results_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_of_values),
		cmocka_unit_test(runs_of_a_point),
		cmocka_unit_test(doubts_of_a_point),
		cmocka_unit_test(no_such_label),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
