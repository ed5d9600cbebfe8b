// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Moves that nobody asked for: balancers and the pushes and pulls of real-time tasks. The tasks
 * never sleep while they are free to move, so wakeups have no part in it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "causes.h"

#define MB	(1024 * 1024)

static int memory_mb = 8;

/* Runs a little and sleeps a little, so that its CPU runs out of work all the time. */
static void napper(int arg)
{
	(void)arg;
	for (;;) {
		long long until = now_ms() + 1;

		while (now_ms() <= until)
			;
		pause_ms(3);
	}
}

/* Tell a task that waits for it. */
static void tell(void)
{
	__atomic_fetch_add(&ledger->go, 1, __ATOMIC_SEQ_CST);
}

/* Sleeps until it is told to spin, and spins until it is told to sleep. */
static int pulse_pipe[2];

static void pulser(int go)
{
	char byte;

	while (read(pulse_pipe[0], &byte, 1) == 1) {
		go++;
		while (__atomic_load_n(&ledger->go, __ATOMIC_SEQ_CST) != go)
			;
	}
}

static struct task start_pulser(int cpu, int priority)
{
	struct task t;

	if (pipe(pulse_pipe))
		die("pipe");
	t = start(cpu, pulser, ledger->go);
	set_fifo(&t, priority);
	return t;
}

static void pulse(void)
{
	if (write(pulse_pipe[1], "", 1) != 1)
		die("write");
}

static bool wait_on_cpu(struct task *t, int cpu, int ms)
{
	long long until = now_ms() + ms;

	while (cpu_of(t->pid) != cpu) {
		if (now_ms() > until)
			return false;
		pause_ms(2);
	}
	return true;
}

/* Its moves since are all of that cause: nothing else moves a real-time task that runs. */
static void settle_rt(struct task *t, int since)
{
	int moves;

	settle(t);
	moves = nr_migrations(t->pid) - since;
	made(MADE_RT, moves);
	t->known += moves;
}

/* A task of higher priority wakes on A: the one that ran there is pushed to B. */
void make_rtpush(int a, int b, int n)
{
	struct task task = start(a, spin, 0), high = start_pulser(a, 20);
	int before;

	set_fifo(&task, 10);
	while (n--) {
		before = nr_migrations(task.pid);
		allow(task.pid, a, b, b);
		pulse();
		wait_on_cpu(&task, b, 500);
		settle_rt(&task, before);
		tell();
		wait_sleeping(high.pid);
		move_to(&task, a);
	}
	end(&task);
	end(&high);
}

/* B's task of high priority goes to sleep: B pulls the one that waits behind A's. */
void make_rtpull(int a, int b, int n)
{
	struct task block = start(a, spin, 0), task, high = start_pulser(b, 20);
	int before;

	set_fifo(&block, 10);
	pulse();
	wait_on_cpu(&high, b, 10);
	task = start(home, spin, 0);
	set_fifo(&task, 5);
	while (n--) {
		move_to(&task, a);
		before = nr_migrations(task.pid);
		allow(task.pid, a, b, b);
		tell();
		wait_on_cpu(&task, b, 500);
		settle_rt(&task, before);
		pulse();
		pause_ms(20);
	}
	tell();
	end(&task);
	end(&block);
	end(&high);
}

static void start_many(struct task *tasks, int n, int cpu, body_fn body)
{
	while (n--)
		*tasks++ = start(cpu, body, 0);
}

static void end_many(struct task *tasks, int n)
{
	int i;

	for (i = 0; i < n; i++)
		settle(&tasks[i]);
	for (i = 0; i < n; i++)
		end(&tasks[i]);
}

/* Tasks that keep every CPU from going idle, but those for which nappers are there. */
static int occupy(struct task *tasks, int a, int b, int c)
{
	int cpus[MAX_CPUS], n = online_cpus(cpus), i, k = 0;

	for (i = 0; i < n; i++) {
		bool naps = cpus[i] == b || cpus[i] == c;

		if (cpus[i] != a)
			tasks[k++] = start(cpus[i], naps ? napper : spin, 0);
	}
	return k;
}

static void release(struct task *tasks, int n, int ms)
{
	int i;

	for (i = 0; i < n; i++)
		allow_all(tasks[i].pid);
	pause_ms(ms);
	for (i = 0; i < n; i++)
		settle(&tasks[i]);
}

/* N tasks crowd A while every CPU is busy and stays so: only ticks balance. */
void make_periodic(int a, int b, int n)
{
	struct task crowd[MAX_TASKS], busy[MAX_TASKS];
	int k = occupy(busy, -1, -1, -1);

	(void)b;
	start_many(crowd, n, a, spin);
	release(crowd, n, 3000);
	end_many(crowd, n);
	end_many(busy, k);
}

/* N tasks crowd A while all others are idle. */
void make_idle(int a, int b, int n)
{
	struct task crowd[MAX_TASKS];

	(void)b;
	start_many(crowd, n, a, spin);
	release(crowd, n, 2000);
	end_many(crowd, n);
}

/* Let two tasks on A go to B and C as well, wait until one did, and bring them back. */
static void offer(struct task *pair, int a, int b, int c, int ms)
{
	long long until = now_ms() + ms;
	int i;

	for (i = 0; i < 2; i++)
		allow(pair[i].pid, a, b, c);
	while (now_ms() < until && cpu_of(pair[0].pid) == a && cpu_of(pair[1].pid) == a)
		pause_ms(2);
	for (i = 0; i < 2; i++)
		settle(&pair[i]);
	for (i = 0; i < 2; i++)
		move_to(&pair[i], a);
}

/* A CPU of A's node that is neither A nor the main task's; B if there is none. */
static int neighbour(int a, int b)
{
	int cpus[MAX_CPUS], n = cpus_of_node(a, cpus);

	while (n--) {
		if (cpus[n] != a && cpus[n] != home)
			return cpus[n];
	}
	return b;
}

/* Two tasks on A; B and a neighbour of A run out of work all the time, all others are busy. */
void make_newidle(int a, int b, int n)
{
	struct task pair[2], busy[MAX_TASKS];
	int c = neighbour(a, b), k = occupy(busy, a, b, c);

	start_many(pair, 2, a, spin);
	while (n--)
		offer(pair, a, b, c, 100);
	end_many(pair, 2);
	end_many(busy, k);
}

/* B sleeps with its tick stopped while two tasks share A: another CPU balances for it. */
void make_nohz(int a, int b, int n)
{
	struct task pair[2];

	start_many(pair, 2, a, spin);
	while (n--)
		offer(pair, a, b, b, 300);
	end_many(pair, 2);
}

/* One task on each CPU of A's node and none on the others: only running tasks can be moved. */
void make_active(int a, int b, int n)
{
	struct task tasks[MAX_TASKS];
	int cpus[MAX_CPUS], k = cpus_of_node(a, cpus), i;

	(void)b;
	for (i = 0; i < k; i++)
		tasks[i] = start(cpus[i], spin, 0);
	while (n--) {
		release(tasks, k, 1500);
		for (i = 0; i < k; i++)
			move_to(&tasks[i], cpus[i]);
	}
	end_many(tasks, k);
}

/* Reads and writes memory that is on the node where it was first touched. */
static void walker(int go)
{
	size_t i, size = (size_t)memory_mb * MB;
	volatile char *p = sbrk(size);

	if (p == (void *)-1)
		die("sbrk");
	for (i = 0; i < size; i += 512)
		p[i] = 1;
	tell();
	(void)go;
	for (;;) {
		for (i = 0; i < size; i += 512)
			p[i]++;
	}
}

/*
 * It stays near its memory until that was scanned some times: pages of a task that is new to
 * NUMA balancing follow it, later the task prefers to go to them. (should_numa_migrate_memory())
 */
static struct task start_walker(int memory_cpu, int cpu)
{
	int go = ledger->go;
	long long until = now_ms() + 10000;
	struct task t = start(memory_cpu, walker, 0);

	while (__atomic_load_n(&ledger->go, __ATOMIC_SEQ_CST) == go && now_ms() < until)
		pause_ms(2);
	pause_ms(1500);
	move_to(&t, cpu);
	return t;
}

/* A task runs on A and its memory is on B's node: NUMA balancing moves it there. */
void make_numamove(int a, int b, int n)
{
	while (n--) {
		struct task t = start_walker(b, a);

		allow(t.pid, a, b, b);
		wait_on_cpu(&t, b, 4000);
		end(&t);
	}
}

/* Two tasks that have each other's CPU near their memory, and no other to go to. */
void make_numaswap(int a, int b, int n)
{
	while (n--) {
		struct task x = start_walker(b, a), y = start_walker(a, b);

		allow(x.pid, a, b, b);
		allow(y.pid, a, b, b);
		wait_on_cpu(&x, b, 6000);
		settle(&x);
		end(&y);
		end(&x);
	}
}
