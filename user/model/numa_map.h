/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The groups of CPUs between which a machine balances across nodes, in pairs, and what the
 * kernel's rule makes of a snapshot of them. Made once from the chains of domains.
 */
#ifndef NT_MODEL_NUMA_MAP_H
#define NT_MODEL_NUMA_MAP_H

#include "model/cpulist.h"
#include "model/numa_rule.h"
#include "model/run.h"
#include "model/snapshot.h"

struct nt_numa_group {
	char *name;		/* "node 0", "nodes 0-1", "CPUs 4-6" */
	struct nt_cpuset cpus;
};

/* One of a pair as the local group of a domain; chain < 0: it has no domain with the other. */
struct nt_numa_side {
	int chain, depth;	/* r->chain[chain].d[depth] is that domain */
	bool overlap;		/* its groups overlap: the kernel weighs them otherwise */
};

struct nt_numa_pair {
	int level;		/* sd->level of the domains */
	int group[2];
	struct nt_numa_side side[2];
};

struct nt_numa_map {
	struct nt_numa_group *group;
	int ngroups;
	struct nt_numa_pair *pair;	/* by level, then group */
	int npairs;
	struct nt_numa_rules rules;
	char *why;		/* no pairs: why there is nothing to judge; NULL: there are */
};

/* What was made of one pair. */
struct nt_numa_judged {
	const struct nt_numa_pair *pair;
	int more, less;		/* groups: the first runs as many tasks as the second, or more */
	int running[2];		/* of these two, as the kernel counts */
	enum nt_verdict balance;	/* would load balance move one, in either direction */
	enum nt_verdict fork, exec;	/* would a new task of the busier go to the other */
};

struct nt_numa_judgement {
	struct nt_numa_judged *j;	/* [npairs], by pair */
	int settled;		/* pairs with a verdict on load balance */
	int beyond;		/* of these, pairs whose difference it does not tolerate */
	int difference;		/* the largest */
};

/* The map of a run whose domains were read; r must outlive it. 0 or -ENOMEM, free in both cases. */
int nt_numa_map_init(struct nt_numa_map *m, const struct nt_run *r);
void nt_numa_map_free(struct nt_numa_map *m);

/* Judge a snapshot taken while these domains held. 0 or -ENOMEM; free in both cases. */
int nt_numa_judge(const struct nt_numa_map *m, const struct nt_run *r,
		  const struct nt_snapshot *s, struct nt_numa_judgement *out);
void nt_numa_judgement_free(struct nt_numa_judgement *j);

/* imb_numa_nr of a pair's domains; -1: not in this kernel, or not the same in both directions. */
int nt_numa_pair_imb(const struct nt_run *r, const struct nt_numa_pair *p);

#endif
