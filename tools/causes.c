// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Make migrations happen whose cause is known, and say from our own accounting what
 * happened: one JSON object on stdout. Never asks numatrace.
 *
 * usage: causes affinity A B N   this running task pins itself to CPU A and B in turn, N moves
 *        causes queued A B N     a queued child is moved from CPU A to B and back, N moves
 *        causes exec A B N       N times: a child on CPU A that may run on A and B alone,
 *                                beside a spinner on A, executes a program
 *        causes hotplug A        a spinner on CPU A; A goes off line and comes back
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "causes: %s: %s\n", what, strerror(errno));
	exit(1);
}

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

static void pin(pid_t pid, int a, int b)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(a, &set);
	CPU_SET(b, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		die("sched_setaffinity");
}

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static pid_t spin_on(int cpu)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(0, cpu, cpu);
	for (;;)
		__asm__ volatile("");
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The task runs while its mask changes: a stopper moves it, each time. */
static int affinity(int a, int b, int n)
{
	int i, moves, before = sched_getcpu();

	pin(0, b, b);
	moves = sched_getcpu() != before;
	for (i = 0; i < n; i++) {
		before = sched_getcpu();
		pin(0, i % 2 ? b : a, i % 2 ? b : a);
		moves += sched_getcpu() != before;
	}
	return moves;
}

/*
 * The task is queued behind a spinner of higher priority on either CPU, so it never runs and
 * is moved by the caller of sched_setaffinity. We run elsewhere: on neither CPU.
 */
static int queued(int a, int b, int n)
{
	struct sched_param fifo = { .sched_priority = 1 };
	pid_t task = spin_on(a), block[2] = { spin_on(a), spin_on(b) };
	int i;

	pause_ms(200);
	if (sched_setscheduler(block[0], SCHED_FIFO, &fifo) ||
	    sched_setscheduler(block[1], SCHED_FIFO, &fifo))
		die("sched_setscheduler");
	pause_ms(100);
	for (i = 0; i < n; i++)
		pin(task, i % 2 ? a : b, i % 2 ? a : b);
	end(block[0]);
	end(block[1]);
	end(task);
	return n;
}

static int exec_away(int a, int b, int n)
{
	pid_t spinner = spin_on(a);
	int i, status, moves = 0;

	pause_ms(100);
	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			char was[16];

			pin(0, a, a);
			pin(0, a, b);
			snprintf(was, sizeof(was), "%d", sched_getcpu());
			execl("/proc/self/exe", "causes", "moved-from", was, NULL);
			_exit(2);
		}
		waitpid(pid, &status, 0);
		moves += WIFEXITED(status) && WEXITSTATUS(status) == 1;
	}
	end(spinner);
	return moves;
}

static void set_online(int cpu, const char *value)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	f = fopen(path, "w");
	if (!f || fputs(value, f) < 0 || fclose(f))
		die(path);
}

/* The spinner may run on the CPU that goes alone, so nobody but hotplug moves it: once. */
static int hotplug(int cpu)
{
	pid_t spinner = spin_on(cpu);

	pause_ms(200);
	set_online(cpu, "0");
	pause_ms(300);
	set_online(cpu, "1");
	end(spinner);
	return 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int made;

	if (argc == 3 && !strcmp(what, "moved-from"))
		return sched_getcpu() != number(argv[2]);
	if (argc == 5 && !strcmp(what, "affinity"))
		made = affinity(number(argv[2]), number(argv[3]), number(argv[4]));
	else if (argc == 5 && !strcmp(what, "queued"))
		made = queued(number(argv[2]), number(argv[3]), number(argv[4]));
	else if (argc == 5 && !strcmp(what, "exec"))
		made = exec_away(number(argv[2]), number(argv[3]), number(argv[4]));
	else if (argc == 3 && !strcmp(what, "hotplug"))
		made = hotplug(number(argv[2]));
	else {
		fputs("usage: causes affinity|queued|exec A B N | causes hotplug A\n", stderr);
		return 2;
	}
	printf("{\"cause\": \"%s\", \"made\": %d}\n", what, made);
	return 0;
}
