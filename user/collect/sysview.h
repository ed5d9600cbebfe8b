/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own counters, by NUMA node, as differences from one sample to the next. */
#ifndef NT_COLLECT_SYSVIEW_H
#define NT_COLLECT_SYSVIEW_H

#include "model/run.h"

struct nt_sysview;

/* Reads no counter yet. The topology must live as long. 0 or -ENOMEM. */
int nt_sysview_open(struct nt_sysview **out, const struct nt_topology *topo);

/*
 * Add to *out what was counted since the previous call; the first call adds nothing and sets
 * the base. *online (unless NULL) becomes the list of CPUs on line, to be freed. From the
 * second call on, each reads the next directory of NUMATRACE_ROOT. On an error the base
 * stays, so that the next sample makes up for it.
 */
int nt_sysview_sample(struct nt_sysview *v, struct nt_counters *out, char **online);

/* Amounts of memory now, in kB, added to per_node[nnodes]. */
int nt_sysview_meminfo(struct nt_sysview *v, struct nt_kvs *per_node);

void nt_sysview_free(struct nt_sysview *v);

#endif
