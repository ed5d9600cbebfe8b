// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define PACKED		16384
#define GZIP_WINDOW	(MAX_WBITS + 16)
#define WRITER_MS	3000

struct nt_infile {
	int fd;
	bool gzip;
	bool eof;
	bool between;		/* a gzip member has ended, another may follow */
	int err;		/* to return once what came before it is read */
	z_stream z;
	unsigned char in[PACKED];
};

/* More input behind what is left: 0 or -errno, eof set at the end. */
static int fill(struct nt_infile *f)
{
	ssize_t n;

	memmove(f->in, f->z.next_in, f->z.avail_in);
	f->z.next_in = f->in;
	do {
		n = read(f->fd, f->in + f->z.avail_in, sizeof(f->in) - f->z.avail_in);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	f->z.avail_in += (unsigned int)n;
	f->eof = !n;
	return 0;
}

/* The magic may come in two reads from a pipe. */
static int find_format(struct nt_infile *f)
{
	int err = 0;

	while (!err && !f->eof && f->z.avail_in < 2)
		err = fill(f);
	if (err)
		return err;
	if (f->z.avail_in < 2 || f->in[0] != 0x1f || f->in[1] != 0x8b)
		return 0;
	if (inflateInit2(&f->z, GZIP_WINDOW) != Z_OK)
		return -ENOMEM;
	f->gzip = true;
	return 0;
}

/*
 * A pipe is opened without waiting for its writer, who may be about to come: time for that, and
 * an error instead of a wait for ever if nobody does. Without a writer a read gives the end
 * of the file, with one that has not written yet "later".
 */
static int wait_for_writer(struct nt_infile *f)
{
	struct pollfd p = { .fd = f->fd, .events = POLLIN };
	int err;

	if (poll(&p, 1, WRITER_MS) != 0)
		return 0;
	err = fill(f);
	if (err)
		return err == -EAGAIN ? 0 : err;
	return f->eof ? -EPIPE : 0;
}

static int open_path(struct nt_infile *f, const char *path)
{
	struct stat st;
	int flags, err = 0;

	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f->fd < 0 || fstat(f->fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISFIFO(st.st_mode))
		err = wait_for_writer(f);
	flags = fcntl(f->fd, F_GETFL);
	if (!err && (flags < 0 || fcntl(f->fd, F_SETFL, flags & ~O_NONBLOCK)))
		err = -errno;
	return err;
}

/* Its flags are not ours to change: others may have the same pipe or terminal. */
static int open_stdin(struct nt_infile *f)
{
	f->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	return f->fd < 0 ? -errno : 0;
}

int nt_infile_open(struct nt_infile **fp, const char *path)
{
	struct nt_infile *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return -ENOMEM;
	f->z.next_in = f->in;
	err = strcmp(path, "-") ? open_path(f, path) : open_stdin(f);
	if (!err)
		err = find_format(f);
	if (err) {
		nt_infile_close(f);
		return err;
	}
	*fp = f;
	return 0;
}

static ssize_t read_plain(struct nt_infile *f, void *buf, size_t size)
{
	int err = 0;

	if (!f->z.avail_in && !f->eof)
		err = fill(f);
	if (err)
		return err;
	if (size > f->z.avail_in)
		size = f->z.avail_in;
	memcpy(buf, f->z.next_in, size);
	f->z.next_in += size;
	f->z.avail_in -= (unsigned int)size;
	return (ssize_t)size;
}

/* One step of unpacking; sets err, eof or makes output. */
static void step(struct nt_infile *f)
{
	int code;

	if (!f->z.avail_in && !f->eof)
		f->err = fill(f);
	if (f->err || !f->z.avail_in)
		return;
	if (f->between && inflateReset(&f->z) != Z_OK)
		f->err = -EBADMSG;
	f->between = false;
	if (f->err)
		return;
	code = inflate(&f->z, Z_NO_FLUSH);
	if (code == Z_STREAM_END)
		f->between = true;
	else if (code == Z_MEM_ERROR)
		f->err = -ENOMEM;
	else if (code != Z_OK && code != Z_BUF_ERROR)
		f->err = -EBADMSG;
}

ssize_t nt_infile_read(struct nt_infile *f, void *buf, size_t size)
{
	size_t n;

	if (!f->gzip)
		return read_plain(f, buf, size);
	f->z.next_out = buf;
	f->z.avail_out = (unsigned int)size;
	while (!f->err && f->z.avail_out == size && !(f->eof && !f->z.avail_in))
		step(f);
	n = size - f->z.avail_out;
	return n ? (ssize_t)n : f->err;
}

void nt_infile_close(struct nt_infile *f)
{
	if (!f)
		return;
	if (f->gzip)
		inflateEnd(&f->z);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}
