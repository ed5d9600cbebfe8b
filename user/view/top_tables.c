// SPDX-License-Identifier: GPL-2.0-or-later
/* Migrations, load balancing and tasks of the live view. */
#include <math.h>
#include <stdio.h>

#include "view/top_priv.h"

#define CAUSE_WIDTH	20

const char *nt_top_rate(char buf[NT_RATE], double v, int width)
{
	/* What rounds to more digits than so many. */
	static const double limit[] = { 0, 9.5, 99.5, 999.5, 9999.5, 99999.5, 999999.5 };

	if (isnan(v))
		snprintf(buf, NT_RATE, "-");
	else if (v < 0.05)
		snprintf(buf, NT_RATE, v > 0 ? "<0.1" : "0");
	else if (v < 9.95)
		snprintf(buf, NT_RATE, "%.1f", v);
	else if (v < limit[width])
		snprintf(buf, NT_RATE, "%.0f", v);
	else if (v / 1e3 < limit[width - 1])
		snprintf(buf, NT_RATE, "%.0fk", v / 1e3);
	else
		snprintf(buf, NT_RATE, "%.0fM", v / 1e6);
	return buf;
}

static int causes_per_row(int w)
{
	return w < CAUSE_WIDTH ? 1 : w / CAUSE_WIDTH;
}

int nt_top_moves_height(const struct nt_top_frame *f, int w)
{
	int per_row = causes_per_row(w);

	if (f->why_no_moves)
		return 0;
	return 1 + (NT_NCAUSE + per_row - 1) / per_row;
}

static void draw_cause(struct nt_screen *s, int y, int x, const struct nt_top_frame *f, int cause)
{
	const struct nt_top_cause *c = &f->cause[cause];
	enum nt_attr attr = c->moves > 0 ? NT_PLAIN : NT_FAINT;
	char buf[NT_RATE];

	x = nt_screen_put(s, y, x, attr, "%-9s %4s", nt_cause_name[cause],
			  nt_top_rate(buf, c->moves, 4));
	if (f->nnodes > 1)
		nt_screen_put(s, y, x, NT_FAINT, "/%s", nt_top_rate(buf, c->cross, 4));
}

int nt_top_moves(struct nt_screen *s, int y, const struct nt_top_frame *f)
{
	int per_row = causes_per_row(s->w), width = s->w / per_row, i, x;
	char buf[NT_RATE];

	if (f->why_no_moves)
		return 0;
	x = nt_screen_put(s, y, 0, NT_COLUMN, "MIGRATIONS/s  %s",
			  nt_top_rate(buf, f->moves.moves, 6));
	if (f->nnodes > 1)
		nt_screen_put(s, y, x, NT_COLUMN, ", %s of them across nodes; by cause, all/across",
			      nt_top_rate(buf, f->moves.cross, 6));
	else
		nt_screen_put(s, y, x, NT_COLUMN, "; by cause");
	nt_screen_line(s, y, NT_COLUMN);
	for (i = 0; i < NT_NCAUSE; i++)
		draw_cause(s, y + 1 + i / per_row, i % per_row * width, f, i);
	return nt_top_moves_height(f, s->w);
}

int nt_top_balance_height(const struct nt_top_frame *f)
{
	return f->nlevels ? 1 + f->nlevels : 0;
}

static void draw_level(struct nt_screen *s, int y, const struct nt_top_level *l)
{
	const double v[] = { l->calls, l->refused, l->failed, l->moved, l->cross };
	char buf[NT_RATE];
	size_t i;
	int x = nt_screen_put(s, y, 0, NT_STRONG, "%-12s", l->name);

	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		x = nt_screen_put(s, y, x, NT_PLAIN, " %8s", nt_top_rate(buf, v[i], 6));
	if (isnan(l->cpu))
		nt_screen_put(s, y, x, NT_PLAIN, " %8s", "-");
	else
		nt_screen_put(s, y, x, NT_PLAIN, " %8.2f", l->cpu);
}

int nt_top_balance(struct nt_screen *s, int y, const struct nt_top_frame *f)
{
	int i;

	if (!f->nlevels)
		return 0;
	nt_screen_put(s, y, 0, NT_COLUMN, "%-12s %8s %8s %8s %8s %8s %8s", "BALANCE/s", "CALLS",
		      "REFUSED", "FAILED", "MOVED", "ACROSS", "%CPU");
	nt_screen_line(s, y, NT_COLUMN);
	for (i = 0; i < f->nlevels; i++)
		draw_level(s, y + 1 + i, &f->level[i]);
	return 1 + f->nlevels;
}

static void put_place(char buf[24], int node, unsigned int cpu)
{
	if (node < 0)
		snprintf(buf, 24, "?:%u", cpu);
	else
		snprintf(buf, 24, "%d:%u", node, cpu);
}

static void draw_task(struct nt_screen *s, int y, const struct nt_top_task *t)
{
	char moves[NT_RATE], cross[NT_RATE], from[24], to[24];
	const struct nt_mover *m = &t->d.m;
	int x;

	put_place(from, t->from, m->from);
	put_place(to, t->to, m->to);
	nt_screen_put(s, y, 0, NT_PLAIN, "%8u", m->tid);
	/* As it may be anything, it is drawn first, and the rest over what is too long of it. */
	nt_screen_put(s, y, 9, NT_STRONG, "%.*s", NT_COMM, m->comm);
	x = nt_screen_put(s, y, 25, NT_PLAIN, " %8s %8s %9llu ", nt_top_rate(moves, t->moves, 6),
			  nt_top_rate(cross, t->cross, 6), (unsigned long long)t->d.total);
	nt_screen_put(s, y, x, NT_PLAIN, " %8s -> %-60s", from, to);
}

static void draw_task_head(struct nt_screen *s, int y, enum nt_mover_sort sort)
{
	static const struct {
		const char *name;
		int width;
	} column[NT_NSORT] = {
		[NT_SORT_MOVES] = { "MOVES/s", 8 }, [NT_SORT_CROSS] = { "ACROSS/s", 8 },
		[NT_SORT_TOTAL] = { "TOTAL", 9 },
	};
	int i, x = nt_screen_put(s, y, 0, NT_PLAIN, "%8s %-16s", "TID", "TASK");

	for (i = 0; i < NT_NSORT; i++)
		x = nt_screen_put(s, y, x, NT_PLAIN, " %*s", column[i].width, column[i].name);
	nt_screen_put(s, y, x, NT_PLAIN, "   LAST MOVE, NODE:CPU");
	nt_screen_line(s, y, NT_COLUMN);
	/* The column that is sorted by stands out. */
	for (i = 0, x = 25; i < (int)sort; i++)
		x += 1 + column[i].width;
	nt_screen_put(s, y, x + 1, NT_STRONG, "%*s", column[sort].width, column[sort].name);
}

int nt_top_tasks(struct nt_screen *s, int y, int height, const struct nt_top_frame *f,
		 const struct nt_top_choice *c)
{
	int i;

	if (f->why_no_moves || height < 1)
		return 0;
	draw_task_head(s, y, c->sort);
	for (i = 0; i < height - 1 && (size_t)i < f->ntasks; i++)
		draw_task(s, y + 1 + i, &f->task[i]);
	if (f->dt && !f->ntasks && height > 1)
		nt_screen_put(s, y + 1, 0, NT_FAINT, "no task migrated in this interval");
	return height;
}
