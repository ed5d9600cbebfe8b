/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of other tools, as runs of a side. What can be read is used and a note says what
 * was not; 0, or -errno with "FILE:LINE: why" in the lines' error.
 */
#ifndef NT_STORE_FOREIGN_H
#define NT_STORE_FOREIGN_H

#include <jansson.h>

#include "model/result.h"
#include "store/lines.h"

/* For "FILE: ...", where a file is none of what can be read. */
#define NT_KNOWN_FORMATS	"a numatrace record, the test robot's matrix.json or stats.json, " \
				"mpstat -o JSON or perf stat -j"

/* perf stat -j: an object a line. */
int nt_foreign_perf(struct nt_lines *in, int side, struct nt_results *s);

/* One JSON text over any number of lines: mpstat's, or the test robot's. */
int nt_foreign_document(struct nt_lines *in, int side, struct nt_results *s);

/* Such a text. */
struct nt_doc {
	const char *path;
	struct nt_error *e;
	char *text;
	size_t len;
	unsigned long first;	/* number of its first line */
	json_t *root;
};

/* Without duplicate keys; whole numbers of any size become doubles. */
json_t *nt_foreign_json(const char *text, size_t len, json_error_t *je);

/* The reason without the piece of the file that the parser quotes: that may hold anything. */
int nt_json_reason_len(const json_error_t *je);

unsigned long nt_doc_line(const struct nt_doc *d, size_t offset);

/* Is it mpstat's, so far as it can be read? */
bool nt_is_mpstat(const struct nt_doc *d);

/*
 * why: what stopped the parser at that offset, where root is NULL; the intervals before it are
 * used.
 */
int nt_foreign_mpstat(struct nt_doc *d, const char *why, size_t offset, int side,
		      struct nt_results *s);

/* matrix.json has a column for each run, stats.json is one run. */
int nt_foreign_lkp(const struct nt_doc *d, int side, struct nt_results *s);

#endif
