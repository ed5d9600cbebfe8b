// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing records: what is written comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/record_read.h"
#include "view/report.h"

#include "record_make.h"
#include "record_util.h"

static char dir[] = "/tmp/test-record-XXXXXX";
static char path[64], gz[64];

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/r.jsonl", dir);
	snprintf(gz, sizeof(gz), "%s/r.jsonl.gz", dir);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	unlink(path);
	unlink(gz);
	return 0;
}

static int teardown(void **state)
{
	clean(state);
	return rmdir(dir);	/* fails if a temporary file was left behind */
}

static void same_queues(const struct nt_sample_queues *a, const struct nt_sample_queues *b)
{
	assert_memory_equal(a->node, b->node, 2 * sizeof(*a->node));
	assert_int_equal(a->has_workload, b->has_workload);
	assert_int_equal(a->has_delayed, b->has_delayed);
	assert_int_equal(a->pairs, b->pairs);
	assert_int_equal(a->settled, b->settled);
	assert_int_equal(a->beyond, b->beyond);
	assert_int_equal(a->difference, b->difference);
}

static void same_counters(const struct nt_counters *a, const struct nt_counters *b)
{
	int i;

	assert_int_equal(a->nnodes, b->nnodes);
	assert_memory_equal(a->mig, b->mig, NT_NSCOPE * NT_NCAUSE * 4 * sizeof(*a->mig));
	assert_memory_equal(a->fork, b->fork, NT_NSCOPE * 4 * sizeof(*a->fork));
	assert_memory_equal(a->place, b->place, sizeof(a->place));
	assert_memory_equal(a->balance, b->balance, sizeof(a->balance));
	for (i = 0; i < a->nnodes; i++) {
		assert_memory_equal(a->node[i].tick, b->node[i].tick, sizeof(a->node[i].tick));
		assert_memory_equal(&a->node[i].wl, &b->node[i].wl, sizeof(a->node[i].wl));
		assert_int_equal(a->node[i].sched_softirqs, b->node[i].sched_softirqs);
		assert_int_equal(a->node[i].mem.n, b->node[i].mem.n);
	}
	assert_true(a->node[1].mem.v[0].value == b->node[1].mem.v[0].value);
	assert_true(a->sys.v[0].value == b->sys.v[0].value);
}

static void same_header(const struct nt_run *a, const struct nt_run *b)
{
	int i;

	assert_string_equal(a->hostname, b->hostname);
	assert_string_equal(a->started, b->started);
	assert_string_equal(a->tool, b->tool);
	for (i = 0; a->argv[i]; i++)
		assert_string_equal(a->argv[i], b->argv[i]);
	assert_null(b->argv[i]);
	assert_true(a->sysctl.v[0].value == b->sysctl.v[0].value);
	for (i = 0; i < 2; i++)
		assert_string_equal(a->sched_feature[i], b->sched_feature[i]);
	assert_null(b->sched_feature[2]);
	for (i = 0; i < 2; i++) {
		assert_int_equal(a->topo.node[i].id, b->topo.node[i].id);
		assert_true(a->topo.node[i].mem_kb == b->topo.node[i].mem_kb);
		assert_memory_equal(a->topo.node[i].distance, b->topo.node[i].distance, 8);
	}
	assert_memory_equal(a->topo.cpu_node, b->topo.cpu_node, 16);
	assert_memory_equal(a->topo.cpu_llc, b->topo.cpu_llc, 16);
	assert_int_equal(b->nchains, 1);
	assert_memory_equal(a->chain[0].d, b->chain[0].d, sizeof(struct nt_domain));
	assert_string_equal(b->feature[NT_F_BALANCE].why, "why not");
	assert_false(b->feature[NT_F_BALANCE].on);
	assert_true(b->feature[NT_F_FORK].on);
}

static char *report(const struct nt_run *r, enum nt_format format)
{
	struct nt_view_opts opts = { .format = format };
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(nt_report(f, r, &opts), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void same_reports(const struct nt_run *a, const struct nt_run *b)
{
	int f;

	for (f = NT_FORMAT_TABLE; f <= NT_FORMAT_CSV; f++) {
		char *x = report(a, (enum nt_format)f), *y = report(b, (enum nt_format)f);

		assert_string_equal(x, y);
		assert_null(strpbrk(x, "\033\t\xff"));
		free(x);
		free(y);
	}
}

static void round_trip(const char *file)
{
	struct nt_run a, *b;

	make_run(&a);
	make_sample(&a);
	make_end(&a);
	write_run(file, &a, true);
	b = read_runs(file, 1);
	same_header(&a, b);
	assert_int_equal(b->nsamples, 1);
	assert_true(b->sample[0].t == 0.3 && b->sample[0].dt == 0.1);
	assert_string_equal(b->sample[0].online, "0,3");
	same_counters(&a.sample[0].c, &b->sample[0].c);
	same_queues(&a.sample[0].queues, &b->sample[0].queues);
	assert_int_equal(b->queues.samples, 1);
	assert_int_equal(b->queues.node[1].workload.max, 5);
	same_counters(&a.total, &b->total);
	assert_true(b->ended && b->interrupted);
	assert_int_equal(b->wait_status, 9);
	assert_memory_equal(&a.ru, &b->ru, sizeof(a.ru));
	assert_memory_equal(&a.lost, &b->lost, sizeof(a.lost));
	assert_int_equal(b->nscores, 2);
	assert_true(b->score[1].value == 2.5e-308);
	assert_int_equal(b->alive_after, -1);
	assert_true(b->self_cpu == 0.7);
	assert_string_equal(b->note[0], "a note\t\xff");
	same_reports(&a, b);
	nt_records_free(b, 1);
	nt_run_free(&a);
}

static void test_round_trip(void **state)
{
	(void)state;
	round_trip(path);
}

static void test_round_trip_gz(void **state)
{
	unsigned char magic[2];
	FILE *f;

	(void)state;
	round_trip(gz);
	f = fopen(gz, "r");
	assert_int_equal(fread(magic, 1, 2, f), 2);
	fclose(f);
	assert_int_equal(magic[0] << 8 | magic[1], 0x1f8b);
}

static void test_no_end(void **state)
{
	struct nt_run a, *b;

	(void)state;
	make_run(&a);
	make_sample(&a);
	make_sample(&a);
	write_run(path, &a, false);
	b = read_runs(path, 1);
	assert_false(b->ended);
	assert_int_equal(b->nsamples, 2);
	assert_int_equal(b->total.node[0].tick[NT_TICK_IDLE], 154);
	nt_records_free(b, 1);
	nt_run_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_round_trip, clean),
		cmocka_unit_test_teardown(test_round_trip_gz, clean),
		cmocka_unit_test_teardown(test_no_end, clean),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
