// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/domains.h"

#include <errno.h>
#include <string.h>

#include "collect/bpf.h"
#include "collect/machine.h"
#include "collect/topology.h"

static int read_chains(struct nt_run *r, bool verbose, struct nt_error *e)
{
	const struct nt_feature *f = &r->feature[NT_F_DOMAINS];
	struct nt_bpf *b = NULL;
	int err;

	err = nt_bpf_open_only(&b, &r->topo, r->feature, 1u << NT_F_DOMAINS, verbose, e);
	if (err)
		return err;
	if (!f->on)
		err = nt_fail(e, -ENOTSUP, "cannot read the scheduling domains: %s; -v shows the "
			      "kernel's reasons", f->why ? f->why : "no reason known");
	if (!err) {
		err = nt_bpf_domains(b, &r->chain, &r->nchains);
		if (err)
			nt_fail(e, err, "cannot read the scheduling domains: %s", strerror(-err));
	}
	nt_bpf_close(b);
	return err;
}

int nt_domains_read(struct nt_run *r, bool bpf, bool verbose, struct nt_error *e)
{
	int err = nt_machine_read(r);

	err = err ?: nt_topology_read(&r->topo);
	if (err)
		return nt_fail(e, err, "cannot read this machine's topology from /sys: %s",
			       strerror(-err));
	r->bpf = bpf;
	if (bpf)
		return read_chains(r, verbose, e);
	r->feature[NT_F_DOMAINS].why = strdup("NUMATRACE_ROOT: the kernel's own were not read");
	return 0;
}
