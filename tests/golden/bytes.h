/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For golden tests: what was printed against the committed bytes. */
#ifndef NT_TEST_BYTES_H
#define NT_TEST_BYTES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static inline int write_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	return !f || fwrite(text, 1, len, f) != len || fclose(f) ? -1 : 0;
}

/* 0 if the file holds just this text; else the difference is shown. */
static inline int compare(const char *path, const char *text, size_t len)
{
	char tmp[] = "/tmp/golden-XXXXXX";
	int fd = mkstemp(tmp), st = -1;
	pid_t pid;

	if (fd < 0 || close(fd) || write_file(tmp, text, len))
		return -1;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		execlp("diff", "diff", "-u", path, tmp, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &st, 0) < 0)
		st = -1;
	unlink(tmp);
	return st;
}

/* The same, or with UPDATE=1 in the environment make it so. */
static inline int check_bytes(const char *path, const char *text, size_t len)
{
	return getenv("UPDATE") ? write_file(path, text, len) : compare(path, text, len);
}

#endif
