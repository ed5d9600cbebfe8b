// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/caps.h"
#include "collect/launch.h"
#include "collect/launch_prep.h"

/* The child's last words, when it could not become the command. */
struct report {
	int err;
	int exec;		/* 0: the change of user failed; no bool: all bytes are written */
};

static void __attribute__((noreturn)) give_up(int status_fd, int err, bool exec)
{
	struct report r = { .err = err, .exec = exec };
	ssize_t n = write(status_fd, &r, sizeof(r));

	(void)n;		/* the parent then sees a child that ended, which it also reports */
	_exit(127);
}

static int become_user(const struct nt_identity *id)
{
	if (setgroups(id->ngroups, id->groups) || setresgid(id->gid, id->gid, id->gid) ||
	    setresuid(id->uid, id->uid, id->uid))
		return -errno;
	/* The kernel takes them with uid 0, unless securebits say not to. */
	return id->uid ? nt_caps_drop_all() : 0;
}

/* dup2() onto itself would leave CLOEXEC set. */
static void hand_over(int fd, int target)
{
	if (fd == target)
		fcntl(fd, F_SETFD, 0);
	else if (fd >= 0)
		dup2(fd, target);
}

static void __attribute__((noreturn)) child(const struct nt_launch_opts *o,
					    const struct nt_prep *p, int go_fd, int status_fd)
{
	int out = o->stdout_fd, err = o->stderr_fd;
	ssize_t n;
	char go;

	if (o->sig)
		nt_sigstate_dispositions(o->sig);
	if (p->switch_user) {
		int ret = become_user(&p->id);

		if (ret)
			give_up(status_fd, -ret, false);
	}
	do
		n = read(go_fd, &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(127);	/* numatrace gave up or is dead */
	hand_over(out, STDOUT_FILENO);
	hand_over(err, STDERR_FILENO);
	if (o->sig)
		nt_sigstate_mask(o->sig);
	give_up(status_fd, nt_prep_exec(p, o->argv), true);
}

/*
 * Both ends above 2: the child moves other descriptors to 1 and 2, and numatrace may have
 * been started with those closed.
 */
static int high_pipe(int fd[2])
{
	int low[2];

	if (pipe2(low, O_CLOEXEC))
		return -errno;
	fd[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 3);
	fd[1] = fcntl(low[1], F_DUPFD_CLOEXEC, 3);
	close(low[0]);
	close(low[1]);
	if (fd[0] >= 0 && fd[1] >= 0)
		return 0;
	if (fd[0] >= 0)
		close(fd[0]);
	if (fd[1] >= 0)
		close(fd[1]);
	return -EMFILE;
}

static void close_pair(int fd[2])
{
	close(fd[0]);
	close(fd[1]);
}

int nt_launch(struct nt_child *c, const struct nt_launch_opts *o, struct nt_error *e)
{
	struct nt_prep prep;
	int go[2] = { -1, -1 }, status[2] = { -1, -1 }, err;

	*c = (struct nt_child){ .pidfd = -1, .go_fd = -1, .status_fd = -1, .file = o->argv[0] };
	err = nt_prep(&prep, o->argv[0], o->user, e);
	if (err)
		return err;
	err = high_pipe(go);
	if (err)
		goto out_prep;
	err = high_pipe(status);
	if (err)
		goto out_go;

	c->pid = fork();
	if (c->pid < 0) {
		err = -errno;
		c->pid = 0;
		close_pair(status);
		goto out_go;
	}
	if (!c->pid) {
		close(go[1]);	/* else the end of numatrace would not be seen */
		close(status[0]);
		child(o, &prep, go[0], status[1]);
	}
	close(go[0]);
	close(status[1]);
	c->go_fd = go[1];
	c->status_fd = status[0];
	c->pidfd = syscall(SYS_pidfd_open, c->pid, 0);
	nt_prep_free(&prep);
	return 0;

out_go:
	close_pair(go);
out_prep:
	nt_prep_free(&prep);
	return nt_fail(e, err, "cannot start %s: %s", o->argv[0], strerror(-err));
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void forget(struct nt_child *c)
{
	close_fd(&c->go_fd);
	close_fd(&c->status_fd);
	close_fd(&c->pidfd);
	c->pid = 0;
}

static int explain(const struct nt_child *c, const struct report *r, struct nt_error *e)
{
	const char *why = strerror(r->err);

	if (!r->exec)
		return nt_fail(e, -r->err, "cannot run %s as another user: %s", c->file, why);
	if (r->err == ENOEXEC)
		why = "neither a program for this machine nor a script with a #! line";
	else if (r->err == ENOENT && !strchr(c->file, '/'))
		why = "command not found";
	return nt_fail(e, -r->err, "cannot run %s: %s", c->file, why);
}

int nt_release(struct nt_child *c, struct nt_error *e)
{
	struct report r;
	ssize_t n;
	int err;

	/* A child that failed already has closed its end: EPIPE, and its report is read below. */
	do
		n = write(c->go_fd, "", 1);
	while (n < 0 && errno == EINTR);
	close_fd(&c->go_fd);
	do
		n = read(c->status_fd, &r, sizeof(r));
	while (n < 0 && errno == EINTR);
	close_fd(&c->status_fd);
	if (n != sizeof(r))
		return 0;	/* exec closed it; so did a signal before exec, which wait tells */
	err = explain(c, &r, e);
	nt_abort_child(c);
	return err;
}

void nt_abort_child(struct nt_child *c)
{
	if (c->pid > 0) {
		kill(c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	forget(c);
}

int nt_reap(struct nt_child *c, int *wait_status, struct rusage *ru)
{
	pid_t pid = wait4(c->pid, wait_status, WNOHANG, ru);

	if (pid < 0)
		return -errno;
	if (pid != c->pid)
		return 0;
	forget(c);
	return 1;
}

int nt_exit_code(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

int nt_exec_exit_code(int err)
{
	return err == -ENOENT ? 127 : 126;
}
