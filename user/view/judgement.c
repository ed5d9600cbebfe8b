// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel's rule makes of differences between nodes, in words. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/levels.h"
#include "view/snapshot_view.h"

#define MAX_LINES	28	/* pairs, of 8 nodes; of more the largest differences */
#define SHOWN		10

static const char *const at_balance[] = {
	[NT_STAYS] = "tolerated at load balance",
	[NT_MOVES] = "not tolerated at load balance",
	[NT_UNSETTLED] = "load balance: not settled by counts",
};

static void place_words(struct nt_words *w, const char *who, enum nt_verdict v, const char *there)
{
	static const char *const verb[] = { " stays", " goes to " };
	static const char *const verbs[] = { " stay", " go to " };
	bool both = strchr(who, ' ');

	if (v == NT_UNSETTLED)
		nt_words_add(w, "%s: not settled", who);
	else
		nt_words_add(w, "%s%s%s", who, both ? verbs[v] : verb[v],
			     v == NT_MOVES ? there : "");
}

static int pair_line(const struct nt_section *sec, const struct nt_numa_map *m,
		     const struct nt_numa_judged *j, bool judged)
{
	const char *more = m->group[j->more].name, *less = m->group[j->less].name;
	char label[NT_LEVEL_LABEL], *level;
	struct nt_words w = { 0 };
	int err;

	if (judged && j->fork == j->exec) {
		place_words(&w, "fork and exec", j->fork, less);
	} else if (judged) {
		place_words(&w, "fork", j->fork, less);
		place_words(&w, "exec", j->exec, less);
	}
	level = nt_safe(nt_level_label(sec->r, j->pair->level, label, sizeof(label)));
	err = w.failed || !level ? -ENOMEM : 0;
	if (!err)
		err = nt_line(sec, "%s: %s runs %d, %s runs %d, difference %d%s%s%s%s", level, more,
			      j->running[0], less, j->running[1], j->running[0] - j->running[1],
			      judged ? ": " : "", judged ? at_balance[j->balance] : "",
			      judged ? "; " : "", w.text ? w.text : "");
	free(level);
	free(w.text);
	return err;
}

/* Those that are not tolerated first, then by difference, then as they come. */
static int by_difference(const void *a, const void *b)
{
	const struct nt_numa_judged *x = *(const struct nt_numa_judged *const *)a;
	const struct nt_numa_judged *y = *(const struct nt_numa_judged *const *)b;
	int dx = x->running[0] - x->running[1], dy = y->running[0] - y->running[1];

	if ((x->balance == NT_MOVES) != (y->balance == NT_MOVES))
		return x->balance == NT_MOVES ? -1 : 1;
	if (dx != dy)
		return dy - dx;
	return x < y ? -1 : x > y;
}

static int most_different(const struct nt_section *sec, const struct nt_numa_map *m,
			  const struct nt_numa_judgement *j, bool judged)
{
	const struct nt_numa_judged **order = calloc((size_t)m->npairs, sizeof(const void *));
	int i, err = order ? 0 : -ENOMEM;

	for (i = 0; i < m->npairs && !err; i++)
		order[i] = &j->j[i];
	if (!err)
		qsort(order, (size_t)m->npairs, sizeof(const void *), by_difference);
	for (i = 0; i < SHOWN && !err; i++)
		err = pair_line(sec, m, order[i], judged);
	free(order);
	if (err || !judged)
		return err ?: nt_line(sec, "the %d of %d pairs that differ most", SHOWN, m->npairs);
	return nt_line(sec, "%d of %d pairs; at load balance %d are tolerated, %d not, "
		       "%d not settled", SHOWN, m->npairs, j->settled - j->beyond, j->beyond,
		       m->npairs - j->settled);
}

static int all_pairs(const struct nt_section *sec, const struct nt_numa_map *m,
		     const struct nt_numa_judgement *j, bool judged)
{
	int i, err = 0;

	for (i = 0; i < m->npairs && !err; i++)
		err = pair_line(sec, m, &j->j[i], judged);
	return err;
}

/* "(imb_numa_nr 1)" if all pairs have the same. */
static int rule_line(const struct nt_section *sec, const struct nt_numa_map *m)
{
	const char *text = nt_numa_rules_text(&m->rules);
	int i, imb = nt_numa_pair_imb(sec->r, &m->pair[0]);

	for (i = 1; i < m->npairs; i++)
		if (nt_numa_pair_imb(sec->r, &m->pair[i]) != imb)
			imb = -1;
	if (imb >= 0)
		return nt_line(sec, "%s; imb_numa_nr is %d", text, imb);
	return nt_line(sec, "%s", text);
}

int nt_show_judgement(const struct nt_section *sec, const struct nt_numa_map *m,
		      const struct nt_numa_judgement *j, const struct nt_snapshot *s)
{
	bool judged = m->rules.may && !s->rebuilt;
	struct nt_queue all;
	int err;

	if (m->why)
		return nt_line(sec, "nothing to judge between nodes: %s", m->why);
	nt_heading(sec, "Differences between nodes, and this kernel's rule");
	err = m->npairs > MAX_LINES ? most_different(sec, m, j, judged) :
	      all_pairs(sec, m, j, judged);
	nt_snapshot_total(s, &all);
	if (!err && all.delayed)
		err = nt_line(sec, "tasks asleep in a queue run here, as they do for the kernel");
	if (err)
		return err;
	if (judged)
		return rule_line(sec, m);
	return nt_line(sec, "this kernel does not say what it tolerates: %s",
		       s->rebuilt ? "domains were rebuilt meanwhile" : m->rules.why);
}
