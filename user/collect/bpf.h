/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs in the kernel, seen from user space: choose, load, attach, read.
 */
#ifndef NT_COLLECT_BPF_H
#define NT_COLLECT_BPF_H

#include <sys/types.h>

#include "model/error.h"
#include "model/movers.h"
#include "model/run.h"
#include "model/snapshot.h"

struct nt_bpf;

/*
 * Load and attach what this kernel permits. feature[] says, on failure too, which way each
 * feature goes and why not a better one. 0, or -errno with the sentence in e (EPERM: names
 * the capabilities that lack).
 */
int nt_bpf_open(struct nt_bpf **out, const struct nt_topology *topo,
		struct nt_feature feature[NT_NFEATURE], bool verbose, struct nt_error *e);

/* Beside features: keep the table that nt_bpf_movers() reads. Needs NT_F_MIGRATIONS. */
#define NT_WANT_BUSIEST	(1u << NT_NFEATURE)

/*
 * The same for these features alone (1u << id); what only others need is not loaded. Without
 * NT_F_CPUTIME there can be no workload.
 */
int nt_bpf_open_only(struct nt_bpf **out, const struct nt_topology *topo,
		     struct nt_feature feature[NT_NFEATURE], unsigned int want, bool verbose,
		     struct nt_error *e);

/* Undo everything. NULL is fine. */
void nt_bpf_close(struct nt_bpf *b);

/* Who is the workload. */
struct nt_who {
	bool child;		/* the held child, numatrace's only one */
	const pid_t *pid;	/* or these processes, at most NT_MAX_PIDS; none: no workload */
	size_t npids;
	size_t found;		/* of them, by nt_bpf_adopt(); fewer where some have ended */
};

/*
 * Make them the workload: all their threads, and children from now on. Counting begins here:
 * *base is what was counted before, as nt_bpf_read() would give it. 0 or -errno.
 */
int nt_bpf_adopt(struct nt_bpf *b, const struct nt_topology *topo, struct nt_who *who,
		 struct nt_counters *base);

/* Node and LLC of each CPU anew, after CPUs came online. */
void nt_bpf_set_places(struct nt_bpf *b, const struct nt_topology *topo);

/*
 * Everything counted since the programs were attached, into the fields of *c that come from
 * the kernel side (mig, fork, place, balance, node[].wl); the others are left alone. 0 or
 * -errno.
 */
int nt_bpf_read(struct nt_bpf *b, const struct nt_topology *topo, struct nt_counters *c);

/*
 * The workload's command has ended: wait until the ends of its tasks have been counted, at
 * most timeout_ms. *alive: tasks that live on. *unfinished: ended, but not seen in time.
 */
void nt_bpf_drain(struct nt_bpf *b, int timeout_ms, int *alive, uint64_t *unfinished);

void nt_bpf_losses(const struct nt_bpf *b, struct nt_losses *lost);

/* The tasks that migrated, by TID, as counted since each entered the table. 0 or -errno. */
int nt_bpf_movers(struct nt_bpf *b, struct nt_movers *out);

/* The domain chains of all online CPUs, identical ones grouped. 0 or -errno. */
int nt_bpf_domains(struct nt_bpf *b, struct nt_chain **chain, int *n);

/*
 * What every CPU on line has to run now: one pass over the run queues, nothing stays attached to
 * any event. Needs NT_F_SNAPSHOT alone, the feature must be on; tasks of the workload are counted
 * if there is one. *s is overwritten, then the caller's to free. 0 or -errno, *s is empty then.
 */
int nt_bpf_snapshot(struct nt_bpf *b, const struct nt_topology *topo, struct nt_snapshot *s);

#endif
