/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that migrate, read twice, and which of them moved most in between. */
#ifndef NT_MODEL_MOVERS_H
#define NT_MODEL_MOVERS_H

#include <linux/types.h>
#include <stddef.h>

#include "shared.h"

struct nt_movers {
	struct nt_mover *m;
	size_t n;
	size_t room;		/* of m, entries */
};

enum nt_mover_sort {
	NT_SORT_MOVES,		/* moves in the interval */
	NT_SORT_CROSS,		/* of these, between nodes */
	NT_SORT_TOTAL,		/* moves since the task entered the table */
	NT_NSORT,
};

/* A task in one interval. */
struct nt_moved {
	struct nt_mover m;	/* moves and cross: in the interval */
	__u64 total;		/* moves since the task entered the table */
};

/* Order a reading by TID, as nt_moved_since() needs it. */
void nt_movers_order(struct nt_movers *v);

/*
 * Those of now that moved since was, most first. *out is the caller's to free, *n of them; 0
 * or -ENOMEM.
 */
int nt_moved_since(const struct nt_movers *was, const struct nt_movers *now,
		   enum nt_mover_sort sort, struct nt_moved **out, size_t *n);

void nt_movers_free(struct nt_movers *v);	/* what it holds; all 0 afterwards */

#endif
