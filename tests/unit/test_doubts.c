// SPDX-License-Identifier: GPL-2.0-or-later
/* What makes a comparison mislead is said above it, or refuses it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/compare_util.h"

static char *const stress_ng[] = { "stress-ng", "--fstat", "10", NULL };

/* A machine of nodes with 4 CPUs and one cache each. */
static void make_head(struct nt_run *r, char *const *argv, const char *param, int nodes)
{
	int i;

	memset(r, 0, sizeof(*r));
	assert_int_equal(nt_run_set_command(r, argv, &param, param ? 1 : 0), 0);
	r->topo.node = calloc((size_t)nodes, sizeof(*r->topo.node));
	assert_non_null(r->topo.node);
	r->topo.nnodes = nodes;
	r->topo.cpus_online = 4 * nodes;
	r->topo.llcs = nodes;
	for (i = 0; i < nodes; i++) {
		r->topo.node[i].id = i;
		r->topo.node[i].cpus = 4;
		r->topo.node[i].llcs = 1;
	}
}

/* One domain NUMA of all CPUs. */
static void give_domain(struct nt_run *r, int imb)
{
	r->chain = calloc(1, sizeof(*r->chain));
	r->chain->d = calloc(1, sizeof(*r->chain->d));
	assert_non_null(r->chain->d);
	r->chain->cpus = strdup("0-7");
	r->nchains = r->chain->n = 1;
	strcpy(r->chain->d->name, "NUMA");
	r->chain->d->imb_numa_nr = imb;
}

static struct nt_result *add_run(struct nt_results *s, int side, struct nt_run *head, double v)
{
	assert_int_equal(nt_results_begin(s, side), 0);
	assert_int_equal(nt_results_put_score(s, "t.ops", v), 0);
	assert_int_equal(nt_results_set_head(s, head), 0);
	return nt_results_last(s);
}

static void add_plain(struct nt_results *s, int side, char *const *argv, const char *param,
		      int nodes)
{
	struct nt_run head;

	make_head(&head, argv, param, nodes);
	add_run(s, side, &head, 100);
}

/* The lines above the table, with ! before those that refuse; the results are freed. */
static void check_lines(struct nt_results *s, int nsides, const char *want)
{
	static char *const names[] = { "base", "new", "newer" };
	static const struct nt_compare_opts o = { 0 };
	struct nt_compare c;
	char got[2000] = "";
	size_t i, len = 0;

	assert_int_equal(nt_compare(&c, s, names, nsides, &o), 0);
	for (i = 0; i < c.ndoubts; i++)
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%s\n",
					c.doubt[i].weight == NT_REFUSES ? "!" : "",
					c.doubt[i].text);
	assert_string_equal(got, want);
	assert_int_equal(nt_compare_refused(&c), want[0] == '!');
	nt_compare_free(&c);
	nt_results_free(s);
}

static void nothing_to_say(void **state)
{
	struct nt_results s = { 0 };

	(void)state;
	add_plain(&s, 0, stress_ng, "commit=a", 2);
	add_plain(&s, 0, stress_ng, "commit=a", 2);
	add_plain(&s, 1, stress_ng, "commit=a", 2);
	check_lines(&s, 2, "");
	add_plain(&s, 0, stress_ng, "kernel=base", 2);
	add_plain(&s, 1, stress_ng, "kernel=new", 2);
	check_lines(&s, 2, "");
}

static void topology(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run head;

	(void)state;
	add_plain(&s, 0, stress_ng, NULL, 2);
	make_head(&head, stress_ng, NULL, 3);
	head.topo.node[1].cpus = 1;
	head.topo.node[2].cpus = head.topo.node[2].llcs = 0;
	add_run(&s, 1, &head, 1);
	check_lines(&s, 2, "!topology differs: base: 2 nodes of 4 CPUs and 1 LLC; new: 1 node of "
		    "4 CPUs and 1 LLC, 1 node of 1 CPU and 1 LLC, 1 node of 0 CPUs\n");
	/* The caches alone. */
	add_plain(&s, 0, stress_ng, NULL, 1);
	make_head(&head, stress_ng, NULL, 1);
	head.topo.node[0].llcs = 2;
	add_run(&s, 1, &head, 1);
	check_lines(&s, 2, "!topology differs: base: 1 node of 4 CPUs and 1 LLC; "
		    "new: 1 node of 4 CPUs and 2 LLCs\n");
	/* Runs of one side, and not the first of them. */
	add_plain(&s, 0, stress_ng, NULL, 1);
	add_plain(&s, 0, stress_ng, NULL, 2);
	add_plain(&s, 1, stress_ng, NULL, 1);
	check_lines(&s, 2, "!topology differs within base: 1 node of 4 CPUs and 1 LLC; "
		    "2 nodes of 4 CPUs and 1 LLC\n");
}

static void command(void **state)
{
	static char *const other[] = { "stress-ng", "--fstat", "20", NULL };
	struct nt_results s = { 0 };
	struct nt_run head;

	(void)state;
	add_plain(&s, 0, stress_ng, NULL, 1);
	add_plain(&s, 1, stress_ng, NULL, 1);
	add_plain(&s, 2, other, NULL, 1);
	check_lines(&s, 3, "!command differs: base: stress-ng --fstat 10; "
		    "newer: stress-ng --fstat 20\n");
	add_plain(&s, 0, stress_ng, NULL, 1);
	add_plain(&s, 1, NULL, NULL, 1);
	check_lines(&s, 2, "!command differs: base: stress-ng --fstat 10; "
		    "new: the whole machine\n");
	/* The PID is another one each time, the name is not. */
	make_head(&head, NULL, NULL, 1);
	head.process = calloc(2, sizeof(char *));
	head.process[0] = strdup("12 mysqld");
	add_run(&s, 0, &head, 1);
	make_head(&head, NULL, NULL, 1);
	head.process = calloc(2, sizeof(char *));
	head.process[0] = strdup("345 mysqld");
	add_run(&s, 1, &head, 1);
	check_lines(&s, 2, "");
}

static void add_tool(struct nt_results *s, int side, char *const *argv, const char *tool)
{
	struct nt_run head;

	make_head(&head, argv, NULL, 1);
	head.tool = tool ? strdup(tool) : NULL;
	add_run(s, side, &head, 1);
}

/* fstat changed its meaning with 0.19.01; between other versions a score may move. */
static void versions(void **state)
{
	static char *const cpu[] = { "stress-ng", "--cpu", "1", "--fstat-dir", "/x", NULL };
	struct nt_results s = { 0 };

	(void)state;
	add_tool(&s, 0, stress_ng, "stress-ng 0.15.06");
	add_tool(&s, 1, stress_ng, "stress-ng 0.19.00");
	add_tool(&s, 2, stress_ng, NULL);
	check_lines(&s, 3, "version differs: base: stress-ng 0.15.06; new: stress-ng 0.19.00\n");
	add_tool(&s, 0, stress_ng, "stress-ng 0.19.00");
	add_tool(&s, 1, stress_ng, "stress-ng 0.19.01");
	check_lines(&s, 2, "!stress-ng's fstat differs: base: as before 0.19.01; new: about one "
		    "operation per instance, as from 0.19.01 on\n"
		    "version differs: base: stress-ng 0.19.00; new: stress-ng 0.19.01\n");
	add_tool(&s, 0, cpu, "stress-ng 0.18.12");
	add_tool(&s, 1, cpu, "stress-ng 0.20");
	check_lines(&s, 2, "version differs: base: stress-ng 0.18.12; new: stress-ng 0.20\n");
}

static void labels(void **state)
{
	struct nt_results s = { 0 };

	(void)state;
	add_plain(&s, 0, stress_ng, "nr_threads=1", 1);
	add_plain(&s, 1, stress_ng, "nr_threads=64\n", 1);
	add_plain(&s, 2, stress_ng, "disk=ssd", 1);
	check_lines(&s, 3, "label nr_threads differs: base: 1; new: 64\\x0a\n"
		    "label nr_threads differs: base: 1; newer: none\n"
		    "label disk differs: base: none; newer: ssd\n");
}

static void features(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run head;

	(void)state;
	make_head(&head, stress_ng, NULL, 1);
	nt_feature_on(&head.feature[NT_F_BALANCE], "fexit sched_balance_rq");
	nt_feature_on(&head.feature[NT_F_FORK], "tracepoint sched_wakeup_new");
	nt_feature_on(&head.feature[NT_F_DOMAINS], "iterator");
	add_run(&s, 0, &head, 1);
	make_head(&head, stress_ng, NULL, 1);
	nt_feature_off(&head.feature[NT_F_BALANCE], "no fexit here");
	nt_feature_on(&head.feature[NT_F_FORK], "kprobe");	/* another way will do */
	add_run(&s, 1, &head, 1);				/* of domains nothing is said */
	check_lines(&s, 2, "feature balance differs: base: measured; new: not available\n");
}

static void ends_and_losses(void **state)
{
	struct nt_results s = { 0 };
	struct nt_run head;
	int i;

	(void)state;
	for (i = 0; i < 6; i++)
		add_plain(&s, 0, stress_ng, NULL, 1);
	s.v[0].ended = false;
	s.v[1].interrupted = true;
	s.v[2].wait_status = 3 << 8;
	s.v[3].wait_status = SIGTERM;			/* -d ends a command so */
	s.v[4].wait_status = SIGSEGV;
	make_head(&head, NULL, NULL, 1);
	add_run(&s, 1, &head, 1)->interrupted = true;	/* ^C ends an observation */
	s.v[6].lost = (struct nt_losses){ 1, 2, 3, 4, 5 };
	check_lines(&s, 2, "!command differs: base: stress-ng --fstat 10; "
		    "new: the whole machine\n"
		    "base: 4 of 6 runs ended early (1 without an end in the record, 1 interrupted, "
		    "2 failed)\n"
		    "new: 15 events lost in 1 of 1 run, not to be relied on\n");
}

static void foreign(void **state)
{
	static const double v[] = { 1, 2 };
	struct nt_results s = { 0 };

	(void)state;
	add_plain(&s, 0, stress_ng, "a=1", 1);
	add_side(&s, 1, "t.ops", true, v, 2);
	add_side(&s, 2, "t.ops", true, v, 2);
	check_lines(&s, 3, "new: a file of another tool tells neither machine nor command: not "
		    "checked whether they are the same\n");
}

static void add_domain(struct nt_results *s, int side, int imb)
{
	struct nt_run head;

	make_head(&head, stress_ng, NULL, 1);
	give_domain(&head, imb);
	add_run(s, side, &head, side ? 110 : 100);
}

static void imb_numa_nr(void **state)
{
	struct nt_results s = { 0 };

	(void)state;
	add_domain(&s, 0, 24);
	add_domain(&s, 1, 24);
	add_domain(&s, 2, 12);
	check_lines(&s, 3, "NUMA imb_numa_nr 24 -> 12 (newer)\n");
	/* A kernel before 5.18 has none; of a side without domains nothing is known. */
	add_domain(&s, 0, -1);
	add_domain(&s, 1, 2);
	add_plain(&s, 2, stress_ng, NULL, 1);
	check_lines(&s, 3, "NUMA imb_numa_nr none -> 2 (new)\n");
}

/* Above everything, and an empty line before the robot's layout begins. */
static void above_the_table(void **state)
{
	static const struct nt_compare_opts o = { 0 };
	static const struct nt_compare_view v = { 0 };
	struct nt_results s = { 0 };
	char *text;

	(void)state;
	add_domain(&s, 0, 24);
	add_domain(&s, 1, 12);
	s.v[1].lost.unfinished = 1;
	text = table_of(&s, &o, &v, 2);
	assert_string_equal(text,
		"Warning: new: 1 event lost in 1 of 1 run, not to be relied on\n"
		"NUMA imb_numa_nr 24 -> 12\n"
		"\n"
		"======================================================================="
		"==================\n"
		"command:\n"
		"  stress-ng --fstat 10\n"
		"\n"
		"file: \n"
		"  base\n"
		"  new\n"
		"\n"
		"            base                         new\n"
		"---------------- ---------------------------\n"
		"         %stddev     %change         %stddev\n"
		"             \\          |                \\  \n"
		"    100.00           +10.0%     110.00        t.ops\n"
		"\n"
		"0 of 1 metrics changed by the robot's rule; runs: 1 and 1\n"
		"Too few runs: of a side with fewer than 3 the spread is unknown, so nothing is "
		"shown to differ\n");
	free(text);
	nt_results_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_to_say),
		cmocka_unit_test(topology),
		cmocka_unit_test(command),
		cmocka_unit_test(versions),
		cmocka_unit_test(labels),
		cmocka_unit_test(features),
		cmocka_unit_test(ends_and_losses),
		cmocka_unit_test(foreign),
		cmocka_unit_test(imb_numa_nr),
		cmocka_unit_test(above_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
