/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of a run: the kernel's counters of the system and what the programs counted, as
 * differences, added to the run and to its totals.
 */
#ifndef NT_COLLECT_SAMPLER_H
#define NT_COLLECT_SAMPLER_H

#include "collect/bpf.h"
#include "model/numa_map.h"
#include "model/run.h"

struct nt_sampler {
	struct nt_run *r;
	struct nt_sysview *sys;
	struct nt_bpf *bpf;		/* NULL: --no-bpf; closed with the sampler */
	struct nt_who who;		/* the workload */
	/* As the run's, which is of the start; with the place of CPUs that came on line later. */
	struct nt_topology known;	/* its nodes are the run's */
	char *online;			/* CPUs on line at the last sample */
	int *node_cpus;			/* [nnodes] how many of them */
	unsigned int changes;		/* samples at which they were others */
	unsigned int stepped;		/* samples at which a counter of /proc/stat stepped back */
	struct nt_counters before;	/* kernel side at the last sample, never falling */
	bool queues;			/* each sample holds a snapshot */
	struct nt_numa_map map;		/* groups of the domains of the start */
	uint64_t domains;		/* nt_snapshot.domains of these */
	uint64_t start, last;		/* CLOCK_MONOTONIC, ns */
};

/* The run's topology must be known. 0 or -errno. */
int nt_sampler_init(struct nt_sampler *s, struct nt_run *r);

/*
 * From now on each sample holds a snapshot, where the kernel permits it, judged by the domains
 * of the run, which were just read. 0 or -errno.
 */
int nt_sampler_watch_queues(struct nt_sampler *s);

/* Set the base: what was counted until now is not part of the run. 0 or -errno. */
int nt_sampler_begin(struct nt_sampler *s);
void nt_sampler_start(struct nt_sampler *s, uint64_t now);

/* Add a sample that ends now to the run. 0 or -errno; then the next one makes up for it. */
int nt_sampler_take(struct nt_sampler *s, uint64_t now);

/*
 * The workload has ended, and its tasks were freed since the last sample: add what they ran
 * until then to that sample. Counts of the system stay as they were at its end. 0 or -errno.
 */
int nt_sampler_settle(struct nt_sampler *s);

/* What was found out on the way, as notes to the run. */
void nt_sampler_note(struct nt_sampler *s);

void nt_sampler_close(struct nt_sampler *s);

#endif
