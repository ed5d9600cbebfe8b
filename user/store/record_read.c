// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"
#include "store/infile.h"
#include "store/record_json.h"
#include "store/record_parse.h"

#define CHUNK		16384
#define MAX_LINE	(256u << 20)	/* no line of ours is longer; a .gz can claim anything */

struct reader {
	const char *path;
	struct nt_error *e;
	struct nt_infile *file;
	char chunk[CHUNK];
	size_t pos, fill;	/* unread part of the chunk */
	char *line;		/* NUL-terminated */
	size_t len, cap;
	unsigned long lineno;
	bool whole;		/* the line had its newline */
	const struct nt_record_sink *sink;
	struct nt_run run;	/* the one being read */
	bool in_run;		/* its header was read, its end was not */
	size_t nruns;
	int sink_err;
};

/* Next chunk of the file: 1, 0 at its end, -errno. */
static int refill(struct reader *rd)
{
	ssize_t n = nt_infile_read(rd->file, rd->chunk, CHUNK);
	unsigned long line = rd->lineno + 1;

	if (n >= 0) {
		rd->pos = 0;
		rd->fill = (size_t)n;
		return n > 0;
	}
	if (n == -EBADMSG)
		return nt_fail(rd->e, -EINVAL, "%s:%lu: damaged gzip data", rd->path, line);
	return nt_fail(rd->e, (int)n, "%s:%lu: %s", rd->path, line, strerror((int)-n));
}

static int append(struct reader *rd, const char *s, size_t n)
{
	if (rd->len + n + 1 > rd->cap) {
		size_t cap = 2 * (rd->len + n) + CHUNK;
		char *line;

		if (rd->len + n > MAX_LINE)
			return nt_fail(rd->e, -EINVAL, "%s:%lu: a line of more than %u MiB",
				       rd->path, rd->lineno + 1, MAX_LINE >> 20);
		line = realloc(rd->line, cap);
		if (!line)
			return nt_fail(rd->e, -ENOMEM, "%s: out of memory", rd->path);
		rd->line = line;
		rd->cap = cap;
	}
	memcpy(rd->line + rd->len, s, n);
	rd->len += n;
	rd->line[rd->len] = '\0';
	return 0;
}

/* 1: a line, 0: no more, -errno. */
static int next_line(struct reader *rd)
{
	rd->len = 0;
	rd->whole = false;
	while (!rd->whole) {
		const char *from, *nl;
		size_t n;
		int err = rd->pos < rd->fill ? 1 : refill(rd);

		if (err < 0)
			return err;
		if (!err)
			break;
		from = rd->chunk + rd->pos;
		nl = memchr(from, '\n', rd->fill - rd->pos);
		n = nl ? (size_t)(nl - from) : rd->fill - rd->pos;
		rd->whole = nl;
		rd->pos += n + rd->whole;
		err = append(rd, from, n);
		if (err)
			return err;
	}
	if (!rd->len && !rd->whole)
		return 0;
	rd->lineno++;
	return 1;
}

static bool is_blank(const struct reader *rd)
{
	size_t i;

	for (i = 0; i < rd->len; i++)
		if (!isspace((unsigned char)rd->line[i]))
			return false;
	return true;
}

static int check_schema(struct nt_get *g, const json_t *line)
{
	const char *s = json_string_value(json_object_get(line, "schema"));
	size_t len = strlen(NT_SCHEMA);
	char *name;

	if (!s || strncmp(s, "numatrace/", 10))
		return nt_fail(g->e, -EINVAL, "%s: not a numatrace record", g->where);
	if (!strncmp(s, NT_SCHEMA, len) && (!s[len] || s[len] == '.'))
		return 0;
	name = nt_text_printable(s);
	nt_fail(g->e, -EINVAL, "%s: schema %.40s: this numatrace reads %s", g->where,
		name ? name : "", NT_SCHEMA);
	free(name);
	return -EINVAL;
}

/* The run is complete, or as complete as it will be. */
static int give_run(struct reader *rd, const json_t *end)
{
	rd->in_run = false;
	rd->sink_err = rd->sink->run(rd->sink->arg, &rd->run, end);
	nt_run_free(&rd->run);
	return rd->sink_err;
}

static int begin_run(struct reader *rd, struct nt_get *g, const json_t *line)
{
	int err = check_schema(g, line);

	if (!err && rd->in_run)
		err = give_run(rd, NULL);
	if (err)
		return err;
	err = nt_parse_header(g, line, &rd->run);
	if (err) {
		nt_run_free(&rd->run);
		return err;
	}
	rd->in_run = true;
	rd->nruns++;
	return 0;
}

/* What an end line would have said, as far as the samples tell. */
static int sum_sample(struct nt_get *g, struct nt_run *r, struct nt_sample *s)
{
	r->ru.elapsed = s->t;
	if (nt_counters_add(&r->total, &s->c))
		return nt_fail(g->e, -ENOMEM, "%s: out of memory", g->where);
	return 0;
}

static int use_sample(struct reader *rd, struct nt_get *g, const json_t *line)
{
	struct nt_sample s = { 0 };
	int err = nt_parse_sample(g, line, &rd->run, &s);

	if (!err)
		err = sum_sample(g, &rd->run, &s);
	if (!err && rd->sink->samples && nt_run_add_sample(&rd->run, &s))
		err = nt_fail(g->e, -ENOMEM, "%s: out of memory", g->where);
	free(s.online);
	nt_counters_free(&s.c);
	return err;
}

static int use_end(struct reader *rd, struct nt_get *g, const json_t *line)
{
	int err = nt_parse_end(g, line, &rd->run);

	return err ? err : give_run(rd, line);
}

/* Lines of types that a later version invented say nothing to this one. */
static int use_line(struct reader *rd, struct nt_get *g, const json_t *line)
{
	const char *type = json_string_value(json_object_get(line, "type"));

	if (!type)
		return nt_fail(g->e, -EINVAL, "%s: not a numatrace record", g->where);
	if (!strcmp(type, "header"))
		return begin_run(rd, g, line);
	if (strcmp(type, "sample") && strcmp(type, "end"))
		return 0;
	if (!rd->in_run)
		return nt_fail(g->e, -EINVAL, "%s: \"%s\" without a header before it", g->where,
			       type);
	return type[0] == 's' ? use_sample(rd, g, line) : use_end(rd, g, line);
}

/* The parser's reason ends in a piece of the file, which may hold anything. */
static int not_json(struct reader *rd, const json_error_t *je, const char *where)
{
	const char *near = strstr(je->text, " near ");
	int n = near ? (int)(near - je->text) : (int)strlen(je->text);

	if (!rd->nruns)
		return nt_fail(rd->e, -EINVAL, "%s: not a numatrace record: %.*s at byte %d",
			       where, n, je->text, je->position);
	return nt_fail(rd->e, -EINVAL, "%s: not JSON: %.*s at byte %d", where, n, je->text,
		       je->position);
}

static int parse_line(struct reader *rd)
{
	static const char bom[] = "\xef\xbb\xbf";
	size_t skip = rd->lineno == 1 && !strncmp(rd->line, bom, 3) ? 3 : 0;
	char where[300];
	struct nt_get g = { rd->e, where };
	json_error_t je;
	json_t *line;
	int err;

	snprintf(where, sizeof(where), "%.270s:%lu", rd->path, rd->lineno);
	line = json_loadb(rd->line + skip, rd->len - skip, JSON_REJECT_DUPLICATES, &je);
	if (!line && !rd->whole && rd->nruns)
		return 0;	/* the line being written when the run was cut short */
	if (!line)
		return not_json(rd, &je, where);
	err = use_line(rd, &g, line);
	json_decref(line);
	return err;
}

static int read_lines(struct reader *rd)
{
	int err;

	while ((err = next_line(rd)) > 0) {
		err = is_blank(rd) ? 0 : parse_line(rd);
		if (err)
			return err;
	}
	if (err)
		return err;
	if (!rd->lineno)
		return nt_fail(rd->e, -EINVAL, "%s: empty", rd->path);
	if (!rd->nruns)
		return nt_fail(rd->e, -EINVAL, "%s: not a numatrace record: no header", rd->path);
	return 0;
}

int nt_record_stream(const char *path, const struct nt_record_sink *sink, bool *damaged,
		     struct nt_error *e)
{
	struct reader *rd = calloc(1, sizeof(*rd));
	int err;

	*damaged = false;
	if (!rd)
		return nt_fail(e, -ENOMEM, "%s: out of memory", path);
	*rd = (struct reader){ .path = path, .e = e, .sink = sink };
	err = nt_infile_open(&rd->file, path);
	if (err) {
		err = nt_fail(e, err, "%s: %s", path, strerror(-err));
		goto out;
	}
	err = read_lines(rd);
	if (err && rd->nruns && !rd->sink_err) {
		*damaged = true;
		err = 0;
	}
	if (rd->in_run && !err)
		err = give_run(rd, NULL);
out:
	nt_infile_close(rd->file);
	nt_run_free(&rd->run);
	free(rd->line);
	free(rd);
	return err;
}

struct list {
	struct nt_run *run;
	size_t n;
};

static int keep_run(void *arg, struct nt_run *r, const json_t *end)
{
	struct list *l = arg;
	struct nt_run *run = realloc(l->run, (l->n + 1) * sizeof(*run));

	(void)end;
	if (!run)
		return -ENOMEM;
	l->run = run;
	run[l->n++] = *r;
	memset(r, 0, sizeof(*r));
	return 0;
}

int nt_record_read(const char *path, struct nt_run **runs, size_t *n, struct nt_error *e)
{
	struct list l = { 0 };
	const struct nt_record_sink sink = { .samples = true, .run = keep_run, .arg = &l };
	bool damaged;
	int err = nt_record_stream(path, &sink, &damaged, e);

	*runs = NULL;
	*n = 0;
	if (!err && damaged)
		err = nt_run_note(&l.run[l.n - 1], "%s; what comes before this line is shown",
				  e->msg);
	if (err) {
		nt_records_free(l.run, l.n);
		return err;
	}
	*runs = l.run;
	*n = l.n;
	return 0;
}

void nt_records_free(struct nt_run *runs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		nt_run_free(&runs[i]);
	free(runs);
}
