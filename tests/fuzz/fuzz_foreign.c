// SPDX-License-Identifier: GPL-2.0-or-later
/* Files for a comparison, told apart by content: mpstat, perf stat, the test robot, records. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "store/results_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = nt_fuzz_file(data, size);
	struct nt_results s = { 0 };
	struct nt_error e = { "" };
	size_t run, key;

	if (nt_results_read(path, 0, &s, &e))
		nt_must(!strncmp(e.msg, path, strlen(path)), "an error names the file");
	else
		nt_must(s.n, "a file without an error has a run");
	for (run = 0; run < s.n; run++)
		for (key = 0; key < s.v[run].nvalues; key++)
			nt_must(!isinf(s.v[run].value[key]), "a value is a number or absent");
	nt_results_free(&s);
	return 0;
}
