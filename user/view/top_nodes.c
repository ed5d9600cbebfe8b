// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes of the live view: a line each with a bar, or where they are many, a grid of small ones. */
#include <math.h>
#include <stdio.h>

#include "view/top_priv.h"

#define MIN_BAR		4	/* of a line of its own */
#define LEAST_BAR	2	/* in the grid */
#define SMALL_REST	9	/* of a cell of the grid what is no bar: "  12 " and " 45%" */

/* Column where share (%) of a bar ends: rounded once each, so that the bar has no holes. */
static int bar_end(double share, int width)
{
	int x = (int)lround(share * width / 100);

	return x < 0 ? 0 : x > width ? width : x;
}

static void draw_bar(struct nt_screen *s, int y, int x, int width, const struct nt_top_node *n)
{
	const struct nt_util *u = &n->util;
	int user = bar_end(u->usr, width), sys = bar_end(u->usr + u->sys, width);
	int other = bar_end(100 - u->idle, width), i;

	for (i = 0; n->has_util && i < width; i++) {
		if (i < user)
			nt_screen_put(s, y, x + i, NT_BAR_USER, "#");
		else if (i < sys)
			nt_screen_put(s, y, x + i, NT_BAR_SYS, "=");
		else if (i < other)
			nt_screen_put(s, y, x + i, NT_BAR_OTHER, "-");
		else
			nt_screen_put(s, y, x + i, NT_BAR_IDLE, ".");
	}
}

static int put_share(struct nt_screen *s, int y, int x, const struct nt_top_node *n, double v)
{
	if (!n->has_util)
		return nt_screen_put(s, y, x, NT_PLAIN, " %5s", "-");
	return nt_screen_put(s, y, x, NT_PLAIN, " %5.1f", v);
}

/* What stands to the right of the bar. */
static int right_width(const struct nt_top_frame *f)
{
	return 3 * 6 + (f->nnodes > 1 ? 2 * 7 : 0);
}

static int bar_width(const struct nt_screen *s, const struct nt_top_frame *f)
{
	int width = s->w - (f->has_queues ? 22 : 10) - 3 - right_width(f);

	return width > MIN_BAR ? width : MIN_BAR;
}

static int put_label(struct nt_screen *s, int y, int x, int width, const struct nt_top_node *n)
{
	if (n->id < 0)
		return nt_screen_put(s, y, x, NT_STRONG, "%*s", width, "all");
	return nt_screen_put(s, y, x, NT_STRONG, "%*d", width, n->id);
}

static void draw_node(struct nt_screen *s, int y, const struct nt_top_frame *f,
		      const struct nt_top_node *n)
{
	int bar = bar_width(s, f), x = put_label(s, y, 0, 4, n);
	char in[NT_RATE], out[NT_RATE];

	x = nt_screen_put(s, y, x, NT_PLAIN, " %5d", n->cpus);
	if (f->has_queues)
		x = nt_screen_put(s, y, x, NT_PLAIN, " %5u %5u", n->running, n->idle);
	nt_screen_put(s, y, x, NT_PLAIN, " [");
	draw_bar(s, y, x + 2, bar, n);
	x = nt_screen_put(s, y, x + 2 + bar, NT_PLAIN, "]");
	x = put_share(s, y, x, n, n->util.usr);
	x = put_share(s, y, x, n, n->util.sys);
	x = put_share(s, y, x, n, n->util.idle);
	if (f->nnodes == 1)
		return;
	nt_screen_put(s, y, x, NT_PLAIN, " %6s %6s", nt_top_rate(in, n->in, 6),
		      nt_top_rate(out, n->out, 6));
}

static void draw_head(struct nt_screen *s, int y, const struct nt_top_frame *f)
{
	int x = nt_screen_put(s, y, 0, NT_COLUMN, "NODE  CPUS%s", f->has_queues ?
			      "   RUN  IDLE" : "");

	nt_screen_put(s, y, x, NT_COLUMN, "  user # sys = other -");
	x += bar_width(s, f) + 3;
	/* A narrow bar has no room for what its signs mean. */
	x = nt_screen_put(s, y, x, NT_COLUMN, "  %%usr  %%sys %%idle");
	if (f->nnodes > 1)
		nt_screen_put(s, y, x, NT_COLUMN, "   IN/s  OUT/s");
	nt_screen_line(s, y, NT_COLUMN);
}

static void draw_rows(struct nt_screen *s, int y, const struct nt_top_frame *f)
{
	int i;

	if (f->nnodes > 1)
		draw_node(s, y++, f, &f->all);
	for (i = 0; i < f->nnodes; i++)
		draw_node(s, y++, f, &f->node[i]);
}

static int grid_rows(int nnodes, int per_row)
{
	return (nnodes + per_row - 1) / per_row;
}

/* Width of a cell: the widest with which all nodes fit, else the narrowest. */
static int cell_width(int w, int height, int nnodes)
{
	static const int widths[] = { 40, 30, 26, 20, 16, 13 };
	size_t i;

	for (i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (w >= widths[i] && grid_rows(nnodes, w / widths[i]) <= height)
			return widths[i];
	return SMALL_REST + LEAST_BAR;
}

static void draw_small(struct nt_screen *s, int y, int x, int width, const struct nt_top_node *n)
{
	int bar = width - SMALL_REST;

	put_label(s, y, x, 4, n);
	draw_bar(s, y, x + 5, bar, n);
	if (n->has_util)
		nt_screen_put(s, y, x + 5 + bar, NT_PLAIN, "%3.0f%%", 100 - n->util.idle);
	else
		nt_screen_put(s, y, x + 5 + bar, NT_PLAIN, "%4s", "-");
}

static void draw_grid(struct nt_screen *s, int y, int height, const struct nt_top_frame *f)
{
	int width = cell_width(s->w, height, f->nnodes), per_row = s->w / width, i, shown;

	per_row = per_row < 1 ? 1 : per_row;
	shown = f->nnodes;
	if (grid_rows(f->nnodes, per_row) > height)
		shown = per_row * (height - 1);
	shown = shown < 0 ? 0 : shown;
	for (i = 0; i < shown; i++)
		draw_small(s, y + i / per_row, i % per_row * width, width, &f->node[i]);
	if (shown < f->nnodes)
		nt_screen_put(s, y + height - 1, 0, NT_NOTICE, "%d more nodes: no room for them",
			      f->nnodes - shown);
}

int nt_top_nodes(struct nt_screen *s, int y, int height, const struct nt_top_frame *f)
{
	int rows = f->nnodes + (f->nnodes > 1), grid;

	draw_head(s, y, f);
	if (rows + 1 <= height) {
		draw_rows(s, y + 1, f);
		return rows + 1;
	}
	draw_node(s, y + 1, f, &f->all);
	grid = height - 2;
	if (grid > 0)
		draw_grid(s, y + 2, grid, f);
	rows = grid_rows(f->nnodes, s->w / cell_width(s->w, grid, f->nnodes) ?: 1);
	return 2 + (grid < 0 ? 0 : rows < grid ? rows : grid);
}
