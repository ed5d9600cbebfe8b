// SPDX-License-Identifier: GPL-2.0-or-later
/* A record that anybody may have written, and all that is printed of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "store/record_read.h"
#include "view/domains.h"
#include "view/report.h"

static void print(const struct nt_run *runs, size_t n, enum nt_format format, bool domains)
{
	struct nt_view_opts opts = { .format = format };
	char *text = NULL;
	size_t len = 0, i;
	FILE *f = open_memstream(&text, &len);
	int err = 0;

	nt_must(f, "there is memory");
	for (i = 0; i < n && !err && !domains; i++)
		err = nt_report(f, &runs[i], &opts);
	if (domains)
		err = nt_domains_report(f, runs, n, &opts);
	nt_must(!err && !fclose(f), "what can be read can be printed");
	nt_must_be_printable(text, len);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = nt_fuzz_file(data, size);
	struct nt_error e = { "" };
	struct nt_run *runs;
	size_t n;

	if (nt_record_read(path, &runs, &n, &e)) {
		nt_must(!strncmp(e.msg, path, strlen(path)), "an error names the file");
		return 0;
	}
	nt_must(n, "a record has a run");
	print(runs, n, NT_FORMAT_TABLE, false);
	print(runs, n, NT_FORMAT_JSON, false);
	print(runs, n, NT_FORMAT_CSV, false);
	print(runs, n, NT_FORMAT_TABLE, true);
	print(runs, n, NT_FORMAT_JSON, true);
	nt_records_free(runs, n);
	return 0;
}
