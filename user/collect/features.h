/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What does this kernel offer? Everything is tried on the running kernel, and undone. */
#ifndef NT_COLLECT_FEATURES_H
#define NT_COLLECT_FEATURES_H

#include "model/error.h"
#include "model/feature.h"

/*
 * All questions into fs, to be freed by nt_features_free(). A kernel that permits nothing is
 * an answer, too. 0, or -errno with the sentence in e where /proc or /sys cannot be read.
 */
int nt_features_probe(struct nt_features *fs, bool verbose, struct nt_error *e);

/* The part that reads files only (system, memory, schedstats ...). 0 or -ENOMEM. */
int nt_features_of_files(struct nt_features *fs);

#endif
