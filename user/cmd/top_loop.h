/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live view: numbers, screen and keys brought together. */
#ifndef NT_CMD_TOP_LOOP_H
#define NT_CMD_TOP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct nt_top_opts {
	uint64_t interval_ns;
	unsigned long count;	/* intervals, then it ends; 0: never */
	bool verbose;
};

/* Until the user has seen enough. Errors are printed; returns the exit status. */
int nt_top_run(const struct nt_top_opts *o);

#endif
