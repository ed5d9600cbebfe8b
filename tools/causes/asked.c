// SPDX-License-Identifier: GPL-2.0-or-later
/* Moves that somebody asked for: new masks, wakeups to them, fork, exec, a CPU that goes. */
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "causes.h"

/* The main task runs while its mask changes: a stopper moves it, each time. */
void make_affinity(int a, int b, int n)
{
	int i;

	self_to(b);
	for (i = 0; i < n; i++)
		self_to(i % 2 ? b : a);
	self_to(home);
}

/*
 * The task is queued behind a task of higher priority on either CPU, so it never runs and is
 * moved by the caller of sched_setaffinity: first as a fair task, then as a real-time one.
 */
void make_queued(int a, int b, int n)
{
	struct task task = start(a, spin, 0), block[2] = { start(a, spin, 0), start(b, spin, 0) };
	int i;

	set_fifo(&block[0], 2);
	set_fifo(&block[1], 2);
	for (i = 0; i < 2 * n; i++) {
		if (i == n)
			set_fifo(&task, 1);
		move_to(&task, i % 2 ? a : b);
	}
	/* They go first: behind them it could not even die. */
	end(&block[0]);
	end(&block[1]);
	end(&task);
}

static int wake_pipe[2];

static void sleeper(int n)
{
	char byte;

	while (n-- && read(wake_pipe[0], &byte, 1) == 1)
		__atomic_fetch_add(&ledger->go, 1, __ATOMIC_SEQ_CST);
	spin(0);
}

static void wait_go(int value)
{
	long long until = now_ms() + 5000;

	while (__atomic_load_n(&ledger->go, __ATOMIC_SEQ_CST) != value) {
		if (now_ms() > until)
			die("a task that was woken");
		pause_ms(1);
	}
}

/*
 * The mask of a sleeper changes; nothing moves but its next wakeup, to the only CPU left. (A
 * sleeper whose dequeue was delayed, 6.12, is queued yet: the new mask moves it.)
 */
void make_wakeup(int a, int b, int n)
{
	struct task task;
	int i;

	if (pipe(wake_pipe))
		die("pipe");
	task = start(a, sleeper, n);
	for (i = 0; i < n; i++) {
		int before, asleep, after, cpu = i % 2 ? a : b;

		wait_sleeping(task.pid);
		before = nr_migrations(task.pid);
		allow(task.pid, cpu, cpu, cpu);
		asleep = nr_migrations(task.pid);
		if (write(wake_pipe[1], "", 1) != 1)
			die("write");
		wait_go(i + 1);
		after = nr_migrations(task.pid);
		made(MADE_AFFINITY, asleep - before);
		made(MADE_WAKEUP, after - asleep);
		task.known += after - before;
	}
	end(&task);
}

static int fork_a, fork_b;

/* It does not sleep while it waits, so that no wakeup moves it. */
static void brood(int n)
{
	allow(0, fork_a, fork_b, fork_b);
	while (n--) {
		int moves = nr_migrations(0), from = sched_getcpu();
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			born(from, fork_a, fork_b);
			leave();
		}
		if (nr_migrations(0) != moves)
			ledger->blurred++;
		while (!waitpid(pid, NULL, WNOHANG))
			;
	}
}

/* New tasks are placed on A and B; no event of migration tells that. */
void make_fork(int a, int b, int n)
{
	struct task parent;

	fork_a = a;
	fork_b = b;
	parent = start(a, brood, n);
	waitpid(parent.pid, NULL, 0);
}

/* The new image goes on here. One move since, and another CPU: execve chose it. */
void exec_arrived(int was_cpu, int was_moves, int in_ledger)
{
	int moves = nr_migrations(0) - was_moves;

	if (moves > 1)
		ledger->blurred += moves;
	else
		made(MADE_EXEC, sched_getcpu() != was_cpu);
	self_known(in_ledger + (moves == 1));
	leave();
}

/* It prevails over the spinner, so that no balancer finds it queued before it execs. */
static void exec_away(int in_ledger)
{
	char fd[16], cpu[16], moves[16], in[16];

	if (setpriority(PRIO_PROCESS, 0, -20))
		die("setpriority");
	snprintf(fd, sizeof(fd), "%d", ledger_fd());
	snprintf(in, sizeof(in), "%d", in_ledger);
	allow(0, fork_a, fork_b, fork_b);
	snprintf(cpu, sizeof(cpu), "%d", sched_getcpu());
	snprintf(moves, sizeof(moves), "%d", nr_migrations(0));
	execl("/proc/self/exe", "causes", "exec-arrived", fd, cpu, moves, in, NULL);
	die("exec");
}

/* Each child may run on A and B alone and shares A with a spinner: exec finds B idle. */
void make_exec(int a, int b, int n)
{
	struct task spinner = start(a, spin, 0);

	fork_a = a;
	fork_b = b;
	while (n--) {
		struct task t = start(a, exec_away, a != home);

		waitpid(t.pid, NULL, 0);
	}
	end(&spinner);
}

/* Tasks that may run on B alone; when it goes each is pushed off it, once. */
void make_hotplug(int a, int b, int n)
{
	struct task tasks[MAX_TASKS];
	int i;

	(void)a;
	for (i = 0; i < n; i++)
		tasks[i] = start(b, spin, 0);
	set_online(b, false);
	made(MADE_HOTPLUG, n);
	for (i = 0; i < n; i++) {
		tasks[i].known++;
		settle(&tasks[i]);
	}
	set_online(b, true);
	for (i = 0; i < n; i++)
		end(&tasks[i]);
}
