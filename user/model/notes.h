/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes that follow from a run's own numbers. */
#ifndef NT_MODEL_NOTES_H
#define NT_MODEL_NOTES_H

#include "model/run.h"

/*
 * The system's view counts ticks, the workload's the scheduler's clock. Where a virtual
 * machine loses ticks the workload seems busier than the machine: say so in a note.
 */
void nt_note_lost_ticks(struct nt_run *r);

/*
 * What of the machine is not at the end of the run as it was at its start, which is what reports
 * show: nodes and their CPUs, and the kernel's domains (end's chains, unless chains is false).
 * A note each. 0 or -ENOMEM.
 */
int nt_note_changes(struct nt_run *r, const struct nt_run *end, bool chains);

#endif
