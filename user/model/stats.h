/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of a metric over the runs of a side, and of two sides. Values are finite. */
#ifndef NT_MODEL_STATS_H
#define NT_MODEL_STATS_H

#include <stdbool.h>
#include <stddef.h>

#define NT_ALPHA	0.05	/* a verdict of "changed" is wrong in so many cases at most */
#define NT_MIN_RUNS	3	/* with fewer on a side nothing is said about its spread */

struct nt_stats {
	size_t n;		/* 0: absent, and nothing below means anything */
	double mean;
	double sd;		/* of the population, 1/n, as the test robot prints it */
	double min, max;
	bool mixed;		/* values of both signs: a share of the mean says little */
	double mean_size;	/* mean of |x| */
	/* What the robot's rule looks at: of 32 runs and more the outermost are left out. */
	double low, high, middle;	/* middle: element n/2 of those in order */
};

/* v is sorted by this. */
void nt_stats_of(double *v, size_t n, struct nt_stats *s);

enum nt_verdict {
	NT_TOO_FEW,		/* fewer than NT_MIN_RUNS on a side */
	NT_NOT_SHOWN,		/* the runs do not show a difference; there may be one */
	NT_CHANGED,
};

extern const char *const nt_verdict_name[];	/* "too few runs" ... */

/*
 * Welch's test of equal means, two-sided, with variances of the sample (1/(n-1)). NAN: not
 * known. If neither side varies, means that differ give t = +-INFINITY, p = 0, and df NAN.
 */
struct nt_welch {
	double t, df, p;
	/*
	 * Ratio of the means, b over a, with its confidence interval (1 - NT_ALPHA) by
	 * Fieller's theorem. No interval (NAN) where a's mean cannot be told from 0.
	 */
	double ratio, low, high;
	enum nt_verdict verdict;
};

void nt_welch(const struct nt_stats *a, const struct nt_stats *b, struct nt_welch *w);

#endif
