// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file compared with itself, and all that is printed of that. And a record as a comparison reads
 * it against the same record read by the JSON library alone.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "store/results_read.h"
#include "view/compare.h"

/* A blank after the first colon of a line is none of the quick way's business. */
static uint8_t *with_blanks(const uint8_t *data, size_t size, size_t *len)
{
	static const char start[] = "{\"type\":";
	size_t n = strlen(start), i;
	uint8_t *out = malloc(2 * size + 1);

	nt_must(out, "there is memory");
	for (i = *len = 0; i < size; i++) {
		out[(*len)++] = data[i];
		if (i + 1 >= n && !memcmp(data + i + 1 - n, start, n) &&
		    (i + 1 == n || data[i - n] == '\n'))
			out[(*len)++] = ' ';
	}
	return out;
}

static void must_be_same(const struct nt_results *a, const struct nt_results *b)
{
	size_t run, key;

	nt_must(a->n == b->n && a->nkeys == b->nkeys, "both ways find the same runs and metrics");
	for (run = 0; run < a->n; run++)
		for (key = 0; key < a->nkeys; key++) {
			double x = nt_result_value(&a->v[run], key);
			double y = nt_result_value(&b->v[run], key);

			nt_must(!strcmp(a->key[key], b->key[key]), "and the same names");
			nt_must(isnan(x) ? isnan(y) : x == y, "and the same values");
		}
}

/* What the library has nothing to say against must be what the quick way found. */
static void check_both_ways(const struct nt_results *quick, const uint8_t *data, size_t size)
{
	struct nt_results slow = { 0 };
	struct nt_error e = { "" };
	size_t len;
	uint8_t *text = with_blanks(data, size, &len);

	if (!nt_results_read(nt_fuzz_file(text, len), 0, &slow, &e) && !slow.nnotes)
		must_be_same(quick, &slow);
	nt_results_free(&slow);
	free(text);
}

static void print(const struct nt_results *s, const char *by, enum nt_compare_format format)
{
	static char *const names[] = { "base", "new" };
	const struct nt_compare_opts o = { .all = true, .by = by };
	const struct nt_compare_view v = { .format = format, .utf8 = true, .welch = true };
	struct nt_compare c;
	char *text = NULL;
	size_t len = 0;
	json_t *root;
	FILE *f = open_memstream(&text, &len);

	nt_must(f, "there is memory");
	if (!nt_compare(&c, s, names, 2, &o))
		nt_must(!nt_compare_print(f, &c, &v), "what can be compared can be printed");
	else
		nt_must(by, "runs of two sides can be compared");
	nt_compare_free(&c);
	nt_must(!fclose(f), "there is memory");
	nt_must_be_printable(text, len);
	root = json_loads(text, 0, NULL);
	nt_must(root || format != NT_COMPARE_JSON || by, "JSON is JSON");
	json_decref(root);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = nt_fuzz_file(data, size);
	struct nt_results s = { 0 };
	struct nt_error e = { "" };
	int format;

	if (!nt_results_read(path, 0, &s, &e) && !nt_results_read(path, 1, &s, &e)) {
		for (format = NT_COMPARE_TABLE; format <= NT_COMPARE_MARKDOWN; format++)
			print(&s, NULL, (enum nt_compare_format)format);
		print(&s, "n", NT_COMPARE_TABLE);
	}
	nt_results_free(&s);
	if (!nt_results_read(nt_fuzz_file(data, size), 0, &s, &e))
		check_both_ways(&s, data, size);
	nt_results_free(&s);
	return 0;
}
