// SPDX-License-Identifier: GPL-2.0-or-later
/* What each task did between two readings of the table of movers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/movers.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))

static struct nt_moved *list;
static size_t n;

/* Both readings come in any order. */
static void differ(struct nt_mover *was, size_t nwas, struct nt_mover *now, size_t nnow,
		   enum nt_mover_sort sort)
{
	struct nt_movers before = { .m = was, .n = nwas }, after = { .m = now, .n = nnow };

	free(list);
	nt_movers_order(&before);
	nt_movers_order(&after);
	assert_int_equal(nt_moved_since(&before, &after, sort, &list, &n), 0);
}

static int teardown(void **state)
{
	(void)state;
	free(list);
	list = NULL;
	return 0;
}

static void expect(size_t i, unsigned int tid, unsigned int moves, unsigned int cross,
		   unsigned int total)
{
	assert_in_range(i, 0, n - 1);
	assert_int_equal(list[i].m.tid, tid);
	assert_int_equal(list[i].m.moves, moves);
	assert_int_equal(list[i].m.cross, cross);
	assert_int_equal(list[i].total, total);
}

static void counts_are_differences(void **state)
{
	struct nt_mover was[] = {
		{ .tid = 30, .task = 3, .moves = 100, .cross = 10 },
		{ .tid = 10, .task = 1, .moves = 5, .cross = 5 },
	};
	struct nt_mover now[] = {
		{ .tid = 20, .task = 2, .moves = 7, .cross = 1, .from = 4, .to = 2 },
		{ .tid = 10, .task = 1, .moves = 5, .cross = 5 },
		{ .tid = 30, .task = 3, .moves = 109, .cross = 10 },
	};

	(void)state;
	differ(was, N(was), now, N(now), NT_SORT_MOVES);
	/* TID 10 did not move; TID 20 was not there before. */
	assert_int_equal(n, 2);
	expect(0, 30, 9, 0, 109);
	expect(1, 20, 7, 1, 7);
	assert_int_equal(list[1].m.from, 4);
	assert_int_equal(list[1].m.to, 2);
}

/* Whoever has the TID now never did what another one did before. */
static void a_tid_used_again_begins_anew(void **state)
{
	struct nt_mover was[] = { { .tid = 10, .task = 1, .moves = 50, .cross = 50 } };
	struct nt_mover now[] = { { .tid = 10, .task = 2, .moves = 60, .cross = 1 } };

	(void)state;
	differ(was, 1, now, 1, NT_SORT_MOVES);
	assert_int_equal(n, 1);
	expect(0, 10, 60, 1, 60);
}

/* A task that had to make room in the table counts from 1 again; the difference never wraps. */
static void a_count_that_fell_never_wraps(void **state)
{
	struct nt_mover was[] = {
		{ .tid = 10, .task = 1, .moves = 50, .cross = 0 },
		{ .tid = 11, .task = 2, .moves = 5, .cross = 4 },
	};
	struct nt_mover now[] = {
		{ .tid = 10, .task = 1, .moves = 3, .cross = 0 },
		{ .tid = 11, .task = 2, .moves = 6, .cross = 2 },
	};

	(void)state;
	differ(was, 2, now, 2, NT_SORT_MOVES);
	assert_int_equal(n, 2);
	expect(0, 11, 6, 2, 6);
	expect(1, 10, 3, 0, 3);
}

static void tasks_sort_in_three_ways(void **state)
{
	struct nt_mover was[] = { { .tid = 3, .task = 3, .moves = 1000, .cross = 0 } };
	struct nt_mover now[] = {
		{ .tid = 1, .task = 1, .moves = 10, .cross = 0 },
		{ .tid = 2, .task = 2, .moves = 5, .cross = 5 },
		{ .tid = 3, .task = 3, .moves = 1001, .cross = 1 },
		{ .tid = 4, .task = 4, .moves = 10, .cross = 0 },
	};
	static const unsigned int order[NT_NSORT][4] = {
		[NT_SORT_MOVES] = { 1, 4, 2, 3 },	/* equal ones by TID, to stay in place */
		[NT_SORT_CROSS] = { 2, 3, 1, 4 },
		[NT_SORT_TOTAL] = { 3, 1, 4, 2 },
	};
	int sort, i;

	(void)state;
	for (sort = 0; sort < NT_NSORT; sort++) {
		differ(was, 1, now, 4, sort);
		assert_int_equal(n, 4);
		for (i = 0; i < 4; i++)
			assert_int_equal(list[i].m.tid, order[sort][i]);
	}
}

static void no_movers_at_all(void **state)
{
	struct nt_movers none = { 0 };

	(void)state;
	nt_movers_order(&none);
	assert_int_equal(nt_moved_since(&none, &none, NT_SORT_MOVES, &list, &n), 0);
	assert_int_equal(n, 0);
	nt_movers_free(&none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(counts_are_differences, teardown),
		cmocka_unit_test_teardown(a_tid_used_again_begins_anew, teardown),
		cmocka_unit_test_teardown(a_count_that_fell_never_wraps, teardown),
		cmocka_unit_test_teardown(tasks_sort_in_three_ways, teardown),
		cmocka_unit_test_teardown(no_movers_at_all, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
