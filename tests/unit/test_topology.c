// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/machine.h"
#include "collect/root.h"
#include "collect/topology.h"

#define FIX "tests/fixtures/"

static void ints(const int *have, const int *want, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (have[i] != want[i])
			fail_msg("[%d]: %d, not %d", i, have[i], want[i]);
}

static void sparse_ids_holes_and_memory_only(void **state)
{
	struct nt_topology t;

	(void)state;
	assert_int_equal(nt_root_set(FIX "sparse-0"), 0);
	assert_int_equal(nt_topology_read(&t), 0);
	assert_int_equal(t.nnodes, 3);
	assert_int_equal(t.cpus_online, 4);
	assert_int_equal(t.cpu_ids, 8);
	ints(t.cpu_node, (int[]){ 0, 0, -1, -1, 1, 1, -1, -1 }, 8);
	ints(t.cpu_llc, (int[]){ 0, 0, -1, -1, 1, 1, -1, -1 }, 8);
	assert_int_equal(t.llcs, 2);
	assert_int_equal(t.node[1].id, 8);
	assert_string_equal(t.node[1].cpulist, "4-5");
	assert_int_equal(t.node[1].llcs, 1);
	/* A column is a place among the nodes on line, not an id. */
	ints(t.node[1].distance, (int[]){ 40, 10, 80 }, 3);
	assert_int_equal(t.node[2].id, 252);
	assert_string_equal(t.node[2].cpulist, "");
	assert_int_equal(t.node[2].cpus, 0);
	assert_int_equal(t.node[2].mem_kb, 500);
	assert_int_equal(t.node[2].llcs, 0);
	nt_topology_free(&t);
}

static void a_cache_ends_at_the_node(void **state)
{
	struct nt_topology t;

	(void)state;
	assert_int_equal(nt_root_set(FIX "snc"), 0);
	assert_int_equal(nt_topology_read(&t), 0);
	ints(t.cpu_llc, (int[]){ 0, 0, 1, 1 }, 4);
	assert_int_equal(t.node[0].llcs, 1);
	assert_int_equal(t.node[1].llcs, 1);
	assert_null(t.node[0].distance);	/* one column for two nodes */
	assert_null(t.node[1].distance);
	assert_int_equal(t.node[0].mem_kb, 0);
	nt_topology_free(&t);
}

/* A tree with one file per path and text, under a new directory whose name is in dir. */
static void make_tree(char *dir, const char *const (*file)[2], int n)
{
	char cmd[1024];
	FILE *f;
	int i;

	strcpy(dir, "/tmp/nt-topology-XXXXXX");
	assert_non_null(mkdtemp(dir));
	for (i = 0; i < n; i++) {
		snprintf(cmd, sizeof(cmd), "mkdir -p $(dirname %s%s)", dir, file[i][0]);
		assert_int_equal(system(cmd), 0);
		snprintf(cmd, sizeof(cmd), "%s%s", dir, file[i][0]);
		f = fopen(cmd, "w");
		assert_non_null(f);
		fputs(file[i][1], f);
		fclose(f);
	}
}

static void remove_tree(const char *dir)
{
	char cmd[1024];

	nt_root_set(NULL);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	assert_int_equal(system(cmd), 0);
}

#define CPU "/sys/devices/system/cpu/"
#define NODE "/sys/devices/system/node/"

static void fake_nodes_share_their_cpus(void **state)
{
	static const char *const file[][2] = {
		{ CPU "online", "0-3\n" }, { NODE "online", "0-1\n" },
		{ NODE "node0/cpulist", "0-3\n" }, { NODE "node1/cpulist", "0-3\n" },
	};
	struct nt_topology t;
	char dir[64];

	(void)state;
	make_tree(dir, file, 4);
	assert_int_equal(nt_root_set(dir), 0);
	assert_int_equal(nt_topology_read(&t), 0);
	assert_int_equal(t.cpu_ids, 4);		/* no "possible": as many as there are */
	ints(t.cpu_node, (int[]){ 0, 0, 0, 0 }, 4);
	assert_int_equal(t.node[1].cpus, 4);
	assert_int_equal(t.cpus_online, 4);
	nt_topology_free(&t);
	remove_tree(dir);
}

static void a_kernel_without_numa_has_one_node(void **state)
{
	static const char *const file[][2] = {
		{ CPU "online", "0,2\n" }, { CPU "possible", "0-127\n" },
		{ "/proc/meminfo", "MemTotal:     4096 kB\nMemFree: 1 kB\n" },
	};
	struct nt_topology t;
	char dir[64];

	(void)state;
	make_tree(dir, file, 3);
	assert_int_equal(nt_root_set(dir), 0);
	assert_int_equal(nt_topology_read(&t), 0);
	assert_int_equal(t.nnodes, 1);
	assert_int_equal(t.cpu_ids, 128);
	assert_int_equal(t.node[0].cpus, 2);
	assert_int_equal(t.node[0].mem_kb, 4096);
	assert_string_equal(t.node[0].cpulist, "0,2");
	ints(t.cpu_node, (int[]){ 0, -1, 0, -1 }, 4);
	assert_int_equal(t.cpu_llc[0], -1);
	nt_topology_free(&t);
	remove_tree(dir);
}

#define CACHE0 CPU "cpu0/cache/index"

/* Data caches of 1 and 2, an instruction cache of 3; CPU 2 shares with 0, CPU 1 tells nothing. */
static void the_highest_cache_of_data(void **state)
{
	static const char *const file[][2] = {
		{ CPU "online", "0-2\n" }, { NODE "online", "0\n" },
		{ NODE "node0/cpulist", "0-2\n" },
		{ CACHE0 "0/level", "2\n" }, { CACHE0 "0/type", "Unified\n" },
		{ CACHE0 "0/shared_cpu_list", "0,2\n" },
		{ CACHE0 "1/level", "1\n" }, { CACHE0 "1/type", "Data\n" },
		{ CACHE0 "1/shared_cpu_list", "0\n" },
		{ CACHE0 "2/level", "3\n" }, { CACHE0 "2/type", "Instruction\n" },
		{ CACHE0 "2/shared_cpu_list", "0-1\n" },
	};
	struct nt_topology t;
	char dir[64];

	(void)state;
	make_tree(dir, file, sizeof(file) / sizeof(file[0]));
	assert_int_equal(nt_root_set(dir), 0);
	assert_int_equal(nt_topology_read(&t), 0);
	ints(t.cpu_llc, (int[]){ 0, -1, 0 }, 3);
	assert_int_equal(t.llcs, 1);
	assert_int_equal(t.node[0].llcs, 1);
	nt_topology_free(&t);
	remove_tree(dir);
}

/* Found by fuzzing: a record does not take a distance below 0. */
static void distances_are_counts_or_unknown(void **state)
{
	static const char *const text[] = { "-310\n", "10000000000\n", "10 20\n", "x\n", "" };
	struct nt_topology t;
	char dir[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		const char *const file[][2] = {
			{ CPU "online", "0\n" }, { NODE "online", "0\n" },
			{ NODE "node0/cpulist", "0\n" }, { NODE "node0/distance", text[i] },
		};

		make_tree(dir, file, 4);
		assert_int_equal(nt_root_set(dir), 0);
		assert_int_equal(nt_topology_read(&t), 0);
		assert_null(t.node[0].distance);
		nt_topology_free(&t);
		remove_tree(dir);
	}
}

static void errors_name_themselves(void **state)
{
	static const char *const garbage[][2] = {
		{ CPU "online", "0-x\n" },
	};
	static const char *const no_node[][2] = {
		{ CPU "online", "0\n" }, { NODE "online", "0-1\n" },
		{ NODE "node0/cpulist", "0\n" },
	};
	static const char *const too_many[][2] = {	/* no kernel has node 1024 */
		{ CPU "online", "0\n" }, { NODE "online", "0-1024\n" },
		{ NODE "node0/cpulist", "0\n" },
	};
	struct nt_topology t;
	char dir[64];

	(void)state;
	make_tree(dir, too_many, 3);
	assert_int_equal(nt_root_set(dir), 0);
	assert_int_equal(nt_topology_read(&t), -EINVAL);
	remove_tree(dir);
	make_tree(dir, garbage, 1);
	assert_int_equal(nt_root_set(dir), 0);
	assert_int_equal(nt_topology_read(&t), -EINVAL);
	remove_tree(dir);
	make_tree(dir, no_node, 3);
	assert_int_equal(nt_root_set(dir), 0);
	assert_int_equal(nt_topology_read(&t), -ENOENT);
	assert_null(t.node);
	remove_tree(dir);
}

static void this_machine(void **state)
{
	struct nt_topology t;
	int i, cpus = 0;

	(void)state;
	assert_int_equal(nt_root_set(NULL), 0);
	assert_int_equal(nt_topology_read(&t), 0);
	assert_int_equal(t.cpus_online, sysconf(_SC_NPROCESSORS_ONLN));
	for (i = 0; i < t.cpu_ids; i++)
		cpus += t.cpu_node[i] >= 0;
	assert_int_equal(cpus, t.cpus_online);
	nt_topology_free(&t);
}

static void model_names(void **state)
{
	static const char *const t[][2] = {
		{ "processor\t: 0\nmodel\t\t: 106\nmodel name\t: Xeon 8\nx : y\n", "Xeon 8" },
		{ "processor\t: 0\ncpu\t\t: POWER9, altivec\n", "POWER9, altivec" },
		{ "processor\t: 0\nCPU part\t: 0xd0c\n", "" },
		{ "cpu MHz : 3\nno colon\n\nmodel name:", "" },
		{ "", "" },
	};
	char *name;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		name = nt_cpu_model(t[i][0]);
		assert_string_equal(name, t[i][1]);
		free(name);
	}
}

static void machine_of_text(void **state)
{
	struct nt_run r = { 0 };

	(void)state;
	assert_int_equal(nt_root_set(FIX "sparse-0"), 0);
	assert_int_equal(nt_machine_read(&r), 0);
	assert_string_equal(r.hostname, "sparse");
	assert_string_equal(r.kernel, "6.1.0-fixture");
	assert_string_equal(r.cpu_model, "POWER9, altivec supported");
	assert_int_equal(r.sysctl.n, 1);
	assert_true(nt_kvs_find(&r.sysctl, "kernel.numa_balancing")->value == 1);
	assert_null(r.sched_feature);
	assert_int_equal(r.tick_hz, sysconf(_SC_CLK_TCK));
	nt_run_free(&r);
	nt_root_set(NULL);
}

static double setting(const struct nt_run *r, const char *key)
{
	const struct nt_kv *kv = nt_kvs_find(&r->sysctl, key);

	return kv ? kv->value : -1;
}

/* Since 5.13 in debugfs, before that sysctls; one that cannot be read is absent. */
static void scheduler_settings(void **state)
{
	struct nt_run r = { 0 };

	(void)state;
	assert_int_equal(nt_root_set(FIX "settings-new"), 0);
	assert_int_equal(nt_machine_read(&r), 0);
	assert_int_equal(r.sysctl.n, 4);
	assert_true(setting(&r, "vm.zone_reclaim_mode") == 1);
	assert_true(setting(&r, "sched.base_slice_ns") == 3000000);
	assert_true(setting(&r, "sched.migration_cost_ns") == 500000);
	assert_true(setting(&r, "sched.nr_migrate") == 32);
	assert_string_equal(r.sched_feature[0], "PLACE_LAG");
	assert_string_equal(r.sched_feature[1], "NO_NEXT_BUDDY");
	assert_string_equal(r.sched_feature[2], "WAKEUP_PREEMPTION");
	assert_null(r.sched_feature[3]);
	nt_run_free(&r);
	assert_int_equal(nt_root_set(FIX "settings-old"), 0);
	assert_int_equal(nt_machine_read(&r), 0);
	assert_int_equal(r.sysctl.n, 2);
	assert_true(setting(&r, "sched.migration_cost_ns") == 400000);
	assert_true(setting(&r, "sched.nr_migrate") == 8);
	assert_string_equal(r.sched_feature[1], "NO_HRTICK");
	nt_run_free(&r);
	nt_root_set(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sparse_ids_holes_and_memory_only),
		cmocka_unit_test(a_cache_ends_at_the_node),
		cmocka_unit_test(fake_nodes_share_their_cpus),
		cmocka_unit_test(a_kernel_without_numa_has_one_node),
		cmocka_unit_test(the_highest_cache_of_data),
		cmocka_unit_test(distances_are_counts_or_unknown),
		cmocka_unit_test(errors_name_themselves),
		cmocka_unit_test(this_machine),
		cmocka_unit_test(model_names),
		cmocka_unit_test(machine_of_text),
		cmocka_unit_test(scheduler_settings),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
