// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/compare.h"
#include "view/plot.h"
#include "view/plot_runs.h"
#include "view/section.h"

/* Of results; n if there is none of that name. */
static size_t find_key(const struct nt_results *r, const char *key)
{
	size_t i;

	for (i = 0; i < r->nkeys && strcmp(r->key[i], key); i++)
		;
	return i;
}

static int unknown(const struct nt_results *r, const char *key, struct nt_error *e)
{
	struct nt_kvs all = { calloc(r->nkeys + 1, sizeof(*all.v)), r->nkeys };
	size_t i;
	int err;

	if (!all.v)
		return nt_fail(e, -ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < r->nkeys; i++)
		all.v[i].key = r->key[i];
	err = nt_unknown_metric(&all, key, "--all", e);
	free(all.v);
	return err;
}

static int draw(FILE *out, const struct nt_compare *c, const char *key, size_t number, double *v,
		struct nt_error *e)
{
	struct nt_series s[NT_MAX_SERIES];
	size_t i;
	int side;

	for (i = 0; i < c->r->n; i++)
		v[i] = nt_result_value(&c->r->v[i], number);
	for (side = 0; side < c->nsides; side++)
		s[side] = (struct nt_series){ c->side[side].id, v + c->side[side].first,
					      c->side[side].n };
	if (nt_plot(out, key, s, (size_t)c->nsides))
		return nt_fail(e, -ENOENT, "%.80s has no value that can be drawn", key);
	return nt_flush(out);
}

int nt_compare_plot(FILE *out, const struct nt_compare *c, const char *key, struct nt_error *e)
{
	size_t number = find_key(c->r, key);
	double *v;
	int err;

	if (c->nsides > NT_MAX_SERIES)
		return nt_fail(e, -EINVAL, "--plot draws %d sides at most, not %d", NT_MAX_SERIES,
			       c->nsides);
	if (number == c->r->nkeys)
		return unknown(c->r, key, e);
	v = calloc(c->r->n, sizeof(*v));
	if (!v)
		return nt_fail(e, -ENOMEM, "%s", strerror(ENOMEM));
	err = draw(out, c, key, number, v, e);
	free(v);
	return err;
}
