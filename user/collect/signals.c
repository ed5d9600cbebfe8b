// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "collect/clock.h"
#include "collect/signals.h"

/*
 * timeout(1) and some shells send a signal to the process and then to its group, so one
 * request can arrive twice. A person who presses ^C again needs longer than this.
 */
#define NT_SAME_REQUEST_NS	250000000ULL

/* Taken unless they are ignored. */
static const int asked_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };

/*
 * Under nohup or in the background of a script some are ignored. They stay so: a blocked
 * signal reaches a signalfd even if it is ignored, so it must not be blocked.
 */
static bool is_ignored(int sig)
{
	struct sigaction sa;

	return !sigaction(sig, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

int nt_signals_init(struct nt_signals *s)
{
	struct sigaction ign = { .sa_handler = SIG_IGN }, dfl = { .sa_handler = SIG_DFL };
	sigset_t take;

	memset(s, 0, sizeof(*s));
	sigemptyset(&take);
	sigaddset(&take, SIGCHLD);
	sigaddset(&take, SIGWINCH);
	for (size_t i = 0; i < sizeof(asked_signals) / sizeof(*asked_signals); i++)
		if (!is_ignored(asked_signals[i]))
			sigaddset(&take, asked_signals[i]);

	s->fd = signalfd(-1, &take, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0)
		return -errno;
	sigprocmask(SIG_BLOCK, &take, &s->found.mask);
	/* A reader of our output that goes away is seen as EPIPE. */
	sigaction(SIGPIPE, &ign, &s->found.pipe);
	/* Were it ignored, the kernel would reap the command and its status be lost. */
	sigaction(SIGCHLD, &dfl, &s->found.chld);
	return 0;
}

void nt_signals_exit(struct nt_signals *s)
{
	close(s->fd);
	s->fd = -1;
	nt_sigstate_dispositions(&s->found);
	nt_sigstate_mask(&s->found);
}

void nt_sigstate_dispositions(const struct nt_sigstate *found)
{
	sigaction(SIGPIPE, &found->pipe, NULL);
	sigaction(SIGCHLD, &found->chld, NULL);
}

void nt_sigstate_mask(const struct nt_sigstate *found)
{
	sigprocmask(SIG_SETMASK, &found->mask, NULL);
}

/*
 * What the terminal sends (^C, ^\) reached the whole foreground group and with it the
 * workload. What a process sent to us alone, the workload has not seen; nor a hangup, which the
 * kernel tells the session's leader alone (tty_signal_session_leader()).
 */
static bool must_forward(const struct signalfd_siginfo *si)
{
	return si->ssi_signo == SIGTERM || si->ssi_code <= 0 ||
	       (si->ssi_signo == SIGHUP && getsid(0) == getpid());
}

static enum nt_signal_event asked_to_stop(struct nt_signals *s,
					  const struct signalfd_siginfo *si, pid_t pid)
{
	uint64_t now = nt_now_ns();

	if (s->stop) {
		if (now - s->stop_ns < NT_SAME_REQUEST_NS)
			return NT_SIG_STOP;
		if (pid > 0)
			kill(pid, SIGKILL);
		return NT_SIG_KILL;
	}
	s->stop = si->ssi_signo;
	s->stop_ns = now;
	if (pid > 0 && must_forward(si))
		kill(pid, si->ssi_signo);
	return NT_SIG_STOP;
}

/*
 * ^Z: the terminal stopped the workload as well. We stop too, so that the shell sees it, and
 * keep the time; whoever continues us alone continues the workload through us.
 */
static enum nt_signal_event suspend(struct nt_signals *s, const struct signalfd_siginfo *si,
				    pid_t pid)
{
	uint64_t since = nt_now_ns();
	sigset_t tstp;

	if (pid > 0 && must_forward(si))
		kill(pid, SIGTSTP);
	if (s->before_stop)
		s->before_stop();
	/* Not SIGSTOP: where nobody could continue us, the kernel does not let ^Z stop us. */
	sigemptyset(&tstp);
	sigaddset(&tstp, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &tstp, NULL);
	sigprocmask(SIG_BLOCK, &tstp, NULL);
	s->suspended_ns += nt_now_ns() - since;
	if (pid > 0)
		kill(pid, SIGCONT);
	return NT_SIG_CONT;
}

enum nt_signal_event nt_signals_read(struct nt_signals *s, pid_t pid)
{
	struct signalfd_siginfo si;
	ssize_t n;

	do
		n = read(s->fd, &si, sizeof(si));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(si))
		return NT_SIG_NONE;
	switch (si.ssi_signo) {
	case SIGCHLD:
		return NT_SIG_CHILD;
	case SIGWINCH:
		return NT_SIG_WINCH;
	case SIGTSTP:
		return suspend(s, &si, pid);
	default:
		return asked_to_stop(s, &si, pid);
	}
}
