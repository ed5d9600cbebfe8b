// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "causes.h"

/*
 * A domain's line: its mask, after 17 (6.14) its name before that, then for each idle type its
 * counters, then those of active balance. Up to 15 (6.9) idle comes first, later busy does.
 * (kernel/sched/stats.c, show_schedstat())
 */
static void add_domain(struct schedstat *s, char *line, int version)
{
	int per_type = version < 17 ? 8 : 11, gained = version < 17 ? 4 : 7, i;
	long v[3 * 11 + 3] = { 0 };
	char *word, *save;

	strtok_r(line, " ", &save);
	strtok_r(NULL, " ", &save);
	if (version >= 17)
		strtok_r(NULL, " ", &save);
	for (i = 0; i < 3 * per_type + 3 && (word = strtok_r(NULL, " \n", &save)); i++)
		v[i] = strtol(word, NULL, 10);
	s->busy += v[(version < 16 ? per_type : 0) + gained];
	s->idle += v[(version < 16 ? 0 : per_type) + gained];
	s->newidle += v[2 * per_type + gained];
	s->active += v[3 * per_type + 2];
}

static bool counting(void)
{
	FILE *f = fopen("/proc/sys/kernel/sched_schedstats", "r");
	int on = 0;

	if (!f)
		return false;
	if (fscanf(f, "%d", &on) != 1)
		on = 0;
	fclose(f);
	return on;
}

struct schedstat schedstat_read(void)
{
	struct schedstat s = { .on = counting() };
	FILE *f = fopen("/proc/schedstat", "r");
	char *line = NULL;
	size_t size = 0;
	int version = 0;

	if (!f) {
		s.on = false;
		return s;
	}
	while (getline(&line, &size, f) > 0) {
		sscanf(line, "version %d", &version);
		if (!strncmp(line, "domain", 6))
			add_domain(&s, line, version);
	}
	s.on &= version >= 15 && version <= 17;
	free(line);
	fclose(f);
	return s;
}
