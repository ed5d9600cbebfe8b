/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of subcommands as a user calls them, but under the sanitizers. */
#ifndef NT_TEST_CMD_UTIL_H
#define NT_TEST_CMD_UTIL_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run it in a child with stdout and stderr in these files. Its exit status, or -errno. */
static inline int run_captured(int (*cmd)(int argc, char **argv), char **argv, FILE *out,
			       FILE *err)
{
	int argc = 0, st;
	pid_t pid;

	while (argv[argc])
		argc++;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		exit(cmd(argc, argv));
	}
	if (pid < 0 || waitpid(pid, &st, 0) < 0)
		return -errno;
	return WIFEXITED(st) ? WEXITSTATUS(st) : -EIO;
}

/* All that is in the file, for the caller to free; NULL: it cannot be had. */
static inline char *text_of(FILE *f, size_t *len)
{
	char *text = NULL;
	long end;

	if (fseek(f, 0, SEEK_END) || (end = ftell(f)) < 0)
		return NULL;
	rewind(f);
	*len = (size_t)end;
	text = calloc(*len + 1, 1);
	if (text && fread(text, 1, *len, f) == *len)
		return text;
	free(text);
	return NULL;
}

#endif
