// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/result.h"

#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/same.h"

/* A key in the tree. */
struct column {
	const char *key;
	size_t number;
};

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct column *)a)->key, ((const struct column *)b)->key);
}

/* Room for one more of an array that doubles; NULL: out of memory, the array is as it was. */
static void *grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return reallocarray(array, n ? 2 * n : 1, size);
}

struct nt_result *nt_results_last(struct nt_results *s)
{
	return s->n ? &s->v[s->n - 1] : NULL;
}

/* Runs of a series have the same header; keeping one each would cost more than the metrics. */
static int add_head(struct nt_results *s, struct nt_run *head)
{
	struct nt_run **list, *h;

	nt_run_free_measured(head);
	if (s->nheads && nt_same_header(s->head[s->nheads - 1], head)) {
		nt_run_free(head);
		return 0;
	}
	list = grow(s->head, s->nheads, sizeof(struct nt_run *));
	h = malloc(sizeof(*h));
	if (list)
		s->head = list;
	if (!list || !h) {
		free(h);
		nt_run_free(head);
		return -ENOMEM;
	}
	*h = *head;
	memset(head, 0, sizeof(*head));
	s->head[s->nheads++] = h;
	return 0;
}

int nt_results_set_head(struct nt_results *s, struct nt_run *r)
{
	int err = add_head(s, r);

	if (!err)
		nt_results_last(s)->head = s->head[s->nheads - 1];
	return err;
}

int nt_results_begin(struct nt_results *s, int side)
{
	struct nt_result *v = grow(s->v, s->n, sizeof(*v));

	if (!v)
		return -ENOMEM;
	s->v = v;
	v[s->n++] = (struct nt_result){ .side = side, .ended = true };
	s->key_hint = 0;
	return 0;
}

static int new_key(struct nt_results *s, struct column *e)
{
	char **key = grow(s->key, s->nkeys, sizeof(*key));
	bool *is_score;

	if (!key)
		return -ENOMEM;
	s->key = key;
	is_score = grow(s->is_score, s->nkeys, sizeof(*is_score));
	if (!is_score)
		return -ENOMEM;
	s->is_score = is_score;
	key[s->nkeys] = strdup(e->key);
	if (!key[s->nkeys])
		return -ENOMEM;
	is_score[s->nkeys] = false;
	e->key = key[s->nkeys];
	e->number = s->nkeys++;
	return 0;
}

/* Runs name their metrics in the same order, so the next key is most often the next number. */
static int key_number(struct nt_results *s, const char *key, size_t *number)
{
	struct column probe = { .key = key }, *e, **found;
	int err;

	if (s->key_hint < s->nkeys && !strcmp(s->key[s->key_hint], key)) {
		*number = s->key_hint++;
		return 0;
	}
	found = tfind(&probe, &s->table, by_key);
	if (!found) {
		e = malloc(sizeof(*e));
		if (!e)
			return -ENOMEM;
		*e = probe;
		err = new_key(s, e);
		found = err ? NULL : tsearch(e, &s->table, by_key);
		if (!found) {
			free(e);
			return -ENOMEM;
		}
	}
	*number = (*found)->number;
	s->key_hint = *number + 1;
	return 0;
}

/* Enough for every key known now: the next ones are most often those of the run before. */
static int make_room(struct nt_results *s, struct nt_result *r)
{
	size_t i;
	double *value = realloc(r->value, s->nkeys * sizeof(*value));

	if (!value)
		return -ENOMEM;
	for (i = r->nvalues; i < s->nkeys; i++)
		value[i] = NAN;
	r->value = value;
	r->nvalues = s->nkeys;
	return 0;
}

int nt_results_put(struct nt_results *s, const char *key, double value)
{
	struct nt_result *r = nt_results_last(s);
	size_t number;
	int err;

	if (!isfinite(value))
		return -EINVAL;
	err = key_number(s, key, &number);
	if (!err && number >= r->nvalues)
		err = make_room(s, r);
	if (!err)
		r->value[number] = value;
	return err;
}

int nt_results_put_score(struct nt_results *s, const char *key, double value)
{
	int err = nt_results_put(s, key, value);

	if (!err)
		s->is_score[s->key_hint - 1] = true;
	return err;
}

int nt_results_put_metrics(struct nt_results *s, const struct nt_run *r)
{
	struct nt_kvs m = { 0 };
	size_t i;
	int err = nt_run_metrics(r, &m);

	for (i = 0; !err && i < m.n; i++)
		if (isfinite(m.v[i].value))
			err = nt_results_put(s, m.v[i].key, m.v[i].value);
	nt_kvs_free(&m);
	return err;
}

int nt_results_finish(struct nt_results *s, struct nt_run *r)
{
	struct nt_result *last;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < r->nscores; i++)
		if (isfinite(r->score[i].value))
			err = nt_results_put_score(s, r->score[i].key, r->score[i].value);
	if (err)
		return err;
	last = nt_results_last(s);
	last->ended = r->ended;
	last->interrupted = r->interrupted;
	last->wait_status = r->wait_status;
	last->lost = r->lost;
	return nt_results_set_head(s, r);
}

int nt_results_note(struct nt_results *s, const char *fmt, ...)
{
	char **note = grow(s->note, s->nnotes, sizeof(*note));
	va_list ap;
	int n;

	if (!note)
		return -ENOMEM;
	s->note = note;
	va_start(ap, fmt);
	n = vasprintf(&note[s->nnotes], fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	s->nnotes++;
	return 0;
}

double nt_result_value(const struct nt_result *r, size_t key)
{
	return key < r->nvalues ? r->value[key] : NAN;
}

void nt_results_free(struct nt_results *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->v[i].value);
	for (i = 0; i < s->nkeys; i++)
		free(s->key[i]);
	for (i = 0; i < s->nheads; i++) {
		nt_run_free(s->head[i]);
		free(s->head[i]);
	}
	for (i = 0; i < s->nnotes; i++)
		free(s->note[i]);
	tdestroy(s->table, free);
	free(s->v);
	free(s->key);
	free(s->is_score);
	free(s->head);
	free(s->note);
	memset(s, 0, sizeof(*s));
}
