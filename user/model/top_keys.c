// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/top_keys.h"

#define MS	1000000ULL

static const uint64_t intervals[] = {
	100 * MS, 200 * MS, 500 * MS, 1000 * MS, 2000 * MS, 5000 * MS, 10000 * MS, 30000 * MS,
	60000 * MS,
};

#define NINTERVALS	((int)(sizeof(intervals) / sizeof(intervals[0])))

/* The next longer of the usual intervals, the next shorter; at the ends it stays. */
static uint64_t step(uint64_t now, bool up)
{
	int i;

	if (up) {
		for (i = 0; i < NINTERVALS; i++)
			if (intervals[i] > now)
				return intervals[i];
		return now;
	}
	for (i = NINTERVALS - 1; i >= 0; i--)
		if (intervals[i] < now)
			return intervals[i];
	return now;
}

static enum nt_top_do set_interval(struct nt_top_choice *c, uint64_t ns)
{
	if (ns == c->interval_ns)
		return NT_TOP_NOTHING;
	c->interval_ns = ns;
	return NT_TOP_RETIME;
}

enum nt_top_do nt_top_key(struct nt_top_choice *c, int key)
{
	uint64_t longer = step(c->interval_ns, true);

	c->quit = key == 'q' || key == 'Q';
	if (c->help) {
		c->help = false;
		return NT_TOP_DRAW;
	}
	switch (key) {
	case 'p':
	case ' ':
		c->paused = !c->paused;
		return NT_TOP_RETIME;
	case 's':
		c->sort = (c->sort + 1) % NT_NSORT;
		return NT_TOP_DRAW;
	case 'i':
		return set_interval(c, longer != c->interval_ns ? longer : intervals[0]);
	case '+':
	case '=':	/* the same key without shift */
		return set_interval(c, longer);
	case '-':
		return set_interval(c, step(c->interval_ns, false));
	case 'h':
	case '?':
		c->help = true;
		return NT_TOP_DRAW;
	default:
		return NT_TOP_NOTHING;
	}
}
