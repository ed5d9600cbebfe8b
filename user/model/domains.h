/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What chains of scheduling domains say about a machine. */
#ifndef NT_MODEL_DOMAINS_H
#define NT_MODEL_DOMAINS_H

#include "model/run.h"

/* Is it a level between nodes? By its flag SD_NUMA, or by its name where flags have none. */
bool nt_domain_is_numa(const struct nt_domain *d);
bool nt_chain_has_numa(const struct nt_chain *c);

/*
 * The CPUs of the root domain of a chain, a cpulist: what its highest level spans. The
 * kernel adds levels until one spans the root domain. NULL: in none, or unknown.
 */
const char *nt_chain_root(const struct nt_chain *c);

/* Is chain i the first of its root domain? Never for chains in none. */
bool nt_chain_opens_root(const struct nt_run *r, int i);
int nt_count_roots(const struct nt_run *r);

/* CPUs whose chain is empty, as a cpulist to be freed; NULL: out of memory. */
char *nt_no_domain_cpus(const struct nt_run *r);

#endif
