/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run from beginning to end: hold the command, attach, let it go, sample, wait, add up.
 * Or without a command: attach, take over the processes, sample until told to stop.
 */
#ifndef NT_COLLECT_SESSION_H
#define NT_COLLECT_SESSION_H

#include <sys/types.h>

#include "model/error.h"
#include "model/run.h"

struct nt_session_opts {
	char **argv;			/* the command; NULL: observe what is there */
	const pid_t *pid;		/* without a command: these processes; none: nobody */
	size_t npids;
	const char *const *params;	/* "KEY=VALUE": labels of the run */
	size_t nparams;
	const char *user;		/* NULL: the command runs as numatrace does */
	uint64_t interval_ns;		/* between samples */
	uint64_t duration_ns;		/* SIGTERM to the command, the observation ends; 0: never */
	unsigned long warmups;		/* runs before that nobody measured: noted */
	bool bpf;
	bool verbose;
	bool builtin_score;		/* know stress-ng's rows */
	const char *const *score_rules;
	size_t nscore_rules;
	/* Called when the header is complete and at each sample; an error is only reported. */
	int (*on_header)(void *arg, const struct nt_run *r);
	int (*on_sample)(void *arg, const struct nt_run *r, const struct nt_sample *s);
	void *arg;
};

/*
 * 0: *r is filled, *exit_code is the command's (128 + N if a signal ended it), 0 of an
 * observation. -errno: the sentence is in e, *exit_code is what numatrace should exit with
 * (125, 126, 127), and nothing of the command ran. The caller frees *r in both cases.
 */
int nt_session_run(const struct nt_session_opts *o, struct nt_run *r, int *exit_code,
		   struct nt_error *e);

#endif
