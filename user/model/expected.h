/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What mainline's formula makes of a machine: imb_numa_nr of each scheduling domain, from
 * CPUs, nodes, distances and last-level caches alone. build_sched_domains() computes it
 * since 5.18 (e496132ebedd); 6.0 (026b98a93bbd) changed the case of one cache in a node;
 * 7.2 moved the code (adjust_numa_imbalance() in topology.c) and kept the values.
 */
#ifndef NT_MODEL_EXPECTED_H
#define NT_MODEL_EXPECTED_H

#include "model/cpulist.h"
#include "model/run.h"

/* What the level above the last-level cache gets where the node has one cache. */
enum nt_imb_rule {
	NT_IMB_NONE,		/* mainline has no imb_numa_nr */
	NT_IMB_QUARTER,		/* 5.18 and 5.19: its CPUs / 4, and 0 is possible */
	NT_IMB_EIGHTH,		/* since 6.0: its CPUs / 8, at least 1 */
};

/*
 * The rule of the mainline kernel that a release ("6.1.0-50-amd64") is named after. What
 * the kernel really does may differ: vendors take changes from newer ones.
 */
enum nt_imb_rule nt_imb_rule(const char *release);

#define NT_EXPECT_LEVELS	64

/* CPUs that get the same levels. Levels whose spans are equal are merged in the kernel. */
struct nt_kind {
	struct nt_cpuset cpus;
	int llc;		/* CPUs that share a last-level cache: 0 up to this weight */
	int n;
	struct nt_kind_level {	/* above the cache: the node, then NUMA levels by distance */
		int weight;	/* CPUs spanned */
		int distance;	/* 0: the node itself */
		int imb;
	} level[NT_EXPECT_LEVELS];
};

/*
 * The kinds of CPUs of one root domain, whose CPUs are map (the kernel's cpu_map: on line,
 * neither isolated nor in another partition). 0, -ENOMEM, or -ENODATA: the topology does not
 * say all that is needed. To be freed by nt_kinds_free().
 */
int nt_kinds(const struct nt_topology *t, const struct nt_cpuset *map, enum nt_imb_rule rule,
	     struct nt_kind **kind, int *n);
void nt_kinds_free(struct nt_kind *kind, int n);

/* What is expected of the chains of a run. */
struct nt_expected {
	enum nt_imb_rule rule;
	char mainline[16];	/* "6.1": the version whose formula it is */
	char *why;		/* NULL, or why nothing is expected */
	int **imb;		/* [nchains][domains], -1: the formula has no such level */
	int nchains;
	bool read;		/* the kernel has the field, and its values were read */
	int differ;		/* domains whose value in the kernel is another one */
	enum nt_imb_rule fits;	/* if some differ: the rule that gives all values, or NONE */
};

/* 0 or -ENOMEM; free in both cases. */
int nt_expect(const struct nt_run *r, struct nt_expected *x);
void nt_expected_free(struct nt_expected *x);

/*
 * What is worth saying of the comparison, one sentence to be freed; *text is NULL if the
 * kernel's values are those of its own version's formula. 0 or -ENOMEM.
 */
int nt_expected_finding(const struct nt_expected *x, char **text);

/*
 * The kinds of CPUs of a machine whose domains were not read: CPUs on line that are not
 * isolated at boot. *n is 0 with a reason in *why, to be freed. 0 or -ENOMEM.
 */
int nt_expect_machine(const struct nt_run *r, struct nt_kind **kind, int *n, char **why);

#endif
