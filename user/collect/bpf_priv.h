/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of nt_bpf, shared by the bpf_*.c only. */
#ifndef NT_COLLECT_BPF_PRIV_H
#define NT_COLLECT_BPF_PRIV_H

#include "collect/bpf.h"
#include "collect/ways.h"
#include "numatrace.skel.h"

struct nt_bpf {
	struct numatrace_bpf *skel;
	const struct nt_way *way[NT_NFEATURE];	/* in use; NULL: the feature is off */
	struct nt_attempt attempt[NT_MAX_WAYS];
	int nnodes;
	int ncpus;
	int ncpus_possible;		/* libbpf's count: width of per-CPU map values */
	int span_bytes;
	unsigned long tracked;		/* processes, and threads that moved, at one time */
	unsigned int movers;		/* room in the table of migrating tasks */
	unsigned int want;		/* features to load, bits of enum nt_feature_id */
	struct nt_kvs sd_flags;		/* bits of sd->flags by name; none: this BTF lacks them */
	const struct nt_mig_count *mig;	/* mapped from the kernel, as are the next two */
	const __u64 *fork;
	const struct nt_cpu_time *cpu_time;
	size_t mig_bytes, fork_bytes, time_bytes;
	bool workload;			/* tasks were adopted */
	struct nt_cpu_time *alive_time;	/* [ncpus] of the last nt_bpf_alive() */
};

/* Are events counted? For some features they are not, and what counts them takes memory. */
bool nt_bpf_counts(const struct nt_bpf *b);

/*
 * How many tasks fit into the tables; NUMATRACE_TEST_TABLE makes them overflow. 0, or -EINVAL with
 * the sentence in e.
 */
int nt_bpf_choose_size(struct nt_bpf *b, struct nt_error *e);

/* Before loading: the maps' sizes and the programs' constants. 0 or -errno. */
int nt_bpf_set_sizes(struct nt_bpf *b);

/* Before loading: leave out the maps in which events are counted. 0 or -errno. */
int nt_bpf_drop_counters(struct nt_bpf *b);

/* Map the arrays that are read in place. 0 or -errno; unmap takes what map left half done. */
int nt_bpf_map(struct nt_bpf *b);
void nt_bpf_unmap(struct nt_bpf *b);

/*
 * Read a task iterator to its end, in buf grown as needed. 0 or -errno; the caller frees.
 */
int nt_bpf_iterate(struct bpf_link *link, char **buf, size_t *len);

/* As nt_bpf_read(), with the time of alive tasks as it was read last. */
int nt_bpf_read_maps(struct nt_bpf *b, const struct nt_topology *topo, struct nt_counters *c);

/* Number of alive workload tasks; their uncharged time by CPU in alive_time. -errno. */
int nt_bpf_alive(struct nt_bpf *b);

#endif
