// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "collect/procfs.h"

static double value(const struct nt_kvs *l, const char *key)
{
	const struct nt_kv *kv = nt_kvs_find(l, key);

	return kv ? kv->value : -1;
}

static void stat_goes_by_the_number_in_the_name(void **state)
{
	struct nt_cpustat s = { 0 };

	(void)state;
	assert_int_equal(nt_parse_stat("cpu  1 1 1 1 1 1 1 1 1 1\n"
				       "cpu8 1 2 3 4 5 6 7 8 9 10 11\n"
				       "cpu300 10 20 30 40\n"
				       "intr 1 2 3\nctxt 99\n", &s), 0);
	assert_int_equal(nt_cpuset_count(&s.cpus), 2);
	assert_int_equal(s.tick[8][NT_TICK_USER], 1);
	assert_int_equal(s.tick[8][NT_TICK_IDLE], 4);
	assert_int_equal(s.tick[8][NT_TICK_GNICE], 10);
	assert_int_equal(s.tick[300][NT_TICK_IDLE], 40);
	assert_int_equal(s.tick[300][NT_TICK_STEAL], 0);
	assert_true(s.has_ctxt);
	assert_int_equal(s.ctxt, 99);
	/* Again into the same memory: what is gone is gone. */
	assert_int_equal(nt_parse_stat("cpu0 18446744073709551615 0 0 0 0 0 0 0\n", &s), 0);
	assert_int_equal(nt_cpuset_count(&s.cpus), 1);
	assert_false(nt_cpuset_test(&s.cpus, 8));
	assert_true(s.tick[0][NT_TICK_USER] == UINT64_MAX);
	assert_false(s.has_ctxt);
	nt_cpustat_free(&s);
}

static void stat_refuses_garbage(void **state)
{
	static const char *const bad[] = {
		"", "intr 1\n", "cpu  1 2 3 4\n", "cpu0 1 2 3\n", "cpu0\n", "cpux 1 2 3 4\n",
		"cpu0 1 2 x 4\n", "cpu0 1 2 3 -4\n", "cpu0 1 2 3 4x\n", "cpu65536 1 2 3 4\n",
		"cpu0 18446744073709551616 2 3 4\n", "cpu0x 1 2 3 4\n", "cpu99999999999 1 2 3 4\n",
	};
	struct nt_cpustat s = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (nt_parse_stat(bad[i], &s) != -EINVAL)
			fail_msg("%s", bad[i]);
	nt_cpustat_free(&s);
}

static void softirqs_go_by_the_header(void **state)
{
	struct nt_cpucount c = { 0 };

	(void)state;
	assert_int_equal(nt_parse_softirqs("      CPU0   CPU200  CPU7\n"
					   "  HI:   1 1 1\n"
					   "SCHED:  5 6 7\n", "SCHED", &c), 0);
	assert_int_equal(nt_cpuset_count(&c.cpus), 3);
	assert_int_equal(c.count[0], 5);
	assert_int_equal(c.count[200], 6);
	assert_int_equal(c.count[7], 7);
	/* Fewer columns than the header: the rest is not known. */
	assert_int_equal(nt_parse_softirqs("CPU0 CPU1\nSCHED: 5", "SCHED", &c), 0);
	assert_int_equal(nt_cpuset_count(&c.cpus), 1);
	assert_int_equal(nt_parse_softirqs("CPU0\nSCHEDX: 5\n", "SCHED", &c), -ENOENT);
	assert_int_equal(nt_parse_softirqs("CPU0\n", "SCHED", &c), -ENOENT);
	assert_int_equal(nt_parse_softirqs("CPU0\nSCHED: 5 6\n", "SCHED", &c), -EINVAL);
	assert_int_equal(nt_parse_softirqs("CPU0\nSCHED: x\n", "SCHED", &c), -EINVAL);
	assert_int_equal(nt_parse_softirqs("CPU0 foo\nSCHED: 5\n", "SCHED", &c), -EINVAL);
	assert_int_equal(nt_parse_softirqs("CPUx\nSCHED: 5\n", "SCHED", &c), -EINVAL);
	assert_int_equal(nt_parse_softirqs("", "SCHED", &c), -EINVAL);
	nt_cpucount_free(&c);
}

static void softirqs_of_many_cpus(void **state)
{
	static char text[256 * 1024];
	struct nt_cpucount c = { 0 };
	size_t len = 0;
	int i;

	(void)state;
	for (i = 0; i < 8192; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " CPU%d", i);
	len += (size_t)snprintf(text + len, sizeof(text) - len, "\nSCHED:");
	for (i = 0; i < 8192; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, " %d", i * 3);
	assert_int_equal(nt_parse_softirqs(text, "SCHED", &c), 0);
	assert_int_equal(nt_cpuset_count(&c.cpus), 8192);
	assert_int_equal(c.count[8191], 24573);
	nt_cpucount_free(&c);
}

static void pairs_are_updated_in_place(void **state)
{
	struct nt_kvs l = { 0 };

	(void)state;
	assert_int_equal(nt_parse_pairs("numa_hit 5\nnuma_miss 6\n", "numastat.", nt_want_all, &l),
			 0);
	assert_int_equal(nt_parse_pairs("nr_free_pages 1\nnuma_hit 7\nnr_dirtied 8\n"
					"pgalloc_normal 9\nworkingset_nodes 4\n",
					"vmstat.", nt_want_node_vmstat, &l), 0);
	assert_int_equal(l.n, 5);
	assert_int_equal(nt_parse_pairs("numa_miss 60\nnuma_hit 50\n", "numastat.", nt_want_all,
					&l), 0);
	assert_int_equal(nt_parse_pairs("numa_hit 70\nbroken\nnr_written\nnr_dirtied x\n\n"
					"pgfree 1x\nnr_dirtied 80", "vmstat.", nt_want_node_vmstat,
					&l), 0);
	assert_int_equal(l.n, 5);
	assert_true(value(&l, "numastat.numa_hit") == 50);
	assert_true(value(&l, "numastat.numa_miss") == 60);
	assert_true(value(&l, "vmstat.numa_hit") == 70);
	assert_true(value(&l, "vmstat.nr_dirtied") == 80);
	assert_true(value(&l, "vmstat.pgalloc_normal") == 9);
	nt_kvs_free(&l);
}

static void selections(void **state)
{
	(void)state;
	assert_true(nt_want_vmstat("numa_hint_faults"));
	assert_true(nt_want_vmstat("pgmigrate_success"));
	assert_false(nt_want_vmstat("pgfault"));
	assert_true(nt_want_node_vmstat("pgpromote_success"));
	assert_false(nt_want_node_vmstat("nr_free_pages"));
}

static void meminfo_takes_amounts(void **state)
{
	struct nt_kvs l = { 0 };

	(void)state;
	assert_int_equal(nt_parse_node_meminfo("\nNode 252 MemTotal:   65536 kB\n"
					       "Node 252 Active(anon):  7 kB\n"
					       "Node 252 HugePages_Total:   3\n"
					       "MemFree: 4 kB\nNode 1 Bad: x kB\nNode 3\n", &l), 0);
	assert_int_equal(l.n, 2);
	assert_true(value(&l, "MemTotal") == 65536);
	assert_true(value(&l, "Active(anon)") == 7);
	nt_kvs_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stat_goes_by_the_number_in_the_name),
		cmocka_unit_test(stat_refuses_garbage),
		cmocka_unit_test(softirqs_go_by_the_header),
		cmocka_unit_test(softirqs_of_many_cpus),
		cmocka_unit_test(pairs_are_updated_in_place),
		cmocka_unit_test(selections),
		cmocka_unit_test(meminfo_takes_amounts),
	};

	return cmocka_run_group_tests_name("procfs", tests, NULL, NULL);
}
