// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/live.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "collect/caps.h"
#include "collect/clock.h"
#include "collect/machine.h"
#include "collect/root.h"
#include "collect/topology.h"

#define WANTED	(1u << NT_F_MIGRATIONS | 1u << NT_F_BALANCE | 1u << NT_F_DOMAINS | \
		 1u << NT_F_SNAPSHOT | NT_WANT_BUSIEST)

static int load_programs(struct nt_live *l, bool verbose)
{
	struct nt_run *r = &l->r;
	struct nt_error e = { "" };

	if (nt_root())
		snprintf(l->why, sizeof(l->why), "with NUMATRACE_ROOT no programs are loaded");
	else if (nt_bpf_open_only(&l->sampler.bpf, &r->topo, r->feature, WANTED, verbose, &e))
		snprintf(l->why, sizeof(l->why), "%s", e.msg);
	if (l->sampler.bpf && r->feature[NT_F_DOMAINS].on)
		return nt_bpf_domains(l->sampler.bpf, &r->chain, &r->nchains);
	return 0;
}

static int read_movers(struct nt_live *l)
{
	int err;

	l->now = !l->now;
	err = nt_bpf_movers(l->sampler.bpf, &l->movers[l->now]);
	if (!err)
		nt_movers_order(&l->movers[l->now]);
	else
		l->now = !l->now;
	return err;
}

static int read_machine(struct nt_live *l, struct nt_error *e)
{
	int err;

	memset(l, 0, sizeof(*l));
	err = nt_machine_read(&l->r);
	err = err ?: nt_topology_read(&l->r.topo);
	err = err ?: nt_sampler_init(&l->sampler, &l->r);
	return !err ? 0 : nt_fail(e, err, "cannot read this machine's topology and counters from "
				  "/proc and /sys: %s", strerror(-err));
}

int nt_live_open(struct nt_live *l, bool verbose, struct nt_error *e)
{
	int err = read_machine(l, e);

	if (err)
		return err;
	err = load_programs(l, verbose);
	if (err)
		return nt_fail(e, err, "cannot read the scheduling domains: %s", strerror(-err));
	err = nt_sampler_begin(&l->sampler);
	if (!err && l->sampler.bpf)
		err = read_movers(l);
	err = err ?: nt_caps_limit();
	if (err)
		return nt_fail(e, err, "cannot begin to count (/proc/stat, BPF maps): %s",
			       strerror(-err));
	nt_sampler_start(&l->sampler, nt_now_ns());
	return 0;
}

int nt_live_take(struct nt_live *l)
{
	bool queues = l->r.feature[NT_F_SNAPSHOT].on;
	int err = nt_sampler_take(&l->sampler, nt_now_ns());

	if (err)
		return err;
	l->sampled = true;
	if (!l->sampler.bpf)
		return 0;
	nt_snapshot_free(&l->queues);
	err = queues ? nt_bpf_snapshot(l->sampler.bpf, &l->sampler.known, &l->queues) : 0;
	return err ?: read_movers(l);
}

struct nt_top_reading nt_live_reading(const struct nt_live *l)
{
	const struct nt_run *r = &l->r;

	return (struct nt_top_reading){
		.r = r,
		.known = &l->sampler.known,
		.node_cpus = l->sampler.node_cpus,
		.sample = l->sampled ? &r->sample[r->nsamples - 1] : NULL,
		.queues = l->queues.node ? &l->queues : NULL,
		.was = &l->movers[!l->now],
		.now = &l->movers[l->now],
		.why_no_moves = *l->why ? l->why : NULL,
	};
}

void nt_live_close(struct nt_live *l)
{
	nt_sampler_close(&l->sampler);
	nt_snapshot_free(&l->queues);
	nt_movers_free(&l->movers[0]);
	nt_movers_free(&l->movers[1]);
	nt_run_free(&l->r);
}
