// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/numa_rule.h"

#include <stdio.h>
#include <stdlib.h>

#define TOLERATED	2	/* NUMA_IMBALANCE_MIN */

#define MAY(rule)	(1u << (rule))

struct nt_numa_rules nt_numa_rules(const char *release, bool has_imb)
{
	struct nt_numa_rules k = { .why = NULL };
	int major, minor, v;

	if (!release || sscanf(release, "%d.%d", &major, &minor) != 2)
		return (struct nt_numa_rules){ .why = "the kernel's version is not known" };
	v = major * 1000 + minor;
	k.smt_type = v >= 6005;
	if (v == 5010 && !has_imb)
		k.may = MAY(NT_RULE_PAIR);
	else if (v >= 5011 && v <= 5017)
		/* vendors took imb_numa_nr back, in one form or the other */
		k.may = has_imb ? MAY(NT_RULE_IMB_HALVED) | MAY(NT_RULE_IMB) :
			MAY(NT_RULE_QUARTER) | MAY(NT_RULE_QUARTER_OF_GROUP);
	else if (v >= 5018 && v < 6000 && has_imb)
		k.may = MAY(NT_RULE_IMB_HALVED);
	else if (v >= 6000 && v <= 7003 && has_imb)
		k.may = MAY(NT_RULE_IMB);
	else if (v < 5010 || v > 7003)
		k.why = "the rule of this version is not known here";
	else if (has_imb)
		k.why = "its domains have imb_numa_nr, which mainline of this version has not";
	else
		k.why = "its domains lack imb_numa_nr, which mainline of this version has";
	return k;
}

const char *nt_numa_rules_text(const struct nt_numa_rules *k)
{
	switch (k->may) {
	case MAY(NT_RULE_PAIR):
		return "rule of 5.10: nothing is pulled from a group that runs 2 or fewer, nor for "
		       "a difference of 1; fork and exec stay while a CPU of the group is idle";
	case MAY(NT_RULE_IMB_HALVED):
		return "rule of 5.18 and 5.19: a difference of 5 is tolerated while the group that "
		       "runs fewer runs less than imb_numa_nr, else of 1";
	case MAY(NT_RULE_IMB):
		return "rule since 6.0: a difference of 2 is tolerated while the group that runs "
		       "fewer runs less than imb_numa_nr, else of 1";
	default:
		return "this version may have one of several rules: said is what they agree on";
	}
}

/* enum group_type, those that counts can make. */
enum type {
	SPARE,
	BUSY,
	OVERLOADED,
	NTYPES,
};

/* The types that a group may have, whatever its utilization: group_classify(). */
static bool may_be(const struct nt_rule_group *g, enum type t)
{
	if (g->running < g->weight)
		return t == SPARE;
	return t != OVERLOADED || g->running > g->weight;
}

static void see(enum nt_verdict *v, bool *any, enum nt_verdict is)
{
	*v = !*any || *v == is ? is : NT_UNSETTLED;
	*any = true;
}

static enum nt_verdict verdict(bool moves)
{
	return moves ? NT_MOVES : NT_STAYS;
}

/* What is not the same in every kernel, or not known: tried one way and the other. */
struct variant {
	enum nt_numa_rule rule;
	enum type local, other;
	bool prefer;		/* whose SD_PREFER_SIBLING counts: until 6.3 the local group's */
	bool by_cores;		/* 6.6: sibling_imbalance() weighs by cores; not if none is idle */
	int fair;		/* sum_h_nr_running: since 6.14 without sleepers */
};

static int at_least_0(int n)
{
	return n > 0 ? n : 0;
}

/* The difference in tasks. Groups of other sizes: cores stand to CPUs alike in both. */
static int task_difference(const struct variant *v, const struct nt_rule_group *local,
			   const struct nt_rule_group *busiest)
{
	int sum = local->weight + busiest->weight, n;

	if (v->by_cores && !local->idle)
		return 0;
	if (!v->by_cores || local->weight == busiest->weight)
		return at_least_0(busiest->running - local->running);
	n = at_least_0(local->weight * busiest->running - busiest->weight * local->running);
	n = (2 * n + sum) / sum;
	return n <= 1 && !local->running && busiest->running > 1 ? 2 : n;
}

/* The end of calculate_imbalance() where the local group has spare capacity: tasks to move. */
static int numa_imbalance(enum nt_numa_rule rule, int difference, int imb_numa_nr,
			  const struct nt_rule_group *local, const struct nt_rule_group *busiest)
{
	int half = difference >> 1, then = local->running + 1;

	switch (rule) {
	case NT_RULE_PAIR:
		return busiest->running <= TOLERATED ? 0 : half;
	case NT_RULE_QUARTER:
		return busiest->running < busiest->weight >> 2 && half <= TOLERATED ? 0 : half;
	case NT_RULE_QUARTER_OF_GROUP:
		return then < local->weight >> 2 && half <= TOLERATED ? 0 : half;
	case NT_RULE_IMB_HALVED:
		return then <= imb_numa_nr && half <= TOLERATED ? 0 : half;
	default:
		return then <= imb_numa_nr && difference <= TOLERATED ? 0 : half;
	}
}

/* find_busiest_group(), once everything is fixed. */
static enum nt_verdict pulls(const struct variant *v, const struct nt_rule_domain *d,
			     const struct nt_rule_group *local,
			     const struct nt_rule_group *busiest)
{
	int difference = task_difference(v, local, busiest);

	if (v->fair < 1 || v->local > v->other)
		return NT_STAYS;
	if (v->local == OVERLOADED)		/* loads are compared */
		return NT_UNSETTLED;
	if (v->other != OVERLOADED && !(v->prefer && v->local == SPARE && difference > 1)) {
		if (!local->idle || v->fair == 1)
			return NT_STAYS;
		if (busiest->weight > 1 && local->idle <= busiest->idle + 1)
			return NT_STAYS;
	}
	if (v->local != SPARE)
		return NT_UNSETTLED;
	if (v->other == OVERLOADED)		/* as much utilization as there is room for */
		return local->idle ? NT_MOVES : NT_UNSETTLED;
	if (busiest->weight > 1 && !v->prefer)
		difference = at_least_0(local->idle - busiest->idle);
	return verdict(numa_imbalance(v->rule, difference, d->imb_numa_nr, local, busiest) > 0);
}

static enum nt_verdict all_types(struct variant *v, const struct nt_rule_domain *d,
				 const struct nt_rule_group *local,
				 const struct nt_rule_group *busiest)
{
	enum nt_verdict is = NT_UNSETTLED;
	bool any = false;
	int a, b;

	for (a = SPARE; a < NTYPES; a++)
		for (b = SPARE; b < NTYPES; b++) {
			if (!may_be(local, a) || !may_be(busiest, b))
				continue;
			v->local = a;
			v->other = b;
			see(&is, &any, pulls(v, d, local, busiest));
		}
	return is;
}

enum nt_verdict nt_rule_balance(const struct nt_numa_rules *k, const struct nt_rule_domain *d,
				const struct nt_rule_group *local,
				const struct nt_rule_group *busiest)
{
	enum nt_verdict is = NT_UNSETTLED;
	bool any = false;
	int rule, i;

	if (!busiest->running)
		return NT_STAYS;
	if (d->asymmetric || busiest->reduced || (k->smt_type && d->smt && busiest->fair > 1))
		return NT_UNSETTLED;
	for (rule = 0; rule < NT_NRULES; rule++) {
		if (!(k->may & MAY(rule)))
			continue;
		for (i = 0; i < 8; i++) {
			struct variant v = {
				.rule = rule,
				.prefer = i & 1 ? d->prefer_other : d->prefer_local,
				.by_cores = i & 2,
				.fair = busiest->fair - (i & 4 ? busiest->delayed : 0),
			};

			see(&is, &any, all_types(&v, d, local, busiest));
		}
	}
	return is;
}

/* find_idlest_group(): both groups have spare capacity. */
static bool leaves(enum nt_numa_rule rule, const struct nt_rule_domain *d,
		   const struct nt_rule_group *local, const struct nt_rule_group *idlest)
{
	int then = local->running + 1, idle = abs(local->idle - idlest->idle);
	bool stays;

	switch (rule) {
	case NT_RULE_PAIR:
		stays = local->idle;
		break;
	case NT_RULE_QUARTER:
		stays = local->running < d->weight >> 2;
		break;
	case NT_RULE_QUARTER_OF_GROUP:
		stays = then < local->weight >> 2;
		break;
	case NT_RULE_IMB_HALVED:
		stays = then <= d->imb_numa_nr;
		break;
	default:
		stays = then <= d->imb_numa_nr && idle <= TOLERATED;
	}
	return !stays && local->idle < idlest->idle;
}

static enum nt_verdict pushes(enum nt_numa_rule rule, const struct nt_rule_domain *d,
			      const struct nt_rule_group *local,
			      const struct nt_rule_group *idlest)
{
	enum nt_verdict is = NT_UNSETTLED;
	bool any = false;
	int a, b;

	for (a = SPARE; a < NTYPES; a++)
		for (b = SPARE; b < NTYPES; b++) {
			if (!may_be(local, a) || !may_be(idlest, b))
				continue;
			if (a != b)
				see(&is, &any, verdict(a > b));
			else if (a != SPARE)	/* loads are compared */
				see(&is, &any, NT_UNSETTLED);
			else
				see(&is, &any, verdict(leaves(rule, d, local, idlest)));
		}
	return is;
}

static enum nt_verdict new_place(const struct nt_numa_rules *k, const struct nt_rule_domain *d,
				 const struct nt_rule_group *local,
				 const struct nt_rule_group *idlest)
{
	enum nt_verdict is = NT_UNSETTLED;
	bool any = false;
	int rule;

	for (rule = 0; rule < NT_NRULES && !d->asymmetric; rule++)
		if (k->may & MAY(rule))
			see(&is, &any, pushes(rule, d, local, idlest));
	return is;
}

enum nt_verdict nt_rule_fork(const struct nt_numa_rules *k, const struct nt_rule_domain *d,
			     const struct nt_rule_group *local,
			     const struct nt_rule_group *idlest)
{
	return d->fork ? new_place(k, d, local, idlest) : NT_STAYS;
}

/* The task itself is not counted, and its CPU is idle if it was alone there. */
enum nt_verdict nt_rule_exec(const struct nt_numa_rules *k, const struct nt_rule_domain *d,
			     const struct nt_rule_group *local,
			     const struct nt_rule_group *idlest)
{
	struct nt_rule_group without = *local;
	enum nt_verdict is = NT_UNSETTLED;
	bool any = false;

	if (!d->exec)
		return NT_STAYS;
	if (!local->fair)
		return NT_UNSETTLED;
	without.running--;
	without.fair--;
	/* Some CPU has more than one task: is it the one? */
	if (local->running > local->weight - local->idle)
		see(&is, &any, new_place(k, d, &without, idlest));
	without.idle++;
	see(&is, &any, new_place(k, d, &without, idlest));
	return is;
}
