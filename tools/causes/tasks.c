// SPDX-License-Identifier: GPL-2.0-or-later
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

#include "causes.h"

int home;
static int known;	/* of this task's migrations, those in the ledger */

void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[64];
	FILE *f;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	else
		snprintf(path, sizeof(path), "/proc/thread-self/%s", name);
	f = fopen(path, "r");
	if (!f)
		die(path);
	return f;
}

int nr_migrations(pid_t pid)
{
	FILE *f = open_proc(pid, "sched");
	char line[256];
	int n = -1;

	while (n < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "se.nr_migrations : %d", &n);
	fclose(f);
	if (n < 0) {
		errno = ENODATA;
		die("nr_migrations");
	}
	return n;
}

/* State and CPU from /proc/PID/stat: what follows the name is numbered from 3. */
static void read_stat(pid_t pid, char *state, int *cpu)
{
	FILE *f = open_proc(pid, "stat");
	char line[1024], *p;
	int field;

	p = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	for (field = 3; p && field <= 39; field++) {
		p = strchr(p + 1, ' ');
		if (p && field == 3)
			*state = p[1];
	}
	if (!p) {
		errno = EINVAL;
		die("/proc/PID/stat");
	}
	*cpu = atoi(p);
}

int cpu_of(pid_t pid)
{
	char state;
	int cpu;

	read_stat(pid, &state, &cpu);
	return cpu;
}

void wait_sleeping(pid_t pid)
{
	long long until = now_ms() + 5000;
	char state;
	int cpu;

	do {
		read_stat(pid, &state, &cpu);
		if (state == 'S')
			return;
		pause_ms(1);
	} while (now_ms() < until);
	errno = ETIMEDOUT;
	die("a task that was to sleep");
}

static void set_mask(pid_t pid, const cpu_set_t *set)
{
	if (sched_setaffinity(pid, sizeof(*set), set))
		die("sched_setaffinity");
}

void allow(pid_t pid, int a, int b, int c)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(a, &set);
	CPU_SET(b, &set);
	CPU_SET(c, &set);
	set_mask(pid, &set);
}

void allow_all(pid_t pid)
{
	int cpus[MAX_CPUS], n = online_cpus(cpus);
	cpu_set_t set;

	CPU_ZERO(&set);
	while (n--)
		CPU_SET(cpus[n], &set);
	set_mask(pid, &set);
}

void self_to(int cpu)
{
	int moved = sched_getcpu() != cpu;

	allow(0, cpu, cpu, cpu);
	made(MADE_AFFINITY, moved);
	known += moved;
}

void self_known(int moves)
{
	known += moves;
}

static void account(int moves, int in_ledger)
{
	made(MADE_BALANCERS, moves - in_ledger);
	__atomic_fetch_add(&ledger->migrations, moves, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&ledger->tasks, 1, __ATOMIC_SEQ_CST);
}

/*
 * Between the look at the CPU and the new mask the task may have been moved away; the mask
 * then moves it back. That are two moves, which nr_migrations tells from none and from one
 * before the look.
 */
static int narrow(pid_t pid, int before)
{
	int cpu = pid ? cpu_of(pid) : sched_getcpu(), moves;

	allow(pid, cpu, cpu, cpu);
	moves = nr_migrations(pid) - before;
	made(MADE_AFFINITY, moves == 2);
	if (moves > 2)
		ledger->blurred += moves;
	return moves == 2;
}

void settle(struct task *t)
{
	t->known += narrow(t->pid, nr_migrations(t->pid));
}

void leave(void)
{
	known += narrow(0, nr_migrations(0));
	account(nr_migrations(0), known);
	_exit(0);
}

void born(int from, int a, int b)
{
	int now, moves, first;

	/* A balancer may move it between the two looks: they must be of one stay. */
	do {
		now = sched_getcpu();
		moves = nr_migrations(0);
	} while (sched_getcpu() != now);
	first = now;
	/* It may have been moved before it ran: then it was on the other CPU first. */
	if (moves % 2)
		first = now == a ? b : a;
	__atomic_fetch_add(&ledger->forks[from][first], 1, __ATOMIC_SEQ_CST);
	known = 0;
}

void spin(int arg)
{
	(void)arg;
	for (;;)
		__asm__ volatile("");
}

/* The main task may run on one CPU alone, so the child's first CPU is that one. */
struct task start(int cpu, body_fn body, int arg)
{
	int ready = ledger->ready + 1, from = sched_getcpu();
	long long until = now_ms() + 10000;
	struct task t = { .pid = fork() };

	if (t.pid < 0)
		die("fork");
	if (!t.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		born(from, from, from);
		self_to(cpu);
		__atomic_fetch_add(&ledger->ready, 1, __ATOMIC_SEQ_CST);
		body(arg);
		leave();
	}
	t.known = from != cpu;
	while (__atomic_load_n(&ledger->ready, __ATOMIC_SEQ_CST) != ready) {
		if (now_ms() > until) {
			errno = ETIMEDOUT;
			die("a task that was to start");
		}
		pause_ms(1);
	}
	return t;
}

void move_to(struct task *t, int cpu)
{
	int before = nr_migrations(t->pid), moves;

	allow(t->pid, cpu, cpu, cpu);
	moves = nr_migrations(t->pid) - before;
	made(MADE_AFFINITY, moves);
	t->known += moves;
}

void end(struct task *t)
{
	settle(t);
	account(nr_migrations(t->pid), t->known);
	kill(t->pid, SIGKILL);
	waitpid(t->pid, NULL, 0);
}

void set_fifo(struct task *t, int priority)
{
	struct sched_param p = { .sched_priority = priority };

	if (sched_setscheduler(t->pid, SCHED_FIFO, &p))
		die("sched_setscheduler");
}

void set_online(int cpu, bool online)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	f = fopen(path, "w");
	if (!f || fputs(online ? "1" : "0", f) < 0 || fclose(f))
		die(path);
}

static int read_cpus(const char *path, int *cpus)
{
	FILE *f = fopen(path, "r");
	int first, last, n = 0;
	char sep;

	if (!f)
		die(path);
	while (fscanf(f, "%d", &first) == 1) {
		last = first;
		if (fscanf(f, "%c", &sep) == 1 && sep == '-') {
			if (fscanf(f, "%d", &last) != 1)
				die(path);
			sep = fgetc(f);
		}
		for (; first <= last && n < MAX_CPUS && first < MAX_CPUS; first++)
			cpus[n++] = first;
		if (sep != ',')
			break;
	}
	fclose(f);
	return n;
}

int online_cpus(int *cpus)
{
	return read_cpus("/sys/devices/system/cpu/online", cpus);
}

int cpus_of_node(int cpu, int *cpus)
{
	char path[80];
	int node;

	for (node = 0; node < 1024; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/node%d/cpulist", cpu,
			 node);
		if (!access(path, R_OK))
			return read_cpus(path, cpus);
	}
	return online_cpus(cpus);	/* a kernel without NUMA */
}
