// SPDX-License-Identifier: GPL-2.0-or-later
/* How large the maps are, and which of them are made at all. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include "collect/bpf_priv.h"
#include "collect/memlimit.h"
#include "collect/probe.h"
#include "model/parse.h"

#define MAX_TRACKED	65536	/* 22 MB of the kernel's memory */
#define FEW_TRACKED	8192	/* 3 MB */
#define LITTLE_MEMORY	(128ULL << 20)
#define MIN_MOVERS	4096
#define MAX_MOVERS	65536
#define MOVERS_PER_CPU	64

bool nt_bpf_counts(const struct nt_bpf *b)
{
	return b->want & ~(1u << NT_F_DOMAINS | 1u << NT_F_SNAPSHOT);
}

int nt_bpf_set_sizes(struct nt_bpf *b)
{
	__u32 n = b->nnodes, cpus = b->ncpus;
	int err;

	b->skel->rodata->nr_nodes = n;
	b->skel->rodata->span_bytes = b->span_bytes;
	b->skel->rodata->count_workload = nt_bpf_counts(b);
	b->skel->rodata->can_probe_read = nt_probe_read_allowed();
	err = bpf_map__set_max_entries(b->skel->maps.cpu_states, cpus);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.cpu_places, cpus);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.cpu_times, cpus);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.groups, b->tracked);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.moved_tasks, b->tracked);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.movers, b->movers);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.migrations,
					      NT_NSCOPE * NT_NCAUSE * n * n);
	return err ?: bpf_map__set_max_entries(b->skel->maps.forks, NT_NSCOPE * n * n);
}

int nt_bpf_drop_counters(struct nt_bpf *b)
{
	struct bpf_map *const maps[] = {
		b->skel->maps.cpu_places, b->skel->maps.groups, b->skel->maps.moved_tasks,
		b->skel->maps.wanted,
		b->skel->maps.migrations, b->skel->maps.forks, b->skel->maps.cpu_times,
		b->skel->maps.placements, b->skel->maps.balance,
	};
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(maps) / sizeof(maps[0]) && !err; i++)
		err = bpf_map__set_autocreate(maps[i], false);
	return err;
}

/* A CPU keeps up to 128 free entries of such a table to itself (LOCAL_FREE_TARGET, 5.10..6.12). */
static unsigned int mover_entries(int cpus)
{
	if (cpus < MIN_MOVERS / MOVERS_PER_CPU)
		return MIN_MOVERS;
	return cpus > MAX_MOVERS / MOVERS_PER_CPU ? MAX_MOVERS :
	       (unsigned int)cpus * MOVERS_PER_CPU;
}

int nt_bpf_choose_size(struct nt_bpf *b, struct nt_error *e)
{
	const char *spec = getenv("NUMATRACE_TEST_TABLE");

	b->movers = mover_entries(b->ncpus);
	/* Nobody's CPU time: no task is entered there. */
	b->tracked = !(b->want & 1u << NT_F_CPUTIME) ? 1 :
		     nt_memory_limit() < LITTLE_MEMORY ? FEW_TRACKED : MAX_TRACKED;
	if (!spec || !nt_parse_count(spec, 1, MAX_TRACKED, &b->tracked))
		return 0;
	return nt_fail(e, -EINVAL, "NUMATRACE_TEST_TABLE: '%s' is no number from 1 to %d", spec,
		       MAX_TRACKED);
}
