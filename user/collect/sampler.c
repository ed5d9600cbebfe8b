// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/sampler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collect/snapshot.h"
#include "collect/sysview.h"
#include "collect/topology.h"
#include "model/cpulist.h"

#define MAX_CHANGES	4	/* changes of the CPUs on line that are noted one by one */

static int *copy_ints(const int *from, int n)
{
	size_t bytes = (size_t)n * sizeof(*from);
	int *to = malloc(bytes);

	return to ? memcpy(to, from, bytes) : NULL;
}

static int know_cpus(struct nt_sampler *s)
{
	const struct nt_topology *t = &s->r->topo;

	s->known = *t;
	s->known.cpu_node = copy_ints(t->cpu_node, t->cpu_ids);
	s->known.cpu_llc = copy_ints(t->cpu_llc, t->cpu_ids);
	s->node_cpus = calloc((size_t)t->nnodes, sizeof(*s->node_cpus));
	if (!s->known.cpu_node || !s->known.cpu_llc || !s->node_cpus)
		return -ENOMEM;
	return nt_topology_place_offline(&s->known);
}

int nt_sampler_init(struct nt_sampler *s, struct nt_run *r)
{
	int err;

	s->r = r;
	err = nt_counters_init(&r->total, r->topo.nnodes);
	err = err ?: nt_counters_init(&s->before, r->topo.nnodes);
	err = err ?: know_cpus(s);
	return err ?: nt_sysview_open(&s->sys, &r->topo);
}

int nt_sampler_watch_queues(struct nt_sampler *s)
{
	struct nt_snapshot now;
	int err;

	if (!s->bpf || !s->r->feature[NT_F_SNAPSHOT].on)
		return 0;
	err = nt_numa_map_read(&s->map, s->r);
	err = err ?: nt_bpf_snapshot(s->bpf, &s->known, &now);
	if (err)
		return err;
	s->domains = now.domains;
	s->queues = true;
	nt_snapshot_free(&now);
	return 0;
}

/* How many CPUs each node has on line. */
static int count_cpus(const struct nt_topology *known, const char *online, int *node_cpus)
{
	struct nt_cpuset cpus = { 0 };
	int cpu, err = nt_cpuset_parse(&cpus, online);

	memset(node_cpus, 0, (size_t)known->nnodes * sizeof(*node_cpus));
	nt_cpuset_for_each(cpu, &cpus)
		if (cpu < known->cpu_ids && known->cpu_node[cpu] >= 0)
			node_cpus[known->cpu_node[cpu]]++;
	nt_cpuset_free(&cpus);
	return err;
}

int nt_sampler_begin(struct nt_sampler *s)
{
	struct nt_counters none;
	int err;

	err = nt_counters_init(&none, s->r->topo.nnodes);
	err = err ?: nt_sysview_sample(s->sys, &none, &s->online);
	nt_counters_free(&none);
	err = err ?: count_cpus(&s->known, s->online, s->node_cpus);
	return err || !s->bpf ? err : nt_bpf_adopt(s->bpf, &s->known, &s->who, &s->before);
}

void nt_sampler_start(struct nt_sampler *s, uint64_t now)
{
	s->start = s->last = now;
}

void nt_sampler_close(struct nt_sampler *s)
{
	nt_bpf_close(s->bpf);
	nt_sysview_free(s->sys);
	nt_counters_free(&s->before);
	nt_numa_map_free(&s->map);
	free(s->known.cpu_node);
	free(s->known.cpu_llc);
	free(s->node_cpus);
	free(s->online);
}

/* A time read while a task was in the middle of a move can be short: it never falls here. */
static void keep_rising(struct nt_cpu_time *is, const struct nt_cpu_time *was)
{
	is->exec = is->exec > was->exec ? is->exec : was->exec;
	is->utime = is->utime > was->utime ? is->utime : was->utime;
	is->stime = is->stime > was->stime ? is->stime : was->stime;
}

/* The kernel side of a sample: what came since the last one is added to *delta. */
static int sample_bpf(struct nt_sampler *s, struct nt_counters *delta)
{
	struct nt_counters now, diff;
	int err, i;

	err = nt_counters_init(&now, s->r->topo.nnodes);
	if (err)
		return err;
	err = nt_bpf_read(s->bpf, &s->known, &now);
	for (i = 0; !err && i < now.nnodes; i++)
		keep_rising(&now.node[i].wl, &s->before.node[i].wl);
	err = err ?: nt_counters_sub(&diff, &now, &s->before);
	if (err) {
		nt_counters_free(&now);
		return err;
	}
	nt_counters_free(&s->before);
	s->before = now;
	err = nt_counters_add(delta, &diff);
	nt_counters_free(&diff);
	return err;
}

/* Index in the old numbering of a node or cache of the new one; -1 if it is new itself. */
static int old_llc(const struct nt_topology *was, const struct nt_topology *now, int llc)
{
	int cpu;

	for (cpu = 0; cpu < was->cpu_ids && cpu < now->cpu_ids; cpu++)
		if (now->cpu_llc[cpu] == llc && was->cpu_llc[cpu] >= 0)
			return was->cpu_llc[cpu];
	return -1;
}

static int old_node(const struct nt_topology *was, int id)
{
	int i;

	for (i = 0; i < was->nnodes; i++)
		if (was->node[i].id == id)
			return i;
	return -1;
}

/* A CPU that was off line at the start takes its place in the topology of the start. */
static void adopt_cpu(struct nt_topology *was, const struct nt_topology *now, int cpu)
{
	was->cpu_node[cpu] = old_node(was, now->node[now->cpu_node[cpu]].id);
	if (now->cpu_llc[cpu] < 0)
		return;
	was->cpu_llc[cpu] = old_llc(was, now, now->cpu_llc[cpu]);
	if (was->cpu_llc[cpu] < 0)
		was->cpu_llc[cpu] = was->llcs++;
}

/* Take in CPUs that are on line for the first time. */
static int refresh_places(struct nt_sampler *s)
{
	struct nt_topology now, *known = &s->known;
	int cpu, err = nt_topology_read(&now);

	if (err)
		return err == -ENOMEM ? err : 0;
	/* A CPU that left keeps its place: what it did is still counted there. */
	for (cpu = 0; cpu < now.cpu_ids && cpu < known->cpu_ids; cpu++)
		if (now.cpu_node[cpu] >= 0 &&
		    (known->cpu_node[cpu] < 0 || known->cpu_llc[cpu] < 0))
			adopt_cpu(known, &now, cpu);
	nt_topology_free(&now);
	if (s->bpf)
		nt_bpf_set_places(s->bpf, known);
	return 0;
}

/* A storm of changes would be a storm of notes. */
static void note_change(struct nt_sampler *s, uint64_t now)
{
	if (++s->changes <= MAX_CHANGES)
		nt_run_note(s->r, "CPUs went on or off line during the run: %s online at %.1f s; "
			    "domains are shown as they were at the start", s->online,
			    (double)(now - s->start) / 1e9);
}

static int see_online(struct nt_sampler *s, const char *online, uint64_t now)
{
	char *seen = strdup(online);
	int err;

	if (!seen)
		return -ENOMEM;
	free(s->online);
	s->online = seen;
	err = refresh_places(s);
	err = err ?: count_cpus(&s->known, online, s->node_cpus);
	note_change(s, now);
	return err;
}

/*
 * What the CPUs could have run since the last sample. One that went or came was there for half
 * of the time, for all we know.
 */
static int add_capacity(struct nt_sampler *s, struct nt_sample *sample, uint64_t now)
{
	int nnodes = s->known.nnodes, *was = copy_ints(s->node_cpus, nnodes), i, err = 0;

	if (!was)
		return -ENOMEM;
	if (strcmp(s->online, sample->online))
		err = see_online(s, sample->online, now);
	for (i = 0; i < nnodes; i++)
		sample->c.node[i].online_ns +=
			(now - s->last) * (uint64_t)(was[i] + s->node_cpus[i]) / 2;
	free(was);
	return err;
}

static int judge(struct nt_sampler *s, struct nt_snapshot *now, struct nt_sample_queues *q)
{
	struct nt_numa_judgement j;
	int err;

	now->rebuilt = now->domains != s->domains;
	err = nt_numa_judge(&s->map, s->r, now, &j);
	if (!err) {
		q->pairs = s->map.npairs;
		q->settled = j.settled;
		q->beyond = j.beyond;
		q->difference = j.difference;
	}
	nt_numa_judgement_free(&j);
	return err;
}

/* What cannot be read this time is missing from this sample. */
static int sample_queues(struct nt_sampler *s, struct nt_sample_queues *q)
{
	struct nt_snapshot now;
	int err;

	if (!s->queues || nt_bpf_snapshot(s->bpf, &s->known, &now))
		return 0;
	err = judge(s, &now, q);
	q->has_workload = now.has_workload;
	q->has_delayed = now.has_delayed;
	q->node = now.node;		/* taken over */
	now.node = NULL;
	nt_snapshot_free(&now);
	return err;
}

static int add_sample(struct nt_sampler *s, struct nt_sample *sample)
{
	int err = nt_counters_add(&s->r->total, &sample->c);

	return err ?: nt_queue_stats_add(&s->r->queues, &sample->queues, s->r->topo.nnodes);
}

int nt_sampler_take(struct nt_sampler *s, uint64_t now)
{
	struct nt_sample sample = { 0 };
	int err;

	sample.t = (now - s->start) / 1e9;
	sample.dt = (now - s->last) / 1e9;
	err = nt_counters_init(&sample.c, s->r->topo.nnodes);
	err = err ?: nt_sysview_sample(s->sys, &sample.c, &sample.online);
	/* Before the kernel side is read, which goes by the places of the CPUs. */
	err = err ?: add_capacity(s, &sample, now);
	if (!err && s->bpf)
		err = sample_bpf(s, &sample.c);
	err = err ?: sample_queues(s, &sample.queues);
	err = err ?: add_sample(s, &sample);
	if (err) {
		nt_counters_free(&sample.c);
		nt_sample_queues_free(&sample.queues);
		free(sample.online);
		return err;
	}
	s->stepped += nt_kvs_find(&sample.c.sys, NT_STEPPED_BACK) != NULL;
	s->last = now;
	nt_run_forget_samples(s->r);
	return nt_run_add_sample(s->r, &sample);
}

static void add_time(struct nt_cpu_time *sum, const struct nt_cpu_time *is,
		     const struct nt_cpu_time *was)
{
	sum->exec += is->exec - was->exec;
	sum->utime += is->utime - was->utime;
	sum->stime += is->stime - was->stime;
}

int nt_sampler_settle(struct nt_sampler *s)
{
	struct nt_sample *last = &s->r->sample[s->r->nsamples - 1];
	struct nt_counters now;
	int i, err = nt_counters_init(&now, s->r->topo.nnodes);

	if (err)
		return err;
	err = nt_bpf_read(s->bpf, &s->known, &now);
	for (i = 0; !err && i < now.nnodes; i++) {
		struct nt_cpu_time *is = &now.node[i].wl, *was = &s->before.node[i].wl;

		keep_rising(is, was);
		add_time(&last->c.node[i].wl, is, was);
		add_time(&s->r->total.node[i].wl, is, was);
		*was = *is;
	}
	nt_counters_free(&now);
	return err;
}

void nt_sampler_note(struct nt_sampler *s)
{
	const struct nt_kv *back = nt_kvs_find(&s->r->total.sys, NT_STEPPED_BACK);

	if (s->changes > MAX_CHANGES)
		nt_run_note(s->r, "CPUs went on or off line at %u more samples",
			    s->changes - MAX_CHANGES);
	if (back)
		nt_run_note(s->r, "counters of /proc/stat stepped back, by %.0f ticks in all, at "
			    "%u sample%s: they count 0 there (iowait and idle are known to)",
			    back->value, s->stepped, s->stepped == 1 ? "" : "s");
}
