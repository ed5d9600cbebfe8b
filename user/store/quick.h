/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end line of a run as numatrace writes it, read no further than a comparison needs: most
 * of it are counters, which have been summed up in its metrics. Whatever is not just so is left
 * to the JSON library, which is several times slower and knows what is wrong.
 */
#ifndef NT_STORE_QUICK_H
#define NT_STORE_QUICK_H

#include <stdbool.h>
#include <stddef.h>

struct nt_span {
	const char *at;
	size_t len;
};

#define NT_QUICK_NAME	256	/* bytes that hold a name and a NUL */

/* Names seen in a line; all zeroes is empty. */
struct nt_quick {
	struct nt_span *slot;	/* [cap] by hash */
	size_t cap;
};

void nt_quick_free(struct nt_quick *q);

/*
 * Where in a line {"type":"end",...} the values of "counters" and "metrics" are. True only if
 * both are there once, counters before metrics, and metrics is a plain list: names without
 * escapes that all differ, numbers of no unusual size. Of the rest of the line nothing is known.
 * False: both are empty.
 */
bool nt_quick_end(struct nt_quick *q, const char *line, size_t len, struct nt_span *counters,
		  struct nt_span *metrics);

/* A line {"type":"sample",...} that looks complete. */
bool nt_quick_sample(const char *line, size_t len);

/*
 * The metrics of such a list one by one: its name, not NUL-terminated, and value. *at is
 * metrics->at before the first, NULL after the last.
 */
void nt_quick_metric(const char **at, struct nt_span *name, double *value);

#endif
