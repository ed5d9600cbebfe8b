/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of numatrace snapshot that its own files share. */
#ifndef NT_VIEW_SNAPSHOT_VIEW_H
#define NT_VIEW_SNAPSHOT_VIEW_H

#include <stdio.h>

#include "model/numa_map.h"
#include "view/section.h"

/* One line; 0 or -ENOMEM. */
int nt_snapshot_json(FILE *out, const struct nt_run *r, const struct nt_numa_map *m,
		     const struct nt_numa_judgement *j, const struct nt_snapshot *s, double t,
		     bool per_cpu);

/* A line for each pair of groups, of many those that differ most, and the rule. */
int nt_show_judgement(const struct nt_section *sec, const struct nt_numa_map *m,
		      const struct nt_numa_judgement *j, const struct nt_snapshot *s);

#endif
