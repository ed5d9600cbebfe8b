/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NT_COLLECT_CACHES_H
#define NT_COLLECT_CACHES_H

#include "model/run.h"

/*
 * The last-level cache of each CPU, from the cache directories of /sys: fills cpu_llc, llcs
 * and each node's llcs. A CPU whose caches /sys does not tell stays unknown (-1). The domain
 * of a cache ends at the node even where /sys shows one cache for the whole package
 * (sub-NUMA clustering), so a cache counts once per node. 0 or -ENOMEM.
 */
int nt_caches_read(struct nt_topology *t);

#endif
