/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between the programs in the kernel and user space: fixed-width
 * structs and enums, nothing else. Both sides include it.
 */
#ifndef NT_SHARED_H
#define NT_SHARED_H

#define NT_MAX_LEVELS	16	/* scheduling domain levels; sd->level is below this everywhere */
#define NT_SD_NAME	16
#define NT_COMM		16	/* TASK_COMM_LEN */
#define NT_MAX_PIDS	256	/* processes that can be taken over */
#define NT_NO_NODE	0xffffffffu

/* Whose events: those of the workload's tasks, or everybody's (workload included). */
enum nt_scope {
	NT_WORKLOAD,
	NT_SYSTEM,
	NT_NSCOPE,
};

/* Why a task changed its CPU. docs/METRICS.md defines each and how it is told apart. */
enum nt_cause {
	NT_CAUSE_WAKEUP,
	NT_CAUSE_EXEC,
	NT_CAUSE_PERIODIC,
	NT_CAUSE_NEWIDLE,
	NT_CAUSE_NOHZ,
	NT_CAUSE_ACTIVE,
	NT_CAUSE_NUMA_MOVE,
	NT_CAUSE_NUMA_SWAP,
	NT_CAUSE_AFFINITY,
	NT_CAUSE_HOTPLUG,
	NT_CAUSE_RT,
	NT_CAUSE_UNKNOWN,
	NT_NCAUSE,
};

/* Idle type of the balancing CPU; numbered here, since the kernel's own numbers differ. */
enum nt_idle {
	NT_IDLE_BUSY,
	NT_IDLE_IDLE,
	NT_IDLE_NEWLY,
	NT_NIDLE,
};

enum nt_wake_type {
	NT_WAKE_WAKEUP,
	NT_WAKE_FORK,
	NT_WAKE_EXEC,
	NT_NWAKE,
};

/* Where select_task_rq put a task, seen from the CPU it was on. */
enum nt_place {
	NT_PLACE_KEPT,
	NT_PLACE_LLC,
	NT_PLACE_NODE,
	NT_PLACE_REMOTE,
	NT_NPLACE,
};

/* Place of a CPU in the machine; indices of user space's own making, dense from 0. */
struct nt_cpu_place {
	__u32 node;		/* NT_NO_NODE: never seen online */
	__u32 llc;
};

/*
 * Moves from one node to another, by one cause. A move is one addition to one of the two, so
 * that no reader sees half of it.
 */
struct nt_mig_count {
	__u64 same_llc;		/* within one last-level cache */
	__u64 other_llc;
};

/* CPU time charged to one CPU, ns. */
struct nt_cpu_time {
	__u64 exec;		/* sum_exec_runtime */
	__u64 utime;
	__u64 stime;
};

struct nt_balance_count {
	__u64 calls;
	__u64 refused;		/* should_we_balance() said no */
	__u64 nothing;		/* no busier group found */
	__u64 failed;		/* a busier group was found, no task moved */
	__u64 moved;		/* tasks moved */
	__u64 moved_cross;	/* of these, to another node */
	__u64 ns;		/* time inside */
};

/* Value of the map of placements, one per CPU. */
struct nt_placements {
	__u64 n[NT_NSCOPE][NT_NWAKE][NT_NPLACE];
};

/* Value of the map of load balancing, one per CPU. */
struct nt_balance_counts {
	struct nt_balance_count n[NT_MAX_LEVELS][NT_NIDLE];
};

/* Events that were seen and could not be counted, and the workload's census. */
struct nt_census {
	__u64 forks;		/* tasks (processes and threads) born into the workload */
	__u64 frees;		/* tasks of the workload freed */
	__u64 groups_full;	/* processes not followed: table of processes full */
	__u64 tasks_full;	/* moves charged late: table of moved threads full */
	__u64 bad_cpu;		/* events naming a CPU outside the machine */
};

/* One line of the domain iterator: one level of one CPU's chain. */
struct nt_domain_rec {
	__u32 cpu;
	__u32 depth;		/* 0 is the lowest level; NT_NO_NODE: this CPU has no domain */
	__u32 level;		/* sd->level */
	__u32 flags;		/* sd->flags, the kernel's own bits */
	__u32 imb_numa_nr;
	__u32 has_imb;		/* 0: this kernel has no imb_numa_nr */
	__u32 span_weight;
	__u32 groups;		/* number of groups; 0: not counted */
	char name[NT_SD_NAME];	/* "" where the kernel does not say */
};

/* Lines of the snapshot iterator, told apart by their first member. */
enum nt_queue_kind {
	NT_QUEUE_CPU,		/* struct nt_queue_rec */
	NT_QUEUE_TASK,		/* struct nt_queue_task */
};

/* The run queue of one CPU on line. */
struct nt_queue_rec {
	__u32 kind;
	__u32 cpu;
	__u64 time;		/* when it was read, ns */
	__u64 util;		/* of the fair class: util_avg, load_avg */
	__u64 load;
	__u64 capacity;		/* what is left of the CPU for the fair class, of 1024 */
	__u64 domains;		/* tells chains of domains apart: a changed one is another chain */
	__u32 running;		/* rq->nr_running: queued tasks of all classes */
	__u32 fair;		/* of these, of the fair class */
	__u32 delayed;		/* of these, asleep */
	__u32 has_delayed;	/* 0: there may be some, and this kernel does not count them */
	__u32 idle;		/* its idle task is current */
	__u32 self;		/* numatrace is current */
};

/* A runnable task of the workload. */
struct nt_queue_task {
	__u32 kind;
	__u32 cpu;
};

/* A task that migrates: value of the map of movers, keyed by TID. */
struct nt_mover {
	__u64 task;		/* its address: a TID used again begins anew */
	__u64 moves;
	__u64 cross;		/* of these, to another node */
	__u32 tid;
	__u32 from;		/* CPUs of the last move */
	__u32 to;
	char comm[NT_COMM];	/* any bytes, the last one is 0 */
};

/* What the adopting iterator does; user space sets it before each pass over the tasks. */
enum nt_adopt {
	NT_ADOPT_NOTHING,	/* the passes are over */
	NT_ADOPT_CHILD,		/* the child that numatrace holds before exec */
	NT_ADOPT_GROUPS,	/* the wanted processes; writes the PID of each it finds, __u32 */
	NT_ADOPT_THREADS,	/* their threads */
};

/* The line of the task iterator: what alive workload tasks have not been charged yet. */
struct nt_alive_rec {
	__u64 cpu;
	__u64 exec;
	__u64 utime;
	__u64 stime;
};

#endif
