/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make migrations happen whose cause is known, and account for each from what the kernel says
 * to the tasks themselves: getcpu and nr_migrations of /proc/PID/sched. Never asks numatrace.
 */
#ifndef CAUSES_H
#define CAUSES_H

#include <stdbool.h>
#include <sys/types.h>

#define MAX_CPUS	128
#define MAX_TASKS	(2 * MAX_CPUS)

enum made {
	MADE_AFFINITY,
	MADE_WAKEUP,
	MADE_EXEC,
	MADE_HOTPLUG,
	MADE_RT,
	MADE_BALANCERS,		/* unasked: the load balancer's or NUMA balancing's */
	NMADE,
};

/* Shared by all tasks of a run, across exec as well. */
struct ledger {
	int made[NMADE];
	int migrations;		/* sum of nr_migrations of the tasks that ended */
	int tasks;		/* how many of them there were */
	int blurred;		/* moves whose cause the accounting cannot tell */
	int ready;		/* tasks that are where they were to be */
	int go;			/* a signal to the tasks */
	int forks[MAX_CPUS][MAX_CPUS];	/* from the CPU of the parent to the first of the child */
};

extern struct ledger *ledger;
extern int home;		/* the main task's CPU: no other task's business */

/* A task that the main task looks after. */
struct task {
	pid_t pid;
	int known;		/* its migrations whose cause is in the ledger */
};

/* What a task does after it went to its CPU; arg is its own. If it returns the task ends. */
typedef void (*body_fn)(int arg);

/* ledger.c */
void die(const char *what);
void ledger_open(void);
int ledger_fd(void);
void ledger_join(int fd);
void made(enum made cause, int n);

/* tasks.c. Every wait is bounded: if it is over in vain they die. */
void pause_ms(long ms);
int nr_migrations(pid_t pid);	/* 0: this task */
int cpu_of(pid_t pid);
void allow(pid_t pid, int a, int b, int c);	/* they may be the same */
void allow_all(pid_t pid);		/* every CPU on line */
void self_to(int cpu);			/* pin this task; counts the move if it makes one */
void self_known(int moves);		/* moves of this task that are in the ledger */
void leave(void) __attribute__((noreturn));
struct task start(int cpu, body_fn body, int arg);
void born(int from, int a, int b);	/* the first call of a child that may run on A and B */
void spin(int arg) __attribute__((noreturn));
void settle(struct task *t);		/* narrow its mask to the CPU where it is */
void move_to(struct task *t, int cpu);	/* settled already */
void end(struct task *t);
void set_fifo(struct task *t, int priority);
void wait_sleeping(pid_t pid);
void set_online(int cpu, bool online);
int online_cpus(int *cpus);		/* at most MAX_CPUS; returns how many */
int cpus_of_node(int cpu, int *cpus);	/* those of the CPU's node that are on line */
long long now_ms(void);

/* schedstat.c: what the kernel itself counted on the whole machine. */
struct schedstat {
	bool on;
	long busy, idle, newidle;	/* tasks gained by balancing CPUs so */
	long active;			/* of idle, those pushed off their CPU while they ran */
};
struct schedstat schedstat_read(void);

/* The modes: A and B are CPUs of different nodes if the machine has several. */
void make_affinity(int a, int b, int n);
void make_queued(int a, int b, int n);
void make_wakeup(int a, int b, int n);
void make_fork(int a, int b, int n);
void make_exec(int a, int b, int n);
void exec_arrived(int was_cpu, int was_moves, int known) __attribute__((noreturn));
void make_hotplug(int a, int b, int n);
void make_rtpush(int a, int b, int n);
void make_rtpull(int a, int b, int n);
void make_periodic(int a, int b, int n);
void make_idle(int a, int b, int n);
void make_newidle(int a, int b, int n);
void make_nohz(int a, int b, int n);
void make_active(int a, int b, int n);
void make_numamove(int a, int b, int n);
void make_numaswap(int a, int b, int n);

#endif
