/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where stress-ng changed what its score means. */
#ifndef NT_MODEL_STRESS_VERSION_H
#define NT_MODEL_STRESS_VERSION_H

#include "model/run.h"

/*
 * Is it stress-ng --fstat, whose threads since 0.19.01 (7ab291e3a) run until the end, so that an
 * instance does about one operation? -1: another command, or the version is not known.
 */
int nt_fstat_waits(const struct nt_run *head);

#endif
