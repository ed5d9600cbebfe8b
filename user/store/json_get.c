// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/json_get.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

static const char *type_name(const json_t *v)
{
	if (!v)
		return "nothing";
	switch (json_typeof(v)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
		return json_integer_value(v) < 0 ? "a negative number" : "a whole number";
	case JSON_REAL:
		return "a fraction";
	case JSON_NULL:
		return "null";
	default:
		return "a boolean";
	}
}

int nt_get_wrong(struct nt_get *g, const char *key, const char *wanted, const json_t *found)
{
	return nt_fail(g->e, -EINVAL, "%s: %s: expected %s, found %s", g->where, key, wanted,
		       type_name(found));
}

static int no_memory(struct nt_get *g)
{
	return nt_fail(g->e, -ENOMEM, "%s: out of memory", g->where);
}

static json_t *member(const json_t *obj, const char *key)
{
	json_t *v = json_object_get(obj, key);

	return json_is_null(v) ? NULL : v;
}

void *nt_get_alloc(struct nt_get *g, size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		no_memory(g);
	return p;
}

/* Counts above 2^63 - 1 are strings of digits; below, a string is a mistake. */
static bool big_count(const json_t *v, uint64_t *out)
{
	const char *s = json_string_value(v);
	char *end;

	if (!s || strspn(s, "0123456789") != strlen(s) || strlen(s) != json_string_length(v))
		return false;
	errno = 0;
	*out = strtoull(s, &end, 10);
	return !errno && end != s && *out > INT64_MAX;
}

int nt_as_u64(struct nt_get *g, const char *key, const json_t *v, uint64_t *out)
{
	if (json_is_integer(v) && json_integer_value(v) >= 0)
		*out = (uint64_t)json_integer_value(v);
	else if (!big_count(v, out))
		return nt_get_wrong(g, key, "a count", v);
	return 0;
}

int nt_as_int(struct nt_get *g, const char *key, const json_t *v, int min, int max, int *out)
{
	json_int_t n;

	if (!json_is_integer(v))
		return nt_get_wrong(g, key, "a whole number", v);
	n = json_integer_value(v);
	if (n < min || n > max)
		return nt_fail(g->e, -EINVAL, "%s: %s: %lld is not between %d and %d", g->where,
			       key, (long long)n, min, max);
	*out = (int)n;
	return 0;
}

int nt_as_str(struct nt_get *g, const char *key, const json_t *v, char **out)
{
	char *s;

	if (!json_is_string(v))
		return nt_get_wrong(g, key, "a string", v);
	s = strdup(json_string_value(v));
	if (!s)
		return no_memory(g);
	nt_text_decode(s);
	free(*out);
	*out = s;
	return 0;
}

int nt_get_u64(struct nt_get *g, const json_t *obj, const char *key, uint64_t *out)
{
	const json_t *v = member(obj, key);

	return v ? nt_as_u64(g, key, v, out) : 0;
}

int nt_get_int(struct nt_get *g, const json_t *obj, const char *key, int min, int max, int *out)
{
	const json_t *v = member(obj, key);

	return v ? nt_as_int(g, key, v, min, max, out) : 0;
}

int nt_get_real(struct nt_get *g, const json_t *obj, const char *key, double *out)
{
	const json_t *v = member(obj, key);

	if (v && !json_is_number(v))
		return nt_get_wrong(g, key, "a number", v);
	if (v)
		*out = json_number_value(v);
	return 0;
}

int nt_get_bool(struct nt_get *g, const json_t *obj, const char *key, bool *out)
{
	const json_t *v = member(obj, key);

	if (v && !json_is_boolean(v))
		return nt_get_wrong(g, key, "true or false", v);
	if (v)
		*out = json_is_true(v);
	return 0;
}

int nt_get_str(struct nt_get *g, const json_t *obj, const char *key, char **out)
{
	const json_t *v = member(obj, key);

	return v ? nt_as_str(g, key, v, out) : 0;
}

int nt_get_text(struct nt_get *g, const json_t *obj, const char *key, char **out)
{
	int err = nt_get_str(g, obj, key, out);

	if (!err && !*out) {
		*out = strdup("");
		if (!*out)
			err = no_memory(g);
	}
	return err;
}

int nt_get_object(struct nt_get *g, const json_t *obj, const char *key, json_t **out)
{
	*out = member(obj, key);
	if (*out && !json_is_object(*out))
		return nt_get_wrong(g, key, "an object", *out);
	return 0;
}

int nt_get_array(struct nt_get *g, const json_t *obj, const char *key, json_t **out)
{
	*out = member(obj, key);
	if (*out && !json_is_array(*out))
		return nt_get_wrong(g, key, "an array", *out);
	return 0;
}

int nt_get_strings(struct nt_get *g, const json_t *obj, const char *key, char ***out, size_t *n)
{
	json_t *a, *v;
	size_t i;
	int err = nt_get_array(g, obj, key, &a);

	if (err || !a)
		return err;
	*out = nt_get_alloc(g, json_array_size(a) + 1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	json_array_foreach(a, i, v) {
		err = nt_as_str(g, key, v, &(*out)[i]);
		if (err)
			return err;
		*n = i + 1;
	}
	return 0;
}

/* Not by nt_kvs_set: the keys of an object differ already, and there may be many. */
int nt_get_kvs(struct nt_get *g, const json_t *obj, const char *key, struct nt_kvs *out)
{
	const char *name;
	json_t *o, *v;
	int err = nt_get_object(g, obj, key, &o);

	if (err || !o || !json_object_size(o))
		return err;
	out->v = nt_get_alloc(g, json_object_size(o), sizeof(*out->v));
	if (!out->v)
		return -ENOMEM;
	json_object_foreach(o, name, v) {
		struct nt_kv *kv = &out->v[out->n];

		if (!json_is_number(v))
			return nt_get_wrong(g, key, "numbers", v);
		kv->value = json_number_value(v);
		kv->key = strdup(name);
		if (!kv->key)
			return no_memory(g);
		nt_text_decode(kv->key);
		out->n++;
	}
	return 0;
}
