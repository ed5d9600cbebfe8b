// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames of the live view from readings, its keys, and what its screen lets through. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/top.h"
#include "model/top_keys.h"
#include "view/top_priv.h"

#define MS	1000000ULL

/* Nodes 0 and 4; CPU 3 is in none that is known. The interval took 2 s. */
static int cpu_node[] = { 0, 1, 0, -1 };
static int node_cpus[] = { 2, 1 };
static struct nt_node nodes[2] = { { .id = 0, .cpus = 2 }, { .id = 4, .cpus = 1 } };

struct state {
	struct nt_run r;
	struct nt_sample sample;
	struct nt_snapshot queues;
	struct nt_domain domain[2];
	struct nt_chain chain;
	struct nt_mover mover[2];
	struct nt_movers was, now;
	struct nt_top_reading in;
	struct nt_top_frame f;
};

static int setup(void **state)
{
	struct state *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->r.topo = (struct nt_topology){
		.node = nodes, .nnodes = 2, .cpu_ids = 4, .cpu_node = cpu_node,
	};
	s->domain[0] = (struct nt_domain){ .name = "MC", .level = 1 };
	s->domain[1] = (struct nt_domain){ .name = "NUMA", .level = 3 };
	s->chain = (struct nt_chain){ .d = s->domain, .n = 2 };
	s->r.chain = &s->chain;
	s->r.nchains = 1;
	s->r.feature[NT_F_BALANCE].on = s->r.feature[NT_F_SNAPSHOT].on = true;
	s->sample.dt = 2;
	assert_int_equal(nt_counters_init(&s->sample.c, 2), 0);
	assert_int_equal(nt_snapshot_init(&s->queues, 4, 2), 0);
	s->in = (struct nt_top_reading){
		.r = &s->r, .known = &s->r.topo, .node_cpus = node_cpus, .sample = &s->sample,
		.queues = &s->queues, .was = &s->was, .now = &s->now,
	};
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	struct state *s = *state;

	nt_top_free(&s->f);
	nt_counters_free(&s->sample.c);
	nt_snapshot_free(&s->queues);
	free(s);
	return 0;
}

static void make(struct state *s)
{
	assert_int_equal(nt_top_make(&s->f, &s->in, NT_SORT_MOVES), 0);
}

static void add_moves(struct state *s, int cause, int from, int to, uint64_t n)
{
	nt_mig(&s->sample.c, NT_SYSTEM, cause, from, to)->n = n;
}

static void moves_become_rates(void **state)
{
	struct state *s = *state;

	add_moves(s, NT_CAUSE_WAKEUP, 0, 0, 10);
	add_moves(s, NT_CAUSE_WAKEUP, 0, 1, 4);
	add_moves(s, NT_CAUSE_NEWIDLE, 1, 0, 6);
	/* The workload's are among the system's, and not counted twice. */
	nt_mig(&s->sample.c, NT_WORKLOAD, NT_CAUSE_WAKEUP, 0, 1)->n = 4;
	make(s);
	assert_float_equal(s->f.moves.moves, 10, 1e-9);
	assert_float_equal(s->f.moves.cross, 5, 1e-9);
	assert_float_equal(s->f.cause[NT_CAUSE_WAKEUP].moves, 7, 1e-9);
	assert_float_equal(s->f.cause[NT_CAUSE_WAKEUP].cross, 2, 1e-9);
	assert_float_equal(s->f.cause[NT_CAUSE_NEWIDLE].cross, 3, 1e-9);
	assert_float_equal(s->f.cause[NT_CAUSE_EXEC].moves, 0, 0);
	assert_float_equal(s->f.node[0].out, 2, 1e-9);
	assert_float_equal(s->f.node[0].in, 3, 1e-9);
	assert_float_equal(s->f.node[1].out, 3, 1e-9);
	assert_float_equal(s->f.node[1].in, 2, 1e-9);
	assert_float_equal(s->f.all.in, 5, 1e-9);
}

static void nodes_have_cpus_time_and_queues(void **state)
{
	struct state *s = *state;

	s->sample.c.node[0].tick[NT_TICK_USER] = 30;
	s->sample.c.node[0].tick[NT_TICK_SYS] = 10;
	s->sample.c.node[0].tick[NT_TICK_IDLE] = 60;
	s->queues.node[0].running = 3;
	s->queues.node[1].running = 5;
	s->queues.node[1].idle = 1;
	make(s);
	assert_int_equal(s->f.nnodes, 2);
	assert_int_equal(s->f.node[1].id, 4);
	assert_int_equal(s->f.all.id, -1);
	assert_int_equal(s->f.all.cpus, 3);
	assert_true(s->f.node[0].has_util);
	assert_float_equal(s->f.node[0].util.usr, 30, 1e-9);
	assert_float_equal(s->f.node[0].util.idle, 60, 1e-9);
	/* Not a tick of it was seen: that is not 0 %. */
	assert_false(s->f.node[1].has_util);
	assert_true(s->f.has_queues);
	assert_int_equal(s->f.all.running, 8);
	assert_int_equal(s->f.node[1].idle, 1);
	assert_null(s->f.why_no_queues);
}

static void balance_adds_up_by_level(void **state)
{
	struct state *s = *state;

	s->sample.c.balance[1][0] = (struct nt_balance_count){
		.calls = 100, .refused = 50, .failed = 6, .moved = 4, .ns = 10000000,
	};
	s->sample.c.balance[1][2] = (struct nt_balance_count){
		.calls = 20, .moved = 2, .moved_cross = 2, .ns = 10000000,
	};
	make(s);
	assert_int_equal(s->f.nlevels, 2);
	assert_string_equal(s->f.level[0].name, "MC");
	assert_float_equal(s->f.level[0].calls, 60, 1e-9);
	assert_float_equal(s->f.level[0].refused, 25, 1e-9);
	assert_float_equal(s->f.level[0].failed, 3, 1e-9);
	assert_float_equal(s->f.level[0].moved, 3, 1e-9);
	assert_float_equal(s->f.level[0].cross, 1, 1e-9);
	/* 20 ms of 2 s. */
	assert_float_equal(s->f.level[0].cpu, 1, 1e-9);
	/* A level of the domains that nothing happened at is there. */
	assert_string_equal(s->f.level[1].name, "NUMA");
	assert_float_equal(s->f.level[1].calls, 0, 0);
}

static void tasks_have_nodes(void **state)
{
	struct state *s = *state;

	s->mover[0] = (struct nt_mover){ .tid = 7, .task = 1, .moves = 3, .from = 2, .to = 1 };
	s->mover[1] = (struct nt_mover){ .tid = 8, .task = 2, .moves = 2, .from = 3, .to = 99 };
	s->now = (struct nt_movers){ .m = s->mover, .n = 2 };
	make(s);
	assert_int_equal(s->f.ntasks, 2);
	assert_float_equal(s->f.task[0].moves, 1.5, 1e-9);
	assert_int_equal(s->f.task[0].from, 0);
	assert_int_equal(s->f.task[0].to, 4);
	assert_int_equal(s->f.task[1].from, -1);
	assert_int_equal(s->f.task[1].to, -1);
}

/* Before the first interval is over nothing is known: no 0 that would look like a finding. */
static void nothing_is_known_at_first(void **state)
{
	struct state *s = *state;

	s->in.sample = NULL;
	make(s);
	assert_float_equal(s->f.dt, 0, 0);
	assert_true(isnan(s->f.moves.moves));
	assert_true(isnan(s->f.cause[0].cross));
	assert_true(isnan(s->f.node[0].in));
	assert_true(isnan(s->f.all.out));
	assert_int_equal(s->f.nlevels, 2);
	assert_true(isnan(s->f.level[0].calls));
	assert_true(isnan(s->f.level[0].cpu));
	assert_false(s->f.node[0].has_util);
	assert_int_equal(s->f.ntasks, 0);
}

static void what_is_missing_has_a_reason(void **state)
{
	struct state *s = *state;

	s->r.feature[NT_F_BALANCE] = (struct nt_feature){ .why = (char *)"no kprobes" };
	s->r.feature[NT_F_SNAPSHOT].on = false;
	s->in.queues = NULL;
	make(s);
	assert_string_equal(s->f.why_no_balance, "no kprobes");
	assert_string_equal(s->f.why_no_queues, "no reason known");
	assert_int_equal(s->f.nlevels, 0);
	assert_false(s->f.has_queues);
	nt_top_free(&s->f);

	/* Without any programs there is one reason for all, and CPU time is there. */
	s->in.why_no_moves = "run as root";
	s->sample.c.node[0].tick[NT_TICK_IDLE] = 1;
	make(s);
	assert_string_equal(s->f.why_no_moves, "run as root");
	assert_null(s->f.why_no_balance);
	assert_null(s->f.why_no_queues);
	assert_true(isnan(s->f.moves.moves));
	assert_true(isnan(s->f.node[1].out));
	assert_true(s->f.node[0].has_util);
}

static void keys_step_the_interval(void **state)
{
	struct nt_top_choice c = { .interval_ns = 1000 * MS };

	(void)state;
	assert_int_equal(nt_top_key(&c, '+'), NT_TOP_RETIME);
	assert_int_equal(c.interval_ns, 2000 * MS);
	assert_int_equal(nt_top_key(&c, '='), NT_TOP_RETIME);
	assert_int_equal(c.interval_ns, 5000 * MS);
	assert_int_equal(nt_top_key(&c, '-'), NT_TOP_RETIME);
	assert_int_equal(c.interval_ns, 2000 * MS);
	/* From one that is none of the usual ones, to the next. */
	c.interval_ns = 700 * MS;
	assert_int_equal(nt_top_key(&c, '-'), NT_TOP_RETIME);
	assert_int_equal(c.interval_ns, 500 * MS);
	c.interval_ns = 700 * MS;
	assert_int_equal(nt_top_key(&c, 'i'), NT_TOP_RETIME);
	assert_int_equal(c.interval_ns, 1000 * MS);
	/* The ends; 50 ms can come from the command line. */
	c.interval_ns = 60000 * MS;
	assert_int_equal(nt_top_key(&c, '+'), NT_TOP_NOTHING);
	assert_int_equal(nt_top_key(&c, 'i'), NT_TOP_RETIME);
	assert_int_equal(c.interval_ns, 100 * MS);
	assert_int_equal(nt_top_key(&c, '-'), NT_TOP_NOTHING);
	c.interval_ns = 50 * MS;
	assert_int_equal(nt_top_key(&c, '-'), NT_TOP_NOTHING);
	assert_int_equal(c.interval_ns, 50 * MS);
}

static void keys_change_what_is_shown(void **state)
{
	struct nt_top_choice c = { .interval_ns = 1000 * MS };
	int i;

	(void)state;
	for (i = 1; i <= NT_NSORT; i++) {
		assert_int_equal(nt_top_key(&c, 's'), NT_TOP_DRAW);
		assert_int_equal(c.sort, i % NT_NSORT);
	}
	assert_int_equal(nt_top_key(&c, 'p'), NT_TOP_RETIME);
	assert_true(c.paused);
	assert_int_equal(nt_top_key(&c, ' '), NT_TOP_RETIME);
	assert_false(c.paused);
	assert_int_equal(nt_top_key(&c, 'x'), NT_TOP_NOTHING);
	assert_int_equal(nt_top_key(&c, 0x1b5b41), NT_TOP_NOTHING);
	assert_false(c.quit);
	/* What ends the help does nothing else; but q quits from there, too. */
	assert_int_equal(nt_top_key(&c, 'h'), NT_TOP_DRAW);
	assert_true(c.help);
	assert_int_equal(nt_top_key(&c, 'p'), NT_TOP_DRAW);
	assert_false(c.help);
	assert_false(c.paused);
	nt_top_key(&c, '?');
	assert_true(c.help);
	nt_top_key(&c, 'q');
	assert_true(c.quit);
}

static void rates_fit_their_columns(void **state)
{
	static const struct {
		double v;
		int width;
		const char *text;
	} cases[] = {
		{ 0, 4, "0" }, { NAN, 4, "-" }, { 0.01, 4, "<0.1" }, { 0.06, 4, "0.1" },
		{ 9.94, 4, "9.9" }, { 9.96, 4, "10" }, { 9999.4, 4, "9999" },
		{ 9999.6, 4, "10k" }, { 999400, 4, "999k" }, { 999600, 4, "1M" },
		{ 99999.6, 5, "100k" }, { 9.99e6, 5, "9990k" }, { 1e9, 5, "1000M" },
		{ 999999.4, 6, "999999" }, { 1e6, 6, "1000k" },
	};
	char buf[NT_RATE];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(nt_top_rate(buf, cases[i].v, cases[i].width), cases[i].text);
		assert_in_range(strlen(buf), 1, cases[i].width);
	}
}

static void row_is(const struct nt_screen *s, int y, const char *text)
{
	int x;

	for (x = 0; x < s->w; x++)
		assert_int_equal(s->cell[y * s->w + x].c, text[x]);
}

/* Whatever a task calls itself, no byte of it but printable ASCII gets to the terminal. */
static void screen_holds_printable_ascii_alone(void **state)
{
	struct nt_screen s = { 0 };

	(void)state;
	assert_int_equal(nt_screen_size(&s, 20, 3), 0);
	assert_int_equal(nt_screen_put(&s, 0, 0, NT_STRONG, "%s", "a\033[2J\x07\x7f"), 16);
	row_is(&s, 0, "a\\x1b[2J\\x07\\x7f    ");
	nt_screen_put(&s, 1, 1, NT_PLAIN, "%s", "\xc3\xa9 \xff \xe2\x80\xae");
	row_is(&s, 1, " ? \\xff \\xe2\\x80\\xae");
	/* Beside the screen nothing is written. */
	nt_screen_put(&s, 2, 18, NT_PLAIN, "abcdef");
	nt_screen_put(&s, 3, 0, NT_PLAIN, "below");
	nt_screen_put(&s, -1, 0, NT_PLAIN, "above");
	nt_screen_put(&s, 2, -2, NT_PLAIN, "xyz");
	nt_screen_line(&s, 7, NT_TITLE);
	row_is(&s, 2, "z                 ab");
	assert_int_equal(s.cell[0].attr, NT_STRONG);
	assert_int_equal(nt_screen_size(&s, 0, -3), 0);
	assert_int_equal(s.w, 1);
	assert_int_equal(s.h, 1);
	nt_screen_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(moves_become_rates, setup, teardown),
		cmocka_unit_test_setup_teardown(nodes_have_cpus_time_and_queues, setup, teardown),
		cmocka_unit_test_setup_teardown(balance_adds_up_by_level, setup, teardown),
		cmocka_unit_test_setup_teardown(tasks_have_nodes, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_is_known_at_first, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_missing_has_a_reason, setup, teardown),
		cmocka_unit_test(keys_step_the_interval),
		cmocka_unit_test(keys_change_what_is_shown),
		cmocka_unit_test(rates_fit_their_columns),
		cmocka_unit_test(screen_holds_printable_ascii_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
