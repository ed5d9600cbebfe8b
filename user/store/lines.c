// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/infile.h"

#define CHUNK	16384

struct nt_line_input {
	struct nt_infile *file;
	char chunk[CHUNK];
	size_t pos, fill;	/* unread part of the chunk */
	size_t cap;		/* of the line */
};

int nt_lines_open(struct nt_lines *l, const char *path, struct nt_error *e)
{
	int err;

	*l = (struct nt_lines){ .path = path, .e = e };
	l->in = calloc(1, sizeof(*l->in));
	if (!l->in)
		return nt_fail(e, -ENOMEM, "%.300s: out of memory", path);
	err = nt_infile_open(&l->in->file, path);
	if (err == -EPIPE)
		return nt_fail(e, err, "%.300s: a pipe that nobody writes to", path);
	return err ? nt_fail(e, err, "%.300s: %s", path, strerror(-err)) : 0;
}

/* Next chunk of the file: 1, 0 at its end, -errno. */
static int refill(struct nt_lines *l)
{
	struct nt_line_input *in = l->in;
	ssize_t n = nt_infile_read(in->file, in->chunk, CHUNK);
	unsigned long line = l->lineno + 1;

	if (n >= 0) {
		in->pos = 0;
		in->fill = (size_t)n;
		return n > 0;
	}
	if (n == -EBADMSG)
		return nt_fail(l->e, -EINVAL, "%.300s:%lu: damaged gzip data", l->path, line);
	return nt_fail(l->e, (int)n, "%.300s:%lu: %s", l->path, line, strerror((int)-n));
}

static int append(struct nt_lines *l, const char *s, size_t n)
{
	unsigned long line = l->lineno + 1;

	if (memchr(s, '\0', n))
		return nt_fail(l->e, -EINVAL, "%.300s:%lu: a NUL byte: this is no text", l->path,
			       line);
	if (l->len + n > NT_MAX_LINE)
		return nt_fail(l->e, -EINVAL, "%.300s:%lu: a line of more than %u MiB", l->path,
			       line, NT_MAX_LINE >> 20);
	if (l->len + n + 1 > l->in->cap) {
		size_t cap = 2 * (l->len + n) + CHUNK;
		char *grown = realloc(l->line, cap);

		if (!grown)
			return nt_fail(l->e, -ENOMEM, "%.300s: out of memory", l->path);
		l->line = grown;
		l->in->cap = cap;
	}
	memcpy(l->line + l->len, s, n);
	l->len += n;
	l->line[l->len] = '\0';
	return 0;
}

/* What editors and other systems put around a text. */
static void strip(struct nt_lines *l)
{
	static const char bom[] = "\xef\xbb\xbf";

	if (l->len && l->line[l->len - 1] == '\r')
		l->line[--l->len] = '\0';
	if (l->lineno == 1 && l->len >= 3 && !memcmp(l->line, bom, 3)) {
		l->len -= 3;
		memmove(l->line, l->line + 3, l->len + 1);
	}
}

/* What is left of the chunk up to a newline; 1, 0 at the end of the file, -errno. */
static int take_piece(struct nt_lines *l)
{
	struct nt_line_input *in = l->in;
	const char *from, *nl;
	size_t n;
	int err = in->pos < in->fill ? 1 : refill(l);

	if (err <= 0)
		return err;
	from = in->chunk + in->pos;
	nl = memchr(from, '\n', in->fill - in->pos);
	n = nl ? (size_t)(nl - from) : in->fill - in->pos;
	l->whole = nl;
	in->pos += n + l->whole;
	err = append(l, from, n);
	return err ? err : 1;
}

int nt_lines_next(struct nt_lines *l)
{
	int err = 1;

	if (l->again) {
		l->again = false;
		return 1;
	}
	l->len = 0;
	l->whole = false;
	while (err > 0 && !l->whole)
		err = take_piece(l);
	if (err < 0)
		return err;
	if (!l->len && !l->whole)
		return 0;
	l->lineno++;
	strip(l);
	return 1;
}

static bool is_blank(const struct nt_lines *l)
{
	size_t i;

	for (i = 0; i < l->len; i++)
		if (!isspace((unsigned char)l->line[i]))
			return false;
	return true;
}

int nt_lines_next_text(struct nt_lines *l)
{
	int err;

	do {
		err = nt_lines_next(l);
	} while (err > 0 && is_blank(l));
	return err;
}

void nt_lines_back(struct nt_lines *l)
{
	l->again = true;
}

/* A text that grows by doubling, up to the length that a line may have, too. */
struct text {
	char *s;
	size_t len, cap;
};

static int add_line(struct nt_lines *l, struct text *t)
{
	if (t->len + l->len + 1 > NT_MAX_LINE)
		return nt_fail(l->e, -EINVAL, "%.300s:%lu: more than %u MiB in one document",
			       l->path, l->lineno, NT_MAX_LINE >> 20);
	if (t->len + l->len + 2 > t->cap) {
		size_t cap = 2 * (t->len + l->len) + CHUNK;
		char *grown = realloc(t->s, cap);

		if (!grown)
			return nt_fail(l->e, -ENOMEM, "%.300s: out of memory", l->path);
		t->s = grown;
		t->cap = cap;
	}
	memcpy(t->s + t->len, l->line, l->len);
	t->len += l->len;
	t->s[t->len++] = '\n';
	t->s[t->len] = '\0';
	return 0;
}

char *nt_lines_rest(struct nt_lines *l, size_t *len, unsigned long *first, bool *cut, int *err)
{
	struct text t = { 0 };
	int more = 0;

	*err = 0;
	*cut = false;
	*first = 0;
	while (!*err && (more = nt_lines_next(l)) > 0) {
		*first = *first ? *first : l->lineno;
		*err = add_line(l, &t);
	}
	if (!*err && more < 0 && t.len)
		*cut = true;
	else if (!*err)
		*err = more;
	if (!*err && !t.s)
		*err = nt_fail(l->e, -EINVAL, "%.300s: empty", l->path);
	if (*err) {
		free(t.s);
		return NULL;
	}
	*len = t.len;
	return t.s;
}

void nt_lines_close(struct nt_lines *l)
{
	if (l->in)
		nt_infile_close(l->in->file);
	free(l->in);
	free(l->line);
	*l = (struct nt_lines){ 0 };
}
