/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a series of runs stands, for somebody who watches. */
#ifndef NT_VIEW_PROGRESS_H
#define NT_VIEW_PROGRESS_H

#include <stdio.h>

struct nt_progress {
	unsigned long warmups, runs;	/* of the whole series */
	unsigned long done;		/* of both together */
	double elapsed;			/* s since the series began */
};

/* A line about the run that begins now; the estimate comes from those that are done. */
void nt_progress_line(FILE *out, const struct nt_progress *p);

#endif
