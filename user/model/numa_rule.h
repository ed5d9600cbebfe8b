/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel makes of a difference between two groups of a domain between nodes: the part
 * of find_busiest_group() and find_idlest_group() that counts decide. Read in 5.10, 6.1, 6.12 and
 * 7.3 (sched_balance_find_src_group(), sched_balance_find_dst_group() since 6.10).
 */
#ifndef NT_MODEL_NUMA_RULE_H
#define NT_MODEL_NUMA_RULE_H

#include <stdbool.h>

/* Forms of adjust_numa_imbalance() and of its callers. */
enum nt_numa_rule {
	/* 5.10: nothing is pulled from a group of 2 or fewer; fork stays while a CPU is idle. */
	NT_RULE_PAIR,
	/* 5.11 (7d2b5dd0bcc4, 23e6082a522e): a quarter of the busier group, at fork the domain. */
	NT_RULE_QUARTER,
	/* 5.18, and 5.15.y (2cfb7a1b031b): a quarter of the group that gets the task, with it. */
	NT_RULE_QUARTER_OF_GROUP,
	/* 5.18 (e496132ebedd): imb_numa_nr in its place; the difference is halved before. */
	NT_RULE_IMB_HALVED,
	/* 6.0 (cb29a5c169d2, 026b98a93bbd): halved after; fork goes by idle CPUs, and by 2 too. */
	NT_RULE_IMB,
	NT_NRULES,
};

/* What a kernel may do: the rules it may have, and what came with some version besides. */
struct nt_numa_rules {
	unsigned int may;	/* 1u << enum nt_numa_rule; 0: not known */
	bool smt_type;		/* 6.5: groups that are one core with SMT are a type of their own */
	const char *why;	/* if not known, why; static */
};

/* Of a release whose domains have imb_numa_nr, or have not. */
struct nt_numa_rules nt_numa_rules(const char *release, bool has_imb);

/* What the rule tolerates, one sentence without a full stop; static. Of several: that there are. */
const char *nt_numa_rules_text(const struct nt_numa_rules *k);

/* A group as the kernel counts it. */
struct nt_rule_group {
	int weight;		/* its CPUs */
	int running;		/* rq->nr_running: all classes, sleepers still queued included */
	int fair, delayed;	/* of these, of the fair class; and sleepers among those */
	int idle;		/* CPUs with nothing to run */
	bool reduced;		/* a CPU has much less than its capacity for the fair class */
};

/* The domain of the local group, the one that pulls at load balance and pushes at fork. */
struct nt_rule_domain {
	int weight;
	int imb_numa_nr;	/* -1: not in this kernel */
	bool prefer_local, prefer_other;	/* SD_PREFER_SIBLING of the groups' own domains */
	bool smt;		/* the other group is one core with SMT */
	bool asymmetric;	/* SD_ASYM_CPUCAPACITY or SD_ASYM_PACKING */
	bool fork, exec;	/* SD_BALANCE_FORK, SD_BALANCE_EXEC */
};

enum nt_verdict {
	NT_STAYS,		/* tolerated: nothing moves */
	NT_MOVES,
	NT_UNSETTLED,		/* counts and what is known of the kernel do not settle it */
};

/* Would a CPU of local, idle if it has one, pull from busiest, the busiest of the others? */
enum nt_verdict nt_rule_balance(const struct nt_numa_rules *k, const struct nt_rule_domain *d,
				const struct nt_rule_group *local,
				const struct nt_rule_group *busiest);

/* Would a task that forks in local have its child in idlest, the least busy of the others? */
enum nt_verdict nt_rule_fork(const struct nt_numa_rules *k, const struct nt_rule_domain *d,
			     const struct nt_rule_group *local,
			     const struct nt_rule_group *idlest);

/* Would one of the tasks that run in local go there when it calls exec? */
enum nt_verdict nt_rule_exec(const struct nt_numa_rules *k, const struct nt_rule_domain *d,
			     const struct nt_rule_group *local,
			     const struct nt_rule_group *idlest);

#endif
