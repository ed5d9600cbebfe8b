// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "collect/bpf.h"
#include "collect/launch.h"
#include "collect/machine.h"
#include "collect/passthrough.h"
#include "collect/score.h"
#include "collect/signals.h"
#include "collect/sysview.h"
#include "collect/topology.h"

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
	struct nt_sysview *sys;
	struct nt_bpf *bpf;
	char *online;			/* CPUs on line at the last sample */
	struct nt_counters before;	/* kernel side at the last sample, never falling */
	int epoll, timer;
	uint64_t start, last, stop_at;	/* CLOCK_MONOTONIC, ns */
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

/* A time read while a task was in the middle of a move can be short: it never falls here. */
static void keep_rising(struct nt_cpu_time *is, const struct nt_cpu_time *was)
{
	is->exec = is->exec > was->exec ? is->exec : was->exec;
	is->utime = is->utime > was->utime ? is->utime : was->utime;
	is->stime = is->stime > was->stime ? is->stime : was->stime;
}

/* The kernel side of a sample: what came since the last one is added to *delta. */
static int sample_bpf(struct session *s, struct nt_counters *delta)
{
	struct nt_counters now, diff;
	int err, i;

	err = nt_counters_init(&now, s->r->topo.nnodes);
	if (err)
		return err;
	err = nt_bpf_read(s->bpf, &s->r->topo, &now);
	for (i = 0; !err && i < now.nnodes; i++)
		keep_rising(&now.node[i].wl, &s->before.node[i].wl);
	err = err ?: nt_counters_sub(&diff, &now, &s->before);
	if (err) {
		nt_counters_free(&now);
		return err;
	}
	nt_counters_free(&s->before);
	s->before = now;
	err = nt_counters_add(delta, &diff);
	nt_counters_free(&diff);
	return err;
}

/* Index in the old numbering of a node or cache of the new one; -1 if it is new itself. */
static int old_llc(const struct nt_topology *was, const struct nt_topology *now, int llc)
{
	int cpu;

	for (cpu = 0; cpu < was->cpu_ids && cpu < now->cpu_ids; cpu++)
		if (now->cpu_llc[cpu] == llc && was->cpu_llc[cpu] >= 0)
			return was->cpu_llc[cpu];
	return -1;
}

static int old_node(const struct nt_topology *was, int id)
{
	int i;

	for (i = 0; i < was->nnodes; i++)
		if (was->node[i].id == id)
			return i;
	return -1;
}

/* A CPU that was off line at the start takes its place in the topology of the start. */
static void adopt_cpu(struct nt_topology *was, const struct nt_topology *now, int cpu)
{
	was->cpu_node[cpu] = old_node(was, now->node[now->cpu_node[cpu]].id);
	if (now->cpu_llc[cpu] < 0)
		return;
	was->cpu_llc[cpu] = old_llc(was, now, now->cpu_llc[cpu]);
	if (was->cpu_llc[cpu] < 0)
		was->cpu_llc[cpu] = was->llcs++;
}

/* Node membership of CPUs that came online since the start. */
static void refresh_places(struct session *s, const char *online)
{
	struct nt_topology now;
	int cpu;

	if (!strcmp(s->online, online))
		return;
	free(s->online);
	s->online = strdup(online);
	if (!s->online)
		return;
	nt_run_note(s->r, "CPUs went on or off line during the run: %s online at %.1f s", online,
		    (s->last - s->start) / 1e9);
	if (nt_topology_read(&now))
		return;
	/* A CPU that left keeps its place: what it did is still counted there. */
	for (cpu = 0; cpu < now.cpu_ids && cpu < s->r->topo.cpu_ids; cpu++)
		if (now.cpu_node[cpu] >= 0 && s->r->topo.cpu_node[cpu] < 0)
			adopt_cpu(&s->r->topo, &now, cpu);
	nt_topology_free(&now);
	if (s->bpf)
		nt_bpf_set_places(s->bpf, &s->r->topo);
}

static int take_sample(struct session *s, uint64_t now)
{
	struct nt_sample sample = { 0 };
	int err;

	sample.t = (now - s->start) / 1e9;
	sample.dt = (now - s->last) / 1e9;
	err = nt_counters_init(&sample.c, s->r->topo.nnodes);
	err = err ?: nt_sysview_sample(s->sys, &sample.c, &sample.online);
	if (!err && s->bpf)
		err = sample_bpf(s, &sample.c);
	err = err ?: nt_counters_add(&s->r->total, &sample.c);
	if (err) {
		nt_counters_free(&sample.c);
		free(sample.online);
		return err;
	}
	s->last = now;
	refresh_places(s, sample.online);
	if (s->o->on_sample)
		s->o->on_sample(s->o->arg, s->r, &sample);
	return nt_run_add_sample(s->r, &sample);
}

static int stamp(struct nt_run *r)
{
	char text[32];
	struct tm tm;
	time_t now = time(NULL);

	if (!gmtime_r(&now, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		text[0] = '\0';
	r->started = strdup(text);
	r->version = strdup(NT_VERSION);
	return r->started && r->version ? 0 : -ENOMEM;
}

static int prepare(struct session *s, struct nt_error *e)
{
	struct nt_run *r = s->r;
	int err;

	err = stamp(r);
	err = err ?: nt_machine_read(r);
	err = err ?: nt_topology_read(&r->topo);
	err = err ?: nt_counters_init(&r->total, r->topo.nnodes);
	err = err ?: nt_counters_init(&s->before, r->topo.nnodes);
	err = err ?: nt_sysview_open(&s->sys, &r->topo);
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
	err = nt_bpf_open(&s->bpf, &r->topo, r->feature, s->o->verbose, e);
	if (err)
		return err;
	if (r->feature[NT_F_DOMAINS].on)
		err = nt_bpf_domains(s->bpf, &r->chain, &r->nchains);
	return err ? nt_fail(e, err, "cannot read the scheduling domains: %s", strerror(-err)) : 0;
}

/* From here on it counts: the baseline, then the command. */
static int begin(struct session *s, struct nt_error *e)
{
	struct nt_counters none;
	int err;

	if (s->o->on_header)
		s->o->on_header(s->o->arg, s->r);
	err = nt_counters_init(&none, s->r->topo.nnodes);
	err = err ?: nt_sysview_sample(s->sys, &none, &s->online);
	nt_counters_free(&none);
	if (!err && s->bpf)
		err = nt_bpf_adopt(s->bpf, &s->r->topo);
	err = err ?: set_timer(s);
	if (err)
		return nt_fail(e, err, "cannot begin to count: %s", strerror(-err));
	s->start = s->last = now_ns();
	if (s->o->duration_ns)
		s->stop_at = s->start + s->o->duration_ns;
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
		.elapsed = (end - s->start) / 1e9,
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
	if (s->bpf)
		nt_bpf_drain(s->bpf, DRAIN_MS, &r->alive_after, &r->lost.unfinished);
	err = take_sample(s, end);
	if (s->bpf)
		nt_bpf_losses(s->bpf, &r->lost);
	r->node_meminfo = calloc(r->topo.nnodes, sizeof(*r->node_meminfo));
	if (r->node_meminfo)
		nt_sysview_meminfo(s->sys, r->node_meminfo);
	drain_output(s);
	note_lost_output(s);
	err = err ?: nt_scores_finish(&s->scores, r);
	fill_end(s, ru, end);
	return err;
}

static void add_advice(struct session *s)
{
	const char *line[2];
	int i, n = nt_scores_advice(s->o->argv, line);

	for (i = 0; i < n; i++)
		nt_run_note(s->r, "%s", line[i]);
}

static int copy_strings(char ***dst, const char *const *src, size_t n)
{
	size_t i;

	*dst = calloc(n + 1, sizeof(**dst));
	if (!*dst)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		(*dst)[i] = strdup(src[i]);
		if (!(*dst)[i])
			return -ENOMEM;
	}
	return 0;
}

static int copy_labels(struct nt_run *r, const struct nt_session_opts *o)
{
	size_t argc = 0;
	int err;

	while (o->argv[argc])
		argc++;
	err = copy_strings(&r->argv, (const char *const *)o->argv, argc);
	if (!err && o->nparams)
		err = copy_strings(&r->param, o->params, o->nparams);
	return err;
}

static void close_session(struct session *s)
{
	int i;

	nt_abort_child(&s->child);
	nt_bpf_close(s->bpf);
	for (i = 0; i < s->npass; i++)
		nt_pass_close(&s->pass[i]);
	nt_scores_free(&s->scores);
	nt_sysview_free(s->sys);
	nt_counters_free(&s->before);
	free(s->online);
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
	err = copy_labels(r, o);
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
