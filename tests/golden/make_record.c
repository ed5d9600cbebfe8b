// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the records of this folder: make_record NAME FILE. The numbers are made up,
 * but add up the way those of a real run do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/run.h"
#include "store/record_write.h"

struct machine {
	int nodes;
	int cpus;	/* of each node that has any */
	int memory_only;	/* index of a node without CPUs; -1: none */
	int imb;	/* imb_numa_nr of the NUMA level; -1: a kernel without */
};

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

__attribute__((format(printf, 1, 0)))
static char *text(const char *fmt, int a, int b)
{
	char buf[64];

	snprintf(buf, sizeof(buf), fmt, a, b);
	return need(strdup(buf));
}

static void set(struct nt_kvs *l, const char *key, double v)
{
	if (nt_kvs_set(l, key, v))
		abort();
}

static void topology(struct nt_run *r, const struct machine *m)
{
	struct nt_topology *t = &r->topo;
	int i, k, cpu = 0;

	t->nnodes = m->nodes;
	t->node = need(calloc((size_t)m->nodes, sizeof(*t->node)));
	t->cpu_ids = m->cpus * (m->nodes - (m->memory_only >= 0));
	t->cpus_online = t->cpu_ids;
	t->cpu_node = need(calloc((size_t)t->cpu_ids, sizeof(int)));
	t->cpu_llc = need(calloc((size_t)t->cpu_ids, sizeof(int)));
	for (i = 0; i < m->nodes; i++) {
		struct nt_node *n = &t->node[i];
		int cpus = i == m->memory_only ? 0 : m->cpus;

		n->id = i;
		n->cpus = cpus;
		n->cpulist = cpus ? text("%d-%d", cpu, cpu + cpus - 1) : need(strdup(""));
		n->llcs = cpus ? 1 : 0;
		n->mem_kb = 16309248;
		n->distance = need(calloc((size_t)m->nodes, sizeof(int)));
		for (k = 0; k < m->nodes; k++)
			n->distance[k] = i == k ? 10 : 20;
		for (k = 0; k < cpus; k++, cpu++) {
			t->cpu_node[cpu] = i;
			t->cpu_llc[cpu] = t->llcs;
		}
		t->llcs += cpus > 0;
	}
}

static void domain(struct nt_domain *d, const char *name, int level, int weight, char *span,
		   int groups, int imb)
{
	snprintf(d->name, sizeof(d->name), "%s", name);
	d->level = level;
	d->flags = level ? 0x4037 : 0x1237;
	d->span_weight = weight;
	d->span = span;
	d->groups = groups;
	d->imb_numa_nr = imb;
}

/* One chain for all, their MC spans differ; with isolate, the last CPU is in no domain. */
static void chains(struct nt_run *r, const struct machine *m, bool isolate)
{
	int last = r->topo.cpu_ids - 1;
	struct nt_chain *c;

	r->chain = c = need(calloc(2, sizeof(*r->chain)));
	r->nchains = 1 + isolate;
	c->cpus = text("%d-%d", 0, last - isolate);
	c->n = 2;
	c->d = need(calloc(2, sizeof(*c->d)));
	domain(&c->d[0], "MC", 0, m->cpus, NULL, m->cpus, m->imb < 0 ? -1 : 0);
	domain(&c->d[1], "NUMA", 1, last + 1 - isolate, text("%d-%d", 0, last - isolate),
	       (last + 1) / m->cpus, m->imb);
	if (isolate)
		c[1].cpus = text("%d", last, 0);
}

static void way(struct nt_run *r, enum nt_feature_id id, const char *how, const char *why)
{
	r->feature[id].on = how;
	r->feature[id].way = how ? need(strdup(how)) : NULL;
	r->feature[id].why = why ? need(strdup(why)) : NULL;
}

static void header(struct nt_run *r, const struct machine *m, const char *kernel,
		   const char *const *argv)
{
	int n = 0;

	r->version = need(strdup("0.1"));
	r->started = need(strdup("2026-03-02T10:15:30Z"));
	r->hostname = need(strdup("bench7"));
	r->kernel = need(strdup(kernel));
	r->machine = need(strdup("x86_64"));
	r->cpu_model = need(strdup("Intel(R) Xeon(R) Gold 6126 CPU @ 2.60GHz"));
	while (argv && argv[n])
		n++;
	if (argv)
		r->argv = need(calloc((size_t)n + 1, sizeof(char *)));
	while (n--)
		r->argv[n] = need(strdup(argv[n]));
	set(&r->sysctl, "kernel.numa_balancing", m->nodes > 1);
	set(&r->sysctl, "kernel.sched_schedstats", 0);
	topology(r, m);
	r->tick_hz = 100;
	r->bpf = true;
	r->alive_after = -1;
	if (nt_counters_init(&r->total, m->nodes))
		abort();
}

static void all_ways(struct nt_run *r)
{
	way(r, NT_F_MIGRATIONS, "tp_btf sched_migrate_task", NULL);
	way(r, NT_F_CPUTIME, "tp_btf sched_migrate_task, sched_process_free, iter/task", NULL);
	way(r, NT_F_FORK, "tp_btf sched_wakeup_new", NULL);
	way(r, NT_F_BALANCE, "fexit load_balance", "no sched_balance_rq before Linux 6.10");
	way(r, NT_F_PLACEMENT, "fexit select_task_rq_fair", NULL);
	way(r, NT_F_DOMAINS, "iter/task over ksoftirqd", NULL);
}

static void move(struct nt_counters *c, int cause, int from, int to, unsigned int n,
		 unsigned int others)
{
	struct nt_mig_cell *wl = nt_mig(c, NT_WORKLOAD, cause, from, to);
	struct nt_mig_cell *sys = nt_mig(c, NT_SYSTEM, cause, from, to);

	wl->n += n;
	sys->n += n + others;
	if (from != to)
		return;
	wl->same_llc += n;
	sys->same_llc += n + others;
}

static void node_counts(struct nt_counters *c, const struct nt_topology *t, int i, unsigned int k)
{
	struct nt_node_count *n = &c->node[i];
	unsigned int ticks = 100u * (unsigned int)t->node[i].cpus, skew = 3u * (unsigned int)i + k;

	set(&n->mem, "numastat.numa_hit", 118034 + 911 * skew);
	set(&n->mem, "numastat.numa_miss", i ? 0 : 17 * k);
	set(&n->mem, "numastat.numa_foreign", i ? 17 * k : 0);
	set(&n->mem, "numastat.interleave_hit", 0);
	set(&n->mem, "numastat.local_node", 117712 + 911 * skew);
	set(&n->mem, "numastat.other_node", 322);
	if (!ticks)
		return;
	n->tick[NT_TICK_USER] = ticks * 3 / 100 + skew;
	n->tick[NT_TICK_SYS] = ticks * 30 / 100 + 2 * skew;
	n->tick[NT_TICK_IOWAIT] = k;
	n->tick[NT_TICK_SOFT] = 1 + skew / 2;
	n->tick[NT_TICK_IDLE] = ticks - n->tick[NT_TICK_USER] - n->tick[NT_TICK_SYS] -
				n->tick[NT_TICK_IOWAIT] - n->tick[NT_TICK_SOFT];
	n->wl.utime = 108034211ull + 1000003ull * skew;
	n->wl.stime = 1180553019ull + 20000081ull * skew;
	n->wl.exec = n->wl.utime + n->wl.stime + 217;
	n->sched_softirqs = 3120 + 41 * skew;
}

static void balance(struct nt_counters *c, int level, int idle, unsigned int calls,
		    unsigned int moved, unsigned int cross)
{
	struct nt_balance_count *b = &c->balance[level][idle];

	b->calls = calls;
	b->refused = calls / 3;
	b->moved = moved;
	b->moved_cross = cross;
	b->failed = calls / 20;
	b->nothing = calls - b->refused - b->failed - moved;
	b->ns = calls * 1733ull;
}

static void place(struct nt_counters *c, int wake, unsigned int n, unsigned int others)
{
	unsigned int part[NT_NPLACE] = { n * 6 / 10, n * 3 / 10, 0, n - n * 6 / 10 - n * 3 / 10 };
	int k;

	for (k = 0; k < NT_NPLACE; k++) {
		c->place[NT_WORKLOAD][wake][k] = part[k];
		c->place[NT_SYSTEM][wake][k] = part[k] + (k == NT_PLACE_KEPT ? others : 0);
	}
}

static void sample(struct nt_run *r, unsigned int k)
{
	struct nt_sample s = { .t = 1.001 * (k + 1), .dt = 1.001 };
	int i, to, n = r->topo.nnodes;
	double softirqs = 0;

	s.online = text("%d-%d", 0, r->topo.cpu_ids - 1);
	if (nt_counters_init(&s.c, n))
		abort();
	for (i = 0; i < n; i++) {
		node_counts(&s.c, &r->topo, i, k);
		softirqs += s.c.node[i].sched_softirqs;
		if (!r->topo.node[i].cpus)
			continue;
		move(&s.c, NT_CAUSE_WAKEUP, i, i, 812 + 7 * k, 31);
		move(&s.c, NT_CAUSE_EXEC, i, i, k == 0, 0);
		move(&s.c, NT_CAUSE_NEWIDLE, i, i, 96 + k, 12);
		to = (i + 1) % n;
		if (to == i || !r->topo.node[to].cpus)
			continue;
		move(&s.c, NT_CAUSE_WAKEUP, i, to, 40 + k + (unsigned int)i, 2);
		move(&s.c, NT_CAUSE_PERIODIC, i, to, 11, 0);
		*nt_fork(&s.c, NT_WORKLOAD, i, i) = *nt_fork(&s.c, NT_SYSTEM, i, i) = 2960 + k;
		*nt_fork(&s.c, NT_WORKLOAD, i, to) = *nt_fork(&s.c, NT_SYSTEM, i, to) = 402 + k;
	}
	balance(&s.c, 0, NT_IDLE_NEWLY, 9000 + k, 96, 0);
	balance(&s.c, 0, NT_IDLE_IDLE, 1200, 0, 0);
	balance(&s.c, 1, NT_IDLE_BUSY, 310, 4, 4);
	balance(&s.c, 1, NT_IDLE_NEWLY, 8400 + k, 18, 18);
	place(&s.c, NT_WAKE_WAKEUP, 22000 + 10 * k, 4100);
	place(&s.c, NT_WAKE_FORK, 6724 + k, 3);
	set(&s.c.sys, "softirqs.SCHED", softirqs);
	set(&s.c.sys, "vmstat.numa_hint_faults", 120 * k);
	set(&s.c.sys, "vmstat.numa_pages_migrated", 0);
	set(&s.c.sys, "vmstat.pgalloc_normal", 118034);
	if (nt_counters_add(&r->total, &s.c) || nt_run_add_sample(r, &s))
		abort();
}

static void end(struct nt_run *r, unsigned int seconds)
{
	int i;

	r->ended = true;
	r->ru = (struct nt_rusage){
		.elapsed = 1.001 * seconds, .user = 2.17, .system = 24.91, .maxrss_kb = 11712,
		.minflt = 201345, .majflt = 3, .nvcsw = 90211, .nivcsw = 7110,
	};
	r->node_meminfo = need(calloc((size_t)r->topo.nnodes, sizeof(*r->node_meminfo)));
	for (i = 0; i < r->topo.nnodes; i++)
		set(&r->node_meminfo[i], "MemFree", 15101952 - 4096 * i);
	r->alive_after = 0;
	r->self_cpu = 0.0471;
}

static void score(struct nt_run *r, const char *key, double v)
{
	r->score = need(realloc(r->score, (r->nscores + 1) * sizeof(*r->score)));
	r->score[r->nscores].key = need(strdup(key));
	r->score[r->nscores++].value = v;
}

/* The plain case: two nodes, everything measured. */
static void fstat_2x4(struct nt_run *r)
{
	static const struct machine m = { 2, 4, -1, 1 };
	static const char *const argv[] = {
		"stress-ng", "--fstat", "10", "-t", "10", "--metrics", NULL
	};

	header(r, &m, "6.1.0-50-amd64", argv);
	chains(r, &m, false);
	all_ways(r);
}

/* An old kernel, most of it not measurable, killed half-way; bytes meant to do harm. */
static void old_early(struct nt_run *r)
{
	static const struct machine m = { 3, 2, 2, -1 };
	static const char *const argv[] = {
		"sh", "-c", "echo 'it''s'; \033[2Jprintf \xff", "", NULL
	};

	header(r, &m, "5.10.0-30-amd64", argv);
	chains(r, &m, true);
	way(r, NT_F_MIGRATIONS, "raw_tp sched_migrate_task",
	    "tp_btf refused: BPF trampolines are not in this kernel");
	way(r, NT_F_CPUTIME, NULL, "no task iterator: /sys/kernel/btf/vmlinux is missing");
	way(r, NT_F_FORK, "raw_tp sched_wakeup_new", NULL);
	way(r, NT_F_BALANCE, NULL, "ftrace is off (kernel.ftrace_enabled = 0): functions would be "
	    "attached to and never count; set it to 1 to measure");
	way(r, NT_F_PLACEMENT, NULL, "as above");
	way(r, NT_F_DOMAINS, "iter/task over ksoftirqd", NULL);
}

static void many(struct nt_run *r, int nodes)
{
	const struct machine m = { nodes, 8, -1, 2 };
	static const char *const argv[] = { "hackbench", "-g", "20", NULL };

	header(r, &m, "6.12.48+deb13-amd64", argv);
	chains(r, &m, false);
	all_ways(r);
}

/* No command: the machine observed without BPF. */
static void no_bpf(struct nt_run *r)
{
	static const struct machine m = { 1, 2, -1, 0 };
	int i;

	header(r, &m, "7.0.4-amd64", NULL);
	r->bpf = false;
	for (i = 0; i < NT_NFEATURE; i++)
		way(r, (enum nt_feature_id)i, NULL, "--no-bpf");
}

static void fill(struct nt_run *r, const char *name)
{
	unsigned int k, seconds = 2;

	if (!strcmp(name, "fstat-2x4")) {
		fstat_2x4(r);
		seconds = 10;
	} else if (!strcmp(name, "old-early")) {
		old_early(r);
	} else if (!strcmp(name, "no-bpf")) {
		no_bpf(r);
	} else {
		many(r, atoi(name + strlen("nodes-")));
	}
	for (k = 0; k < seconds; k++)
		sample(r, k);
	if (!strcmp(name, "old-early"))
		return;
	end(r, seconds);
	if (seconds == 10) {
		score(r, "stress-ng.fstat.ops", 1203344);
		score(r, "stress-ng.fstat.ops_per_sec", 120314.61);
	}
	if (!strcmp(name, "nodes-8")) {
		r->wait_status = 15;
		r->interrupted = true;
		r->alive_after = 3;
		r->lost.groups_full = 12;
		if (nt_run_note(r, "CPUs 60-63 went offline during the run"))
			abort();
	}
}

int main(int argc, char **argv)
{
	struct nt_writer *w;
	struct nt_run r = { 0 };
	size_t i;
	int err;

	if (argc != 3)
		return 2;
	fill(&r, argv[1]);
	err = nt_writer_open(&w, argv[2], true);
	if (!err)
		err = nt_writer_header(w, &r);
	for (i = 0; !err && i < r.nsamples; i++)
		err = nt_writer_sample(w, &r, &r.sample[i]);
	if (!err && r.ended)
		err = nt_writer_end(w, &r);
	if (!err)
		err = nt_writer_close(w);
	nt_run_free(&r);
	if (err)
		fprintf(stderr, "%s: %s\n", argv[2], strerror(-err));
	return err ? 1 : 0;
}
