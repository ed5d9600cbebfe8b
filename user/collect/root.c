// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	char **dir;
	unsigned int n, at;
} roots;

static void free_roots(void)
{
	unsigned int i;

	for (i = 0; i < roots.n; i++)
		free(roots.dir[i]);
	free(roots.dir);
	memset(&roots, 0, sizeof(roots));
}

static int add_root(const char *dir, size_t len)
{
	char **grown = realloc(roots.dir, (roots.n + 1) * sizeof(*grown));
	struct stat st;

	if (!grown)
		return -ENOMEM;
	roots.dir = grown;
	roots.dir[roots.n] = strndup(dir, len);
	if (!roots.dir[roots.n])
		return -ENOMEM;
	if (stat(roots.dir[roots.n++], &st))
		return -errno;
	return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int nt_root_set(const char *spec)
{
	size_t len;
	int err;

	free_roots();
	if (!spec || !*spec)
		return 0;
	for (;;) {
		len = strcspn(spec, ":");
		err = add_root(spec, len);
		if (err) {
			free_roots();
			return err;
		}
		if (!spec[len])
			break;
		spec += len + 1;
	}
	return 0;
}

const char *nt_root(void)
{
	return roots.n ? roots.dir[roots.at] : NULL;
}

void nt_root_advance(void)
{
	if (roots.at + 1 < roots.n)
		roots.at++;
}

static int open_in_root(const char *path)
{
	const char *root = nt_root();
	char *full = NULL;
	int fd, err;

	if (root && asprintf(&full, "%s%s", root, path) < 0)
		return -ENOMEM;
	fd = open(full ?: path, O_RDONLY | O_CLOEXEC);
	err = -errno;
	free(full);
	return fd < 0 ? err : fd;
}

/*
 * st_size means nothing in /proc and /sys (sysfs says 4096 or 28672), so read until there is
 * no more. seq_file goes on from the text it made for offset 0: what comes is one snapshot.
 * Single values of debugfs cannot be sought in (nonseekable_open), and are read as they come.
 */
static int read_all(int fd, struct nt_buf *b)
{
	bool seeks = true;
	ssize_t got;

	b->len = 0;
	for (;;) {
		if (b->cap - b->len < 2) {
			size_t cap = b->cap ? 2 * b->cap : 8192;
			char *p = realloc(b->p, cap);

			if (!p)
				return -ENOMEM;
			b->p = p;
			b->cap = cap;
		}
		if (seeks)
			got = pread(fd, b->p + b->len, b->cap - b->len - 1, (off_t)b->len);
		else
			got = read(fd, b->p + b->len, b->cap - b->len - 1);
		if (got < 0 && errno == ESPIPE && seeks) {
			seeks = false;
			continue;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		b->len += (size_t)got;
	}
	b->p[b->len] = '\0';
	return 0;
}

char *nt_read_file(const char *path, size_t *len)
{
	struct nt_buf b = { 0 };
	int err, fd = open_in_root(path);

	err = fd < 0 ? fd : read_all(fd, &b);
	if (fd >= 0)
		close(fd);
	if (err) {
		nt_buf_free(&b);
		errno = -err;
		return NULL;
	}
	if (len)
		*len = b.len;
	return b.p;
}

int nt_read_head(const char *path, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t got = 1;
	int err = 0, fd = open_in_root(path);

	if (fd < 0)
		return fd;
	while (got && len < size - 1) {
		got = pread(fd, buf + len, size - 1 - len, (off_t)len);
		if (got < 0 && errno != EINTR) {
			err = -errno;
			break;
		}
		if (got > 0)
			len += (size_t)got;
	}
	close(fd);
	buf[len] = '\0';
	return err;
}

void nt_buf_free(struct nt_buf *b)
{
	free(b->p);
	*b = (struct nt_buf){ 0 };
}

int nt_file_init(struct nt_file *f, bool keep, const char *fmt, ...)
{
	va_list ap;
	int n;

	*f = (struct nt_file){ .fd = -1, .keep = keep };
	va_start(ap, fmt);
	n = vasprintf(&f->path, fmt, ap);
	va_end(ap);
	if (n >= 0)
		return 0;
	f->path = NULL;
	return -ENOMEM;
}

static void close_file(struct nt_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

int nt_file_read(struct nt_file *f, struct nt_buf *b)
{
	int err;

	if (f->fd >= 0 && f->at == roots.at && !read_all(f->fd, b))
		return 0;
	/* The thing behind an open file may be gone and back (a node taken out and put in). */
	close_file(f);
	f->fd = open_in_root(f->path);
	if (f->fd < 0) {
		err = f->fd;
		f->fd = -1;
		return err;
	}
	f->at = roots.at;
	err = read_all(f->fd, b);
	if (err || !f->keep)
		close_file(f);
	return err;
}

void nt_file_free(struct nt_file *f)
{
	if (f->path)	/* all zeroes has not been initialised: fd 0 is not ours */
		close_file(f);
	free(f->path);
	*f = (struct nt_file){ .fd = -1 };
}
