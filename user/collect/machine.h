/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine calls itself and how its scheduler is set. */
#ifndef NT_COLLECT_MACHINE_H
#define NT_COLLECT_MACHINE_H

#include "model/run.h"

/*
 * Fills hostname, kernel, machine, cpu_model, sysctl, sched_feature and tick_hz, and with the
 * time and numatrace's own version started and version; 0 or -ENOMEM.
 */
int nt_machine_read(struct nt_run *r);

/* The model in the text of /proc/cpuinfo, to be freed: "" if it names none, NULL: no memory. */
char *nt_cpu_model(const char *cpuinfo);

#endif
