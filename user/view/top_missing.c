// SPDX-License-Identifier: GPL-2.0-or-later
/* What the live view cannot show on this machine, and why. */
#include <stdio.h>
#include <string.h>

#include "view/top_priv.h"

#define MAX_LINES	2	/* of a reason */
#define MORE		" ... (numatrace features)"

/* As much of the text as fits into a line of that width, whole words if there is a choice. */
static size_t line_length(const char *text, int width)
{
	size_t most = width > 0 ? (size_t)width : 1, len = strlen(text), end;

	if (len <= most)
		return len;
	for (end = most; end && text[end] != ' '; end--)
		;
	return end ? end : most;
}

/* Nothing if there is no reason. Without a screen, just how many lines it takes. */
static int put_reason(struct nt_screen *s, int y, int w, const char *what, const char *why)
{
	char text[512];
	const char *p = text;
	size_t len;
	int n;

	if (!why)
		return 0;
	snprintf(text, sizeof(text), "%s: not available: %s", what, why);
	for (n = 0; *p && n < MAX_LINES; n++) {
		len = line_length(p, w);
		if (n + 1 == MAX_LINES && p[len])
			len = line_length(p, w - (int)strlen(MORE));
		if (s)
			nt_screen_put(s, y + n, 0, NT_NOTICE, "%.*s%s", (int)len, p,
				      n + 1 == MAX_LINES && p[len] ? MORE : "");
		p += len;
		p += strspn(p, " ");
	}
	return n;
}

static int put_all(struct nt_screen *s, int y, int w, const struct nt_top_frame *f)
{
	int n = put_reason(s, y, w, "Migrations, load balancing, runnable tasks", f->why_no_moves);

	n += put_reason(s, y + n, w, "Load balancing", f->why_no_balance);
	return n + put_reason(s, y + n, w, "Runnable tasks", f->why_no_queues);
}

int nt_top_missing_height(const struct nt_top_frame *f, int w)
{
	return put_all(NULL, 0, w, f);
}

int nt_top_missing(struct nt_screen *s, int y, const struct nt_top_frame *f)
{
	return put_all(s, y, s->w, f);
}
