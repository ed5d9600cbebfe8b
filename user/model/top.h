/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a live view shows of one interval: plain data, made of two readings of the counters.
 * Rates are per second of the interval, and NAN until one is over.
 */
#ifndef NT_MODEL_TOP_H
#define NT_MODEL_TOP_H

#include "model/levels.h"
#include "model/movers.h"
#include "model/run.h"
#include "model/snapshot.h"

/* What was read. Pointers are borrowed, and a frame made of it borrows the names. */
struct nt_top_reading {
	const struct nt_run *r;
	const struct nt_topology *known;	/* with the places of CPUs that came later */
	const int *node_cpus;			/* [nnodes] on line now */
	const struct nt_sample *sample;		/* NULL: the first interval is not over */
	const struct nt_snapshot *queues;	/* at its end; NULL: not known */
	const struct nt_movers *was, *now;	/* in order of TID */
	const char *why_no_moves;		/* why migrations are not counted; NULL: they are */
};

struct nt_top_node {
	int id;			/* -1: all nodes */
	int cpus;		/* on line */
	bool has_util;
	struct nt_util util;
	double in, out;		/* moves from and to other nodes */
	unsigned int running;	/* runnable tasks, those that run included */
	unsigned int idle;	/* CPUs with nothing to run */
};

struct nt_top_cause {
	double moves;
	double cross;		/* of these, between nodes */
};

struct nt_top_level {
	char name[NT_LEVEL_LABEL];
	double calls, refused, failed, moved, cross;
	double cpu;		/* time inside, % of one CPU */
};

struct nt_top_task {
	struct nt_moved d;
	double moves, cross;
	int from, to;		/* ids of nodes, of the last move; -1 not known */
};

struct nt_top_frame {
	const char *hostname, *kernel;
	double dt;		/* s; 0: no interval is over, there are no rates yet */
	int nnodes;
	struct nt_top_node *node;	/* [nnodes] */
	struct nt_top_node all;
	bool has_queues;
	const char *why_no_moves;	/* NULL: there are moves, causes and tasks */
	struct nt_top_cause moves, cause[NT_NCAUSE];
	const char *why_no_queues;	/* why has_queues is not; NULL: nothing to say */
	const char *why_no_balance;	/* ditto; NULL: there are levels */
	struct nt_top_level level[NT_MAX_LEVELS];	/* lowest first */
	int nlevels;
	struct nt_top_task *task;	/* those that moved, most first */
	size_t ntasks;
};

/* 0 or -ENOMEM. */
int nt_top_make(struct nt_top_frame *f, const struct nt_top_reading *in, enum nt_mover_sort sort);
void nt_top_free(struct nt_top_frame *f);	/* what it holds; all 0 afterwards */

#endif
