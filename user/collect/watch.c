// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/watch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/root.h"

/* A line "KEY: NUMBER" of /proc/PID/status; 0: no such file or line. */
static pid_t status_number(pid_t pid, const char *key)
{
	char path[40], *text, *line;
	pid_t n = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	text = nt_read_file(path, NULL);
	line = text ? strstr(text, key) : NULL;
	if (line)
		n = atoi(line + strlen(key));
	free(text);
	return n;
}

static int explain(pid_t pid, int err, struct nt_error *e)
{
	pid_t process = status_number(pid, "\nTgid:");

	if (process && process != pid)
		return nt_fail(e, -EINVAL, "--pid %d: that is a thread of process %d: give the "
			       "process, all its threads are observed", pid, process);
	if (!process)
		return nt_fail(e, -ESRCH, "--pid %d: there is no such process", pid);
	return nt_fail(e, err, "--pid %d: cannot observe it: %s", pid, strerror(-err));
}

/* "PID NAME"; NULL: out of memory. A process that is just ending may have no name left. */
static char *name_of(pid_t pid)
{
	char path[40], *comm, *text;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	comm = nt_read_file(path, NULL);
	if (asprintf(&text, "%d %.*s", pid, comm ? (int)strcspn(comm, "\n") : 1,
		     comm ? comm : "?") < 0)
		text = NULL;
	free(comm);
	return text;
}

int nt_watch_open(struct nt_watch *w, const pid_t *pid, size_t n, char ***names,
		  struct nt_error *e)
{
	size_t i;

	*names = calloc(n + 1, sizeof(**names));
	w->fd = calloc(n, sizeof(*w->fd));
	if (!*names || !w->fd)
		return nt_fail(e, -ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < n; i++) {
		w->fd[i] = syscall(SYS_pidfd_open, pid[i], 0);
		if (w->fd[i] < 0)
			return explain(pid[i], -errno, e);
		w->n = w->left = i + 1;
		(*names)[i] = name_of(pid[i]);
		if (!(*names)[i])
			return nt_fail(e, -ENOMEM, "%s", strerror(ENOMEM));
	}
	return 0;
}

int nt_watch_add(const struct nt_watch *w, int epfd, uint64_t tag)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = tag };
	size_t i;

	for (i = 0; i < w->n; i++)
		if (epoll_ctl(epfd, EPOLL_CTL_ADD, w->fd[i], &ev))
			return -errno;
	return 0;
}

void nt_watch_look(struct nt_watch *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		struct pollfd p = { .fd = w->fd[i], .events = POLLIN };

		if (w->fd[i] < 0 || poll(&p, 1, 0) <= 0)
			continue;
		close(w->fd[i]);
		w->fd[i] = -1;
		w->left--;
	}
}

void nt_watch_close(struct nt_watch *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (w->fd[i] >= 0)
			close(w->fd[i]);
	free(w->fd);
	*w = (struct nt_watch){ 0 };
}
