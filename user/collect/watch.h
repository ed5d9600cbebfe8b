/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that were there before us: named, and their ends seen. */
#ifndef NT_COLLECT_WATCH_H
#define NT_COLLECT_WATCH_H

#include <stdint.h>
#include <sys/types.h>

#include "model/error.h"

struct nt_watch {
	int *fd;	/* [n] pidfds; -1: ended */
	size_t n;
	size_t left;	/* not yet ended */
};

/*
 * Open the processes; *names is a new NULL-terminated list of "PID NAME". 0 or -errno with
 * the sentence in e: there is no such process, it is a thread of another one.
 */
int nt_watch_open(struct nt_watch *w, const pid_t *pid, size_t n, char ***names,
		  struct nt_error *e);

/* Has epfd say, with this tag, that one of them ended: nt_watch_look(). 0 or -errno. */
int nt_watch_add(const struct nt_watch *w, int epfd, uint64_t tag);

/* See which of them have ended, without waiting. */
void nt_watch_look(struct nt_watch *w);

void nt_watch_close(struct nt_watch *w);	/* all zeroes is fine */

#endif
