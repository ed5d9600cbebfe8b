// SPDX-License-Identifier: GPL-2.0-or-later
/* A metric per sample, and names that are nearly right. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/series.h"

static void add_sample(struct nt_run *r, double dt, uint64_t exec, uint64_t moves, uint64_t usr)
{
	struct nt_sample s = { .t = 100, .dt = dt };

	assert_int_equal(nt_counters_init(&s.c, 1), 0);
	s.c.node[0].wl.exec = exec;
	s.c.node[0].tick[NT_TICK_USER] = usr;
	s.c.node[0].tick[NT_TICK_IDLE] = usr ? 100 - usr : 0;
	nt_mig(&s.c, NT_WORKLOAD, NT_CAUSE_WAKEUP, 0, 0)->n = moves;
	assert_int_equal(nt_run_add_sample(r, &s), 0);
}

static void make(struct nt_run *r)
{
	memset(r, 0, sizeof(*r));
	r->topo.nnodes = 1;
	r->topo.cpus_online = 4;
	r->topo.node = calloc(1, sizeof(*r->topo.node));
	r->topo.node[0].cpus = 4;
	r->argv = calloc(1, sizeof(*r->argv));
	r->feature[NT_F_CPUTIME].on = r->feature[NT_F_MIGRATIONS].on = true;
	r->ended = true;
	r->ru.elapsed = 100;
	assert_int_equal(nt_counters_init(&r->total, 1), 0);
	r->total.node[0].wl.exec = 1;
	r->score = calloc(1, sizeof(*r->score));
	r->score[0].key = strdup("speed");
	r->nscores = 1;
	add_sample(r, 1, 2000000000, 7, 30);
	add_sample(r, 0.5, 500000000, 0, 0);
	add_sample(r, 0, 500000000, 5, 10);
}

/* By the length of the interval, not of the run; its own counts, not the total's. */
static void test_series(void **state)
{
	struct nt_run r;
	double v[3];

	(void)state;
	make(&r);
	assert_int_equal(nt_metric_series(&r, "workload.node.0.busy_cpus", v), 0);
	assert_true(v[0] == 2 && v[1] == 1 && isnan(v[2]));
	assert_int_equal(nt_metric_series(&r, "migrations.wakeup", v), 0);
	assert_true(v[0] == 7 && v[1] == 0 && isnan(v[2]));
	assert_int_equal(nt_metric_series(&r, "mpstat.node.all.usr%", v), 0);
	assert_true(v[0] == 30 && isnan(v[1]));	/* no ticks: absent, not 0 */
	assert_int_equal(nt_metric_series(&r, "time.elapsed_time", v), 0);
	assert_true(isnan(v[0]) && isnan(v[1]));
	assert_int_equal(nt_metric_series(&r, "speed", v), 0);
	assert_true(isnan(v[0]));
	nt_run_free(&r);
}

static void test_close_keys(void **state)
{
	static const char *const keys[] = {
		"mpstat.node.0.usr%", "mpstat.node.1.usr%", "migrations.total",
		"system.migrations.total", "time.user_time", "",
	};
	const char *close[3];
	struct nt_kvs l = { 0 };
	char word[1000];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(nt_kvs_append(&l, keys[i], 0), 0);
	assert_int_equal(nt_close_keys(&l, "mpstat.node.0.user%", close, 2), 2);
	assert_string_equal(close[0], "mpstat.node.0.usr%");
	assert_string_equal(close[1], "mpstat.node.1.usr%");
	assert_int_equal(nt_close_keys(&l, "Migrations", close, 3), 2);
	assert_string_equal(close[0], "migrations.total");
	assert_string_equal(close[1], "system.migrations.total");
	assert_int_equal(nt_close_keys(&l, "nothing.of.the.kind", close, 3), 0);
	memset(word, 'x', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	nt_close_keys(&l, word, close, 3);
	nt_kvs_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_close_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
