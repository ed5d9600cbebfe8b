// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "collect/bpf.h"
#include "collect/caps.h"
#include "collect/clock.h"
#include "collect/machine.h"
#include "collect/session_priv.h"
#include "collect/tool.h"
#include "collect/topology.h"
#include "model/stress_version.h"

static int watch(struct session *s, int fd, enum tag tag)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = tag };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

static int set_timer(struct session *s)
{
	uint64_t ns = s->o->interval_ns;
	struct itimerspec t = {
		.it_interval = { ns / NT_NSEC, ns % NT_NSEC },
		.it_value = { ns / NT_NSEC, ns % NT_NSEC },
	};

	s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (s->timer < 0 || timerfd_settime(s->timer, 0, &t, NULL))
		return -errno;
	return watch(s, s->timer, TAG_TIMER);
}

void nt_session_tell(const struct session *s)
{
	const struct nt_run *r = s->r;

	if (s->o->on_sample)
		s->o->on_sample(s->o->arg, r, &r->sample[r->nsamples - 1]);
}

static void sample(struct session *s, uint64_t now)
{
	if (!nt_sampler_take(&s->sampler, now))
		nt_session_tell(s);
}

static int prepare(struct session *s, struct nt_error *e)
{
	struct nt_run *r = s->r;
	int err;

	err = nt_machine_read(r);
	err = err ?: nt_topology_read(&r->topo);
	err = err ?: nt_sampler_init(&s->sampler, r);
	if (err)
		return nt_fail(e, err, "cannot read this machine's topology and counters from "
			       "/proc and /sys: %s", strerror(-err));
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	err = s->epoll < 0 ? -errno : nt_signals_init(&s->sig);
	return err ? nt_fail(e, err, "cannot set up signals: %s", strerror(-err)) : 0;
}

static int hold_command(struct session *s, struct nt_error *e)
{
	struct nt_launch_opts l = {
		.argv = s->o->argv, .user = s->o->user,
		.stdout_fd = -1, .stderr_fd = -1, .sig = &s->sig.found,
	};
	int err, i;

	err = nt_scores_init(&s->scores, s->o->score_rules, s->o->nscore_rules, s->o->argv,
			     s->o->builtin_score, e);
	if (err)
		return err;
	if (nt_scores_wanted(&s->scores)) {
		err = nt_pass_open_std(s->pass, &s->npass);
		if (err)
			return nt_fail(e, err, "cannot pass the command's output through: %s",
				       strerror(-err));
		l.stdout_fd = s->pass[0].child_fd;
		l.stderr_fd = s->pass[s->npass - 1].child_fd;
	}
	err = nt_launch(&s->child, &l, e);
	for (i = 0; i < s->npass; i++)
		nt_pass_started(&s->pass[i]);
	return err;
}

/* The command, held; or the processes to observe, if any. */
static int hold_workload(struct session *s, struct nt_error *e)
{
	struct nt_who *who = &s->sampler.who;

	if (s->o->argv) {
		who->child = true;
		return hold_command(s, e);
	}
	who->pid = s->o->pid;
	who->npids = s->o->npids;
	return who->npids ? nt_watch_open(&s->watch, who->pid, who->npids, &s->r->process, e) : 0;
}

static int watch_all(struct session *s, struct nt_error *e)
{
	int i, err;

	err = watch(s, s->sig.fd, TAG_SIGNALS);
	err = err ?: nt_watch_add(&s->watch, s->epoll, TAG_PROCESS);
	for (i = 0; i < s->npass && !err; i++)
		err = nt_pass_watch(&s->pass[i], s->epoll, TAG_PASS + i);
	return err ? nt_fail(e, err, "cannot watch the workload: %s", strerror(-err)) : 0;
}

static int attach(struct session *s, struct nt_error *e)
{
	struct nt_run *r = s->r;
	int err, i;

	if (!s->o->bpf) {
		for (i = 0; i < NT_NFEATURE; i++)
			r->feature[i].why = strdup("--no-bpf");
		return 0;
	}
	err = nt_bpf_open(&s->sampler.bpf, &s->sampler.known, r->feature, s->o->verbose, e);
	if (err)
		return err;
	if (r->feature[NT_F_DOMAINS].on)
		err = nt_bpf_domains(s->sampler.bpf, &r->chain, &r->nchains);
	err = err ?: nt_sampler_watch_queues(&s->sampler);
	return err ? nt_fail(e, err, "cannot read the scheduling domains: %s", strerror(-err)) : 0;
}

/* Every process that did not end meanwhile must have been found. */
static int check_found(struct session *s, struct nt_error *e)
{
	nt_watch_look(&s->watch);
	if (s->sampler.who.found >= s->watch.left)
		return 0;
	return nt_fail(e, -ESRCH, "--pid: %zu of %zu processes cannot be followed from this PID "
		       "namespace", s->watch.n - s->sampler.who.found, s->watch.n);
}

/* From here on it counts: the baseline, then the command. */
static int begin(struct session *s, struct nt_error *e)
{
	int err;

	if (s->o->on_header)
		s->o->on_header(s->o->arg, s->r);
	err = nt_sampler_begin(&s->sampler);
	err = err ?: set_timer(s);
	if (err)
		return nt_fail(e, err, "cannot begin to count: %s", strerror(-err));
	nt_sampler_start(&s->sampler, nt_now_ns());
	if (s->o->duration_ns)
		s->stop_at = s->sampler.start + s->o->duration_ns;
	err = nt_caps_limit();
	if (err)
		return nt_fail(e, err, "cannot put capabilities aside: %s", strerror(-err));
	return s->o->argv ? nt_release(&s->child, e) : check_found(s, e);
}

static void on_signals(struct session *s)
{
	enum nt_signal_event ev;
	int i;

	while ((ev = nt_signals_read(&s->sig, s->child.pid)) != NT_SIG_NONE) {
		for (i = 0; ev == NT_SIG_WINCH && i < s->npass; i++)
			nt_pass_resize(&s->pass[i]);
		if (ev == NT_SIG_WINCH && s->child.pid)
			kill(s->child.pid, SIGWINCH);
	}
}

static void on_timer(struct session *s)
{
	uint64_t ticks, now = nt_now_ns();

	if (read(s->timer, &ticks, sizeof(ticks)) == sizeof(ticks))
		sample(s, now);
}

static int until_deadline_ms(const struct session *s)
{
	return s->timed_out ? -1 : nt_ms_until(s->stop_at);
}

/* Is it over? 1 or 0, or -errno. */
static int is_over(struct session *s, struct rusage *ru)
{
	if (s->o->argv)
		return nt_reap(&s->child, &s->r->wait_status, ru);
	return s->sig.stop || s->timed_out || (s->watch.n && !s->watch.left);
}

static void at_deadline(struct session *s)
{
	s->timed_out = true;
	if (s->child.pid)
		kill(s->child.pid, SIGTERM);
}

static void handle(struct session *s, uint64_t tag)
{
	if (tag == TAG_SIGNALS)
		on_signals(s);
	else if (tag == TAG_TIMER)
		on_timer(s);
	else if (tag == TAG_PROCESS)
		nt_watch_look(&s->watch);
	else
		nt_pass_pump(&s->pass[tag - TAG_PASS], &s->scores);
}

/* Until the command has ended. Its descendants are not waited for. */
static int loop(struct session *s, struct rusage *ru)
{
	struct epoll_event ev[4];
	int n, i;

	for (;;) {
		n = epoll_wait(s->epoll, ev, 4, until_deadline_ms(s));
		if (n < 0 && errno != EINTR)
			return -errno;
		for (i = 0; i < n; i++)
			handle(s, ev[i].data.u64);
		if (!until_deadline_ms(s))
			at_deadline(s);
		n = is_over(s, ru);
		if (n)
			return n < 0 ? n : 0;
	}
}

static void add_advice(struct session *s)
{
	const char *line[2];
	int i, n = s->o->argv ? nt_scores_advice(s->o->argv, line) : 0;

	for (i = 0; i < n; i++)
		nt_run_note(s->r, "%s", line[i]);
	if (nt_fstat_waits(s->r) == 1)
		nt_run_note(s->r, "%s --fstat does about one operation per instance, however long "
			    "it runs (since 0.19.01): its score says nothing", s->r->tool);
}

static void close_session(struct session *s)
{
	int i;

	nt_caps_restore();
	nt_abort_child(&s->child);
	nt_watch_close(&s->watch);
	nt_sampler_close(&s->sampler);
	for (i = 0; i < s->npass; i++)
		nt_pass_close(&s->pass[i]);
	nt_scores_free(&s->scores);
	if (s->timer >= 0)
		close(s->timer);
	if (s->epoll >= 0)
		close(s->epoll);
	nt_signals_exit(&s->sig);
}

int nt_session_run(const struct nt_session_opts *o, struct nt_run *r, int *exit_code,
		   struct nt_error *e)
{
	struct session s = { .o = o, .r = r, .epoll = -1, .timer = -1, .sig.fd = -1 };
	struct rusage ru = { 0 };
	int err;

	*exit_code = 125;
	s.child.pidfd = s.child.go_fd = s.child.status_fd = -1;
	r->bpf = o->bpf;
	err = nt_run_set_command(r, o->argv, o->params, o->nparams);
	if (!err)
		r->tool = nt_tool_version(o->argv, o->user);
	err = err ?: prepare(&s, e);
	err = err ?: hold_workload(&s, e);
	err = err ?: attach(&s, e);
	if (err)
		goto out;
	add_advice(&s);
	err = watch_all(&s, e);
	if (err)
		goto out;
	err = begin(&s, e);
	if (err) {
		if (o->argv && !s.child.pid)
			*exit_code = nt_exec_exit_code(err);
		goto out;
	}
	err = loop(&s, &ru);
	err = err ?: nt_session_finish(&s, &ru);
	if (err)
		nt_fail(e, err, "the run broke off: %s", strerror(-err));
	else
		*exit_code = o->argv ? nt_exit_code(r->wait_status) : 0;
out:
	close_session(&s);
	return err;
}
