// SPDX-License-Identifier: GPL-2.0-or-later
/* Snapshots as data: order, nodes, sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/run.h"
#include "model/snapshot.h"

/* CPUs 0 and 2 in node 0, 1 in node 1, 3 in none that is known. */
static int cpu_node[] = { 0, 1, 0, -1 };
static struct nt_node nodes[2] = { { .id = 0, .cpus = 2 }, { .id = 1, .cpus = 1 } };
static const struct nt_topology topo = {
	.node = nodes, .nnodes = 2, .cpu_ids = 4, .cpu_node = cpu_node,
};

static void set(struct nt_cpu_queue *c, int cpu, unsigned int running)
{
	c->cpu = cpu;
	c->q = (struct nt_queue){
		.cpus = 1, .idle = !running, .running = running, .fair = running,
		.workload = running / 2, .delayed = 1, .util = 100u * running,
		.load = 1024u * running, .capacity = 1000,
	};
}

static void cpus_add_up_by_node(void **state)
{
	struct nt_snapshot s;
	struct nt_queue all;

	(void)state;
	assert_int_equal(nt_snapshot_init(&s, 4, 2), 0);
	set(&s.cpu[0], 2, 3);
	set(&s.cpu[1], 0, 0);
	set(&s.cpu[2], 3, 7);
	set(&s.cpu[3], 1, 2);
	s.cpu[2].self = true;
	nt_snapshot_sum(&s, &topo);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(s.cpu[i].cpu, i);
		assert_int_equal(s.cpu[i].node, cpu_node[i]);
	}
	assert_int_equal(s.node[0].cpus, 2);
	assert_int_equal(s.node[0].idle, 1);
	assert_int_equal(s.node[0].running, 3);
	assert_int_equal(s.node[0].workload, 1);
	assert_int_equal(s.node[0].delayed, 2);
	assert_int_equal(s.node[0].util, 300);
	assert_int_equal(s.node[0].capacity, 2000);
	assert_int_equal(s.node[1].cpus, 1);
	assert_int_equal(s.node[1].running, 2);
	nt_snapshot_total(&s, &all);
	assert_int_equal(all.cpus, 3);
	assert_int_equal(all.fair, 5);
	assert_int_equal(all.load, 5 * 1024);
	assert_int_equal(nt_snapshot_self(&s), 3);
	nt_snapshot_free(&s);
	assert_null(s.cpu);
}

static void cpus_beyond_the_topology_are_in_no_node(void **state)
{
	struct nt_snapshot s;
	struct nt_queue all;

	(void)state;
	assert_int_equal(nt_snapshot_init(&s, 1, 2), 0);
	set(&s.cpu[0], 4, 5);
	nt_snapshot_sum(&s, &topo);
	assert_int_equal(s.cpu[0].node, -1);
	nt_snapshot_total(&s, &all);
	assert_int_equal(all.running, 0);
	assert_int_equal(nt_snapshot_self(&s), -1);
	nt_snapshot_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_add_up_by_node),
		cmocka_unit_test(cpus_beyond_the_topology_are_in_no_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
