/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sides of runs, metric by metric. Each side is compared with the first, the base. A metric
 * that a run does not have is absent from its side, never 0.
 */
#ifndef NT_MODEL_COMPARE_H
#define NT_MODEL_COMPARE_H

#include <regex.h>

#include "model/result.h"
#include "model/stats.h"

/* A metric on a side. */
struct nt_cell {
	size_t runs;		/* of the side at this point, with the metric or without */
	struct nt_stats s;
	/*
	 * Against the base, unrounded: a difference if the row is absolute, else in % of the
	 * base's mean with the sign of that mean, so that + is a larger number away from 0. NAN:
	 * a side has none, or the base's mean is 0 and this one's is not.
	 */
	double change;
	bool changed;		/* by the robot's rule */
	double happened;	/* of a functional metric: the sum over the side's runs */
	struct nt_welch w;	/* against the base */
};

struct nt_row {
	const char *key;
	int point;		/* of the sweep: of what runs; 0 without one */
	int group;		/* rows are in order of it */
	bool score;		/* of the workload */
	bool functional;	/* happened or not: nt_robot_functional */
	bool absolute;		/* nt_robot_absolute */
	bool changed;		/* on some side */
	bool mixed;		/* the base has values of both signs: change in % of their size */
	struct nt_cell *cell;	/* [nsides] */
};

struct nt_side {
	char *id;		/* how the user knows it, printable */
	size_t first, n;	/* its runs in the results */
};

/* A value of the label that the runs of a sweep differ in. */
struct nt_point {
	const char *value;	/* NULL: no sweep */
	char *text;		/* printable */
};

struct nt_axis {
	char *name, *value;
};

/* What a doubt comes to. */
enum nt_weight {
	NT_REFUSES,		/* what is compared is not the same: not without the user's word */
	NT_MISLEADS,		/* a difference may come from this */
	NT_DIFFERS,		/* a difference in itself, to be known before the table is read */
};

struct nt_doubt {
	enum nt_weight weight;
	char *text;		/* printable, one line */
};

struct nt_compare {
	const struct nt_results *r;
	struct nt_side *side;
	int nsides;
	const char *id_name;	/* what the ids are: "commit" (a label), "kernel" or "file" */
	const char *by;		/* the label of the sweep; NULL: none, and all runs at one point */
	struct nt_point *point;
	int npoints;
	int *at;		/* [r->n] the point of each run; -1: without the label, left out */
	struct nt_axis *axis;	/* what all runs have in common */
	size_t naxes;
	struct nt_doubt *doubt;	/* in order of weight */
	size_t ndoubts;
	struct nt_row *row;	/* [nrows] those asked for */
	size_t nrows;
	size_t compared;	/* metrics, at each point, that the base and another side have */
	size_t nchanged;	/* of them */
	size_t one_sided;	/* metrics that some side does not have at all */
};

struct nt_compare_opts {
	bool all;		/* unchanged ones as well */
	bool kpi;		/* scores only */
	bool compat;		/* what the robot prints for a base of 0 or of both signs */
	const regex_t *stat;	/* only keys that match; NULL: any */
	const char *by;		/* a row for each value of this label; NULL: none */
};

/*
 * Without opts.all the rows are the scores and what changed; of a sweep the scores, or what
 * opts.stat names. names: [nsides], of each side's files. Every side has runs. r and opts must
 * stay. 0, -ENOMEM, or -ENOENT if no run has the label opts.by; nt_compare_free in any case.
 */
int nt_compare(struct nt_compare *c, const struct nt_results *r, char *const *names, int nsides,
	       const struct nt_compare_opts *opts);
bool nt_compare_refused(const struct nt_compare *c);	/* has it such a doubt? */

size_t nt_compare_runs(const struct nt_compare *c, int side, int point);

/* The share of metrics that vary by chance alone and that the robot's rule flags, at most. */
double nt_compare_chance(const struct nt_compare *c);
bool nt_compare_few(const struct nt_compare *c);	/* has a side fewer than NT_MIN_RUNS? */
void nt_compare_free(struct nt_compare *c);

#endif
