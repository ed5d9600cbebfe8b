// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_parse.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "store/members.h"

/* Index of a name in a table of names; n if a later version made it. */
static int name_index(const char *const *names, int n, const json_t *v)
{
	const char *s = json_string_value(v);
	int i;

	for (i = 0; i < n; i++)
		if (s && !strcmp(names[i], s))
			break;
	return i;
}

int nt_parse_node(struct nt_get *g, const json_t *v, const struct nt_topology *t, int *index)
{
	int id, i, err = nt_as_int(g, "node", v, 0, INT_MAX, &id);

	if (err)
		return err;
	for (i = 0; i < t->nnodes; i++) {
		if (t->node[i].id != id)
			continue;
		*index = i;
		return 0;
	}
	return nt_fail(g->e, -EINVAL, "%s: node %d is not in the header", g->where, id);
}

static int parse_node_count(struct nt_get *g, const json_t *o, struct nt_node_count *n)
{
	json_t *ticks;
	int i, err;

	err = nt_get_object(g, o, "ticks", &ticks);
	for (i = 0; !err && ticks && i < NT_NTICK; i++)
		err = nt_get_u64(g, ticks, nt_tick_name[i], &n->tick[i]);
	if (!err)
		err = nt_get_u64(g, o, "online_ns", &n->online_ns);
	if (!err)
		err = nt_get_members(g, o, nt_cpu_time_members, &n->wl);
	if (!err)
		err = nt_get_u64(g, o, "sched_softirqs", &n->sched_softirqs);
	if (!err && !n->mem.v)
		err = nt_get_kvs(g, o, "mem", &n->mem);
	return err;
}

static int parse_nodes(struct nt_get *g, const json_t *obj, const struct nt_run *r,
		       struct nt_counters *c)
{
	json_t *a, *o;
	size_t i;
	int node = 0, err = nt_get_array(g, obj, "nodes", &a);

	if (err)
		return err;
	json_array_foreach(a, i, o) {
		if (!json_is_object(o))
			return nt_get_wrong(g, "nodes", "objects", o);
		err = nt_parse_node(g, json_object_get(o, "id"), &r->topo, &node);
		if (!err)
			err = parse_node_count(g, o, &c->node[node]);
		if (err)
			return err;
	}
	return 0;
}

/* A cause this version does not know still is a move: it counts as unknown. */
static int parse_migration(struct nt_get *g, const json_t *row, const struct nt_run *r,
			   struct nt_counters *c, int scope)
{
	uint64_t n = 0, same = 0;
	int from = 0, to = 0, cause, err;
	struct nt_mig_cell *cell;

	if (!json_is_array(row) || !json_is_string(json_array_get(row, 0)))
		return nt_get_wrong(g, "migrations", "[cause, from, to, moves, same LLC]", row);
	cause = name_index(nt_cause_name, NT_NCAUSE, json_array_get(row, 0));
	if (cause == NT_NCAUSE)
		cause = NT_CAUSE_UNKNOWN;
	err = nt_parse_node(g, json_array_get(row, 1), &r->topo, &from);
	if (!err)
		err = nt_parse_node(g, json_array_get(row, 2), &r->topo, &to);
	if (!err)
		err = nt_as_u64(g, "migrations", json_array_get(row, 3), &n);
	if (!err)
		err = nt_as_u64(g, "migrations", json_array_get(row, 4), &same);
	if (!err && same > n)
		err = nt_fail(g->e, -EINVAL, "%s: migrations: more moves within an LLC than moves",
			      g->where);
	if (err)
		return err;
	cell = nt_mig(c, scope, cause, from, to);
	cell->n += n;
	cell->same_llc += same;
	return 0;
}

static int parse_fork(struct nt_get *g, const json_t *row, const struct nt_run *r,
		      struct nt_counters *c, int scope)
{
	uint64_t n = 0;
	int from, to, err;

	if (!json_is_array(row))
		return nt_get_wrong(g, "forks", "[from, to, tasks]", row);
	err = nt_parse_node(g, json_array_get(row, 0), &r->topo, &from);
	if (!err)
		err = nt_parse_node(g, json_array_get(row, 1), &r->topo, &to);
	if (!err)
		err = nt_as_u64(g, "forks", json_array_get(row, 2), &n);
	if (!err)
		*nt_fork(c, scope, from, to) += n;
	return err;
}

/* Rows by scope name; the way of reading one row is the caller's. */
static int parse_rows(struct nt_get *g, const json_t *obj, const char *key, const struct nt_run *r,
		      struct nt_counters *c,
		      int (*parse)(struct nt_get *g, const json_t *row, const struct nt_run *r,
				   struct nt_counters *c, int scope))
{
	json_t *scopes, *rows, *row;
	size_t i;
	int s, err = nt_get_object(g, obj, key, &scopes);

	for (s = 0; !err && scopes && s < NT_NSCOPE; s++) {
		err = nt_get_array(g, scopes, nt_scope_name[s], &rows);
		if (err)
			return err;
		json_array_foreach(rows, i, row) {
			err = parse(g, row, r, c, s);
			if (err)
				return err;
		}
	}
	return err;
}

static int parse_placement(struct nt_get *g, const json_t *obj, struct nt_counters *c)
{
	json_t *scopes, *wakes, *places;
	int s, w, k, err = nt_get_object(g, obj, "placement", &scopes);

	for (s = 0; !err && scopes && s < NT_NSCOPE; s++) {
		err = nt_get_object(g, scopes, nt_scope_name[s], &wakes);
		for (w = 0; !err && wakes && w < NT_NWAKE; w++) {
			err = nt_get_object(g, wakes, nt_wake_name[w], &places);
			for (k = 0; !err && places && k < NT_NPLACE; k++)
				err = nt_get_u64(g, places, nt_place_name[k], &c->place[s][w][k]);
		}
	}
	return err;
}

static int parse_balance_row(struct nt_get *g, const json_t *o, struct nt_counters *c)
{
	int level, idle, err;

	err = nt_as_int(g, "balance level", json_object_get(o, "level"), 0, NT_MAX_LEVELS - 1,
			&level);
	if (err)
		return err;
	idle = name_index(nt_idle_name, NT_NIDLE, json_object_get(o, "idle"));
	if (idle == NT_NIDLE)
		return 0;
	return nt_get_members(g, o, nt_balance_members, &c->balance[level][idle]);
}

static int parse_balance(struct nt_get *g, const json_t *obj, struct nt_counters *c)
{
	json_t *a, *o;
	size_t i;
	int err = nt_get_array(g, obj, "balance", &a);

	if (err)
		return err;
	json_array_foreach(a, i, o) {
		err = parse_balance_row(g, o, c);
		if (err)
			return err;
	}
	return 0;
}

int nt_parse_counters(struct nt_get *g, const json_t *obj, const struct nt_run *r,
		      struct nt_counters *c)
{
	json_t *o;
	int err = nt_get_object(g, obj, "counters", &o);

	if (!err && !o)
		err = nt_get_wrong(g, "counters", "an object", o);
	if (!err)
		err = parse_nodes(g, o, r, c);
	if (!err)
		err = parse_rows(g, o, "migrations", r, c, parse_migration);
	if (!err)
		err = parse_rows(g, o, "forks", r, c, parse_fork);
	if (!err)
		err = parse_placement(g, o, c);
	if (!err)
		err = parse_balance(g, o, c);
	if (!err)
		err = nt_get_kvs(g, o, "sys", &c->sys);
	return err;
}
