/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command run and waited for, measured by nobody: warm-up runs and what prepares a run. */
#ifndef NT_COLLECT_PLAIN_H
#define NT_COLLECT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/error.h"

struct nt_plain_opts {
	char **argv;
	const char *user;	/* NULL: stay who we are */
	uint64_t duration_ns;	/* SIGTERM after this; 0: never */
	bool to_stderr;		/* its stdout is our stderr */
};

/*
 * 0: it ran, *exit_code is the command's (128 + N if a signal ended it), *stop the signal
 * that asked numatrace to end meanwhile (passed on as in a run), 0 if none did. -errno: the
 * sentence is in e, *exit_code what numatrace should exit with.
 */
int nt_plain_run(const struct nt_plain_opts *o, int *exit_code, int *stop, struct nt_error *e);

#endif
