/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command's output on its way through numatrace, when a score is to be read from it:
 * bytes unchanged and in order, each stream to where it would have gone.
 *
 * Nothing here blocks. A slow reader of our output slows the command, as it would have
 * without us, and signals are served meanwhile.
 */
#ifndef NT_COLLECT_PASSTHROUGH_H
#define NT_COLLECT_PASSTHROUGH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/score.h"

#define NT_PASS_LINE	4096	/* longer lines are passed on but not looked at */

struct nt_pass {
	int orig_fd;		/* where the bytes go; not ours to close */
	int out_fd;		/* the same, or that terminal opened once more, nonblocking */
	int child_fd;		/* to become the command's; -1 after nt_pass_started() */
	int fd;			/* where they come from, nonblocking; -1: closed, all done */
	bool pty;
	bool regular;		/* out_fd never makes us wait */
	bool ending;		/* the command ended: take what is there, wait for no more */
	size_t last;		/* how much may still be taken then */
	int write_err;		/* -errno of the write after which bytes are dropped; 0 none */

	int epfd;		/* -1 or where fd and out_fd are watched */
	uint64_t tag;
	bool watch_in, watch_out;

	char *buf;		/* read and not yet written: [off, len) */
	size_t off, len;

	char line[NT_PASS_LINE];	/* the line so far */
	size_t line_len;
	bool line_too_long;
};

/* A channel to orig_fd: a pty if that is a terminal, else a pipe. 0 or -errno. */
int nt_pass_open(struct nt_pass *p, int orig_fd);

/*
 * Channels for stdout and stderr. Where both are the same terminal, pipe or open file, one
 * channel serves both, so that their order is kept: *n is 1 and p[0].child_fd is for both.
 */
int nt_pass_open_std(struct nt_pass p[2], int *n);

/* Closes the command's side here. After nt_launch(), else no end would be seen. */
void nt_pass_started(struct nt_pass *p);

/*
 * Has epfd watch the channel: whatever event comes with this tag means nt_pass_pump().
 * Which direction is waited for is kept up to date by the pump.
 */
int nt_pass_watch(struct nt_pass *p, int epfd, uint64_t tag);

/* Moves bytes as far as they go; s (NULL: nobody) sees the lines. 1: all done. 0: later. */
int nt_pass_pump(struct nt_pass *p, struct nt_scores *s);

/*
 * The command ended: what its descendants write from now on is not waited for. As
 * nt_pass_pump(); after 0 go on with that until it returns 1.
 */
int nt_pass_end(struct nt_pass *p, struct nt_scores *s);

/* Gives a pty the size of the terminal; the command is to be sent SIGWINCH after it. */
void nt_pass_resize(struct nt_pass *p);

void nt_pass_close(struct nt_pass *p);

#endif
