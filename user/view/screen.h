/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A screen as plain data: a grid of characters, each with what it means. Whatever is written
 * into it, it holds printable ASCII alone, so that no name of a task can steer a terminal.
 */
#ifndef NT_VIEW_SCREEN_H
#define NT_VIEW_SCREEN_H

enum nt_attr {
	NT_PLAIN,
	NT_STRONG,
	NT_FAINT,
	NT_TITLE,	/* first and last line */
	NT_COLUMN,	/* column headings */
	NT_BAR_USER,
	NT_BAR_SYS,
	NT_BAR_OTHER,
	NT_BAR_IDLE,
	NT_NOTICE,
	NT_NATTR,
};

struct nt_cell {
	char c;
	unsigned char attr;	/* enum nt_attr */
};

struct nt_screen {
	int w, h;
	struct nt_cell *cell;	/* [h][w] */
};

/* Of that size, blank; what it held before is freed. Sizes below 1 are 1. 0 or -ENOMEM. */
int nt_screen_size(struct nt_screen *s, int w, int h);
void nt_screen_free(struct nt_screen *s);

void nt_screen_clear(struct nt_screen *s);

/*
 * Write at column x of line y; what lies outside is dropped. Characters that are no printable
 * ASCII appear as \xHH (controls) or '?'. Returns the column after the last.
 */
int nt_screen_put(struct nt_screen *s, int y, int x, enum nt_attr attr, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Give a whole line a meaning, blanks included. */
void nt_screen_line(struct nt_screen *s, int y, enum nt_attr attr);

#endif
