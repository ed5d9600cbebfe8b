// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/stress_version.h"

#include <stdio.h>
#include <string.h>

/* "--fstat N" or "--fstat=N"; --fstat-dir and --fstat-ops only go with it. */
static bool runs_fstat(char *const *argv)
{
	static const char option[] = "--fstat";
	size_t len = strlen(option);

	for (; argv && *argv; argv++)
		if (!strncmp(*argv, option, len) && (!(*argv)[len] || (*argv)[len] == '='))
			return true;
	return false;
}

int nt_fstat_waits(const struct nt_run *head)
{
	unsigned int major, minor, patch = 0;

	if (!head->tool || !runs_fstat(head->argv) ||
	    sscanf(head->tool, "stress-ng %u.%u.%u", &major, &minor, &patch) < 2)
		return -1;
	if (major || minor != 19)
		return major || minor > 19;
	return patch >= 1;
}
