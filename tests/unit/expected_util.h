/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines for the tests of the formula. */
#ifndef NT_TESTS_EXPECTED_UTIL_H
#define NT_TESTS_EXPECTED_UTIL_H

/* Nodes of equal blocks of CPUs, each cut into caches of `llc` CPUs. */
static inline void machine(struct nt_topology *t, int nodes, int cpus, int llc, const int *distance)
{
	int i, k, cpu;

	memset(t, 0, sizeof(*t));
	t->nnodes = nodes;
	t->cpu_ids = t->cpus_online = nodes * cpus;
	t->node = calloc((size_t)nodes, sizeof(*t->node));
	t->cpu_node = calloc((size_t)t->cpu_ids, sizeof(int));
	t->cpu_llc = calloc((size_t)t->cpu_ids, sizeof(int));
	assert_true(t->node && t->cpu_node && t->cpu_llc);
	t->llcs = t->cpu_ids / llc;
	for (i = 0; i < nodes; i++) {
		t->node[i].id = i;
		t->node[i].cpus = cpus;
		t->node[i].distance = calloc((size_t)nodes, sizeof(int));
		assert_non_null(t->node[i].distance);
		for (k = 0; k < nodes; k++)
			t->node[i].distance[k] = distance[i * nodes + k];
	}
	for (cpu = 0; cpu < t->cpu_ids; cpu++) {
		t->cpu_node[cpu] = cpu / cpus;
		t->cpu_llc[cpu] = cpu / llc;
	}
}

static const int two[] = { 10, 21, 21, 10 };

#endif
