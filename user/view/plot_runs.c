// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/plot_runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/series.h"
#include "view/plot.h"
#include "view/section.h"

#define SPARK_WIDTH	40
#define MAX_CLOSE	3

/* What is plotted of one run. */
struct track {
	double value;		/* over the whole run; NAN: absent */
	double *v;		/* [n] by sample */
	size_t n;
	size_t present;		/* samples that have it */
	double min, max;
};

static int no_memory(struct nt_error *e)
{
	return nt_fail(e, -ENOMEM, "%s", strerror(ENOMEM));
}

/* Whole-run value of the metric; all is left for the names of its neighbours. */
static int take_value(const struct nt_run *r, const char *key, struct track *t,
		      struct nt_kvs *all)
{
	const struct nt_kv *kv;
	int err;

	nt_kvs_free(all);
	err = nt_run_metrics(r, all);
	kv = nt_kvs_find(all, key);
	t->value = kv ? kv->value : NAN;
	return err;
}

static int take_samples(const struct nt_run *r, const char *key, struct track *t)
{
	size_t i;
	int err;

	t->v = calloc(r->nsamples ? r->nsamples : 1, sizeof(*t->v));
	if (!t->v)
		return -ENOMEM;
	t->n = r->nsamples;
	err = nt_metric_series(r, key, t->v);
	for (i = 0; !err && i < t->n; i++) {
		if (isnan(t->v[i]))
			continue;
		t->min = t->present ? fmin(t->min, t->v[i]) : t->v[i];
		t->max = t->present ? fmax(t->max, t->v[i]) : t->v[i];
		t->present++;
	}
	return err;
}

int nt_unknown_metric(const struct nt_kvs *all, const char *key, const char *option,
		      struct nt_error *e)
{
	const char *close[MAX_CLOSE];
	size_t n = nt_close_keys(all, key, close, MAX_CLOSE), i;
	struct nt_words w = { 0 };
	char *name = nt_safe(key);

	for (i = 0; i < n; i++) {
		char *c = nt_safe(close[i]);

		nt_words_add(&w, "%s", c ? c : "");
		free(c);
	}
	nt_fail(e, -ENOENT, "no metric '%.80s' here%s%.240s; %s lists them all",
		name ? name : "", w.n ? "; close to it: " : "", w.n && w.text ? w.text : "",
		option);
	free(w.text);
	free(name);
	return -ENOENT;
}

static void print_track(FILE *out, const struct track *t, size_t number, bool utf8)
{
	char min[32], max[32], all[32];

	if (!t->present)
		return;
	fputs("  ", out);
	if (number)
		fprintf(out, "run %-4zu ", number);
	nt_sparkline(out, t->v, t->n, SPARK_WIDTH, utf8);
	fprintf(out, "  %zu sample%s, %s to %s", t->present, t->present == 1 ? "" : "s",
		nt_cell_number(min, sizeof(min), t->min), nt_cell_number(max, sizeof(max), t->max));
	if (!isnan(t->value))
		fprintf(out, "; %s over the run", nt_cell_number(all, sizeof(all), t->value));
	fputc('\n', out);
}

static int plot_one(FILE *out, const char *key, const struct nt_series *s, struct nt_error *e)
{
	if (nt_plot(out, key, s, 1))
		return nt_fail(e, -ENOENT, "%.80s has no value that can be drawn", key);
	return 0;
}

static int plot_samples(FILE *out, const struct track *t, const char *key, struct nt_error *e)
{
	struct nt_series s = { .name = "samples", .v = t->v, .n = t->n };
	char buf[32];

	if (!t->present)
		return nt_fail(e, -ENOENT, "%.80s is %s over the run and has no value per sample; "
			       "a record of several runs (-r) can be plotted run by run", key,
			       nt_cell_number(buf, sizeof(buf), t->value));
	return plot_one(out, key, &s, e);
}

static int plot_values(FILE *out, const struct track *t, size_t n, const char *key,
		       struct nt_error *e)
{
	struct nt_series s = { .name = "runs", .n = n };
	double *v = calloc(n, sizeof(*v));
	size_t i;
	int err;

	if (!v)
		return no_memory(e);
	for (i = 0; i < n; i++)
		v[i] = t[i].value;
	s.v = v;
	err = plot_one(out, key, &s, e);
	free(v);
	return err;
}

static int plot_tracks(FILE *out, const struct track *t, size_t n, const char *key, bool utf8,
		       struct nt_error *e)
{
	size_t i;
	int err = n == 1 ? plot_samples(out, t, key, e) : plot_values(out, t, n, key, e);

	if (err)
		return err;
	for (i = 0; i < n; i++)
		print_track(out, &t[i], n > 1 ? i + 1 : 0, utf8);
	return nt_flush(out);
}

int nt_plot_runs(FILE *out, const struct nt_run *runs, size_t n, const char *key, bool utf8,
		 struct nt_error *e)
{
	struct track *t = calloc(n, sizeof(*t));
	struct nt_kvs all = { 0 };
	size_t i, have = 0;
	int err = t ? 0 : -ENOMEM;

	for (i = 0; !err && i < n; i++) {
		err = take_value(&runs[i], key, &t[i], &all);
		if (!err)
			err = take_samples(&runs[i], key, &t[i]);
		have += !err && (!isnan(t[i].value) || t[i].present);
	}
	if (err == -ENOMEM)
		no_memory(e);
	else if (!have)
		err = nt_unknown_metric(&all, key, "--format csv", e);
	else
		err = plot_tracks(out, t, n, key, utf8, e);
	for (i = 0; t && i < n; i++)
		free(t[i].v);
	free(t);
	nt_kvs_free(&all);
	return err;
}
