// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instructions of each BPF program, as built, against those that are kept in
 * tests/bpf-insns: a program that grew by more than 10 % costs more at every event and must not
 * pass unnoticed. `make bpf-insns` keeps the present ones.
 */
#include <bpf/libbpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collect/bpf_priv.h"

#define KEPT		"tests/bpf-insns"
#define MAX_PROGS	64

struct count {
	char prog[64];
	unsigned long insns;
};

static bool grew_too_much(unsigned long now, unsigned long kept)
{
	return now * 10 > kept * 11;
}

static int built(struct count *c)
{
	struct numatrace_bpf *skel = numatrace_bpf__open();
	struct bpf_program *p;
	int n = 0;

	assert_non_null(skel);
	bpf_object__for_each_program(p, skel->obj) {
		assert_in_range(n, 0, MAX_PROGS - 1);
		snprintf(c[n].prog, sizeof(c[n].prog), "%s", bpf_program__name(p));
		c[n++].insns = bpf_program__insn_cnt(p);
	}
	numatrace_bpf__destroy(skel);
	return n;
}

static int kept(struct count *c)
{
	FILE *f = fopen(KEPT, "r");
	int n = 0;

	assert_non_null(f);
	while (n < MAX_PROGS && fscanf(f, "%63s %lu", c[n].prog, &c[n].insns) == 2)
		n++;
	assert_true(feof(f));
	fclose(f);
	return n;
}

static const struct count *find(const struct count *c, int n, const char *prog)
{
	int i;

	for (i = 0; i < n; i++)
		if (!strcmp(c[i].prog, prog))
			return &c[i];
	return NULL;
}

static void no_program_grew_by_more_than_a_tenth(void **state)
{
	struct count now[MAX_PROGS], then[MAX_PROGS];
	int n = built(now), nkept = kept(then), i, bad = 0;

	(void)state;
	for (i = 0; i < n; i++) {
		const struct count *k = find(then, nkept, now[i].prog);

		if (k && !grew_too_much(now[i].insns, k->insns))
			continue;
		bad++;
		print_error("%s: %lu instructions, %lu are kept in " KEPT
			    ": make it shorter, or make bpf-insns\n", now[i].prog, now[i].insns,
			    k ? k->insns : 0);
	}
	assert_int_equal(bad, 0);
}

static void every_program_kept_is_there(void **state)
{
	struct count now[MAX_PROGS], then[MAX_PROGS];
	int n = built(now), nkept = kept(then), i;

	(void)state;
	assert_true(nkept > 0);
	for (i = 0; i < nkept; i++)
		if (!find(now, n, then[i].prog))
			fail_msg("%s is in " KEPT " alone: make bpf-insns", then[i].prog);
}

static void growth_is_told_from_ten_percent_on(void **state)
{
	(void)state;
	assert_false(grew_too_much(110, 100));
	assert_true(grew_too_much(111, 100));
	assert_false(grew_too_much(50, 100));
	assert_true(grew_too_much(1, 0));
}

static int print_built(void)
{
	struct count now[MAX_PROGS];
	int n = built(now), i;

	for (i = 0; i < n; i++)
		printf("%s %lu\n", now[i].prog, now[i].insns);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_program_grew_by_more_than_a_tenth),
		cmocka_unit_test(every_program_kept_is_there),
		cmocka_unit_test(growth_is_told_from_ten_percent_on),
	};

	if (argc == 2 && !strcmp(argv[1], "--print"))
		return print_built();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
