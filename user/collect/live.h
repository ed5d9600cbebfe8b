/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of a live view: no workload, read again and again, and nothing kept. */
#ifndef NT_COLLECT_LIVE_H
#define NT_COLLECT_LIVE_H

#include "collect/sampler.h"
#include "model/top.h"

struct nt_live {
	struct nt_run r;
	struct nt_sampler sampler;
	struct nt_movers movers[2];	/* at the end of the last interval, and before it */
	int now;			/* which of them is the last */
	struct nt_snapshot queues;
	bool sampled;
	char why[512];			/* why no programs are loaded; "": they are */
};

/*
 * Attach what this kernel permits and begin to count. Without the programs there is less to
 * show, and the reason in l->why. 0 or -errno with the sentence in e; close it in both cases.
 */
int nt_live_open(struct nt_live *l, bool verbose, struct nt_error *e);

/* An interval ends. 0 or -errno; then the next one makes up for it. */
int nt_live_take(struct nt_live *l);

/* What was read, until the next call of nt_live_take(). */
struct nt_top_reading nt_live_reading(const struct nt_live *l);

void nt_live_close(struct nt_live *l);

#endif
