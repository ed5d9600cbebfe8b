/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of runs: CLOCK_MONOTONIC, in ns. It does not jump when the time is set. */
#ifndef NT_COLLECT_CLOCK_H
#define NT_COLLECT_CLOCK_H

#include <errno.h>
#include <stdint.h>
#include <time.h>

#define NT_NSEC	1000000000ULL

static inline uint64_t nt_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NT_NSEC + t.tv_nsec;
}

/* Not at all if the moment has passed. */
static inline void nt_sleep_until(uint64_t when)
{
	struct timespec t = { when / NT_NSEC, when % NT_NSEC };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

/* For poll() and its kin: ms from now to a moment, 0 if it has passed, -1 if it is 0 (never). */
static inline int nt_ms_until(uint64_t when)
{
	uint64_t now = nt_now_ns(), ms;

	if (!when)
		return -1;
	if (now >= when)
		return 0;
	ms = (when - now + 999999) / 1000000;
	return ms < 1000000000 ? (int)ms : 1000000000;
}

#endif
