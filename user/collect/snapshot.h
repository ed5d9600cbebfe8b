/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots of this machine, one after the other. */
#ifndef NT_COLLECT_SNAPSHOT_H
#define NT_COLLECT_SNAPSHOT_H

#include "collect/bpf.h"
#include "model/error.h"
#include "model/run.h"

/*
 * Fills the header of a run, domains included where they can be read, and loads what
 * nt_bpf_snapshot() needs. 0, or -errno with the sentence in e. The caller frees *r in both
 * cases, and closes *b.
 */
int nt_snapshot_open(struct nt_run *r, struct nt_bpf **b, bool verbose, struct nt_error *e);

#endif
