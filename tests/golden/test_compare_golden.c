// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comparisons of the records in tests/golden/compare, as the command prints them, must give the
 * committed bytes: stderr, then stdout.
 *
 *	test_compare_golden		compare; UPDATE=1 in the environment writes them anew
 */
#include <errno.h>

#include "cmd/cmd.h"
#include "golden/bytes.h"
#include "unit/cmd_util.h"

#define DIR "tests/golden/compare/"
#define SIDES(name) DIR name "-base.jsonl", "--", DIR name "-new.jsonl"
#define NODES SIDES("nodes")
#define ODD SIDES("odd")
#define FSMARK SIDES("fsmark")

static const struct {
	const char *name;
	const char *arg[14];
} cases[] = {
	{ "nodes.table", { "--all", NODES } },
	{ "nodes.welch", { "--welch", NODES } },
	{ "nodes.json", { "--format", "json", NODES } },
	{ "nodes.csv", { "--format=csv", NODES } },
	{ "nodes.md", { "--format", "markdown", "--welch", "--all", NODES } },
	{ "nodes.plot", { "--plot", "stress-ng.fstat.ops", NODES } },
	{ "fsmark.plot", { "--force", "--plot", "fsmark.files_per_sec", FSMARK } },
	{ "unknown.refused", { "--plot", "fstat.ops_per_second", NODES } },
	{ "five.refused", { "--plot", "a.score", SIDES("imb"), "--", DIR "imb-new.jsonl", "--",
			    DIR "imb-new.jsonl", "--", DIR "imb-new.jsonl" } },
	{ "imb.table", { SIDES("imb") } },
	/* What speaks against comparing, what happened or did not, what a side has not. */
	{ "odd.table", { "--force", "--all", ODD } },
	{ "odd.json", { "--force", "--all", "--format", "json", ODD } },
	{ "odd.csv", { "--force", "--all", "--format", "csv", ODD } },
	{ "odd.md", { "--force", "--all", "--format", "markdown", "--welch", ODD } },
	{ "odd.refused", { "--format", "json", ODD } },
	/* The published table; and the same sides where the command tells them apart. */
	{ "fsmark.table", { "--by", "nr_threads", FSMARK } },
	{ "fsmark.welch", { "--by", "nr_threads", "--welch", "--stat", "files", FSMARK } },
	{ "fsmark.md", { "--by", "nr_threads", "--format", "markdown", FSMARK } },
	{ "fsmark.csv", { "--by", "nr_threads", "--format", "csv", FSMARK } },
	{ "fsmark.json", { "--by", "nr_threads", "--format", "json", "--kpi", FSMARK } },
	{ "fsmark.refused", { FSMARK } },
	{ "no-label.refused", { "--by", "threads", FSMARK } },
};

static int check(size_t i)
{
	bool refused = strstr(cases[i].name, "refused");
	char path[200], *argv[16] = { (char *)"compare" }, *text = NULL;
	FILE *f = tmpfile();
	size_t len, n;
	int err;

	for (n = 0; cases[i].arg[n]; n++)
		argv[n + 1] = (char *)cases[i].arg[n];
	err = f ? run_captured(nt_cmd_compare, argv, f, f) : -errno;
	if (err != (refused ? NT_EXIT_FAILED : 0)) {
		printf("# status %d\n", err);
		return -1;
	}
	snprintf(path, sizeof(path), DIR "%s", cases[i].name);
	text = text_of(f, &len);
	err = text ? check_bytes(path, text, len) : -1;
	free(text);
	fclose(f);
	return err;
}

int main(void)
{
	size_t i, n = sizeof(cases) / sizeof(cases[0]);
	int failed = 0;

	setenv("LC_ALL", "C", 1);
	printf("1..%zu\n", n);
	for (i = 0; i < n; i++) {
		int err = check(i);

		failed += err != 0;
		printf("%sok %zu - %s\n", err ? "not " : "", i + 1, cases[i].name);
	}
	return failed ? 1 : 0;
}
