// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics over runs, Welch's test against SciPy's figures, and the robot's rule. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/robot.h"

#define OF(...) stats_of((double[]){ __VA_ARGS__ },				\
			 sizeof((double[]){ __VA_ARGS__ }) / sizeof(double))

static struct nt_stats stats_of(double *v, size_t n)
{
	struct nt_stats s;

	nt_stats_of(v, n, &s);
	return s;
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%.15g, expected %.15g", got, want);
}

static void mean_and_spread(void **state)
{
	struct nt_stats s = OF(2, 4, 4, 4, 5, 5, 7, 9);	/* the textbook's: mean 5, sigma 2 */

	(void)state;
	assert_near(s.mean, 5);
	assert_near(s.sd, 2);
	assert_near(s.min, 2);
	assert_near(s.max, 9);
	assert_near(s.middle, 5);
	assert_false(s.mixed);
	s = OF(-3, 1, 3);
	assert_true(s.mixed);
	assert_near(s.mean_size, 7.0 / 3);
}

/* Of 32 runs one is left out at each end, of 96 and more three. */
static void outermost_runs(void **state)
{
	double v[200];
	struct nt_stats s;
	size_t i;

	(void)state;
	for (i = 0; i < 200; i++)
		v[i] = (double)(199 - i);
	s = stats_of(v, 31);
	assert_near(s.low, 169);
	for (i = 0; i < 200; i++)
		v[i] = (double)(i + 1);
	s = stats_of(v, 32);
	assert_near(s.low, 2);
	assert_near(s.high, 31);
	assert_near(s.middle, 17);
	assert_near(s.max, 32);
	s = stats_of(v, 200);
	assert_near(s.low, 4);
	assert_near(s.high, 197);
}

/* scipy 1.10: stats.ttest_ind(b, a, equal_var=False); the interval by optimize.brentq. */
static const struct {
	double a[6], b[6];
	size_t na, nb;
	double t, df, p, ratio, low, high;
	enum nt_verdict verdict;
} cases[] = {
	{ { 100, 102, 98, 101, 99, 100 }, { 110, 112, 108, 111, 109, 110 }, 6, 6,
	  12.24744871391589, 10.0, 2.410624208814088e-07,
	  1.1, 1.0810326649774527, 1.1193323591548119, NT_CHANGED },
	{ { 10, 12, 11 }, { 20, 19, 24 }, 3, 3,
	  6.123724356957945, 2.56, 0.013658652866811727,
	  1.9090909090909092, 1.4515429163138718, 2.4564760040228584, NT_CHANGED },
	{ { 5.1, 4.8, 5.5, 5.0 }, { 5.2, 4.9, 5.6, 5.9, 5.3 }, 4, 5,
	  1.2390512668067732, 6.999474125273499, 0.2552605121023568,
	  1.054901960784314, 0.9521809450266903, 1.1675038572158978, NT_NOT_SHOWN },
};

static void welch(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double va[6], vb[6];
		struct nt_stats a, b;
		struct nt_welch w;

		memcpy(va, cases[i].a, sizeof(va));
		memcpy(vb, cases[i].b, sizeof(vb));
		a = stats_of(va, cases[i].na);
		b = stats_of(vb, cases[i].nb);
		nt_welch(&a, &b, &w);
		assert_near(w.t, cases[i].t);
		assert_near(w.df, cases[i].df);
		assert_near(w.p, cases[i].p);
		assert_near(w.ratio, cases[i].ratio);
		assert_near(w.low, cases[i].low);
		assert_near(w.high, cases[i].high);
		assert_int_equal(w.verdict, cases[i].verdict);
	}
}

static void sides_that_do_not_vary(void **state)
{
	struct nt_stats a = OF(24, 24, 24), b = OF(12, 12, 12);
	struct nt_welch w;

	(void)state;
	nt_welch(&a, &b, &w);
	assert_int_equal(w.verdict, NT_CHANGED);
	assert_true(w.p == 0 && isinf(w.t) && w.t < 0 && isnan(w.df));
	assert_true(w.low == 0.5 && w.high == 0.5);
	nt_welch(&a, &a, &w);
	assert_int_equal(w.verdict, NT_NOT_SHOWN);
	assert_true(w.p == 1 && w.t == 0);
}

/* Only the base varies, and the other is 0 always: its ratio is 0, and df that of the base. */
static void to_a_zero_that_does_not_vary(void **state)
{
	struct nt_stats a = OF(0, 1, 0), near = OF(9, 10, 11), zero = OF(0, 0, 0);
	struct nt_welch w;

	(void)state;
	nt_welch(&a, &zero, &w);
	assert_int_equal(w.verdict, NT_NOT_SHOWN);
	assert_near(w.df, 2);
	assert_true(w.ratio == 0 && isnan(w.low));
	nt_welch(&near, &zero, &w);
	assert_int_equal(w.verdict, NT_CHANGED);
	assert_true(w.low == 0 && w.high == 0);
}

static void too_large_for_a_double(void **state)
{
	struct nt_stats a = OF(1e200, 2e200, 3e200), b = OF(1, 2, 3);
	struct nt_stats c = OF(1e-200, 2e-200, 3e-200), d = OF(1e150, 2e150, 3e150);
	struct nt_welch w;

	(void)state;
	nt_welch(&a, &b, &w);
	assert_int_equal(w.verdict, NT_NOT_SHOWN);
	assert_true(isnan(w.p));
	nt_welch(&c, &d, &w);
	assert_true(isnan(w.low) || isfinite(w.low));
	nt_welch(&d, &c, &w);
	assert_true(isfinite(w.p));
}

static void what_cannot_be_said(void **state)
{
	struct nt_stats two = OF(1, 2), three = OF(11, 12, 13), zero = OF(-1, 0, 1.5);
	struct nt_welch w;

	(void)state;
	nt_welch(&two, &three, &w);
	assert_int_equal(w.verdict, NT_TOO_FEW);
	assert_true(isnan(w.p) && isnan(w.low));
	assert_near(w.ratio, 8);
	/* A base not told from 0: the ratio may be anything. */
	nt_welch(&zero, &three, &w);
	assert_int_equal(w.verdict, NT_CHANGED);
	assert_true(isnan(w.low) && isnan(w.high));
}

static bool changed(const char *key, struct nt_stats a, struct nt_stats b)
{
	bool got = nt_robot_changed(key, false, &a, &b);

	assert_int_equal(nt_robot_changed(key, false, &b, &a), got);
	return got;
}

static void ranges_and_middles(void **state)
{
	(void)state;
	assert_true(changed("m", OF(1, 2, 3), OF(4, 5, 6)));
	assert_true(changed("m", OF(1, 2, 4), OF(3, 5, 6)));	/* the outer runs may overlap */
	assert_false(changed("m", OF(1, 3, 4), OF(3, 5, 6)));	/* the middle one may not */
	assert_false(changed("m", OF(1, 2, 5), OF(3, 5, 6)));
	assert_true(changed("m", OF(1), OF(4, 5, 6)));		/* one side with three will do */
	assert_false(changed("m", OF(1, 2), OF(4, 5)));
	assert_false(changed("m", OF(7, 7, 7), OF(7, 7, 7)));
}

static void small_changes(void **state)
{
	struct nt_stats a = OF(100, 100, 100), b = OF(104, 104, 104), c = OF(101, 101, 101);

	(void)state;
	assert_false(changed("mpstat.cpu.all.sys%", a, b));		/* 5 % are needed */
	assert_true(nt_robot_changed("stress-ng.fstat.ops", true, &a, &b));	/* 1 % */
	assert_false(nt_robot_changed("stress-ng.fstat.ops", true, &a, &c));
	assert_true(changed("vmstat.system.in", OF(2000, 2000, 2000), OF(2051, 2051, 2051)));
	assert_true(changed("mpstat.cpu.all.sys%", OF(0, 0, 0), OF(1, 1, 1)));
}

/* Large in share, and yet too small to mean anything. */
static void limits(void **state)
{
	(void)state;
	assert_false(changed("stress-ng.time.user_time", OF(2, 2, 2), OF(8, 8, 8)));
	assert_true(changed("stress-ng.time.user_time", OF(2, 2, 2), OF(10, 10, 10)));
	assert_false(changed("numa-vmstat.node0.nr_free_pages", OF(1, 1, 1), OF(99, 99, 99)));
	assert_true(changed("numa-vmstat.node0.nr_free_pages", OF(1, 1, 1), OF(100, 100, 100)));
	assert_false(changed("numa-meminfo.node0.Active", OF(1, 1, 1), OF(999, 999, 999)));
	assert_false(changed("proc-vmstat.numa_miss", OF(1, 1, 1), OF(999, 999, 999)));
	assert_false(changed("softirqs.SCHED", OF(1, 1, 1), OF(9999, 9999, 9999)));
	assert_true(changed("softirqs.SCHED", OF(1, 1, 1), OF(10000, 10000, 10000)));
	assert_false(changed("vmstat.system.cs", OF(1, 1, 1), OF(99, 99, 99)));
	assert_true(changed("migrations.exec", OF(1, 1, 1), OF(2, 2, 2)));
}

static void names(void **state)
{
	(void)state;
	assert_true(nt_robot_functional("dmesg.WARNING:at_kernel/foo"));
	assert_true(nt_robot_functional("xfstests.generic.045.fail"));
	assert_true(nt_robot_functional("stress-ng.fstat.pass"));
	assert_false(nt_robot_functional("proc-vmstat.compact_fail"));
	assert_false(nt_robot_functional("iozone.time.fail"));
	assert_false(nt_robot_functional("x.failed_migrations"));
	assert_false(nt_robot_functional("balance.NUMA.newidle.failed"));
	assert_true(nt_robot_monitor("numa-vmstat.node0.x"));
	assert_false(nt_robot_monitor("numa-vmstatx.node0"));
	assert_false(nt_robot_monitor("time"));
	assert_true(nt_robot_absolute("perf-profile.calltrace.x"));
	assert_true(nt_robot_absolute("mpstat.node.0.usr%"));
	assert_false(nt_robot_absolute("turbostat.%Busy"));
}

/* All orders of the runs, tried one by one, against the formula. */
static double share_flagged(unsigned int na, unsigned int nb)
{
	unsigned int all = 0, flagged = 0, mask;

	for (mask = 0; mask < 1u << (na + nb); mask++) {
		double a[16], b[16];
		unsigned int i, x = 0, y = 0;

		if ((unsigned int)__builtin_popcount(mask) != na)
			continue;
		for (i = 0; i < na + nb; i++)
			*(mask >> i & 1 ? &a[x++] : &b[y++]) = pow(2, i);
		all++;
		flagged += changed("m", stats_of(a, na), stats_of(b, nb));
	}
	return (double)flagged / all;
}

static void chance(void **state)
{
	unsigned int a, b;

	(void)state;
	for (a = 1; a <= 6; a++)
		for (b = 1; b <= 6; b++)
			assert_true(fabs(nt_robot_chance(a, b) - share_flagged(a, b)) < 1e-9);
	assert_near(nt_robot_chance(3, 3), 0.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_and_spread),
		cmocka_unit_test(outermost_runs),
		cmocka_unit_test(welch),
		cmocka_unit_test(sides_that_do_not_vary),
		cmocka_unit_test(to_a_zero_that_does_not_vary),
		cmocka_unit_test(too_large_for_a_double),
		cmocka_unit_test(what_cannot_be_said),
		cmocka_unit_test(ranges_and_middles),
		cmocka_unit_test(small_changes),
		cmocka_unit_test(limits),
		cmocka_unit_test(names),
		cmocka_unit_test(chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
