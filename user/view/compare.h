/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as bytes. */
#ifndef NT_VIEW_COMPARE_H
#define NT_VIEW_COMPARE_H

#include <stdio.h>

#include "model/compare.h"

struct nt_compare_view {
	bool utf8;		/* else the plus-minus sign is '~' */
	bool welch;		/* beside each row of the table: ratio, p, verdict */
};

/*
 * What makes the comparison doubtful, a line each. Then the kernel test robot's table: header,
 * what failed how often, metrics. Below it, what the table does not say: how much was compared,
 * and what chance alone would flag. 0, -ENOMEM, or -errno of a failed write.
 */
int nt_compare_table(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v);

/* A line for each reason why the sides are not compared. */
void nt_compare_refusal(FILE *out, const struct nt_compare *c);

/* What is above the table. */
void nt_compare_top(FILE *out, const struct nt_compare *c);

/* What is below the table. 0, or -ENOMEM. */
int nt_compare_summary(FILE *out, const struct nt_compare *c);

#endif
