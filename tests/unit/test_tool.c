// SPDX-License-Identifier: GPL-2.0-or-later
/* The version of stress-ng, asked of the program and of nothing else. */
#include <errno.h>
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

#include "collect/tool.h"
#include "model/stress_version.h"

static void of_output(void **state)
{
	static const char *const t[][2] = {
		{ "stress-ng, version 0.15.06 (gcc 12.2.0, x86_64 Linux 6.1)\n",
		  "stress-ng 0.15.06" },
		{ "stress-ng, version 0.22.00\n", "stress-ng 0.22.00" },
		{ "warning\nstress-ng, version 1.2 x", "stress-ng 1.2" },
		{ "stress-ng, version \033[2J", NULL },
		{ "stress-ng, version 1111111111111111111111111111111111", NULL },
		{ "stress, version 1", NULL },
		{ "", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *tool = nt_tool_of_output(t[i][0]);

		if (t[i][1])
			assert_string_equal(tool, t[i][1]);
		else
			assert_null(tool);
		free(tool);
	}
}

static void since_0_19_01(void **state)
{
	static const struct {
		const char *tool, *arg;
		int waits;
	} t[] = {
		{ "stress-ng 0.15.06", "--fstat", 0 }, { "stress-ng 0.19.00", "--fstat=4", 0 },
		{ "stress-ng 0.19.01", "--fstat", 1 }, { "stress-ng 0.19.02", "--fstat=4", 1 },
		{ "stress-ng 0.20.00", "--fstat", 1 }, { "stress-ng 1.0", "--fstat", 1 },
		{ "stress-ng 0.19", "--fstat", 0 }, { "stress-ng x", "--fstat", -1 },
		{ "stress-ng 0.15.06", "--fstat-ops", -1 }, { "other 0.15.06", "--fstat", -1 },
		{ NULL, "--fstat", -1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *argv[] = { (char *)"stress-ng", (char *)t[i].arg, NULL };
		const struct nt_run r = { .tool = (char *)t[i].tool, .argv = argv };

		assert_int_equal(nt_fstat_waits(&r), t[i].waits);
	}
}

/* A file of this text that can be run, in a folder that is the whole PATH. */
static void make_script(const char *dir, const char *name, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static void remove_from(const char *dir, const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
}

/* A wrapper may do anything first, so it is not run a second time. */
static void scripts_are_not_run(void **state)
{
	char dir[] = "/tmp/tool-XXXXXX", mark[300], text[400];
	char *argv[] = { (char *)"stress-ng", NULL }, *old = getenv("PATH");

	(void)state;
	old = strdup(old ? old : "");
	assert_non_null(mkdtemp(dir));
	snprintf(mark, sizeof(mark), "%s/mark", dir);
	snprintf(text, sizeof(text), "#!/bin/sh\n: > %s\necho stress-ng, version 9.9\n", mark);
	make_script(dir, "stress-ng", text);
	setenv("PATH", dir, 1);
	assert_null(nt_tool_version(argv, NULL));
	assert_int_equal(access(mark, F_OK), -1);
	remove_from(dir, "stress-ng");
	assert_null(nt_tool_version(argv, NULL));	/* there is none */
	setenv("PATH", old, 1);
	assert_int_equal(rmdir(dir), 0);
	free(old);
}

/* A program of that name that is not stress-ng: what it says is not believed. */
static void other_programs(void **state)
{
	char dir[] = "/tmp/tool-XXXXXX", path[300];
	char *argv[] = { path, NULL }, *other[] = { (char *)"/bin/true", NULL };

	(void)state;
	assert_null(nt_tool_version(other, NULL));
	assert_null(nt_tool_version(NULL, NULL));
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/stress-ng", dir);
	assert_int_equal(symlink("/bin/true", path), 0);
	assert_null(nt_tool_version(argv, NULL));
	unlink(path);
	assert_int_equal(symlink("/usr/bin/yes", path), 0);	/* tells another version */
	assert_null(nt_tool_version(argv, NULL));
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
}

/* The real one, where it is installed: as its own first line has it. */
static void the_real_one(void **state)
{
	char *argv[] = { (char *)"stress-ng", NULL }, line[200] = "", *tool;
	FILE *f = popen("stress-ng --version 2> /dev/null", "r");
	bool any;

	(void)state;
	assert_non_null(f);
	any = fgets(line, sizeof(line), f);
	pclose(f);
	tool = nt_tool_version(argv, NULL);
	if (!any) {
		assert_null(tool);
		skip();
	}
	assert_non_null(tool);
	assert_int_equal(strncmp(tool, "stress-ng ", 10), 0);
	assert_non_null(strstr(line, tool + 10));
	free(tool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_output),
		cmocka_unit_test(since_0_19_01),
		cmocka_unit_test(scripts_are_not_run),
		cmocka_unit_test(other_programs),
		cmocka_unit_test(the_real_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
