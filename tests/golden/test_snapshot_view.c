// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * numatrace snapshot of machines made up here, against the committed bytes.
 *
 *	test_snapshot_view DIR		compare; UPDATE=1 in the environment writes them anew
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "golden/bytes.h"
#include "view/snapshot.h"

#define QUICK_S		0.5	/* CPU time for the largest machine, sanitizers included */
#define MAX_BYTES	100000	/* of a golden; more is not worth keeping: lines are counted */

struct machine {
	const char *name;
	const char *kernel;
	int imb;		/* imb_numa_nr; -1: a kernel without */
	int nodes, cpus;	/* CPUs of each node but the last if memory_only */
	bool memory_only;
	bool asleep;		/* the kernel counts sleepers in queues */
	int self;		/* CPU that numatrace was on, -1: not seen */
};

static const struct machine machines[] = {
	{ "2x4", "6.1.0-1-amd64", 1, 2, 4, false, false, 6 },
	{ "memless", "5.10.0-1-amd64", -1, 3, 2, true, true, -1 },
	{ "64x128", "6.12.0-1-amd64", 16, 64, 128, false, true, 4711 },
	{ "unread", "9.9.0", 2, 3, 4, false, true, 0 },
};

static const struct {
	const char *ext;
	struct nt_snapshot_view view;
} kinds[] = {
	{ "snapshot", { .o.format = NT_FORMAT_TABLE } },
	{ "cpus.snapshot", { .o.format = NT_FORMAT_TABLE, .per_cpu = true } },
	{ "snapshot.json", { .o.format = NT_FORMAT_JSON } },
	{ "cpus.snapshot.json", { .o.format = NT_FORMAT_JSON, .per_cpu = true } },
};

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

static int ncpus(const struct machine *m)
{
	return m->cpus * (m->nodes - m->memory_only);
}

static char *list(int first, int last)
{
	char *text;

	if (asprintf(&text, "%d-%d", first, last) < 0)
		abort();
	return text;
}

static char **flags(const char *a, const char *b, const char *c)
{
	char **f = need(calloc(4, sizeof(*f)));

	f[0] = need(strdup(a));
	f[1] = b ? need(strdup(b)) : NULL;
	f[2] = c ? need(strdup(c)) : NULL;
	return f;
}

/* A chain for each node: its CPUs, which share a cache, then all. */
static void make_chains(struct nt_run *r, const struct machine *m)
{
	int i;

	r->nchains = m->nodes - m->memory_only;
	r->chain = need(calloc((size_t)r->nchains, sizeof(*r->chain)));
	for (i = 0; i < r->nchains; i++) {
		struct nt_chain *c = &r->chain[i];

		c->cpus = list(i * m->cpus, (i + 1) * m->cpus - 1);
		c->d = need(calloc(2, sizeof(*c->d)));
		c->n = 2;
		c->d[0] = (struct nt_domain){
			.name = "MC", .level = 2, .span_weight = m->cpus, .groups = m->cpus,
			.span = list(i * m->cpus, (i + 1) * m->cpus - 1),
			.flag = flags("SD_PREFER_SIBLING", NULL, NULL),
			.imb_numa_nr = m->imb < 0 ? -1 : 0,
		};
		c->d[1] = (struct nt_domain){
			.name = "NUMA", .level = 5, .span_weight = ncpus(m), .groups = r->nchains,
			.span = list(0, ncpus(m) - 1), .imb_numa_nr = m->imb,
			.flag = flags("SD_NUMA", "SD_BALANCE_FORK", "SD_BALANCE_EXEC"),
		};
	}
	if (nt_feature_on(&r->feature[NT_F_DOMAINS], "test"))
		abort();
}

static void make_run(struct nt_run *r, const struct machine *m)
{
	struct nt_topology *t = &r->topo;
	int i;

	memset(r, 0, sizeof(*r));
	r->version = need(strdup("0.1.0"));
	r->hostname = need(strdup("host"));
	r->kernel = need(strdup(m->kernel));
	r->started = need(strdup("2026-12-01T00:00:00Z"));
	t->nnodes = m->nodes;
	t->node = need(calloc((size_t)m->nodes, sizeof(*t->node)));
	t->cpu_ids = t->cpus_online = ncpus(m);
	t->cpu_node = need(calloc((size_t)ncpus(m), sizeof(int)));
	for (i = 0; i < m->nodes; i++) {
		t->node[i].id = i;
		t->node[i].cpus = m->memory_only && i == m->nodes - 1 ? 0 : m->cpus;
	}
	for (i = 0; i < ncpus(m); i++)
		t->cpu_node[i] = i / m->cpus;
	make_chains(r, m);
}

/* Numbers without luck: every CPU's are a function of its own. */
static void make_snapshot(struct nt_snapshot *s, const struct nt_run *r, const struct machine *m)
{
	int i;

	if (nt_snapshot_init(s, ncpus(m), m->nodes))
		abort();
	for (i = 0; i < ncpus(m); i++) {
		struct nt_queue *q = &s->cpu[i].q;

		s->cpu[i].cpu = i;
		s->cpu[i].self = i == m->self;
		q->cpus = 1;
		q->running = (unsigned int)(i * 7 % 5 % 3);
		q->fair = q->running - (i % 11 == 1 && q->running);
		q->delayed = m->asleep && i % 6 == 4;
		q->idle = !q->running && !q->delayed;
		q->util = (uint64_t)(i * 331 % 1024);
		q->load = (uint64_t)(q->fair * 1024 + i % 100);
		q->capacity = 1024 - i % 3;
	}
	s->took_ns = (uint64_t)ncpus(m) * 250;
	s->has_delayed = m->asleep;
	nt_snapshot_sum(s, &r->topo);
}

static int count(const char *text, char c)
{
	int n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

static int look(const char *dir, const struct machine *m, size_t kind, const char *text, size_t len)
{
	int least = m->nodes * (m->nodes - 1) / 2;	/* pairs */
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.%s", dir, m->name, kinds[kind].ext);
	if (len <= MAX_BYTES)
		return check_bytes(path, text, len);
	if (kinds[kind].view.per_cpu)
		least = ncpus(m);
	if (kinds[kind].view.o.format == NT_FORMAT_JSON)
		return count(text, '\n') == 1 && count(text, '{') > least ? 0 : -EINVAL;
	return count(text, '\n') > least ? 0 : -EINVAL;
}

static int check(const char *dir, const struct machine *m, size_t kind)
{
	struct nt_numa_map map;
	struct nt_snapshot s;
	struct nt_run r;
	char *text = NULL;
	size_t len = 0;
	FILE *f = need(open_memstream(&text, &len));
	double took;
	int err;

	make_run(&r, m);
	make_snapshot(&s, &r, m);
	took = (double)clock();
	err = nt_numa_map_init(&map, &r);
	err = err ?: nt_snapshot_report(f, &r, &map, &s, 0, &kinds[kind].view);
	took = ((double)clock() - took) / CLOCKS_PER_SEC;
	if (fclose(f))
		err = -ENOMEM;
	if (took > QUICK_S) {
		printf("# took %.2f s of CPU time\n", took);
		err = -ETIME;
	}
	err = err ?: look(dir, m, kind, text, len);
	free(text);
	nt_numa_map_free(&map);
	nt_snapshot_free(&s);
	nt_run_free(&r);
	return err;
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "tests/golden";
	size_t n = sizeof(machines) / sizeof(machines[0]), i, k;
	size_t nkinds = sizeof(kinds) / sizeof(kinds[0]);
	int failed = 0, number = 0;

	printf("1..%zu\n", n * nkinds);
	for (i = 0; i < n; i++)
		for (k = 0; k < nkinds; k++) {
			int err = check(dir, &machines[i], k);

			failed += err != 0;
			printf("%sok %d - %s as %s\n", err ? "not " : "", ++number,
			       machines[i].name, kinds[k].ext);
		}
	return failed ? 1 : 0;
}
