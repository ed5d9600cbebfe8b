// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const nt_cause_name[NT_NCAUSE] = {
	[NT_CAUSE_WAKEUP] = "wakeup",
	[NT_CAUSE_EXEC] = "exec",
	[NT_CAUSE_PERIODIC] = "periodic",
	[NT_CAUSE_NEWIDLE] = "newidle",
	[NT_CAUSE_NOHZ] = "nohz",
	[NT_CAUSE_ACTIVE] = "active",
	[NT_CAUSE_NUMA_MOVE] = "numa_move",
	[NT_CAUSE_NUMA_SWAP] = "numa_swap",
	[NT_CAUSE_AFFINITY] = "affinity",
	[NT_CAUSE_HOTPLUG] = "hotplug",
	[NT_CAUSE_RT] = "rt",
	[NT_CAUSE_UNKNOWN] = "unknown",
};

const char *const nt_idle_name[NT_NIDLE] = {
	[NT_IDLE_BUSY] = "busy",
	[NT_IDLE_IDLE] = "idle",
	[NT_IDLE_NEWLY] = "newidle",
};

const char *const nt_wake_name[NT_NWAKE] = {
	[NT_WAKE_WAKEUP] = "wakeup",
	[NT_WAKE_FORK] = "fork",
	[NT_WAKE_EXEC] = "exec",
};

const char *const nt_place_name[NT_NPLACE] = {
	[NT_PLACE_KEPT] = "kept",
	[NT_PLACE_LLC] = "llc",
	[NT_PLACE_NODE] = "node",
	[NT_PLACE_REMOTE] = "remote",
};

const char *const nt_scope_name[NT_NSCOPE] = {
	[NT_WORKLOAD] = "workload",
	[NT_SYSTEM] = "system",
};

const char *const nt_tick_name[NT_NTICK] = {
	[NT_TICK_USER] = "usr",
	[NT_TICK_NICE] = "nice",
	[NT_TICK_SYS] = "sys",
	[NT_TICK_IDLE] = "idle",
	[NT_TICK_IOWAIT] = "iowait",
	[NT_TICK_IRQ] = "irq",
	[NT_TICK_SOFT] = "soft",
	[NT_TICK_STEAL] = "steal",
	[NT_TICK_GUEST] = "guest",
	[NT_TICK_GNICE] = "gnice",
};

const char *nt_level_name(const struct nt_run *r, int level, char *buf, size_t len)
{
	int i, j;

	for (i = 0; i < r->nchains; i++)
		for (j = 0; j < r->chain[i].n; j++)
			if (r->chain[i].d[j].level == level && r->chain[i].d[j].name[0])
				return r->chain[i].d[j].name;
	snprintf(buf, len, "L%d", level);
	return buf;
}

/* A note once said is not said again: what makes it may come at every sample. */
int nt_run_note(struct nt_run *r, const char *fmt, ...)
{
	char *text, **note;
	va_list ap;
	size_t i;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	for (i = 0; i < r->nnotes; i++)
		if (!strcmp(r->note[i], text)) {
			free(text);
			return 0;
		}
	note = realloc(r->note, (r->nnotes + 1) * sizeof(*note));
	if (!note) {
		free(text);
		return -ENOMEM;
	}
	r->note = note;
	r->note[r->nnotes++] = text;
	return 0;
}

bool nt_has_workload(const struct nt_run *r)
{
	return r->argv || r->process;
}

int nt_run_add_sample(struct nt_run *r, struct nt_sample *s)
{
	struct nt_sample *grown;
	size_t cap = 16;

	while (cap <= r->nsamples)
		cap *= 2;
	grown = realloc(r->sample, cap * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	r->sample = grown;
	r->sample[r->nsamples++] = *s;
	memset(s, 0, sizeof(*s));
	return 0;
}

static void free_samples(struct nt_run *r)
{
	size_t i;

	for (i = 0; i < r->nsamples; i++) {
		free(r->sample[i].online);
		nt_counters_free(&r->sample[i].c);
		nt_sample_queues_free(&r->sample[i].queues);
	}
	r->nsamples = 0;
}

void nt_run_forget_samples(struct nt_run *r)
{
	r->forgotten += r->nsamples;
	free_samples(r);
}

size_t nt_run_samples(const struct nt_run *r)
{
	return r->forgotten + r->nsamples;
}

void nt_topology_free(struct nt_topology *t)
{
	int i;

	for (i = 0; t->node && i < t->nnodes; i++) {
		free(t->node[i].cpulist);
		free(t->node[i].distance);
	}
	free(t->node);
	free(t->cpu_node);
	free(t->cpu_llc);
	free(t->isolated);
	memset(t, 0, sizeof(*t));
}

static void free_strings(char **s)
{
	size_t i;

	for (i = 0; s && s[i]; i++)
		free(s[i]);
	free(s);
}

void nt_chain_free(struct nt_chain *c)
{
	int i;

	for (i = 0; c->d && i < c->n; i++) {
		free(c->d[i].span);
		free_strings(c->d[i].flag);
	}
	free(c->d);
	free(c->cpus);
}

static void free_header(struct nt_run *r)
{
	int i;

	free(r->version);
	free(r->started);
	free(r->hostname);
	free(r->kernel);
	free(r->machine);
	free(r->cpu_model);
	free(r->tool);
	free_strings(r->argv);
	free_strings(r->process);
	free_strings(r->param);
	nt_kvs_free(&r->sysctl);
	free_strings(r->sched_feature);
	for (i = 0; r->chain && i < r->nchains; i++)
		nt_chain_free(&r->chain[i]);
	free(r->chain);
	for (i = 0; i < NT_NFEATURE; i++)
		nt_feature_free(&r->feature[i]);
}

void nt_run_free_measured(struct nt_run *r)
{
	size_t i;
	int node;

	free_samples(r);
	free(r->sample);
	nt_counters_free(&r->total);
	nt_queue_stats_free(&r->queues);
	for (node = 0; r->node_meminfo && node < r->topo.nnodes; node++)
		nt_kvs_free(&r->node_meminfo[node]);
	free(r->node_meminfo);
	for (i = 0; i < r->nscores; i++)
		free(r->score[i].key);
	free(r->score);
	for (i = 0; i < r->nnotes; i++)
		free(r->note[i]);
	free(r->note);
	r->sample = NULL;
	r->node_meminfo = NULL;
	r->score = NULL;
	r->note = NULL;
	r->forgotten = r->nscores = r->nnotes = 0;
}

void nt_run_free(struct nt_run *r)
{
	nt_run_free_measured(r);
	free_header(r);
	nt_topology_free(&r->topo);
	memset(r, 0, sizeof(*r));
}

static int copy_strings(char ***dst, const char *const *src, size_t n)
{
	size_t i;

	*dst = calloc(n + 1, sizeof(**dst));
	if (!*dst)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		(*dst)[i] = strdup(src[i]);
		if (!(*dst)[i])
			return -ENOMEM;
	}
	return 0;
}

int nt_run_set_command(struct nt_run *r, char *const *argv, const char *const *params,
		       size_t nparams)
{
	size_t argc = 0;
	int err;

	while (argv && argv[argc])
		argc++;
	err = argv ? copy_strings(&r->argv, (const char *const *)argv, argc) : 0;
	if (!err && nparams)
		err = copy_strings(&r->param, params, nparams);
	return err;
}
