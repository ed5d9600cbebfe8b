// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/snapshot.h"

#include <errno.h>
#include <string.h>

#include "collect/machine.h"
#include "collect/topology.h"

int nt_snapshot_open(struct nt_run *r, struct nt_bpf **b, bool verbose, struct nt_error *e)
{
	const struct nt_feature *f = &r->feature[NT_F_SNAPSHOT];
	int err = nt_machine_read(r);

	*b = NULL;
	err = err ?: nt_topology_read(&r->topo);
	if (err)
		return nt_fail(e, err, "cannot read this machine's topology from /sys: %s",
			       strerror(-err));
	r->bpf = true;
	err = nt_bpf_open_only(b, &r->topo, r->feature,
			       1u << NT_F_SNAPSHOT | 1u << NT_F_DOMAINS, verbose, e);
	if (err)
		return err;
	if (!f->on)
		return nt_fail(e, -ENOTSUP, "cannot read the run queues: %s; -v shows the "
			       "kernel's reasons", f->why ? f->why : "no reason known");
	if (!r->feature[NT_F_DOMAINS].on)
		return 0;
	err = nt_bpf_domains(*b, &r->chain, &r->nchains);
	return err ? nt_fail(e, err, "cannot read the scheduling domains: %s", strerror(-err)) : 0;
}
