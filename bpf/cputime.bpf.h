/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where does the workload's CPU time go, by CPU? Nothing runs at a context switch. Between
 * two migrations a task runs on one CPU only, so its counters are read when it moves (what
 * came since the last reading belongs to the CPU it leaves) and when it is freed; what tasks
 * still alive have not been charged is summed by an iterator at each sample.
 */
#ifndef NT_CPUTIME_BPF_H
#define NT_CPUTIME_BPF_H

#include "maps.bpf.h"

static __always_inline void read_time(struct task_struct *p, struct nt_cpu_time *t)
{
	t->exec = p->se.sum_exec_runtime;
	t->utime = p->utime;
	t->stime = p->stime;
}

static __always_inline void add_since(__u64 *sum, __u64 now, __u64 before)
{
	if (now > before)
		__sync_fetch_and_add(sum, now - before);
}

static __always_inline struct nt_cpu_time *last_reading(struct task_struct *p)
{
	__u64 key = (__u64)p;

	return bpf_map_lookup_elem(&moved_tasks, &key);
}

/* Charge to a CPU what the task ran since its last reading; a task never read began at 0. */
static __always_inline void charge(struct task_struct *p, __u32 cpu, struct nt_cpu_time *now,
				   const struct nt_cpu_time *last)
{
	struct nt_cpu_time zero = {}, *sum;

	read_time(p, now);
	sum = bpf_map_lookup_elem(&cpu_times, &cpu);
	if (sum) {
		const struct nt_cpu_time *from = last ? last : &zero;

		add_since(&sum->exec, now->exec, from->exec);
		add_since(&sum->utime, now->utime, from->utime);
		add_since(&sum->stime, now->stime, from->stime);
	}
}

/*
 * The task leaves a CPU. Is it of the workload? One that was read before is: on_fork sees to it
 * that no reading outlives its task. So most moves take one look into a hash table, not two: each
 * is a quarter of what a move costs.
 */
static __always_inline bool charge_move(struct task_struct *p, __u32 cpu)
{
	struct nt_cpu_time now, *last = last_reading(p);
	__u64 key = (__u64)p;

	if (!last) {
		struct group *g = workload_group(p);

		if (!g)
			return false;
		/* The pass that takes its process over has yet to come by. */
		if (g->taken_over)
			return true;
	}
	charge(p, cpu, &now, last);
	if (last) {
		*last = now;
	} else if (bpf_map_update_elem(&moved_tasks, &key, &now, BPF_NOEXIST)) {
		/* Unrecorded, this time would be charged again: take it back and say so. */
		struct nt_cpu_time *sum = bpf_map_lookup_elem(&cpu_times, &cpu);

		if (sum) {
			__sync_fetch_and_add(&sum->exec, -now.exec);
			__sync_fetch_and_add(&sum->utime, -now.utime);
			__sync_fetch_and_add(&sum->stime, -now.stime);
		}
		__sync_fetch_and_add(&census.tasks_full, 1);
	}
	return true;
}

static __always_inline void count_thread(struct group *g)
{
	__sync_fetch_and_add(&g->live, 1);
	__sync_fetch_and_add(&census.forks, 1);
}

/*
 * A thread of a group that was taken over is a counted one once it has a reading; what it ran
 * before is not ours. During the passes its fork and a pass may both bring it here, in any
 * order: the first one counts it. Afterwards only forks do, and what is found under the
 * address of a newborn is left from a task whose end was not announced.
 */
static __always_inline void take_over(struct group *g, struct task_struct *p)
{
	__u64 key = (__u64)p, flags = adopting ? BPF_NOEXIST : BPF_ANY;
	struct nt_cpu_time now;
	long err;

	read_time(p, &now);
	err = bpf_map_update_elem(&moved_tasks, &key, &now, flags);
	if (!err)
		count_thread(g);
	else if (err != -EEXIST)
		__sync_fetch_and_add(&census.groups_full, 1);
}

/* A process of the workload forked one, of that signal_struct. */
static __always_inline void add_process(__u64 group)
{
	struct group one = { .live = 1 };

	if (bpf_map_update_elem(&groups, &group, &one, BPF_ANY))
		__sync_fetch_and_add(&census.groups_full, 1);
	else
		__sync_fetch_and_add(&census.forks, 1);
}

/*
 * The workload grows: a process of it, or a thread, was born, and is about to run. Not
 * sched_process_fork: since 7.0 tracepoints are passed with preemption on, a program that is
 * preempted is skipped for everybody else on its CPU, and the child would not be followed. Here
 * the run queue is locked.
 */
SEC("?tp_btf/sched_wakeup_new")
int BPF_PROG(on_fork, struct task_struct *child)
{
	struct group *g = workload_signal(makers_group(child));
	__u64 key = task_group(child), task = (__u64)child;
	bool thread = is_thread(child);

	if (g && thread && g->taken_over) {
		take_over(g, child);
		return 0;
	}
	/*
	 * Some kernels do not announce the end of every task (2 of 1000 on a 6.18, perf stat
	 * counts the same). What such a task left must not stick to whoever gets its address.
	 * While a pass goes on, what is there may be what that pass just entered.
	 */
	if (!g && adopting)
		return 0;
	bpf_map_delete_elem(&moved_tasks, &task);
	if (!g) {
		if (!thread)
			bpf_map_delete_elem(&groups, &key);
		return 0;
	}
	if (thread)
		count_thread(g);
	else
		add_process(key);
	return 0;
}

/*
 * A task is no more. Not sched_process_exit: that comes before the exit path's own work.
 * This one comes after an RCU grace period, and the threads of a process in any order.
 */
SEC("?tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *p)
{
	__u64 task = (__u64)p, group = task_group(p);
	struct group *g = workload_signal(group);
	struct nt_cpu_time now, *last;

	if (!g)
		return 0;
	last = last_reading(p);
	/* One that had all but ended when its process was taken over was never counted. */
	if (!last && g->taken_over)
		return 0;
	charge(p, task_cpu(p), &now, last);
	if (last)
		bpf_map_delete_elem(&moved_tasks, &task);
	__sync_fetch_and_add(&g->live, -1);
	/* During the passes the threads of a group are not all counted yet. */
	if (*(volatile __u64 *)&g->live == 0 && !adopting)
		bpf_map_delete_elem(&groups, &group);
	__sync_fetch_and_add(&census.frees, 1);
	return 0;
}

/* The child that numatrace holds before exec; what it ran until now is not counted. */
static __always_inline void adopt_child(struct task_struct *p, __u64 group)
{
	struct nt_cpu_time now;
	__u64 key = (__u64)p;

	if ((__u64)kernel_member(p, real_parent) != bpf_get_current_task())
		return;
	read_time(p, &now);
	bpf_map_update_elem(&moved_tasks, &key, &now, BPF_ANY);
	add_process(group);
}

static __always_inline void adopt_group(struct task_struct *p, __u64 group, struct seq_file *seq)
{
	struct group fresh = { .taken_over = 1 };
	__u32 pid = process_id(p);

	if (bpf_map_lookup_elem(&wanted, &pid) &&
	    !bpf_map_update_elem(&groups, &group, &fresh, BPF_NOEXIST))
		bpf_seq_write(seq, &pid, sizeof(pid));
}

static __always_inline void adopt_thread(struct task_struct *p, __u64 group)
{
	struct group *g = workload_signal(group);

	if (g && g->taken_over)
		take_over(g, p);
}

/*
 * Make tasks that are there already the workload. Processes that run meanwhile fork, end and
 * move; so that no thread is lost or counted twice, it takes two kinds of pass:
 *
 * 1. NT_ADOPT_GROUPS enters the groups. From then on on_fork sees the threads they get. A
 *    thread whose fork was announced before that was visible to iterators before (a task is
 *    hashed in copy_process(), announced later), so the next pass meets it.
 * 2. NT_ADOPT_THREADS gives each thread its first reading, from which on it is counted. User
 *    space repeats it until a pass finds nobody new: a thread can take over its leader's PID
 *    (exec in a thread) and with it jump behind the iterator's back.
 *
 * A task whose exit_state is set runs no more and is left out. One whose exit_state is not set
 * yet cannot be freed while this program runs: sched_process_free comes an RCU grace period
 * after it is set, and this is an RCU read side section. So no reading is entered for a task
 * that was freed already. Moves of a thread without a reading charge nothing.
 */
SEC("?iter/task")
int adopt(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	__u64 group;

	if (!p || p->exit_state)
		return 0;
	group = task_group(p);
	if (adopting == NT_ADOPT_CHILD)
		adopt_child(p, group);
	else if (adopting == NT_ADOPT_GROUPS)
		adopt_group(p, group, ctx->meta->seq);
	else if (adopting == NT_ADOPT_THREADS)
		adopt_thread(p, group);
	return 0;
}

/* What the workload's tasks ran since their last reading, and on which CPU. Writes nothing. */
SEC("?iter/task")
int alive_tasks(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *p = ctx->task;
	struct nt_alive_rec rec = {};
	struct nt_cpu_time now, *last;
	struct group *g;

	if (!p)
		return 0;
	g = workload_group(p);
	if (!g)
		return 0;
	last = last_reading(p);
	if (!last && g->taken_over)
		return 0;
	rec.cpu = task_cpu(p);
	read_time(p, &now);
	rec.exec = now.exec - (last ? last->exec : 0);
	rec.utime = now.utime - (last ? last->utime : 0);
	rec.stime = now.stime - (last ? last->stime : 0);
	bpf_seq_write(seq, &rec, sizeof(rec));
	return 0;
}

#endif
