// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes on what a run's machine was at its end and not at its start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/notes.h"

/* Two nodes of four CPUs, and as many chains. */
static void make(struct nt_run *r, const char *cpus1, int n1)
{
	static const char *const span[2][2] = { { "0-3", "0-7" }, { "4-7", "0-7" } };
	int i, k;

	memset(r, 0, sizeof(*r));
	r->topo.nnodes = r->nchains = 2;
	r->topo.node = calloc(2, sizeof(*r->topo.node));
	r->chain = calloc(2, sizeof(*r->chain));
	assert_non_null(r->topo.node);
	assert_non_null(r->chain);
	for (i = 0; i < 2; i++) {
		r->topo.node[i].id = i ? 8 : 0;
		r->topo.node[i].cpus = i ? n1 : 4;
		r->topo.node[i].cpulist = strdup(i ? cpus1 : "0-3");
		r->chain[i].cpus = strdup(i ? cpus1 : "0-3");
		r->chain[i].d = calloc(2, sizeof(*r->chain[i].d));
		assert_non_null(r->chain[i].d);
		r->chain[i].n = 2;
		for (k = 0; k < 2; k++) {
			strcpy(r->chain[i].d[k].name, k ? "NUMA" : "MC");
			r->chain[i].d[k].level = k;
			r->chain[i].d[k].span = strdup(span[i][k]);
			r->chain[i].d[k].imb_numa_nr = k ? 1 : -1;
		}
	}
}

static void noted(struct nt_run *r, struct nt_run *end, const char *want)
{
	assert_int_equal(nt_note_changes(r, end, true), 0);
	if (!want)
		assert_int_equal(r->nnotes, 0);
	else
		assert_string_equal(r->note[r->nnotes - 1], want);
}

static void done(struct nt_run *r, struct nt_run *end)
{
	nt_run_free(r);
	nt_run_free(end);
}

static void what_stays_is_not_noted(void **state)
{
	struct nt_run r, end;

	(void)state;
	make(&r, "4-7", 4);
	make(&end, "4-7", 4);
	noted(&r, &end, NULL);
	done(&r, &end);
}

static void a_cpu_that_went_changes_node_and_domains(void **state)
{
	struct nt_run r, end;

	(void)state;
	make(&r, "4-7", 4);
	make(&end, "4-6", 3);
	noted(&r, &end, "the scheduling domains changed during the run and are shown as they were "
	      "at the start; at the end CPUs 4-6: MC 4-7, NUMA 0-7 imb_numa_nr 1");
	assert_int_equal(r.nnotes, 2);
	assert_string_equal(r.note[0], "the machine changed during the run and is shown as it was "
			    "at the start; at the end node8 has CPUs 4-6, not 4-7");
	done(&r, &end);
}

/* The case that started all this: nothing else differs. */
static void imb_numa_nr_alone_is_a_change(void **state)
{
	struct nt_run r, end;

	(void)state;
	make(&r, "4-7", 4);
	make(&end, "4-7", 4);
	end.chain[0].d[1].imb_numa_nr = 2;
	noted(&r, &end, "the scheduling domains changed during the run and are shown as they were "
	      "at the start; at the end CPUs 0-3: MC 0-3, NUMA 0-7 imb_numa_nr 2");
	assert_int_equal(r.nnotes, 1);
	done(&r, &end);
}

static void unread_domains_are_not_compared(void **state)
{
	struct nt_run r, end;

	(void)state;
	make(&r, "4-7", 4);
	make(&end, "4-7", 4);
	end.chain[0].d[1].imb_numa_nr = 2;
	assert_int_equal(nt_note_changes(&r, &end, false), 0);
	assert_int_equal(r.nnotes, 0);
	done(&r, &end);
}

static void nodes_come_and_go(void **state)
{
	struct nt_run r, end;

	(void)state;
	make(&r, "4-7", 4);
	make(&end, "", 0);
	end.topo.node[0].id = 3;
	assert_int_equal(nt_note_changes(&r, &end, false), 0);
	assert_string_equal(r.note[0], "the machine changed during the run and is shown as it was "
			    "at the start; at the end node0 is gone; node8 has no CPUs, not 4-7; "
			    "node3 is new, with CPUs 0-3");
	done(&r, &end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stays_is_not_noted),
		cmocka_unit_test(a_cpu_that_went_changes_node_and_domains),
		cmocka_unit_test(imb_numa_nr_alone_is_a_change),
		cmocka_unit_test(unread_domains_are_not_compared),
		cmocka_unit_test(nodes_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
