// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/caches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/root.h"
#include "model/cpulist.h"

/* A file of cache `index` of a CPU; false: there is none, or it does not fit. */
static bool read_cache(int cpu, int index, const char *name, char *buf, size_t size)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index,
		 name);
	return !nt_read_head(path, buf, size);
}

/* The CPUs that share the highest cache of data; empty: not told. */
static int last_cache(int cpu, struct nt_cpuset *shared)
{
	char text[32], list[4096];
	int index, level, highest = 0, err = 0;

	nt_cpuset_clear(shared);
	for (index = 0; read_cache(cpu, index, "level", text, sizeof(text)); index++) {
		level = atoi(text);
		if (level <= highest || !read_cache(cpu, index, "type", text, sizeof(text)) ||
		    !strncmp(text, "Instruction", strlen("Instruction")))
			continue;
		highest = level;
		nt_cpuset_clear(shared);
		/* A list that was cut off would parse: leave it unknown. */
		if (read_cache(cpu, index, "shared_cpu_list", list, sizeof(list)) &&
		    strchr(list, '\n'))
			err = nt_cpuset_parse(shared, list);
		if (err == -ENOMEM)
			return err;
	}
	return 0;
}

/* All CPUs of a cache at once, so that its files are read for one of them. */
static void number_cache(struct nt_topology *t, const struct nt_cpuset *shared, int node)
{
	int cpu;

	nt_cpuset_for_each(cpu, shared)
		if (cpu < t->cpu_ids && t->cpu_node[cpu] == node && t->cpu_llc[cpu] < 0)
			t->cpu_llc[cpu] = t->llcs;
	t->llcs++;
	t->node[node].llcs++;
}

int nt_caches_read(struct nt_topology *t)
{
	struct nt_cpuset shared = { 0 };
	int cpu, err = 0;

	for (cpu = 0; cpu < t->cpu_ids && !err; cpu++) {
		if (t->cpu_node[cpu] < 0 || t->cpu_llc[cpu] >= 0)
			continue;
		err = last_cache(cpu, &shared);
		if (!err && nt_cpuset_test(&shared, cpu))
			number_cache(t, &shared, t->cpu_node[cpu]);
	}
	nt_cpuset_free(&shared);
	return err;
}
