// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/series.h"

#include <math.h>
#include <string.h>

#define MAX_KEY		128	/* longer ones are compared up to here */

static int sample_metric(const struct nt_run *r, const struct nt_sample *s, const char *key,
			 double *v)
{
	struct nt_run one = *r;
	struct nt_kvs m = { 0 };
	const struct nt_kv *kv;
	int err;

	*v = NAN;
	one.queues = (struct nt_queue_stats){ .samples = 0 };
	if (s->dt <= 0)		/* nothing can be related to a time that is not known */
		return 0;
	one.sample = (struct nt_sample *)s;
	one.nsamples = 1;
	one.forgotten = 0;
	one.total = s->c;
	one.ru = (struct nt_rusage){ .elapsed = s->dt };
	one.ended = false;
	one.node_meminfo = NULL;
	one.nscores = 0;
	one.feature[NT_F_DOMAINS].on = false;
	err = nt_queue_stats_add(&one.queues, &s->queues, r->topo.nnodes);
	err = err ? err : nt_run_metrics(&one, &m);
	nt_queue_stats_free(&one.queues);
	kv = nt_kvs_find(&m, key);
	if (!err && kv)
		*v = kv->value;
	nt_kvs_free(&m);
	return err;
}

int nt_metric_series(const struct nt_run *r, const char *key, double *v)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < r->nsamples; i++)
		err = sample_metric(r, &r->sample[i], key, &v[i]);
	return err;
}

static size_t min3(size_t a, size_t b, size_t c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

/* Characters to insert, remove or replace to make b of a. */
static size_t edits(const char *a, const char *b)
{
	size_t la = strnlen(a, MAX_KEY), lb = strnlen(b, MAX_KEY), row[MAX_KEY + 1], i, j;

	for (j = 0; j <= lb; j++)
		row[j] = j;
	for (i = 1; i <= la; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (j = 1; j <= lb; j++) {
			size_t above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1,
				      diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[lb];
}

/* A key that holds the word is close, however long; others may differ by a quarter. */
static size_t distance(const char *key, const char *word)
{
	size_t n = edits(key, word);

	if (*word && strcasestr(key, word))
		return n < strlen(key) ? n / 8 : n;
	return n <= 2 + strlen(word) / 4 ? n : SIZE_MAX;
}

size_t nt_close_keys(const struct nt_kvs *l, const char *word, const char **close, size_t max)
{
	size_t best[8], n = 0, i, k;

	max = max < 8 ? max : 8;
	for (i = 0; i < l->n; i++) {
		size_t d = distance(l->v[i].key, word);

		if (d == SIZE_MAX)
			continue;
		for (k = n; k > 0 && best[k - 1] > d; k--)
			if (k < max) {
				best[k] = best[k - 1];
				close[k] = close[k - 1];
			}
		if (k >= max)
			continue;
		best[k] = d;
		close[k] = l->v[i].key;
		n += n < max;
	}
	return n;
}
