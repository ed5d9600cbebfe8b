// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose events are the workload's; bpf/cputime.bpf.h has the kernel's half. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include "collect/bpf_priv.h"

#define MAX_PASSES	16	/* far more than a process that keeps calling exec needs */

/* One pass over all tasks; found: how many PIDs it wrote, NULL if that is of no interest. */
static int pass(struct nt_bpf *b, enum nt_adopt step, size_t *found)
{
	size_t len;
	char *buf;
	int err;

	b->skel->bss->adopting = step;
	err = nt_bpf_iterate(b->skel->links.adopt, &buf, &len);
	if (err)
		return err;
	free(buf);
	if (found)
		*found = len / sizeof(__u32);
	return 0;
}

static int adopt_child(struct nt_bpf *b)
{
	int err = pass(b, NT_ADOPT_CHILD, NULL);

	return err || b->skel->bss->census.forks == 1 ? err : -ECHILD;
}

static int adopt_threads(struct nt_bpf *b)
{
	volatile struct nt_census *census = &b->skel->bss->census;
	__u64 before;
	int i, err;

	for (i = 0; i < MAX_PASSES; i++) {
		before = census->forks;
		err = pass(b, NT_ADOPT_THREADS, NULL);
		if (err || census->forks == before)
			return err;
	}
	return 0;
}

static int adopt_processes(struct nt_bpf *b, struct nt_who *who)
{
	int fd = bpf_map__fd(b->skel->maps.wanted), err;
	size_t i;

	for (i = 0; i < who->npids; i++) {
		__u32 pid = who->pid[i], yes = 1;

		if (bpf_map_update_elem(fd, &pid, &yes, BPF_ANY))
			return -errno;
	}
	err = pass(b, NT_ADOPT_GROUPS, &who->found);
	err = err ?: adopt_threads(b);
	return err;
}

int nt_bpf_adopt(struct nt_bpf *b, const struct nt_topology *topo, struct nt_who *who,
		 struct nt_counters *base)
{
	int err = 0;

	b->workload = who->child || who->npids;
	if (who->child)
		err = adopt_child(b);
	else if (who->npids)
		err = adopt_processes(b, who);
	b->skel->bss->adopting = NT_ADOPT_NOTHING;
	if (err)
		return err;
	/* The held child runs nothing: its uncharged time needs no reading. */
	return who->npids ? nt_bpf_read(b, topo, base) : nt_bpf_read_maps(b, topo, base);
}
