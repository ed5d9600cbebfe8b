// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/top.h"

#include <stdio.h>
#include <string.h>

#include "view/top_priv.h"

#define MIN_TASKS	4	/* lines of the table of tasks, its heading included */
#define FEW_TASKS	2	/* where there are many nodes */

static const char *const sort_name[NT_NSORT] = {
	[NT_SORT_MOVES] = "moves", [NT_SORT_CROSS] = "moves across nodes",
	[NT_SORT_TOTAL] = "total moves",
};

static const char *const help[] = {
	"q       quit",
	"p SPACE pause; the interval after it covers the pause",
	"s       sort tasks by moves, by moves across nodes, by all moves seen of them",
	"+ -     longer and shorter intervals, 100 ms to 60 s; i goes round",
	"h ?     this help; any key ends it",
	"",
	"RUN     tasks that run or wait for a CPU as the interval ends, not numatrace",
	"IDLE    CPUs with nothing to run at that moment",
	"bar     # %usr  = %sys  - nice, iowait, irq, soft, steal, guest  . %idle",
	"IN OUT  tasks that came from other nodes, and left for them, per second",
	"        where there are too many nodes for a line each: bar and % busy",
	"",
	"MIGRATIONS  by who moved the task; after the slash those between nodes",
	"BALANCE     load_balance() by domain level: calls; those refused by",
	"            should_we_balance(); those that found a busier group and moved",
	"            nothing; tasks moved, and between nodes; time inside, % of a CPU",
	"TASK        threads that migrated in the interval; TIDs are those of the",
	"            initial PID namespace; TOTAL: since it was first seen to migrate",
};

/* "1.0 s", "500 ms". */
static const char *put_seconds(char buf[24], double s)
{
	if (s < 0.9995)
		snprintf(buf, 24, "%.0f ms", s * 1e3);
	else
		snprintf(buf, 24, "%.1f s", s);
	return buf;
}

static void draw_title(struct nt_screen *s, const struct nt_top_frame *f,
		       const struct nt_top_choice *c)
{
	char size[48], right[64], dt[24];

	if (f->dt > 0)
		snprintf(right, sizeof(right), "%sover %s", c->paused ? "PAUSED, " : "",
			 put_seconds(dt, f->dt));
	else if (c->paused)
		snprintf(right, sizeof(right), "PAUSED");
	else
		snprintf(right, sizeof(right), "first numbers after %s",
			 put_seconds(dt, (double)c->interval_ns / 1e9));
	snprintf(size, sizeof(size), "%d node%s, %d CPUs", f->nnodes, f->nnodes == 1 ? "" : "s",
		 f->all.cpus);
	/* Names that are too long give way to numbers. */
	nt_screen_put(s, 0, 0, NT_TITLE, " numatrace top  %s  Linux %s", f->hostname, f->kernel);
	nt_screen_put(s, 0, s->w - (int)(strlen(size) + strlen(right)) - 4, NT_TITLE, " %s  %s ",
		      size, right);
	nt_screen_line(s, 0, NT_TITLE);
}

static void draw_foot(struct nt_screen *s, const struct nt_top_choice *c)
{
	char buf[24];

	nt_screen_put(s, s->h - 1, 0, NT_TITLE,
		      " q quit  p %s  s sort: %s  +/- every %s  h help",
		      c->paused ? "go on" : "pause", sort_name[c->sort],
		      put_seconds(buf, (double)c->interval_ns / 1e9));
	nt_screen_line(s, s->h - 1, NT_TITLE);
}

static void draw_help(struct nt_screen *s)
{
	size_t i;

	for (i = 0; i < sizeof(help) / sizeof(help[0]); i++)
		nt_screen_put(s, 2 + (int)i, 2, NT_PLAIN, "%s", help[i]);
}

static void draw_sections(struct nt_screen *s, const struct nt_top_frame *f,
			  const struct nt_top_choice *c)
{
	int rest = s->h - 2 - nt_top_moves_height(f, s->w) - nt_top_balance_height(f) -
		   nt_top_missing_height(f, s->w);
	int nodes = 1 + f->nnodes + (f->nnodes > 1), tasks = f->why_no_moves ? 0 : MIN_TASKS, y = 1;

	if (nodes > rest - tasks && !f->why_no_moves)
		tasks = FEW_TASKS;
	y += nt_top_nodes(s, y, rest - tasks, f);
	y += nt_top_moves(s, y, f);
	y += nt_top_balance(s, y, f);
	y += nt_top_missing(s, y, f);
	nt_top_tasks(s, y, s->h - 1 - y, f, c);
}

void nt_top_draw(struct nt_screen *s, const struct nt_top_frame *f, const struct nt_top_choice *c)
{
	nt_screen_clear(s);
	if (c->help)
		draw_help(s);
	else
		draw_sections(s, f, c);
	draw_title(s, f, c);
	draw_foot(s, c);
}
