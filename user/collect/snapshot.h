/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots of this machine, one after the other. */
#ifndef NT_COLLECT_SNAPSHOT_H
#define NT_COLLECT_SNAPSHOT_H

#include "collect/bpf.h"
#include "model/error.h"
#include "model/numa_map.h"

struct nt_snapshots {
	struct nt_run r;	/* a header; topology and domains are those of the last one */
	struct nt_numa_map map;	/* of these domains */
	struct nt_bpf *bpf;
	uint64_t domains;	/* nt_snapshot.domains of the chains in r */
	bool known;		/* they were read */
};

/*
 * Loads what snapshots need and fills the header, all but the domains. 0, or -errno with the
 * sentence in e. nt_snapshots_close() in both cases.
 */
int nt_snapshots_open(struct nt_snapshots *ss, bool verbose, struct nt_error *e);

/*
 * A snapshot, *s is overwritten and the caller's to free. Where domains were rebuilt since the
 * last one, topology and domains in ss->r are read anew, and it is taken again. 0, or -errno with
 * the sentence in e, and *s empty.
 */
int nt_snapshots_take(struct nt_snapshots *ss, struct nt_snapshot *s, struct nt_error *e);

void nt_snapshots_close(struct nt_snapshots *ss);

/*
 * nt_numa_map_init(), and nothing is judged by the kernel's own rule where a sched_ext scheduler
 * takes its place. 0 or -ENOMEM, to be freed in both cases.
 */
int nt_numa_map_read(struct nt_numa_map *m, const struct nt_run *r);

#endif
