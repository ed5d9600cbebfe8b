// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups and pairs of machines, and snapshots of them judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/numa_map.h"
#include "store/record_read.h"

#define MAX_LEVELS 3

/* A kind of CPU: its domains from the lowest, level numbers rising; a span NULL is not known. */
struct kind {
	const char *cpus;
	struct {
		const char *name, *span;
		int level;
	} d[MAX_LEVELS];
};

static char **flags(const char *level)
{
	static const char *const numa[] = { "SD_NUMA", "SD_BALANCE_FORK", "SD_BALANCE_EXEC" };
	static const char *const others[] = { "SD_PREFER_SIBLING" };
	bool is_numa = !strcmp(level, "NUMA");
	char **f = calloc(4, sizeof(*f));
	int i;

	assert_non_null(f);
	for (i = 0; i < (is_numa ? 3 : 1); i++)
		f[i] = strdup(is_numa ? numa[i] : others[i]);
	return f;
}

static int weight(const char *list)
{
	struct nt_cpuset s = { 0 };
	int n;

	assert_int_equal(nt_cpuset_parse(&s, list), 0);
	n = (int)nt_cpuset_count(&s);
	nt_cpuset_free(&s);
	return n;
}

/* CPUs of each node in a row: nodes of per_node CPUs. */
static void make_run(struct nt_run *r, int nnodes, int per_node, const struct kind *k, int n)
{
	struct nt_topology *t = &r->topo;
	int i, j;

	memset(r, 0, sizeof(*r));
	r->kernel = strdup("6.1.0");
	t->nnodes = nnodes;
	t->cpu_ids = t->cpus_online = nnodes * per_node;
	t->node = calloc((size_t)nnodes, sizeof(*t->node));
	t->cpu_node = calloc((size_t)t->cpu_ids, sizeof(int));
	for (i = 0; i < nnodes; i++) {
		t->node[i].id = i;
		t->node[i].cpus = per_node;
	}
	for (i = 0; i < t->cpu_ids; i++)
		t->cpu_node[i] = i / per_node;
	assert_int_equal(nt_feature_on(&r->feature[NT_F_DOMAINS], "test"), 0);
	r->nchains = n;
	r->chain = calloc((size_t)n, sizeof(*r->chain));
	for (i = 0; i < n; i++) {
		struct nt_chain *c = &r->chain[i];

		c->cpus = strdup(k[i].cpus);
		c->d = calloc(MAX_LEVELS, sizeof(*c->d));
		for (j = 0; j < MAX_LEVELS && k[i].d[j].name; j++) {
			struct nt_domain *d = &c->d[c->n++];

			snprintf(d->name, sizeof(d->name), "%s", k[i].d[j].name);
			d->level = k[i].d[j].level;
			d->span = k[i].d[j].span ? strdup(k[i].d[j].span) : NULL;
			d->span_weight = d->span ? weight(d->span) : per_node;
			d->imb_numa_nr = 1;
			d->flag = flags(d->name);
		}
	}
}

/* "NAME - NAME, NAME - NAME" of a level's pairs; an "!" behind those that overlap. */
static char *pairs(const struct nt_numa_map *m, int level)
{
	char *text = calloc(1, 4096);
	size_t len = 0;
	int i;

	assert_non_null(text);
	for (i = 0; i < m->npairs; i++) {
		const struct nt_numa_pair *p = &m->pair[i];

		if (p->level != level)
			continue;
		len += (size_t)snprintf(text + len, 4096 - len, "%s%s - %s%s", len ? ", " : "",
					m->group[p->group[0]].name, m->group[p->group[1]].name,
					p->side[0].overlap || p->side[1].overlap ? "!" : "");
	}
	return text;
}

static void assert_pairs(const struct nt_numa_map *m, int level, const char *wanted)
{
	char *got = pairs(m, level);

	assert_string_equal(got, wanted);
	free(got);
}

static void assert_no_pairs(const struct nt_run *r, const char *word)
{
	struct nt_numa_map m;

	assert_int_equal(nt_numa_map_init(&m, r), 0);
	assert_int_equal(m.npairs, 0);
	assert_non_null(m.why);
	assert_non_null(strstr(m.why, word));
	nt_numa_map_free(&m);
}

static const struct kind two_nodes[] = {
	{ "0-3", { { "MC", "0-3", 2 }, { "NUMA", "0-7", 5 } } },
	{ "4-7", { { "MC", "4-7", 2 }, { "NUMA", "0-7", 5 } } },
};

static void nodes_are_the_groups_of_the_domain_above_them(void **state)
{
	struct nt_numa_map m;
	struct nt_run r;

	(void)state;
	make_run(&r, 2, 4, two_nodes, 2);
	assert_int_equal(nt_numa_map_init(&m, &r), 0);
	assert_null(m.why);
	assert_pairs(&m, 5, "node 0 - node 1");
	assert_int_equal(m.pair[0].side[0].chain, 0);
	assert_int_equal(m.pair[0].side[1].chain, 1);
	assert_int_equal(m.pair[0].side[1].depth, 1);
	assert_int_equal(nt_numa_pair_imb(&r, &m.pair[0]), 1);
	r.chain[1].d[1].imb_numa_nr = 2;
	assert_int_equal(nt_numa_pair_imb(&r, &m.pair[0]), -1);
	nt_numa_map_free(&m);
	nt_run_free(&r);
}

/* Two sockets of two nodes each: near nodes in pairs, then the sockets. */
static void each_level_has_its_own_groups(void **state)
{
	static const struct kind snc[] = {
		{ "0-1", { { "MC", "0-1", 2 }, { "NUMA", "0-3", 5 }, { "NUMA", "0-7", 6 } } },
		{ "2-3", { { "MC", "2-3", 2 }, { "NUMA", "0-3", 5 }, { "NUMA", "0-7", 6 } } },
		{ "4-5", { { "MC", "4-5", 2 }, { "NUMA", "4-7", 5 }, { "NUMA", "0-7", 6 } } },
		{ "6-7", { { "MC", "6-7", 2 }, { "NUMA", "4-7", 5 }, { "NUMA", "0-7", 6 } } },
	};
	struct nt_numa_map m;
	struct nt_run r;

	(void)state;
	make_run(&r, 4, 2, snc, 4);
	assert_int_equal(nt_numa_map_init(&m, &r), 0);
	assert_pairs(&m, 5, "node 0 - node 1, node 2 - node 3");
	assert_pairs(&m, 6, "nodes 0-1 - nodes 2-3");
	nt_numa_map_free(&m);
	nt_run_free(&r);
}

/* A node of one CPU has no domain of its own: the CPU is the group. */
static void single_cpus_are_groups(void **state)
{
	static const struct kind ones[] = {
		{ "0-2", { { "NUMA", "0-2", 5 } } },
	};
	struct nt_numa_map m;
	struct nt_run r;

	(void)state;
	make_run(&r, 3, 1, ones, 1);
	assert_int_equal(nt_numa_map_init(&m, &r), 0);
	assert_pairs(&m, 5, "node 0 - node 1, node 0 - node 2, node 1 - node 2");
	nt_numa_map_free(&m);
	nt_run_free(&r);
}

/* CPU 3 is isolated: the group is not the node. */
static void groups_that_are_no_nodes_have_their_cpus_for_a_name(void **state)
{
	static const struct kind isolated[] = {
		{ "0-2", { { "MC", "0-2", 2 }, { "NUMA", "0-2,4-7", 5 } } },
		{ "3", { { NULL, NULL, 0 } } },
		{ "4-7", { { "MC", "4-7", 2 }, { "NUMA", "0-2,4-7", 5 } } },
	};
	struct nt_numa_map m;
	struct nt_run r;

	(void)state;
	make_run(&r, 2, 4, isolated, 3);
	assert_int_equal(nt_numa_map_init(&m, &r), 0);
	assert_pairs(&m, 5, "CPUs 0-2 - node 1");
	nt_numa_map_free(&m);
	nt_run_free(&r);
}

static void without_groups_the_reason_is_named(void **state)
{
	static const struct kind one[] = { { "0-7", { { "MC", "0-7", 2 } } } };
	static const struct kind unknown[] = {
		{ "0-3", { { "MC", NULL, 2 }, { "NUMA", "0-7", 5 } } },
		{ "4-7", { { "MC", "4-7", 2 }, { "NUMA", "0-7", 5 } } },
	};
	struct nt_run r;

	(void)state;
	make_run(&r, 1, 8, one, 1);
	assert_no_pairs(&r, "SD_NUMA");
	nt_feature_free(&r.feature[NT_F_DOMAINS]);
	assert_no_pairs(&r, "not read");
	nt_run_free(&r);
	make_run(&r, 2, 4, unknown, 2);
	assert_no_pairs(&r, "not known");
	nt_run_free(&r);
}

/* A guest of four nodes in a ring, as it was recorded. */
static void rings_have_groups_that_overlap(void **state)
{
	struct nt_error e = { "" };
	struct nt_numa_map m;
	struct nt_run *runs;
	size_t n;

	(void)state;
	assert_int_equal(nt_record_read_totals("tests/golden/ring.jsonl", &runs, &n, &e), 0);
	assert_int_equal(nt_numa_map_init(&m, &runs[0]), 0);
	assert_pairs(&m, 5, "node 0 - node 1, node 0 - node 3, node 1 - node 2, node 3 - node 2");
	assert_int_equal(m.npairs, 4 + 6);
	for (int i = 0; i < m.npairs; i++)
		assert_int_equal(m.pair[i].side[0].overlap, m.pair[i].level == 6);
	nt_numa_map_free(&m);
	nt_records_free(runs, n);
}

/* running[i] tasks in node i, one to a CPU as far as they go. */
static void make_snapshot(struct nt_snapshot *s, const struct nt_run *r, const int *running)
{
	int cpu, per_node = r->topo.cpu_ids / r->topo.nnodes;

	assert_int_equal(nt_snapshot_init(s, r->topo.cpu_ids, r->topo.nnodes), 0);
	for (cpu = 0; cpu < r->topo.cpu_ids; cpu++) {
		int n = running[cpu / per_node], at = cpu % per_node;
		unsigned int tasks = (unsigned int)(n / per_node + (at < n % per_node));

		s->cpu[cpu].cpu = cpu;
		s->cpu[cpu].q = (struct nt_queue){
			.cpus = 1, .idle = !tasks, .running = tasks, .fair = tasks,
			.capacity = 1024,
		};
	}
	nt_snapshot_sum(s, &r->topo);
}

static void judge(const int *running, struct nt_numa_judged *is, struct nt_numa_judgement *all,
		  void (*change)(struct nt_snapshot *s))
{
	struct nt_snapshot s;
	struct nt_numa_map m;
	struct nt_run r;

	make_run(&r, 2, 4, two_nodes, 2);
	make_snapshot(&s, &r, running);
	if (change)
		change(&s);
	assert_int_equal(nt_numa_map_init(&m, &r), 0);
	assert_int_equal(nt_numa_judge(&m, &r, &s, all), 0);
	*is = all->j[0];
	nt_numa_judgement_free(&(struct nt_numa_judgement){ .j = all->j });
	nt_numa_map_free(&m);
	nt_snapshot_free(&s);
	nt_run_free(&r);
}

static void the_busier_group_is_named_first(void **state)
{
	struct nt_numa_judgement all;
	struct nt_numa_judged is;

	(void)state;
	judge((int[]){ 0, 3 }, &is, &all, NULL);
	assert_int_equal(is.more, 1);
	assert_int_equal(is.less, 0);
	assert_int_equal(is.running[0], 3);
	assert_int_equal(is.running[1], 0);
	assert_int_equal(is.balance, NT_MOVES);
	assert_int_equal(is.fork, NT_MOVES);
	assert_int_equal(all.settled, 1);
	assert_int_equal(all.beyond, 1);
	assert_int_equal(all.difference, 3);
	judge((int[]){ 2, 0 }, &is, &all, NULL);
	assert_int_equal(is.more, 0);
	assert_int_equal(is.balance, NT_STAYS);
	assert_int_equal(all.beyond, 0);
	assert_int_equal(all.difference, 2);
}

static void rebuild(struct nt_snapshot *s)
{
	s->rebuilt = true;
}

static void lose_cpu(struct nt_snapshot *s)
{
	s->ncpus--;
}

static void sleep_all(struct nt_snapshot *s)
{
	int i;

	for (i = 0; i < s->ncpus; i++) {
		s->cpu[i].q.delayed = s->cpu[i].q.running;
		s->cpu[i].q.running = s->cpu[i].q.fair = 0;
	}
}

static void slow_down(struct nt_snapshot *s)
{
	s->cpu[0].q.capacity = 700;
}

static void nothing_is_judged_by_domains_that_no_longer_hold(void **state)
{
	struct nt_numa_judgement all;
	struct nt_numa_judged is;

	(void)state;
	judge((int[]){ 3, 0 }, &is, &all, rebuild);
	assert_int_equal(is.balance, NT_UNSETTLED);
	assert_int_equal(is.fork, NT_UNSETTLED);
	assert_int_equal(all.settled, 0);
	judge((int[]){ 3, 0 }, &is, &all, lose_cpu);
	assert_int_equal(is.balance, NT_UNSETTLED);
	judge((int[]){ 3, 0 }, &is, &all, slow_down);
	assert_int_equal(is.balance, NT_UNSETTLED);
}

static void tasks_asleep_in_a_queue_count_as_the_kernel_counts_them(void **state)
{
	struct nt_numa_judgement all;
	struct nt_numa_judged is;

	(void)state;
	judge((int[]){ 3, 0 }, &is, &all, sleep_all);
	assert_int_equal(is.running[0], 3);
	assert_int_equal(all.difference, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_the_groups_of_the_domain_above_them),
		cmocka_unit_test(each_level_has_its_own_groups),
		cmocka_unit_test(single_cpus_are_groups),
		cmocka_unit_test(groups_that_are_no_nodes_have_their_cpus_for_a_name),
		cmocka_unit_test(without_groups_the_reason_is_named),
		cmocka_unit_test(rings_have_groups_that_overlap),
		cmocka_unit_test(the_busier_group_is_named_first),
		cmocka_unit_test(nothing_is_judged_by_domains_that_no_longer_hold),
		cmocka_unit_test(tasks_asleep_in_a_queue_count_as_the_kernel_counts_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
