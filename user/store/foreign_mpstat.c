// SPDX-License-Identifier: GPL-2.0-or-later
/* mpstat -o JSON: a run is the mean of its intervals, by their length. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/foreign.h"
#include "store/json_get.h"

#define DAY	86400

/* Where the intervals are: {"sysstat": {"hosts": [{"statistics": [{}, {}]}]}}. */
static const char nesting[] = "{{[{[";
static const char closing[] = "]}]}}";

/* A table of the output, and how its rows are named. */
static const struct {
	const char *list, *row;
} tables[] = {
	{ "node-load", "node" },
	{ "cpu-load", "cpu" },
};

static const char *const columns[] = {
	"usr", "nice", "sys", "iowait", "irq", "soft", "steal", "guest", "gnice", "idle",
};

struct mean {
	struct nt_get g;
	struct nt_kvs sum;	/* of value times weight */
	struct nt_kvs weight;	/* the same keys in the same order */
	size_t hint;		/* place of the key expected next */
	size_t wild;		/* values that are no percentage */
};

/* A text up to which brackets and strings were followed. */
struct scan {
	char open[sizeof(nesting) - 1];
	size_t depth;
	bool string, escape;
};

static void scan_char(struct scan *s, char c)
{
	if (s->escape) {
		s->escape = false;
	} else if (s->string) {
		s->escape = c == '\\';
		s->string = c != '"';
	} else if (c == '"') {
		s->string = true;
	} else if (c == '{' || c == '[') {
		if (s->depth < sizeof(s->open))
			s->open[s->depth] = c;
		s->depth++;
	} else if ((c == '}' || c == ']') && s->depth) {
		s->depth--;
	}
}

/* Is this the end of an interval? */
static bool ends_interval(const struct scan *s, char c)
{
	return c == '}' && !s->string && s->depth == sizeof(s->open) &&
	       !memcmp(s->open, nesting, sizeof(s->open));
}

/* Offset behind interval number n, or behind the last one if there are not so many; 0: none. */
static size_t end_of_interval(const char *text, size_t len, size_t n)
{
	struct scan s = { .depth = 0 };
	size_t end = 0, i;

	for (i = 0; i < len && n; i++) {
		scan_char(&s, text[i]);
		if (ends_interval(&s, text[i])) {
			end = i + 1;
			n--;
		}
	}
	return end;
}

bool nt_is_mpstat(const struct nt_doc *d)
{
	static const char begin[] = "{\"sysstat\":";
	size_t i, k = 0;

	for (i = 0; begin[k] && i < d->len; i++) {
		if (isspace((unsigned char)d->text[i]))
			continue;
		if (d->text[i] != begin[k++])
			return false;
	}
	return !begin[k];
}

/* "05:54:04", "05:54:04 PM" or seconds of an epoch; -1: something else. */
static double time_of_day(const char *s)
{
	int h, m, sec, n = 0;
	char half = 0;

	if (!s)
		return -1;
	if (s[0] && strspn(s, "0123456789") == strlen(s))
		return strtod(s, NULL);
	if (sscanf(s, "%2d:%2d:%2d%n", &h, &m, &sec, &n) != 3 || h < 0 || m < 0 || sec < 0)
		return -1;
	if (sscanf(s + n, " %c", &half) == 1 && (half == 'A' || half == 'P'))
		h = h % 12 + (half == 'P' ? 12 : 0);
	return h * 3600.0 + m * 60 + sec;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The middle one of n > 0 values. */
static double median(const double *v, size_t n)
{
	double *copy = malloc(n * sizeof(*copy)), m = NAN;

	if (!copy)
		return NAN;
	memcpy(copy, v, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), by_value);
	m = copy[n / 2];
	free(copy);
	return m;
}

/*
 * Lengths of the intervals. The clock has whole seconds, so a second more or less is no difference;
 * more is one (mpstat was stopped, the machine slept). The first one's beginning is
 * in no file: it is taken to be like the others. Without times all count alike.
 */
static int find_weights(const json_t *list, double *w)
{
	size_t n = json_array_size(list), i;
	double before = 0, usual = 1;
	bool known = n > 1;

	for (i = 0; i < n; i++) {
		const json_t *stamp = json_object_get(json_array_get(list, i), "timestamp");
		double t = time_of_day(json_string_value(stamp));

		w[i] = t < before ? t + DAY - before : t - before;
		known = known && t >= 0 && (!i || w[i] <= DAY);
		before = t;
	}
	if (known)
		usual = median(w + 1, n - 1);
	if (isnan(usual))
		return -ENOMEM;
	usual = fmax(usual, 1);
	for (i = 0; i < n; i++)
		if (!known || !i || fabs(w[i] - usual) <= 1)
			w[i] = usual;
	return 0;
}

static int add(struct mean *m, const char *key, double value, double weight)
{
	const struct nt_kv *kv = nt_kvs_near(&m->sum, key, m->hint);
	size_t i = kv ? (size_t)(kv - m->sum.v) : m->sum.n;

	/* Some releases of mpstat let a counter that steps back become a huge share. */
	if (value < 0 || value > 101) {
		m->wild++;
		return 0;
	}
	if (!kv && (nt_kvs_append(&m->sum, key, 0) || nt_kvs_append(&m->weight, key, 0)))
		return nt_fail(m->g.e, -ENOMEM, "%s: out of memory", m->g.where);
	m->sum.v[i].value += value * weight;
	m->weight.v[i].value += weight;
	m->hint = i + 1;
	return 0;
}

/* "all" or a number; old releases call all CPUs -1. */
static const char *row_name(const json_t *v)
{
	const char *s = json_string_value(v);

	if (!s || !strcmp(s, "all") || !strcmp(s, "-1"))
		return s ? "all" : NULL;
	return *s && strlen(s) < 10 && strspn(s, "0123456789") == strlen(s) ? s : NULL;
}

static int add_row(struct mean *m, size_t table, json_t *row, double weight)
{
	const char *name = row_name(json_object_get(row, tables[table].row));
	char key[64];
	size_t i;
	int err = 0;

	if (!name)
		return nt_get_wrong(&m->g, tables[table].row, "\"all\" or a number in a string",
				    json_object_get(row, tables[table].row));
	for (i = 0; !err && i < sizeof(columns) / sizeof(columns[0]); i++) {
		double v = NAN;

		err = nt_get_real(&m->g, row, columns[i], &v);
		snprintf(key, sizeof(key), "mpstat.%s.%s.%s%%", tables[table].row, name,
			 columns[i]);
		if (!err && !isnan(v))
			err = add(m, key, v, weight);
	}
	return err;
}

static int add_interval(struct mean *m, const json_t *interval, double weight)
{
	json_t *rows, *row;
	size_t t, i;
	int err;

	if (!json_is_object(interval))
		return nt_get_wrong(&m->g, "statistics", "objects", interval);
	for (t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		err = nt_get_array(&m->g, interval, tables[t].list, &rows);
		if (err)
			return err;
		json_array_foreach(rows, i, row) {
			err = add_row(m, t, row, weight);
			if (err)
				return err;
		}
	}
	return 0;
}

/* before: intervals of the hosts before this one, which tell the line of an error. */
static int add_intervals(struct mean *m, const struct nt_doc *d, json_t *list, size_t before)
{
	size_t n = json_array_size(list), i;
	double *w = nt_get_alloc(&m->g, n, sizeof(*w));
	char where[330];
	int err = w ? find_weights(list, w) : -ENOMEM;

	for (i = 0; !err && i < n; i++) {
		err = add_interval(m, json_array_get(list, i), w[i]);
		if (!err)
			continue;
		/* Once more for the sentence: to count lines for each interval would take long. */
		snprintf(where, sizeof(where), "%.300s:%lu", d->path,
			 nt_doc_line(d, end_of_interval(d->text, d->len, before + i + 1)));
		m->g.where = where;
		add_interval(m, json_array_get(list, i), w[i]);
	}
	free(w);
	return err;
}

static int put_means(const struct mean *m, const struct nt_doc *d, struct nt_results *s)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < m->sum.n; i++)
		err = nt_results_put(s, m->sum.v[i].key,
				     m->sum.v[i].value / m->weight.v[i].value);
	if (!err && m->wild)
		err = nt_results_note(s, "%.300s: %zu values are no percentage and are left out",
				      d->path, m->wild);
	return err ? nt_fail(d->e, err, "%.300s: %s", d->path, strerror(-err)) : 0;
}

/* What mpstat says of the machine. */
static int put_head(struct nt_get *g, const json_t *host, struct nt_results *s)
{
	struct nt_run head = { 0 };
	double cpus = 0;
	int err = nt_get_str(g, host, "release", &head.kernel);

	if (!err)
		err = nt_get_str(g, host, "nodename", &head.hostname);
	if (!err)
		err = nt_get_str(g, host, "machine", &head.machine);
	if (!err)
		err = nt_get_real(g, host, "number-of-cpus", &cpus);
	if (!err && cpus >= 0 && cpus < INT_MAX)
		head.topo.cpus_online = (int)cpus;
	if (!err && nt_results_set_head(s, &head))
		err = nt_fail(g->e, -ENOMEM, "%s: out of memory", g->where);
	nt_run_free(&head);
	return err;
}

static int add_run(const struct mean *m, const struct nt_doc *d, const json_t *host, int side,
		   struct nt_results *s)
{
	struct nt_get g = m->g;
	int err;

	if (!m->sum.n)
		return nt_fail(d->e, -EINVAL, "%.300s: mpstat's output without a percentage of a "
			       "CPU or node; mpstat -N ALL prints those of nodes", d->path);
	err = nt_results_begin(s, side);
	if (err)
		return nt_fail(d->e, err, "%.300s: %s", d->path, strerror(-err));
	nt_results_last(s)->foreign = true;
	err = put_head(&g, host, s);
	return err ? err : put_means(m, d, s);
}

static int read_hosts(const struct nt_doc *d, const json_t *root, int side, struct nt_results *s)
{
	json_t *top, *hosts, *host, *list;
	struct nt_get g = { d->e, d->path };
	size_t i, seen = 0;
	int err = nt_get_object(&g, root, "sysstat", &top);

	if (!err)
		err = nt_get_array(&g, top, "hosts", &hosts);
	if (!err && !json_array_size(hosts))
		err = nt_fail(d->e, -EINVAL, "%.300s: mpstat's output without a host", d->path);
	for (i = 0; !err && i < json_array_size(hosts); i++) {
		struct mean m = { .g = g };

		host = json_array_get(hosts, i);
		err = nt_get_array(&g, host, "statistics", &list);
		if (!err)
			err = add_intervals(&m, d, list, seen);
		if (!err)
			err = add_run(&m, d, host, side, s);
		seen += json_array_size(list);
		nt_kvs_free(&m.sum);
		nt_kvs_free(&m.weight);
	}
	return err;
}

/* The text up to its last whole interval, closed as mpstat would have. */
static json_t *repair(struct nt_doc *d, size_t offset, size_t *intervals)
{
	json_error_t je;
	size_t end, len = offset < d->len ? offset : d->len;
	json_t *root, *list;
	char *text;

	end = end_of_interval(d->text, len, SIZE_MAX);
	text = end ? malloc(end + sizeof(closing)) : NULL;
	if (!text)
		return NULL;
	memcpy(text, d->text, end);
	memcpy(text + end, closing, sizeof(closing));
	root = nt_foreign_json(text, end + sizeof(closing) - 1, &je);
	free(text);
	list = json_object_get(json_object_get(root, "sysstat"), "hosts");
	list = json_array_get(list, json_array_size(list) - 1);
	*intervals = json_array_size(json_object_get(list, "statistics"));
	return root;
}

int nt_foreign_mpstat(struct nt_doc *d, const char *why, size_t offset, int side,
		      struct nt_results *s)
{
	unsigned long line;
	size_t n = 0;

	if (d->root)
		return read_hosts(d, d->root, side, s);
	line = nt_doc_line(d, offset < d->len ? offset : d->len - 1);
	d->root = repair(d, offset, &n);
	if (!d->root)
		return nt_fail(d->e, -EINVAL, "%.300s:%lu: mpstat's output, %s before the "
			       "end of its first interval", d->path, line, why);
	if (nt_results_note(s, "%.300s:%lu: mpstat's output, %s; the %zu whole intervals before "
			    "are used", d->path, line, why, n))
		return nt_fail(d->e, -ENOMEM, "%.300s: out of memory", d->path);
	return read_hosts(d, d->root, side, s);
}
