// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/run.h"

static double value(const struct nt_kvs *l, const char *key)
{
	const struct nt_kv *kv = nt_kvs_find(l, key);

	return kv ? kv->value : -1;
}

static void lists(void **state)
{
	struct nt_kvs l = { 0 };
	char key[16];
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		assert_int_equal(nt_kvs_set(&l, key, i), 0);
	}
	assert_int_equal(nt_kvs_set(&l, "k50", 7), 0);
	assert_int_equal(l.n, 100);
	assert_true(value(&l, "k50") == 7);
	assert_ptr_equal(nt_kvs_near(&l, "k9", 9), &l.v[9]);
	assert_ptr_equal(nt_kvs_near(&l, "k9", 500), &l.v[9]);
	assert_null(nt_kvs_near(&l, "none", 3));
	nt_kvs_free(&l);
	assert_null(nt_kvs_find(&l, "k9"));
}

/* A list whose memory holds exactly its entries, as a reader of records makes it. */
static void lists_of_others_can_grow(void **state)
{
	struct nt_kvs l = { .v = malloc(sizeof(*l.v)), .n = 1 };

	(void)state;
	l.v[0] = (struct nt_kv){ strdup("a"), 1 };
	assert_int_equal(nt_kvs_append(&l, "b", 2), 0);
	assert_true(value(&l, "a") == 1);
	nt_kvs_free(&l);
}

/* Every counter is f times its number in a fixed order. */
static void fill(struct nt_counters *c, int nnodes, uint64_t f)
{
	uint64_t *u, n = 1;
	int i, j, k;

	assert_int_equal(nt_counters_init(c, nnodes), 0);
	for (i = 0; i < nnodes; i++) {
		for (k = 0; k < NT_NTICK; k++)
			c->node[i].tick[k] = f * n++;
		c->node[i].wl = (struct nt_cpu_time){ f * n, f * n + f, f * n + 2 * f };
		c->node[i].sched_softirqs = f * n++;
		assert_int_equal(nt_kvs_set(&c->node[i].mem, "numastat.numa_hit", f * n++), 0);
		for (j = 0; j < nnodes; j++) {
			*nt_mig(c, NT_SYSTEM, NT_CAUSE_UNKNOWN, i, j) =
				(struct nt_mig_cell){ f * n, f };
			*nt_fork(c, NT_SYSTEM, i, j) = f * n++;
		}
	}
	c->place[NT_NSCOPE - 1][NT_NWAKE - 1][NT_NPLACE - 1] = f * n++;
	u = (uint64_t *)&c->balance[NT_MAX_LEVELS - 1][NT_NIDLE - 1];
	for (i = 0; i < 7; i++)
		u[i] = f * n++;
	assert_int_equal(nt_kvs_set(&c->sys, "softirqs.SCHED", f * n), 0);
}

static void same(const struct nt_counters *a, const struct nt_counters *b)
{
	size_t n = (size_t)a->nnodes;
	int i;

	assert_int_equal(a->nnodes, b->nnodes);
	for (i = 0; i < a->nnodes; i++) {
		assert_memory_equal(&a->node[i], &b->node[i], offsetof(struct nt_node_count, mem));
		assert_true(value(&a->node[i].mem, "numastat.numa_hit") ==
			    value(&b->node[i].mem, "numastat.numa_hit"));
	}
	assert_memory_equal(a->mig, b->mig, NT_NSCOPE * NT_NCAUSE * n * n * sizeof(*a->mig));
	assert_memory_equal(a->fork, b->fork, NT_NSCOPE * n * n * sizeof(*a->fork));
	assert_memory_equal(a->place, b->place, sizeof(a->place));
	assert_memory_equal(a->balance, b->balance, sizeof(a->balance));
	assert_true(value(&a->sys, "softirqs.SCHED") == value(&b->sys, "softirqs.SCHED"));
}

static void counters_add_and_subtract_all_there_is(void **state)
{
	struct nt_counters one, two, three, zero, got;

	(void)state;
	fill(&one, 3, 1);
	fill(&two, 3, 2);
	fill(&three, 3, 3);
	fill(&zero, 3, 0);
	assert_int_equal(nt_counters_copy(&got, &one), 0);
	same(&got, &one);
	assert_int_equal(nt_counters_add(&got, &two), 0);
	same(&got, &three);
	nt_counters_free(&got);
	assert_int_equal(nt_counters_sub(&got, &three, &one), 0);
	same(&got, &two);
	nt_counters_free(&got);
	/* Backwards is 0, not 2^64. */
	assert_int_equal(nt_counters_sub(&got, &one, &three), 0);
	same(&got, &zero);
	nt_counters_free(&got);
	nt_counters_free(&one);
	nt_counters_free(&two);
	nt_counters_free(&three);
	nt_counters_free(&zero);
}

static void counters_of_other_machines_do_not_mix(void **state)
{
	struct nt_counters a, b, c;

	(void)state;
	assert_int_equal(nt_counters_init(&a, 2), 0);
	assert_int_equal(nt_counters_init(&b, 3), 0);
	assert_int_equal(nt_counters_add(&a, &b), -EINVAL);
	assert_int_equal(nt_counters_sub(&c, &a, &b), -EINVAL);
	nt_counters_free(&a);
	nt_counters_free(&b);
	nt_counters_free(&b);
	assert_int_equal(nt_counters_init(&a, 0), 0);
	assert_int_equal(nt_mig_sum(&a, NT_WORKLOAD, -1, false), 0);
	nt_counters_free(&a);
}

static void a_key_new_in_the_middle(void **state)
{
	struct nt_counters a, b, got;

	(void)state;
	assert_int_equal(nt_counters_init(&a, 1), 0);
	assert_int_equal(nt_counters_init(&b, 1), 0);
	nt_kvs_set(&a.sys, "x", 1);
	nt_kvs_set(&b.sys, "new", 5);
	nt_kvs_set(&b.sys, "x", 4);
	assert_int_equal(nt_counters_sub(&got, &b, &a), 0);
	assert_true(value(&got.sys, "new") == 5);
	assert_true(value(&got.sys, "x") == 3);
	assert_int_equal(nt_counters_add(&a, &b), 0);
	assert_true(value(&a.sys, "x") == 5);
	assert_true(value(&a.sys, "new") == 5);
	nt_counters_free(&got);
	nt_counters_free(&a);
	nt_counters_free(&b);
}

static void sums_of_migrations(void **state)
{
	struct nt_counters c;

	(void)state;
	assert_int_equal(nt_counters_init(&c, 2), 0);
	nt_mig(&c, NT_WORKLOAD, NT_CAUSE_WAKEUP, 0, 1)->n = 3;
	nt_mig(&c, NT_WORKLOAD, NT_CAUSE_WAKEUP, 1, 1)->n = 4;
	nt_mig(&c, NT_WORKLOAD, NT_CAUSE_UNKNOWN, 1, 0)->n = 5;
	nt_mig(&c, NT_SYSTEM, NT_CAUSE_WAKEUP, 0, 1)->n = 100;
	assert_int_equal(nt_mig_sum(&c, NT_WORKLOAD, NT_CAUSE_WAKEUP, false), 7);
	assert_int_equal(nt_mig_sum(&c, NT_WORKLOAD, NT_CAUSE_WAKEUP, true), 3);
	assert_int_equal(nt_mig_sum(&c, NT_WORKLOAD, -1, false), 12);
	assert_int_equal(nt_mig_sum(&c, NT_WORKLOAD, -1, true), 8);
	assert_int_equal(nt_mig_sum(&c, NT_SYSTEM, -1, false), 100);
	nt_counters_free(&c);
}

static void samples_change_hands(void **state)
{
	struct nt_run r = { 0 };
	struct nt_sample s;
	int i;

	(void)state;
	for (i = 0; i < 40; i++) {
		s = (struct nt_sample){ .t = i, .online = strdup("0") };
		assert_int_equal(nt_counters_init(&s.c, 2), 0);
		assert_int_equal(nt_run_add_sample(&r, &s), 0);
		assert_null(s.online);
	}
	assert_int_equal(r.nsamples, 40);
	assert_true(r.sample[39].t == 39);
	assert_int_equal(nt_run_note(&r, "CPU %d left", 3), 0);
	assert_int_equal(nt_run_note(&r, "CPU %d left", 3), 0);
	assert_int_equal(nt_run_note(&r, "CPU %d left", 4), 0);
	assert_int_equal(r.nnotes, 2);
	assert_string_equal(r.note[1], "CPU 4 left");
	nt_run_free(&r);
	nt_run_free(&r);
}

static void every_enumerator_has_a_name(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < NT_NCAUSE; i++)
		assert_non_null(nt_cause_name[i]);
	for (i = 0; i < NT_NTICK; i++)
		assert_non_null(nt_tick_name[i]);
	for (i = 0; i < NT_NFEATURE; i++)
		assert_non_null(nt_feature_name[i]);
	for (i = 0; i < NT_NWAKE; i++)
		assert_non_null(nt_wake_name[i]);
	for (i = 0; i < NT_NPLACE; i++)
		assert_non_null(nt_place_name[i]);
	for (i = 0; i < NT_NIDLE; i++)
		assert_non_null(nt_idle_name[i]);
	for (i = 0; i < NT_NSCOPE; i++)
		assert_non_null(nt_scope_name[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(lists_of_others_can_grow),
		cmocka_unit_test(counters_add_and_subtract_all_there_is),
		cmocka_unit_test(counters_of_other_machines_do_not_mix),
		cmocka_unit_test(a_key_new_in_the_middle),
		cmocka_unit_test(sums_of_migrations),
		cmocka_unit_test(samples_change_hands),
		cmocka_unit_test(every_enumerator_has_a_name),
	};

	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
