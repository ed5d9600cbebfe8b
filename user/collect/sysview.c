// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Differences are taken per CPU and then summed by node, "all" being the sum of the nodes:
 * one CPU that comes, goes or steps back cannot spoil the others' share, and the nodes always
 * add up. A CPU that was away at either end of an interval counts nothing in it.
 */
#include "collect/sysview.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/procfs.h"
#include "collect/root.h"
#include "model/cpulist.h"

/* Two files per node stay open; with more nodes than this they would eat up the fd limit. */
#define KEEP_NODES	64

struct node_files {
	struct nt_file numastat, vmstat;
};

/* All that one sample reads. */
struct reading {
	struct nt_cpustat stat;
	struct nt_cpucount softirqs;
	bool has_softirqs;
	struct nt_kvs vmstat;
	struct nt_kvs *node;	/* [nnodes] "numastat." and "vmstat." */
};

struct nt_sysview {
	const struct nt_topology *topo;
	struct nt_file stat, softirqs, vmstat;
	struct node_files *node;
	struct nt_buf buf;
	struct reading reading[2];
	int now;		/* which of the two is the last one */
	bool have_base;
	int *cpu_node;		/* [cpu_cap] node index; kept when a CPU goes off line */
	int cpu_cap;
};

static int open_node(struct nt_sysview *v, int i)
{
	bool keep = v->topo->nnodes <= KEEP_NODES;
	int id = v->topo->node[i].id, err;

	err = nt_file_init(&v->node[i].numastat, keep,
			   "/sys/devices/system/node/node%d/numastat", id);
	return err ?: nt_file_init(&v->node[i].vmstat, keep,
				   "/sys/devices/system/node/node%d/vmstat", id);
}

int nt_sysview_open(struct nt_sysview **out, const struct nt_topology *topo)
{
	struct nt_sysview *v = calloc(1, sizeof(*v));
	size_t nodes = (size_t)topo->nnodes, cpus = (size_t)topo->cpu_ids;
	int i, err;

	if (!v)
		return -ENOMEM;
	v->topo = topo;
	v->node = calloc(nodes, sizeof(*v->node));
	v->reading[0].node = calloc(nodes, sizeof(struct nt_kvs));
	v->reading[1].node = calloc(nodes, sizeof(struct nt_kvs));
	v->cpu_node = malloc(cpus * sizeof(*v->cpu_node));
	err = v->node && v->reading[0].node && v->reading[1].node && v->cpu_node ? 0 : -ENOMEM;
	err = err ?: nt_file_init(&v->stat, true, "/proc/stat");
	err = err ?: nt_file_init(&v->softirqs, true, "/proc/softirqs");
	err = err ?: nt_file_init(&v->vmstat, true, "/proc/vmstat");
	for (i = 0; i < topo->nnodes && !err; i++)
		err = open_node(v, i);
	if (err) {
		nt_sysview_free(v);
		return err;
	}
	memcpy(v->cpu_node, topo->cpu_node, cpus * sizeof(*v->cpu_node));
	v->cpu_cap = topo->cpu_ids;
	*out = v;
	return 0;
}

static void free_reading(struct reading *r, int nnodes)
{
	int i;

	nt_cpustat_free(&r->stat);
	nt_cpucount_free(&r->softirqs);
	nt_kvs_free(&r->vmstat);
	for (i = 0; r->node && i < nnodes; i++)
		nt_kvs_free(&r->node[i]);
	free(r->node);
}

void nt_sysview_free(struct nt_sysview *v)
{
	int i;

	if (!v)
		return;
	for (i = 0; v->node && i < v->topo->nnodes; i++) {
		nt_file_free(&v->node[i].numastat);
		nt_file_free(&v->node[i].vmstat);
	}
	free(v->node);
	nt_file_free(&v->stat);
	nt_file_free(&v->softirqs);
	nt_file_free(&v->vmstat);
	nt_buf_free(&v->buf);
	free_reading(&v->reading[0], v->topo->nnodes);
	free_reading(&v->reading[1], v->topo->nnodes);
	free(v->cpu_node);
	free(v);
}

static int node_of(const struct nt_sysview *v, int cpu)
{
	return cpu < v->cpu_cap ? v->cpu_node[cpu] : -1;
}

static int grow_cpus(struct nt_sysview *v, int last)
{
	int *grown;

	if (last < v->cpu_cap)
		return 0;
	grown = realloc(v->cpu_node, ((size_t)last + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	v->cpu_node = grown;
	while (v->cpu_cap <= last)
		v->cpu_node[v->cpu_cap++] = -1;
	return 0;
}

/* The CPUs of a node now; none if its directory is gone. */
static int read_members(const struct nt_sysview *v, int node, struct nt_cpuset *cpus)
{
	char path[64], *text;
	int err;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpulist",
		 v->topo->node[node].id);
	text = nt_read_file(path, NULL);
	if (!text)
		return errno == ENOMEM ? -ENOMEM : 0;
	err = nt_cpuset_parse(cpus, text);
	free(text);
	return err;
}

/* Assign CPUs from the highest node down, so that of several nodes the lowest has the CPU. */
static int read_membership(struct nt_sysview *v, const struct nt_cpuset *online)
{
	struct nt_cpuset cpus = { 0 };
	bool any = false;
	int cpu, node, err = grow_cpus(v, nt_cpuset_last(online));

	for (node = v->topo->nnodes - 1; node >= 0 && !err; node--) {
		nt_cpuset_clear(&cpus);
		err = read_members(v, node, &cpus);
		err = err ?: grow_cpus(v, nt_cpuset_last(&cpus));
		if (err)
			break;
		nt_cpuset_for_each(cpu, &cpus) {
			v->cpu_node[cpu] = node;
			any = true;
		}
	}
	if (!err && !any && v->topo->nnodes == 1)	/* a kernel without node directories */
		nt_cpuset_for_each(cpu, online)
			v->cpu_node[cpu] = 0;
	nt_cpuset_free(&cpus);
	return err;
}

static bool all_known(const struct nt_sysview *v, const struct nt_cpuset *online)
{
	int cpu;

	nt_cpuset_for_each(cpu, online)
		if (node_of(v, cpu) < 0)
			return false;
	return true;
}

/* What cannot be read stays as it was and counts 0: a node taken out has no counters. */
static int read_pairs(struct nt_sysview *v, struct nt_file *f, const char *prefix,
		      bool (*wanted)(const char *key), struct nt_kvs *out)
{
	int err = nt_file_read(f, &v->buf);

	if (!err)
		return nt_parse_pairs(v->buf.p, prefix, wanted, out);
	return err == -ENOMEM ? err : 0;
}

static int take_reading(struct nt_sysview *v, struct reading *r)
{
	int i, err;

	err = nt_file_read(&v->stat, &v->buf);
	err = err ?: nt_parse_stat(v->buf.p, &r->stat);
	if (err)
		return err;
	r->has_softirqs = !nt_file_read(&v->softirqs, &v->buf) &&
			  !nt_parse_softirqs(v->buf.p, "SCHED", &r->softirqs);
	err = read_pairs(v, &v->vmstat, "vmstat.", nt_want_vmstat, &r->vmstat);
	for (i = 0; i < v->topo->nnodes && !err; i++) {
		struct node_files *f = &v->node[i];

		err = read_pairs(v, &f->numastat, "numastat.", nt_want_all, &r->node[i]);
		err = err ?: read_pairs(v, &f->vmstat, "vmstat.", nt_want_node_vmstat,
					&r->node[i]);
	}
	return err;
}

static uint64_t delta(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/*
 * Returns by how many ticks columns stepped back. The kernel adds up idle and iowait when they are
 * read, and rounds: a step of 1 tick says nothing.
 */
static uint64_t add_ticks(const struct nt_sysview *v, const struct nt_cpustat *now,
			  const struct nt_cpustat *was, struct nt_counters *out)
{
	uint64_t back = 0, step;
	int cpu, node, i;

	nt_cpuset_for_each(cpu, &now->cpus) {
		node = node_of(v, cpu);
		if (node < 0 || !nt_cpuset_test(&was->cpus, cpu))
			continue;
		for (i = 0; i < NT_NTICK; i++) {
			out->node[node].tick[i] += delta(now->tick[cpu][i], was->tick[cpu][i]);
			step = delta(was->tick[cpu][i], now->tick[cpu][i]);
			back += step > 1 ? step : 0;
		}
	}
	return back;
}

/* Returns the sum over the nodes. */
static uint64_t add_softirqs(const struct nt_sysview *v, const struct nt_cpucount *now,
			     const struct nt_cpucount *was, struct nt_counters *out)
{
	uint64_t sum = 0, n;
	int cpu, node;

	nt_cpuset_for_each(cpu, &now->cpus) {
		node = node_of(v, cpu);
		if (node < 0 || !nt_cpuset_test(&was->cpus, cpu))
			continue;
		n = delta(now->count[cpu], was->count[cpu]);
		out->node[node].sched_softirqs += n;
		sum += n;
	}
	return sum;
}

static int add_value(struct nt_kvs *out, size_t hint, const char *key, double value)
{
	const struct nt_kv *kv = nt_kvs_near(out, key, hint);

	if (!kv)
		return nt_kvs_append(out, key, value);
	out->v[kv - out->v].value += value;
	return 0;
}

/* What was not there before has counted since boot, nobody knows how much of it just now. */
static int add_pairs(struct nt_kvs *out, const struct nt_kvs *now, const struct nt_kvs *was)
{
	const struct nt_kv *before;
	double d;
	size_t i;

	for (i = 0; i < now->n; i++) {
		before = nt_kvs_near(was, now->v[i].key, i);
		if (!before)
			continue;
		d = now->v[i].value - before->value;
		if (add_value(out, i, now->v[i].key, d > 0 ? d : 0))
			return -ENOMEM;
	}
	return 0;
}

static int add_reading(const struct nt_sysview *v, const struct reading *now,
		       const struct reading *was, struct nt_counters *out)
{
	uint64_t back = add_ticks(v, &now->stat, &was->stat, out);
	int i, err = back ? add_value(&out->sys, 0, NT_STEPPED_BACK, (double)back) : 0;

	for (i = 0; i < v->topo->nnodes && !err; i++)
		err = add_pairs(&out->node[i].mem, &now->node[i], &was->node[i]);
	err = err ?: add_pairs(&out->sys, &now->vmstat, &was->vmstat);
	if (!err && now->has_softirqs && was->has_softirqs)
		err = add_value(&out->sys, 0, "softirqs.SCHED",
				(double)add_softirqs(v, &now->softirqs, &was->softirqs, out));
	if (!err && now->stat.has_ctxt && was->stat.has_ctxt)
		err = add_value(&out->sys, 0, "stat.ctxt",
				(double)delta(now->stat.ctxt, was->stat.ctxt));
	return err;
}

int nt_sysview_sample(struct nt_sysview *v, struct nt_counters *out, char **online)
{
	struct reading *was = &v->reading[v->now], *now = &v->reading[!v->now];
	char *list = NULL;
	int err;

	if (v->have_base)
		nt_root_advance();
	err = take_reading(v, now);
	if (!err && (!v->have_base || !nt_cpuset_equal(&now->stat.cpus, &was->stat.cpus) ||
		     !all_known(v, &now->stat.cpus)))
		err = read_membership(v, &now->stat.cpus);
	if (!err && online) {
		list = nt_cpuset_format(&now->stat.cpus);
		err = list ? 0 : -ENOMEM;
	}
	if (!err && v->have_base)
		err = add_reading(v, now, was, out);
	if (err) {
		free(list);
		return err;
	}
	if (online)
		*online = list;
	v->now = !v->now;
	v->have_base = true;
	return 0;
}

int nt_sysview_meminfo(struct nt_sysview *v, struct nt_kvs *per_node)
{
	char path[64], *text;
	int i, err = 0;

	for (i = 0; i < v->topo->nnodes && !err; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo",
			 v->topo->node[i].id);
		text = nt_read_file(path, NULL);
		if (text)
			err = nt_parse_node_meminfo(text, &per_node[i]);
		else if (errno == ENOMEM)
			err = -ENOMEM;
		free(text);
	}
	return err;
}
