// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/section.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"
#include "view/tbl.h"

/* Why a write failed some time ago, whose errno is gone: did the reader of the pipe go away? */
static int lost_errno(FILE *out)
{
	struct pollfd fd = { .fd = fileno(out), .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLERR) ? -EPIPE : -EIO;
}

int nt_flush(FILE *out)
{
	errno = 0;
	if (fflush(out) || ferror(out))
		return errno ? -errno : lost_errno(out);
	return 0;
}

void nt_heading(const struct nt_section *s, const char *fmt, ...)
{
	va_list ap;

	fprintf(s->out, "\n%s", s->color ? "\033[1m" : "");
	va_start(ap, fmt);
	vfprintf(s->out, fmt, ap);
	va_end(ap);
	fprintf(s->out, "%s\n", s->color ? "\033[0m" : "");
}

int nt_line(const struct nt_section *s, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	fprintf(s->out, "  ");
	nt_wrap(s->out, s->width, 2, 4, text);
	free(text);
	return 0;
}

char *nt_safe(const char *text)
{
	return nt_text_printable(text ? text : "");
}

bool nt_is_off(const struct nt_section *s, enum nt_feature_id id, const char *title)
{
	const struct nt_feature *f = &s->r->feature[id];
	char *why, *text;

	if (f->on)
		return false;
	why = nt_safe(f->why ? f->why : "no reason recorded");
	if (asprintf(&text, "%s: not available: %s", title, why ? why : "") >= 0) {
		fputc('\n', s->out);
		nt_wrap(s->out, s->width, 0, 4, text);
		free(text);
	}
	free(why);
	return true;
}

const char *nt_cell_number(char *buf, size_t len, double v)
{
	if (v == floor(v) && fabs(v) < 1e15)
		snprintf(buf, len, "%.0f", v);
	else if (fabs(v) >= 1 && fabs(v) < 1e15)
		snprintf(buf, len, "%.2f", v);
	else
		snprintf(buf, len, "%.4g", v);
	return buf;
}

/* "PID NAME, PID NAME" */
static char *process_list(char *const *process)
{
	struct nt_words w = { 0 };

	for (; *process; process++) {
		char *text = nt_safe(*process);

		nt_words_add(&w, "%s", text ? text : "");
		free(text);
	}
	return w.text;
}

char *nt_title(const struct nt_run *r)
{
	char *list, *text;

	if (r->argv)
		return nt_text_command(r->argv);
	if (!r->process)
		return strdup("observed the whole machine");
	list = process_list(r->process);
	if (!list || asprintf(&text, "observed process%s %s", r->process[0] && r->process[1] ?
			      "es" : "", list) < 0)
		text = NULL;
	free(list);
	return text;
}

void nt_words_add(struct nt_words *w, const char *fmt, ...)
{
	char *word, *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&word, fmt, ap);
	va_end(ap);
	if (n < 0) {
		w->failed = true;
		return;
	}
	if (asprintf(&text, "%s%s%s", w->text ? w->text : "", w->text ? ", " : "", word) < 0) {
		w->failed = true;
	} else {
		free(w->text);
		w->text = text;
		w->n++;
	}
	free(word);
}

int nt_words_line(const struct nt_section *s, struct nt_words *w, const char *label)
{
	int err = w->failed ? -ENOMEM : 0;

	if (!err && w->n)
		err = nt_line(s, "%s: %s", label, w->text);
	free(w->text);
	w->text = NULL;
	return err;
}
