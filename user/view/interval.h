/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of -i: one per node and sample, while the command runs. */
#ifndef NT_VIEW_INTERVAL_H
#define NT_VIEW_INTERVAL_H

#include <stdio.h>

#include "model/run.h"

/*
 * Time since the start (s), node, its system-wide utilization (%), the workload's busy CPUs
 * and migrations into other nodes within the interval. The run holds the sample
 * already; its first one prints a heading.
 */
void nt_interval_rows(FILE *out, const struct nt_run *r, const struct nt_sample *s);

#endif
