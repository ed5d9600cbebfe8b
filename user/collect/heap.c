// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ROOM		(32UL << 20)
#define HUGE		(2UL << 20)	/* x86_64; a hint elsewhere as well */
#define DEFAULT_LIMIT	(128 * 1024)	/* glibc's own, for both */

void nt_heap_reserve(void)
{
	char *room, *start;

	mallopt(M_MMAP_THRESHOLD, 2 * ROOM);
	mallopt(M_TRIM_THRESHOLD, 2 * ROOM);
	room = malloc(ROOM);
	if (!room)
		return;
	start = room + (HUGE - (uintptr_t)room % HUGE) % HUGE;
	/* Without huge pages it is as slow as it was. */
	madvise(start, ROOM - HUGE, MADV_HUGEPAGE);
	free(room);
}

void nt_heap_release(void)
{
	mallopt(M_MMAP_THRESHOLD, DEFAULT_LIMIT);
	mallopt(M_TRIM_THRESHOLD, DEFAULT_LIMIT);
	malloc_trim(0);
}
