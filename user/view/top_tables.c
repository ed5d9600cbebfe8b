// SPDX-License-Identifier: GPL-2.0-or-later
/* Migrations, load balancing and tasks of the live view. */
#include <stdio.h>
#include <string.h>

#include "view/top_priv.h"

#define CAUSE_WIDTH	20
#define MAX_REASON	2	/* lines of a reason */
#define MORE		" ... (numatrace features)"

const char *nt_top_rate(char buf[NT_RATE], double v, int width)
{
	static const double limit[] = { [4] = 9999.5, [5] = 99999.5, [6] = 999999.5 };
	double most = limit[width];

	if (v < 0.05)
		snprintf(buf, NT_RATE, "0");
	else if (v < 9.95)
		snprintf(buf, NT_RATE, "%.1f", v);
	else if (v < most)
		snprintf(buf, NT_RATE, "%.0f", v);
	else if (v / 1e3 < most / 10)
		snprintf(buf, NT_RATE, "%.0fk", v / 1e3);
	else
		snprintf(buf, NT_RATE, "%.0fM", v / 1e6);
	return buf;
}

/* As much of the text as fits into a line of that width, whole words if there is a choice. */
static size_t line_length(const char *text, int width)
{
	size_t most = width > 0 ? (size_t)width : 1, len = strlen(text), end;

	if (len <= most)
		return len;
	for (end = most; end && text[end] != ' '; end--)
		;
	return end ? end : most;
}

/* A section that is not there: why, in at most two lines. Without a screen: how many lines. */
static int put_reason(struct nt_screen *s, int y, int w, const char *title, const char *why)
{
	char text[512];
	const char *p = text;
	size_t len;
	int n;

	snprintf(text, sizeof(text), "%s: not available: %s", title, why);
	for (n = 0; *p && n < MAX_REASON; n++) {
		bool last = n + 1 == MAX_REASON;

		len = line_length(p, last ? w - (int)strlen(MORE) : w);
		if (s)
			nt_screen_put(s, y + n, 0, NT_NOTICE, "%.*s%s", (int)len, p,
				      last && p[len] ? MORE : "");
		p += len;
		p += strspn(p, " ");
	}
	return n;
}

static int causes_per_row(int w)
{
	return w < CAUSE_WIDTH ? 1 : w / CAUSE_WIDTH;
}

int nt_top_moves_height(const struct nt_top_frame *f, int w)
{
	int per_row = causes_per_row(w);

	if (f->why_no_moves)
		return put_reason(NULL, 0, w, "Migrations", f->why_no_moves);
	return 1 + (NT_NCAUSE + per_row - 1) / per_row;
}

static void draw_cause(struct nt_screen *s, int y, int x, const struct nt_top_frame *f, int cause)
{
	const struct nt_top_cause *c = &f->cause[cause];
	enum nt_attr attr = c->moves > 0 ? NT_PLAIN : NT_FAINT;
	char buf[NT_RATE];

	x = nt_screen_put(s, y, x, attr, "%-9s %5s", nt_cause_name[cause],
			  nt_top_rate(buf, c->moves, 5));
	if (f->nnodes > 1)
		nt_screen_put(s, y, x, NT_FAINT, "/%s", nt_top_rate(buf, c->cross, 4));
}

int nt_top_moves(struct nt_screen *s, int y, const struct nt_top_frame *f)
{
	int per_row = causes_per_row(s->w), width = s->w / per_row, i, x;
	char buf[NT_RATE];

	if (f->why_no_moves)
		return put_reason(s, y, s->w, "Migrations", f->why_no_moves);
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

int nt_top_balance_height(const struct nt_top_frame *f, int w)
{
	if (f->why_no_balance)
		return f->why_no_moves ? 0 :
		       put_reason(NULL, 0, w, "Load balancing", f->why_no_balance);
	return 1 + f->nlevels;
}

static void draw_level(struct nt_screen *s, int y, const struct nt_top_level *l)
{
	const double v[] = { l->calls, l->refused, l->failed, l->moved, l->cross };
	char buf[NT_RATE];
	size_t i;
	int x = nt_screen_put(s, y, 0, NT_STRONG, "%-12s", l->name);

	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		x = nt_screen_put(s, y, x, NT_PLAIN, " %8s", nt_top_rate(buf, v[i], 6));
	nt_screen_put(s, y, x, NT_PLAIN, " %8.2f", l->cpu);
}

/* Where there is nothing of the kernel's, the reason stands with the migrations. */
int nt_top_balance(struct nt_screen *s, int y, const struct nt_top_frame *f)
{
	int i;

	if (f->why_no_balance)
		return f->why_no_moves ? 0 :
		       put_reason(s, y, s->w, "Load balancing", f->why_no_balance);
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

int nt_top_tasks(struct nt_screen *s, int y, int height, const struct nt_top_frame *f,
		 const struct nt_top_choice *c)
{
	static const char *const by[NT_NSORT] = {
		[NT_SORT_MOVES] = "MOVES/s", [NT_SORT_CROSS] = "ACROSS/s", [NT_SORT_TOTAL] = "TOTAL",
	};
	int i, x;

	if (f->why_no_moves || height < 1)
		return 0;
	nt_screen_put(s, y, 0, NT_COLUMN, "%8s %-16s %8s %8s %9s   LAST MOVE, NODE:CPU", "TID",
		      "TASK", by[NT_SORT_MOVES], by[NT_SORT_CROSS], by[NT_SORT_TOTAL]);
	nt_screen_line(s, y, NT_COLUMN);
	/* The column that is sorted by. */
	for (i = 0, x = 26 + 9 * (int)c->sort; i < 8 + (c->sort == NT_SORT_TOTAL); i++)
		if (y < s->h && x + i < s->w)
			s->cell[(size_t)y * (size_t)s->w + (size_t)(x + i)].attr = NT_STRONG;
	for (i = 0; i < height - 1 && (size_t)i < f->ntasks; i++)
		draw_task(s, y + 1 + i, &f->task[i]);
	if (f->dt && !f->ntasks && height > 1)
		nt_screen_put(s, y + 1, 0, NT_FAINT, "no task migrated in this interval");
	return height;
}
