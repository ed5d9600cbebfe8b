// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel charges BPF maps to the memory cgroup of who makes them (5.11), and a group that is
 * full ends in a killed process rather than an error. So look before.
 */
#include "collect/memlimit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/root.h"

/* Where each hierarchy may be mounted, and its file of the limit. */
static const struct {
	const char *controller; /* as /proc/self/cgroup has it; "" is version 2 */
	const char *mount, *file;
} places[] = {
	{"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
	{"", "/sys/fs/cgroup", "memory.max"},
	{"", "/sys/fs/cgroup/unified", "memory.max"},
};

static uint64_t read_limit(const char *mount, const char *group, const char *file)
{
	char path[PATH_MAX], text[32], *end;
	unsigned long long v;

	snprintf(path, sizeof(path), "%s%s/%s", mount, group, file);
	if (nt_read_head(path, text, sizeof(text)))
		return UINT64_MAX;
	v = strtoull(text, &end, 10); /* "max" is no number */
	return end == text ? UINT64_MAX : v;
}

/*
 * A group has no more than those around it. In a container the path may be one of outside; its
 * own group is then what is mounted.
 */
static uint64_t least_limit(const char *mount, char *group, const char *file)
{
	uint64_t least = UINT64_MAX, v;
	char *slash;

	for (;;) {
		v = read_limit(mount, group, file);
		least = v < least ? v : least;
		slash = strrchr(group, '/');
		if (!slash)
			return least;
		*slash = '\0';
	}
}

/* A line is "HIERARCHY:CONTROLLERS:GROUP". */
static uint64_t limit_of_line(char *line)
{
	char *controller = strchr(line, ':'),
	     *group = controller ? strchr(controller + 1, ':') : NULL;
	uint64_t least = UINT64_MAX, v;
	size_t i;

	if (!group)
		return least;
	*group++ = '\0';
	controller++;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *copy = strcmp(places[i].controller, controller) ? NULL : strdup(group);

		v = copy ? least_limit(places[i].mount, copy, places[i].file) : UINT64_MAX;
		free(copy);
		least = v < least ? v : least;
	}
	return least;
}

uint64_t nt_memory_limit(void)
{
	char *text = nt_read_file("/proc/self/cgroup", NULL), *at = text, *line;
	uint64_t least = UINT64_MAX, v;

	while (at && (line = strsep(&at, "\n"))) {
		v = limit_of_line(line);
		least = v < least ? v : least;
	}
	free(text);
	return least;
}
