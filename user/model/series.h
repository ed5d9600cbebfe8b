/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A metric over the samples of a run, and metrics that are named nearly right. */
#ifndef NT_MODEL_SERIES_H
#define NT_MODEL_SERIES_H

#include "model/run.h"

/*
 * The metric key of each sample: v[r->nsamples], NAN where it is absent. It is that of
 * nt_run_metrics() for a run that consists of this sample alone, so counts are those
 * of the interval; what is measured once a run has no value per sample. 0 or -ENOMEM.
 */
int nt_metric_series(const struct nt_run *r, const char *key, double *v);

/* Up to max keys that word may have meant, the likeliest first; how many. They stay l's. */
size_t nt_close_keys(const struct nt_kvs *l, const char *word, const char **close, size_t max);

#endif
