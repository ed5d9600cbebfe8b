// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/record_json.h"
#include "store/record_parse.h"

struct reader {
	struct nt_lines *in;
	struct nt_error *e;
	const struct nt_record_sink *sink;
	struct nt_run run;	/* the one being read */
	bool in_run;		/* its header was read, its end was not */
	unsigned long header;	/* the line of that */
	bool can_reread;	/* the file can be opened once more */
	bool skipped;		/* samples of the run were not read */
	struct nt_span metrics;	/* of the end line, if not in the JSON of it */
	struct nt_quick quick;
	char *small;		/* an end line without counters and metrics */
	size_t room;		/* for it */
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

/* What an end line would have said, as far as the samples tell. */
static int sum_sample(struct nt_get *g, struct nt_run *r, struct nt_sample *s)
{
	r->ru.elapsed = fmax(r->ru.elapsed, s->t);	/* those skipped come later */
	if (nt_counters_add(&r->total, &s->c) ||
	    nt_queue_stats_add(&r->queues, &s->queues, r->topo.nnodes))
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
	nt_sample_queues_free(&s.queues);
	return err;
}

/* A sample of the run that has no end, and so must be added up after all. */
static int add_skipped(struct reader *rd, struct nt_lines *in)
{
	char where[300];
	struct nt_get g = { rd->e, where };
	json_error_t je;
	json_t *line;
	int err = 0;

	if (!in->whole || !nt_quick_sample(in->line, in->len))
		return 0;
	snprintf(where, sizeof(where), "%.270s:%lu", in->path, in->lineno);
	line = json_loadb(in->line, in->len, JSON_REJECT_DUPLICATES, &je);
	err = line ? use_sample(rd, &g, line) : not_json(rd, &je, where);
	json_decref(line);
	return err;
}

static int reread_samples(struct reader *rd)
{
	struct nt_lines in;
	unsigned long end = rd->in->lineno;
	int err = nt_lines_open(&in, rd->in->path, rd->e);

	rd->skipped = false;
	while (!err && in.lineno < end) {
		err = nt_lines_next(&in);
		if (err <= 0)
			break;
		err = in.lineno > rd->header ? add_skipped(rd, &in) : 0;
	}
	nt_lines_close(&in);
	return err;
}

/* The run is complete, or as complete as it will be. */
static int give_run(struct reader *rd, const json_t *end)
{
	int err = !end && rd->skipped ? reread_samples(rd) : 0;

	if (err)
		return err;
	if (!end)
		rd->metrics = (struct nt_span){ 0 };
	rd->in_run = false;
	rd->sink_err = rd->sink->run(rd->sink->arg, &rd->run, end, &rd->metrics);
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
	rd->header = rd->in->lineno;
	rd->skipped = false;
	rd->nruns++;
	return 0;
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

/* The line without what a comparison does not need or gets elsewhere; NULL: out of memory. */
static char *make_small(struct reader *rd, const struct nt_span *counters, size_t *len)
{
	static const char nothing[] = "{\"nodes\":[]}", none[] = "{}";
	const char *line = rd->in->line, *past = counters->at + counters->len;
	const char *rest = rd->metrics.at + rd->metrics.len;
	char *grown, *p;

	if (rd->room < rd->in->len + sizeof(nothing)) {
		grown = realloc(rd->small, rd->in->len + sizeof(nothing));
		if (!grown)
			return NULL;
		rd->small = grown;
		rd->room = rd->in->len + sizeof(nothing);
	}
	p = mempcpy(rd->small, line, (size_t)(counters->at - line));
	p = mempcpy(p, nothing, strlen(nothing));
	p = mempcpy(p, past, (size_t)(rd->metrics.at - past));
	p = mempcpy(p, none, strlen(none));
	p = mempcpy(p, rest, (size_t)(line + rd->in->len - rest));
	*len = (size_t)(p - rd->small);
	return rd->small;
}

static json_t *load_line(struct reader *rd, json_error_t *je)
{
	const char *text = rd->in->line;
	size_t len = rd->in->len;
	struct nt_span counters;

	rd->metrics = (struct nt_span){ 0 };
	if (rd->sink->metrics_do && nt_quick_end(&rd->quick, text, len, &counters, &rd->metrics)) {
		json_t *line = NULL;

		text = make_small(rd, &counters, &len);
		if (text)
			line = json_loadb(text, len, JSON_REJECT_DUPLICATES, je);
		if (line)
			return line;
		text = rd->in->line;	/* what is wrong the whole line shows best */
		len = rd->in->len;
		rd->metrics = (struct nt_span){ 0 };
	}
	return json_loadb(text, len, JSON_REJECT_DUPLICATES, je);
}

static int parse_line(struct reader *rd)
{
	char where[300];
	struct nt_get g = { rd->e, where };
	json_error_t je;
	json_t *line;
	int err;

	if (rd->can_reread && rd->in_run && rd->in->whole &&
	    nt_quick_sample(rd->in->line, rd->in->len)) {
		rd->skipped = true;
		return 0;
	}
	snprintf(where, sizeof(where), "%.270s:%lu", rd->in->path, rd->in->lineno);
	line = load_line(rd, &je);
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

/* A run that stops before its end. Damage may show only now, when its samples are read. */
static int give_last(struct reader *rd, bool *damaged)
{
	int err = give_run(rd, NULL);

	if (err && !rd->sink_err) {
		*damaged = true;
		err = give_run(rd, NULL);
	}
	return err;
}

int nt_record_stream(struct nt_lines *in, const struct nt_record_sink *sink, bool *damaged)
{
	struct reader rd = { .in = in, .e = in->e, .sink = sink };
	struct stat st;
	int err;

	rd.can_reread = sink->metrics_do && strcmp(in->path, "-") && !stat(in->path, &st) &&
			S_ISREG(st.st_mode);
	err = read_lines(&rd);
	*damaged = false;
	if (err && rd.nruns && !rd.sink_err) {
		*damaged = true;
		err = 0;
	}
	if (rd.in_run && !err)
		err = give_last(&rd, damaged);
	nt_run_free(&rd.run);
	nt_quick_free(&rd.quick);
	free(rd.small);
	return err;
}

struct list {
	struct nt_run *run;
	size_t n;
};

static int keep_run(void *arg, struct nt_run *r, const json_t *end, const struct nt_span *metrics)
{
	struct list *l = arg;
	struct nt_run *run = realloc(l->run, (l->n + 1) * sizeof(*run));

	(void)end;
	(void)metrics;
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

/* The last run is held back: damage found after it is noted in it. */
struct each {
	int (*fn)(void *arg, struct nt_run *r);
	void *arg;
	struct nt_run held;
	bool holds;
};

static int hand_out(struct each *each)
{
	int err = each->holds ? each->fn(each->arg, &each->held) : 0;

	nt_run_free(&each->held);
	each->holds = false;
	return err;
}

static int hold_run(void *arg, struct nt_run *r, const json_t *end, const struct nt_span *metrics)
{
	struct each *each = arg;
	int err = hand_out(each);

	(void)end;
	(void)metrics;
	if (err)
		return err;
	each->held = *r;
	each->holds = true;
	memset(r, 0, sizeof(*r));
	return 0;
}

int nt_record_each(const char *path, int (*fn)(void *arg, struct nt_run *r), void *arg,
		   struct nt_error *e)
{
	struct each each = { .fn = fn, .arg = arg };
	const struct nt_record_sink sink = { .run = hold_run, .arg = &each };
	bool damaged = false;
	struct nt_lines in;
	int err = nt_lines_open(&in, path, e);

	if (!err)
		err = nt_record_stream(&in, &sink, &damaged);
	nt_lines_close(&in);
	if (!err && damaged)
		err = nt_run_note(&each.held, "%s; what comes before this line is shown", e->msg);
	if (damaged)
		e->msg[0] = '\0';
	if (!err)
		err = hand_out(&each);
	nt_run_free(&each.held);
	return err;
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
