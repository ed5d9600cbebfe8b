// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/foreign.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

json_t *nt_foreign_json(const char *text, size_t len, json_error_t *je)
{
	return json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, je);
}

int nt_json_reason_len(const json_error_t *je)
{
	const char *near = strstr(je->text, " near ");

	return near ? (int)(near - je->text) : (int)strlen(je->text);
}

unsigned long nt_doc_line(const struct nt_doc *d, size_t offset)
{
	unsigned long line = d->first;
	size_t i;

	for (i = 0; i < offset && i < d->len; i++)
		line += d->text[i] == '\n';
	return line;
}

static int not_json(const struct nt_doc *d, const json_error_t *je)
{
	unsigned long line = d->first + (je->line > 0 ? (unsigned long)je->line - 1 : 0);
	unsigned long last = nt_doc_line(d, d->len - 1);	/* a text that stops ends there */

	return nt_fail(d->e, -EINVAL, "%.300s:%lu: none of: " NT_KNOWN_FORMATS ": %.*s", d->path,
		       line < last ? line : last, nt_json_reason_len(je), je->text);
}

/* The sentence for a note, of a text that ends before it should or goes wrong in the middle. */
static void explain(const json_error_t *je, char *buf, size_t len)
{
	if (json_error_code(je) == json_error_premature_end_of_input)
		snprintf(buf, len, "cut short");
	else
		snprintf(buf, len, "%.*s", nt_json_reason_len(je), je->text);
}

/* cut: the lines ended early, and the sentence that says why is in d->e already. */
static int read_document(struct nt_doc *d, bool cut, int side, struct nt_results *s)
{
	char why[JSON_ERROR_TEXT_LENGTH];
	json_error_t je;

	d->root = nt_foreign_json(d->text, d->len, &je);
	if (cut && d->root && nt_results_note(s, "%s; what comes before is used", d->e->msg))
		return nt_fail(d->e, -ENOMEM, "%.300s: out of memory", d->path);
	if (nt_is_mpstat(d)) {
		explain(&je, why, sizeof(why));
		return nt_foreign_mpstat(d, why, (size_t)je.position, side, s);
	}
	if (d->root)
		return nt_foreign_lkp(d, side, s);
	return cut ? -EINVAL : not_json(d, &je);
}

int nt_foreign_document(struct nt_lines *in, int side, struct nt_results *s)
{
	struct nt_doc d = { .path = in->path, .e = in->e };
	bool cut;
	int err;

	d.text = nt_lines_rest(in, &d.len, &d.first, &cut, &err);
	if (d.text)
		err = read_document(&d, cut, side, s);
	json_decref(d.root);
	free(d.text);
	return err;
}
