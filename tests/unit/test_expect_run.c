// SPDX-License-Identifier: GPL-2.0-or-later
/* What is said of a run whose kernel has, or has not, the values that the formula gives. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/expected.h"
#include "expected_util.h"

/* A run on two nodes of four CPUs: one chain, MC and NUMA. */
static void run_2x4(struct nt_run *r, const char *kernel, int imb)
{
	static const char *const name[] = { "MC", "NUMA" };
	struct nt_chain *c;
	int i;

	memset(r, 0, sizeof(*r));
	machine(&r->topo, 2, 4, 4, two);
	r->kernel = strdup(kernel);
	r->machine = strdup("x86_64");
	r->chain = c = calloc(1, sizeof(*c));
	r->nchains = 1;
	c->cpus = strdup("0-7");
	c->n = 2;
	c->d = calloc(2, sizeof(*c->d));
	for (i = 0; i < 2; i++) {
		strcpy(c->d[i].name, name[i]);
		c->d[i].span_weight = i ? 8 : 4;
		c->d[i].span = i ? strdup("0-7") : NULL;
		c->d[i].imb_numa_nr = imb < 0 ? -1 : i * imb;
	}
}

/* What is said of a run, and what is expected of its NUMA level. */
static void expect(struct nt_run *r, int numa, const char *why, const char *finding)
{
	struct nt_expected x;
	char *text;

	assert_int_equal(nt_expect(r, &x), 0);
	assert_int_equal(x.imb[0][1], numa);
	assert_int_equal(nt_expected_finding(&x, &text), 0);
	assert_string_equal(x.why ? x.why : "", why);
	assert_string_equal(text ? text : "", finding);
	free(text);
	nt_expected_free(&x);
	nt_run_free(r);
}

static void a_run_beside_the_formula(void **state)
{
	struct nt_run r;

	(void)state;
	run_2x4(&r, "6.1.0-50-amd64", 1);
	expect(&r, 1, "", "");
	run_2x4(&r, "6.1.0-50-amd64", 3);
	expect(&r, 1, "", "imb_numa_nr of 1 domain is not what mainline 6.1's formula gives: a "
	       "patched kernel?");
	run_2x4(&r, "5.10.0", -1);
	expect(&r, -1, "imb_numa_nr is not in this kernel", "");
	run_2x4(&r, "5.14.0-427.el9", 1);
	expect(&r, -1, "mainline 5.14 has no imb_numa_nr", "imb_numa_nr is in this kernel and not "
	       "in mainline 5.14: it was taken from a newer one. Mainline 5.18's formula gives all "
	       "its values");
	run_2x4(&r, "6.1.0", 1);
	strcpy(r.chain[0].d[0].name, "BOOK");
	expect(&r, 1, "", "");
	run_2x4(&r, "6.1.0", 1);
	strcpy(r.machine, "s390x");
	expect(&r, -1, "the levels of this architecture are not modelled", "");
	run_2x4(&r, "6.19.0", 1);
	r.topo.node[0].distance[1] = 26;
	expect(&r, -1, "distances differ by direction, and this kernel may even them out", "");
	run_2x4(&r, "6.1.0", 1);
	r.topo.node[0].cpus = 8;
	expect(&r, -1, "nodes share their CPUs (numa=fake)", "");
	run_2x4(&r, "6.1.0", 1);
	strcpy(r.chain[0].d[1].span, "x");
	expect(&r, -1, "CPUs, caches or distances are not known in full", "");
}

/* 6.0's formula in a 5.19: the values tell which it is. */
static void the_formula_of_another_version(void **state)
{
	struct nt_run r;

	(void)state;
	run_2x4(&r, "5.19.0", 2);
	nt_topology_free(&r.topo);
	machine(&r.topo, 2, 16, 16, two);
	strcpy(r.chain[0].cpus, "0-3");
	r.chain[0].d[0].span_weight = 16;
	r.chain[0].d[1].span_weight = 32;
	free(r.chain[0].d[1].span);
	r.chain[0].d[1].span = strdup("0-31");
	expect(&r, 4, "", "imb_numa_nr of 1 domain is not what mainline 5.19's formula gives: a "
	       "patched kernel? Mainline 6.0's formula gives all its values");
}

/* Two cache sizes in a node: CPUs of one chain may have to differ, and nothing is claimed. */
static void cpus_that_differ_have_no_common_value(void **state)
{
	struct nt_run r;
	int cpu;

	(void)state;
	run_2x4(&r, "6.1.0", 1);
	for (cpu = 0; cpu < 4; cpu++)
		r.topo.cpu_llc[cpu] = 2 + cpu;
	r.topo.llcs = 6;
	expect(&r, -1, "", "");
}

static void a_machine_without_its_domains(void **state)
{
	struct nt_kind *kind;
	struct nt_run r;
	char *why, *cpus;
	int n;

	(void)state;
	run_2x4(&r, "6.1.0", 1);
	r.topo.isolated = strdup("2-3");
	assert_int_equal(nt_expect_machine(&r, &kind, &n, &why), 0);
	assert_null(why);
	assert_int_equal(n, 2);
	cpus = nt_cpuset_format(&kind[0].cpus);
	assert_string_equal(cpus, "0-1");
	assert_int_equal(kind[0].llc, 2);
	assert_int_equal(kind[0].n, 2);
	assert_int_equal(kind[0].level[1].weight, 6);
	assert_int_equal(kind[0].level[1].distance, 21);
	free(cpus);
	nt_kinds_free(kind, n);
	strcpy(r.kernel, "5.1");
	assert_int_equal(nt_expect_machine(&r, &kind, &n, &why), 0);
	assert_int_equal(n, 0);
	assert_string_equal(why, "mainline 5.1 has no imb_numa_nr");
	free(why);
	nt_run_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_beside_the_formula),
		cmocka_unit_test(the_formula_of_another_version),
		cmocka_unit_test(cpus_that_differ_have_no_common_value),
		cmocka_unit_test(a_machine_without_its_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
