/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of numatrace snapshot that its own files share. */
#ifndef NT_VIEW_SNAPSHOT_VIEW_H
#define NT_VIEW_SNAPSHOT_VIEW_H

#include <stdio.h>

#include "model/run.h"
#include "model/snapshot.h"

/* One line; 0 or -ENOMEM. */
int nt_snapshot_json(FILE *out, const struct nt_run *r, const struct nt_snapshot *s, double t,
		     bool per_cpu);

#endif
