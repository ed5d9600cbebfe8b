/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a record, plain or gzip (told by its content).
 */
#ifndef NT_STORE_RECORD_READ_H
#define NT_STORE_RECORD_READ_H

#include <jansson.h>

#include "model/error.h"
#include "model/run.h"
#include "store/lines.h"
#include "store/quick.h"

/*
 * The runs of a file, one for each header. What is readable is kept: a record cut
 * short gives a run with ended = false whose totals are the sum of its samples, and
 * after a line that cannot be read the last run has a note that says so. An error
 * only if not even the first header can be read: -EINVAL or -errno, and one
 * sentence "FILE:LINE: what" in e. *runs is the caller's: nt_records_free.
 */
int nt_record_read(const char *path, struct nt_run **runs, size_t *n, struct nt_error *e);

/* The same without the samples, which are only counted: memory does not grow with them. */
int nt_record_read_totals(const char *path, struct nt_run **runs, size_t *n, struct nt_error *e);

/*
 * The same run by run, so that memory does not grow with them either. fn may empty the run; its
 * -errno stops the reading and is returned, with no sentence in e.
 */
int nt_record_each(const char *path, int (*fn)(void *arg, struct nt_run *r), void *arg,
		   struct nt_error *e);

void nt_records_free(struct nt_run *runs, size_t n);

/* Where the runs of a file go, one by one. */
struct nt_record_sink {
	bool samples;		/* keep them in the run; else memory does not grow with them */
	/*
	 * Of a run that ended and has metrics nothing else is wanted that was counted: its
	 * samples and totals need not be read, and are as if nothing had happened.
	 */
	bool metrics_do;
	/*
	 * A run that ended, with its end line, or one that did not: end is NULL and the
	 * totals are the sum of the samples. Where metrics->at is set, they are there (see
	 * store/quick.h) and not in end. The run is the callee's, to be left or freed.
	 * -errno stops the reading.
	 */
	int (*run)(void *arg, struct nt_run *r, const json_t *end, const struct nt_span *metrics);
	void *arg;
};

/*
 * As nt_record_read, from lines that are open. *damaged: reading stopped at a line that cannot
 * be read, in->e says where and why; the runs before it came, the one in it as one that did
 * not end.
 */
int nt_record_stream(struct nt_lines *in, const struct nt_record_sink *sink, bool *damaged);

#endif
