/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a record as JSON objects; the schema numatrace/1 in one place.
 *
 * Counts are integers, or a string of digits above 2^63 - 1 (JSON readers lose
 * those). Nodes and causes are named by id and name, never by index. Counters
 * that are 0 are left out. Text is encoded by nt_text_encode.
 */
#ifndef NT_STORE_RECORD_JSON_H
#define NT_STORE_RECORD_JSON_H

#include <jansson.h>

#include "model/run.h"

#define NT_SCHEMA "numatrace/1"

/* Each a new object; NULL: out of memory. */
json_t *nt_json_header(const struct nt_run *r);
json_t *nt_json_sample(const struct nt_run *r, const struct nt_sample *s);
json_t *nt_json_end(const struct nt_run *r);

/* The counters alone; nodes are named by the run's topology. */
json_t *nt_json_counters(const struct nt_run *r, const struct nt_counters *c);

#endif
