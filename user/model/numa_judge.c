// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel's rule makes of the tasks that a snapshot found. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/numa_map.h"

#define WHOLE_CPU	1024	/* SCHED_CAPACITY_SCALE */

/*
 * Could the kernel take a CPU's capacity for reduced (check_cpu_capacity(): by imbalance_pct, 117
 * of domains between nodes)? With some room, since it changes all the time.
 */
static bool is_reduced(const struct nt_queue *q)
{
	return q->fair && q->capacity * 10 < WHOLE_CPU * 9;
}

static void add_cpu(struct nt_rule_group *g, const struct nt_queue *q)
{
	g->weight++;
	g->running += (int)(q->running + q->delayed);
	g->fair += (int)(q->fair + q->delayed);
	g->delayed += (int)q->delayed;
	g->idle += (int)q->idle;
	g->reduced |= is_reduced(q);
}

/* Sums by group. False: a CPU of some group is not in the snapshot. */
static bool count(const struct nt_numa_map *m, const struct nt_snapshot *s,
		  struct nt_rule_group *g, const struct nt_queue **by_cpu, int cpus)
{
	bool all = true;
	int i, cpu;

	for (i = 0; i < s->ncpus; i++)
		if (s->cpu[i].cpu >= 0 && s->cpu[i].cpu < cpus)
			by_cpu[s->cpu[i].cpu] = &s->cpu[i].q;
	for (i = 0; i < m->ngroups; i++)
		nt_cpuset_for_each(cpu, &m->group[i].cpus) {
			if (cpu < cpus && by_cpu[cpu])
				add_cpu(&g[i], by_cpu[cpu]);
			else
				all = false;
		}
	return all;
}

static bool has_flag(const struct nt_domain *d, const char *name)
{
	int i;

	for (i = 0; d->flag && d->flag[i]; i++)
		if (!strcmp(d->flag[i], name))
			return true;
	return false;
}

/* Of the domain whose groups' flags are those of its own group; NULL: single CPUs have none. */
static const struct nt_domain *below(const struct nt_run *r, const struct nt_numa_side *s)
{
	return s->depth ? &r->chain[s->chain].d[s->depth - 1] : NULL;
}

static void fill_domain(struct nt_rule_domain *d, const struct nt_run *r,
			const struct nt_numa_side *local, const struct nt_numa_side *other)
{
	const struct nt_domain *sd = &r->chain[local->chain].d[local->depth];
	const struct nt_domain *mine = below(r, local);
	const struct nt_domain *theirs = other->chain < 0 ? mine : below(r, other);

	*d = (struct nt_rule_domain){
		.weight = sd->span_weight,
		.imb_numa_nr = sd->imb_numa_nr,
		.prefer_local = mine && has_flag(mine, "SD_PREFER_SIBLING"),
		.prefer_other = theirs && has_flag(theirs, "SD_PREFER_SIBLING"),
		.smt = theirs && has_flag(theirs, "SD_SHARE_CPUCAPACITY"),
		.asymmetric = has_flag(sd, "SD_ASYM_CPUCAPACITY") ||
			      has_flag(sd, "SD_ASYM_PACKING"),
		.fork = has_flag(sd, "SD_BALANCE_FORK"),
		.exec = has_flag(sd, "SD_BALANCE_EXEC"),
	};
}

/* Without the names of flags, or with groups that overlap, nothing can be said. */
static bool can_judge(const struct nt_run *r, const struct nt_numa_side *s)
{
	return s->chain >= 0 && !s->overlap && r->chain[s->chain].d[s->depth].flag;
}

static enum nt_verdict balance_of(const struct nt_numa_map *m, const struct nt_run *r,
				  const struct nt_numa_pair *p, const struct nt_rule_group *g)
{
	enum nt_verdict is = NT_STAYS, v;
	struct nt_rule_domain d;
	int at;

	for (at = 0; at < 2; at++) {
		if (p->side[at].chain < 0)	/* there is no balancing that way at this level */
			continue;
		if (!can_judge(r, &p->side[at]))
			return NT_UNSETTLED;
		fill_domain(&d, r, &p->side[at], &p->side[!at]);
		v = nt_rule_balance(&m->rules, &d, &g[p->group[at]], &g[p->group[!at]]);
		if (v == NT_MOVES)
			return v;
		is = v == NT_STAYS ? is : v;
	}
	return is;
}

static void judge_pair(const struct nt_numa_map *m, const struct nt_run *r,
		       const struct nt_numa_pair *p, const struct nt_rule_group *g,
		       struct nt_numa_judged *j)
{
	int more = g[p->group[1]].running > g[p->group[0]].running;
	const struct nt_rule_group *from = &g[p->group[more]], *to = &g[p->group[!more]];
	struct nt_rule_domain d;

	*j = (struct nt_numa_judged){
		.pair = p, .more = p->group[more], .less = p->group[!more],
		.running = { from->running, to->running },
		.balance = balance_of(m, r, p, g),
		.fork = NT_UNSETTLED, .exec = NT_UNSETTLED,
	};
	if (!can_judge(r, &p->side[more]))
		return;
	fill_domain(&d, r, &p->side[more], &p->side[!more]);
	j->fork = nt_rule_fork(&m->rules, &d, from, to);
	j->exec = nt_rule_exec(&m->rules, &d, from, to);
}

static void sum_up(struct nt_numa_judgement *out, const struct nt_numa_judged *j)
{
	int difference = j->running[0] - j->running[1];

	out->settled += j->balance != NT_UNSETTLED;
	out->beyond += j->balance == NT_MOVES;
	if (difference > out->difference)
		out->difference = difference;
}

int nt_numa_judge(const struct nt_numa_map *m, const struct nt_run *r,
		  const struct nt_snapshot *s, struct nt_numa_judgement *out)
{
	struct nt_rule_group *g = calloc((size_t)m->ngroups + 1, sizeof(*g));
	const struct nt_queue **by_cpu = calloc((size_t)r->topo.cpu_ids + 1, sizeof(void *));
	struct nt_numa_map none = *m;
	int i, err = g && by_cpu ? 0 : -ENOMEM;

	*out = (struct nt_numa_judgement){ .j = calloc((size_t)m->npairs + 1, sizeof(*out->j)) };
	err = out->j ? err : -ENOMEM;
	/* CPUs that went or came make other groups. */
	if (!err && (!count(m, s, g, by_cpu, r->topo.cpu_ids) || s->rebuilt))
		none.rules.may = 0;
	for (i = 0; i < m->npairs && !err; i++) {
		judge_pair(&none, r, &m->pair[i], g, &out->j[i]);
		sum_up(out, &out->j[i]);
	}
	free(g);
	free(by_cpu);
	return err;
}

void nt_numa_judgement_free(struct nt_numa_judgement *j)
{
	free(j->j);
	*j = (struct nt_numa_judgement){ .j = NULL };
}
