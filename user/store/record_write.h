/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a record: JSON Lines, each line on disk as soon as it exists; through
 * gzip if the name ends in .gz. Functions return 0 or -errno; after a failed
 * write the file ends with the last whole line and later calls fail the same way.
 */
#ifndef NT_STORE_RECORD_WRITE_H
#define NT_STORE_RECORD_WRITE_H

#include "model/run.h"

struct nt_writer;

/*
 * -EEXIST without force if the file is there. The file gets its name when the
 * first header is written. A character device or a pipe is written to directly.
 */
int nt_writer_open(struct nt_writer **wp, const char *path, bool force);
int nt_writer_header(struct nt_writer *w, const struct nt_run *r);
int nt_writer_sample(struct nt_writer *w, const struct nt_run *r, const struct nt_sample *s);
int nt_writer_end(struct nt_writer *w, const struct nt_run *r);
int nt_writer_close(struct nt_writer *w);	/* frees w, NULL is fine */

#endif
