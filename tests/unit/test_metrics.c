// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/levels.h"
#include "model/run.h"

#define SEC 1000000000ull

/* Two nodes of 4 CPUs, ids 0 and 8, and memory alone in 252; 10 s. Nothing on, nothing counted. */
static void make(struct nt_run *r)
{
	static const int ids[] = { 0, 8, 252 }, cpus[] = { 4, 4, 0 };
	int i;

	memset(r, 0, sizeof(*r));
	r->argv = calloc(1, sizeof(*r->argv));
	r->topo.nnodes = 3;
	r->topo.cpus_online = 8;
	r->topo.node = calloc(3, sizeof(*r->topo.node));
	for (i = 0; i < 3; i++) {
		r->topo.node[i].id = ids[i];
		r->topo.node[i].cpus = cpus[i];
	}
	assert_int_equal(nt_counters_init(&r->total, 3), 0);
	r->ru.elapsed = 10;
}

static void check(const struct nt_kvs *l, const char *key, double want)
{
	const struct nt_kv *kv = nt_kvs_find(l, key);

	if (!kv)
		fail_msg("%s is absent", key);
	else if (kv->value < want - 1e-9 || kv->value > want + 1e-9)
		fail_msg("%s: %g, not %g", key, kv->value, want);
}

static void set_ticks(struct nt_run *r, int node, const uint64_t *t)
{
	memcpy(r->total.node[node].tick, t, NT_NTICK * sizeof(*t));
}

static void utilization_as_mpstat_defines_it(void **state)
{
	struct nt_kvs m = { 0 };
	struct nt_util u;
	struct nt_run r;

	(void)state;
	make(&r);
	/* user 40 of which guest 10, nice 10 of which gnice 4; guest is not counted twice */
	set_ticks(&r, 0, (uint64_t[NT_NTICK]){ 40, 10, 20, 100, 10, 5, 10, 5, 10, 4 });
	set_ticks(&r, 1, (uint64_t[NT_NTICK]){ 60, 0, 40, 500, 0, 0, 0, 0, 0, 0 });
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	check(&m, "mpstat.node.0.usr%", 15);
	check(&m, "mpstat.node.0.nice%", 3);
	check(&m, "mpstat.node.0.sys%", 10);
	check(&m, "mpstat.node.0.iowait%", 5);
	check(&m, "mpstat.node.0.irq%", 2.5);
	check(&m, "mpstat.node.0.soft%", 5);
	check(&m, "mpstat.node.0.steal%", 2.5);
	check(&m, "mpstat.node.0.guest%", 5);
	check(&m, "mpstat.node.0.gnice%", 2);
	check(&m, "mpstat.node.0.idle%", 50);
	check(&m, "mpstat.node.8.usr%", 10);
	/* "all" is weighted by ticks: (30 + 60) of 800, and not the mean of 15 and 10 */
	check(&m, "mpstat.node.all.usr%", 11.25);
	check(&m, "mpstat.node.all.sys%", 7.5);
	check(&m, "mpstat.node.all.idle%", 75);
	assert_null(nt_kvs_find(&m, "mpstat.node.252.idle%"));
	assert_false(nt_util_node(&r.total, 2, &u));
	assert_null(nt_kvs_find(&m, "migrations.total"));
	assert_null(nt_kvs_find(&m, "workload.cpu_seconds"));
	assert_null(nt_kvs_find(&m, "time.elapsed_time"));
	assert_null(nt_kvs_find(&m, "softirqs.node0.SCHED"));
	nt_kvs_free(&m);
	nt_run_free(&r);
}

static void guest_ahead_of_user_stays_within_100(void **state)
{
	struct nt_util u;
	struct nt_run r;

	(void)state;
	make(&r);
	set_ticks(&r, 0, (uint64_t[NT_NTICK]){ [NT_TICK_USER] = 44, [NT_TICK_GUEST] = 50,
					       [NT_TICK_IDLE] = 50 });
	assert_true(nt_util_node(&r.total, 0, &u));
	assert_true(u.usr == 0 && u.guest == 50 && u.idle == 50);
	nt_run_free(&r);
}

static void workload_in_share_of_the_node(void **state)
{
	struct nt_kvs m = { 0 };
	struct nt_run r;

	(void)state;
	make(&r);
	r.feature[NT_F_CPUTIME].on = true;
	/* 20 s in 10 s of 4 CPUs: half; user and system as 1 to 3 */
	r.total.node[0].wl = (struct nt_cpu_time){ 20 * SEC, SEC, 3 * SEC };
	/* never seen by the tick in system mode: user, as in cputime_adjust() */
	r.total.node[1].wl = (struct nt_cpu_time){ 4 * SEC, 0, 0 };
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	check(&m, "workload.cpu_seconds", 24);
	check(&m, "workload.node.0.busy_cpus", 2);
	check(&m, "workload.node.0.usr%", 12.5);
	check(&m, "workload.node.0.sys%", 37.5);
	check(&m, "workload.node.8.usr%", 10);
	check(&m, "workload.node.8.sys%", 0);
	check(&m, "workload.node.all.busy_cpus", 2.4);
	check(&m, "workload.node.all.usr%", 7.5);
	check(&m, "workload.node.all.sys%", 22.5);
	assert_null(nt_kvs_find(&m, "workload.node.252.busy_cpus"));
	nt_kvs_free(&m);
	/* CPUs that came to the node during the run: busy, of no known capacity. */
	r.total.node[2].wl.exec = SEC;
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	check(&m, "workload.node.252.busy_cpus", 0.1);
	assert_null(nt_kvs_find(&m, "workload.node.252.usr%"));
	nt_kvs_free(&m);
	r.ru.elapsed = 0;
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	assert_null(nt_kvs_find(&m, "workload.node.all.usr%"));
	nt_kvs_free(&m);
	nt_run_free(&r);
}

static void counts_of_events(void **state)
{
	struct nt_kvs m = { 0 };
	struct nt_run r;

	(void)state;
	make(&r);
	r.feature[NT_F_MIGRATIONS].on = true;
	r.feature[NT_F_FORK].on = true;
	r.feature[NT_F_PLACEMENT].on = true;
	nt_mig(&r.total, NT_WORKLOAD, NT_CAUSE_NUMA_MOVE, 0, 1)->n = 2;
	nt_mig(&r.total, NT_WORKLOAD, NT_CAUSE_RT, 1, 1)->n = 5;
	nt_mig(&r.total, NT_SYSTEM, NT_CAUSE_RT, 1, 1)->n = 9;
	*nt_fork(&r.total, NT_WORKLOAD, 0, 0) = 4;
	*nt_fork(&r.total, NT_WORKLOAD, 1, 0) = 3;
	r.total.place[NT_WORKLOAD][NT_WAKE_FORK][NT_PLACE_REMOTE] = 6;
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	check(&m, "migrations.total", 7);
	check(&m, "migrations.cross_node", 2);
	check(&m, "migrations.numa_move", 2);
	check(&m, "migrations.rt", 5);
	check(&m, "migrations.unknown", 0);
	check(&m, "system.migrations.total", 9);
	check(&m, "system.migrations.cross_node", 0);
	check(&m, "fork.total", 7);
	check(&m, "fork.cross_node", 3);
	check(&m, "placement.fork.remote", 6);
	check(&m, "placement.wakeup.kept", 0);
	nt_kvs_free(&m);
	nt_run_free(&r);
}

/* Of a machine observed without a workload, the workload's keys are absent and not 0. */
static void no_workload_no_keys_of_it(void **state)
{
	struct nt_kvs m = { 0 };
	struct nt_run r;
	size_t i;

	(void)state;
	make(&r);
	free(r.argv);
	r.argv = NULL;
	for (i = 0; i < NT_NFEATURE; i++)
		r.feature[i].on = true;
	nt_mig(&r.total, NT_SYSTEM, NT_CAUSE_WAKEUP, 0, 1)->n = 5;
	*nt_fork(&r.total, NT_SYSTEM, 0, 1) = 7;
	r.total.place[NT_SYSTEM][NT_WAKE_EXEC][NT_PLACE_LLC] = 9;
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	for (i = 0; i < m.n; i++) {
		const char *key = m.v[i].key;

		if (!strncmp(key, "workload.", 9) || !strncmp(key, "migrations.", 11) ||
		    !strncmp(key, "fork.", 5) || !strncmp(key, "placement.", 10))
			fail_msg("%s is there", key);
	}
	check(&m, "system.migrations.cross_node", 5);
	check(&m, "system.fork.total", 7);
	check(&m, "system.placement.exec.llc", 9);
	nt_kvs_free(&m);
	nt_run_free(&r);
}

static void add_chain(struct nt_run *r, const struct nt_domain *d, int n)
{
	struct nt_chain *c;

	r->chain = realloc(r->chain, ((size_t)r->nchains + 1) * sizeof(*c));
	c = &r->chain[r->nchains++];
	*c = (struct nt_chain){ .cpus = strdup("0"), .d = calloc((size_t)n, sizeof(*d)), .n = n };
	memcpy(c->d, d, (size_t)n * sizeof(*d));
}

static void levels_of_one_name_are_one_key(void **state)
{
	static const struct nt_domain a[] = {
		{ .name = "MC", .level = 2, .imb_numa_nr = 0 },
		{ .name = "NUMA", .level = 5, .imb_numa_nr = 1 },
		{ .name = "NUMA", .level = 6, .imb_numa_nr = 1 },
	}, b[] = {
		{ .name = "MC", .level = 2, .imb_numa_nr = 0 },
		{ .name = "NUMA", .level = 5, .imb_numa_nr = 2 },
	};
	struct nt_kvs m = { 0 };
	struct nt_run r;
	char buf[NT_LEVEL_LABEL];

	(void)state;
	make(&r);
	r.feature[NT_F_BALANCE].on = true;
	r.feature[NT_F_DOMAINS].on = true;
	add_chain(&r, a, 3);
	add_chain(&r, b, 2);
	r.total.balance[5][NT_IDLE_NEWLY].moved = 3;
	r.total.balance[6][NT_IDLE_NEWLY].moved = 4;
	r.total.balance[9][NT_IDLE_BUSY].ns = 8;
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	check(&m, "balance.NUMA.newidle.moved", 7);
	check(&m, "balance.NUMA.idle.moved", 0);
	check(&m, "balance.MC.busy.calls", 0);
	check(&m, "balance.L9.busy.ns", 8);
	check(&m, "domain.MC.imb_numa_nr", 0);
	assert_null(nt_kvs_find(&m, "domain.MC.imb_numa_nr.min"));
	check(&m, "domain.NUMA.imb_numa_nr", 2);
	check(&m, "domain.NUMA.imb_numa_nr.min", 1);
	check(&m, "domain.NUMA.imb_numa_nr.max", 2);
	/* And each level of that name by itself. */
	check(&m, "balance.NUMA1.newidle.moved", 3);
	check(&m, "balance.NUMA2.newidle.moved", 4);
	check(&m, "domain.NUMA1.imb_numa_nr", 2);
	check(&m, "domain.NUMA1.imb_numa_nr.min", 1);
	check(&m, "domain.NUMA2.imb_numa_nr", 1);
	assert_null(nt_kvs_find(&m, "domain.NUMA2.imb_numa_nr.min"));
	assert_null(nt_kvs_find(&m, "balance.MC1.busy.calls"));
	assert_int_equal(m.n, 5 * NT_NIDLE * 7 + 8);	/* each key once */
	assert_string_equal(nt_level_label(&r, 6, buf, sizeof(buf)), "NUMA2");
	assert_string_equal(nt_level_label(&r, 2, buf, sizeof(buf)), "MC");
	assert_string_equal(nt_level_name(&r, 6, buf, sizeof(buf)), "NUMA");
	assert_string_equal(nt_level_name(&r, 3, buf, sizeof(buf)), "L3");
	nt_kvs_free(&m);
	nt_run_free(&r);
}

static void a_kernel_without_imb_numa_nr(void **state)
{
	static const struct nt_domain d[] = { { .name = "NUMA", .level = 4, .imb_numa_nr = -1 } };
	struct nt_kvs m = { 0 };
	struct nt_run r;

	(void)state;
	make(&r);
	r.feature[NT_F_DOMAINS].on = true;
	add_chain(&r, d, 1);
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	assert_int_equal(m.n, 0);
	nt_run_free(&r);
}

static void memory_system_command_and_score(void **state)
{
	struct nt_kvs m = { 0 };
	struct nt_run r;

	(void)state;
	make(&r);
	nt_kvs_set(&r.total.node[2].mem, "numastat.numa_foreign", 11);
	nt_kvs_set(&r.total.node[2].mem, "vmstat.pgalloc_movable", 12);
	nt_kvs_set(&r.total.sys, "softirqs.SCHED", 13);
	nt_kvs_set(&r.total.sys, "vmstat.numa_hint_faults", 14);
	nt_kvs_set(&r.total.sys, "stat.ctxt", 1500);
	r.total.node[1].sched_softirqs = 13;
	r.node_meminfo = calloc(3, sizeof(*r.node_meminfo));
	nt_kvs_set(&r.node_meminfo[1], "MemFree", 15);
	free(r.argv);
	r.argv = calloc(2, sizeof(*r.argv));
	r.argv[0] = strdup("true");
	r.ended = true;
	r.ru.system = 16;
	r.ru.maxrss_kb = 17;
	r.score = calloc(1, sizeof(*r.score));
	r.nscores = 1;
	r.score[0] = (struct nt_score){ strdup("stress-ng.fstat.ops"), 18 };
	assert_int_equal(nt_run_metrics(&r, &m), 0);
	check(&m, "numa-numastat.node252.numa_foreign", 11);
	check(&m, "numa-vmstat.node252.pgalloc_movable", 12);
	check(&m, "softirqs.SCHED", 13);
	check(&m, "softirqs.node8.SCHED", 13);
	check(&m, "softirqs.node0.SCHED", 0);
	check(&m, "proc-vmstat.numa_hint_faults", 14);
	check(&m, "vmstat.system.cs", 150);
	check(&m, "numa-meminfo.node8.MemFree", 15);
	check(&m, "time.elapsed_time", 10);
	check(&m, "time.system_time", 16);
	check(&m, "time.maximum_resident_set_size", 17);
	check(&m, "stress-ng.fstat.ops", 18);
	nt_kvs_free(&m);
	nt_run_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utilization_as_mpstat_defines_it),
		cmocka_unit_test(guest_ahead_of_user_stays_within_100),
		cmocka_unit_test(workload_in_share_of_the_node),
		cmocka_unit_test(counts_of_events),
		cmocka_unit_test(no_workload_no_keys_of_it),
		cmocka_unit_test(levels_of_one_name_are_one_key),
		cmocka_unit_test(a_kernel_without_imb_numa_nr),
		cmocka_unit_test(memory_system_command_and_score),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
