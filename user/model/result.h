/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs as a comparison needs them: what was run where, how it ended, and its flat map of
 * metrics; no samples. Keys are interned, so a set of runs is a matrix of run and key. A
 * value that is absent is NaN and never 0.
 */
#ifndef NT_MODEL_RESULT_H
#define NT_MODEL_RESULT_H

#include "model/run.h"

struct nt_result {
	int side;		/* 0 is the base */
	struct nt_run *head;	/* its header; equal ones are shared by runs in succession */
	bool foreign;		/* not numatrace's: head holds only what that format tells */
	bool ended;		/* false: the record stops before its end */
	bool interrupted;
	int wait_status;	/* as wait4 gives it; meaningful if head->argv and ended */
	struct nt_losses lost;
	double *value;		/* [nvalues] by key; keys from there on are absent */
	size_t nvalues;
};

struct nt_results {
	char **key;		/* [nkeys] in the order first seen */
	size_t nkeys;
	bool *is_score;		/* [nkeys] a score of the workload in some run */
	struct nt_result *v;	/* runs of a side follow each other */
	size_t n;
	char **note;		/* lines for the user: "FILE:LINE: what is wrong; what was used" */
	size_t nnotes;
	void *table;		/* tree of keys (tsearch) */
	struct nt_run **head;	/* every header, once */
	size_t nheads;
	size_t key_hint;	/* number of the key expected next */
};

/*
 * Begin a run of a side. It counts as ended and without losses until changed through
 * nt_results_last. Its header must be set before the next run begins. 0 or -ENOMEM.
 */
int nt_results_begin(struct nt_results *s, int side);
struct nt_result *nt_results_last(struct nt_results *s);

/*
 * A metric of the run begun last; a key put twice has the later value. 0, -ENOMEM, or
 * -EINVAL for a value that is no number (NaN, infinite).
 */
int nt_results_put(struct nt_results *s, const char *key, double value);

/* The same for a score of the workload: it comes first in comparisons. */
int nt_results_put_score(struct nt_results *s, const char *key, double value);

/*
 * The header part of *r is taken over for the run begun last, and *r left empty, also on
 * failure. What a format does not tell stays NULL (kernel, argv ...) or 0 (topo.nnodes).
 * 0 or -ENOMEM.
 */
int nt_results_set_head(struct nt_results *s, struct nt_run *r);

/* The metrics that the counters of the run give; for the run begun last. 0 or -ENOMEM. */
int nt_results_put_metrics(struct nt_results *s, const struct nt_run *r);

/* The rest of the run begun last: its scores, how it ended, and its header as set_head does. */
int nt_results_finish(struct nt_results *s, struct nt_run *r);

int nt_results_note(struct nt_results *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* NaN if absent. */
double nt_result_value(const struct nt_result *r, size_t key);

void nt_results_free(struct nt_results *s);

#endif
