/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levels of domains by name. Several levels may have one name: the kernel calls each level
 * between nodes NUMA, one for each distance. Nothing but sd->level tells them apart.
 */
#ifndef NT_MODEL_LEVELS_H
#define NT_MODEL_LEVELS_H

#include "model/run.h"

#define NT_LEVEL_LABEL	(NT_SD_NAME + 4)

/*
 * "MC"; "NUMA1", "NUMA2"... where several levels in the chains are called NUMA, the nearest
 * nodes first. Written into buf of NT_LEVEL_LABEL bytes, which is returned.
 */
const char *nt_level_label(const struct nt_run *r, int level, char *buf, size_t len);

bool nt_level_exists(const struct nt_run *r, int level);	/* in a chain */

/* to += b, each counter. */
void nt_balance_add(struct nt_balance_count *to, const struct nt_balance_count *b);

/* Metrics of load balancing and of imb_numa_nr, by name and by label; 0 or -ENOMEM. */
int nt_balance_metrics(const struct nt_run *r, struct nt_kvs *out);
int nt_domain_metrics(const struct nt_run *r, struct nt_kvs *out);

#endif
