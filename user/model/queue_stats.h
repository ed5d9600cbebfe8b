/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots of a run, one with each sample, and what they come to. */
#ifndef NT_MODEL_QUEUE_STATS_H
#define NT_MODEL_QUEUE_STATS_H

#include <stddef.h>

#include "model/snapshot.h"

/* What a sample holds of the snapshot taken at its end. */
struct nt_sample_queues {
	struct nt_queue *node;	/* [nnodes]; NULL: none was taken */
	bool has_workload, has_delayed;
	/* What the kernel's rule made of pairs of groups; all 0 where there are none. */
	int pairs;
	int settled;		/* pairs that counts settle */
	int beyond;		/* of these, pairs that load balance does not tolerate */
	int difference;		/* the largest, in tasks */
};

void nt_sample_queues_free(struct nt_sample_queues *q);

/* Tasks in a node over the samples. */
struct nt_spread {
	double sum;
	unsigned int min, max;
};

struct nt_node_queues {
	struct nt_spread running, workload;
	double idle;		/* sum of its idle CPUs */
};

/* A series kept short: when it is full, each two values become their mean. */
#define NT_TREND 80

struct nt_trend {
	double v[NT_TREND];
	size_t n;
	unsigned long each, have;	/* samples in a value; in the one being made */
	double sum;
};

struct nt_queue_stats {
	unsigned long samples;	/* that held a snapshot */
	int nnodes;
	struct nt_node_queues *node;	/* [nnodes] */
	struct nt_node_queues all;
	bool has_workload;
	unsigned long paired;	/* samples with pairs of groups */
	unsigned long judged;	/* of these, with a verdict on some pair */
	unsigned long beyond;	/* of these, with a pair that is not tolerated */
	double difference_sum;	/* of the largest difference of each */
	int difference_max;
	struct nt_trend difference;
};

/* Add a sample's, of nnodes nodes; one without a snapshot adds nothing. 0 or -ENOMEM. */
int nt_queue_stats_add(struct nt_queue_stats *st, const struct nt_sample_queues *q, int nnodes);
void nt_queue_stats_free(struct nt_queue_stats *st);

/* The values of a trend, the unfinished one included. v has room for NT_TREND + 1. */
size_t nt_trend_values(const struct nt_trend *t, double *v);

#endif
