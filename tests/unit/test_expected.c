// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The formula against values of imb_numa_nr that were read in kernels of these machines, or
 * worked out by hand from build_sched_domains().
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/expected.h"
#include "expected_util.h"

#define END (-1)

/* The last `n` nodes have memory only. */
static void without_cpus(struct nt_topology *t, int n)
{
	int i, cpus = t->node[0].cpus;

	for (i = t->nnodes - n; i < t->nnodes; i++)
		t->node[i].cpus = 0;
	t->cpu_ids = t->cpus_online = (t->nnodes - n) * cpus;
}

/* Levels of a CPU above its cache: pairs of weight and value, then END. */
static void levels(const struct nt_topology *t, const char *map, enum nt_imb_rule rule, int cpu,
		   const int *want)
{
	struct nt_cpuset set = { 0 };
	struct nt_kind *kind;
	char have[256] = "", wanted[256] = "";
	int n, i, k;

	assert_int_equal(nt_cpuset_parse(&set, map), 0);
	assert_int_equal(nt_kinds(t, &set, rule, &kind, &n), 0);
	for (i = 0; i < n && !nt_cpuset_test(&kind[i].cpus, cpu); i++)
		;
	assert_true(i < n);
	for (k = 0; k < kind[i].n; k++)
		sprintf(have + strlen(have), "%d:%d ", kind[i].level[k].weight,
			kind[i].level[k].imb);
	for (; *want != END; want += 2)
		sprintf(wanted + strlen(wanted), "%d:%d ", want[0], want[1]);
	nt_kinds_free(kind, n);
	nt_cpuset_free(&set);
	assert_string_equal(have, wanted);
}

#define LEVELS(t, map, rule, cpu, ...) levels(t, map, rule, cpu, (const int[]){ __VA_ARGS__, END })

static const int ring[] = {
	10, 21, 31, 21, 21, 10, 21, 31, 31, 21, 10, 21, 21, 31, 21, 10,
};

static void the_rule_is_that_of_the_version(void **state)
{
	(void)state;
	assert_int_equal(nt_imb_rule("5.10.0-46-amd64"), NT_IMB_NONE);
	assert_int_equal(nt_imb_rule("5.17.15"), NT_IMB_NONE);
	assert_int_equal(nt_imb_rule("5.18.0-rc1"), NT_IMB_QUARTER);
	assert_int_equal(nt_imb_rule("5.19.17"), NT_IMB_QUARTER);
	assert_int_equal(nt_imb_rule("6.0.0"), NT_IMB_EIGHTH);
	assert_int_equal(nt_imb_rule("7.3.4+deb14-amd64"), NT_IMB_EIGHTH);
	assert_int_equal(nt_imb_rule("linux"), NT_IMB_NONE);
	assert_int_equal(nt_imb_rule(""), NT_IMB_NONE);
	assert_int_equal(nt_imb_rule(NULL), NT_IMB_NONE);
}

/* 2 sockets of 48 CPUs with one cache: the report in which 24 became 12, and 6.0's 6. */
static void one_cache_a_socket(void **state)
{
	struct nt_topology t;

	(void)state;
	machine(&t, 2, 48, 48, two);
	LEVELS(&t, "0-95", NT_IMB_QUARTER, 0, 48, 12, 96, 12);
	LEVELS(&t, "0-95", NT_IMB_EIGHTH, 95, 48, 6, 96, 6);
	nt_topology_free(&t);
	machine(&t, 2, 112, 112, two);
	LEVELS(&t, "0-223", NT_IMB_EIGHTH, 0, 112, 14, 224, 14);
	nt_topology_free(&t);
	machine(&t, 2, 16, 16, two);
	LEVELS(&t, "0-31", NT_IMB_EIGHTH, 0, 16, 2, 32, 2);
	nt_topology_free(&t);
}

/* Nodes with memory only make no levels, whatever their distances (0fb3978b0aac). */
static void memory_only_nodes_make_no_levels(void **state)
{
	static const int optane[] = {
		10, 21, 17, 28, 21, 10, 28, 17, 17, 28, 10, 28, 28, 17, 28, 10,
	};
	struct nt_topology t;

	(void)state;
	machine(&t, 4, 48, 48, optane);
	without_cpus(&t, 2);
	LEVELS(&t, "0-95", NT_IMB_QUARTER, 0, 48, 12, 96, 12);
	nt_topology_free(&t);
	machine(&t, 4, 16, 16, optane);
	without_cpus(&t, 2);
	LEVELS(&t, "0-31", NT_IMB_QUARTER, 0, 16, 4, 32, 4);
	LEVELS(&t, "0-31", NT_IMB_EIGHTH, 16, 16, 2, 32, 2);
	nt_topology_free(&t);
}

/* Several caches in a node: their number, whatever the version. */
static void several_caches_a_node(void **state)
{
	static const int far[] = { 10, 32, 32, 10 };
	struct nt_topology t;

	(void)state;
	machine(&t, 2, 64, 8, far);
	LEVELS(&t, "0-127", NT_IMB_QUARTER, 0, 64, 8, 128, 8);
	LEVELS(&t, "0-127", NT_IMB_EIGHTH, 0, 64, 8, 128, 8);
	nt_topology_free(&t);
	machine(&t, 2, 16, 8, two);	/* two sockets in each node */
	LEVELS(&t, "0-31", NT_IMB_EIGHTH, 0, 16, 2, 32, 2);
	nt_topology_free(&t);
	machine(&t, 2, 8, 2, two);
	LEVELS(&t, "0-15", NT_IMB_EIGHTH, 9, 8, 4, 16, 4);
	nt_topology_free(&t);
}

/* 8 nodes in two sockets, two caches in each node: values grow with the span. */
static void nodes_in_a_socket(void **state)
{
	static const int snc[] = { 10, 11, 21, 21, 11, 10, 21, 21, 21, 21, 10, 11, 21, 21, 11, 10 };
	int nps[64], i, k;
	struct nt_topology t;

	(void)state;
	for (i = 0; i < 8; i++)
		for (k = 0; k < 8; k++)
			nps[i * 8 + k] = i == k ? 10 : i / 4 == k / 4 ? 12 : 32;
	machine(&t, 8, 16, 8, nps);
	LEVELS(&t, "0-127", NT_IMB_EIGHTH, 0, 16, 2, 64, 2, 128, 4);
	LEVELS(&t, "0-127", NT_IMB_QUARTER, 0, 16, 2, 64, 2, 128, 4);
	nt_topology_free(&t);
	machine(&t, 4, 24, 24, snc);
	LEVELS(&t, "0-95", NT_IMB_QUARTER, 0, 24, 6, 48, 6, 96, 12);
	LEVELS(&t, "0-95", NT_IMB_EIGHTH, 95, 24, 3, 48, 3, 96, 6);
	nt_topology_free(&t);
	machine(&t, 4, 8, 8, snc);
	LEVELS(&t, "0-31", NT_IMB_EIGHTH, 0, 8, 1, 16, 1, 32, 2);
	nt_topology_free(&t);
}

static void four_and_eight_sockets(void **state)
{
	int mesh[16], cliques[64], i, k;
	struct nt_topology t;

	(void)state;
	for (i = 0; i < 16; i++)
		mesh[i] = i % 5 ? 21 : 10;
	machine(&t, 4, 48, 48, mesh);
	LEVELS(&t, "0-191", NT_IMB_QUARTER, 0, 48, 12, 192, 12);
	LEVELS(&t, "0-191", NT_IMB_EIGHTH, 0, 48, 6, 192, 6);
	nt_topology_free(&t);
	machine(&t, 4, 48, 48, ring);
	LEVELS(&t, "0-191", NT_IMB_QUARTER, 0, 48, 12, 144, 12, 192, 12);
	LEVELS(&t, "0-191", NT_IMB_EIGHTH, 0, 48, 6, 144, 6, 192, 6);
	nt_topology_free(&t);
	for (i = 0; i < 8; i++)
		for (k = 0; k < 8; k++)
			cliques[i * 8 + k] = i == k ? 10 : i / 4 == k / 4 ? 21 : 31;
	machine(&t, 8, 48, 48, cliques);
	LEVELS(&t, "0-383", NT_IMB_QUARTER, 0, 48, 12, 192, 12, 384, 24);
	LEVELS(&t, "0-383", NT_IMB_EIGHTH, 383, 48, 6, 192, 6, 384, 12);
	nt_topology_free(&t);
}

/* Four nodes with three hops, and five that see each other at four distances. */
static void cpus_with_different_levels(void **state)
{
	static const int hops[] = {
		10, 12, 20, 22, 12, 10, 22, 24, 20, 22, 10, 12, 22, 24, 12, 10,
	};
	static const int five[] = {
		10, 39, 38, 37, 36, 39, 10, 38, 37, 36, 38, 38, 10, 37, 36,
		37, 37, 37, 10, 36, 36, 36, 36, 36, 10,
	};
	struct nt_topology t;

	(void)state;
	machine(&t, 4, 2, 2, hops);
	LEVELS(&t, "0-7", NT_IMB_EIGHTH, 0, 2, 1, 4, 1, 6, 1, 8, 2);
	LEVELS(&t, "0-7", NT_IMB_EIGHTH, 4, 2, 1, 4, 1, 6, 1, 8, 2);
	nt_topology_free(&t);
	machine(&t, 5, 2, 1, five);
	LEVELS(&t, "0-9", NT_IMB_EIGHTH, 0, 2, 2, 4, 2, 6, 2, 8, 4, 10, 4);
	LEVELS(&t, "0-9", NT_IMB_EIGHTH, 5, 2, 2, 4, 2, 6, 2, 10, 4);
	LEVELS(&t, "0-9", NT_IMB_EIGHTH, 9, 2, 2, 10, 2);
	nt_topology_free(&t);
}

static void one_node(void **state)
{
	static const int self[] = { 10 };
	struct nt_topology t;

	(void)state;
	machine(&t, 1, 64, 64, self);
	levels(&t, "0-63", NT_IMB_EIGHTH, 0, (const int[]){ END });
	nt_topology_free(&t);
	machine(&t, 1, 64, 8, self);
	LEVELS(&t, "0-63", NT_IMB_EIGHTH, 0, 64, 8);
	nt_topology_free(&t);
	machine(&t, 1, 16, 4, self);
	LEVELS(&t, "0-15", NT_IMB_EIGHTH, 0, 16, 4);
	nt_topology_free(&t);
}

/* Small guests: at least 1 since 6.0, and 0 below 4 CPUs before. */
static void small_nodes(void **state)
{
	struct nt_topology t;

	(void)state;
	machine(&t, 2, 4, 4, two);
	LEVELS(&t, "0-7", NT_IMB_QUARTER, 0, 4, 1, 8, 1);
	LEVELS(&t, "0-7", NT_IMB_EIGHTH, 0, 4, 1, 8, 1);
	nt_topology_free(&t);
	machine(&t, 2, 4, 1, two);	/* each vCPU with a cache of its own */
	LEVELS(&t, "0-7", NT_IMB_EIGHTH, 0, 4, 4, 8, 4);
	nt_topology_free(&t);
	machine(&t, 2, 2, 2, two);
	LEVELS(&t, "0-3", NT_IMB_QUARTER, 0, 2, 0, 4, 0);
	nt_topology_free(&t);
	machine(&t, 2, 1, 1, two);	/* node, cache and CPU are one */
	LEVELS(&t, "0-1", NT_IMB_EIGHTH, 0, 1, 1, 2, 1);
	nt_topology_free(&t);
}

/* Isolated CPUs and those of other partitions do not count. */
static void a_root_domain_is_a_part(void **state)
{
	struct nt_topology t;

	(void)state;
	machine(&t, 2, 16, 16, two);
	LEVELS(&t, "0-7,16-31", NT_IMB_EIGHTH, 0, 8, 1, 24, 1);
	LEVELS(&t, "0-7,16-31", NT_IMB_EIGHTH, 16, 16, 2, 24, 2);
	levels(&t, "0-7", NT_IMB_EIGHTH, 0, (const int[]){ END });
	nt_topology_free(&t);
	machine(&t, 4, 48, 48, ring);	/* nodes 0 and 2, which are not neighbours */
	LEVELS(&t, "0-47,96-143", NT_IMB_EIGHTH, 0, 48, 6, 96, 12);
	nt_topology_free(&t);
}

static void unknown_is_not_guessed(void **state)
{
	struct nt_cpuset map = { 0 };
	struct nt_topology t;
	struct nt_kind *kind;
	int n;

	(void)state;
	machine(&t, 2, 4, 4, two);
	assert_int_equal(nt_cpuset_parse(&map, "0-8"), 0);
	assert_int_equal(nt_kinds(&t, &map, NT_IMB_EIGHTH, &kind, &n), -ENODATA);
	assert_int_equal(nt_cpuset_parse(&map, "0-7"), 0);
	t.cpu_llc[5] = -1;
	assert_int_equal(nt_kinds(&t, &map, NT_IMB_EIGHTH, &kind, &n), -ENODATA);
	t.cpu_llc[5] = 1;
	free(t.node[1].distance);
	t.node[1].distance = NULL;
	assert_int_equal(nt_kinds(&t, &map, NT_IMB_EIGHTH, &kind, &n), -ENODATA);
	nt_cpuset_free(&map);
	nt_topology_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_is_that_of_the_version),
		cmocka_unit_test(one_cache_a_socket),
		cmocka_unit_test(memory_only_nodes_make_no_levels),
		cmocka_unit_test(several_caches_a_node),
		cmocka_unit_test(nodes_in_a_socket),
		cmocka_unit_test(four_and_eight_sockets),
		cmocka_unit_test(cpus_with_different_levels),
		cmocka_unit_test(one_node),
		cmocka_unit_test(small_nodes),
		cmocka_unit_test(a_root_domain_is_a_part),
		cmocka_unit_test(unknown_is_not_guessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
