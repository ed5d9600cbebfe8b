// SPDX-License-Identifier: GPL-2.0-or-later
/* The test robot's matrix.json and stats.json. */
#include <errno.h>
#include <string.h>

#include "model/robot.h"
#include "store/foreign.h"
#include "store/json_get.h"

static bool is_score(const char *key)
{
	return strchr(key, '.') && !nt_robot_monitor(key) && !strstr(key, ".time.");
}

/* The first place of the key in the text: in such a file keys differ from all strings. */
static unsigned long line_of(const struct nt_doc *d, const char *key)
{
	size_t len = strlen(key);
	const char *at = d->text;

	while ((at = strstr(at, key))) {
		if (at > d->text && at[-1] == '"' && at[len] == '"')
			break;
		at++;
	}
	return nt_doc_line(d, at ? (size_t)(at - d->text) : 0);
}

static int wrong(const struct nt_doc *d, const char *key, const json_t *found)
{
	char where[330];
	struct nt_get g = { d->e, where };

	snprintf(where, sizeof(where), "%.300s:%lu", d->path, line_of(d, key));
	return nt_get_wrong(&g, "a metric", "numbers", found);
}

/* Paths of the results that a matrix was made of, and a value that was not measured. */
static bool is_label(const json_t *v)
{
	return !v || json_is_string(v) || json_is_null(v);
}

/* The value of a run in a row of the matrix; NULL: none. */
static const json_t *cell(const json_t *row, size_t run)
{
	if (json_is_array(row))
		return json_array_get(row, run);
	return run ? NULL : row;
}

static int add_run(const struct nt_doc *d, size_t run, int side, struct nt_results *s)
{
	struct nt_run none = { 0 };
	const char *key;
	json_t *row;
	int err = nt_results_begin(s, side);

	if (err)
		return err;
	nt_results_last(s)->foreign = true;
	json_object_foreach(d->root, key, row) {
		const json_t *v = cell(row, run);

		if (is_label(v))
			continue;
		if (!json_is_number(v))
			return wrong(d, key, v);
		err = is_score(key) ? nt_results_put_score(s, key, json_number_value(v)) :
			nt_results_put(s, key, json_number_value(v));
		if (err)
			return err;
	}
	return nt_results_set_head(s, &none);
}

static size_t row_length(const json_t *row)
{
	return json_is_array(row) ? json_array_size(row) : 1;
}

static bool is_measured(const json_t *row)
{
	size_t i;

	for (i = 0; i < row_length(row); i++)
		if (!is_label(cell(row, i)))
			return true;
	return false;
}

/*
 * Runs in it: the length of the longest row with a number. A file of either kind is flat, and its
 * names have a dot, between monitor or test and metric; 0: it is neither.
 */
static size_t count_runs(const struct nt_doc *d)
{
	bool dots = false;
	const char *key;
	size_t n = 0;
	json_t *row;

	json_object_foreach(d->root, key, row) {
		if (json_is_object(row))
			return 0;
		if (!is_measured(row))
			continue;
		dots = dots || strchr(key, '.');
		n = row_length(row) > n ? row_length(row) : n;
	}
	return dots ? n : 0;
}

int nt_foreign_lkp(const struct nt_doc *d, int side, struct nt_results *s)
{
	size_t n = json_is_object(d->root) ? count_runs(d) : 0, i;
	int err = 0;

	if (!n)
		return nt_fail(d->e, -EINVAL, "%.300s:%lu: none of: " NT_KNOWN_FORMATS, d->path,
			       d->first);
	for (i = 0; !err && i < n; i++)
		err = add_run(d, i, side, s);
	if (err == -ENOMEM)
		nt_fail(d->e, err, "%.300s: out of memory", d->path);
	return err;
}
