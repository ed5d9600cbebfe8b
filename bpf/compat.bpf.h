/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every difference between kernels that the programs meet, each with the version that made
 * it. Decisions are taken from the running kernel's BTF, never from its version number:
 * stable kernels take renames and fields back from newer ones.
 */
#ifndef NT_COMPAT_BPF_H
#define NT_COMPAT_BPF_H

#include "vmlinux.h"

/*
 * Registers that carry arguments and the result at a kprobe; BTF has them under the same names.
 * Before bpf_tracing.h, which reads them.
 */
#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r8, cx, dx, si, di, ax;
} __attribute__((preserve_access_index));
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	__u64 regs[31];
} __attribute__((preserve_access_index));
#endif

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include "shared.h"

#define BPF_F_MMAPABLE	(1U << 10)	/* these four: include/uapi/linux/bpf.h */
#define BPF_F_NO_PREALLOC 1
#define BPF_ANY		0
#define BPF_NOEXIST	1
#define EEXIST		17		/* include/uapi/asm-generic/errno-base.h */
#define PF_KTHREAD	0x00200000	/* include/linux/sched.h, the same in 5.10 .. 7.3 */
#define TASK_WAKING	0x0200		/* ditto */
#define SCHED_SOFTIRQ	7		/* include/linux/interrupt.h, ditto */
#define MAX_RT_PRIO	100		/* include/linux/sched/prio.h, ditto */
#define ON_RQ_MIGRATING	2		/* TASK_ON_RQ_MIGRATING, kernel/sched/sched.h, ditto */

/*
 * User space clears it where the kernel refuses bpf_probe_read_kernel (lockdown in
 * confidentiality mode); the verifier then drops the branches that need it.
 */
const volatile bool can_probe_read = true;

/*
 * What a task iterator is given. The verifier knows the members by their offsets, and refuses what
 * is not there: nothing to relocate, so nothing to look for among all types of the kernel.
 */
struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

/*
 * A member of what a pointer leads to, by address where that is permitted. A pointer read so is a
 * number: from 6.18 on the verifier looks for four names among all types of the kernel each time
 * that it sees a pointer loaded from a task, which makes the start of a run 1 ms longer, and it
 * lets no pointer of its own into another function. The helper takes 20 ns.
 */
#define kernel_member(base, member)						\
	({									\
		typeof((base)->member) __value = 0;				\
										\
		if (can_probe_read)						\
			bpf_core_read(&__value, sizeof(__value), &(base)->member); \
		else								\
			__value = (base)->member;				\
		__value;							\
	})

/* The thread group of a task: its signal_struct, unique while any thread is left. */
static __always_inline __u64 task_group(struct task_struct *task)
{
	return (__u64)kernel_member(task, signal);
}

/* 5.14 (2f064a59a11f): task_struct.state became __state and an unsigned int. */
static __always_inline __u32 task_state(struct task_struct *p)
{
	if (bpf_core_field_exists(p->__state))
		return p->__state;
	return p->state;
}

/*
 * The CPU a task is on. Unlike se.cfs_rq->rq, it stays good after the task's cgroup went. 5.16
 * (bcf9033e5449) moved it from task_struct to thread_info.
 */
static __always_inline __u32 task_cpu(struct task_struct *p)
{
	if (bpf_core_field_exists(p->thread_info.cpu))
		return p->thread_info.cpu;
	return p->cpu;
}

/* 7.2: task_struct.on_rq shrank from int to u8; this load takes the width from BTF. */
static __always_inline __u32 task_on_rq(struct task_struct *task)
{
	return BPF_CORE_READ_BITFIELD(task, on_rq);
}

/*
 * Is the running task on its queue and runnable (not: going to sleep)? 5.11 brought
 * bpf_get_current_task_btf().
 */
static __always_inline bool current_is_running_task(void)
{
	struct task_struct *cur;
	__u64 on_rq = 0;

	/* The idle task counts as queued and runnable, yet it has nothing to run. */
	if (!(__u32)bpf_get_current_pid_tgid())
		return false;
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) {
		cur = bpf_get_current_task_btf();
		return task_state(cur) == 0 && task_on_rq(cur) == 1;
	}
	if (!can_probe_read)
		return false;
	cur = (void *)bpf_get_current_task();
	if (BPF_CORE_READ(cur, state) != 0)
		return false;
	bpf_core_read(&on_rq, bpf_core_field_size(cur->on_rq), &cur->on_rq);
	return on_rq == 1;
}

/* The thread group of the running task: its signal_struct. 0: this kernel does not say. */
static __always_inline __u64 current_group(void)
{
	struct task_struct *cur = (void *)bpf_get_current_task();

	if (can_probe_read)
		return (__u64)BPF_CORE_READ(cur, signal);
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf))
		return (__u64)bpf_get_current_task_btf()->signal;
	return 0;
}

/* Not the first of its process? By numbers, as in kernel_member(). */
static __always_inline bool is_thread(struct task_struct *task)
{
	return task->pid != task->tgid;
}

/*
 * The thread group that makes a newborn task, which its maker still is about to wake. (With
 * CLONE_PARENT a process is no child of its maker: only 5.10 in lockdown mistakes that.)
 */
static __always_inline __u64 makers_group(struct task_struct *newborn)
{
	/* Constants: what does not hold here is not even looked at by the verifier. */
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf) ||
	    can_probe_read)
		return current_group();
	return (__u64)(is_thread(newborn) ? newborn : newborn->real_parent)->signal;
}

/* Between sched_exec() and the end of execve. (The macro has a p of its own.) */
static __always_inline bool task_in_execve(struct task_struct *task)
{
	return BPF_CORE_READ_BITFIELD(task, in_execve);
}

/*
 * The PID of the task's process in the PID namespace of numatrace, which is the one running: an
 * iterator shows the tasks of that namespace and of those below. 0: none (it ends).
 */
static __always_inline __u32 process_id(struct task_struct *task)
{
	struct task_struct *me = (void *)bpf_get_current_task();
	__u32 level, nr = task->tgid;

	level = can_probe_read ? BPF_CORE_READ(me, thread_pid, level) : 0;
	if (level) {
		struct pid *pid = BPF_CORE_READ(task, group_leader, thread_pid);

		bpf_probe_read_kernel(&nr, sizeof(nr),
				      (void *)pid + bpf_core_field_offset(struct pid, numbers) +
				      level * bpf_core_type_size(struct upid) +
				      bpf_core_field_offset(struct upid, nr));
	}
	return nr;
}

/*
 * Tasks of the fair class in a CPU's queue, those of all its groups.
 *
 * 6.12 (152e11f6df29) lets tasks that go to sleep stay queued until they are next in turn. They are
 * in rq->nr_running, too. 6.14 (7b8a702d9438, c2a295bffeaf) renamed h_nr_running to h_nr_queued
 * and counts the runnable ones as h_nr_runnable; 6.13 (2e05f6c71d36) had counted the sleepers as
 * h_nr_delayed. Stable kernels took these back.
 */
static __always_inline void read_fair_queue(struct rq *rq, struct nt_queue_rec *rec)
{
	struct sched_entity *any = NULL;

	rec->has_delayed = 1;
	if (bpf_core_field_exists(rq->cfs.h_nr_queued))
		rec->fair = rq->cfs.h_nr_queued;
	else
		rec->fair = rq->cfs.h_nr_running;
	if (bpf_core_field_exists(rq->cfs.h_nr_runnable))
		rec->delayed = rec->fair - rq->cfs.h_nr_runnable;
	else if (bpf_core_field_exists(rq->cfs.h_nr_delayed))
		rec->delayed = rq->cfs.h_nr_delayed;
	else
		rec->has_delayed = !bpf_core_field_exists(any->sched_delayed);
}

/*
 * Address of a domain's span; user space checks it against span_weight. Up to 6.18 a member; later
 * the mask just follows the struct, without a name.
 */
static __always_inline const void *domain_span(struct sched_domain *sd)
{
	if (bpf_core_field_exists(sd->span))
		return (const char *)sd + bpf_core_field_offset(sd->span);
	return (const char *)sd + bpf_core_type_size(struct sched_domain);
}

/* 6.10 (commit 38d707c54df4 and after) swapped the numbers of idle and not idle. */
static __always_inline __u32 idle_type(__u32 idle)
{
	if (idle == bpf_core_enum_value(enum cpu_idle_type, CPU_NEWLY_IDLE))
		return NT_IDLE_NEWLY;
	if (idle == bpf_core_enum_value(enum cpu_idle_type, CPU_IDLE))
		return NT_IDLE_IDLE;
	return NT_IDLE_BUSY;
}

#endif
