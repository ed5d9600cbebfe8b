// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing records: what is written comes back, however little of it reached the disk. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "model/text.h"
#include "store/record_read.h"
#include "store/record_write.h"
#include "view/report.h"

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

static char *copy_of(const char *s)
{
	char *copy = strdup(s);

	assert_non_null(copy);
	return copy;
}

static void put(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* A run with something at every edge: sparse ids, full counters, bytes that are no text. */
static void make(struct nt_run *r)
{
	static const int distance[2] = { 10, 21 };
	int i;

	memset(r, 0, sizeof(*r));
	r->version = copy_of("0.1");
	r->started = copy_of("2026-01-02T03:04:05Z");
	r->hostname = copy_of("h\\x41\xc3\xa9\x1b");
	r->kernel = copy_of("6.1.0");
	r->machine = copy_of("x86_64");
	r->cpu_model = copy_of("");
	r->argv = calloc(4, sizeof(char *));
	r->argv[0] = copy_of("a\xff\xfe b\"\\");
	r->argv[1] = copy_of("");
	r->argv[2] = copy_of("\xed\xa0\x80\xc0\xaf\xf5 \\x5c\n");
	assert_int_equal(nt_kvs_set(&r->sysctl, "kernel.numa_balancing", 0.1), 0);
	r->topo.nnodes = 2;
	r->topo.node = calloc(2, sizeof(*r->topo.node));
	for (i = 0; i < 2; i++) {
		r->topo.node[i].id = 5 * i;
		r->topo.node[i].cpus = 1;
		r->topo.node[i].cpulist = copy_of(i ? "3" : "0");
		r->topo.node[i].mem_kb = UINT64_MAX;
		r->topo.node[i].distance = calloc(2, sizeof(int));
		memcpy(r->topo.node[i].distance, distance, sizeof(distance));
	}
	r->topo.cpus_online = 2;
	r->topo.cpu_ids = 4;
	r->topo.cpu_node = calloc(4, sizeof(int));
	r->topo.cpu_llc = calloc(4, sizeof(int));
	for (i = 0; i < 4; i++)
		r->topo.cpu_node[i] = r->topo.cpu_llc[i] = i == 3 ? 1 : i ? -1 : 0;
	r->chain = calloc(1, sizeof(*r->chain));
	r->nchains = 1;
	r->chain[0].cpus = copy_of("0,3");
	r->chain[0].d = calloc(1, sizeof(struct nt_domain));
	r->chain[0].n = 1;
	strcpy(r->chain[0].d[0].name, "NUMA");
	r->chain[0].d[0].flags = UINT32_MAX;
	r->chain[0].d[0].level = 2;
	r->chain[0].d[0].imb_numa_nr = -1;
	r->bpf = true;
	for (i = 0; i < NT_NFEATURE; i++)
		r->feature[i].on = i != NT_F_BALANCE;
	r->feature[NT_F_BALANCE].why = copy_of("why not");
	r->tick_hz = 100;
	assert_int_equal(nt_counters_init(&r->total, 2), 0);
}

static void count(struct nt_counters *c, uint64_t big)
{
	c->node[1].tick[NT_TICK_SYS] = big;
	c->node[0].tick[NT_TICK_IDLE] = 77;
	c->node[1].wl.exec = big - 1;
	c->node[0].sched_softirqs = 3;
	assert_int_equal(nt_kvs_set(&c->node[1].mem, "numastat.numa_hit", 1.0 / 3), 0);
	nt_mig(c, NT_WORKLOAD, NT_CAUSE_NUMA_SWAP, 1, 0)->n = big;
	*nt_mig(c, NT_SYSTEM, NT_CAUSE_WAKEUP, 1, 1) = (struct nt_mig_cell){ big, 9 };
	*nt_fork(c, NT_SYSTEM, 0, 1) = big;
	c->place[NT_SYSTEM][NT_WAKE_EXEC][NT_PLACE_REMOTE] = big;
	c->balance[2][NT_IDLE_NEWLY].calls = 5;
	c->balance[2][NT_IDLE_NEWLY].ns = big;
	assert_int_equal(nt_kvs_set(&c->sys, "vmstat.x", 1e300), 0);
}

static void finish(struct nt_run *r)
{
	r->ended = true;
	r->wait_status = 9;
	r->interrupted = true;
	r->ru.elapsed = 0.1 + 0.2;
	r->ru.nivcsw = UINT64_MAX;
	count(&r->total, UINT64_MAX);
	r->node_meminfo = calloc(2, sizeof(*r->node_meminfo));
	assert_int_equal(nt_kvs_set(&r->node_meminfo[1], "MemFree", 12), 0);
	r->score = calloc(2, sizeof(*r->score));
	r->nscores = 2;
	r->score[0].key = copy_of("a");
	r->score[0].value = -0.0;
	r->score[1].key = copy_of("a");
	r->score[1].value = 2.5e-308;
	r->lost.tasks_full = 4;
	r->alive_after = -1;
	r->self_cpu = 0.7;
	assert_int_equal(nt_run_note(r, "a note\t\xff"), 0);
}

static void add_sample(struct nt_run *r)
{
	struct nt_sample s = { .t = 0.3, .dt = 0.1, .online = copy_of("0,3") };

	assert_int_equal(nt_counters_init(&s.c, 2), 0);
	count(&s.c, (uint64_t)INT64_MAX + 1);
	assert_int_equal(nt_run_add_sample(r, &s), 0);
}

static void write_run(const char *file, const struct nt_run *r, bool with_end)
{
	struct nt_writer *w;
	size_t i;

	assert_int_equal(nt_writer_open(&w, file, false), 0);
	assert_int_equal(access(file, F_OK), -1);
	assert_int_equal(nt_writer_header(w, r), 0);
	assert_int_equal(access(file, F_OK), 0);
	for (i = 0; i < r->nsamples; i++)
		assert_int_equal(nt_writer_sample(w, r, &r->sample[i]), 0);
	if (with_end)
		assert_int_equal(nt_writer_end(w, r), 0);
	assert_int_equal(nt_writer_close(w), 0);
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
	for (i = 0; a->argv[i]; i++)
		assert_string_equal(a->argv[i], b->argv[i]);
	assert_null(b->argv[i]);
	assert_true(a->sysctl.v[0].value == b->sysctl.v[0].value);
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

	make(&a);
	add_sample(&a);
	finish(&a);
	write_run(file, &a, true);
	b = read_runs(file, 1);
	same_header(&a, b);
	assert_int_equal(b->nsamples, 1);
	assert_true(b->sample[0].t == 0.3 && b->sample[0].dt == 0.1);
	assert_string_equal(b->sample[0].online, "0,3");
	same_counters(&a.sample[0].c, &b->sample[0].c);
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
	make(&a);
	add_sample(&a);
	add_sample(&a);
	write_run(path, &a, false);
	b = read_runs(path, 1);
	assert_false(b->ended);
	assert_int_equal(b->nsamples, 2);
	assert_int_equal(b->total.node[0].tick[NT_TICK_IDLE], 154);
	nt_records_free(b, 1);
	nt_run_free(&a);
}

/* Wherever the file stops, whole lines are kept and nothing else happens. */
static void test_cut_anywhere(void **state)
{
	char text[8192], msg[600];
	struct nt_run a, *b;
	struct nt_error e;
	size_t len, n, cut, header;
	FILE *f;

	(void)state;
	make(&a);
	add_sample(&a);
	finish(&a);
	write_run(path, &a, true);
	nt_run_free(&a);
	f = fopen(path, "r");
	len = fread(text, 1, sizeof(text), f);
	fclose(f);
	header = (size_t)((char *)memchr(text, '\n', len) - text);
	for (cut = 1; cut < len; cut += 7) {
		int err;

		put(text, cut);
		err = nt_record_read(path, &b, &n, &e);
		assert_int_equal(err, cut < header ? -EINVAL : 0);
		if (!err) {
			assert_int_equal(b->ended, cut >= len - 1);
			assert_int_equal(b->nnotes, cut >= len - 1);
			nt_records_free(b, n);
		} else {
			snprintf(msg, sizeof(msg), "%s:1: ", path);
			assert_memory_equal(e.msg, msg, strlen(msg));
		}
	}
}

static void test_gz_cut_anywhere(void **state)
{
	static char text[65536];
	struct nt_run a, *b;
	struct nt_error e;
	size_t len, n, cut, samples = 0;
	FILE *f;

	(void)state;
	make(&a);
	for (n = 0; n < 20; n++)
		add_sample(&a);
	write_run(gz, &a, false);
	nt_run_free(&a);
	f = fopen(gz, "r");
	len = fread(text, 1, sizeof(text), f);
	fclose(f);
	for (cut = 1; cut < len; cut += 3) {
		put(text, cut);
		if (nt_record_read(path, &b, &n, &e))
			continue;
		assert_true(b->nsamples >= samples);
		samples = b->nsamples;
		assert_false(b->ended);
		nt_records_free(b, n);
	}
	assert_int_equal(samples, 20);
	/* Damage, not a cut: the lines well before it are kept, and a note says so. */
	memset(text + len - 120, 0x55, 40);
	put(text, len);
	b = read_runs(path, 1);
	assert_int_equal(b->nnotes, 1);
	assert_non_null(strstr(b->note[0], "damaged gzip data"));
	assert_true(b->nsamples >= 5);
	nt_records_free(b, 1);
}

static void test_exists(void **state)
{
	struct nt_writer *w;
	struct nt_run a, *b;
	struct stat st;

	(void)state;
	put("old", 3);
	assert_int_equal(nt_writer_open(&w, path, false), -EEXIST);
	assert_int_equal(nt_writer_open(&w, dir, true), -EISDIR);
	assert_int_equal(nt_writer_open(&w, path, true), 0);
	assert_int_equal(nt_writer_close(w), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 3);	/* no header: the old file stays */
	make(&a);
	assert_int_equal(nt_writer_open(&w, path, true), 0);
	assert_int_equal(nt_writer_header(w, &a), 0);
	assert_int_equal(nt_writer_close(w), 0);
	b = read_runs(path, 1);
	nt_records_free(b, 1);
	nt_run_free(&a);
}

/* The name is taken while the run is being prepared: whoever was first keeps it. */
static void test_race(void **state)
{
	struct nt_writer *w;
	struct nt_run a;
	struct stat st;

	(void)state;
	make(&a);
	assert_int_equal(nt_writer_open(&w, path, false), 0);
	put("mine", 4);
	assert_int_equal(nt_writer_header(w, &a), -EEXIST);
	nt_writer_close(w);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 4);
	nt_run_free(&a);
}

/* A full disk, played by a limit on the size of files: whole lines stay. */
static void test_full(void **state)
{
	struct rlimit old, small;
	struct nt_writer *w;
	struct nt_run a, *b;
	int i, err = 0;

	(void)state;
	make(&a);
	add_sample(&a);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 8000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(nt_writer_open(&w, path, false), 0);
	assert_int_equal(nt_writer_header(w, &a), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (i = 0; i < 20 && !err; i++)
		err = nt_writer_sample(w, &a, a.sample);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(err, -EFBIG);
	assert_int_equal(nt_writer_end(w, &a), -EFBIG);
	assert_int_equal(nt_writer_close(w), -EFBIG);
	b = read_runs(path, 1);
	assert_int_equal(b->nsamples, i - 1);
	assert_int_equal(b->nnotes, 0);
	nt_records_free(b, 1);
	nt_run_free(&a);
}

static void test_device(void **state)
{
	struct nt_writer *w;
	struct nt_run a;
	struct stat st;

	(void)state;
	make(&a);
	assert_int_equal(nt_writer_open(&w, "/dev/full", true), 0);
	assert_int_equal(nt_writer_header(w, &a), -ENOSPC);
	assert_int_equal(nt_writer_close(w), -ENOSPC);
	assert_int_equal(stat("/dev/full", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	nt_run_free(&a);
}

static void test_text(void **state)
{
	static const char *const words[] = { "sh", "-c", "echo 'a b'\033", "", NULL };
	char *s = nt_text_encode("\\x41 \xc3\xa9 \xff");

	(void)state;
	assert_string_equal(s, "\\x5cx41 \xc3\xa9 \\xff");
	nt_text_decode(s);
	assert_string_equal(s, "\\x41 \xc3\xa9 \xff");
	free(s);
	s = nt_text_printable("\xc2\x9b \xe2\x80\xae\x7f");
	assert_string_equal(s, "\\xc2\\x9b \\xe2\\x80\\xae\\x7f");
	free(s);
	s = nt_text_command((char *const *)words);
	assert_string_equal(s, "sh -c 'echo '\\''a b'\\''\\x1b' ''");
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_round_trip, clean),
		cmocka_unit_test_teardown(test_round_trip_gz, clean),
		cmocka_unit_test_teardown(test_no_end, clean),
		cmocka_unit_test_teardown(test_cut_anywhere, clean),
		cmocka_unit_test_teardown(test_gz_cut_anywhere, clean),
		cmocka_unit_test_teardown(test_exists, clean),
		cmocka_unit_test_teardown(test_race, clean),
		cmocka_unit_test_teardown(test_full, clean),
		cmocka_unit_test_teardown(test_device, clean),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
