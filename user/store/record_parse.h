/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a record back into a run. Whatever is wrong in them ends in
 * -EINVAL and a sentence; unknown members and names are skipped. The counters
 * are in record_counters.c.
 */
#ifndef NT_STORE_RECORD_PARSE_H
#define NT_STORE_RECORD_PARSE_H

#include "store/json_get.h"

/* Fill an empty run. After an error nt_run_free gets rid of what is there. */
int nt_parse_header(struct nt_get *g, const json_t *line, struct nt_run *r);

/* Fill s, which is empty and the caller's to free, also after an error. */
int nt_parse_sample(struct nt_get *g, const json_t *line, const struct nt_run *r,
		    struct nt_sample *s);

/* Complete the run, or leave it as it was. */
int nt_parse_end(struct nt_get *g, const json_t *line, struct nt_run *r);

/* c must be initialised for the run's nodes. */
int nt_parse_counters(struct nt_get *g, const json_t *obj, const struct nt_run *r,
		      struct nt_counters *c);

/* Index of the node with the id in v; -EINVAL if the header knows none. */
int nt_parse_node(struct nt_get *g, const json_t *v, const struct nt_topology *t, int *index);

#endif
