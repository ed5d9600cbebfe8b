// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/cpulist.h"

static void check(const char *list, unsigned int count, const char *text)
{
	struct nt_cpuset s = { 0 };
	char *out;

	if (nt_cpuset_parse(&s, list))
		fail_msg("%s", list);
	assert_int_equal(nt_cpuset_count(&s), count);
	out = nt_cpuset_format(&s);
	assert_string_equal(out, text);
	free(out);
	nt_cpuset_free(&s);
}

static void reads_what_the_kernel_writes(void **state)
{
	(void)state;
	check("0-3,8,10-11\n", 7, "0-3,8,10-11");
	check("", 0, "");
	check("\n", 0, "");
	check("0", 1, "0");
	check("0-1\n", 2, "0-1");
	check("63-64", 2, "63-64");
	check("0-8191", 8192, "0-8191");
	check("65535", 1, "65535");
	check("5,1-2,2-3", 4, "1-3,5");
	check("0-15:2/4", 8, "0-1,4-5,8-9,12-13");
	check("0-6:1/2,9", 5, "0,2,4,6,9");
	check("0-3:4/4", 4, "0-3");
}

static void refuses_the_rest_and_changes_nothing(void **state)
{
	static const char *const bad[] = {
		",", "0,", ",0", "0,,1", "3-1", "-1", "1-", "1--2", "a", "0-a", "0 1", " 0", "0\n1",
		"0\n\n", "(null)", "  (null)", "0-3:", "0-3:1", "0-3:0/2", "0-3:3/2", "0-3:1/0",
		"5:1/2", "65536", "0-65536", "4294967296", "99999999999999999999", "0x3",
	};
	struct nt_cpuset s = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(nt_cpuset_parse(&s, "7"), 0);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (nt_cpuset_parse(&s, bad[i]) != -EINVAL)
			fail_msg("%s", bad[i]);
	assert_int_equal(nt_cpuset_count(&s), 1);
	assert_true(nt_cpuset_test(&s, 7));
	nt_cpuset_free(&s);
}

static void sets(void **state)
{
	struct nt_cpuset a = { 0 }, b = { 0 };
	int cpu, sum = 0;

	(void)state;
	assert_int_equal(nt_cpuset_last(&a), -1);
	assert_int_equal(nt_cpuset_next(&a, 0), -1);
	assert_int_equal(nt_cpuset_add(&a, -1), -EINVAL);
	assert_int_equal(nt_cpuset_add(&a, NT_CPU_LIMIT), -EINVAL);
	assert_int_equal(nt_cpuset_add(&a, 5000), 0);
	assert_int_equal(nt_cpuset_add(&a, 3), 0);
	assert_int_equal(nt_cpuset_last(&a), 5000);
	assert_false(nt_cpuset_test(&a, -1));
	assert_false(nt_cpuset_test(&a, 1 << 19));
	nt_cpuset_for_each(cpu, &a)
		sum += cpu;
	assert_int_equal(sum, 5003);
	/* Equal means the same members, however long the bitmaps are. */
	assert_int_equal(nt_cpuset_parse(&b, "3"), 0);
	assert_false(nt_cpuset_equal(&a, &b));
	nt_cpuset_clear(&a);
	assert_int_equal(nt_cpuset_add(&a, 3), 0);
	assert_true(nt_cpuset_equal(&a, &b));
	assert_true(nt_cpuset_equal(&b, &a));
	nt_cpuset_free(&a);
	nt_cpuset_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_the_kernel_writes),
		cmocka_unit_test(refuses_the_rest_and_changes_nothing),
		cmocka_unit_test(sets),
	};

	return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
