// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/options.h"

#define MAX_WORDS 32

/* Splits at blanks; "numatrace" goes in front. */
static int parse(struct nt_run_opts *o, const char *line, struct nt_error *e)
{
	static char buf[512];
	static char *argv[MAX_WORDS + 1];
	int argc = 1;
	char *w;

	strcpy(buf, line);
	argv[0] = "numatrace";
	for (w = strtok(buf, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	return nt_run_opts_parse(o, argc, argv, e);
}

static void accepts_a_bare_command(void **state)
{
	struct nt_run_opts o;
	struct nt_error e;

	(void)state;
	assert_int_equal(parse(&o, "-- ls -l --force", &e), 0);
	assert_string_equal(o.argv[0], "ls");
	assert_string_equal(o.argv[2], "--force");
	assert_null(o.argv[3]);
	assert_false(o.force);
	assert_int_equal(o.repeat, 1);
	assert_int_equal(o.interval_ns, 0);
	assert_int_equal(o.format, NT_FORMAT_TABLE);
	nt_run_opts_free(&o);
}

static void keeps_dashes_of_the_command(void **state)
{
	struct nt_run_opts o;
	struct nt_error e;

	(void)state;
	assert_int_equal(parse(&o, "-q -- sh -- x", &e), 0);
	assert_string_equal(o.argv[1], "--");
	nt_run_opts_free(&o);
	assert_int_equal(parse(&o, "-- --odd-name", &e), 0);
	assert_string_equal(o.argv[0], "--odd-name");
	nt_run_opts_free(&o);
}

static void accepts_every_option(void **state)
{
	struct nt_run_opts o;
	struct nt_error e;

	(void)state;
	assert_int_equal(parse(&o, "-o f --force -i 500ms -d 2m --user nobody --score a=(.) "
			       "--score b=x=(.) --param k=v --no-bpf --format csv --color=never "
			       "-vv -r 5 -- true", &e), 0);
	assert_string_equal(o.output, "f");
	assert_true(o.force);
	assert_int_equal(o.interval_ns, 500000000);
	assert_int_equal(o.duration_ns, 120000000000);
	assert_string_equal(o.user, "nobody");
	assert_int_equal(o.nscores, 2);
	assert_string_equal(o.score[1], "b=x=(.)");
	assert_int_equal(o.nparams, 1);
	assert_string_equal(o.param[0], "k=v");
	assert_true(o.no_bpf);
	assert_int_equal(o.format, NT_FORMAT_CSV);
	assert_int_equal(o.color, NT_COLOR_NEVER);
	assert_int_equal(o.verbose, 2);
	assert_int_equal(o.repeat, 5);
	nt_run_opts_free(&o);
}

static void accepts_spellings(void **state)
{
	struct nt_run_opts o;
	struct nt_error e;

	(void)state;
	assert_int_equal(parse(&o, "-qof -d10 --format=json --param k= --no-score -- x", &e), 0);
	assert_true(o.quiet);
	assert_string_equal(o.output, "f");
	assert_int_equal(o.duration_ns, 10000000000);
	assert_int_equal(o.format, NT_FORMAT_JSON);
	assert_string_equal(o.param[0], "k=");
	assert_true(o.no_score);
	nt_run_opts_free(&o);
}

static void accepts_a_series(void **state)
{
	struct nt_run_opts o;
	struct nt_error e;

	(void)state;
	assert_int_equal(parse(&o, "-r 6 --warmup 2 --prepare sync --ignore-failure -- x", &e), 0);
	assert_int_equal(o.repeat, 6);
	assert_int_equal(o.warmup, 2);
	assert_string_equal(o.prepare, "sync");
	assert_true(o.ignore_failure);
	nt_run_opts_free(&o);
}

static void accepts_observing(void **state)
{
	struct nt_run_opts o;
	struct nt_error e;

	(void)state;
	assert_int_equal(parse(&o, "-a -d 10s", &e), 0);
	assert_true(o.all);
	assert_null(o.argv);
	nt_run_opts_free(&o);
	assert_int_equal(parse(&o, "-p 12,2147483647 --pid 13 -r 2 -d 1 --prepare sync", &e), 0);
	assert_int_equal(o.npids, 3);
	assert_int_equal(o.pid[1], 2147483647);
	assert_int_equal(o.pid[2], 13);
	assert_null(o.argv);
	nt_run_opts_free(&o);
}

static void asks_for_help(void **state)
{
	struct nt_run_opts o;
	struct nt_error e;

	(void)state;
	assert_int_equal(parse(&o, "-q --help -r 0", &e), 0);
	assert_true(o.help);
	nt_run_opts_free(&o);
	assert_int_equal(parse(&o, "--version", &e), 0);
	assert_true(o.version);
	nt_run_opts_free(&o);
}

static void refuses(void **state)
{
	static const struct {
		const char *line, *says[3];
	} t[] = {
		{ "-d abc -- x",	{ "--duration", "'abc'", "such as 500ms" } },
		{ "-d 0 -- x",		{ "--duration", "'0'", "above 0" } },
		{ "-d 10x -- x",	{ "--duration", "'10x'" } },
		{ "-d -1 -- x",		{ "--duration", "'-1'" } },
		{ "-r 0 -- x",		{ "--repeat", "'0'", "from 1" } },
		{ "-r 2x -- x",		{ "--repeat", "'2x'" } },
		{ "-r -3 -- x",		{ "--repeat", "'-3'" } },
		{ "-r 99999999999999999999 -- x", { "--repeat" } },
		{ "-i -1 -- x",		{ "--interval", "'-1'", "10ms" } },
		{ "-i 9ms -- x",	{ "--interval", "'9ms'", "at least 10ms" } },
		{ "--format xml -- x",	{ "--format", "'xml'", "table, json or csv" } },
		{ "--color=red -- x",	{ "--color", "'red'", "auto, always or never" } },
		{ "--param kv -- x",	{ "--param", "'kv'", "KEY=VALUE" } },
		{ "--param =v -- x",	{ "--param", "'=v'", "KEY=VALUE" } },
		{ "--param k=1 --param k=2 -- x", { "--param", "k is given twice" } },
		{ "--score (.) -- x",	{ "--score", "'(.)'", "NAME=REGEX" } },
		{ "--score a= -- x",	{ "--score", "'a='", "NAME=REGEX" } },
		{ "--score a=(.) --score a=(x) -- x", { "a is given twice" } },
		{ "--score a=(.) --no-score -- x", { "--score and --no-score" } },
		{ "--output= -- x",	{ "--output", "a file name" } },
		{ "--force -- x",	{ "--force", "--output" } },
		{ "--warmup x -- x",	{ "--warmup", "'x'", "from 0" } },
		{ "--prepare= -- x",	{ "--prepare", "a shell command" } },
		{ "-a -- x",		{ "--all", "leave out 'x'" } },
		{ "-a -p 1",		{ "--all and --pid" } },
		{ "-a --user root",	{ "--user is about a command" } },
		{ "-p 1 --score a=(.)",	{ "--score is about a command", "--pid" } },
		{ "-a --warmup 1",	{ "--warmup is about a command" } },
		{ "-a -r 2",		{ "--repeat", "needs --duration" } },
		{ "-p 0",		{ "--pid", "'0'", "PID[,PID...]" } },
		{ "-p -5",		{ "--pid", "'-5'" } },
		{ "-p 1,",		{ "--pid", "'1,'" } },
		{ "-p 1,,2",		{ "--pid", "'1,,2'" } },
		{ "-p 1x",		{ "--pid", "'1x'" } },
		{ "-p 99999999999",	{ "--pid" } },
		{ "-p 7,8,7",		{ "--pid", "7 is given twice" } },
		{ "-p 1 --no-bpf",	{ "--pid needs BPF" } },
		{ "-q -v -- x",		{ "--quiet and --verbose" } },
		{ "-z -- x",		{ "unknown option -z", "--help" } },
		{ "-qz -- x",		{ "unknown option -z" } },
		{ "--nope -- x",	{ "unknown option --nope" } },
		{ "--nope=3 -- x",	{ "unknown option --nope;" } },
		{ "--fo x -- x",	{ "--fo could be several" } },
		{ "--force=1 -- x",	{ "--force takes no value" } },
		{ "--quiet=1 -- x",	{ "--quiet takes no value" } },
		{ "-o",			{ "--output needs a value" } },
		{ "--user",		{ "--user needs a value" } },
		{ "",			{ "no command given", "-- COMMAND" } },
		{ "--",			{ "no command given" } },
		{ "-o f",		{ "no command given" } },
		{ "-o f stress-ng",	{ "'stress-ng' is no option", "numatrace -- stress-ng" } },
		{ "-o -- x",		{ "'x' is no option", "numatrace -- x" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		struct nt_run_opts o;
		struct nt_error e = { "" };

		if (!parse(&o, t[i].line, &e))
			fail_msg("'%s' was accepted", t[i].line);
		for (int j = 0; j < 3 && t[i].says[j]; j++)
			if (!strstr(e.msg, t[i].says[j]))
				fail_msg("'%s': '%s' lacks '%s'", t[i].line, e.msg, t[i].says[j]);
		assert_null(strchr(e.msg, '\n'));
	}
}

static void help_fits_80_columns(void **state)
{
	const char *line = nt_run_help;

	(void)state;
	while (*line) {
		size_t len = strcspn(line, "\n");

		if (len > 80)
			fail_msg("%.*s", (int)len, line);
		assert_int_equal(line[len], '\n');
		line += len + 1;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_a_bare_command),
		cmocka_unit_test(keeps_dashes_of_the_command),
		cmocka_unit_test(accepts_every_option),
		cmocka_unit_test(accepts_spellings),
		cmocka_unit_test(accepts_a_series),
		cmocka_unit_test(accepts_observing),
		cmocka_unit_test(asks_for_help),
		cmocka_unit_test(refuses),
		cmocka_unit_test(help_fits_80_columns),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
