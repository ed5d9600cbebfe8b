// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine.h"
#include "collect/root.h"
#include "collect/topology.h"

#define TRIES	5	/* a storm of hotplug rebuilds domains all the time */

static int no_topology(int err, struct nt_error *e)
{
	return nt_fail(e, err, "cannot read this machine's topology from /sys: %s",
		       strerror(-err));
}

int nt_snapshots_open(struct nt_snapshots *ss, bool verbose, struct nt_error *e)
{
	const struct nt_feature *f = &ss->r.feature[NT_F_SNAPSHOT];
	int err;

	memset(ss, 0, sizeof(*ss));
	err = nt_machine_read(&ss->r);
	err = err ?: nt_topology_read(&ss->r.topo);
	if (err)
		return no_topology(err, e);
	ss->r.bpf = true;
	err = nt_bpf_open_only(&ss->bpf, &ss->r.topo, ss->r.feature,
			       1u << NT_F_SNAPSHOT | 1u << NT_F_DOMAINS, verbose, e);
	if (err || f->on)
		return err;
	return nt_fail(e, -ENOTSUP, "cannot read the run queues: %s; -v shows the kernel's "
		       "reasons", f->why ? f->why : "no reason known");
}

int nt_numa_map_read(struct nt_numa_map *m, const struct nt_run *r)
{
	int err = nt_numa_map_init(m, r);
	char state[16];

	/* kernel/sched/ext.c (6.12): "disabled", or on its way in, there, or on its way out. */
	if (nt_read_head("/sys/kernel/sched_ext/state", state, sizeof(state)) ||
	    !strncmp(state, "disabled", strlen("disabled")))
		return err;
	m->rules = (struct nt_numa_rules){ .why = "a sched_ext scheduler is loaded, and decides" };
	return err;
}

static void forget_domains(struct nt_snapshots *ss)
{
	struct nt_run *r = &ss->r;
	int i;

	nt_numa_map_free(&ss->map);
	for (i = 0; i < r->nchains; i++)
		nt_chain_free(&r->chain[i]);
	free(r->chain);
	r->chain = NULL;
	r->nchains = 0;
}

/* A CPU that came on line has a new place, too. */
static int read_machine(struct nt_snapshots *ss, struct nt_error *e)
{
	struct nt_run *r = &ss->r;
	int err;

	nt_topology_free(&r->topo);
	err = nt_topology_read(&r->topo);
	if (err)
		return no_topology(err, e);
	forget_domains(ss);
	if (r->feature[NT_F_DOMAINS].on)
		err = nt_bpf_domains(ss->bpf, &r->chain, &r->nchains);
	err = err ?: nt_numa_map_read(&ss->map, r);
	return err ? nt_fail(e, err, "cannot read the scheduling domains: %s", strerror(-err)) : 0;
}

int nt_snapshots_take(struct nt_snapshots *ss, struct nt_snapshot *s, struct nt_error *e)
{
	int i, err;

	for (i = 0;; i++) {
		err = nt_bpf_snapshot(ss->bpf, &ss->r.topo, s);
		if (err)
			return nt_fail(e, err, "cannot read the run queues: %s", strerror(-err));
		if (ss->known && s->domains == ss->domains)
			return 0;
		s->rebuilt = true;
		if (i == TRIES)
			return 0;
		ss->domains = s->domains;
		ss->known = true;
		nt_snapshot_free(s);
		err = read_machine(ss, e);
		if (err)
			return err;
	}
}

void nt_snapshots_close(struct nt_snapshots *ss)
{
	nt_bpf_close(ss->bpf);
	nt_numa_map_free(&ss->map);
	nt_run_free(&ss->r);
	ss->bpf = NULL;
}
