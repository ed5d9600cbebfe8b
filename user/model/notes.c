// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/notes.h"

#define MIN_SECONDS	1	/* in less, one tick is too much of the whole */
#define SLACK		5	/* points, for ticks that fell at the wrong moment */

void nt_note_lost_ticks(struct nt_run *r)
{
	double busy = 0, capacity = r->ru.elapsed * nt_cpus_online(r, -1);
	struct nt_util u;
	int i;

	for (i = 0; i < r->total.nnodes; i++)
		busy += r->total.node[i].wl.exec / 1e9;
	if (capacity <= 0 || !nt_util_node(&r->total, -1, &u))
		return;
	busy = 100 * busy / capacity;
	if (r->ru.elapsed >= MIN_SECONDS && busy > 100 - u.idle - u.iowait + SLACK)
		nt_run_note(r, "the workload's own clock says %.0f %% busy, the kernel's ticks "
			    "%.0f %%: ticks were lost (a virtual machine?), so trust the workload "
			    "columns",
			    busy, 100 - u.idle - u.iowait);
}
