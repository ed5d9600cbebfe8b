/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of records. Include after cmocka.h. */
#ifndef NT_TEST_RECORD_UTIL_H
#define NT_TEST_RECORD_UTIL_H

#include "store/record_read.h"

/* Read a record that must hold `want` runs. */
static inline struct nt_run *read_runs(const char *file, size_t want)
{
	struct nt_error e = { 0 };
	struct nt_run *runs;
	size_t n;
	int err = nt_record_read(file, &runs, &n, &e);

	if (err)
		print_error("%s\n", e.msg);
	assert_int_equal(err, 0);
	assert_int_equal(n, want);
	return runs;
}

#endif
