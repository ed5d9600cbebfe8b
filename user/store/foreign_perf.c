// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat -j: a run is the counts of its events, with -I their sum over the intervals. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/foreign.h"
#include "store/json_get.h"

/* The members that say of what part of the machine a count is, in the order of their nesting. */
static const char *const places[] = {
	"socket", "die", "cluster", "cache", "core", "cpu", "node", "thread", "cgroup",
};

/* One event in one place. */
struct event {
	size_t place;		/* length of its key before "total." */
	double total;		/* of the intervals that are complete */
	double now;		/* of the interval being read */
	double seen;		/* when it was read last: time of the interval; NAN: not yet */
	bool complete;		/* it is in an interval that is complete */
	bool uncounted;		/* in some interval: its sum would be short */
};

struct perf {
	struct nt_lines *in;
	struct nt_results *s;
	int side;
	struct nt_kvs key;	/* [n] names of the events; value: number in event */
	struct event *event;
	size_t hint;
	double time;		/* of the interval being read; 0: no -I */
	double complete;	/* of the last one that is complete */
	size_t runs;
	bool scaled, repeated;	/* to be said in a note */
};

static int no_memory(struct perf *p)
{
	return nt_fail(p->in->e, -ENOMEM, "%.300s: out of memory", p->in->path);
}

/* perf prints the count as a string: a number, or "<not counted>" and the like, which is NAN. */
static int get_count(struct nt_get *g, const json_t *line, double *out)
{
	const json_t *v = json_object_get(line, "counter-value");
	const char *s = json_string_value(v);
	char *end;

	*out = NAN;
	if (json_is_number(v)) {
		*out = json_number_value(v);
		return 0;
	}
	if (!s)
		return nt_get_wrong(g, "counter-value", "a number", v);
	if (s[0] == '<')
		return 0;
	*out = strtod(s, &end);
	if (end != s && !*end && isinf(*out))
		return nt_fail(g->e, -EINVAL, "%s: counter-value '%.40s' is infinite", g->where, s);
	if (end == s || *end || !isfinite(*out) || strlen(s) != strspn(s, "0123456789.+-e"))
		return nt_fail(g->e, -EINVAL, "%s: counter-value is no number; perf prints one "
			       "under LC_ALL=C", g->where);
	return 0;
}

/*
 * "N0" is node0, as other metrics name it; "S0-D0" and the like stay. A cgroup can have any name,
 * "total" as well, so it says that it is one.
 */
static int append_place(char **name, const char *member, const char *value)
{
	bool letter = value[0] == 'N' && !strcmp(member, "node");
	const char *label = letter || !strcmp(member, "cpu") ? member : "";
	char *longer;

	if (!strcmp(member, "cgroup"))
		label = "cgroup:";
	if (asprintf(&longer, "%s%s%s.", *name, label, value + letter) < 0)
		return -ENOMEM;
	free(*name);
	*name = longer;
	return 0;
}

/*
 * "perf-stat.total.EVENT", or "perf-stat.node0.total.EVENT"; *place: how long it is before
 * "total.". NULL: out of memory.
 */
static char *key_of(const json_t *line, const char *event, size_t *place)
{
	char *name = strdup("perf-stat."), *key = NULL;
	size_t i;
	int err = name ? 0 : -ENOMEM;

	for (i = 0; !err && i < sizeof(places) / sizeof(places[0]); i++) {
		const char *v = json_string_value(json_object_get(line, places[i]));

		if (v)
			err = append_place(&name, places[i], v);
	}
	if (err || asprintf(&key, "%stotal.%s", name, event) < 0)
		key = NULL;
	*place = name ? strlen(name) : 0;
	free(name);
	return key;
}

static struct event *find_event(struct perf *p, const char *key, size_t place)
{
	const struct nt_kv *kv = nt_kvs_near(&p->key, key, p->hint);
	size_t i = kv ? (size_t)(kv - p->key.v) : p->key.n;
	struct event *e;

	if (!kv) {
		e = reallocarray(p->event, i + 1, sizeof(*e));
		if (!e)
			return NULL;
		p->event = e;
		if (nt_kvs_append(&p->key, key, 0))
			return NULL;
		e[i] = (struct event){ .place = place, .seen = NAN };
	}
	p->hint = i + 1;
	return &p->event[i];
}

/* The interval is complete: its counts are part of the totals. */
static void close_interval(struct perf *p)
{
	struct event *e = p->event;
	size_t i;

	for (i = 0; e && i < p->key.n; i++) {
		e[i].total += e[i].now;
		e[i].now = 0;
		e[i].complete |= !isnan(e[i].seen);
	}
	p->complete = p->time;
}

static int take_time(struct perf *p, struct nt_get *g, const json_t *line)
{
	double t = 0;
	int err = nt_get_real(g, line, "interval", &t);

	if (err)
		return err;
	if (t < p->time || (t > 0 && p->key.n && p->time <= 0))
		return nt_fail(g->e, -EINVAL, "%s: time goes back: runs need a file each, or "
			       "perf's line \"# started on\" between them", g->where);
	if (t > p->time)
		close_interval(p);
	p->time = t;
	return 0;
}

/*
 * "<not counted>" in an interval, though running as long as enabled (pcnt-running 100): it was
 * not enabled, because the task did not run, so there was nothing to count. An event
 * that had no counter has pcnt-running 0 (perf's print_running_json(), v6.1).
 */
static bool was_off(const json_t *line)
{
	const char *s = json_string_value(json_object_get(line, "counter-value"));

	return s && !strcmp(s, "<not counted>");
}

static int take_count(struct perf *p, struct nt_get *g, const json_t *line, const char *name)
{
	double share = 100, count;
	struct event *e;
	size_t place;
	char *key;
	int err = nt_get_real(g, line, "pcnt-running", &share);

	err = err ? err : get_count(g, line, &count);
	if (err)
		return err;
	key = key_of(line, name, &place);
	e = key ? find_event(p, key, place) : NULL;
	free(key);
	if (!e)
		return no_memory(p);
	if (isnan(count) && p->time > 0 && share >= 100 && was_off(line))
		count = 0;
	if (e->seen == p->time)
		return nt_fail(g->e, -EINVAL, "%s: event '%.60s' twice in one run: runs need a "
			       "file each, or perf's line \"# started on\" between them",
			       g->where, name);
	e->seen = p->time;
	e->uncounted |= isnan(count);
	e->now = isnan(count) ? 0 : count;
	p->scaled |= !e->uncounted && share < 100;
	p->repeated |= json_object_get(line, "variance") != NULL;
	return 0;
}

static int put_event(struct perf *p, size_t i)
{
	const struct event *e = &p->event[i];
	const char *key = p->key.v[i].key;
	char *rate;
	int err;

	if (e->uncounted || !e->complete)
		return 0;
	err = nt_results_put(p->s, key, e->total);
	if (err || p->complete <= 0)
		return err;
	/* The robot's name for a count per second of the whole run. */
	if (asprintf(&rate, "%.*sps.%s", (int)e->place, key,
		     key + e->place + strlen("total.")) < 0)
		return -ENOMEM;
	err = nt_results_put(p->s, rate, e->total / p->complete);
	free(rate);
	return err;
}

static void forget_run(struct perf *p)
{
	nt_kvs_free(&p->key);
	free(p->event);
	p->event = NULL;
	p->hint = 0;
	p->time = p->complete = 0;
}

/* The counts of a run are all here; whole: those of its last interval, too. */
static int end_run(struct perf *p, bool whole)
{
	struct nt_run none = { 0 };
	const struct event *e = p->event;
	size_t i, counted = 0;
	int err;

	if (whole || p->time <= 0)
		close_interval(p);
	for (i = 0; e && i < p->key.n; i++)
		counted += e[i].complete && !e[i].uncounted;
	if (!counted) {
		forget_run(p);
		return 0;
	}
	err = nt_results_begin(p->s, p->side);
	if (!err) {
		nt_results_last(p->s)->foreign = true;
		p->runs++;
	}
	for (i = 0; !err && i < p->key.n; i++)
		err = put_event(p, i);
	if (!err)
		err = nt_results_set_head(p->s, &none);
	forget_run(p);
	return err ? nt_fail(p->in->e, err, "%.300s: %s", p->in->path, strerror(-err)) : 0;
}

static int take_line(struct perf *p)
{
	char where[330];
	struct nt_get g = { p->in->e, where };
	const char *name;
	json_error_t je;
	json_t *line;
	int err;

	snprintf(where, sizeof(where), "%.300s:%lu", p->in->path, p->in->lineno);
	line = nt_foreign_json(p->in->line, p->in->len, &je);
	if (!line)
		return nt_fail(g.e, -EINVAL, "%s: not JSON: %.*s", where, nt_json_reason_len(&je),
			       je.text);
	name = json_string_value(json_object_get(line, "event"));
	if (!json_is_object(line))
		err = nt_get_wrong(&g, "perf stat", "an object a line", line);
	else if (!name || !json_object_get(line, "counter-value"))
		err = 0;	/* a metric that perf computed; its unit changes with its size */
	else
		err = take_time(p, &g, line);
	if (!err && name && json_object_get(line, "counter-value"))
		err = take_count(p, &g, line, name);
	json_decref(line);
	return err;
}

/* What perf stat -o writes first parts the runs that --append put into one file. */
static int take_text(struct perf *p)
{
	if (p->in->line[0] != '#')
		return take_line(p);
	return strncmp(p->in->line, "# started on", 12) ? 0 : end_run(p, true);
}

/* 0 at the end of the file; the sentence of an error is in the lines' e. */
static int take_lines(struct perf *p)
{
	int err = 0;

	while (!err && (err = nt_lines_next_text(p->in)) > 0)
		err = take_text(p);
	return err;
}

static int say(struct perf *p)
{
	int err = 0;

	if (p->scaled)
		err = nt_results_note(p->s, "%.300s: perf had more events than counters; some "
				      "counts are its extrapolations", p->in->path);
	if (!err && p->repeated)
		err = nt_results_note(p->s, "%.300s: means of perf stat -r: one run here, its "
				      "spread is not known", p->in->path);
	return err ? no_memory(p) : 0;
}

int nt_foreign_perf(struct nt_lines *in, int side, struct nt_results *s)
{
	struct perf p = { .in = in, .s = s, .side = side };
	int bad = take_lines(&p), err = 0;

	if (!bad || p.key.n)
		err = end_run(&p, !bad);
	if (!err && !p.runs)
		err = bad ? bad : nt_fail(in->e, -EINVAL, "%.300s: perf stat's output without a "
					  "counted event", in->path);
	else if (!err && bad && nt_results_note(s, "%s; what comes before this line is used",
						in->e->msg))
		err = no_memory(&p);
	forget_run(&p);
	return err ? err : say(&p);
}
