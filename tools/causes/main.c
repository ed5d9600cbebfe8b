// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: causes MODE A B N
 *
 * Make migrations of a known cause, N times, between CPUs A and B; print what was made as one
 * JSON object. Each mode is described at its function. Start it bound to one CPU that is
 * neither A nor B, so that nothing moves it before it counts.
 *
 * {"mode": ..., "made": {cause: moves}, "blurred": moves counted under a cause that may be
 * another's, "migrations": sum of nr_migrations over all tasks, "tasks": how many,
 * "forks": [[parent's CPU, child's first CPU, n], ...], "schedstat": the kernel's own count of
 * tasks gained meanwhile on the whole machine}
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "causes.h"

static const struct {
	const char *name;
	void (*make)(int a, int b, int n);
} modes[] = {
	{ "affinity", make_affinity }, { "queued", make_queued },     { "wakeup", make_wakeup },
	{ "fork", make_fork },	       { "exec", make_exec },	      { "hotplug", make_hotplug },
	{ "rtpush", make_rtpush },     { "rtpull", make_rtpull },     { "periodic", make_periodic },
	{ "idle", make_idle },	       { "newidle", make_newidle },   { "nohz", make_nohz },
	{ "active", make_active },     { "numamove", make_numamove }, { "numaswap", make_numaswap },
};

static const char *const made_names[NMADE] = {
	[MADE_AFFINITY] = "affinity", [MADE_WAKEUP] = "wakeup", [MADE_EXEC] = "exec",
	[MADE_HOTPLUG] = "hotplug",   [MADE_RT] = "rt",		[MADE_BALANCERS] = "balancers",
};

static int number(const char *s)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (*end || end == s || n < 0 || n > 1000000) {
		errno = EINVAL;
		die(s);
	}
	return n;
}

static int lowest_cpu_but(int a, int b)
{
	int cpus[MAX_CPUS], n = online_cpus(cpus), i;

	for (i = 0; i < n; i++) {
		if (cpus[i] != a && cpus[i] != b)
			return cpus[i];
	}
	errno = EINVAL;
	die("no third CPU");
	return -1;
}

static void print_forks(void)
{
	const char *sep = "";
	int i, j;

	printf(", \"forks\": [");
	for (i = 0; i < MAX_CPUS; i++) {
		for (j = 0; j < MAX_CPUS; j++) {
			if (!ledger->forks[i][j])
				continue;
			printf("%s[%d, %d, %d]", sep, i, j, ledger->forks[i][j]);
			sep = ", ";
		}
	}
	printf("]");
}

static void print_schedstat(const struct schedstat *from, const struct schedstat *to)
{
	/* They start anew when domains are rebuilt, as hotplug does. */
	if (!from->on || !to->on || to->busy < from->busy || to->idle < from->idle ||
	    to->newidle < from->newidle || to->active < from->active)
		return;
	printf(", \"schedstat\": {\"busy\": %ld, \"idle\": %ld, \"newidle\": %ld, \"active\": %ld}",
	       to->busy - from->busy, to->idle - from->idle, to->newidle - from->newidle,
	       to->active - from->active);
}

static void run(int mode, int a, int b, int n)
{
	struct schedstat before, after;
	const char *sep = "";
	int i, start, known;

	ledger_open();
	start = nr_migrations(0);
	home = lowest_cpu_but(a, b);
	self_to(home);
	before = schedstat_read();
	modes[mode].make(a, b, n);
	after = schedstat_read();
	known = nr_migrations(0);
	ledger->migrations += known;
	printf("{\"mode\": \"%s\", \"made\": {", modes[mode].name);
	for (i = 0; i < NMADE; i++) {
		printf("%s\"%s\": %d", sep, made_names[i], ledger->made[i]);
		sep = ", ";
	}
	printf("}, \"before\": %d, \"blurred\": %d, \"migrations\": %d, \"tasks\": %d", start,
	       ledger->blurred, ledger->migrations, ledger->tasks + 1);
	print_forks();
	print_schedstat(&before, &after);
	printf("}\n");
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 6 && !strcmp(argv[1], "exec-arrived")) {
		ledger_join(number(argv[2]));
		exec_arrived(number(argv[3]), number(argv[4]), number(argv[5]));
	}
	for (i = 0; argc == 5 && i < sizeof(modes) / sizeof(*modes); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		run(i, number(argv[2]), number(argv[3]), number(argv[4]));
		return 0;
	}
	fputs("usage: causes MODE A B N\nmodes:", stderr);
	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		fprintf(stderr, " %s", modes[i].name);
	fputs("\n", stderr);
	return 2;
}
