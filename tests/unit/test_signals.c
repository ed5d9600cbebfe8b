// SPDX-License-Identifier: GPL-2.0-or-later
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/signals.h"

/* A workload that waits for whatever comes, with signals as a fresh process has them. */
static pid_t sleeper(const struct nt_signals *s)
{
	pid_t pid = fork();

	if (!pid) {
		nt_sigstate_dispositions(&s->found);
		nt_sigstate_mask(&s->found);
		for (;;)
			pause();
	}
	return pid;
}

static enum nt_signal_event next(struct nt_signals *s, pid_t pid)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	assert_int_equal(poll(&p, 1, 5000), 1);
	return nt_signals_read(s, pid);
}

/* The signal that ended the workload. */
static int end_of(struct nt_signals *s, pid_t pid)
{
	int status;

	assert_int_equal(next(s, pid), NT_SIG_CHILD);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return WTERMSIG(status);
}

static void forwards_what_was_sent_to_us(void **state)
{
	static const int sigs[] = { SIGTERM, SIGINT, SIGHUP };

	(void)state;
	for (size_t i = 0; i < sizeof(sigs) / sizeof(*sigs); i++) {
		struct nt_signals s;
		pid_t pid;

		assert_int_equal(nt_signals_init(&s), 0);
		pid = sleeper(&s);
		assert_int_equal(nt_signals_read(&s, pid), NT_SIG_NONE);
		kill(getpid(), sigs[i]);
		assert_int_equal(next(&s, pid), NT_SIG_STOP);
		assert_int_equal(s.stop, sigs[i]);
		assert_int_equal(end_of(&s, pid), sigs[i]);
		nt_signals_exit(&s);
	}
}

static void second_request_kills(void **state)
{
	struct nt_signals s;
	pid_t pid;

	(void)state;
	assert_int_equal(nt_signals_init(&s), 0);
	pid = sleeper(&s);
	kill(pid, SIGSTOP);	/* so that only SIGKILL ends it */
	assert_int_equal(next(&s, pid), NT_SIG_CHILD);
	kill(getpid(), SIGTERM);
	assert_int_equal(next(&s, pid), NT_SIG_STOP);
	/* timeout(1) sends to us and then to our group: still the same request. */
	kill(getpid(), SIGTERM);
	assert_int_equal(next(&s, pid), NT_SIG_STOP);
	usleep(300000);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(getpid(), SIGINT);
	assert_int_equal(next(&s, pid), NT_SIG_KILL);
	assert_int_equal(end_of(&s, pid), SIGKILL);
	nt_signals_exit(&s);
}

static void tells_size_of_the_terminal(void **state)
{
	struct nt_signals s;

	(void)state;
	assert_int_equal(nt_signals_init(&s), 0);
	kill(getpid(), SIGWINCH);
	assert_int_equal(next(&s, 0), NT_SIG_WINCH);
	assert_int_equal(nt_signals_read(&s, 0), NT_SIG_NONE);
	nt_signals_exit(&s);
}

/* nohup: an ignored SIGHUP stays ignored. */
static void leaves_ignored_signals_ignored(void **state)
{
	struct nt_signals s;

	(void)state;
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(nt_signals_init(&s), 0);
	kill(getpid(), SIGHUP);
	assert_int_equal(nt_signals_read(&s, 0), NT_SIG_NONE);
	nt_signals_exit(&s);
	signal(SIGHUP, SIG_DFL);
}

/* Inherited SIGCHLD ignored would make the kernel reap the command behind our back. */
static void restores_what_it_found(void **state)
{
	struct sigaction sa;
	struct nt_signals s;
	sigset_t mask;

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(nt_signals_init(&s), 0);
	sigaction(SIGCHLD, NULL, &sa);
	assert_ptr_equal(sa.sa_handler, SIG_DFL);
	sigaction(SIGPIPE, NULL, &sa);
	assert_ptr_equal(sa.sa_handler, SIG_IGN);
	nt_signals_exit(&s);
	sigaction(SIGCHLD, NULL, &sa);
	assert_ptr_equal(sa.sa_handler, SIG_IGN);
	sigaction(SIGPIPE, NULL, &sa);
	assert_ptr_equal(sa.sa_handler, SIG_DFL);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	assert_false(sigismember(&mask, SIGTERM));
	signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forwards_what_was_sent_to_us),
		cmocka_unit_test(second_request_kills),
		cmocka_unit_test(tells_size_of_the_terminal),
		cmocka_unit_test(leaves_ignored_signals_ignored),
		cmocka_unit_test(restores_what_it_found),
	};

	return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
