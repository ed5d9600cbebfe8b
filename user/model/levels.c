// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/levels.h"

#include <stdio.h>
#include <string.h>

bool nt_level_exists(const struct nt_run *r, int level)
{
	int i, k;

	for (i = 0; i < r->nchains; i++)
		for (k = 0; k < r->chain[i].n; k++)
			if (r->chain[i].d[k].level == level)
				return true;
	return false;
}

const char *nt_level_label(const struct nt_run *r, int level, char *buf, size_t len)
{
	char mine[NT_SD_NAME], theirs[NT_SD_NAME];
	const char *name = nt_level_name(r, level, mine, sizeof(mine));
	int other, rank = 0, n = 0;

	for (other = 0; other < NT_MAX_LEVELS; other++) {
		if (!nt_level_exists(r, other) ||
		    strcmp(nt_level_name(r, other, theirs, sizeof(theirs)), name))
			continue;
		n++;
		rank += other <= level;
	}
	snprintf(buf, len, n > 1 ? "%s%d" : "%s", name, rank);
	return buf;
}

void nt_balance_add(struct nt_balance_count *to, const struct nt_balance_count *b)
{
	to->calls += b->calls;
	to->refused += b->refused;
	to->nothing += b->nothing;
	to->failed += b->failed;
	to->moved += b->moved;
	to->moved_cross += b->moved_cross;
	to->ns += b->ns;
}

static int put_balance(struct nt_kvs *out, const char *level, int i,
		       const struct nt_balance_count *b)
{
	const char *idle = nt_idle_name[i];
	int err;

	err = nt_kvs_appendf(out, (double)b->calls, "balance.%s.%s.calls", level, idle);
	err = err ?: nt_kvs_appendf(out, (double)b->refused, "balance.%s.%s.refused", level, idle);
	err = err ?: nt_kvs_appendf(out, (double)b->nothing, "balance.%s.%s.nothing", level, idle);
	err = err ?: nt_kvs_appendf(out, (double)b->failed, "balance.%s.%s.failed", level, idle);
	err = err ?: nt_kvs_appendf(out, (double)b->moved, "balance.%s.%s.moved", level, idle);
	err = err ?: nt_kvs_appendf(out, (double)b->moved_cross, "balance.%s.%s.moved_cross",
				    level, idle);
	return err ?: nt_kvs_appendf(out, (double)b->ns, "balance.%s.%s.ns", level, idle);
}

/* Is there anything to say of a level? */
static bool has_counts(const struct nt_run *r, int level)
{
	static const struct nt_balance_count none[NT_NIDLE];

	return nt_level_exists(r, level) ||
	       memcmp(r->total.balance[level], none, sizeof(none)) != 0;
}

/* The sum of all levels of one name, or nothing if a level before has it. */
static int put_name(const struct nt_run *r, struct nt_kvs *out, int level, const char *name)
{
	struct nt_balance_count sum[NT_NIDLE] = { 0 };
	char buf[NT_SD_NAME];
	int other, idle, err = 0;

	for (other = 0; other < NT_MAX_LEVELS; other++) {
		if (!has_counts(r, other) ||
		    strcmp(nt_level_name(r, other, buf, sizeof(buf)), name))
			continue;
		if (other < level)
			return 0;
		for (idle = 0; idle < NT_NIDLE; idle++)
			nt_balance_add(&sum[idle], &r->total.balance[other][idle]);
	}
	for (idle = 0; idle < NT_NIDLE && !err; idle++)
		err = put_balance(out, name, idle, &sum[idle]);
	return err;
}

int nt_balance_metrics(const struct nt_run *r, struct nt_kvs *out)
{
	char buf[NT_SD_NAME], label[NT_LEVEL_LABEL];
	int level, idle, err = 0;

	for (level = 0; level < NT_MAX_LEVELS && !err; level++) {
		const char *name = nt_level_name(r, level, buf, sizeof(buf));

		if (!has_counts(r, level))
			continue;
		err = put_name(r, out, level, name);
		nt_level_label(r, level, label, sizeof(label));
		for (idle = 0; idle < NT_NIDLE && !err && strcmp(label, name); idle++)
			err = put_balance(out, label, idle, &r->total.balance[level][idle]);
	}
	return err;
}

/* Values of imb_numa_nr at one level, or at all of one name. */
struct range {
	int min, max;
	bool any;
};

static void widen(struct range *g, int v)
{
	if (v < 0)
		return;
	g->min = !g->any || v < g->min ? v : g->min;
	g->max = !g->any || v > g->max ? v : g->max;
	g->any = true;
}

/* One key can stand for several values; it is then the largest of them. */
static int put_range(struct nt_kvs *out, const char *key, const struct range *g)
{
	int err = 0;

	if (g->any)
		err = nt_kvs_appendf(out, g->max, "domain.%s.imb_numa_nr", key);
	if (err || !g->any || g->min == g->max)
		return err;
	err = nt_kvs_appendf(out, g->min, "domain.%s.imb_numa_nr.min", key);
	return err ?: nt_kvs_appendf(out, g->max, "domain.%s.imb_numa_nr.max", key);
}

/* By name where name is given, else by level. */
static struct range range_of(const struct nt_run *r, int level, const char *name)
{
	struct range g = { .any = false };
	int i, k;

	for (i = 0; i < r->nchains; i++)
		for (k = 0; k < r->chain[i].n; k++) {
			const struct nt_domain *d = &r->chain[i].d[k];

			if (name ? !strcmp(d->name, name) : d->level == level)
				widen(&g, d->imb_numa_nr);
		}
	return g;
}

/* Has a lower level the same name? */
static bool name_seen(const struct nt_run *r, int level, const char *name)
{
	char buf[NT_SD_NAME];
	int i;

	for (i = 0; i < level; i++)
		if (nt_level_exists(r, i) && !strcmp(nt_level_name(r, i, buf, sizeof(buf)), name))
			return true;
	return false;
}

int nt_domain_metrics(const struct nt_run *r, struct nt_kvs *out)
{
	char buf[NT_SD_NAME], label[NT_LEVEL_LABEL];
	int level, err = 0;

	for (level = 0; level < NT_MAX_LEVELS && !err; level++) {
		const char *name = nt_level_name(r, level, buf, sizeof(buf));
		struct range g;

		if (!nt_level_exists(r, level))
			continue;
		g = range_of(r, level, name);
		if (!name_seen(r, level, name))
			err = put_range(out, name, &g);
		nt_level_label(r, level, label, sizeof(label));
		g = range_of(r, level, NULL);
		if (!err && strcmp(label, name))
			err = put_range(out, label, &g);
	}
	return err;
}
