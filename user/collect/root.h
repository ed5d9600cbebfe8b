/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every read of /sys and /proc. NUMATRACE_ROOT puts directories in their place, so that a
 * few text files are a machine, and several of them in a row are a machine over time.
 */
#ifndef NT_COLLECT_ROOT_H
#define NT_COLLECT_ROOT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * "DIR[:DIR...]"; NULL or "": the real machine. 0, -ENOMEM, or -errno of a DIR that is no
 * directory.
 */
int nt_root_set(const char *spec);
const char *nt_root(void);	/* the current DIR; NULL: the real machine */
void nt_root_advance(void);	/* to the next DIR, if there is one */

/*
 * The whole file, NUL-terminated and to be freed, its length in *len unless len is NULL.
 * NULL: errno says why. path is absolute ("/proc/stat").
 */
char *nt_read_file(const char *path, size_t *len);

/* The first size - 1 bytes of a file, NUL-terminated. For long files whose beginning is enough. */
int nt_read_head(const char *path, char *buf, size_t size);

/* Memory that read after read goes into. All zeroes is empty. */
struct nt_buf {
	char *p;		/* NUL-terminated */
	size_t len, cap;
};

void nt_buf_free(struct nt_buf *b);

/* A file to be read again and again. */
struct nt_file {
	char *path;
	int fd;			/* -1: not open */
	unsigned int at;	/* the root it was opened in */
	bool keep;		/* stay open from one read to the next */
};

int nt_file_init(struct nt_file *f, bool keep, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int nt_file_read(struct nt_file *f, struct nt_buf *b);
void nt_file_free(struct nt_file *f);

#endif
