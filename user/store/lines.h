/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a text file, plain or gzip, for readers of all formats. Memory is bounded by
 * the longest line allowed; a NUL byte is refused, no format here has one.
 */
#ifndef NT_STORE_LINES_H
#define NT_STORE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/error.h"

#define NT_MAX_LINE	(64u << 20)	/* the longest of ours, 1024 nodes, has a quarter of that */

struct nt_lines {
	const char *path;
	struct nt_error *e;	/* where sentences go */
	char *line;		/* NUL-terminated, without its newline, a BOM or a CR */
	size_t len;
	unsigned long lineno;	/* of that line, from 1; 0 before the first */
	bool whole;		/* it had its newline */
	bool again;		/* nt_lines_back was called */
	struct nt_line_input *in;
};

/* 0, or -errno with "FILE: why" in e. path and e must stay; "-" is standard input. */
int nt_lines_open(struct nt_lines *l, const char *path, struct nt_error *e);

/* 1: a line, 0: no more, -errno with "FILE:LINE: why" in e. */
int nt_lines_next(struct nt_lines *l);

/* The same, without blank lines. */
int nt_lines_next_text(struct nt_lines *l);

/* Give the line just read once more. */
void nt_lines_back(struct nt_lines *l);

/*
 * All that is left, in one piece with '\n' between lines; the first of it is line *first.
 * For the caller to free. NULL: -errno in *err, with a sentence. Damage after something was
 * read is no error: *cut is set and the sentence says what it was.
 */
char *nt_lines_rest(struct nt_lines *l, size_t *len, unsigned long *first, bool *cut, int *err);

void nt_lines_close(struct nt_lines *l);	/* also one that did not open */

#endif
