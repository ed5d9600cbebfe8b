// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collect/root.h"
#include "collect/sysview.h"
#include "collect/topology.h"

#define FIX "tests/fixtures/"

struct machine {
	struct nt_topology topo;
	struct nt_sysview *v;
};

static void start(struct machine *m, const char *roots)
{
	struct nt_counters none;

	assert_int_equal(nt_root_set(roots), 0);
	assert_int_equal(nt_topology_read(&m->topo), 0);
	assert_int_equal(nt_sysview_open(&m->v, &m->topo), 0);
	assert_int_equal(nt_counters_init(&none, m->topo.nnodes), 0);
	assert_int_equal(nt_sysview_sample(m->v, &none, NULL), 0);
	assert_int_equal(none.node[0].tick[NT_TICK_IDLE], 0);
	nt_counters_free(&none);
}

static void stop(struct machine *m)
{
	nt_sysview_free(m->v);
	nt_topology_free(&m->topo);
	nt_root_set(NULL);
}

/* One sample; the CPUs on line must be those. */
static void sample(struct machine *m, struct nt_counters *c, const char *online)
{
	char *list;

	assert_int_equal(nt_counters_init(c, m->topo.nnodes), 0);
	assert_int_equal(nt_sysview_sample(m->v, c, &list), 0);
	assert_string_equal(list, online);
	free(list);
}

static void ticks(const struct nt_counters *c, int node, const uint64_t *want)
{
	int i;

	for (i = 0; i < NT_NTICK; i++)
		if (c->node[node].tick[i] != want[i])
			fail_msg("node %d %s: %lu", node, nt_tick_name[i], c->node[node].tick[i]);
}

static double value(const struct nt_kvs *l, const char *key)
{
	const struct nt_kv *kv = nt_kvs_find(l, key);

	return kv ? kv->value : -1;
}

static void sparse_nodes_and_iowait_stepping_back(void **state)
{
	struct nt_kvs mem[3] = { 0 };
	struct nt_counters c;
	struct machine m;
	int i;

	(void)state;
	start(&m, FIX "sparse-0:" FIX "sparse-1");
	sample(&m, &c, "0-1,4-5");
	/* CPU 1's iowait goes from 500 to 480 and counts 0. */
	ticks(&c, 0, (uint64_t[NT_NTICK]){ 30, 10, 10, 140, 5, 1, 2, 3, 10, 3 });
	ticks(&c, 1, (uint64_t[NT_NTICK]){ 50, 0, 20, 130 });
	ticks(&c, 2, (uint64_t[NT_NTICK]){ 0 });
	assert_int_equal(c.node[0].sched_softirqs, 1);
	assert_int_equal(c.node[1].sched_softirqs, 5);
	assert_true(value(&c.sys, "softirqs.SCHED") == 6);
	assert_true(value(&c.sys, "stat.ctxt") == 500);
	assert_true(value(&c.sys, NT_STEPPED_BACK) == 20);	/* the interval is flagged */
	assert_true(value(&c.sys, "vmstat.numa_hint_faults") == 2);
	assert_true(value(&c.sys, "vmstat.pgmigrate_success") == 3);
	assert_true(value(&c.sys, "vmstat.nr_free_pages") == -1);
	assert_true(value(&c.node[0].mem, "numastat.numa_hit") == 10);
	assert_true(value(&c.node[1].mem, "vmstat.numa_hit") == 30);
	assert_true(value(&c.node[2].mem, "numastat.numa_hit") == 0);	/* 5, then 4 */
	assert_int_equal(c.node[2].mem.n, 4);
	nt_counters_free(&c);
	/* The last root stays: nothing more happens. */
	sample(&m, &c, "0-1,4-5");
	ticks(&c, 0, (uint64_t[NT_NTICK]){ 0 });
	assert_null(nt_kvs_find(&c.sys, NT_STEPPED_BACK));
	nt_counters_free(&c);
	assert_int_equal(nt_sysview_meminfo(m.v, mem), 0);
	assert_int_equal(mem[2].n, 2);
	assert_true(value(&mem[2], "MemTotal") == 500);
	for (i = 0; i < 3; i++)
		nt_kvs_free(&mem[i]);
	stop(&m);
}

static void cpus_come_and_go(void **state)
{
	struct nt_counters c;
	struct machine m;

	(void)state;
	start(&m, FIX "hotplug-0:" FIX "hotplug-1:" FIX "hotplug-2:" FIX "hotplug-3");
	sample(&m, &c, "0-2");
	ticks(&c, 0, (uint64_t[NT_NTICK]){ 20, 0, 0, 180 });
	ticks(&c, 1, (uint64_t[NT_NTICK]){ 10, 0, 0, 90 });
	assert_null(nt_kvs_find(&c.sys, "softirqs.SCHED"));
	nt_counters_free(&c);
	/* CPU 3 is back and 5 is new: neither was there when the interval began. */
	sample(&m, &c, "0-3,5");
	ticks(&c, 1, (uint64_t[NT_NTICK]){ 10, 0, 0, 90 });
	nt_counters_free(&c);
	sample(&m, &c, "0-3,5");
	ticks(&c, 0, (uint64_t[NT_NTICK]){ 20, 0, 0, 180 });
	ticks(&c, 1, (uint64_t[NT_NTICK]){ 30, 0, 0, 270 });
	nt_counters_free(&c);
	stop(&m);
}

static void away_and_back_within_an_interval(void **state)
{
	struct nt_counters c;
	struct machine m;

	(void)state;
	start(&m, FIX "hotplug-0:" FIX "hotplug-2");
	sample(&m, &c, "0-3,5");
	/* CPU 3's idle began again from 0: 100, then 5. */
	ticks(&c, 1, (uint64_t[NT_NTICK]){ 25, 0, 2, 180 });
	nt_counters_free(&c);
	stop(&m);
}

/* An error leaves the base, and the next sample has all of it. */
static void nothing_is_lost_by_an_error(void **state)
{
	struct nt_counters c;
	struct machine m;

	(void)state;
	start(&m, FIX "hotplug-0:" FIX ":" FIX "hotplug-1");
	assert_int_equal(nt_counters_init(&c, m.topo.nnodes), 0);
	assert_int_equal(nt_sysview_sample(m.v, &c, NULL), -ENOENT);
	assert_int_equal(nt_sysview_sample(m.v, &c, NULL), 0);
	ticks(&c, 0, (uint64_t[NT_NTICK]){ 20, 0, 0, 180 });
	nt_counters_free(&c);
	stop(&m);
}

static void this_machine(void **state)
{
	struct nt_counters c;
	uint64_t sum = 0;
	struct machine m;
	int i, k, n;

	(void)state;
	start(&m, NULL);
	assert_int_equal(nt_counters_init(&c, m.topo.nnodes), 0);
	for (n = 0; n < 3; n++)
		assert_int_equal(nt_sysview_sample(m.v, &c, NULL), 0);
	for (i = 0; i < m.topo.nnodes; i++)
		for (k = 0; k < NT_NTICK; k++)
			sum += c.node[i].tick[k];
	/* Three samples back to back: far less than a minute per CPU. */
	assert_true(sum < 6000u * (unsigned int)m.topo.cpus_online);
	nt_counters_free(&c);
	stop(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sparse_nodes_and_iowait_stepping_back),
		cmocka_unit_test(cpus_come_and_go),
		cmocka_unit_test(away_and_back_within_an_interval),
		cmocka_unit_test(nothing_is_lost_by_an_error),
		cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests_name("sysview", tests, NULL, NULL);
}
