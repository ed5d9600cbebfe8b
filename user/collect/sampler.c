// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "collect/sysview.h"
#include "collect/topology.h"

int nt_sampler_init(struct nt_sampler *s, struct nt_run *r)
{
	int err;

	s->r = r;
	err = nt_counters_init(&r->total, r->topo.nnodes);
	err = err ?: nt_counters_init(&s->before, r->topo.nnodes);
	return err ?: nt_sysview_open(&s->sys, &r->topo);
}

int nt_sampler_begin(struct nt_sampler *s)
{
	struct nt_counters none;
	int err;

	err = nt_counters_init(&none, s->r->topo.nnodes);
	err = err ?: nt_sysview_sample(s->sys, &none, &s->online);
	nt_counters_free(&none);
	return err || !s->bpf ? err : nt_bpf_adopt(s->bpf, &s->r->topo, &s->who, &s->before);
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
	err = nt_bpf_read(s->bpf, &s->r->topo, &now);
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

/* Node membership of CPUs that came online since the start. */
static void refresh_places(struct nt_sampler *s, const char *online)
{
	struct nt_topology now;
	int cpu;

	if (!strcmp(s->online, online))
		return;
	free(s->online);
	s->online = strdup(online);
	if (!s->online)
		return;
	nt_run_note(s->r, "CPUs went on or off line during the run: %s online at %.1f s", online,
		    (s->last - s->start) / 1e9);
	if (nt_topology_read(&now))
		return;
	/* A CPU that left keeps its place: what it did is still counted there. */
	for (cpu = 0; cpu < now.cpu_ids && cpu < s->r->topo.cpu_ids; cpu++)
		if (now.cpu_node[cpu] >= 0 && s->r->topo.cpu_node[cpu] < 0)
			adopt_cpu(&s->r->topo, &now, cpu);
	nt_topology_free(&now);
	if (s->bpf)
		nt_bpf_set_places(s->bpf, &s->r->topo);
}

int nt_sampler_take(struct nt_sampler *s, uint64_t now)
{
	struct nt_sample sample = { 0 };
	int err;

	sample.t = (now - s->start) / 1e9;
	sample.dt = (now - s->last) / 1e9;
	err = nt_counters_init(&sample.c, s->r->topo.nnodes);
	err = err ?: nt_sysview_sample(s->sys, &sample.c, &sample.online);
	if (!err && s->bpf)
		err = sample_bpf(s, &sample.c);
	err = err ?: nt_counters_add(&s->r->total, &sample.c);
	if (err) {
		nt_counters_free(&sample.c);
		free(sample.online);
		return err;
	}
	s->last = now;
	refresh_places(s, sample.online);
	return nt_run_add_sample(s->r, &sample);
}
