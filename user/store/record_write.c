// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/record_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "model/parse.h"
#include "store/record_json.h"

struct nt_writer {
	char *path;
	char *tmp;		/* name until the first header; NULL once published */
	bool force;
	int fd;
	gzFile gz;		/* NULL: plain */
	off_t good;		/* end of the last whole line, -1: not a regular file */
	int err;		/* of the first failed write */
};

static bool ends_in_gz(const char *path)
{
	size_t len = strlen(path);

	return len > 3 && !strcmp(path + len - 3, ".gz");
}

/* Under sudo the record belongs to the person who asked for it. */
static void give_to_invoker(int fd)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	unsigned long u, g;

	if (geteuid() || !uid || !gid || nt_parse_count(uid, 0, INT_MAX, &u) ||
	    nt_parse_count(gid, 0, INT_MAX, &g))
		return;
	/* A file left to root is readable all the same: no reason to fail the run. */
	if (fchown(fd, (uid_t)u, (gid_t)g))
		return;
}

/* A hidden file in the directory of path, so that renaming it is atomic. */
static int open_tmp(struct nt_writer *w)
{
	const char *base = strrchr(w->path, '/');
	int dir = base ? (int)(base + 1 - w->path) : 0, i;
	struct timespec now;

	for (i = 0; i < 100; i++) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (asprintf(&w->tmp, "%.*s.%s.%d-%09ld", dir, w->path, w->path + dir,
			     (int)getpid(), now.tv_nsec) < 0) {
			w->tmp = NULL;
			return -ENOMEM;
		}
		w->fd = open(w->tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (w->fd >= 0) {
			give_to_invoker(w->fd);
			return 0;
		}
		free(w->tmp);
		w->tmp = NULL;
		if (errno != EEXIST)
			break;
	}
	return -errno;
}

/* Nothing to replace or to clobber in a device or a pipe. */
static int open_direct(struct nt_writer *w)
{
	w->good = -1;
	w->fd = open(w->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	return w->fd < 0 ? -errno : 0;
}

static int open_target(struct nt_writer *w)
{
	struct stat st;

	if (lstat(w->path, &st))
		return errno == ENOENT ? open_tmp(w) : -errno;
	if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode))
		return open_direct(w);
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!w->force)
		return -EEXIST;
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return -EINVAL;
	return open_tmp(w);
}

int nt_writer_open(struct nt_writer **wp, const char *path, bool force)
{
	struct nt_writer *w = calloc(1, sizeof(*w));
	int err = -ENOMEM;

	if (!w)
		return -ENOMEM;
	w->fd = -1;
	w->force = force;
	w->path = strdup(path);
	if (w->path)
		err = open_target(w);
	if (!err && ends_in_gz(path)) {
		w->gz = gzdopen(w->fd, "wb");
		if (!w->gz)
			err = -ENOMEM;
	}
	if (err) {
		nt_writer_close(w);
		return err;
	}
	*wp = w;
	return 0;
}

static int write_plain(struct nt_writer *w, const char *buf, size_t len)
{
	while (len) {
		ssize_t n = write(w->fd, buf, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		buf += n;
		len -= (size_t)n;
		if (w->good >= 0 && !len)
			w->good = lseek(w->fd, 0, SEEK_CUR);
	}
	return 0;
}

/* The flush point is what lets a reader have this line if no other follows. */
static int write_gz(struct nt_writer *w, const char *buf, size_t len)
{
	errno = 0;
	if (gzfwrite(buf, 1, len, w->gz) != len || gzflush(w->gz, Z_SYNC_FLUSH) != Z_OK)
		return errno ? -errno : -EIO;
	return 0;
}

static int write_line(struct nt_writer *w, json_t *obj)
{
	char *text;
	size_t len;

	if (w->err) {
		json_decref(obj);
		return w->err;
	}
	text = obj ? json_dumps(obj, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
	json_decref(obj);
	if (!text)
		return -ENOMEM;
	len = strlen(text);
	text[len] = '\n';	/* in the place of the NUL: one write for one line */
	w->err = w->gz ? write_gz(w, text, len + 1) : write_plain(w, text, len + 1);
	free(text);
	/* Half a line would spoil the next one; what cannot be cut off the reader skips. */
	if (w->err && !w->gz && w->good >= 0 && ftruncate(w->fd, w->good))
		return w->err;
	return w->err;
}

/* Give the file its name. Some file systems know no RENAME_NOREPLACE, others no links. */
static int publish(struct nt_writer *w)
{
	int err = 0;

	if (!w->tmp)
		return 0;
	if (renameat2(AT_FDCWD, w->tmp, AT_FDCWD, w->path, w->force ? 0 : RENAME_NOREPLACE)) {
		if (errno != EINVAL && errno != ENOSYS)
			return -errno;
		if (w->force)
			err = rename(w->tmp, w->path) ? -errno : 0;
		else
			err = link(w->tmp, w->path) || unlink(w->tmp) ? -errno : 0;
	}
	if (err)
		return err;
	free(w->tmp);
	w->tmp = NULL;
	return 0;
}

int nt_writer_header(struct nt_writer *w, const struct nt_run *r)
{
	int err = write_line(w, nt_json_header(r));

	return err ? err : publish(w);
}

int nt_writer_sample(struct nt_writer *w, const struct nt_run *r, const struct nt_sample *s)
{
	return write_line(w, nt_json_sample(r, s));
}

int nt_writer_end(struct nt_writer *w, const struct nt_run *r)
{
	return write_line(w, nt_json_end(r));
}

int nt_writer_close(struct nt_writer *w)
{
	int err = 0;

	if (!w)
		return 0;
	errno = 0;
	if (w->gz)
		err = gzclose(w->gz) == Z_OK ? 0 : errno ? -errno : -EIO;
	else if (w->fd >= 0)
		err = close(w->fd) ? -errno : 0;
	if (w->tmp)
		unlink(w->tmp);
	if (w->err)
		err = w->err;
	free(w->tmp);
	free(w->path);
	free(w);
	return err;
}
