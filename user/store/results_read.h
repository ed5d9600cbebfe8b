/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of runs for a comparison. */
#ifndef NT_STORE_RESULTS_READ_H
#define NT_STORE_RESULTS_READ_H

#include "model/error.h"
#include "model/result.h"
#include "store/lines.h"

/*
 * Add the runs of a file to a side, the format told by its content. Memory does not grow
 * with the samples in it. A file that is damaged after its first run is used up to there and
 * a note in s says so. 0; -EINVAL or -errno with one sentence "FILE:LINE: what" in e, and
 * then what was added stays.
 */
int nt_results_read(const char *path, int side, struct nt_results *s, struct nt_error *e);

/* The same for what is known to be a numatrace record; the sentence is in in->e. */
int nt_results_read_record(struct nt_lines *in, int side, struct nt_results *s);

#endif
