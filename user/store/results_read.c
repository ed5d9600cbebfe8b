// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/results_read.h"

#include <errno.h>
#include <string.h>

#include "store/foreign.h"

/* Each takes the lines from the first on, and all of them. */
typedef int (*read_fn)(struct nt_lines *in, int side, struct nt_results *s);

static bool begins(const struct nt_lines *in, const char *with)
{
	return !strncmp(in->line, with, strlen(with));
}

static read_fn reader_of_object(const json_t *o)
{
	if (json_is_string(json_object_get(o, "type")))
		return nt_results_read_record;
	if (json_object_get(o, "counter-value") || json_object_get(o, "metric-value"))
		return nt_foreign_perf;
	return nt_foreign_document;
}

/*
 * By the first line that is not blank; NULL: none of those that can be read. A line that is
 * no JSON by itself may begin a document of many lines.
 */
static read_fn reader_of(const struct nt_lines *in)
{
	json_error_t je;
	read_fn fn = nt_foreign_document;
	json_t *o;

	if (begins(in, "{\"type\""))		/* numatrace's own: no need to parse it twice */
		return nt_results_read_record;
	if (begins(in, "# started on"))		/* perf stat -o */
		return nt_foreign_perf;
	if (in->line[strspn(in->line, " \t")] != '{')
		return NULL;
	o = nt_foreign_json(in->line, in->len, &je);
	if (o)
		fn = reader_of_object(o);
	json_decref(o);
	return fn;
}

int nt_results_read(const char *path, int side, struct nt_results *s, struct nt_error *e)
{
	struct nt_lines in;
	read_fn fn = NULL;
	int err = nt_lines_open(&in, path, e), more = 0;

	if (!err)
		err = more = nt_lines_next_text(&in);
	if (more > 0) {
		fn = reader_of(&in);
		nt_lines_back(&in);
	}
	if (fn)
		err = fn(&in, side, s);
	else if (more > 0)
		err = nt_fail(e, -EINVAL, "%.300s:%lu: none of: " NT_KNOWN_FORMATS, path,
			      in.lineno);
	else if (!err)
		err = nt_fail(e, -EINVAL, "%.300s: empty", path);
	nt_lines_close(&in);
	return err;
}
