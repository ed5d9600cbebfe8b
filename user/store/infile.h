/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of a file, unpacked if it is gzip. Unlike gzread, everything before the
 * place where packed data is damaged comes out first.
 */
#ifndef NT_STORE_INFILE_H
#define NT_STORE_INFILE_H

#include <sys/types.h>

struct nt_infile;

/* "-" is standard input. 0 or -errno; -EPIPE: a pipe without a writer for 3 s. */
int nt_infile_open(struct nt_infile **fp, const char *path);
/* Bytes read, 0 at the end (also of gzip data cut short), -errno; -EBADMSG: damaged. */
ssize_t nt_infile_read(struct nt_infile *f, void *buf, size_t size);
void nt_infile_close(struct nt_infile *f);	/* NULL is fine */

#endif
