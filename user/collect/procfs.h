/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of /proc and of node directories. Parsers only: nothing here opens a file. */
#ifndef NT_COLLECT_PROCFS_H
#define NT_COLLECT_PROCFS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cpulist.h"
#include "model/run.h"

/*
 * Numbers per CPU, by the CPU's number in the file and not by the row it is in. All zeroes is
 * empty; parsing into the same struct again reuses its memory.
 */
struct nt_cpustat {
	struct nt_cpuset cpus;		/* those with a row: the ones on line */
	uint64_t (*tick)[NT_NTICK];	/* [cap], of the members of cpus */
	int cap;
	bool has_ctxt;
	uint64_t ctxt;			/* context switches since boot */
};

struct nt_cpucount {
	struct nt_cpuset cpus;
	uint64_t *count;		/* [cap], of the members of cpus */
	int cap;
	int *column;			/* CPU of each column of the header */
	int columns;
};

/* /proc/stat. -EINVAL: a cpu row is no row of numbers, or there is none at all. */
int nt_parse_stat(const char *buf, struct nt_cpustat *out);
void nt_cpustat_free(struct nt_cpustat *s);

/* One row ("SCHED") of /proc/softirqs. -ENOENT: no such row. */
int nt_parse_softirqs(const char *buf, const char *row, struct nt_cpucount *out);
void nt_cpucount_free(struct nt_cpucount *c);

/*
 * Lines of "key number" (vmstat, numastat) into out as prefix + key, those that wanted()
 * takes. Keys that are in out already, in the file's order, cost no search. Other lines are
 * skipped.
 */
int nt_parse_pairs(const char *buf, const char *prefix, bool (*wanted)(const char *key),
		   struct nt_kvs *out);
bool nt_want_all(const char *key);
bool nt_want_vmstat(const char *key);		/* of /proc/vmstat: NUMA and page migration */
bool nt_want_node_vmstat(const char *key);	/* of nodeN/vmstat: what counts events */

/* "Node 0 MemFree:  123 kB": the amounts in kB; lines that count something else are skipped. */
int nt_parse_node_meminfo(const char *buf, struct nt_kvs *out);

#endif
