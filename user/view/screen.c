// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/screen.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"

int nt_screen_size(struct nt_screen *s, int w, int h)
{
	struct nt_cell *cell;

	w = w < 1 ? 1 : w;
	h = h < 1 ? 1 : h;
	cell = malloc((size_t)w * (size_t)h * sizeof(*cell));
	if (!cell)
		return -ENOMEM;
	free(s->cell);
	s->cell = cell;
	s->w = w;
	s->h = h;
	nt_screen_clear(s);
	return 0;
}

void nt_screen_free(struct nt_screen *s)
{
	free(s->cell);
	memset(s, 0, sizeof(*s));
}

void nt_screen_clear(struct nt_screen *s)
{
	size_t i, n = (size_t)s->w * (size_t)s->h;

	for (i = 0; i < n; i++)
		s->cell[i] = (struct nt_cell){ ' ', NT_PLAIN };
}

static void put_cell(struct nt_screen *s, int y, int x, enum nt_attr attr, char c)
{
	if (y >= 0 && y < s->h && x >= 0 && x < s->w)
		s->cell[(size_t)y * (size_t)s->w + (size_t)x] = (struct nt_cell){ c, attr };
}

int nt_screen_put(struct nt_screen *s, int y, int x, enum nt_attr attr, const char *fmt, ...)
{
	char raw[512], *text, *p;
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text = nt_text_printable(raw);
	for (p = text; p && *p; p += len) {
		len = nt_utf8_len(p);
		put_cell(s, y, x++, attr, len == 1 ? *p : '?');
	}
	free(text);
	return x;
}

void nt_screen_line(struct nt_screen *s, int y, enum nt_attr attr)
{
	int x;

	for (x = 0; y >= 0 && y < s->h && x < s->w; x++)
		s->cell[(size_t)y * (size_t)s->w + (size_t)x].attr = attr;
}
