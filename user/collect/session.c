// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "collect/bpf.h"
#include "collect/launch.h"
#include "collect/machine.h"
#include "collect/passthrough.h"
#include "collect/sampler.h"
#include "collect/score.h"
#include "collect/signals.h"
#include "collect/sysview.h"
#include "collect/topology.h"
#include "model/notes.h"

#define NSEC		1000000000ULL
#define DRAIN_MS	2000

/* What an event of the loop is about. */
enum tag {
	TAG_SIGNALS,
	TAG_TIMER,
	TAG_PASS,	/* and the next: the channels */
};

struct session {
	const struct nt_session_opts *o;
	struct nt_run *r;
	struct nt_signals sig;
	struct nt_child child;
	struct nt_scores scores;
	struct nt_pass pass[2];		/* stdout and stderr of the command, or both in one */
	int npass;
	struct nt_sampler sampler;
	int epoll, timer;
	uint64_t stop_at;		/* CLOCK_MONOTONIC, ns */
	bool timed_out;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC + t.tv_nsec;
}

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static int watch(struct session *s, int fd, enum tag tag)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = tag };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

static int set_timer(struct session *s)
{
	uint64_t ns = s->o->interval_ns;
	struct itimerspec t = {
		.it_interval = { ns / NSEC, ns % NSEC },
		.it_value = { ns / NSEC, ns % NSEC },
	};

	s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (s->timer < 0 || timerfd_settime(s->timer, 0, &t, NULL))
		return -errno;
	return watch(s, s->timer, TAG_TIMER);
}

static int take_sample(struct session *s, uint64_t now)
{
	const struct nt_run *r = s->r;
	int err = nt_sampler_take(&s->sampler, now);

	if (!err && s->o->on_sample)
		s->o->on_sample(s->o->arg, r, &r->sample[r->nsamples - 1]);
	return err;
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

static int attach(struct session *s, struct nt_error *e)
{
	struct nt_run *r = s->r;
	int err, i;

	if (!s->o->bpf) {
		for (i = 0; i < NT_NFEATURE; i++)
			r->feature[i].why = strdup("--no-bpf");
		return 0;
	}
	err = nt_bpf_open(&s->sampler.bpf, &r->topo, r->feature, s->o->verbose, e);
	if (err)
		return err;
	if (r->feature[NT_F_DOMAINS].on)
		err = nt_bpf_domains(s->sampler.bpf, &r->chain, &r->nchains);
	return err ? nt_fail(e, err, "cannot read the scheduling domains: %s", strerror(-err)) : 0;
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
	nt_sampler_start(&s->sampler, now_ns());
	if (s->o->duration_ns)
		s->stop_at = s->sampler.start + s->o->duration_ns;
	return nt_release(&s->child, e);
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
	uint64_t ticks, now = now_ns();

	if (read(s->timer, &ticks, sizeof(ticks)) == sizeof(ticks))
		take_sample(s, now);
}

static int until_deadline_ms(struct session *s)
{
	uint64_t now = now_ns();

	if (!s->stop_at || s->timed_out)
		return -1;
	return now >= s->stop_at ? 0 : (s->stop_at - now + 999999) / 1000000;
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
		for (i = 0; i < n; i++) {
			if (ev[i].data.u64 == TAG_SIGNALS)
				on_signals(s);
			else if (ev[i].data.u64 == TAG_TIMER)
				on_timer(s);
			else
				nt_pass_pump(&s->pass[ev[i].data.u64 - TAG_PASS], &s->scores);
		}
		n = nt_reap(&s->child, &s->r->wait_status, ru);
		if (n)
			return n < 0 ? n : 0;
		if (!until_deadline_ms(s)) {
			s->timed_out = true;
			kill(s->child.pid, SIGTERM);
		}
	}
}

/* Pass on what the ended command wrote. A reader that stalls can be given up by a signal. */
static void drain_output(struct session *s)
{
	struct epoll_event ev;
	bool done[2] = { true, true };
	int i, n;

	for (i = 0; i < s->npass; i++)
		done[i] = nt_pass_end(&s->pass[i], &s->scores) == 1;
	while (!done[0] || !done[1]) {
		n = epoll_wait(s->epoll, &ev, 1, -1);
		if (n < 0 && errno != EINTR)
			return;
		if (n == 1 && ev.data.u64 == TAG_SIGNALS) {
			enum nt_signal_event e = nt_signals_read(&s->sig, 0);

			if (e == NT_SIG_KILL || e == NT_SIG_STOP)
				return;
		} else if (n == 1 && ev.data.u64 == TAG_TIMER) {
			uint64_t ticks;

			if (read(s->timer, &ticks, sizeof(ticks)) < 0 && errno != EAGAIN)
				return;
		} else if (n == 1) {
			i = ev.data.u64 - TAG_PASS;
			done[i] = nt_pass_pump(&s->pass[i], &s->scores) == 1;
		}
	}
}

/* The command's output did not all reach its reader: the user should know. */
static void note_lost_output(struct session *s)
{
	int i;

	for (i = 0; i < s->npass; i++)
		if (s->pass[i].write_err)
			nt_run_note(s->r, "output of the command was dropped: %s",
				    strerror(-s->pass[i].write_err));
}

static void fill_end(struct session *s, const struct rusage *ru, uint64_t end)
{
	struct nt_run *r = s->r;
	struct rusage self;

	r->ru = (struct nt_rusage){
		.elapsed = (end - s->sampler.start) / 1e9,
		.user = seconds(ru->ru_utime),
		.system = seconds(ru->ru_stime),
		.maxrss_kb = ru->ru_maxrss,
		.minflt = ru->ru_minflt,
		.majflt = ru->ru_majflt,
		.nvcsw = ru->ru_nvcsw,
		.nivcsw = ru->ru_nivcsw,
	};
	r->interrupted = s->sig.stop != 0;
	getrusage(RUSAGE_SELF, &self);
	r->self_cpu = seconds(self.ru_utime) + seconds(self.ru_stime);
	r->ended = true;
}

static int finish(struct session *s, const struct rusage *ru)
{
	uint64_t end = now_ns();
	struct nt_run *r = s->r;
	int err;

	r->alive_after = -1;
	if (s->sampler.bpf)
		nt_bpf_drain(s->sampler.bpf, DRAIN_MS, &r->alive_after, &r->lost.unfinished);
	err = take_sample(s, end);
	if (s->sampler.bpf)
		nt_bpf_losses(s->sampler.bpf, &r->lost);
	r->node_meminfo = calloc(r->topo.nnodes, sizeof(*r->node_meminfo));
	if (r->node_meminfo)
		nt_sysview_meminfo(s->sampler.sys, r->node_meminfo);
	drain_output(s);
	note_lost_output(s);
	err = err ?: nt_scores_finish(&s->scores, r);
	fill_end(s, ru, end);
	nt_note_lost_ticks(r);
	return err;
}

static void add_advice(struct session *s)
{
	const char *line[2];
	int i, n = nt_scores_advice(s->o->argv, line);

	for (i = 0; i < n; i++)
		nt_run_note(s->r, "%s", line[i]);
}

static void close_session(struct session *s)
{
	int i;

	nt_abort_child(&s->child);
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
	int err, i;

	*exit_code = 125;
	s.child.pidfd = s.child.go_fd = s.child.status_fd = -1;
	r->bpf = o->bpf;
	err = nt_run_set_command(r, o->argv, o->params, o->nparams);
	err = err ?: prepare(&s, e);
	err = err ?: hold_command(&s, e);
	err = err ?: attach(&s, e);
	if (err)
		goto out;
	add_advice(&s);
	err = watch(&s, s.sig.fd, TAG_SIGNALS);
	for (i = 0; i < s.npass && !err; i++)
		err = nt_pass_watch(&s.pass[i], s.epoll, TAG_PASS + i);
	if (err) {
		nt_fail(e, err, "cannot watch the command: %s", strerror(-err));
		goto out;
	}
	err = begin(&s, e);
	if (err) {
		if (!s.child.pid)
			*exit_code = nt_exec_exit_code(err);
		goto out;
	}
	err = loop(&s, &ru);
	err = err ?: finish(&s, &ru);
	if (err)
		nt_fail(e, err, "the run broke off: %s", strerror(-err));
	else
		*exit_code = nt_exit_code(r->wait_status);
out:
	close_session(&s);
	return err;
}
