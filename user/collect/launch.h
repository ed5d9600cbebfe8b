/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload's process: forked and held before exec until every probe is attached,
 * then let go. How exec went comes back as its errno.
 */
#ifndef NT_COLLECT_LAUNCH_H
#define NT_COLLECT_LAUNCH_H

#include <sys/resource.h>
#include <sys/types.h>

#include "collect/signals.h"
#include "model/error.h"

struct nt_launch_opts {
	char **argv;			/* NULL-terminated, at least one */
	const char *user;		/* NULL: stay who we are */
	int stdout_fd, stderr_fd;	/* to become 1 and 2 of the command; -1: inherit ours */
	const struct nt_sigstate *sig;	/* to give back; NULL: leave as they are */
};

struct nt_child {
	pid_t pid;		/* 0 after it was reaped */
	int pidfd;		/* -1 if the kernel has none */
	int go_fd;		/* a byte here lets it go; closing it ends it */
	int status_fd;		/* closed by a successful exec; a report of failure otherwise */
	const char *file;	/* argv[0], for messages */
};

/*
 * Forks the command and holds it. 0 or -errno with the sentence in e.
 * Before descriptors without CLOEXEC, limits and locale are changed: it inherits those of now.
 */
int nt_launch(struct nt_child *c, const struct nt_launch_opts *o, struct nt_error *e);

/* Lets it go. 0: exec succeeded. Else -errno and a sentence, and the child is reaped. */
int nt_release(struct nt_child *c, struct nt_error *e);

/* Ends a child, held or running, and reaps it. Nothing if it was reaped already. */
void nt_abort_child(struct nt_child *c);

/* 1: ended, wait status and usage filled, pid is 0 now. 0: still runs. Or -errno. */
int nt_reap(struct nt_child *c, int *wait_status, struct rusage *ru);

/* Exit statuses as env(1) and the shells have them. */
int nt_exit_code(int wait_status);	/* its own, or 128 + signal */
int nt_exec_exit_code(int err);		/* 127 not found, 126 anything else; err as nt_release */

#endif
