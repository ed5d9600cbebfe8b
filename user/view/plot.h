/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plots in characters, as the kernel test robot's mails had them. From numbers to
 * bytes; a value that is no number, or beyond +-1e300, is a gap.
 */
#ifndef NT_VIEW_PLOT_H
#define NT_VIEW_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define NT_MAX_SERIES	4	/* there are no more marks than that */

struct nt_series {
	const char *name;	/* for the legend */
	const double *v;	/* in the order they were measured */
	size_t n;
};

/*
 * 20 lines of at most 80 columns, ASCII: the first series as '*' joined by a line, the
 * next as 'O', '#' and '@'. The first value stands on the left border, the last of the longest
 * series on the right one. Where marks meet, that of the earlier series shows.
 * -EINVAL: nothing to draw, or more than NT_MAX_SERIES; nothing is printed.
 */
int nt_plot(FILE *out, const char *title, const struct nt_series *s, size_t n);

/*
 * One character a value, low to high between the smallest and the largest; gaps are blank.
 * Of more values than width, each character is the mean of its share of them.
 */
void nt_sparkline(FILE *out, const double *v, size_t n, size_t width, bool utf8);

#endif
