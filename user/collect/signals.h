/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of a session: taken through a descriptor, so that the loop that waits for
 * samples and output waits for them too, and given back as found to the workload.
 */
#ifndef NT_COLLECT_SIGNALS_H
#define NT_COLLECT_SIGNALS_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/* What numatrace changes and the workload must have back. */
struct nt_sigstate {
	sigset_t mask;
	struct sigaction pipe, chld;
};

struct nt_signals {
	int fd;			/* readable when a signal waits */
	struct nt_sigstate found;
	int stop;		/* first signal that asked for the end; 0 none */
	uint64_t stop_ns;	/* when, CLOCK_MONOTONIC */
	uint64_t suspended_ns;	/* how long ^Z stopped us */
	void (*before_stop)(void);	/* called before ^Z stops us; NULL: nothing to do */
};

enum nt_signal_event {
	NT_SIG_NONE,		/* nothing (left) to read */
	NT_SIG_CHILD,		/* a child changed state: nt_reap() */
	NT_SIG_STOP,		/* asked to end: passed on to the workload where it needs it */
	NT_SIG_KILL,		/* asked again: the workload was killed */
	NT_SIG_WINCH,		/* the terminal has a new size */
	NT_SIG_CONT,		/* we were suspended and continued, and with us the workload */
};

/* Blocks the signals and opens the descriptor; 0 or -errno. Before anything is forked. */
int nt_signals_init(struct nt_signals *s);

/*
 * Reads one signal and acts on it; pid is the workload, 0 if there is none (left).
 * Call until NT_SIG_NONE.
 */
enum nt_signal_event nt_signals_read(struct nt_signals *s, pid_t pid);

/* Closes the descriptor and puts back mask and dispositions. */
void nt_signals_exit(struct nt_signals *s);

/*
 * In the child: dispositions, then mask as found. Async-signal-safe. Two steps, because a
 * signal that waits is delivered by the second and then ends the child as it should.
 */
void nt_sigstate_dispositions(const struct nt_sigstate *found);
void nt_sigstate_mask(const struct nt_sigstate *found);

#endif
