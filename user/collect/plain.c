// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/plain.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "collect/clock.h"
#include "collect/launch.h"
#include "collect/signals.h"

static int wait_for(struct nt_child *c, struct nt_signals *sig, uint64_t duration_ns,
		    int *wait_status)
{
	struct pollfd fd = { .fd = sig->fd, .events = POLLIN };
	uint64_t stop_at = duration_ns ? nt_now_ns() + duration_ns : 0;
	struct rusage ru;
	int n;

	for (;;) {
		if (poll(&fd, 1, nt_ms_until(stop_at)) < 0 && errno != EINTR)
			return -errno;
		while (nt_signals_read(sig, c->pid) != NT_SIG_NONE)
			;
		n = nt_reap(c, wait_status, &ru);
		if (n)
			return n < 0 ? n : 0;
		if (stop_at && !nt_ms_until(stop_at)) {
			stop_at = 0;
			kill(c->pid, SIGTERM);
		}
	}
}

int nt_plain_run(const struct nt_plain_opts *o, int *exit_code, int *stop, struct nt_error *e)
{
	struct nt_signals sig;
	struct nt_launch_opts l = {
		.argv = o->argv, .user = o->user,
		.stdout_fd = o->to_stderr ? STDERR_FILENO : -1, .stderr_fd = -1,
		.sig = &sig.found,
	};
	struct nt_child c;
	int err, status = 0;

	*exit_code = 125;
	*stop = 0;
	err = nt_signals_init(&sig);
	if (err)
		return nt_fail(e, err, "cannot set up signals: %s", strerror(-err));
	err = nt_launch(&c, &l, e);
	if (err)
		goto out;
	err = nt_release(&c, e);
	if (err) {
		*exit_code = nt_exec_exit_code(err);
		goto out;
	}
	err = wait_for(&c, &sig, o->duration_ns, &status);
	if (err)
		nt_fail(e, err, "cannot wait for %s: %s", o->argv[0], strerror(-err));
	else
		*exit_code = nt_exit_code(status);
	nt_abort_child(&c);
	*stop = sig.stop;
out:
	nt_signals_exit(&sig);
	return err;
}
