// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "collect/passthrough.h"

#define BUF_SIZE	65536
/* Rounds of one pump, so that a command that prints without end does not starve the loop. */
#define MAX_ROUNDS	16
/* More than a pty ever holds back (8 KiB in flight, 4 KiB ready to read). */
#define PTY_LAST	65536

static void watch_fd(int epfd, int fd, bool on, uint32_t events, uint64_t tag)
{
	struct epoll_event ev = { .events = events, .data.u64 = tag };

	/* A regular file cannot be watched (EPERM) and needs not: it never makes us wait. */
	epoll_ctl(epfd, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd, &ev);
}

/* Waits for the one thing that is missing: room while bytes are held, else bytes. */
static void update_watch(struct nt_pass *p)
{
	bool out = p->fd >= 0 && p->off < p->len;
	bool in = p->fd >= 0 && !out;

	if (p->epfd < 0)
		return;
	if (in != p->watch_in && p->fd >= 0)
		watch_fd(p->epfd, p->fd, in, EPOLLIN, p->tag);
	if (out != p->watch_out)
		watch_fd(p->epfd, p->out_fd, out, EPOLLOUT, p->tag);
	p->watch_in = in;
	p->watch_out = out;
}

int nt_pass_watch(struct nt_pass *p, int epfd, uint64_t tag)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = tag };

	if (epoll_ctl(epfd, EPOLL_CTL_ADD, p->fd, &ev))
		return -errno;
	p->epfd = epfd;
	p->tag = tag;
	p->watch_in = true;
	return 0;
}

static void close_fds(struct nt_pass *p)
{
	nt_pass_started(p);
	if (p->fd >= 0)
		close(p->fd);	/* which ends its watch too */
	p->fd = -1;
}

/*
 * No new session and no controlling terminal: job control goes on through the real
 * terminal. Its output processing still happens there, so none here.
 */
static int open_pty(struct nt_pass *p)
{
	struct termios t;
	int err;

	p->fd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (p->fd < 0)
		return -errno;
	if (grantpt(p->fd) || unlockpt(p->fd))
		goto fail;
	p->child_fd = ioctl(p->fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (p->child_fd < 0)
		goto fail;
	if (tcgetattr(p->orig_fd, &t) && tcgetattr(p->child_fd, &t))
		goto fail;
	t.c_oflag &= ~OPOST;
	t.c_lflag &= ~(ECHO | ECHONL | ISIG);
	if (tcsetattr(p->child_fd, TCSANOW, &t))
		goto fail;
	p->pty = true;
	nt_pass_resize(p);
	return 0;

fail:
	err = -errno;
	close_fds(p);
	return err;
}

static int open_pipe(struct nt_pass *p)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return -errno;
	/* Only our end: the flag of the other belongs to the command. */
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	p->fd = fd[0];
	p->child_fd = fd[1];
	return 0;
}

/*
 * A terminal can take less than a write and then makes it wait, whatever poll() said. Only
 * a descriptor of our own can be nonblocking without being so for the shell too.
 */
static int reopen(int tty)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", tty);
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? tty : fd;
}

int nt_pass_open(struct nt_pass *p, int orig_fd)
{
	struct stat st;
	int err = -1;

	memset(p, 0, sizeof(*p));
	p->fd = p->child_fd = p->epfd = -1;
	p->orig_fd = p->out_fd = orig_fd;
	p->regular = !fstat(orig_fd, &st) && S_ISREG(st.st_mode);
	/* poll() would never see room in it. */
	if ((fcntl(orig_fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
		p->write_err = -EBADF;
	p->buf = malloc(BUF_SIZE);
	if (!p->buf)
		return -ENOMEM;
	if (isatty(orig_fd)) {
		err = open_pty(p);
		p->out_fd = reopen(orig_fd);
	}
	/* Without ptys (a chroot) the output is still right; only isatty() changes. */
	if (err)
		err = open_pipe(p);
	if (err)
		nt_pass_close(p);
	return err;
}

/* Whether bytes to either land in the same place, one after the other. */
static bool same_place(int a, int b)
{
	struct stat sa, sb;
	pid_t self = getpid();

	if (fstat(a, &sa) || fstat(b, &sb) || sa.st_dev != sb.st_dev || sa.st_ino != sb.st_ino)
		return false;
	/* A file opened twice has two offsets: ">f 2>f" is not ">f 2>&1". */
	return !S_ISREG(sa.st_mode) || !syscall(SYS_kcmp, self, self, KCMP_FILE, a, b);
}

int nt_pass_open_std(struct nt_pass p[2], int *n)
{
	int err = nt_pass_open(&p[0], STDOUT_FILENO);

	*n = 1;
	if (err || same_place(STDOUT_FILENO, STDERR_FILENO))
		return err;
	err = nt_pass_open(&p[1], STDERR_FILENO);
	if (err)
		nt_pass_close(&p[0]);
	*n = 2;
	return err;
}

void nt_pass_started(struct nt_pass *p)
{
	if (p->child_fd >= 0)
		close(p->child_fd);
	p->child_fd = -1;
}

void nt_pass_resize(struct nt_pass *p)
{
	struct winsize ws;

	if (p->pty && !ioctl(p->orig_fd, TIOCGWINSZ, &ws))
		ioctl(p->fd, TIOCSWINSZ, &ws);
}

/*
 * Plain text of a line: a program that believes in a terminal colours its numbers and ends
 * lines with CR LF.
 */
static void strip_line(char *line, size_t len)
{
	size_t out = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i] == '\033' && i + 1 < len && line[i + 1] == '[') {
			for (i += 2; i < len && (line[i] < '@' || line[i] > '~'); i++)
				;
			continue;
		}
		if (line[i])
			line[out++] = line[i];
	}
	while (out && line[out - 1] == '\r')
		out--;
	line[out] = '\0';
}

static void end_line(struct nt_pass *p, struct nt_scores *s)
{
	if (p->line_len && !p->line_too_long) {
		strip_line(p->line, p->line_len);
		nt_scores_line(s, p->line);
	}
	p->line_len = 0;
	p->line_too_long = false;
}

static void take_lines(struct nt_pass *p, struct nt_scores *s, const char *b, size_t n)
{
	while (s && n) {
		const char *nl = memchr(b, '\n', n);
		size_t part = nl ? (size_t)(nl - b) : n;

		if (part >= sizeof(p->line) - p->line_len) {
			p->line_too_long = true;
		} else {
			memcpy(p->line + p->line_len, b, part);
			p->line_len += part;
		}
		if (!nl)
			return;
		end_line(p, s);
		b += part + 1;
		n -= part + 1;
	}
}

/*
 * How many of n bytes can be written without waiting. A pipe is shared with whoever started
 * us, so O_NONBLOCK is not ours to set; but where poll() sees room, it takes PIPE_BUF bytes.
 */
static size_t room(const struct nt_pass *p, size_t n)
{
	struct pollfd pfd = { .fd = p->out_fd, .events = POLLOUT };

	if (p->regular)
		return n;
	if (poll(&pfd, 1, 0) <= 0)
		return 0;
	return n < PIPE_BUF ? n : PIPE_BUF;
}

/* true: the buffer is empty. */
static bool flush_out(struct nt_pass *p)
{
	while (p->off < p->len && !p->write_err) {
		size_t n = room(p, p->len - p->off);
		ssize_t done;

		if (!n)
			return false;
		done = write(p->out_fd, p->buf + p->off, n);
		if (done >= 0)
			p->off += done;
		else if (errno == EAGAIN)
			return false;
		else if (errno != EINTR)
			p->write_err = -errno;
	}
	/* Nobody to write to: the command goes on, and its score is still read. */
	p->off = p->len = 0;
	return true;
}

/* 1: bytes came. 0: none now. -1: none will come. */
static int fill(struct nt_pass *p, struct nt_scores *s)
{
	size_t want = p->ending && p->last < BUF_SIZE ? p->last : BUF_SIZE;
	ssize_t n;

	if (!want)
		return -1;
	do
		n = read(p->fd, p->buf, want);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return p->ending ? -1 : 0;
	if (n <= 0)
		return -1;	/* a pty whose other side is closed reads as EIO */
	p->len = n;
	if (p->ending)
		p->last -= n;
	take_lines(p, s, p->buf, n);
	return 1;
}

static void finish(struct nt_pass *p, struct nt_scores *s)
{
	if (s)
		end_line(p, s);
	nt_pass_close(p);
}

int nt_pass_pump(struct nt_pass *p, struct nt_scores *s)
{
	bool room_left;
	int got = 1;

	if (p->fd < 0)
		return 1;
	room_left = flush_out(p);
	for (int i = 0; (i < MAX_ROUNDS || p->ending) && room_left && got > 0; i++) {
		got = fill(p, s);
		if (got > 0)
			room_left = flush_out(p);
	}
	if (got < 0) {
		finish(p, s);
		return 1;
	}
	update_watch(p);
	return 0;
}

int nt_pass_end(struct nt_pass *p, struct nt_scores *s)
{
	int held = 0;

	if (p->fd < 0)
		return 1;
	p->ending = true;
	p->last = PTY_LAST;
	if (!p->pty && !ioctl(p->fd, FIONREAD, &held))
		p->last = held;
	return nt_pass_pump(p, s);
}

void nt_pass_close(struct nt_pass *p)
{
	if (p->epfd >= 0 && p->watch_out)
		watch_fd(p->epfd, p->out_fd, false, 0, p->tag);
	close_fds(p);
	if (p->out_fd != p->orig_fd)
		close(p->out_fd);
	p->out_fd = p->orig_fd;
	free(p->buf);
	p->buf = NULL;
}
