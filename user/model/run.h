/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run: what was measured, as plain data. The live collector fills it, the
 * record reader fills it again, the views render it. No I/O here.
 */
#ifndef NT_MODEL_RUN_H
#define NT_MODEL_RUN_H

#include <linux/types.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/feature.h"
#include "model/queue_stats.h"
#include "shared.h"

/* Fields of a cpu row of /proc/stat, in the kernel's order; unit: USER_HZ ticks. */
enum nt_tick {
	NT_TICK_USER,		/* includes guest */
	NT_TICK_NICE,		/* includes gnice */
	NT_TICK_SYS,
	NT_TICK_IDLE,
	NT_TICK_IOWAIT,
	NT_TICK_IRQ,
	NT_TICK_SOFT,
	NT_TICK_STEAL,
	NT_TICK_GUEST,
	NT_TICK_GNICE,
	NT_NTICK,
};

/* A named number; lists of them are kept in the order they were read. */
struct nt_kv {
	char *key;
	double value;
};

struct nt_kvs {
	struct nt_kv *v;
	size_t n;
};

/* One NUMA node. Arrays of nodes are ordered by id; "index" below is the place in it. */
struct nt_node {
	int id;			/* the kernel's id; ids may have gaps */
	char *cpulist;		/* online CPUs at the start, "" if none */
	int cpus;		/* how many of them */
	int llcs;		/* last-level caches among them; 0 unknown */
	uint64_t mem_kb;	/* MemTotal; 0 for a node without memory */
	int *distance;		/* [nnodes], by node index; NULL unknown */
};

#define NT_MAX_NODES	1024	/* the kernel's own limit, 1 << NODES_SHIFT */

struct nt_topology {
	struct nt_node *node;
	int nnodes;
	int cpus_online;
	int cpu_ids;		/* highest possible CPU number + 1 */
	int *cpu_node;		/* [cpu_ids] node index, -1 unknown */
	int *cpu_llc;		/* [cpu_ids] dense LLC index, -1 unknown */
	int llcs;
	char *isolated;		/* cpulist: kept out of all domains at boot; NULL unknown */
};

/* Scheduling domains: one level, as the kernel holds it. */
struct nt_domain {
	char name[NT_SD_NAME];	/* SMT MC PKG NUMA ...; "L<level>" where the kernel does not say */
	int level;
	unsigned int flags;
	char **flag;		/* their names, NULL-terminated; NULL: the kernel does not say */
	int span_weight;
	char *span;		/* cpulist; NULL unknown */
	int groups;		/* 0: not counted */
	int imb_numa_nr;	/* -1: not in this kernel */
};

/* CPUs whose chains of domains have the same names, flags, weights and imb_numa_nr. */
struct nt_chain {
	char *cpus;		/* cpulist of those CPUs */
	struct nt_domain *d;	/* lowest level first */
	int n;			/* 0: these CPUs have no domain (isolated) */
};

struct nt_node_count {
	uint64_t tick[NT_NTICK];
	uint64_t online_ns;	/* time of its CPUs on line, ns; 0 in records that lack it */
	struct nt_cpu_time wl;	/* the workload's CPU time on this node */
	uint64_t sched_softirqs;
	struct nt_kvs mem;	/* deltas: "numastat.numa_hit", "vmstat.pgalloc..." */
};

/* Moves from one node to another, by one cause. */
struct nt_mig_cell {
	uint64_t n;
	uint64_t same_llc;	/* of n, moves within one last-level cache */
};

/*
 * Key in nt_counters.sys: by how many ticks columns of /proc/stat stepped back, if they did. They
 * count 0 then.
 */
#define NT_STEPPED_BACK	"stat.stepped_back"

/* Everything that counts, over one interval or the whole run. */
struct nt_counters {
	int nnodes;
	struct nt_node_count *node;	/* [nnodes] */
	struct nt_mig_cell *mig;	/* nt_mig() below */
	uint64_t *fork;			/* nt_fork() below; [scope][parent's node][child's] */
	uint64_t place[NT_NSCOPE][NT_NWAKE][NT_NPLACE];
	struct nt_balance_count balance[NT_MAX_LEVELS][NT_NIDLE];
	struct nt_kvs sys;		/* deltas: "softirqs.SCHED", "vmstat.numa_hint_faults" */
};

struct nt_sample {
	double t;		/* seconds since the start, at the end of the interval */
	double dt;		/* length of the interval, s */
	char *online;		/* cpulist of online CPUs */
	struct nt_counters c;
	struct nt_sample_queues queues;
};

struct nt_score {
	char *key;		/* "stress-ng.fstat.ops_per_sec" */
	double value;
};

/* What the command itself used: wait4, seconds and counts. */
struct nt_rusage {
	double elapsed, user, system;
	uint64_t maxrss_kb, minflt, majflt, nvcsw, nivcsw;
};

struct nt_losses {
	uint64_t groups_full, tasks_full, bad_cpu;
	uint64_t unfinished;	/* workload tasks whose end was not seen in time */
	uint64_t missed;	/* events whose program the kernel skipped, see nt_bpf_losses() */
};

/* All of them together; 0: every number counts all that happened. */
static inline uint64_t nt_losses_sum(const struct nt_losses *l)
{
	return l->groups_full + l->tasks_full + l->bad_cpu + l->unfinished + l->missed;
}

struct nt_run {
	/* header: known before the command starts */
	char *version;		/* numatrace's */
	char *started;		/* ISO 8601, UTC */
	char *hostname;
	char *kernel;		/* release */
	char *machine;		/* x86_64 */
	char *cpu_model;	/* "" unknown */
	char **argv;		/* NULL-terminated; NULL: observed without a command */
	char **process;		/* "PID NAME" of those observed, NULL-terminated; NULL: none */
	char *tool;		/* "stress-ng 0.15.06"; NULL: another, or of no known version */
	char **param;		/* labels "KEY=VALUE", NULL-terminated; NULL: none */
	struct nt_kvs sysctl;	/* kernel.numa_balancing, ...: those that could be read */
	char **sched_feature;	/* as the kernel lists them, "NO_" before those off; NULL unknown */
	struct nt_topology topo;
	struct nt_chain *chain;
	int nchains;
	bool bpf;		/* false: --no-bpf */
	struct nt_feature feature[NT_NFEATURE];
	int tick_hz;		/* USER_HZ */

	struct nt_sample *sample;	/* of a run going on, only the newest */
	size_t nsamples;
	struct nt_queue_stats queues;	/* of all samples, forgotten ones too */
	size_t forgotten;	/* samples taken before those: written down, and let go of */

	/* end */
	bool ended;		/* false: the record stops before its end line */
	bool interrupted;	/* by SIGINT or SIGTERM to numatrace */
	int wait_status;	/* as wait4 gives it; meaningful if argv */
	struct nt_rusage ru;
	struct nt_counters total;
	struct nt_kvs *node_meminfo;	/* [nnodes] MemFree and so on at the end, kB */
	struct nt_score *score;
	size_t nscores;
	struct nt_losses lost;
	int alive_after;	/* tasks of the workload alive at the end; -1 unknown */
	double self_cpu;	/* CPU seconds numatrace itself used */
	char **note;		/* lines for the user: hotplug in the run, missing --metrics ... */
	size_t nnotes;
};

/* Is there a workload, a command or processes, to tell from the rest of the system? */
bool nt_has_workload(const struct nt_run *r);

/* Names of the enums as used in keys and tables: "wakeup", "periodic", "newidle" ... */
extern const char *const nt_cause_name[NT_NCAUSE];
extern const char *const nt_idle_name[NT_NIDLE];	/* "busy" "idle" "newidle" */
extern const char *const nt_wake_name[NT_NWAKE];
extern const char *const nt_place_name[NT_NPLACE];
extern const char *const nt_scope_name[NT_NSCOPE];	/* "workload" "system" */
extern const char *const nt_tick_name[NT_NTICK];	/* mpstat's: usr nice sys idle ... */

/* 0 or -ENOMEM; every counter 0. */
int nt_counters_init(struct nt_counters *c, int nnodes);
void nt_counters_free(struct nt_counters *c);
int nt_counters_copy(struct nt_counters *dst, const struct nt_counters *src);
/* dst = now - before, each counter clamped at 0 (a counter that steps back never wraps). */
int nt_counters_sub(struct nt_counters *dst, const struct nt_counters *now,
		    const struct nt_counters *before);
/* dst += src. The same nnodes. */
int nt_counters_add(struct nt_counters *dst, const struct nt_counters *src);

struct nt_mig_cell *nt_mig(const struct nt_counters *c, int scope, int cause, int from, int to);
uint64_t *nt_fork(const struct nt_counters *c, int scope, int from, int to);
/* Sum over nodes; cross: only from != to. cause < 0: all causes. */
uint64_t nt_mig_sum(const struct nt_counters *c, int scope, int cause, bool cross);

/* Moves between CPUs of one last-level cache; cause < 0: all causes. */
uint64_t nt_mig_same_llc(const struct nt_counters *c, int scope, int cause);

/* Set or add a named number; 0 or -ENOMEM. */
int nt_kvs_set(struct nt_kvs *l, const char *key, double value);
const struct nt_kv *nt_kvs_find(const struct nt_kvs *l, const char *key);
/* Add one whose key is known to be new: long lists need no search for each. */
int nt_kvs_append(struct nt_kvs *l, const char *key, double value);
/* The same with a key made up. */
int nt_kvs_appendf(struct nt_kvs *l, double value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int nt_kvs_vappend(struct nt_kvs *l, double value, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* Find, where lists in the same order are walked side by side: look at place hint first. */
const struct nt_kv *nt_kvs_near(const struct nt_kvs *l, const char *key, size_t hint);
void nt_kvs_free(struct nt_kvs *l);

/* Percentages of one node, or of all (node < 0), mpstat's definitions; false if no ticks. */
struct nt_util {
	double usr, nice, sys, iowait, irq, soft, steal, guest, gnice, idle;
};
bool nt_util_node(const struct nt_counters *c, int node, struct nt_util *u);

/*
 * How many CPUs a node (all: < 0) had on line, on the average of the run: what its capacity is.
 * 0: none, or the elapsed time is not known.
 */
double nt_cpus_online(const struct nt_run *r, int node);

/* Name of a domain level, taken from the chains; "L<level>" in buf if no chain has it. */
const char *nt_level_name(const struct nt_run *r, int level, char *buf, size_t len);

/* Copies the command (NULL: none) and its labels "KEY=VALUE"; 0 or -ENOMEM. */
int nt_run_set_command(struct nt_run *r, char *const *argv, const char *const *params,
		       size_t nparams);
int nt_run_note(struct nt_run *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int nt_run_add_sample(struct nt_run *r, struct nt_sample *s);	/* takes s's contents over */
void nt_run_forget_samples(struct nt_run *r);	/* a long run must not fill the memory */
size_t nt_run_samples(const struct nt_run *r);	/* how many were taken */
void nt_topology_free(struct nt_topology *t);
void nt_run_free_measured(struct nt_run *r);	/* all but the header */
void nt_chain_free(struct nt_chain *c);		/* what is in it */
void nt_run_free(struct nt_run *r);

/*
 * The flat map of metrics of DESIGN: keys as the kernel test robot names them where it
 * has a name. Only metrics that were measured are in it: absent is absent.
 */
int nt_run_metrics(const struct nt_run *r, struct nt_kvs *out);

#endif
