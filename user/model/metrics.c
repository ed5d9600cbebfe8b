// SPDX-License-Identifier: GPL-2.0-or-later
/* The flat map of metrics; docs/METRICS.md defines each. What was not measured is left out. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/levels.h"
#include "model/run.h"

#define NSEC	1e9

/* The map being made. After an error the rest is not added, so callers look once at the end. */
struct map {
	const struct nt_run *r;
	struct nt_kvs *out;
	double elapsed;
	int nnodes;
	int err;
};

static void __attribute__((format(printf, 3, 4)))
put(struct map *m, double value, const char *fmt, ...)
{
	va_list ap;

	if (m->err)
		return;
	va_start(ap, fmt);
	m->err = nt_kvs_vappend(m->out, value, fmt, ap);
	va_end(ap);
}

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

bool nt_util_node(const struct nt_counters *c, int node, struct nt_util *u)
{
	uint64_t t[NT_NTICK] = { 0 }, user, nice, total;
	double unit;
	int i, k;

	memset(u, 0, sizeof(*u));
	for (i = 0; i < c->nnodes; i++)
		for (k = 0; (node < 0 || i == node) && k < NT_NTICK; k++)
			t[k] += c->node[i].tick[k];
	/*
	 * The kernel does not advance guest and user together, so guest can be ahead for an
	 * interval. The larger is what passed, and the columns still make 100 %.
	 */
	user = max_u64(t[NT_TICK_USER], t[NT_TICK_GUEST]);
	nice = max_u64(t[NT_TICK_NICE], t[NT_TICK_GNICE]);
	total = user + nice + t[NT_TICK_SYS] + t[NT_TICK_IDLE] + t[NT_TICK_IOWAIT] +
		t[NT_TICK_IRQ] + t[NT_TICK_SOFT] + t[NT_TICK_STEAL];
	if (!total)
		return false;
	unit = 100.0 / (double)total;
	u->usr = (double)(user - t[NT_TICK_GUEST]) * unit;
	u->nice = (double)(nice - t[NT_TICK_GNICE]) * unit;
	u->sys = (double)t[NT_TICK_SYS] * unit;
	u->iowait = (double)t[NT_TICK_IOWAIT] * unit;
	u->irq = (double)t[NT_TICK_IRQ] * unit;
	u->soft = (double)t[NT_TICK_SOFT] * unit;
	u->steal = (double)t[NT_TICK_STEAL] * unit;
	u->guest = (double)t[NT_TICK_GUEST] * unit;
	u->gnice = (double)t[NT_TICK_GNICE] * unit;
	u->idle = (double)t[NT_TICK_IDLE] * unit;
	return true;
}

/* "all", or the kernel's id of a node. */
static const char *node_label(const struct map *m, int node, char *buf, size_t len)
{
	if (node < 0)
		return "all";
	snprintf(buf, len, "%d", m->r->topo.node[node].id);
	return buf;
}

static void put_mpstat(struct map *m, int node)
{
	char buf[16];
	const char *id = node_label(m, node, buf, sizeof(buf));
	struct nt_util u;

	if (!nt_util_node(&m->r->total, node, &u))
		return;
	put(m, u.usr, "mpstat.node.%s.usr%%", id);
	put(m, u.nice, "mpstat.node.%s.nice%%", id);
	put(m, u.sys, "mpstat.node.%s.sys%%", id);
	put(m, u.iowait, "mpstat.node.%s.iowait%%", id);
	put(m, u.irq, "mpstat.node.%s.irq%%", id);
	put(m, u.soft, "mpstat.node.%s.soft%%", id);
	put(m, u.steal, "mpstat.node.%s.steal%%", id);
	put(m, u.guest, "mpstat.node.%s.guest%%", id);
	put(m, u.gnice, "mpstat.node.%s.gnice%%", id);
	put(m, u.idle, "mpstat.node.%s.idle%%", id);
}

/* The kernel's rule for a task whose tick never fell into system mode: all of it is user. */
static double user_share(const struct nt_cpu_time *t)
{
	if (!t->stime)
		return 1;
	return (double)t->utime / ((double)t->utime + (double)t->stime);
}

static double run_seconds(const struct nt_run *r)
{
	if (r->ru.elapsed <= 0 && r->nsamples)
		return r->sample[r->nsamples - 1].t;
	return r->ru.elapsed;
}

double nt_cpus_online(const struct nt_run *r, int node)
{
	double elapsed = run_seconds(r), ns = 0;
	int i;

	for (i = 0; i < r->total.nnodes; i++)
		if (node < 0 || i == node)
			ns += (double)r->total.node[i].online_ns;
	if (elapsed <= 0)
		return 0;
	if (ns > 0)
		return ns / NSEC / elapsed;
	return node < 0 ? r->topo.cpus_online : r->topo.node[node].cpus;
}

static void put_workload(struct map *m, int node)
{
	double cpus = nt_cpus_online(m->r, node);
	int i;
	char buf[16];
	const char *id = node_label(m, node, buf, sizeof(buf));
	struct nt_cpu_time t = { 0 };
	double busy;

	for (i = 0; i < m->nnodes; i++) {
		if (node >= 0 && i != node)
			continue;
		t.exec += m->r->total.node[i].wl.exec;
		t.utime += m->r->total.node[i].wl.utime;
		t.stime += m->r->total.node[i].wl.stime;
	}
	if (node < 0)
		put(m, (double)t.exec / NSEC, "workload.cpu_seconds");
	if (m->elapsed <= 0 || (cpus <= 0 && !t.exec))
		return;
	busy = (double)t.exec / NSEC / m->elapsed;
	put(m, busy, "workload.node.%s.busy_cpus", id);
	if (cpus <= 0)	/* an old record: CPUs came during the run, nobody knows for how long */
		return;
	put(m, 100 * busy * user_share(&t) / cpus, "workload.node.%s.usr%%", id);
	put(m, 100 * busy * (1 - user_share(&t)) / cpus, "workload.node.%s.sys%%", id);
}

static void put_migrations(struct map *m, int scope, const char *prefix)
{
	const struct nt_counters *c = &m->r->total;
	int cause;

	put(m, (double)nt_mig_sum(c, scope, -1, false), "%smigrations.total", prefix);
	put(m, (double)nt_mig_sum(c, scope, -1, true), "%smigrations.cross_node", prefix);
	for (cause = 0; cause < NT_NCAUSE; cause++)
		put(m, (double)nt_mig_sum(c, scope, cause, false), "%smigrations.%s", prefix,
		    nt_cause_name[cause]);
}

static void put_forks(struct map *m, int scope, const char *prefix)
{
	uint64_t total = 0, cross = 0, n;
	int from, to;

	for (from = 0; from < m->nnodes; from++)
		for (to = 0; to < m->nnodes; to++) {
			n = *nt_fork(&m->r->total, scope, from, to);
			total += n;
			cross += from == to ? 0 : n;
		}
	put(m, (double)total, "%sfork.total", prefix);
	put(m, (double)cross, "%sfork.cross_node", prefix);
}

static void put_placements(struct map *m, int scope, const char *prefix)
{
	int wake, place;

	for (wake = 0; wake < NT_NWAKE; wake++)
		for (place = 0; place < NT_NPLACE; place++)
			put(m, (double)m->r->total.place[scope][wake][place],
			    "%splacement.%s.%s", prefix, nt_wake_name[wake], nt_place_name[place]);
}

static void put_memory(struct map *m, int node)
{
	const struct nt_kvs *mem = &m->r->total.node[node].mem;
	int id = m->r->topo.node[node].id;
	size_t i;

	for (i = 0; i < mem->n; i++)
		if (begins(mem->v[i].key, "numastat."))
			put(m, mem->v[i].value, "numa-numastat.node%d.%s", id,
			    mem->v[i].key + strlen("numastat."));
		else if (begins(mem->v[i].key, "vmstat."))
			put(m, mem->v[i].value, "numa-vmstat.node%d.%s", id,
			    mem->v[i].key + strlen("vmstat."));
	for (i = 0; m->r->node_meminfo && i < m->r->node_meminfo[node].n; i++)
		put(m, m->r->node_meminfo[node].v[i].value, "numa-meminfo.node%d.%s", id,
		    m->r->node_meminfo[node].v[i].key);
}

static void put_system(struct map *m)
{
	const struct nt_kvs *sys = &m->r->total.sys;
	bool softirqs = false;
	size_t i;
	int node;

	for (i = 0; i < sys->n; i++) {
		const char *key = sys->v[i].key;

		if (begins(key, "vmstat."))
			put(m, sys->v[i].value, "proc-vmstat.%s", key + strlen("vmstat."));
		else if (begins(key, "softirqs."))
			put(m, sys->v[i].value, "%s", key);
		else if (!strcmp(key, "stat.ctxt") && m->elapsed > 0)
			put(m, sys->v[i].value / m->elapsed, "vmstat.system.cs");
		softirqs |= !strcmp(key, "softirqs.SCHED");
	}
	for (node = 0; softirqs && node < m->nnodes; node++)
		put(m, (double)m->r->total.node[node].sched_softirqs, "softirqs.node%d.SCHED",
		    m->r->topo.node[node].id);
}

static void put_spread(struct map *m, const struct nt_spread *s, const char *id, const char *what)
{
	put(m, s->sum / (double)m->r->queues.samples, "snapshot.node.%s.%s", id, what);
	put(m, s->min, "snapshot.node.%s.%s.min", id, what);
	put(m, s->max, "snapshot.node.%s.%s.max", id, what);
}

static void put_queues(struct map *m)
{
	const struct nt_queue_stats *st = &m->r->queues;
	char buf[16];
	int node;

	for (node = -1; st->samples && node < m->nnodes && node < st->nnodes; node++) {
		const struct nt_node_queues *q = node < 0 ? &st->all : &st->node[node];
		const char *id = node_label(m, node, buf, sizeof(buf));

		put_spread(m, &q->running, id, "runnable");
		if (st->has_workload)
			put_spread(m, &q->workload, id, "workload");
		put(m, q->idle / (double)st->samples, "snapshot.node.%s.idle_cpus", id);
	}
	if (!st->paired)
		return;
	put(m, st->difference_sum / (double)st->paired, "snapshot.difference");
	put(m, st->difference_max, "snapshot.difference.max");
	if (st->judged)
		put(m, 100.0 * (double)st->beyond / (double)st->judged, "snapshot.beyond%%");
}

static void put_command(struct map *m)
{
	const struct nt_rusage *ru = &m->r->ru;

	put(m, ru->user, "time.user_time");
	put(m, ru->system, "time.system_time");
	put(m, (double)ru->maxrss_kb, "time.maximum_resident_set_size");
	put(m, (double)ru->minflt, "time.minor_page_faults");
	put(m, (double)ru->majflt, "time.major_page_faults");
	put(m, (double)ru->nvcsw, "time.voluntary_context_switches");
	put(m, (double)ru->nivcsw, "time.involuntary_context_switches");
}

/* The prefix of the system's own keys is "system."; those of the workload have none. */
static void put_scope(struct map *m, int scope, const char *prefix)
{
	const struct nt_feature *f = m->r->feature;

	if (f[NT_F_MIGRATIONS].on)
		put_migrations(m, scope, prefix);
	if (f[NT_F_FORK].on)
		put_forks(m, scope, prefix);
	if (f[NT_F_PLACEMENT].on)
		put_placements(m, scope, prefix);
}

static void put_features(struct map *m)
{
	const struct nt_feature *f = m->r->feature;
	bool workload = nt_has_workload(m->r);
	int node;

	for (node = -1; workload && node < m->nnodes && f[NT_F_CPUTIME].on; node++)
		put_workload(m, node);
	if (workload)
		put_scope(m, NT_WORKLOAD, "");
	put_scope(m, NT_SYSTEM, "system.");
	if (f[NT_F_BALANCE].on)
		m->err = m->err ?: nt_balance_metrics(m->r, m->out);
	if (f[NT_F_DOMAINS].on)
		m->err = m->err ?: nt_domain_metrics(m->r, m->out);
}

int nt_run_metrics(const struct nt_run *r, struct nt_kvs *out)
{
	struct map m = { .r = r, .out = out, .elapsed = run_seconds(r) };
	size_t i;
	int node;

	m.nnodes = r->total.nnodes < r->topo.nnodes ? r->total.nnodes : r->topo.nnodes;
	for (node = -1; node < m.nnodes; node++)
		put_mpstat(&m, node);
	put_features(&m);
	put_queues(&m);
	for (node = 0; node < m.nnodes; node++)
		put_memory(&m, node);
	put_system(&m);
	if (r->ended)
		put(&m, r->ru.elapsed, "time.elapsed_time");
	if (r->argv && r->ended)
		put_command(&m);
	/* Names chosen by the user can be anything, even one of ours. */
	for (i = 0; i < r->nscores && !m.err; i++)
		m.err = nt_kvs_set(out, r->score[i].key, r->score[i].value);
	return m.err;
}
