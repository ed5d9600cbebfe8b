/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numatrace snapshot: what CPUs had to run at one moment. */
#ifndef NT_VIEW_SNAPSHOT_H
#define NT_VIEW_SNAPSHOT_H

#include <stdio.h>

#include "model/numa_map.h"
#include "view/report.h"

struct nt_snapshot_view {
	struct nt_view_opts o;
	bool per_cpu;		/* each CPU too */
};

/*
 * One snapshot of a machine, t seconds after the first of its series (0: the first, which prints
 * what machine it is). As a table, or as one line of JSON. 0, -ENOMEM, or -errno of a failed
 * write.
 */
int nt_snapshot_report(FILE *out, const struct nt_run *r, const struct nt_numa_map *m,
		       const struct nt_snapshot *s, double t, const struct nt_snapshot_view *view);

#endif
