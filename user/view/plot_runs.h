/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A metric of a record as a plot: over the samples of its run, or over its runs. */
#ifndef NT_VIEW_PLOT_RUNS_H
#define NT_VIEW_PLOT_RUNS_H

#include <stdbool.h>
#include <stdio.h>

#include "model/error.h"
#include "model/run.h"

/*
 * Of one run the plot shows the samples, of several one mark a run; below it comes for each run
 * with samples a sparkline of them. 0; -ENOENT with the sentence in e if there
 * is no such metric, or nothing to plot; -ENOMEM; -errno of a failed write.
 */
int nt_plot_runs(FILE *out, const struct nt_run *runs, size_t n, const char *key, bool utf8,
		 struct nt_error *e);

/* -ENOENT and a sentence: there is no such metric, some close to it, which option lists all. */
int nt_unknown_metric(const struct nt_kvs *all, const char *key, const char *option,
		      struct nt_error *e);

#endif
