// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tbl.h"

#include <errno.h>
#include <libsmartcols.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLS	80	/* a matrix has at most 8 nodes; the rest is fixed */
#define INDENT		2
#define SEP		2

struct group {
	const char *title;
	int first;
};

struct nt_tbl {
	struct libscols_table *tb;
	struct libscols_column *col[MAX_COLS];
	struct libscols_line *line;
	struct libscols_line *parent;	/* of the next nt_tbl_child() */
	struct libscols_line *root;	/* of the next nt_tbl_branch() */
	struct group group[4];
	int ngroups;
	int ncols;
	int cell;
	bool rows;
	bool failed;
};

struct nt_tbl *nt_tbl_new(void)
{
	struct nt_tbl *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->tb = scols_new_table();
	if (!t->tb) {
		free(t);
		return NULL;
	}
	/* The same bytes into a pipe and on a terminal, however narrow. */
	scols_table_set_termforce(t->tb, SCOLS_TERMFORCE_NEVER);
	if (scols_table_set_column_separator(t->tb, "  "))
		t->failed = true;
	return t;
}

void nt_tbl_group(struct nt_tbl *t, const char *title)
{
	if (!t || t->ngroups == 4)
		return;
	t->group[t->ngroups].title = title;
	t->group[t->ngroups++].first = t->ncols;
}

void nt_tbl_col(struct nt_tbl *t, enum nt_align align, const char *fmt, ...)
{
	static const int flags[] = { [NT_RIGHT] = SCOLS_FL_RIGHT, [NT_TREE] = SCOLS_FL_TREE };
	struct libscols_column *col = NULL;
	char name[64];
	va_list ap;

	if (!t || t->failed)
		return;
	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	if (t->ncols < MAX_COLS)
		col = scols_table_new_column(t->tb, name, 0, flags[align]);
	if (col)
		t->col[t->ncols++] = col;
	else
		t->failed = true;
}

static void new_line(struct nt_tbl *t, struct libscols_line *parent)
{
	t->line = scols_table_new_line(t->tb, parent);
	t->cell = 0;
	t->rows = true;
	if (!t->line)
		t->failed = true;
}

void nt_tbl_row(struct nt_tbl *t)
{
	if (!t || t->failed)
		return;
	new_line(t, NULL);
	t->parent = t->root = t->line;
}

void nt_tbl_branch(struct nt_tbl *t)
{
	if (!t || t->failed)
		return;
	new_line(t, t->root);
	t->parent = t->line;
}

void nt_tbl_child(struct nt_tbl *t)
{
	if (t && !t->failed)
		new_line(t, t->parent);
}

void nt_tbl_cell(struct nt_tbl *t, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	if (!t || t->failed)
		return;
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0 || scols_line_refer_data(t->line, t->cell++, text))
		t->failed = true;
}

void nt_tbl_u64(struct nt_tbl *t, unsigned long long v)
{
	nt_tbl_cell(t, "%llu", v);
}

static void print_line(FILE *out, const char *s, size_t len)
{
	while (len && s[len - 1] == ' ')
		len--;
	if (len)
		fprintf(out, "%*s%.*s", INDENT, "", (int)len, s);
	fputc('\n', out);
}

/* Columns [0, i) and the separators after them. */
static int start_of(const struct nt_tbl *t, int i)
{
	int k, x = 0;

	for (k = 0; k < i; k++)
		x += (int)scols_column_get_width(t->col[k]) + SEP;
	return x;
}

/* Titles with a rule to the end of their group: which columns belong is plain to see. */
static void print_groups(const struct nt_tbl *t, FILE *out)
{
	int i, k, x = 0;

	fprintf(out, "%*s", INDENT, "");
	for (i = 0; i < t->ngroups; i++) {
		int next = i + 1 < t->ngroups ? t->group[i + 1].first : t->ncols;
		int start = start_of(t, t->group[i].first), end = start_of(t, next) - SEP;

		x += fprintf(out, "%*s", start - x, "");
		x += fprintf(out, "%s", t->group[i].title);
		if (x + 2 <= end)
			x += fprintf(out, " ");
		for (k = x; k < end; k++)
			x += fprintf(out, "-");
	}
	fputc('\n', out);
}

static int print_table(const struct nt_tbl *t, FILE *out)
{
	char *text, *line, *nl;

	if (scols_print_table_to_string(t->tb, &text))
		return -ENOMEM;
	if (t->ngroups)
		print_groups(t, out);
	for (line = text; *line; line = *nl ? nl + 1 : nl) {
		nl = strchrnul(line, '\n');
		print_line(out, line, (size_t)(nl - line));
	}
	free(text);
	return 0;
}

int nt_tbl_print(struct nt_tbl *t, FILE *out)
{
	int err = 0;

	if (!t)
		return -ENOMEM;
	if (t->failed)
		err = -ENOMEM;
	else if (t->rows)
		err = print_table(t, out);
	scols_unref_table(t->tb);
	free(t);
	return err;
}

/* Columns the word takes, roughly: one for each character. */
static int columns(const char *s, size_t len)
{
	int n = 0;
	size_t i;

	for (i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

void nt_wrap(FILE *out, int width, int col, int indent, const char *text)
{
	while (*text) {
		size_t gap = strspn(text, " "), len = strcspn(text + gap, " ");
		int need = columns(text + gap, len);

		if (gap && col + (int)gap + need > width) {
			fprintf(out, "\n%*s", indent, "");
			col = indent;
			text += gap;
			gap = 0;
		}
		fwrite(text, 1, gap + len, out);
		col += (int)gap + need;
		text += gap + len;
	}
	fputc('\n', out);
}

const char *nt_fit(char *buf, size_t size, const char *s, size_t max)
{
	if (strlen(s) <= max)
		snprintf(buf, size, "%s", s);
	else
		snprintf(buf, size, "%.*s...", (int)max - 3, s);
	return buf;
}
