// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_parse.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/members.h"

static int get_seconds(struct nt_get *g, const json_t *obj, const char *key, double *out)
{
	int err = nt_get_real(g, obj, key, out);

	if (!err && *out < 0)
		err = nt_fail(g->e, -EINVAL, "%s: %s: a time cannot be negative", g->where, key);
	return err;
}

static int parse_queues(struct nt_get *g, const json_t *line, const struct nt_run *r,
			struct nt_sample_queues *q)
{
	json_t *o, *a, *row;
	size_t i;
	int node = 0, err = nt_get_object(g, line, "snapshot", &o);

	if (!err && o)
		err = nt_get_array(g, o, "nodes", &a);
	if (err || !o)
		return err;
	q->node = nt_get_alloc(g, (size_t)r->topo.nnodes, sizeof(*q->node));
	if (!q->node)
		return -ENOMEM;
	json_array_foreach(a, i, row) {
		err = nt_parse_node(g, json_object_get(row, "id"), &r->topo, &node);
		if (!err)
			err = nt_get_queue(g, row, &q->node[node]);
		if (err)
			return err;
	}
	err = nt_get_bool(g, o, "has_workload", &q->has_workload);
	if (!err)
		err = nt_get_bool(g, o, "has_delayed", &q->has_delayed);
	if (!err)
		err = nt_get_int(g, o, "pairs", 0, INT_MAX, &q->pairs);
	if (!err)
		err = nt_get_int(g, o, "settled", 0, q->pairs, &q->settled);
	if (!err)
		err = nt_get_int(g, o, "beyond", 0, q->settled, &q->beyond);
	return err ? err : nt_get_int(g, o, "difference", 0, INT_MAX, &q->difference);
}

int nt_parse_sample(struct nt_get *g, const json_t *line, const struct nt_run *r,
		    struct nt_sample *s)
{
	int err;

	if (nt_counters_init(&s->c, r->topo.nnodes))
		return nt_fail(g->e, -ENOMEM, "%s: out of memory", g->where);
	err = get_seconds(g, line, "t", &s->t);
	if (!err)
		err = get_seconds(g, line, "dt", &s->dt);
	if (!err)
		err = nt_get_text(g, line, "online", &s->online);
	if (!err)
		err = nt_parse_counters(g, line, r, &s->c);
	if (!err)
		err = parse_queues(g, line, r, &s->queues);
	return err;
}

static int parse_rusage(struct nt_get *g, const json_t *line, struct nt_rusage *ru)
{
	json_t *o;
	int err = nt_get_object(g, line, "rusage", &o);

	if (err || !o)
		return err;
	err = get_seconds(g, o, "elapsed", &ru->elapsed);
	if (!err)
		err = get_seconds(g, o, "user", &ru->user);
	if (!err)
		err = get_seconds(g, o, "system", &ru->system);
	if (!err)
		err = nt_get_members(g, o, nt_rusage_members, ru);
	return err;
}

static int parse_meminfo(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	json_t *a, *o;
	size_t i;
	int node, err = nt_get_array(g, line, "meminfo", &a);

	if (err || !json_array_size(a))
		return err;
	r->node_meminfo = nt_get_alloc(g, (size_t)r->topo.nnodes, sizeof(*r->node_meminfo));
	if (!r->node_meminfo)
		return -ENOMEM;
	json_array_foreach(a, i, o) {
		err = nt_parse_node(g, json_object_get(o, "id"), &r->topo, &node);
		if (!err && !r->node_meminfo[node].v)
			err = nt_get_kvs(g, o, "kb", &r->node_meminfo[node]);
		if (err)
			return err;
	}
	return 0;
}

static int parse_scores(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	json_t *a, *o;
	size_t i;
	int err = nt_get_array(g, line, "scores", &a);

	if (err || !json_array_size(a))
		return err;
	r->score = nt_get_alloc(g, json_array_size(a), sizeof(*r->score));
	if (!r->score)
		return -ENOMEM;
	json_array_foreach(a, i, o) {
		r->score[i].value = NAN;
		r->nscores = i + 1;
		err = nt_get_text(g, o, "key", &r->score[i].key);
		if (!err)
			err = nt_get_real(g, o, "value", &r->score[i].value);
		if (err)
			return err;
	}
	return 0;
}

/* The map itself is taken from the line by those who want it. */
static int check_metrics(struct nt_get *g, const json_t *line)
{
	const char *name;
	json_t *o, *v;
	int err = nt_get_object(g, line, "metrics", &o);

	if (err || !o)
		return err;
	json_object_foreach(o, name, v)
		if (!json_is_number(v))
			return nt_get_wrong(g, "metrics", "numbers", v);
	return 0;
}

static int parse_end(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	json_t *o;
	int err;

	err = nt_get_bool(g, line, "interrupted", &r->interrupted);
	if (!err)
		err = nt_get_int(g, line, "wait_status", INT_MIN, INT_MAX, &r->wait_status);
	if (!err)
		err = parse_rusage(g, line, &r->ru);
	if (!err)
		err = nt_parse_counters(g, line, r, &r->total);
	if (!err)
		err = parse_meminfo(g, line, r);
	if (!err)
		err = parse_scores(g, line, r);
	if (!err)
		err = check_metrics(g, line);
	if (!err)
		err = nt_get_object(g, line, "lost", &o);
	if (!err && o)
		err = nt_get_members(g, o, nt_lost_members, &r->lost);
	if (!err)
		err = nt_get_int(g, line, "alive_after", -1, INT_MAX, &r->alive_after);
	if (!err)
		err = get_seconds(g, line, "self_cpu", &r->self_cpu);
	if (!err)
		err = nt_get_strings(g, line, "notes", &r->note, &r->nnotes);
	return err;
}

/* Move what an end line holds from src to dst. */
static void take_end(struct nt_run *dst, struct nt_run *src)
{
	nt_counters_free(&dst->total);
	dst->total = src->total;
	dst->interrupted = src->interrupted;
	dst->wait_status = src->wait_status;
	dst->ru = src->ru;
	dst->node_meminfo = src->node_meminfo;
	dst->score = src->score;
	dst->nscores = src->nscores;
	dst->lost = src->lost;
	dst->alive_after = src->alive_after;
	dst->self_cpu = src->self_cpu;
	dst->note = src->note;
	dst->nnotes = src->nnotes;
	dst->ended = true;
}

/* Into a run of its own first: half an end line must leave no trace. */
int nt_parse_end(struct nt_get *g, const json_t *line, struct nt_run *r)
{
	struct nt_run end = { .topo = r->topo, .alive_after = -1 };
	int i, err;

	if (nt_counters_init(&end.total, r->topo.nnodes))
		return nt_fail(g->e, -ENOMEM, "%s: out of memory", g->where);
	err = parse_end(g, line, &end);
	if (!err) {
		take_end(r, &end);
		return 0;
	}
	for (i = 0; end.node_meminfo && i < r->topo.nnodes; i++)
		nt_kvs_free(&end.node_meminfo[i]);
	free(end.node_meminfo);
	end.node_meminfo = NULL;
	memset(&end.topo, 0, sizeof(end.topo));
	nt_run_free(&end);
	return err;
}
