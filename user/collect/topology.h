/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NUMA nodes, CPUs and last-level caches of the machine; nt_topology_free() is the model's. */
#ifndef NT_COLLECT_TOPOLOGY_H
#define NT_COLLECT_TOPOLOGY_H

#include "model/run.h"

/* 0, -ENOMEM, or -errno of what /sys did not say. */
int nt_topology_read(struct nt_topology *t);

/*
 * Give CPUs that are off line the node on which they would come on line. Those that are not
 * plugged in have none yet and stay unknown, as do caches. 0 or -ENOMEM.
 */
int nt_topology_place_offline(struct nt_topology *t);

#endif
