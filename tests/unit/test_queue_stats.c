// SPDX-License-Identifier: GPL-2.0-or-later
/* What snapshots of a run come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/run.h"

/* A sample of two nodes that run a and b tasks, of which the workload's are one each, if any. */
static void add(struct nt_queue_stats *st, unsigned int a, unsigned int b,
		struct nt_sample_queues q)
{
	struct nt_queue node[2] = {
		{ .cpus = 4, .idle = 4 - a, .running = a, .workload = a > 0 },
		{ .cpus = 4, .idle = 4 - b, .running = b, .workload = b > 0 },
	};

	q.node = node;
	assert_int_equal(nt_queue_stats_add(st, &q, 2), 0);
}

static const struct nt_sample_queues tolerated = { .pairs = 1, .settled = 1, .difference = 1 };
static const struct nt_sample_queues beyond = {
	.pairs = 1, .settled = 1, .beyond = 1, .difference = 4,
};
static const struct nt_sample_queues unsettled = { .pairs = 1, .difference = 2 };
static const struct nt_sample_queues unpaired = { .pairs = 0 };

static void nodes_have_an_average_and_ends(void **state)
{
	struct nt_queue_stats st = { 0 };

	(void)state;
	add(&st, 3, 0, unpaired);
	add(&st, 1, 1, unpaired);
	add(&st, 2, 4, unpaired);
	assert_int_equal(st.samples, 3);
	assert_true(st.node[0].running.sum == 6);
	assert_int_equal(st.node[0].running.min, 1);
	assert_int_equal(st.node[0].running.max, 3);
	assert_int_equal(st.node[1].running.min, 0);
	assert_int_equal(st.node[1].running.max, 4);
	assert_true(st.node[1].idle == 4 + 3);
	assert_int_equal(st.all.running.min, 2);	/* not the sum of the nodes' smallest */
	assert_int_equal(st.all.running.max, 6);
	assert_int_equal(st.all.workload.min, 1);
	assert_int_equal(st.all.workload.max, 2);
	assert_int_equal(st.paired, 0);
	nt_queue_stats_free(&st);
	assert_null(st.node);
}

static void samples_without_a_snapshot_count_nowhere(void **state)
{
	struct nt_queue_stats st = { 0 };
	struct nt_sample_queues none = { .node = NULL };

	(void)state;
	assert_int_equal(nt_queue_stats_add(&st, &none, 2), 0);
	assert_int_equal(st.samples, 0);
	add(&st, 2, 3, unpaired);
	assert_int_equal(nt_queue_stats_add(&st, &none, 2), 0);
	assert_int_equal(st.samples, 1);
	assert_int_equal(st.node[0].running.min, 2);
	nt_queue_stats_free(&st);
}

static void share_beyond_is_of_those_with_a_verdict(void **state)
{
	struct nt_queue_stats st = { 0 };

	(void)state;
	add(&st, 1, 0, tolerated);
	add(&st, 4, 0, beyond);
	add(&st, 2, 0, unsettled);
	add(&st, 2, 0, unpaired);
	assert_int_equal(st.samples, 4);
	assert_int_equal(st.paired, 3);
	assert_int_equal(st.judged, 2);
	assert_int_equal(st.beyond, 1);
	assert_true(st.difference_sum == 7);
	assert_int_equal(st.difference_max, 4);
	nt_queue_stats_free(&st);
}

static double metric(const struct nt_kvs *m, const char *key)
{
	const struct nt_kv *kv = nt_kvs_find(m, key);

	assert_non_null(kv);
	return kv->value;
}

static void metrics_are_absent_without_snapshots(void **state)
{
	struct nt_node node[2] = { { .id = 0 }, { .id = 3 } };
	struct nt_run r = { .topo = { .node = node, .nnodes = 2 } };
	struct nt_kvs m = { 0 };

	(void)state;
	assert_int_equal(nt_counters_init(&r.total, 2), 0);
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	assert_null(nt_kvs_find(&m, "snapshot.node.0.runnable"));
	assert_null(nt_kvs_find(&m, "snapshot.beyond%"));
	nt_kvs_free(&m);
	add(&r.queues, 1, 0, unsettled);
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	assert_true(metric(&m, "snapshot.node.0.runnable") == 1);
	assert_null(nt_kvs_find(&m, "snapshot.node.0.workload"));
	assert_null(nt_kvs_find(&m, "snapshot.beyond%"));
	assert_true(metric(&m, "snapshot.difference") == 2);
	nt_kvs_free(&m);
	add(&r.queues, 4, 1, beyond);
	r.queues.has_workload = true;
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	assert_true(metric(&m, "snapshot.node.3.runnable") == 0.5);
	assert_true(metric(&m, "snapshot.node.3.runnable.max") == 1);
	assert_true(metric(&m, "snapshot.node.all.runnable") == 3);
	assert_true(metric(&m, "snapshot.node.3.workload") == 0.5);
	assert_true(metric(&m, "snapshot.node.0.idle_cpus") == 1.5);
	assert_true(metric(&m, "snapshot.difference.max") == 4);
	assert_true(metric(&m, "snapshot.beyond%") == 100);
	nt_kvs_free(&m);
	nt_queue_stats_free(&r.queues);
	nt_counters_free(&r.total);
}

/* However long, a trend keeps the mean, and its values stay in order. */
static void trends_stay_short(void **state)
{
	struct nt_queue_stats st = { 0 };
	double v[NT_TREND + 1], sum = 0;
	size_t i, n;

	(void)state;
	for (i = 0; i < 1000; i++)
		add(&st, 1, 0, (struct nt_sample_queues){ .pairs = 1, .difference = (int)i });
	n = nt_trend_values(&st.difference, v);
	assert_in_range(n, NT_TREND / 2, NT_TREND);
	/* 80 * 2^k values, the first k that holds 1000 */
	assert_int_equal(st.difference.each, 16);
	for (i = 1; i < n; i++)
		assert_true(v[i] > v[i - 1]);
	for (i = 0; i < n; i++)
		sum += v[i] * (i < n - 1 || !st.difference.have ? 16.0 :
			       (double)st.difference.have);
	assert_true(sum == 999 * 1000 / 2);
	assert_true(v[0] == 7.5);		/* of 0 to 15 */
	nt_queue_stats_free(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_have_an_average_and_ends),
		cmocka_unit_test(samples_without_a_snapshot_count_nowhere),
		cmocka_unit_test(share_beyond_is_of_those_with_a_verdict),
		cmocka_unit_test(metrics_are_absent_without_snapshots),
		cmocka_unit_test(trends_stay_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
