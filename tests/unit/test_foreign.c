// SPDX-License-Identifier: GPL-2.0-or-later
/* Files of other tools: real ones of mpstat and perf stat, and small ones made by hand. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/results_read.h"

#define FIXTURES "tests/fixtures/foreign/"

static struct nt_results s;
static struct nt_error e;

static int clean(void **state)
{
	(void)state;
	nt_results_free(&s);
	memset(&s, 0, sizeof(s));
	return 0;
}

static void read_file(const char *path, size_t runs)
{
	size_t i;

	clean(NULL);
	if (nt_results_read(path, 1, &s, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(s.n, runs);
	for (i = 0; i < s.n; i++) {
		assert_true(s.v[i].foreign && s.v[i].ended);
		assert_int_equal(s.v[i].side, 1);
		assert_non_null(s.v[i].head);
	}
}

static void read_text(const char *text, size_t runs)
{
	char path[] = "/tmp/test-foreign-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	read_file(path, runs);
	unlink(path);
}

static double value(size_t run, const char *key)
{
	size_t i;

	for (i = 0; i < s.nkeys; i++)
		if (!strcmp(s.key[i], key))
			return nt_result_value(&s.v[run], i);
	return NAN;
}

static void is(size_t run, const char *key, double wanted)
{
	double got = value(run, key);

	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%s is %.12g, not %.12g", key, got, wanted);
}

static void noted(const char *what)
{
	assert_int_equal(s.nnotes, 1);
	if (!strstr(s.note[0], what))
		fail_msg("\"%s\" does not say \"%s\"", s.note[0], what);
}

/* The three intervals of the file, added up by hand. */
static void test_mpstat(void **state)
{
	(void)state;
	read_file(FIXTURES "mpstat.json", 1);
	is(0, "mpstat.node.0.usr%", (78.57 + 75.88 + 63.00) / 3);
	is(0, "mpstat.node.all.sys%", (21.43 + 24.12 + 37.00) / 3);
	is(0, "mpstat.node.0.gnice%", 0);
	assert_int_equal(s.nkeys, 20);
	assert_int_equal(s.nnotes, 0);
	assert_string_equal(s.v[0].head->hostname, "lab");
	assert_string_equal(s.v[0].head->kernel, "6.18.44");
	assert_int_equal(s.v[0].head->topo.cpus_online, 2);
}

/* SIGKILL at the third interval: no closing brackets. */
static void test_mpstat_killed(void **state)
{
	(void)state;
	read_file(FIXTURES "mpstat-killed.json", 1);
	is(0, "mpstat.node.0.usr%", (63.50 + 85.00 + 77.99) / 3);
	assert_false(isnan(value(0, "mpstat.cpu.1.soft%")));
	noted("cut short; the 3 whole intervals before are used");
}

#define MP(times)	"{\"sysstat\": {\"hosts\": [{\"statistics\": [" times "]}]}}"
#define ITV(t, usr)	"{\"timestamp\": \"" t "\", " \
			"\"cpu-load\": [{\"cpu\": \"-1\", \"usr\": " usr "}]}"

static void mp(const char *text, double wanted)
{
	read_text(text, 1);
	is(0, "mpstat.cpu.all.usr%", wanted);
}

/* A second more or less is the clock's rounding; a longer interval counts for more. */
static void test_mpstat_weights(void **state)
{
	(void)state;
	mp(MP(ITV("10:00:05", "10") "," ITV("10:00:06", "20") "," ITV("10:00:08", "60")), 30);
	mp(MP(ITV("10:00:10", "10") "," ITV("10:00:20", "20") "," ITV("10:01:00", "60") ","
	      ITV("10:01:10", "30")), (10 + 20 + 4 * 60 + 30) / 7.0);
	mp(MP(ITV("23:59:50", "10") "," ITV("00:00:00", "20") "," ITV("00:00:10", "60")), 30);
	mp(MP(ITV("11:59:50 AM", "1") "," ITV("12:00:00 PM", "2") "," ITV("12:00:10 PM", "9") ","
	      ITV("12:01:40 PM", "20")), (1 + 2 + 9 + 9 * 20) / 12.0);
	mp(MP(ITV("1764567890", "10") "," ITV("1764567900", "20") "," ITV("1764567990", "30") ","
	      ITV("1764568000", "40")), (10 + 20 + 9 * 30 + 40) / 12.0);
	mp(MP(ITV("noon", "10") "," ITV("later", "20")), 15);
	mp(MP(ITV("10:00:05", "7")), 7);
}

/* A row that is not there in every interval: the mean of those that have it. */
static void test_mpstat_absent(void **state)
{
	(void)state;
	mp(MP(ITV("10:00:05", "10") ",{\"timestamp\": \"10:00:06\"}"), 10);
	mp(MP(ITV("10:00:05", "10") "," ITV("10:00:06", "1844674407370955.1")), 10);
	noted("1 values are no percentage");
}

static void test_perf(void **state)
{
	(void)state;
	read_file(FIXTURES "perf.json", 1);
	is(0, "perf-stat.total.task-clock", 5.577290);
	is(0, "perf-stat.total.page-faults", 74);
	assert_true(isnan(value(0, "perf-stat.total.cycles")));	/* not supported: absent */
	assert_int_equal(s.nnotes, 0);
	read_file(FIXTURES "perf-append.json", 2);
	is(0, "perf-stat.total.cs", 5);
	is(1, "perf-stat.total.cs", 0);
	read_file(FIXTURES "perf-repeat.json", 1);
	is(0, "perf-stat.total.page-faults", 74);
	noted("perf stat -r");
}

/* The task slept through two intervals, in which there was nothing to count. */
static void test_perf_intervals(void **state)
{
	(void)state;
	read_file(FIXTURES "perf-interval.json", 1);
	is(0, "perf-stat.total.task-clock", 3.938365 + 0.341029);
	is(0, "perf-stat.ps.cs", 2 / 1.052760406);
	read_file(FIXTURES "perf-node-interval.json", 1);
	is(0, "perf-stat.node0.total.cs", 2508 + 2025);
	is(0, "perf-stat.node0.ps.cs", (2508 + 2025) / 0.518308041);
}

#define PERF(t, event, count, share) \
	"{\"interval\" : " t ", \"counter-value\" : \"" count "\", \"event\" : \"" event \
	"\", \"pcnt-running\" : " share "}\n"

static void test_perf_multiplexed(void **state)
{
	(void)state;
	/* Without a counter in one interval the sum would be short: absent. */
	read_text(PERF("1.0", "a", "5", "100.00") PERF("1.0", "b", "6", "50.00")
		  PERF("2.0", "a", "<not counted>", "0.00") PERF("2.0", "b", "6", "100.00"), 1);
	assert_true(isnan(value(0, "perf-stat.total.a")));
	is(0, "perf-stat.total.b", 12);
	noted("extrapolations");
	/* The interval that is not whole counts for no event. */
	read_text(PERF("1.0", "a", "5", "100") PERF("1.0", "b", "5", "100")
		  PERF("2.0", "a", "7", "100") "{\"interval\" : 2.0, \"counter-va", 1);
	is(0, "perf-stat.total.a", 5);
	is(0, "perf-stat.ps.b", 5);
	noted(":4: not JSON");
}

static void test_perf_places(void **state)
{
	(void)state;
	read_text("{\"socket\": \"S1\", \"counter-value\": \"1.5\", \"event\": \"x\"}\n"
		  "{\"cpu\": \"12\", \"counter-value\": 7, \"event\": \"x\"}\n"
		  "{\"node\": \"N3\", \"counter-value\": \"1e3\", \"event\": \"x\"}\n"
		  "{\"metric-value\": \"3.1\", \"metric-unit\": \"insn per cycle\"}\n", 1);
	is(0, "perf-stat.S1.total.x", 1.5);
	is(0, "perf-stat.cpu12.total.x", 7);
	is(0, "perf-stat.node3.total.x", 1000);
	assert_int_equal(s.nkeys, 3);
}

static void refused(const char *text, const char *why)
{
	char path[] = "/tmp/test-foreign-XXXXXX";
	int fd = mkstemp(path);

	clean(NULL);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(nt_results_read(path, 1, &s, &e), -EINVAL);
	if (!strstr(e.msg, why))
		fail_msg("%s", e.msg);
	unlink(path);
}

/* What is infinite is not for want of LC_ALL=C. */
static void test_perf_infinity(void **state)
{
	(void)state;
	refused(PERF("1.0", "a", "inf", "100"), "'inf' is infinite");
	refused(PERF("1.0", "a", "1e999", "100"), "'1e999' is infinite");
	refused("{\"counter-value\": 1e999, \"event\": \"x\"}\n", "real number overflow");
	refused(PERF("1.0", "a", "1,5", "100"), "LC_ALL=C");
	refused(PERF("1.0", "a", "nan", "100"), "LC_ALL=C");
	/* Nor does it get among the numbers that were read before. */
	read_text(PERF("0", "a", "5", "100") PERF("0", "b", "inf", "100"), 1);
	is(0, "perf-stat.total.a", 5);
	assert_int_equal(s.nkeys, 1);
	noted("infinite");
}

/* An event that is in the interval that is not whole alone has no count, not one of 0. */
static void test_perf_late_event(void **state)
{
	(void)state;
	read_text(PERF("1.0", "a", "5", "100") PERF("2.0", "b", "7", "100")
		  "{\"interval\" : 2.0, \"counter-va", 1);
	is(0, "perf-stat.total.a", 5);
	assert_int_equal(s.nkeys, 2);
	assert_true(isnan(value(0, "perf-stat.total.b")));
}

#define CGROUP(t, name, event, count) \
	"{\"interval\" : " t ", \"cgroup\": \"" name "\", \"counter-value\" : \"" count \
	"\", \"event\" : \"" event "\", \"pcnt-running\" : 100.0}\n"

/* A cgroup named as a part of our keys is neither taken for it nor mistaken for another place. */
static void test_perf_cgroup_named_total(void **state)
{
	(void)state;
	read_text(CGROUP("2.0", "total", "cs", "4") CGROUP("2.0", "total.", "cs", "6")
		  CGROUP("2.0", "node0", "cs", "10") PERF("2.0", "total.cs", "8", "100")
		  "{\"interval\" : 2.0, \"node\": \"N0\", \"counter-value\" : \"12\", "
		  "\"event\" : \"cs\", \"pcnt-running\" : 100.0}\n", 1);
	is(0, "perf-stat.cgroup:total.total.cs", 4);
	is(0, "perf-stat.cgroup:total.ps.cs", 2);
	is(0, "perf-stat.cgroup:total..ps.cs", 3);
	is(0, "perf-stat.cgroup:node0.ps.cs", 5);
	is(0, "perf-stat.node0.ps.cs", 6);
	is(0, "perf-stat.ps.total.cs", 4);
	assert_int_equal(s.nkeys, 10);
}

static void test_matrix(void **state)
{
	size_t i;

	(void)state;
	read_file(FIXTURES "matrix.json", 3);
	is(2, "stress-ng.fstat.ops", 1911569);
	is(0, "numa-vmstat.node2.nr_free_pages", 18446744073709551616.0);
	assert_true(isnan(value(1, "numa-vmstat.node2.nr_free_pages")));
	assert_true(isnan(value(2, "dmesg.WARNING:at_kernel/foo")));	/* a short row */
	for (i = 0; i < s.nkeys; i++)
		assert_int_equal(s.is_score[i], !strcmp(s.key[i], "stress-ng.fstat.ops"));
}

static void test_stats(void **state)
{
	(void)state;
	read_file(FIXTURES "stats.json", 1);
	is(0, "unixbench.score", 1.5);
	assert_int_equal(s.nkeys, 2);
	assert_true(s.is_score[0] && !s.is_score[1]);
	read_text("\n\n  {\n \"a.b\":\n 1\n }\n", 1);
	is(0, "a.b", 1);
}

/* Both sides in one set, of different formats, as compare reads them. */
static void test_mixed(void **state)
{
	(void)state;
	assert_int_equal(nt_results_read(FIXTURES "mpstat.json", 0, &s, &e), 0);
	assert_int_equal(nt_results_read(FIXTURES "matrix.json", 1, &s, &e), 0);
	assert_int_equal(nt_results_read("tests/golden/fstat-2x4.jsonl", 1, &s, &e), 0);
	assert_int_equal(s.n, 5);
	assert_false(isnan(value(0, "mpstat.node.0.usr%")));
	assert_false(isnan(value(3, "mpstat.node.0.usr%")));
	assert_false(s.v[4].foreign);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_mpstat, clean),
		cmocka_unit_test_teardown(test_mpstat_killed, clean),
		cmocka_unit_test_teardown(test_mpstat_weights, clean),
		cmocka_unit_test_teardown(test_mpstat_absent, clean),
		cmocka_unit_test_teardown(test_perf, clean),
		cmocka_unit_test_teardown(test_perf_intervals, clean),
		cmocka_unit_test_teardown(test_perf_multiplexed, clean),
		cmocka_unit_test_teardown(test_perf_places, clean),
		cmocka_unit_test_teardown(test_perf_infinity, clean),
		cmocka_unit_test_teardown(test_perf_late_event, clean),
		cmocka_unit_test_teardown(test_perf_cgroup_named_total, clean),
		cmocka_unit_test_teardown(test_matrix, clean),
		cmocka_unit_test_teardown(test_stats, clean),
		cmocka_unit_test_teardown(test_mixed, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
