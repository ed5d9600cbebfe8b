// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each version's rule makes of two groups. Expected values were worked out by hand from the
 * kernels' sources, not from the code under test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/numa_rule.h"

#define S NT_STAYS
#define M NT_MOVES
#define U NT_UNSETTLED

/* A group of w CPUs that run n tasks, one each as far as they go. */
static struct nt_rule_group group(int w, int n)
{
	return (struct nt_rule_group){
		.weight = w, .running = n, .fair = n, .idle = n < w ? w - n : 0,
	};
}

/* Two nodes of w CPUs, below each a level that spreads tasks. */
static struct nt_rule_domain nodes(int w, int imb)
{
	return (struct nt_rule_domain){
		.weight = 2 * w, .imb_numa_nr = imb, .prefer_local = true, .prefer_other = true,
		.fork = true, .exec = true,
	};
}

struct row {
	const char *kernel;
	int w, imb;		/* CPUs of a node, imb_numa_nr: -1 none */
	int more, less;		/* tasks of the two nodes */
	enum nt_verdict balance, fork, exec;
};

static const struct row rows[] = {
	/* 2x4 on 6.0 and later, imb_numa_nr 1: only an empty node is below the gate. */
	{ "6.1.0-50-amd64", 4, 1, 1, 0, S, M, S },
	{ "6.1.0-50-amd64", 4, 1, 2, 0, S, M, M },
	{ "6.1.0-50-amd64", 4, 1, 3, 0, M, M, M },
	{ "6.1.0-50-amd64", 4, 1, 2, 1, S, M, S },
	{ "6.1.0-50-amd64", 4, 1, 3, 1, M, M, M },
	{ "6.1.0-50-amd64", 4, 1, 2, 2, S, S, S },
	/* 96 CPUs on two nodes, imb_numa_nr 6. */
	{ "6.12.5", 48, 6, 2, 0, S, S, S },
	{ "6.12.5", 48, 6, 3, 0, M, M, S },	/* exec: 2 left, 2 idle CPUs apart, 3 <= 6 */
	{ "6.12.5", 48, 6, 7, 5, S, M, M },	/* 6 <= 6 and 2; fork: 8 > 6; exec: 7 > 6 */
	{ "6.12.5", 48, 6, 8, 6, M, M, M },	/* 7 > 6 */
	{ "6.12.5", 48, 6, 6, 5, S, M, S },	/* fork: 7 > 6, and one more is idle there */
	{ "6.12.5", 48, 6, 6, 6, S, S, S },
	{ "7.3.4", 4, 1, 3, 0, M, M, M },
	{ "7.3.4", 4, 1, 2, 0, S, M, M },
	/* 5.18: halved first, so that 5 pass; fork goes by the number alone. */
	{ "5.19.0", 48, 12, 5, 0, S, S, S },
	{ "5.19.0", 48, 12, 6, 0, M, S, S },
	{ "5.19.0", 48, 12, 12, 10, S, M, S },	/* 11 <= 12; fork 13 > 12, exec 12 */
	{ "5.19.0", 48, 12, 13, 11, S, M, M },	/* 12 <= 12 */
	{ "5.19.0", 48, 12, 14, 12, M, M, M },	/* 13 > 12 */
	/* 5.10: two or fewer are left alone, and fork stays while a CPU is idle. */
	{ "5.10.0-30-amd64", 4, -1, 1, 0, S, S, S },
	{ "5.10.0-30-amd64", 4, -1, 2, 0, S, S, S },
	{ "5.10.0-30-amd64", 4, -1, 3, 2, S, S, S },
	{ "5.10.0-30-amd64", 4, -1, 3, 1, M, S, S },
	{ "5.10.0-30-amd64", 4, -1, 3, 0, M, S, S },
	{ "5.10.0-30-amd64", 48, -1, 40, 38, M, S, S },
	/*
	 * 5.11 to 5.17 may have 2cfb7a1b031b or not. 96 CPUs: below 12 of the busier, or 12 with
	 * the one to come of the other; fork below 24 of both, or 12 of its own.
	 */
	{ "5.15.85", 48, -1, 5, 0, S, S, S },
	{ "5.15.85", 48, -1, 6, 0, M, S, S },	/* 6 >> 1 is 3 in both */
	{ "5.15.85", 48, -1, 11, 9, S, U, S },	/* fork 12 < 12 no, 11 < 24 yes; exec 11, 10 */
	{ "5.15.85", 48, -1, 12, 10, U, U, U },	/* busier 12 < 12 no, other 11 < 12 yes */
	{ "5.15.85", 48, -1, 14, 12, M, U, U },
	{ "5.15.85", 48, -1, 25, 20, M, M, M },
	/* Taken back by a vendor, in the form of 5.18 or of 6.0. */
	{ "5.14.0-427.el9", 48, 6, 2, 0, S, S, S },
	{ "5.14.0-427.el9", 48, 6, 4, 0, U, U, U },	/* 4 >> 1 passes there, not here */
	{ "5.14.0-427.el9", 48, 6, 6, 0, M, M, U },	/* exec: 5 and one more are 6 */
};

static struct nt_numa_rules rules(const struct row *r)
{
	return nt_numa_rules(r->kernel, r->imb >= 0);
}

static void each_version_has_its_rule(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct nt_numa_rules k = rules(r);
		struct nt_rule_domain d = nodes(r->w, r->imb);
		struct nt_rule_group more = group(r->w, r->more), less = group(r->w, r->less);

		print_message("%s: %d x 2, imb %d: %d and %d\n", r->kernel, r->w, r->imb, r->more,
			      r->less);
		assert_int_equal(nt_rule_balance(&k, &d, &less, &more), r->balance);
		assert_int_equal(nt_rule_fork(&k, &d, &more, &less), r->fork);
		assert_int_equal(nt_rule_exec(&k, &d, &more, &less), r->exec);
	}
}

static enum nt_verdict balance(const char *kernel, const struct nt_rule_domain *d,
			       struct nt_rule_group busiest, struct nt_rule_group local)
{
	struct nt_numa_rules k = nt_numa_rules(kernel, d->imb_numa_nr >= 0);

	return nt_rule_balance(&k, d, &local, &busiest);
}

static enum nt_verdict forks(const char *kernel, const struct nt_rule_domain *d,
			     struct nt_rule_group local, struct nt_rule_group idlest)
{
	struct nt_numa_rules k = nt_numa_rules(kernel, d->imb_numa_nr >= 0);

	return nt_rule_fork(&k, d, &local, &idlest);
}

static void versions_not_read_have_no_verdict(void **state)
{
	struct nt_rule_domain with = nodes(4, 1), without = nodes(4, -1);

	(void)state;
	assert_int_equal(balance("7.4.0", &with, group(4, 4), group(4, 0)), U);
	assert_int_equal(balance("8.0.0", &with, group(4, 4), group(4, 0)), U);
	assert_int_equal(balance("5.9.0", &without, group(4, 4), group(4, 0)), U);
	assert_int_equal(balance("mine", &with, group(4, 4), group(4, 0)), U);
	assert_int_equal(balance(NULL, &with, group(4, 4), group(4, 0)), U);
	/* A version that should have imb_numa_nr and has not, or the other way round. */
	assert_int_equal(balance("6.1.0", &without, group(4, 4), group(4, 0)), U);
	assert_int_equal(balance("5.18.0", &without, group(4, 4), group(4, 0)), U);
	assert_int_equal(balance("5.10.0", &with, group(4, 4), group(4, 0)), U);
	assert_int_equal(forks("7.4.0", &with, group(4, 4), group(4, 0)), U);
	assert_non_null(nt_numa_rules("7.4.0", true).why);
	assert_non_null(nt_numa_rules("6.1.0", false).why);
	assert_null(nt_numa_rules("6.1.0", true).why);
}

/* With no task there is nothing to move, whatever the version. */
static void nothing_running_moves_nowhere(void **state)
{
	struct nt_rule_domain d = nodes(4, 1);

	(void)state;
	assert_int_equal(balance("9.0.0", &d, group(4, 0), group(4, 0)), S);
	assert_int_equal(balance("6.1.0", &d, group(4, 0), group(4, 3)), S);
}

/* As many tasks as CPUs, or more: utilization and load decide what counts alone do not. */
static void full_groups_are_settled_only_where_all_types_agree(void **state)
{
	struct nt_rule_domain d = nodes(4, 1);

	(void)state;
	/* An idle node takes from one that has more tasks than CPUs, whether overloaded or not. */
	assert_int_equal(balance("6.1.0", &d, group(4, 6), group(4, 0)), M);
	assert_int_equal(balance("6.1.0", &d, group(4, 4), group(4, 0)), M);
	/* 5 against 4: with spare capacity 1 is no difference; overloaded, loads are compared. */
	assert_int_equal(balance("6.1.0", &d, group(4, 5), group(4, 4)), U);
	assert_int_equal(balance("6.1.0", &d, group(4, 8), group(4, 8)), U);
	/* A CPU with two tasks, another idle: 4 tasks may leave spare capacity or none. */
	assert_int_equal(forks("6.1.0", &d, group(4, 4), group(4, 0)), M);
	assert_int_equal(forks("6.1.0", &d, group(4, 8), group(4, 4)), U);
	assert_int_equal(forks("6.1.0", &d, group(4, 3), group(4, 8)), S);
}

/* Above the first level between nodes there is no SD_PREFER_SIBLING: idle CPUs count. */
static void without_prefer_sibling_idle_cpus_count(void **state)
{
	struct nt_rule_domain d = nodes(8, 1);
	struct nt_rule_group crowded = group(8, 6);

	(void)state;
	d.prefer_local = d.prefer_other = false;
	/* Six tasks on two CPUs leave 6 idle against 8: 2 apart, and 1 <= 1 tolerates that. */
	crowded.idle = 6;
	assert_int_equal(balance("6.1.0", &d, crowded, group(8, 0)), S);
	crowded.idle = 5;
	assert_int_equal(balance("6.1.0", &d, crowded, group(8, 0)), M);
	/* By tasks it would be six apart. */
	d.prefer_local = d.prefer_other = true;
	crowded.idle = 6;
	assert_int_equal(balance("6.1.0", &d, crowded, group(8, 0)), M);
	/* Groups that differ in it: versions differ in whose counts. */
	d.prefer_other = false;
	assert_int_equal(balance("6.1.0", &d, crowded, group(8, 0)), U);
}

/* 6.6 weighs tasks by cores where groups are not of one size; before, the plain difference. */
static void groups_of_other_sizes_are_settled_where_both_ways_agree(void **state)
{
	struct nt_rule_domain d = nodes(4, 1);

	(void)state;
	d.weight = 12;
	assert_int_equal(balance("6.12.0", &d, group(8, 7), group(4, 0)), M);
	/* 6 on 8 CPUs are as many for each CPU as 3 on 4, and yet 3 more. */
	assert_int_equal(balance("6.12.0", &d, group(8, 6), group(4, 3)), U);
	assert_int_equal(balance("6.12.0", &d, group(8, 1), group(4, 0)), S);
}

static void what_the_kernel_does_otherwise_is_not_settled(void **state)
{
	struct nt_rule_domain d = nodes(4, 1);
	struct nt_rule_group slow = group(4, 3);

	(void)state;
	slow.reduced = true;
	assert_int_equal(balance("6.1.0", &d, slow, group(4, 0)), U);
	d.asymmetric = true;
	assert_int_equal(balance("6.1.0", &d, group(4, 3), group(4, 0)), U);
	assert_int_equal(forks("6.1.0", &d, group(4, 3), group(4, 0)), U);
	d = nodes(2, 1);
	d.smt = true;
	assert_int_equal(balance("6.12.0", &d, group(2, 2), group(2, 0)), U);
	assert_int_equal(balance("6.12.0", &d, group(2, 1), group(2, 0)), S);
	assert_int_equal(balance("6.1.0", &d, group(2, 2), group(2, 0)), S);
}

/* One task that runs and one that sleeps in its queue: until 6.14 two to move, then one. */
static void sleepers_count_as_running_and_may_not_be_moved(void **state)
{
	struct nt_rule_domain d = nodes(4, 1);
	struct nt_rule_group g = group(4, 2);

	(void)state;
	d.prefer_local = d.prefer_other = false;
	g.delayed = 1;
	assert_int_equal(balance("6.12.0", &d, g, group(4, 0)), S);
	g = group(4, 3);
	g.delayed = 2;
	assert_int_equal(balance("6.12.0", &d, g, group(4, 0)), U);
	g.delayed = 3;		/* nobody to pull */
	assert_int_equal(balance("6.12.0", &d, g, group(4, 0)), U);
}

/* Beyond the reclaim distance domains lose these flags, and new tasks never go there. */
static void far_nodes_get_no_new_tasks(void **state)
{
	struct nt_rule_domain d = nodes(4, 1);
	struct nt_numa_rules k = nt_numa_rules("6.1.0", true);
	struct nt_rule_group more = group(4, 4), less = group(4, 0);

	(void)state;
	d.fork = d.exec = false;
	assert_int_equal(nt_rule_fork(&k, &d, &more, &less), S);
	assert_int_equal(nt_rule_exec(&k, &d, &more, &less), S);
	assert_int_equal(nt_rule_balance(&k, &d, &less, &more), M);
}

/* Whose CPU becomes idle when a task leaves it is not known where some CPU has two. */
static void exec_from_a_shared_cpu_is_settled_only_where_both_agree(void **state)
{
	struct nt_rule_domain d = nodes(4, 1);
	struct nt_numa_rules k = nt_numa_rules("6.1.0", true);
	struct nt_rule_group more = group(4, 2), less = group(4, 1);

	(void)state;
	more.idle = 3;		/* both on one CPU: without one, 3 idle as there */
	assert_int_equal(nt_rule_exec(&k, &d, &more, &less), S);
	more.idle = 2;		/* one each: 3 idle again */
	assert_int_equal(nt_rule_exec(&k, &d, &more, &less), S);
	more = group(4, 3);
	more.idle = 2;		/* the one alone: 3, as many as there; of the two: 2, fewer */
	assert_int_equal(nt_rule_exec(&k, &d, &more, &less), U);
	more = group(4, 0);	/* nobody is there to call exec */
	assert_int_equal(nt_rule_exec(&k, &d, &more, &less), U);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_version_has_its_rule),
		cmocka_unit_test(versions_not_read_have_no_verdict),
		cmocka_unit_test(nothing_running_moves_nowhere),
		cmocka_unit_test(full_groups_are_settled_only_where_all_types_agree),
		cmocka_unit_test(without_prefer_sibling_idle_cpus_count),
		cmocka_unit_test(groups_of_other_sizes_are_settled_where_both_ways_agree),
		cmocka_unit_test(what_the_kernel_does_otherwise_is_not_settled),
		cmocka_unit_test(sleepers_count_as_running_and_may_not_be_moved),
		cmocka_unit_test(far_nodes_get_no_new_tasks),
		cmocka_unit_test(exec_from_a_shared_cpu_is_settled_only_where_both_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
