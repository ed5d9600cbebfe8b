// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE 1
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/text.h"

const char *nt_fuzz_file(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[32];

	if (fd < 0) {
		fd = memfd_create("input", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	nt_must(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size,
		"the input is in a file");
	return path;
}

char *nt_fuzz_text(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);

	nt_must(text, "there is memory");
	return text;
}

void nt_must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}

void nt_must_be_printable(const char *text, size_t len)
{
	const char *s;
	size_t n;

	nt_must(strlen(text) == len, "no NUL in what is printed");
	for (s = text; *s; s += n) {
		unsigned int code;

		n = nt_utf8_len(s);
		nt_must(n, "what is printed is UTF-8");
		code = nt_utf8_code(s, n);
		nt_must((code >= 0x20 && code != 0x7f && (code < 0x80 || code > 0x9f)) ||
			*s == '\n' || (*s == '\r' && s[1] == '\n'),
			"what is printed has no control characters");
	}
}
