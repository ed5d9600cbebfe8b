/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of a run: the same bytes for a run just measured and for its record.
 */
#ifndef NT_VIEW_REPORT_H
#define NT_VIEW_REPORT_H

#include <stdio.h>

#include "model/run.h"

enum nt_format {
	NT_FORMAT_TABLE,
	NT_FORMAT_JSON,		/* one object: metrics, matrices, domains */
	NT_FORMAT_CSV,		/* key,value of every metric */
};

struct nt_view_opts {
	enum nt_format format;
	bool color;		/* headings in bold */
	bool utf8;		/* sparklines in blocks, not in ASCII */
	int width;		/* columns to wrap text at; 0: 100 */
};

/* 0, -ENOMEM, or -errno of a failed write. */
int nt_report(FILE *out, const struct nt_run *r, const struct nt_view_opts *opts);

#endif
