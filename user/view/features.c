// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/features.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "model/json_put.h"
#include "model/text.h"
#include "view/tbl.h"

static int add_row(struct nt_tbl *t, const struct nt_question *q)
{
	char *way = nt_text_printable(q->f.on && q->f.way ? q->f.way : "-");

	nt_tbl_row(t);
	nt_tbl_cell(t, "%s", q->name);
	nt_tbl_cell(t, "%s", q->f.on ? "yes" : "no");
	nt_tbl_cell(t, "%s", way ? way : "");
	free(way);
	return way ? 0 : -ENOMEM;
}

/* "  NAME  " and then text, wrapped under itself. */
static int line(FILE *out, int width, const char *name, const char *text)
{
	char *safe = nt_text_printable(text);

	if (!safe)
		return -ENOMEM;
	fprintf(out, "  %-14s  ", name);
	nt_wrap(out, width, 18, 18, safe);
	free(safe);
	return 0;
}

static int explain(FILE *out, int width, const struct nt_question *q)
{
	const struct nt_feature *f = &q->f;
	const char *name = q->name;
	size_t i;
	int err = 0;

	if (!f->on && f->why && !f->nrefused) {
		err = line(out, width, name, f->why);
		name = "";
	}
	for (i = 0; i < f->nrefused && !err; i++) {
		char *text;

		if (asprintf(&text, "%s: %s", f->refused[i].way, f->refused[i].why) < 0)
			return -ENOMEM;
		err = line(out, width, name, text);
		free(text);
		name = "";
	}
	if (!err && f->hint) {
		char *text;

		if (asprintf(&text, "what helps: %s", f->hint) < 0)
			return -ENOMEM;
		err = line(out, width, name, text);
		free(text);
	}
	return err;
}

int nt_show_features(FILE *out, const struct nt_features *fs, int width)
{
	struct nt_tbl *t = nt_tbl_new();
	char *kernel = nt_text_printable(fs->kernel ? fs->kernel : "");
	size_t i;
	int err = 0;

	nt_tbl_col(t, NT_LEFT, "FEATURE");
	nt_tbl_col(t, NT_LEFT, "ON");
	nt_tbl_col(t, NT_LEFT, "WAY");
	for (i = 0; i < fs->n && !err; i++)
		err = add_row(t, &fs->q[i]);
	fprintf(out, "Kernel %s\n", kernel ? kernel : "");
	free(kernel);
	if (nt_tbl_print(t, out))
		err = -ENOMEM;
	if (!err)
		fputs("\nWhy not, or not by a better way\n", out);
	for (i = 0; i < fs->n && !err; i++)
		err = explain(out, width, &fs->q[i]);
	return err ?: ferror(out) ? -EIO : 0;
}

static void put_question(struct nt_put *p, json_t *a, const struct nt_question *q)
{
	json_t *o = json_object(), *refused;
	size_t i;

	nt_push(p, a, o);
	nt_put_str(p, o, "name", q->name);
	nt_put_bool(p, o, "on", q->f.on);
	nt_put_str(p, o, "way", q->f.way);
	nt_put_str(p, o, "why", q->f.on ? NULL : q->f.why);
	refused = nt_put_array(p, o, "refused");
	for (i = 0; i < q->f.nrefused; i++) {
		json_t *r = json_object();

		nt_push(p, refused, r);
		nt_put_str(p, r, "way", q->f.refused[i].way);
		nt_put_str(p, r, "why", q->f.refused[i].why);
	}
	nt_put_str(p, o, "hint", q->f.hint);
}

int nt_features_json(FILE *out, const struct nt_features *fs)
{
	json_t *o = json_object(), *a;
	struct nt_put p = { 0 };
	size_t i;

	nt_put_str(&p, o, "kernel", fs->kernel);
	a = nt_put_array(&p, o, "features");
	for (i = 0; i < fs->n; i++)
		put_question(&p, a, &fs->q[i]);
	if (!p.err && !json_dumpf(o, out, JSON_INDENT(2)))
		fputc('\n', out);
	json_decref(o);
	return p.err ?: ferror(out) ? -EIO : 0;
}
