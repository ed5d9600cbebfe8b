/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables and wrapped text. A thin layer over libsmartcols: cells are formatted,
 * errors stick until nt_tbl_print, and no line ends in blanks.
 */
#ifndef NT_VIEW_TBL_H
#define NT_VIEW_TBL_H

#include <stdbool.h>
#include <stdio.h>

struct nt_tbl;

enum nt_align {
	NT_LEFT,
	NT_RIGHT,
	NT_TREE,		/* left, with the branches of nt_tbl_child() rows */
};

struct nt_tbl *nt_tbl_new(void);	/* NULL: out of memory; every call below takes that */

/* Columns made after this one stand under a heading, up to the next group. */
void nt_tbl_group(struct nt_tbl *t, const char *title);
void nt_tbl_col(struct nt_tbl *t, enum nt_align align, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void nt_tbl_row(struct nt_tbl *t);
/* A row that hangs below the last one made by nt_tbl_row() or, deeper, nt_tbl_branch(). */
void nt_tbl_child(struct nt_tbl *t);
void nt_tbl_branch(struct nt_tbl *t);	/* a row below the last nt_tbl_row(), for children */
/* The next cell of the row. */
void nt_tbl_cell(struct nt_tbl *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void nt_tbl_u64(struct nt_tbl *t, unsigned long long v);

/* Print with an indent of two and free; 0 or -ENOMEM. A table without rows prints nothing. */
int nt_tbl_print(struct nt_tbl *t, FILE *out);

/*
 * Print text wrapped at width between words; lines after the first start with
 * indent blanks. The first line continues one that has col columns already.
 */
void nt_wrap(FILE *out, int width, int col, int indent, const char *text);

/* Copy s into buf, its end replaced by "..." if it has more than max characters. */
const char *nt_fit(char *buf, size_t size, const char *s, size_t max);

#endif
