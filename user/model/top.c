// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/top.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Per second. Until an interval is over nothing is known, and 0 would be a claim. */
static double rate(const struct nt_top_frame *f, uint64_t n)
{
	return f->dt > 0 ? (double)n / f->dt : NAN;
}

/* Where to begin to add up: moves that are not counted are not 0. */
static double no_moves(const struct nt_top_frame *f)
{
	return f->why_no_moves ? NAN : rate(f, 0);
}

static const char *reason(const struct nt_feature *f)
{
	return f->why ? f->why : "no reason known";
}

static void make_node(struct nt_top_frame *f, const struct nt_top_reading *in, int i)
{
	struct nt_top_node *n = &f->node[i];

	n->id = in->r->topo.node[i].id;
	n->cpus = in->node_cpus[i];
	n->in = n->out = no_moves(f);
	f->all.cpus += n->cpus;
	if (in->sample)
		n->has_util = nt_util_node(&in->sample->c, i, &n->util);
	if (!in->queues)
		return;
	n->running = in->queues->node[i].running;
	n->idle = in->queues->node[i].idle;
	f->all.running += n->running;
	f->all.idle += n->idle;
}

static int make_nodes(struct nt_top_frame *f, const struct nt_top_reading *in)
{
	int i;

	f->nnodes = in->r->topo.nnodes;
	f->node = calloc((size_t)f->nnodes, sizeof(*f->node));
	if (!f->node)
		return -ENOMEM;
	f->all.id = -1;
	f->has_queues = in->queues;
	if (!in->queues && !in->why_no_moves && !in->r->feature[NT_F_SNAPSHOT].on)
		f->why_no_queues = reason(&in->r->feature[NT_F_SNAPSHOT]);
	for (i = 0; i < f->nnodes; i++)
		make_node(f, in, i);
	if (in->sample)
		f->all.has_util = nt_util_node(&in->sample->c, -1, &f->all.util);
	return 0;
}

/* One cause: by cell of the matrix, so that each is read once. */
static void make_cause(struct nt_top_frame *f, const struct nt_counters *c, int cause)
{
	double n;
	int from, to;

	for (from = 0; from < f->nnodes; from++) {
		for (to = 0; to < f->nnodes; to++) {
			n = rate(f, nt_mig(c, NT_SYSTEM, cause, from, to)->n);
			f->cause[cause].moves += n;
			if (from == to)
				continue;
			f->cause[cause].cross += n;
			f->node[from].out += n;
			f->node[to].in += n;
		}
	}
	f->moves.moves += f->cause[cause].moves;
	f->moves.cross += f->cause[cause].cross;
}

static void make_moves(struct nt_top_frame *f, const struct nt_top_reading *in)
{
	int cause;

	f->moves.moves = f->moves.cross = no_moves(f);
	for (cause = 0; cause < NT_NCAUSE; cause++) {
		f->cause[cause].moves = f->cause[cause].cross = no_moves(f);
		if (in->sample)
			make_cause(f, &in->sample->c, cause);
	}
	f->all.in = f->all.out = f->moves.cross;
}

static void make_level(struct nt_top_frame *f, const struct nt_top_reading *in, int level)
{
	struct nt_balance_count sum = { 0 };
	struct nt_top_level *l = &f->level[f->nlevels];
	int idle;

	for (idle = 0; in->sample && idle < NT_NIDLE; idle++)
		nt_balance_add(&sum, &in->sample->c.balance[level][idle]);
	if (!sum.calls && !nt_level_exists(in->r, level))
		return;
	nt_level_label(in->r, level, l->name, sizeof(l->name));
	l->calls = rate(f, sum.calls);
	l->refused = rate(f, sum.refused);
	l->failed = rate(f, sum.failed);
	l->moved = rate(f, sum.moved);
	l->cross = rate(f, sum.moved_cross);
	l->cpu = rate(f, sum.ns) / 1e7;
	f->nlevels++;
}

static void make_balance(struct nt_top_frame *f, const struct nt_top_reading *in)
{
	const struct nt_feature *b = &in->r->feature[NT_F_BALANCE];
	int level;

	if (!in->why_no_moves && !b->on)
		f->why_no_balance = reason(b);
	for (level = 0; !in->why_no_moves && b->on && level < NT_MAX_LEVELS; level++)
		make_level(f, in, level);
}

static int node_id(const struct nt_top_reading *in, __u32 cpu)
{
	int index = cpu < (__u32)in->known->cpu_ids ? in->known->cpu_node[cpu] : -1;

	return index < 0 ? -1 : in->r->topo.node[index].id;
}

static int make_tasks(struct nt_top_frame *f, const struct nt_top_reading *in,
		      enum nt_mover_sort sort)
{
	struct nt_moved *d;
	size_t i, n;
	int err;

	if (f->why_no_moves || !in->sample)
		return 0;
	err = nt_moved_since(in->was, in->now, sort, &d, &n);
	if (err)
		return err;
	f->task = calloc(n ? n : 1, sizeof(*f->task));
	for (i = 0; f->task && i < n; i++)
		f->task[i] = (struct nt_top_task){
			.d = d[i],
			.moves = rate(f, d[i].m.moves), .cross = rate(f, d[i].m.cross),
			.from = node_id(in, d[i].m.from), .to = node_id(in, d[i].m.to),
		};
	free(d);
	f->ntasks = f->task ? n : 0;
	return f->task ? 0 : -ENOMEM;
}

int nt_top_make(struct nt_top_frame *f, const struct nt_top_reading *in, enum nt_mover_sort sort)
{
	int err;

	*f = (struct nt_top_frame){
		.hostname = in->r->hostname, .kernel = in->r->kernel,
		.dt = in->sample ? in->sample->dt : 0, .why_no_moves = in->why_no_moves,
	};
	err = make_nodes(f, in);
	if (err)
		return err;
	make_moves(f, in);
	make_balance(f, in);
	err = make_tasks(f, in, sort);
	if (err)
		nt_top_free(f);
	return err;
}

void nt_top_free(struct nt_top_frame *f)
{
	free(f->node);
	free(f->task);
	memset(f, 0, sizeof(*f));
}
