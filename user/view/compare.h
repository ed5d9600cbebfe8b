/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as bytes. */
#ifndef NT_VIEW_COMPARE_H
#define NT_VIEW_COMPARE_H

#include <stdio.h>

#include "model/compare.h"
#include "model/error.h"

enum nt_compare_format {
	NT_COMPARE_TABLE,	/* the kernel test robot's */
	NT_COMPARE_JSON,
	NT_COMPARE_CSV,
	NT_COMPARE_MARKDOWN,
};

extern const char *const nt_compare_format_name[];	/* NULL-terminated */

struct nt_compare_view {
	enum nt_compare_format format;
	bool utf8;		/* else the plus-minus sign is '~' */
	bool welch;		/* verdict, p and ratio in tables, too; JSON and CSV have them */
};

/* In the view's format. 0, -ENOMEM, or -errno of a failed write. */
int nt_compare_print(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v);

/*
 * What makes the comparison doubtful, a line each. Then the kernel test robot's table: header,
 * what failed how often, metrics. Below it, what the table does not say: how much was compared,
 * and what chance alone would flag. 0, -ENOMEM, or -errno of a failed write.
 */
int nt_compare_table(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v);

/* The same as a table of GitHub's Markdown. */
int nt_compare_markdown(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v);

/* An object with sides, doubts and rows, unrounded; a number that is not known is absent. */
int nt_compare_json(FILE *out, const struct nt_compare *c);

/* A row for each metric and side, unrounded; without what makes it doubtful (nt_compare_top). */
int nt_compare_csv(FILE *out, const struct nt_compare *c);

/*
 * A plot of the metric, run by run, as the robot's mails had it: the base's as '*', the next
 * side's as 'O'. 0; -errno and the sentence in e: no such metric, nothing to draw, too many
 * sides, or a failed write.
 */
int nt_compare_plot(FILE *out, const struct nt_compare *c, const char *key, struct nt_error *e);

/* A line for each reason why the sides are not compared. */
void nt_compare_refusal(FILE *out, const struct nt_compare *c);

/* What is above the table. */
void nt_compare_top(FILE *out, const struct nt_compare *c);

/* What is below the table. 0, or -ENOMEM. */
int nt_compare_summary(FILE *out, const struct nt_compare *c);

#endif
