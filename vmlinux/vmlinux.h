/* SPDX-License-Identifier: GPL-2.0-or-later WITH Linux-syscall-note */
/* Made by tools/gen-vmlinux from vmlinux/types.list; do not edit. */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)
#endif

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;

enum {
	false = 0,
	true = 1,
};

enum cpu_idle_type {
	CPU_IDLE = 1,
	CPU_NEWLY_IDLE = 2,
};

enum bpf_func_id {
	BPF_FUNC_get_current_task_btf = 158,
};

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
};

struct thread_info {
	unsigned int cpu;
};

struct sched_entity {
	long long unsigned int sum_exec_runtime;
	struct cfs_rq *cfs_rq;
	unsigned char sched_delayed;
};

struct cpumask {
	long unsigned int bits[4];
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	unsigned int flags;
	int on_rq;
	int prio;
	struct sched_entity se;
	int nr_cpus_allowed;
	struct cpumask cpus_mask;
	unsigned int in_execve : 1;
	int tgid;
	int exit_state;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	long long unsigned int utime;
	long long unsigned int stime;
	struct signal_struct *signal;
	int pid;
	char comm[16];
	volatile long state;
	unsigned int cpu;
};

struct sched_avg {
	long unsigned int load_avg;
	long unsigned int util_avg;
};

struct cfs_rq {
	struct rq *rq;
	unsigned int h_nr_queued;
	unsigned int h_nr_runnable;
	struct sched_avg avg;
	unsigned int h_nr_running;
	unsigned int h_nr_delayed;
};

struct rq {
	int cpu;
	int active_balance;
	int push_cpu;
	struct task_struct *stop;
	struct sched_domain *sd;
	unsigned int nr_running;
	struct cfs_rq cfs;
	struct task_struct *curr;
	struct task_struct *idle;
	int online;
	long unsigned int cpu_capacity;
};

struct sched_domain {
	struct sched_domain *parent;
	struct sched_group *groups;
	unsigned int imb_numa_nr;
	int flags;
	int level;
	char *name;
	unsigned int span_weight;
	unsigned long span[];
};

struct sched_group {
	struct sched_group *next;
};

struct signal_struct {
	int nr_threads;
};

struct upid {
	int nr;
};

struct pid {
	unsigned int level;
	struct upid numbers[];
};

struct lb_env {
	enum cpu_idle_type idle;
};

struct seq_file {
	long unsigned int count;
};

#ifndef BPF_NO_PRESERVE_ACCESS_INDEX
#pragma clang attribute pop
#endif

#endif
