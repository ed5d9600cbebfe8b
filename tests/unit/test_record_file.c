// SPDX-License-Identifier: GPL-2.0-or-later
/* The file of a record: what was there before, and disks and devices that take no more. */
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

#include <cmocka.h>

#include "store/record_read.h"

#include "record_make.h"
#include "record_util.h"

static char dir[] = "/tmp/test-file-XXXXXX";
static char path[64];

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/r.jsonl", dir);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	unlink(path);
	return 0;
}

static int teardown(void **state)
{
	clean(state);
	return rmdir(dir);	/* fails if a temporary file was left behind */
}

static void put(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
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
	make_run(&a);
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
	make_run(&a);
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
	make_run(&a);
	make_sample(&a);
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
	make_run(&a);
	assert_int_equal(nt_writer_open(&w, "/dev/full", true), 0);
	assert_int_equal(nt_writer_header(w, &a), -ENOSPC);
	assert_int_equal(nt_writer_close(w), -ENOSPC);
	assert_int_equal(stat("/dev/full", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	nt_run_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_exists, clean),
		cmocka_unit_test_teardown(test_race, clean),
		cmocka_unit_test_teardown(test_full, clean),
		cmocka_unit_test_teardown(test_device, clean),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
