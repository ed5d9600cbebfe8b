// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/run.h"

/* Lists made by others may have no spare room, so ask each time; realloc of the same is cheap. */
static int make_room(struct nt_kvs *l)
{
	size_t cap = 16;
	struct nt_kv *v;

	while (cap <= l->n)
		cap *= 2;
	v = realloc(l->v, cap * sizeof(*v));
	if (!v)
		return -ENOMEM;
	l->v = v;
	return 0;
}

int nt_kvs_append(struct nt_kvs *l, const char *key, double value)
{
	char *copy;

	if (make_room(l))
		return -ENOMEM;
	copy = strdup(key);
	if (!copy)
		return -ENOMEM;
	l->v[l->n++] = (struct nt_kv){ .key = copy, .value = value };
	return 0;
}

int nt_kvs_vappend(struct nt_kvs *l, double value, const char *fmt, va_list ap)
{
	char *key;
	int err;

	if (vasprintf(&key, fmt, ap) < 0)
		return -ENOMEM;
	err = nt_kvs_append(l, key, value);
	free(key);
	return err;
}

int nt_kvs_appendf(struct nt_kvs *l, double value, const char *fmt, ...)
{
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = nt_kvs_vappend(l, value, fmt, ap);
	va_end(ap);
	return err;
}

const struct nt_kv *nt_kvs_near(const struct nt_kvs *l, const char *key, size_t hint)
{
	if (hint < l->n && !strcmp(l->v[hint].key, key))
		return &l->v[hint];
	return nt_kvs_find(l, key);
}

int nt_kvs_set(struct nt_kvs *l, const char *key, double value)
{
	const struct nt_kv *kv = nt_kvs_find(l, key);

	if (!kv)
		return nt_kvs_append(l, key, value);
	l->v[kv - l->v].value = value;
	return 0;
}

const struct nt_kv *nt_kvs_find(const struct nt_kvs *l, const char *key)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].key, key))
			return &l->v[i];
	return NULL;
}

void nt_kvs_free(struct nt_kvs *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->v[i].key);
	free(l->v);
	*l = (struct nt_kvs){ 0 };
}
