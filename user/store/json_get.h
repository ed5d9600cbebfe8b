/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking members out of JSON objects that anybody may have written. A member that
 * is absent or null leaves *out alone; one of the wrong type or out of range is
 * -EINVAL with a sentence in g->e. Text is decoded by nt_text_decode.
 */
#ifndef NT_STORE_JSON_GET_H
#define NT_STORE_JSON_GET_H

#include <jansson.h>
#include <stdint.h>

#include "model/error.h"
#include "model/run.h"

struct nt_get {
	struct nt_error *e;
	const char *where;	/* "FILE:LINE" */
};

/* "WHERE: KEY: expected WANTED, found ..."; returns -EINVAL. */
int nt_get_wrong(struct nt_get *g, const char *key, const char *wanted, const json_t *found);

/* Values already in hand; key is for the sentence. */
int nt_as_u64(struct nt_get *g, const char *key, const json_t *v, uint64_t *out);
int nt_as_int(struct nt_get *g, const char *key, const json_t *v, int min, int max, int *out);
int nt_as_str(struct nt_get *g, const char *key, const json_t *v, char **out);

int nt_get_u64(struct nt_get *g, const json_t *obj, const char *key, uint64_t *out);
int nt_get_int(struct nt_get *g, const json_t *obj, const char *key, int min, int max, int *out);
int nt_get_real(struct nt_get *g, const json_t *obj, const char *key, double *out);
int nt_get_bool(struct nt_get *g, const json_t *obj, const char *key, bool *out);
int nt_get_str(struct nt_get *g, const json_t *obj, const char *key, char **out);

/* The same for text that is printed without asking: "" if absent. */
int nt_get_text(struct nt_get *g, const json_t *obj, const char *key, char **out);

/* calloc that leaves a sentence behind; never NULL for n = 0. */
void *nt_get_alloc(struct nt_get *g, size_t n, size_t size);

/* A new NULL-terminated array of new strings, and its length. */
int nt_get_strings(struct nt_get *g, const json_t *obj, const char *key, char ***out, size_t *n);
int nt_get_kvs(struct nt_get *g, const json_t *obj, const char *key, struct nt_kvs *out);

/* *out is NULL if absent; objects and arrays stay the parent's. */
int nt_get_object(struct nt_get *g, const json_t *obj, const char *key, json_t **out);
int nt_get_array(struct nt_get *g, const json_t *obj, const char *key, json_t **out);

#endif
