/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user of a live view has chosen, and what each key changes. */
#ifndef NT_MODEL_TOP_KEYS_H
#define NT_MODEL_TOP_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/movers.h"

struct nt_top_choice {
	enum nt_mover_sort sort;
	uint64_t interval_ns;
	bool paused;		/* nothing is read; the next interval covers the pause */
	bool help;
	bool quit;
};

/* What has to be done after a key. */
enum nt_top_do {
	NT_TOP_NOTHING,
	NT_TOP_DRAW,		/* the same numbers in another way */
	NT_TOP_RETIME,		/* ditto, and the interval or the pause changed */
};

/*
 * q quit, p and space pause, s sort, + longer interval, - shorter, i the next of the usual ones,
 * h help; with the help on, any key but q ends it.
 */
enum nt_top_do nt_top_key(struct nt_top_choice *c, int key);

#endif
