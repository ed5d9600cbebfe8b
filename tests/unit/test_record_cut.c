// SPDX-License-Identifier: GPL-2.0-or-later
/* Records cut short or damaged anywhere: whole lines are kept. */
#include <errno.h>
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

#include "record_make.h"
#include "record_util.h"

static char dir[] = "/tmp/test-cut-XXXXXX";
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

static void put(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
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
	make_run(&a);
	make_sample(&a);
	make_end(&a);
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
	make_run(&a);
	for (n = 0; n < 20; n++)
		make_sample(&a);
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
	memset(text + len - 120, 0xff, 40);
	put(text, len);
	b = read_runs(path, 1);
	assert_int_equal(b->nnotes, 1);
	assert_non_null(strstr(b->note[0], "damaged gzip data"));
	assert_true(b->nsamples >= 5);
	nt_records_free(b, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_cut_anywhere, clean),
		cmocka_unit_test_teardown(test_gz_cut_anywhere, clean),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
