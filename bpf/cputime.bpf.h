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

/* Charge to a CPU what the task ran since its last reading; a task never read began at 0. */
static __always_inline struct nt_cpu_time *charge(struct task_struct *p, __u32 cpu,
						  struct nt_cpu_time *now)
{
	struct nt_cpu_time zero = {}, *last, *sum;
	__u64 key = (__u64)p;

	read_time(p, now);
	last = bpf_map_lookup_elem(&moved_tasks, &key);
	sum = bpf_map_lookup_elem(&cpu_times, &cpu);
	if (sum) {
		struct nt_cpu_time *from = last ? last : &zero;

		add_since(&sum->exec, now->exec, from->exec);
		add_since(&sum->utime, now->utime, from->utime);
		add_since(&sum->stime, now->stime, from->stime);
	}
	return last;
}

/* The task leaves a CPU. */
static __always_inline void charge_move(struct task_struct *p, __u32 cpu)
{
	struct nt_cpu_time now, *last = charge(p, cpu, &now);
	__u64 key = (__u64)p;

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
}

/* The workload grows: a process of it, or a thread, was born. */
SEC("?tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	__u64 *live = workload_group(parent);
	__u64 key = (__u64)child->signal, task = (__u64)child, one = 1;

	/*
	 * Some kernels do not announce the end of every task (2 of 1000 on a 6.18, perf stat
	 * counts the same). What such a task left must not stick to whoever gets its address.
	 */
	if (!live) {
		if (key != (__u64)parent->signal)
			bpf_map_delete_elem(&groups, &key);
		return 0;
	}
	bpf_map_delete_elem(&moved_tasks, &task);
	if (key == (__u64)parent->signal) {
		__sync_fetch_and_add(live, 1);
	} else if (bpf_map_update_elem(&groups, &key, &one, BPF_ANY)) {
		__sync_fetch_and_add(&census.groups_full, 1);
		return 0;
	}
	__sync_fetch_and_add(&census.forks, 1);
	return 0;
}

/*
 * A task is no more. Not sched_process_exit: that comes before the exit path's own work.
 * This one comes after an RCU grace period, and the threads of a process in any order.
 */
SEC("?tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *p)
{
	__u64 *live = workload_group(p), task = (__u64)p, group = (__u64)p->signal;
	struct nt_cpu_time now;

	if (!live)
		return 0;
	if (charge(p, task_cpu(p), &now))
		bpf_map_delete_elem(&moved_tasks, &task);
	__sync_fetch_and_add(live, -1);
	if (*(volatile __u64 *)live == 0)
		bpf_map_delete_elem(&groups, &group);
	__sync_fetch_and_add(&census.frees, 1);
	return 0;
}

/* Adopt the child that numatrace holds before exec; what it ran until now is not counted. */
SEC("?iter/task")
int adopt_child(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	struct nt_cpu_time now;
	__u64 key, one = 1;

	if (!p || (__u64)p->real_parent != bpf_get_current_task())
		return 0;
	read_time(p, &now);
	key = (__u64)p;
	bpf_map_update_elem(&moved_tasks, &key, &now, BPF_ANY);
	key = (__u64)p->signal;
	if (!bpf_map_update_elem(&groups, &key, &one, BPF_ANY))
		__sync_fetch_and_add(&census.forks, 1);
	return 0;
}

/* What the workload's tasks ran since their last reading, and on which CPU. Writes nothing. */
SEC("?iter/task")
int alive_tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *p = ctx->task;
	struct nt_alive_rec rec = {};
	struct nt_cpu_time now, *last;
	__u64 key = (__u64)p;

	if (!p || !workload_group(p))
		return 0;
	rec.cpu = task_cpu(p);
	read_time(p, &now);
	last = bpf_map_lookup_elem(&moved_tasks, &key);
	rec.exec = now.exec - (last ? last->exec : 0);
	rec.utime = now.utime - (last ? last->utime : 0);
	rec.stime = now.stime - (last ? last->stime : 0);
	bpf_seq_write(ctx->meta->seq, &rec, sizeof(rec));
	return 0;
}

#endif
