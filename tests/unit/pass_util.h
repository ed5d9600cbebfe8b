/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command and what carries its output, for tests. Include after cmocka.h. */
#ifndef NT_TEST_PASS_UTIL_H
#define NT_TEST_PASS_UTIL_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <termios.h>
#include <unistd.h>

#include "collect/launch.h"
#include "collect/passthrough.h"

/* A terminal that changes nothing: slave to write to, master to see what arrives. */
static inline int open_terminal(int *master)
{
	struct termios t;
	int fd;

	*master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(*master >= 0);
	assert_int_equal(grantpt(*master) | unlockpt(*master), 0);
	fd = open(ptsname(*master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(fd >= 0);
	tcgetattr(fd, &t);
	cfmakeraw(&t);
	tcsetattr(fd, TCSANOW, &t);
	return fd;
}

/* One session loop in small: the command's output to orig_fd, what sink_fd gives to *got. */
struct ride {
	int orig_fd, sink_fd;
	char *got;
	size_t len, room;
	int status, write_err;
	bool pty;
};

static inline void drain_sink(struct ride *r)
{
	ssize_t n;

	while (r->sink_fd >= 0 && r->len < r->room) {
		n = read(r->sink_fd, r->got + r->len, r->room - r->len);
		if (n <= 0)
			return;
		r->len += n;
	}
}

static inline void start_ride(struct nt_pass *p, struct nt_child *c, char *script,
			      int orig_fd)
{
	char *argv[] = { "sh", "-c", script, NULL };
	struct nt_launch_opts o = { .argv = argv, .stderr_fd = -1 };
	struct nt_error e;

	assert_int_equal(nt_pass_open(p, orig_fd), 0);
	o.stdout_fd = p->child_fd;
	assert_int_equal(nt_launch(c, &o, &e), 0);
	nt_pass_started(p);
	assert_int_equal(nt_release(c, &e), 0);
}

static inline void ride(struct ride *r, char *script, struct nt_scores *s)
{
	int epfd = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event ev;
	struct rusage ru;
	struct nt_child c;
	struct nt_pass p;
	bool done = false, ended = false;

	if (r->sink_fd >= 0)
		fcntl(r->sink_fd, F_SETFL, O_NONBLOCK);
	start_ride(&p, &c, script, r->orig_fd);
	r->pty = p.pty;
	assert_int_equal(nt_pass_watch(&p, epfd, 7), 0);
	for (int i = 0; i < 200000 && !(done && ended); i++) {
		if (epoll_wait(epfd, &ev, 1, 2) == 1) {
			assert_int_equal(ev.data.u64, 7);
			done = nt_pass_pump(&p, s) == 1;
		}
		drain_sink(r);
		if (!ended && nt_reap(&c, &r->status, &ru) == 1) {
			ended = true;
			done = nt_pass_end(&p, s) == 1;
		}
	}
	assert_true(done && ended);
	assert_int_equal(nt_pass_pump(&p, s), 1);
	drain_sink(r);
	r->write_err = p.write_err;
	nt_pass_close(&p);
	close(epfd);
}

#endif
