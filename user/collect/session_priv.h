/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of a session, shared by session.c and session_end.c only. */
#ifndef NT_COLLECT_SESSION_PRIV_H
#define NT_COLLECT_SESSION_PRIV_H

#include "collect/launch.h"
#include "collect/passthrough.h"
#include "collect/sampler.h"
#include "collect/score.h"
#include "collect/session.h"
#include "collect/signals.h"
#include "collect/watch.h"

/* What an event of the loop is about. */
enum tag {
	TAG_SIGNALS,
	TAG_TIMER,
	TAG_PROCESS,	/* an observed process ended */
	TAG_PASS,	/* and the next: the channels */
};

struct session {
	const struct nt_session_opts *o;
	struct nt_run *r;
	struct nt_signals sig;
	struct nt_child child;		/* the command, if there is one */
	struct nt_watch watch;		/* or the processes that are observed */
	struct nt_scores scores;
	struct nt_pass pass[2];		/* stdout and stderr of the command, or both in one */
	int npass;
	struct nt_sampler sampler;
	int epoll, timer;
	uint64_t stop_at;		/* CLOCK_MONOTONIC, ns */
	bool timed_out;
};

/* Tell of the last sample whoever asked for it. */
void nt_session_tell(const struct session *s);

/* It is over: wait for what is outstanding, add up, fill the end of the run. 0 or -errno. */
int nt_session_finish(struct session *s, const struct rusage *ru);

#endif
