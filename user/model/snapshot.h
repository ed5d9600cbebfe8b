/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every CPU had to run at one moment. numatrace itself, which was running while it
 * looked, is in none of the numbers but util and load: a CPU with nothing else to do is idle.
 */
#ifndef NT_MODEL_SNAPSHOT_H
#define NT_MODEL_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

struct nt_topology;

/* Tasks and utilization of one CPU, or sums of several. */
struct nt_queue {
	unsigned int cpus;	/* on line, 1 of a single one */
	unsigned int idle;	/* of these, with no task at all */
	unsigned int running;	/* runnable tasks of all classes, those that run included */
	unsigned int fair;	/* of these, of the fair class */
	unsigned int workload;	/* of these, the workload's */
	unsigned int delayed;	/* asleep and still queued (6.12 and later); not in running */
	uint64_t util;		/* of the fair class: util_avg, to compare with capacity */
	uint64_t load;		/* load_avg: 1024 is one task of nice 0 that always runs */
	uint64_t capacity;	/* what CPUs have for the fair class; 1024 is a whole CPU */
};

struct nt_cpu_queue {
	int cpu;
	int node;		/* index in the topology; -1: not known there */
	bool self;		/* numatrace was running on it, and is left out */
	struct nt_queue q;
};

struct nt_snapshot {
	struct nt_cpu_queue *cpu;	/* CPUs on line, by number */
	int ncpus;
	struct nt_queue *node;	/* [nnodes] sums, by index in the topology */
	int nnodes;
	uint64_t at_ns;		/* CLOCK_MONOTONIC when the first run queue was read */
	uint64_t took_ns;	/* from then to the last one */
	uint64_t domains;	/* another value: domains were rebuilt meanwhile */
	bool rebuilt;		/* they were while this was read: which ones held is not known */
	bool has_workload;	/* workload was counted */
	bool has_delayed;	/* false: not known, sleepers are in running and fair */
};

/* Room for ncpus CPUs, all 0, and nnodes sums. 0 or -ENOMEM. */
int nt_snapshot_init(struct nt_snapshot *s, int ncpus, int nnodes);

/* Order the CPUs by number, look up their nodes, add up. */
void nt_snapshot_sum(struct nt_snapshot *s, const struct nt_topology *t);

void nt_queue_add(struct nt_queue *to, const struct nt_queue *q);

/* The sum over all nodes. */
void nt_snapshot_total(const struct nt_snapshot *s, struct nt_queue *all);

/* The CPU that numatrace ran on; -1 if it was seen on none. Where it moved, the last one. */
int nt_snapshot_self(const struct nt_snapshot *s);

void nt_snapshot_free(struct nt_snapshot *s);	/* what it holds; all 0 afterwards */

#endif
