// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of migrating tasks. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include "collect/bpf_priv.h"

static int make_room(struct nt_movers *out, size_t room)
{
	struct nt_mover *m;

	if (out->room >= room)
		return 0;
	m = realloc(out->m, room * sizeof(*m));
	if (!m)
		return -ENOMEM;
	out->m = m;
	out->room = room;
	return 0;
}

int nt_bpf_movers(struct nt_bpf *b, struct nt_movers *out)
{
	__u32 n = b->movers, *tid, at;
	int err = make_room(out, n);

	if (err)
		return err;
	/* The values have the TIDs, too. The call wants room for keys all the same. */
	tid = malloc(n * sizeof(*tid));
	if (!tid)
		return -ENOMEM;
	out->n = 0;
	/* There is room for all that the table can hold, so one call reads it to its end. */
	err = bpf_map_lookup_batch(bpf_map__fd(b->skel->maps.movers), NULL, &at, tid, out->m, &n,
				   NULL);
	free(tid);
	if (err && err != -ENOENT)
		return err;
	out->n = n;
	return 0;
}
