/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NUMA nodes, CPUs and last-level caches of the machine; nt_topology_free() is the model's. */
#ifndef NT_COLLECT_TOPOLOGY_H
#define NT_COLLECT_TOPOLOGY_H

#include "model/run.h"

/* 0, -ENOMEM, or -errno of what /sys did not say. */
int nt_topology_read(struct nt_topology *t);

#endif
