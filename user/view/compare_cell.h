/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of a comparison in the kernel test robot's figures, without its padding. */
#ifndef NT_VIEW_COMPARE_CELL_H
#define NT_VIEW_COMPARE_CELL_H

#include <stdio.h>

#include "model/compare.h"

#define NT_CELL	32	/* bytes that hold any of them */

/*
 * Each writes into buf of NT_CELL bytes and returns it.
 * Mean: below 1000 two decimals, up to 1e8 whole (cut, not rounded), else four digits; "-" if
 * absent. Spread: in % of the mean, cut; of a mean of 0 as it is; "" if at most 2, unknown, or
 * the mean is negative. Change: "+10.0%", "+10.0" if absolute; "" if a side has none, "n/a"
 * from 0.
 */
const char *nt_cell_mean(char *buf, const struct nt_stats *s);
const char *nt_cell_spread(char *buf, const struct nt_stats *s);
const char *nt_cell_change(char *buf, const struct nt_row *row, const struct nt_cell *cell);

/*
 * The metric, printable, and of a sweep where: "fsmark.files_per_sec (nr_threads= 1)". For the
 * caller to free; NULL: out of memory.
 */
char *nt_row_label(const struct nt_compare *c, const struct nt_row *row);

/* "changed, p 0.012, x 1.1 [1.05, 1.2]": is it real? As much of it as is known. */
void nt_put_welch(FILE *out, const struct nt_welch *w);

/* Percentage points that it happened more often than on the base, each by its own runs. */
double nt_reproduction(const struct nt_row *row, const struct nt_cell *cell);

#endif
