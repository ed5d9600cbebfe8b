// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "pass_util.h"

#define BIG (3 << 20)

static char big_path[] = "/tmp/nt-pass-XXXXXX";
static char *big;

/* Every byte value, no period that a buffer size could hide. */
static int make_big(void **state)
{
	int fd = mkstemp(big_path);
	unsigned int x = 1;

	(void)state;
	big = malloc(BIG);
	for (size_t i = 0; i < BIG; i++)
		big[i] = (x = x * 1103515245 + 12345) >> 16;
	return fd < 0 || write(fd, big, BIG) != BIG || close(fd);
}

static int remove_big(void **state)
{
	(void)state;
	free(big);
	return unlink(big_path);
}

static void carries_big(int orig_fd, int sink_fd, bool pty)
{
	struct ride r = { .orig_fd = orig_fd, .sink_fd = sink_fd, .room = BIG + 1 };
	char script[64];

	r.got = malloc(r.room);
	snprintf(script, sizeof(script), "cat %s", big_path);
	ride(&r, script, NULL);
	assert_int_equal(r.pty, pty);
	assert_int_equal(nt_exit_code(r.status), 0);
	assert_int_equal(r.len, BIG);
	assert_memory_equal(r.got, big, BIG);
	free(r.got);
}

static void carries_bytes_through_a_pipe(void **state)
{
	int fd[2];

	(void)state;
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	carries_big(fd[1], fd[0], false);
	close(fd[0]);
	close(fd[1]);
}

static void carries_bytes_through_a_pty(void **state)
{
	int master, slave = open_terminal(&master);

	(void)state;
	carries_big(slave, master, true);
	close(slave);
	close(master);
}

static void carries_bytes_to_a_file(void **state)
{
	FILE *f = tmpfile();
	char *got = malloc(BIG + 1), script[64];
	struct ride r = { .orig_fd = fileno(f), .sink_fd = -1 };

	(void)state;
	snprintf(script, sizeof(script), "cat %s", big_path);
	ride(&r, script, NULL);
	assert_int_equal(pread(fileno(f), got, BIG + 1, 0), BIG);
	assert_memory_equal(got, big, BIG);
	free(got);
	fclose(f);
}

/* isatty() stays true, the size is the terminal's, session and terminal are the old ones. */
static void keeps_the_terminal_a_terminal(void **state)
{
	int master, slave = open_terminal(&master);
	struct winsize ws = { .ws_row = 33, .ws_col = 77 };
	struct ride r = { .orig_fd = slave, .sink_fd = master, .room = 256 };
	char got[256] = "", expected[64];

	(void)state;
	r.got = got;
	r.room = sizeof(got) - 1;
	ioctl(slave, TIOCSWINSZ, &ws);
	ride(&r, "test -t 1 && stty size <&1; ps -o sid= -p $$ | tr -d ' '; echo x", NULL);
	snprintf(expected, sizeof(expected), "33 77\n%d\nx\n", (int)getsid(0));
	assert_string_equal(got, expected);
	close(slave);
	close(master);
}

static void follows_a_resize(void **state)
{
	int master, slave = open_terminal(&master);
	struct winsize ws = { .ws_row = 10, .ws_col = 20 }, now;
	struct nt_pass p;

	(void)state;
	assert_int_equal(nt_pass_open(&p, slave), 0);
	ioctl(slave, TIOCSWINSZ, &ws);
	nt_pass_resize(&p);
	assert_int_equal(ioctl(p.child_fd, TIOCGWINSZ, &now), 0);
	assert_int_equal(now.ws_col, 20);
	nt_pass_close(&p);
	close(slave);
	close(master);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void does_not_wait_for_descendants(int orig_fd, int sink_fd)
{
	char got[64] = "";
	struct ride r = { .orig_fd = orig_fd, .sink_fd = sink_fd, .got = got,
			  .room = sizeof(got) - 1 };
	double t = seconds();

	ride(&r, "sleep 5 & echo $!; printf end", NULL);
	assert_true(seconds() - t < 3);
	assert_non_null(strstr(got, "\nend"));
	kill(atoi(got), SIGKILL);
}

static void grandchild_keeps_the_channel(void **state)
{
	int fd[2], master, slave = open_terminal(&master);

	(void)state;
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	does_not_wait_for_descendants(fd[1], fd[0]);
	does_not_wait_for_descendants(slave, master);
	close(fd[0]);
	close(fd[1]);
	close(slave);
	close(master);
}

/* A descendant that prints for ever: what was there at the end is taken, and that is all. */
static void grandchild_prints_for_ever(void **state)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct ride r = { .orig_fd = null, .sink_fd = -1 };
	double t = seconds();

	(void)state;
	ride(&r, "timeout 5 yes & sleep 0.2", NULL);
	assert_true(seconds() - t < 3);
	close(null);
}

static void survives_a_closed_reader(void **state)
{
	static const char *const rule[] = { "n=n=([0-9]+)" };
	struct ride r = { .sink_fd = -1 };
	struct nt_scores s;
	struct nt_error e;
	int fd[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(nt_scores_init(&s, rule, 1, NULL, true, &e), 0);
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	close(fd[0]);
	r.orig_fd = fd[1];
	ride(&r, "seq 100000; echo n=42", &s);
	assert_int_equal(r.write_err, -EPIPE);
	assert_int_equal(nt_exit_code(r.status), 0);
	assert_true(s.rule[0].found && s.rule[0].value == 42);
	nt_scores_free(&s);
	close(fd[1]);
	signal(SIGPIPE, SIG_DFL);
}

static void does_not_wait_for_room_in_the_read_end(void **state)
{
	struct ride r = { .sink_fd = -1 };
	int fd[2];

	(void)state;
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	r.orig_fd = fd[0];
	ride(&r, "echo x", NULL);
	assert_int_equal(r.write_err, -EBADF);
	close(fd[0]);
	close(fd[1]);
}

/* The reader stalls: nothing blocks, nothing spins, and all arrives once it reads on. */
static void waits_for_a_slow_reader(void **state)
{
	int fd[2], epfd = epoll_create1(EPOLL_CLOEXEC), wakeups = 0;
	struct epoll_event ev;
	struct nt_child c;
	struct nt_pass p;
	char script[64];

	(void)state;
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	snprintf(script, sizeof(script), "cat %s", big_path);
	start_ride(&p, &c, script, fd[1]);
	assert_int_equal(nt_pass_watch(&p, epfd, 1), 0);
	while (epoll_wait(epfd, &ev, 1, 200) == 1 && wakeups++ < 1000)
		assert_int_equal(nt_pass_pump(&p, NULL), 0);
	assert_true(wakeups < 100);
	assert_true(p.watch_out && !p.watch_in);
	nt_abort_child(&c);
	assert_int_equal(nt_pass_end(&p, NULL), 0);
	nt_pass_close(&p);
	close(fd[0]);
	close(fd[1]);
	close(epfd);
}

static void offers_lines(void **state)
{
	static const char *const rules[] = { "a=^a=([0-9]+)$", "long=^x.*y=([0-9]+)",
					     "last=^last=([0-9]+)$", "color=^rate ([0-9]+)$",
					     "raw=raw.*=([0-9]+)" };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct ride r = { .orig_fd = null, .sink_fd = -1 };
	struct nt_scores s;
	struct nt_error e;

	(void)state;
	assert_int_equal(nt_scores_init(&s, rules, 5, NULL, true, &e), 0);
	ride(&r, "printf 'a='; sleep 0.1; printf '17\\r\\n'; "
	     "printf 'x%05000dy=5\\n' 0; "
	     "printf '\\033[1;32mrate \\033[0m99\\n'; "
	     "printf 'raw\\377\\376\\0\\303(=8\\n'; "
	     "printf 'last=3'", &s);
	assert_true(s.rule[0].found && s.rule[0].value == 17);
	assert_false(s.rule[1].matched);	/* too long to be looked at */
	assert_true(s.rule[2].found && s.rule[2].value == 3);
	assert_true(s.rule[3].found && s.rule[3].value == 99);
	assert_true(s.rule[4].found && s.rule[4].value == 8);
	nt_scores_free(&s);
	close(null);
}

/* stdout and stderr in one place share a channel; two openings of a file do not. */
static void joins_streams_of_one_place(void **state)
{
	int out = dup(1), err = dup(2), a = open(big_path, O_RDONLY), b = open(big_path, O_RDONLY);
	int fd[2], joined, apart, piped;
	struct nt_pass p[2];

	(void)state;
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	fflush(stdout);
	dup2(a, 1);
	dup2(1, 2);
	nt_pass_open_std(p, &joined);
	for (int i = 0; i < joined; i++)
		nt_pass_close(&p[i]);
	dup2(b, 2);
	nt_pass_open_std(p, &apart);
	for (int i = 0; i < apart; i++)
		nt_pass_close(&p[i]);
	dup2(fd[1], 1);
	dup2(fd[1], 2);
	nt_pass_open_std(p, &piped);
	for (int i = 0; i < piped; i++)
		nt_pass_close(&p[i]);
	dup2(out, 1);
	dup2(err, 2);
	assert_int_equal(joined, 1);
	assert_int_equal(apart, 2);
	assert_int_equal(piped, 1);
	for (int *f = (int[]){ out, err, a, b, fd[0], fd[1], -1 }; *f >= 0; f++)
		close(*f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(carries_bytes_through_a_pipe),
		cmocka_unit_test(carries_bytes_through_a_pty),
		cmocka_unit_test(carries_bytes_to_a_file),
		cmocka_unit_test(keeps_the_terminal_a_terminal),
		cmocka_unit_test(follows_a_resize),
		cmocka_unit_test(grandchild_keeps_the_channel),
		cmocka_unit_test(grandchild_prints_for_ever),
		cmocka_unit_test(survives_a_closed_reader),
		cmocka_unit_test(does_not_wait_for_room_in_the_read_end),
		cmocka_unit_test(waits_for_a_slow_reader),
		cmocka_unit_test(offers_lines),
		cmocka_unit_test(joins_streams_of_one_place),
	};

	return cmocka_run_group_tests_name("passthrough", tests, make_big, remove_big);
}
