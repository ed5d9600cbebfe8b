// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

const char *const nt_verdict_name[] = {
	[NT_TOO_FEW] = "too few runs",
	[NT_NOT_SHOWN] = "not shown",
	[NT_CHANGED] = "changed",
};

/* The robot leaves out n/32 at each end, 3 at most. */
static size_t trimmed(size_t n)
{
	size_t k = n / 32;

	return k < 3 ? k : 3;
}

void nt_stats_of(double *v, size_t n, struct nt_stats *s)
{
	size_t k = trimmed(n), i;

	memset(s, 0, sizeof(*s));
	s->n = n;
	if (!n)
		return;
	gsl_sort(v, 1, n);
	s->min = v[0];
	s->max = v[n - 1];
	s->mixed = s->min < 0 && s->max > 0;
	s->mean = gsl_stats_mean(v, 1, n);
	s->sd = gsl_stats_sd_with_fixed_mean(v, 1, n, s->mean);
	for (i = 0; i < n; i++)
		s->mean_size += fabs(v[i]) / (double)n;
	s->low = v[k];
	s->high = v[n - 1 - k];
	s->middle = v[k + (n - 2 * k) / 2];
}

/* Variance of the mean, from the sample's. */
static double mean_variance(const struct nt_stats *s)
{
	return s->sd * s->sd / (double)(s->n - 1);
}

/*
 * Welch and Satterthwaite's degrees of freedom of mb - rho * ma, by shares, which neither
 * overflow nor, for rho = 0, become 0 / 0 where only a varies. One of them must.
 */
static double freedom(const struct nt_stats *a, const struct nt_stats *b, double rho)
{
	double va = rho * rho * mean_variance(a), vb = mean_variance(b), share = 1;

	if (vb > 0)
		share = va / (va + vb);
	return 1 / (share * share / (double)(a->n - 1) +
		    (1 - share) * (1 - share) / (double)(b->n - 1));
}

/*
 * The ratios r for which mb - r * ma is not told from 0: (mb - r ma)^2 <= t^2 (vb + r^2 va).
 * That is an interval only if ma itself is told from 0.
 */
static void fieller(const struct nt_stats *a, const struct nt_stats *b, struct nt_welch *w)
{
	double va = mean_variance(a), vb = mean_variance(b), t = 0, qa, qc, root;

	if (!isfinite(w->ratio * w->ratio * va))
		return;
	if (va + vb > 0)
		t = gsl_cdf_tdist_Pinv(1 - NT_ALPHA / 2, freedom(a, b, w->ratio));
	qa = a->mean * a->mean - t * t * va;
	qc = b->mean * b->mean - t * t * vb;
	root = a->mean * b->mean * a->mean * b->mean - qa * qc;
	if (!(qa > 0) || root < 0)
		return;
	w->low = (a->mean * b->mean - sqrt(root)) / qa;
	w->high = (a->mean * b->mean + sqrt(root)) / qa;
}

void nt_welch(const struct nt_stats *a, const struct nt_stats *b, struct nt_welch *w)
{
	double d, v;

	*w = (struct nt_welch){ NAN, NAN, NAN, NAN, NAN, NAN, NT_TOO_FEW };
	if (a->n && b->n && a->mean != 0)
		w->ratio = b->mean / a->mean;
	if (a->n < NT_MIN_RUNS || b->n < NT_MIN_RUNS)
		return;
	d = b->mean - a->mean;
	v = mean_variance(a) + mean_variance(b);
	if (!isfinite(v) || !isfinite(d)) {	/* too large for a double */
		w->verdict = NT_NOT_SHOWN;
		return;
	}
	w->t = v > 0 ? d / sqrt(v) : d != 0 ? copysign(INFINITY, d) : 0;
	if (v > 0) {
		w->df = freedom(a, b, 1);
		w->p = 2 * gsl_cdf_tdist_Q(fabs(w->t), w->df);
	} else {
		w->p = d == 0;
	}
	w->verdict = w->p < NT_ALPHA ? NT_CHANGED : NT_NOT_SHOWN;
	if (isfinite(w->ratio))
		fieller(a, b, w);
}
