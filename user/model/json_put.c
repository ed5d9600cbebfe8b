// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/json_put.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/text.h"

void nt_put(struct nt_put *p, json_t *obj, const char *key, json_t *v)
{
	if (json_object_set_new(obj, key, v))
		p->err = -ENOMEM;
}

void nt_push(struct nt_put *p, json_t *arr, json_t *v)
{
	if (json_array_append_new(arr, v))
		p->err = -ENOMEM;
}

json_t *nt_put_object(struct nt_put *p, json_t *obj, const char *key)
{
	json_t *o = json_object();

	nt_put(p, obj, key, o);
	return o;
}

json_t *nt_put_array(struct nt_put *p, json_t *obj, const char *key)
{
	json_t *a = json_array();

	nt_put(p, obj, key, a);
	return a;
}

json_t *nt_str(const char *s)
{
	char *text = nt_text_encode(s);
	json_t *v = text ? json_string(text) : NULL;

	free(text);
	return v;
}

json_t *nt_u64(uint64_t v)
{
	char digits[24];

	if (v <= INT64_MAX)
		return json_integer((json_int_t)v);
	snprintf(digits, sizeof(digits), "%" PRIu64, v);
	return json_string(digits);
}

void nt_put_str(struct nt_put *p, json_t *obj, const char *key, const char *s)
{
	nt_put(p, obj, key, s ? nt_str(s) : json_null());
}

void nt_put_u64(struct nt_put *p, json_t *obj, const char *key, uint64_t v)
{
	nt_put(p, obj, key, nt_u64(v));
}

void nt_put_count(struct nt_put *p, json_t *obj, const char *key, uint64_t v)
{
	if (v)
		nt_put_u64(p, obj, key, v);
}

void nt_put_int(struct nt_put *p, json_t *obj, const char *key, int v)
{
	nt_put(p, obj, key, json_integer(v));
}

void nt_put_bool(struct nt_put *p, json_t *obj, const char *key, bool v)
{
	nt_put(p, obj, key, json_boolean(v));
}

/*
 * JSON has no NaN: a number that is none is left out, which readers take as not measured.
 * Whole numbers go without a fraction; the bound is where doubles stop being exact.
 */
void nt_put_real(struct nt_put *p, json_t *obj, const char *key, double v)
{
	if (!isfinite(v))
		return;
	if (v == floor(v) && fabs(v) < 0x1p53 && !(v == 0 && signbit(v)))
		nt_put(p, obj, key, json_integer((json_int_t)v));
	else
		nt_put(p, obj, key, json_real(v));
}

void nt_put_kvs(struct nt_put *p, json_t *obj, const char *key, const struct nt_kvs *l)
{
	json_t *o = json_object();
	size_t i;

	for (i = 0; i < l->n; i++) {
		char *name = nt_text_encode(l->v[i].key);

		if (name)
			nt_put_real(p, o, name, l->v[i].value);
		else
			p->err = -ENOMEM;
		free(name);
	}
	nt_put(p, obj, key, o);
}

void nt_put_strings(struct nt_put *p, json_t *obj, const char *key, char *const *s, size_t n)
{
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < n; i++)
		nt_push(p, a, nt_str(s[i]));
	nt_put(p, obj, key, a);
}

void nt_put_argv(struct nt_put *p, json_t *obj, const char *key, char *const *s)
{
	size_t n = 0;

	while (s && s[n])
		n++;
	if (s)
		nt_put_strings(p, obj, key, s, n);
}

void nt_put_features(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	json_t *features = nt_put_object(p, obj, "features");
	int i;

	for (i = 0; i < NT_NFEATURE; i++) {
		json_t *o;

		if (!nt_feature_known(&r->feature[i]))
			continue;
		o = nt_put_object(p, features, nt_feature_name[i]);
		nt_put_bool(p, o, "on", r->feature[i].on);
		nt_put_str(p, o, "way", r->feature[i].way);
		nt_put_str(p, o, "why", r->feature[i].why);
	}
}
