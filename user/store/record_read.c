// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/record_json.h"
#include "store/record_parse.h"

struct reader {
	struct nt_lines *in;
	struct nt_error *e;
	const struct nt_record_sink *sink;
	struct nt_run run;	/* the one being read */
	bool in_run;		/* its header was read, its end was not */
	size_t nruns;
	int sink_err;
};

static int check_schema(struct nt_get *g, const json_t *line)
{
	const char *s = json_string_value(json_object_get(line, "schema"));
	size_t len = strlen(NT_SCHEMA);

	if (!s || strncmp(s, "numatrace/", 10))
		return nt_fail(g->e, -EINVAL, "%s: not a numatrace record", g->where);
	if (!strncmp(s, NT_SCHEMA, len) && (!s[len] || s[len] == '.'))
		return 0;
	return nt_fail(g->e, -EINVAL, "%s: schema %.40s: this numatrace reads %s", g->where, s,
		       NT_SCHEMA);
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
	if (!err && !rd->sink->samples)
		rd->run.forgotten++;
	else if (!err && nt_run_add_sample(&rd->run, &s))
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
	char where[300];
	struct nt_get g = { rd->e, where };
	json_error_t je;
	json_t *line;
	int err;

	snprintf(where, sizeof(where), "%.270s:%lu", rd->in->path, rd->in->lineno);
	line = json_loadb(rd->in->line, rd->in->len, JSON_REJECT_DUPLICATES, &je);
	if (!line && !rd->in->whole && rd->nruns)
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

	while ((err = nt_lines_next_text(rd->in)) > 0) {
		err = parse_line(rd);
		if (err)
			return err;
	}
	if (err)
		return err;
	if (!rd->in->lineno)
		return nt_fail(rd->e, -EINVAL, "%s: empty", rd->in->path);
	if (!rd->nruns)
		return nt_fail(rd->e, -EINVAL, "%s: not a numatrace record: no header",
			       rd->in->path);
	return 0;
}

int nt_record_stream(struct nt_lines *in, const struct nt_record_sink *sink, bool *damaged)
{
	struct reader rd = { .in = in, .e = in->e, .sink = sink };
	int err = read_lines(&rd);

	*damaged = false;
	if (err && rd.nruns && !rd.sink_err) {
		*damaged = true;
		err = 0;
	}
	if (rd.in_run && !err)
		err = give_run(&rd, NULL);
	nt_run_free(&rd.run);
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

static int read_file(const char *path, bool samples, struct nt_run **runs, size_t *n,
		     struct nt_error *e)
{
	struct list l = { 0 };
	const struct nt_record_sink sink = { .samples = samples, .run = keep_run, .arg = &l };
	bool damaged = false;
	struct nt_lines in;
	int err = nt_lines_open(&in, path, e);

	*runs = NULL;
	*n = 0;
	if (!err)
		err = nt_record_stream(&in, &sink, &damaged);
	nt_lines_close(&in);
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

int nt_record_read(const char *path, struct nt_run **runs, size_t *n, struct nt_error *e)
{
	return read_file(path, true, runs, n, e);
}

int nt_record_read_totals(const char *path, struct nt_run **runs, size_t *n, struct nt_error *e)
{
	return read_file(path, false, runs, n, e);
}

void nt_records_free(struct nt_run *runs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		nt_run_free(&runs[i]);
	free(runs);
}
