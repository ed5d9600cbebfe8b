/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building JSON. The first failure sticks in err, so that a caller adds all its
 * members and looks once.
 */
#ifndef NT_MODEL_JSON_PUT_H
#define NT_MODEL_JSON_PUT_H

#include <jansson.h>
#include <stdint.h>

#include "model/run.h"

struct nt_put {
	int err;		/* 0 or -ENOMEM */
};

/* Add v to an object or an array, taking the reference over; v NULL counts as a failure. */
void nt_put(struct nt_put *p, json_t *obj, const char *key, json_t *v);
void nt_push(struct nt_put *p, json_t *arr, json_t *v);

/* A new object or array, added under key. */
json_t *nt_put_object(struct nt_put *p, json_t *obj, const char *key);
json_t *nt_put_array(struct nt_put *p, json_t *obj, const char *key);

void nt_put_str(struct nt_put *p, json_t *obj, const char *key, const char *s);	/* NULL: null */
void nt_put_u64(struct nt_put *p, json_t *obj, const char *key, uint64_t v);
void nt_put_count(struct nt_put *p, json_t *obj, const char *key, uint64_t v);	/* not if 0 */
void nt_put_int(struct nt_put *p, json_t *obj, const char *key, int v);
void nt_put_bool(struct nt_put *p, json_t *obj, const char *key, bool v);
void nt_put_real(struct nt_put *p, json_t *obj, const char *key, double v);	/* not if NaN */
void nt_put_kvs(struct nt_put *p, json_t *obj, const char *key, const struct nt_kvs *l);
void nt_put_strings(struct nt_put *p, json_t *obj, const char *key, char *const *s, size_t n);
/* Strings up to a NULL; not if s is NULL. */
void nt_put_argv(struct nt_put *p, json_t *obj, const char *key, char *const *s);
void nt_put_features(struct nt_put *p, json_t *obj, const struct nt_run *r);

json_t *nt_str(const char *s);
json_t *nt_u64(uint64_t v);

#endif
