// SPDX-License-Identifier: GPL-2.0-or-later
/* The scheduler goes by the kernel's node of each CPU, so that nodes are read as /sys has them. */
#include "collect/topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/caches.h"
#include "collect/root.h"
#include "model/cpulist.h"

#define NODE_DIR	"/sys/devices/system/node"
#define CPU_DIR		"/sys/devices/system/cpu"

static int read_list(const char *path, struct nt_cpuset *set)
{
	char *text = nt_read_file(path, NULL);
	int err = text ? nt_cpuset_parse(set, text) : -errno;

	free(text);
	return err;
}

static int node_list(int id, struct nt_cpuset *set)
{
	char path[64];

	snprintf(path, sizeof(path), NODE_DIR "/node%d/cpulist", id);
	return read_list(path, set);
}

/* The kernel's arrays are as long as the highest number that could ever come on line. */
static int count_ids(struct nt_topology *t, const struct nt_cpuset *online)
{
	struct nt_cpuset possible = { 0 };
	int cpu, err = read_list(CPU_DIR "/possible", &possible);

	if (err == -ENOMEM)
		return err;
	t->cpu_ids = (err ? -1 : nt_cpuset_last(&possible)) + 1;
	if (t->cpu_ids <= nt_cpuset_last(online))
		t->cpu_ids = nt_cpuset_last(online) + 1;
	nt_cpuset_free(&possible);
	t->cpus_online = (int)nt_cpuset_count(online);
	t->cpu_node = malloc(((size_t)t->cpu_ids + 1) * sizeof(*t->cpu_node));
	t->cpu_llc = malloc(((size_t)t->cpu_ids + 1) * sizeof(*t->cpu_llc));
	if (!t->cpu_node || !t->cpu_llc)
		return -ENOMEM;
	for (cpu = 0; cpu < t->cpu_ids; cpu++)
		t->cpu_node[cpu] = t->cpu_llc[cpu] = -1;
	return 0;
}

static uint64_t mem_total_kb(const char *path)
{
	char *text = nt_read_file(path, NULL), *at;
	unsigned long long kb = 0;

	at = text ? strstr(text, "MemTotal:") : NULL;
	if (at && sscanf(at, "MemTotal: %llu kB", &kb) != 1)
		kb = 0;
	free(text);
	return kb;
}

/* One column per online node, so a place in the row is a place in our array. */
static int *parse_distances(const char *text, int n)
{
	int *d = calloc((size_t)n, sizeof(*d)), i;

	for (i = 0; d && i < n; i++) {
		size_t digits = strspn(text += strspn(text, " "), "0123456789");

		if (!digits || digits > 9)
			break;
		d[i] = atoi(text);
		text += digits;
	}
	if (d && i == n && !text[strspn(text, " \n")])
		return d;
	free(d);
	return NULL;
}

static int read_node(struct nt_topology *t, int index, int id)
{
	struct nt_node *node = &t->node[index];
	struct nt_cpuset cpus = { 0 };
	char path[64], *text;
	int cpu, err;

	node->id = id;
	err = node_list(id, &cpus);
	if (err)
		goto out;
	node->cpus = (int)nt_cpuset_count(&cpus);
	node->cpulist = nt_cpuset_format(&cpus);
	if (!node->cpulist)
		err = -ENOMEM;
	/* With numa=fake several nodes list the same CPU; the lowest has it. */
	nt_cpuset_for_each(cpu, &cpus)
		if (cpu < t->cpu_ids && t->cpu_node[cpu] < 0)
			t->cpu_node[cpu] = index;
	snprintf(path, sizeof(path), NODE_DIR "/node%d/meminfo", id);
	node->mem_kb = mem_total_kb(path);
	snprintf(path, sizeof(path), NODE_DIR "/node%d/distance", id);
	text = nt_read_file(path, NULL);
	if (text)
		node->distance = parse_distances(text, t->nnodes);
	free(text);
out:
	nt_cpuset_free(&cpus);
	return err;
}

/* A kernel without NUMA is a machine of one node. */
static int only_node(struct nt_topology *t, const struct nt_cpuset *online)
{
	struct nt_node *node;
	int cpu;

	t->node = node = calloc(1, sizeof(*node));
	if (!node)
		return -ENOMEM;
	t->nnodes = 1;
	node->cpulist = nt_cpuset_format(online);
	node->cpus = t->cpus_online;
	node->mem_kb = mem_total_kb("/proc/meminfo");
	nt_cpuset_for_each(cpu, online)
		t->cpu_node[cpu] = 0;
	return node->cpulist ? 0 : -ENOMEM;
}

static int read_nodes(struct nt_topology *t, const struct nt_cpuset *online)
{
	struct nt_cpuset ids = { 0 };
	int id, index = 0, err;

	err = read_list(NODE_DIR "/online", &ids);
	if (err == -ENOENT || (!err && !nt_cpuset_count(&ids))) {
		err = only_node(t, online);
		goto out;
	}
	if (!err && nt_cpuset_last(&ids) >= NT_MAX_NODES)
		err = -EINVAL;
	if (err)
		goto out;
	t->node = calloc(nt_cpuset_count(&ids), sizeof(*t->node));
	if (!t->node) {
		err = -ENOMEM;
		goto out;
	}
	t->nnodes = (int)nt_cpuset_count(&ids);
	nt_cpuset_for_each(id, &ids) {
		err = read_node(t, index++, id);
		if (err)
			break;
	}
out:
	nt_cpuset_free(&ids);
	return err;
}

/* A CPU is in its node's directory whether it is on line or not (register_cpu(), 6.1). */
static bool is_in_node(int node, int cpu)
{
	char path[80], state[16];

	snprintf(path, sizeof(path), NODE_DIR "/node%d/cpu%d/online", node, cpu);
	return !nt_read_head(path, state, sizeof(state));
}

int nt_topology_place_offline(struct nt_topology *t)
{
	struct nt_cpuset present = { 0 };
	int cpu, i, err = read_list(CPU_DIR "/present", &present);

	nt_cpuset_for_each(cpu, &present)
		for (i = 0; cpu < t->cpu_ids && t->cpu_node[cpu] < 0 && i < t->nnodes; i++)
			if (is_in_node(t->node[i].id, cpu))
				t->cpu_node[cpu] = i;
	nt_cpuset_free(&present);
	return err == -ENOMEM ? err : 0;
}

/* Those of isolcpus=domain; partitions of cpusets are not among them (6.1, 6.12). */
static void read_isolated(struct nt_topology *t)
{
	struct nt_cpuset isolated = { 0 };

	if (!read_list(CPU_DIR "/isolated", &isolated))
		t->isolated = nt_cpuset_format(&isolated);
	nt_cpuset_free(&isolated);
}

int nt_topology_read(struct nt_topology *t)
{
	struct nt_cpuset online = { 0 };
	int err;

	memset(t, 0, sizeof(*t));
	err = read_list(CPU_DIR "/online", &online);
	err = err ?: count_ids(t, &online);
	err = err ?: read_nodes(t, &online);
	nt_cpuset_free(&online);
	if (!err) {
		read_isolated(t);
		err = nt_caches_read(t);
	}
	if (err)
		nt_topology_free(t);
	return err;
}
