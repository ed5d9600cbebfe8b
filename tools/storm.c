// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Make very many of what the collector follows, and say how many it were: one number on
 * stdout, from our own counting. Never asks numatrace.
 *
 * usage: storm processes N    N processes, one after the other, from two parents at a time
 *        storm threads N      N threads, likewise
 *        storm moves N        N moves of four queued tasks between CPUs 0 and 1, by changes of
 *                             their affinity
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARENTS	2
#define TASKS	4

static void die(const char *what)
{
	fprintf(stderr, "storm: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void *nothing(void *arg)
{
	return arg;
}

static long processes(long n)
{
	long made;
	pid_t pid;

	for (made = 0; made < n; made++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return made;
}

static long threads(long n)
{
	long made;

	for (made = 0; made < n; made++) {
		pthread_t t;

		errno = pthread_create(&t, NULL, nothing, NULL);
		if (errno)
			die("pthread_create");
		pthread_join(t, NULL);
	}
	return made;
}

static int pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(pid, sizeof(set), &set);
}

static pid_t spin(int cpu, int policy)
{
	struct sched_param none = { 0 };
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pin(0, cpu) || sched_setscheduler(0, policy, &none))
		exit(1);
	for (;;)
		__asm__ volatile("");
}

/*
 * The tasks are of the idle class and each CPU has somebody better to run, so they stand in the
 * queue and whoever changes their mask moves them: once each time, and nobody else can.
 */
static long moves(long n)
{
	pid_t task[TASKS], other;
	int i;

	if (pin(0, 0))
		die("sched_setaffinity");
	other = spin(1, SCHED_OTHER);
	for (i = 0; i < TASKS; i++)
		task[i] = spin(0, SCHED_IDLE);
	usleep(100000);
	for (i = 0; i < n; i++)
		if (pin(task[i % TASKS], i / TASKS % 2 ? 0 : 1))
			die("sched_setaffinity");
	for (i = 0; i < TASKS; i++)
		kill(task[i], SIGKILL);
	kill(other, SIGKILL);
	return n;
}

/* By two parents at once. */
static long by_parents(long (*make)(long n), long n)
{
	long made = 0, part;
	int fd[2], i;

	if (pipe(fd))
		die("pipe");
	for (i = 0; i < PARENTS; i++)
		if (!fork()) {
			part = make(n / PARENTS);
			exit(write(fd[1], &part, sizeof(part)) != sizeof(part));
		}
	close(fd[1]);
	for (i = 0; i < PARENTS; i++) {
		if (read(fd[0], &part, sizeof(part)) != sizeof(part))
			die("read");
		made += part;
	}
	return made;
}

int main(int argc, char **argv)
{
	const char *what = argc == 3 ? argv[1] : "";
	long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0, made;

	if (n > 0 && !strcmp(what, "processes"))
		made = by_parents(processes, n);
	else if (n > 0 && !strcmp(what, "threads"))
		made = by_parents(threads, n);
	else if (n > 0 && !strcmp(what, "moves"))
		made = moves(n);
	else {
		fputs("usage: storm processes|threads|moves N\n", stderr);
		return 2;
	}
	while (wait(NULL) > 0)
		;
	printf("%ld\n", made);
	return 0;
}
