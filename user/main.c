// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace: which subcommand. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "run",	nt_cmd_run },
	{ "report",	nt_cmd_report },
	{ "compare",	nt_cmd_compare },
	{ "snapshot",	nt_cmd_snapshot },
	{ "domains",	nt_cmd_domains },
	{ "features",	nt_cmd_features },
	{ "top",	nt_cmd_top },
};

/*
 * Started with 0, 1 or 2 closed, the files we open would take their numbers and receive
 * our messages. Close-on-exec gives the workload what we were given.
 */
static void guard_stdio(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
			_exit(NT_EXIT_FAILED);
}

static int unknown(const char *word)
{
	nt_complain("'%s' is no subcommand (run, report, compare, snapshot, domains, features, "
		    "top). To run it: numatrace -- %s", word, word);
	return NT_EXIT_FAILED;
}

int main(int argc, char **argv)
{
	guard_stdio();
	/* No words, or an option first: the subcommand left out is run. */
	if (argc < 2 || argv[1][0] == '-')
		return nt_cmd_run(argc, argv);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return unknown(argv[1]);
}
