// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/tool.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/clock.h"
#include "collect/launch.h"
#include "collect/launch_prep.h"
#include "collect/stress_ng.h"

#define PATIENCE_NS	1000000000ULL

static bool begins_as_elf(const char *path)
{
	char magic[4] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, magic, 4) == 4 && !memcmp(magic, "\177ELF", 4);

	if (fd >= 0)
		close(fd);
	return is;
}

/* A script may do anything before it asks stress-ng, and would do it twice. */
static bool is_program(const char *file, const char *user)
{
	struct nt_error e = { "" };
	struct nt_prep prep;
	bool is = false;
	char **f;

	if (nt_prep(&prep, file, user, &e))
		return false;
	for (f = prep.path; *f && access(*f, X_OK); f++)
		;
	is = *f && begins_as_elf(*f);
	nt_prep_free(&prep);
	return is;
}

/* What comes until it ends, or is full, or patience is. */
static void read_all(int fd, char *buf, size_t size)
{
	uint64_t end = nt_now_ns() + PATIENCE_NS;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t n;

	while (len + 1 < size && poll(&p, 1, nt_ms_until(end)) > 0) {
		n = read(fd, buf + len, size - 1 - len);
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	buf[len] = '\0';
}

static bool ask(const char *file, const char *user, char *buf, size_t size)
{
	char *argv[] = { (char *)file, (char *)"--version", NULL };
	struct nt_launch_opts o = { .argv = argv, .user = user };
	struct nt_error e = { "" };
	struct nt_child child;
	int fd[2], err;

	if (pipe2(fd, O_CLOEXEC))
		return false;
	o.stdout_fd = o.stderr_fd = fd[1];
	err = nt_launch(&child, &o, &e);
	if (!err)
		err = nt_release(&child, &e);
	close(fd[1]);
	if (!err)
		read_all(fd[0], buf, size);
	nt_abort_child(&child);		/* it has ended, or will not be waited for */
	close(fd[0]);
	return !err;
}

char *nt_tool_of_output(const char *text)
{
	static const char before[] = "stress-ng, version ";
	const char *at = strstr(text, before);
	char *tool;
	size_t len;

	if (!at)
		return NULL;
	at += strlen(before);
	len = strspn(at, "0123456789.");
	if (!len || len > 32 || asprintf(&tool, "stress-ng %.*s", (int)len, at) < 0)
		return NULL;
	return tool;
}

char *nt_tool_version(char *const *argv, const char *user)
{
	char text[512];

	if (!argv || !nt_is_stress_ng(argv[0]) || !is_program(argv[0], user) ||
	    !ask(argv[0], user, text, sizeof(text)))
		return NULL;
	return nt_tool_of_output(text);
}
