// SPDX-License-Identifier: GPL-2.0-or-later
/* How machines and kernels differ is said above the table, a line for each difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/compare_util.h"

#define GIB	1048576		/* KiB */

static char **words(const char *first, const char *second, const char *third)
{
	const char *const list[] = { first, second, third };
	char **copy = calloc(4, sizeof(*copy));
	int i;

	assert_non_null(copy);
	for (i = 0; i < 3 && list[i]; i++)
		copy[i] = strdup(list[i]);
	return copy;
}

/* Two nodes of 4 CPUs, 21 apart. */
static struct nt_run machine(void)
{
	struct nt_run r = { .kernel = strdup("6.1"), .machine = strdup("x86_64"),
			    .cpu_model = strdup("Xeon"), .version = strdup("0.1") };
	int i, k;

	r.argv = words("a", NULL, NULL);
	r.topo.node = calloc(2, sizeof(*r.topo.node));
	r.topo.nnodes = 2;
	r.topo.cpus_online = 8;
	for (i = 0; i < 2; i++) {
		r.topo.node[i].id = i;
		r.topo.node[i].cpus = 4;
		r.topo.node[i].cpulist = strdup(i ? "4-7" : "0-3");
		r.topo.node[i].mem_kb = 16 * GIB;
		r.topo.node[i].distance = calloc(2, sizeof(int));
		for (k = 0; k < 2; k++)
			r.topo.node[i].distance[k] = i == k ? 10 : 21;
	}
	return r;
}

static void set(struct nt_domain *d, const char *name, int level, int weight, const char *span,
		char **flag)
{
	strcpy(d->name, name);
	d->level = level;
	d->span_weight = weight;
	d->groups = 2;
	d->imb_numa_nr = level;
	d->span = strdup(span);
	d->flag = flag;
}

/* Both nodes have MC and NUMA. */
static void give_chains(struct nt_run *r)
{
	int i;

	r->nchains = 2;
	r->chain = calloc(2, sizeof(*r->chain));
	for (i = 0; i < 2; i++) {
		r->chain[i].cpus = strdup(i ? "4-7" : "0-3");
		r->chain[i].d = calloc(2, sizeof(struct nt_domain));
		r->chain[i].n = 2;
		set(&r->chain[i].d[0], "MC", 0, 4, i ? "4-7" : "0-3",
		    words("SD_SHARE_LLC", "SD_WAKE_AFFINE", NULL));
		set(&r->chain[i].d[1], "NUMA", 1, 8, "0-7", words("SD_NUMA", NULL, NULL));
	}
}

static void add(struct nt_results *s, int side, struct nt_run head)
{
	assert_int_equal(nt_results_begin(s, side), 0);
	assert_int_equal(nt_results_put(s, "m", 1), 0);
	assert_int_equal(nt_results_set_head(s, &head), 0);
}

/* The lines above the table, with ? before those that mislead; the results are freed. */
static void check(struct nt_results *s, int nsides, const char *want)
{
	static char *const names[] = { "base", "new", "newer" };
	static const struct nt_compare_opts o = { 0 };
	struct nt_compare c;
	char got[2000] = "";
	size_t i, len = 0;

	assert_int_equal(nt_compare(&c, s, names, nsides, &o), 0);
	for (i = 0; i < c.ndoubts; i++)
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%s\n",
					c.doubt[i].weight == NT_DIFFERS ? "" : "?",
					c.doubt[i].text);
	assert_string_equal(got, want);
	nt_compare_free(&c);
	nt_results_free(s);
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = strdup(with);
}

static void names(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run r = machine();

	(void)state;
	add(&s, 0, machine());
	replace(&r.machine, "aarch64");
	replace(&r.cpu_model, "");
	replace(&r.version, "0.2\n");
	add(&s, 1, r);
	r = machine();
	replace(&r.kernel, "6.12");
	add(&s, 1, r);
	check(&s, 2, "kernel 6.1 -> 6.12\n"
		     "machine x86_64, Xeon -> aarch64\n"
		     "numatrace 0.1 -> 0.2\\x0a\n");
	/* Named by the kernel, the sides have said so. */
	add(&s, 0, machine());
	r = machine();
	replace(&r.kernel, "6.12");
	add(&s, 1, r);
	check(&s, 2, "");
	/* Within a side. */
	add(&s, 0, machine());
	r = machine();
	replace(&r.kernel, "6.12");
	add(&s, 0, r);
	add(&s, 1, machine());
	check(&s, 2, "kernel differs within base: 6.1; 6.12\n");
}

static void nodes(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run r = machine();

	(void)state;
	add(&s, 0, machine());
	replace(&r.topo.node[0].cpulist, "0,2,4,6");
	replace(&r.topo.node[1].cpulist, "1,3,5,7");
	r.topo.node[0].distance[1] = r.topo.node[1].distance[0] = 31;
	r.topo.node[0].mem_kb = 16 * GIB - GIB / 2;	/* what a kernel may keep */
	r.topo.node[1].mem_kb = 8 * GIB;
	add(&s, 1, r);
	check(&s, 2, "CPUs of the nodes 0: 0-3, 1: 4-7 -> 0: 0,2,4,6, 1: 1,3,5,7\n"
		     "distance from node 0 to 1 21 -> 31, and 1 more pairs\n"
		     "memory of node 1 16.0 -> 8.0 GiB\n");
	add(&s, 0, machine());
	add(&s, 1, machine());
	r = machine();
	r.topo.node[1].distance[0] = 20;
	r.topo.isolated = strdup("");
	add(&s, 2, r);
	check(&s, 3, "distance from node 1 to 0 21 -> 20 (newer)\n");
	r = machine();
	r.topo.isolated = strdup("");
	add(&s, 0, r);
	r = machine();
	r.topo.isolated = strdup("3,7");
	add(&s, 1, r);
	check(&s, 2, "isolated CPUs none -> 3,7\n");
}

static void settings(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run r = machine();

	(void)state;
	nt_kvs_set(&r.sysctl, "kernel.numa_balancing", 1);
	nt_kvs_set(&r.sysctl, "sched.nr_migrate", 32);
	r.sched_feature = words("PLACE_LAG", "NO_NEXT_BUDDY", "HRTICK");
	add(&s, 0, r);
	r = machine();
	nt_kvs_set(&r.sysctl, "kernel.numa_balancing", 0);	/* the other is not readable */
	r.sched_feature = words("NEXT_BUDDY", "NO_HRTICK", "NO_NEW\xff");
	add(&s, 1, r);
	add(&s, 2, machine());				/* of these nothing is known */
	check(&s, 3, "kernel.numa_balancing 1 -> 0 (new)\n"
		     "sched features: PLACE_LAG on -> none, NEXT_BUDDY off -> on, "
		     "HRTICK on -> off, NEW\\xff none -> off (new)\n");
	r = machine();
	r.sched_feature = words("A", NULL, NULL);
	add(&s, 0, r);
	r = machine();
	r.sched_feature = words("NO_A", NULL, NULL);
	add(&s, 0, r);
	add(&s, 1, machine());
	check(&s, 2, "?sched features differ within base\n");
}

static void domains(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run r = machine();
	int i;

	(void)state;
	give_chains(&r);
	add(&s, 0, r);
	r = machine();
	give_chains(&r);
	r.chain[0].d[1].imb_numa_nr = r.chain[1].d[1].imb_numa_nr = 12;
	r.chain[1].d[0].span_weight = 2;
	r.chain[1].d[0].groups = 0;			/* not counted */
	r.chain[0].d[1].groups = 4;
	replace(&r.chain[1].d[0].flag[1], "SD_BALANCE_\x7f");
	replace(&r.chain[0].d[0].flag[1], "SD_SHARE_LLC");
	add(&s, 1, r);
	check(&s, 2, "NUMA imb_numa_nr 1 -> 12\n"
		     "MC CPUs 4 -> 2,4\n"
		     "MC flags -SD_WAKE_AFFINE +SD_BALANCE_\\x7f\n"
		     "NUMA groups 2 -> 2,4\n");
	/* A level gone; flags without names, and their numbers, say nothing. */
	r = machine();
	give_chains(&r);
	add(&s, 0, r);
	r = machine();
	give_chains(&r);
	for (i = 0; i < 2; i++) {
		strcpy(r.chain[i].d[0].name, "SMT");
		free(r.chain[i].d[1].flag[0]);
		free(r.chain[i].d[1].flag);
		r.chain[i].d[1].flag = NULL;
		r.chain[i].d[1].flags = 0x123;
	}
	add(&s, 1, r);
	check(&s, 2, "MC imb_numa_nr 0 -> none\n"
		     "SMT imb_numa_nr none -> 0\n"
		     "domain levels MC NUMA -> SMT NUMA\n");
}

static void domains_of_other_cpus(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run r = machine();

	(void)state;
	give_chains(&r);
	add(&s, 0, r);
	r = machine();
	give_chains(&r);
	replace(&r.chain[0].d[0].span, "0-2,4");
	add(&s, 1, r);
	check(&s, 2, "new: domains of the same sizes over other CPUs\n");
	r = machine();
	give_chains(&r);
	add(&s, 0, r);
	r = machine();
	give_chains(&r);
	r.chain[0].d[0].imb_numa_nr = 7;
	add(&s, 0, r);
	r = machine();
	give_chains(&r);
	add(&s, 1, r);
	check(&s, 2, "?scheduling domains differ within base\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(nodes),
		cmocka_unit_test(settings),
		cmocka_unit_test(domains),
		cmocka_unit_test(domains_of_other_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
