/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names in the record of the 64-bit counters of a struct: the same table writes
 * and reads them. Tables end with a NULL key.
 */
#ifndef NT_STORE_MEMBERS_H
#define NT_STORE_MEMBERS_H

#include "store/json_get.h"
#include "model/json_put.h"

struct nt_member {
	const char *key;
	size_t offset;
};

extern const struct nt_member nt_cpu_time_members[];
extern const struct nt_member nt_balance_members[];
extern const struct nt_member nt_rusage_members[];
extern const struct nt_member nt_lost_members[];

/* A row of a snapshot; what is 0 is left out. */
void nt_put_queue(struct nt_put *p, json_t *obj, const struct nt_queue *q);
int nt_get_queue(struct nt_get *g, const json_t *obj, struct nt_queue *q);

/* Those that are not 0. */
void nt_put_members(struct nt_put *p, json_t *obj, const struct nt_member *m, const void *base);
int nt_get_members(struct nt_get *g, const json_t *obj, const struct nt_member *m, void *base);

#endif
