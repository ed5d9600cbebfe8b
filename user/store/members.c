// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/members.h"

#include <limits.h>
#include <string.h>

const struct nt_member nt_cpu_time_members[] = {
	{ "wl_exec_ns", offsetof(struct nt_cpu_time, exec) },
	{ "wl_utime_ns", offsetof(struct nt_cpu_time, utime) },
	{ "wl_stime_ns", offsetof(struct nt_cpu_time, stime) },
	{ NULL, 0 },
};

const struct nt_member nt_balance_members[] = {
	{ "calls", offsetof(struct nt_balance_count, calls) },
	{ "refused", offsetof(struct nt_balance_count, refused) },
	{ "nothing", offsetof(struct nt_balance_count, nothing) },
	{ "failed", offsetof(struct nt_balance_count, failed) },
	{ "moved", offsetof(struct nt_balance_count, moved) },
	{ "moved_cross", offsetof(struct nt_balance_count, moved_cross) },
	{ "ns", offsetof(struct nt_balance_count, ns) },
	{ NULL, 0 },
};

const struct nt_member nt_rusage_members[] = {
	{ "maxrss_kb", offsetof(struct nt_rusage, maxrss_kb) },
	{ "minflt", offsetof(struct nt_rusage, minflt) },
	{ "majflt", offsetof(struct nt_rusage, majflt) },
	{ "nvcsw", offsetof(struct nt_rusage, nvcsw) },
	{ "nivcsw", offsetof(struct nt_rusage, nivcsw) },
	{ NULL, 0 },
};

const struct nt_member nt_lost_members[] = {
	{ "groups_full", offsetof(struct nt_losses, groups_full) },
	{ "tasks_full", offsetof(struct nt_losses, tasks_full) },
	{ "bad_cpu", offsetof(struct nt_losses, bad_cpu) },
	{ "unfinished", offsetof(struct nt_losses, unfinished) },
	{ "missed", offsetof(struct nt_losses, missed) },
	{ NULL, 0 },
};

/* These are narrower than what the tables above are for. */
static const struct {
	const char *key;
	size_t offset;
} queue_tasks[] = {
	{ "cpus", offsetof(struct nt_queue, cpus) },
	{ "idle", offsetof(struct nt_queue, idle) },
	{ "runnable", offsetof(struct nt_queue, running) },
	{ "fair", offsetof(struct nt_queue, fair) },
	{ "workload", offsetof(struct nt_queue, workload) },
	{ "asleep", offsetof(struct nt_queue, delayed) },
};

static const struct nt_member queue_sums[] = {
	{ "util", offsetof(struct nt_queue, util) },
	{ "load", offsetof(struct nt_queue, load) },
	{ "capacity", offsetof(struct nt_queue, capacity) },
	{ NULL, 0 },
};

void nt_put_queue(struct nt_put *p, json_t *obj, const struct nt_queue *q)
{
	unsigned int v;
	size_t i;

	for (i = 0; i < sizeof(queue_tasks) / sizeof(queue_tasks[0]); i++) {
		memcpy(&v, (const char *)q + queue_tasks[i].offset, sizeof(v));
		nt_put_count(p, obj, queue_tasks[i].key, v);
	}
	nt_put_members(p, obj, queue_sums, q);
}

int nt_get_queue(struct nt_get *g, const json_t *obj, struct nt_queue *q)
{
	size_t i;
	int v, err = 0;

	for (i = 0; !err && i < sizeof(queue_tasks) / sizeof(queue_tasks[0]); i++) {
		v = 0;
		err = nt_get_int(g, obj, queue_tasks[i].key, 0, INT_MAX, &v);
		memcpy((char *)q + queue_tasks[i].offset, &v, sizeof(v));
	}
	return err ? err : nt_get_members(g, obj, queue_sums, q);
}

/* Copied, not cast: the kernel's __u64 and uint64_t are different types of one size. */
void nt_put_members(struct nt_put *p, json_t *obj, const struct nt_member *m, const void *base)
{
	uint64_t v;

	for (; m->key; m++) {
		memcpy(&v, (const char *)base + m->offset, sizeof(v));
		nt_put_count(p, obj, m->key, v);
	}
}

int nt_get_members(struct nt_get *g, const json_t *obj, const struct nt_member *m, void *base)
{
	uint64_t v;
	int err = 0;

	for (; !err && m->key; m++) {
		memcpy(&v, (char *)base + m->offset, sizeof(v));
		err = nt_get_u64(g, obj, m->key, &v);
		memcpy((char *)base + m->offset, &v, sizeof(v));
	}
	return err;
}
