/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as it is now: topology, and the domains the kernel built on it. */
#ifndef NT_COLLECT_DOMAINS_H
#define NT_COLLECT_DOMAINS_H

#include "model/error.h"
#include "model/run.h"

/*
 * Fills the header of a run. Without bpf (a fixture) its chains stay empty and the feature
 * off. 0, or -errno with the sentence in e. The caller frees *r in both cases.
 */
int nt_domains_read(struct nt_run *r, bool bpf, bool verbose, struct nt_error *e);

#endif
