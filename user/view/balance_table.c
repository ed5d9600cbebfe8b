// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "model/levels.h"
#include "view/section.h"
#include "view/tbl.h"

static void row(struct nt_tbl *t, const char *level, const char *idle,
		const struct nt_balance_count *b)
{
	nt_tbl_row(t);
	nt_tbl_cell(t, "%s", level);
	nt_tbl_cell(t, "%s", idle);
	nt_tbl_u64(t, b->calls);
	nt_tbl_u64(t, b->refused);
	nt_tbl_u64(t, b->nothing);
	nt_tbl_u64(t, b->failed);
	nt_tbl_u64(t, b->moved);
	nt_tbl_u64(t, b->moved_cross);
	nt_tbl_cell(t, "%.2f", (double)b->ns / 1e6);
	if (b->calls)
		nt_tbl_cell(t, "%.0f", (double)b->ns / (double)b->calls);
	else
		nt_tbl_cell(t, "-");
}

static void level_rows(struct nt_tbl *t, const struct nt_run *r, int level, struct nt_words *zero)
{
	char buf[NT_LEVEL_LABEL], *name = nt_safe(nt_level_label(r, level, buf, sizeof(buf)));
	int idle;

	for (idle = 0; name && idle < NT_NIDLE; idle++) {
		const struct nt_balance_count *b = &r->total.balance[level][idle];

		if (b->calls)
			row(t, name, nt_idle_name[idle], b);
		else if (nt_level_exists(r, level))
			nt_words_add(zero, "%s %s", name, nt_idle_name[idle]);
	}
	free(name);
}

static void columns(struct nt_tbl *t)
{
	nt_tbl_col(t, NT_LEFT, "LEVEL");
	nt_tbl_col(t, NT_LEFT, "IDLE");
	nt_tbl_col(t, NT_RIGHT, "CALLS");
	nt_tbl_col(t, NT_RIGHT, "REFUSED");
	nt_tbl_col(t, NT_RIGHT, "NOTHING");
	nt_tbl_col(t, NT_RIGHT, "FAILED");
	nt_tbl_col(t, NT_RIGHT, "MOVED");
	nt_tbl_col(t, NT_RIGHT, "CROSS-NODE");
	nt_tbl_col(t, NT_RIGHT, "TIME-MS");
	nt_tbl_col(t, NT_RIGHT, "NS/CALL");
}

int nt_show_balance(const struct nt_section *s)
{
	struct nt_balance_count sum = { 0 };
	struct nt_words zero = { 0 };
	struct nt_tbl *t;
	int level, idle, err;

	if (nt_is_off(s, NT_F_BALANCE, "Load balancing"))
		return 0;
	nt_heading(s, "Load balancing, whole system, by domain level and idle type");
	t = nt_tbl_new();
	columns(t);
	for (level = 0; level < NT_MAX_LEVELS; level++)
		for (idle = 0; idle < NT_NIDLE; idle++)
			nt_balance_add(&sum, &s->r->total.balance[level][idle]);
	row(t, "all", "", &sum);
	for (level = 0; level < NT_MAX_LEVELS; level++)
		level_rows(t, s->r, level, &zero);
	err = nt_tbl_print(t, s->out);
	if (!err)
		err = nt_line(s, "refused: should_we_balance() said no; nothing: no busier group; "
			      "failed: a busier group, no task moved; moved: tasks");
	return nt_words_line(s, &zero, "no calls, not shown") ?: err;
}
