// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/root.h"

static char dir[2][64];

static void write_file(int i, const char *text, size_t len)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/f", dir[i]);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
}

static int make_dirs(void **state)
{
	(void)state;
	strcpy(dir[0], "/tmp/nt-root-XXXXXX");
	strcpy(dir[1], "/tmp/nt-root-XXXXXX");
	return mkdtemp(dir[0]) && mkdtemp(dir[1]) ? 0 : -1;
}

static int remove_dirs(void **state)
{
	char path[128];
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/f", dir[i]);
		unlink(path);
		rmdir(dir[i]);
	}
	return 0;
}

static void roots_follow_one_another(void **state)
{
	char spec[160], *text;
	struct nt_file f;
	struct nt_buf b = { 0 };

	(void)state;
	write_file(0, "one", 3);
	write_file(1, "second", 6);
	snprintf(spec, sizeof(spec), "%s:%s", dir[0], dir[1]);
	assert_int_equal(nt_root_set(spec), 0);
	assert_string_equal(nt_root(), dir[0]);
	assert_int_equal(nt_file_init(&f, true, "/%c", 'f'), 0);
	assert_int_equal(nt_file_read(&f, &b), 0);
	assert_string_equal(b.p, "one");
	write_file(0, "uno", 3);	/* an open file is read anew each time */
	assert_int_equal(nt_file_read(&f, &b), 0);
	assert_string_equal(b.p, "uno");
	nt_root_advance();
	nt_root_advance();
	assert_string_equal(nt_root(), dir[1]);
	assert_int_equal(nt_file_read(&f, &b), 0);
	assert_string_equal(b.p, "second");
	text = nt_read_file("/f", NULL);
	assert_string_equal(text, "second");
	free(text);
	nt_file_free(&f);
	nt_buf_free(&b);
	assert_int_equal(nt_root_set(NULL), 0);
	assert_null(nt_root());
}

static void roots_must_be_directories(void **state)
{
	char spec[160];

	(void)state;
	write_file(0, "x", 1);
	snprintf(spec, sizeof(spec), "%s/f", dir[0]);
	assert_int_equal(nt_root_set(spec), -ENOTDIR);
	assert_null(nt_root());
	snprintf(spec, sizeof(spec), "%s:/nonexistent", dir[0]);
	assert_int_equal(nt_root_set(spec), -ENOENT);
	snprintf(spec, sizeof(spec), "%s:", dir[0]);
	assert_int_equal(nt_root_set(spec), -ENOENT);
	assert_null(nt_root());
	assert_int_equal(nt_root_set(""), 0);
}

static void files_of_any_length(void **state)
{
	static char big[100000];
	char *text, head[8];
	size_t len;

	(void)state;
	memset(big, 'x', sizeof(big));
	assert_int_equal(nt_root_set(dir[0]), 0);
	write_file(0, big, sizeof(big));
	text = nt_read_file("/f", &len);
	assert_int_equal(len, sizeof(big));
	assert_int_equal(strlen(text), sizeof(big));
	free(text);
	assert_int_equal(nt_read_head("/f", head, sizeof(head)), 0);
	assert_string_equal(head, "xxxxxxx");
	write_file(0, "", 0);
	text = nt_read_file("/f", &len);
	assert_int_equal(len, 0);
	assert_string_equal(text, "");
	free(text);
	assert_int_equal(nt_read_head("/f", head, sizeof(head)), 0);
	assert_string_equal(head, "");
	assert_null(nt_read_file("/none", &len));
	assert_int_equal(errno, ENOENT);
	assert_null(nt_read_file("/", &len));
	assert_int_equal(errno, EISDIR);
	assert_int_equal(nt_read_head("/none", head, sizeof(head)), -ENOENT);
	nt_root_set(NULL);
}

static void real_files_whose_size_lies(void **state)
{
	struct nt_file f;
	struct nt_buf b = { 0 };
	char *text;
	int i;

	(void)state;
	text = nt_read_file("/sys/devices/system/cpu/online", NULL);
	assert_non_null(text);
	assert_int_equal(text[strlen(text) - 1], '\n');
	free(text);
	assert_int_equal(nt_file_init(&f, true, "/proc/stat"), 0);
	for (i = 0; i < 3; i++) {
		assert_int_equal(nt_file_read(&f, &b), 0);
		assert_memory_equal(b.p, "cpu ", 4);
		assert_non_null(strstr(b.p, "\nsoftirq "));
	}
	/* What was opened is gone: opened again. */
	close(f.fd);
	f.fd = open("/", O_RDONLY);
	assert_int_equal(nt_file_read(&f, &b), 0);
	nt_file_free(&f);
	nt_file_free(&f);
	nt_buf_free(&b);
}

/* As single values of debugfs are. */
static void files_that_cannot_be_sought_in(void **state)
{
	char path[128], *text;
	int fd[2], i;
	size_t len;

	(void)state;
	assert_int_equal(nt_root_set(NULL), 0);
	assert_int_equal(pipe(fd), 0);
	for (i = 0; i < 3000; i++)
		assert_int_equal(write(fd[1], "12345\n", 6), 6);
	close(fd[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	text = nt_read_file(path, &len);
	assert_non_null(text);
	assert_int_equal(len, 18000);
	assert_memory_equal(text + len - 6, "12345\n", 7);
	free(text);
	close(fd[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roots_follow_one_another),
		cmocka_unit_test(roots_must_be_directories),
		cmocka_unit_test(files_of_any_length),
		cmocka_unit_test(real_files_whose_size_lies),
		cmocka_unit_test(files_that_cannot_be_sought_in),
	};

	return cmocka_run_group_tests_name("root", tests, make_dirs, remove_dirs);
}
