// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of a session. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collect/clock.h"
#include "collect/session_priv.h"
#include "collect/sysview.h"
#include "collect/topology.h"
#include "model/notes.h"

#define DRAIN_MS	2000

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
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

/* A signal is the way to end an observation that was given no duration: no interruption. */
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
	r->interrupted = s->sig.stop && (s->o->argv || s->o->duration_ns);
	getrusage(RUSAGE_SELF, &self);
	r->self_cpu = seconds(self.ru_utime) + seconds(self.ru_stime);
	r->ended = true;
}

/*
 * The last sample is of the instant of the end. Who lives on, and whose end is outstanding? If all
 * have ended, the rest is waited for, and what they ran is added. An observation that is cut off
 * goes on without us, and waiting would only make it longer.
 */
static int last_sample(struct session *s, uint64_t end)
{
	bool cut_off = !s->o->argv && s->watch.left;
	struct nt_run *r = s->r;
	int err;

	/* What is runnable after the workload's end says nothing about it. */
	if (s->o->argv || (s->watch.n && !s->watch.left))
		s->sampler.queues = false;
	err = nt_sampler_take(&s->sampler, end);
	r->alive_after = -1;
	if (err)
		return err;
	if (s->sampler.bpf && nt_has_workload(r)) {
		nt_bpf_drain(s->sampler.bpf, cut_off ? 0 : DRAIN_MS, &r->alive_after,
			     &r->lost.unfinished);
		err = cut_off ? 0 : nt_sampler_settle(&s->sampler);
	}
	nt_session_tell(s);
	return err;
}

static void note_ends(struct session *s)
{
	if (s->sig.suspended_ns)
		nt_run_note(s->r, "suspended (^Z) for %.1f s: elapsed time includes that, and so "
			    "does what is given per second or in percent of it",
			    s->sig.suspended_ns / 1e9);
	if (s->watch.n && !s->watch.left)
		nt_run_note(s->r, "the observation ended with the last of its processes");
	else if (s->watch.left < s->watch.n)
		nt_run_note(s->r, "%zu of the %zu observed processes ended before the observation",
			    s->watch.n - s->watch.left, s->watch.n);
	if (s->o->warmups)
		nt_run_note(s->r, "after %lu warm-up run%s that were not measured", s->o->warmups,
			    s->o->warmups == 1 ? "" : "s");
}

/* A machine that cannot be read now says nothing of the run. */
static int note_changes(struct session *s)
{
	struct nt_run *r = s->r, end = { 0 };
	bool chains = s->sampler.bpf && r->feature[NT_F_DOMAINS].on;
	int err = nt_topology_read(&end.topo);

	chains = !err && chains && !nt_bpf_domains(s->sampler.bpf, &end.chain, &end.nchains);
	if (!err)
		err = nt_note_changes(r, &end, chains);
	nt_run_free(&end);
	return err == -ENOMEM ? err : 0;
}

int nt_session_finish(struct session *s, const struct rusage *ru)
{
	uint64_t end = nt_now_ns();
	struct nt_run *r = s->r;
	int err;

	err = last_sample(s, end);
	if (s->sampler.bpf)
		nt_bpf_losses(s->sampler.bpf, &r->lost);
	r->node_meminfo = calloc(r->topo.nnodes, sizeof(*r->node_meminfo));
	if (r->node_meminfo)
		nt_sysview_meminfo(s->sampler.sys, r->node_meminfo);
	drain_output(s);
	note_lost_output(s);
	nt_sampler_note(&s->sampler);
	err = err ?: note_changes(s);
	note_ends(s);
	err = err ?: nt_scores_finish(&s->scores, r);
	fill_end(s, ru, end);
	nt_note_lost_ticks(r);
	return err;
}
