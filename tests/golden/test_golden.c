// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each record of this folder rendered in each format must give the committed bytes.
 *
 *	test_golden DIR		compare; UPDATE=1 in the environment writes them anew
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/bytes.h"
#include "store/record_read.h"
#include "view/domains.h"
#include "view/plot_runs.h"
#include "view/report.h"

static const char *const names[] = { "fstat-2x4", "old-early", "nodes-8", "nodes-16", "no-bpf",
				     "spinners" };
static const struct {
	const char *ext;
	struct nt_view_opts opts;
} kinds[] = {
	{ "table", { .format = NT_FORMAT_TABLE } },
	{ "json", { .format = NT_FORMAT_JSON } },
	{ "csv", { .format = NT_FORMAT_CSV } },
	{ "plot", { 0 } },
	{ "domains", { .format = NT_FORMAT_TABLE } },	/* these two: numatrace domains */
	{ "domains.json", { .format = NT_FORMAT_JSON } },
};
#define FIRST_DOMAINS	4	/* of kinds */

/* The last is a guest's whose CPUs 2-3 were a cpuset partition, the one before four nodes. */
static const char *const domain_names[] = { "nodes-16", "old-early", "no-bpf", "ring",
					    "partitions" };

/* In ASCII; a metric that every record of this folder has. */
#define PLOTTED	"mpstat.node.0.usr%"

static int render_runs(FILE *f, const struct nt_run *runs, size_t n, size_t kind,
		       struct nt_error *e)
{
	int err = 0;
	size_t i;

	if (!strcmp(kinds[kind].ext, "plot"))
		return nt_plot_runs(f, runs, n, PLOTTED, false, e);
	if (kind >= FIRST_DOMAINS)
		return nt_domains_report(f, runs, n, &kinds[kind].opts);
	for (i = 0; !err && i < n; i++)
		err = nt_report(f, &runs[i], &kinds[kind].opts);
	return err;
}

static int render(const char *dir, const char *name, size_t kind, char **out, size_t *len)
{
	struct nt_error e = { 0 };
	struct nt_run *runs;
	char path[4096];
	size_t n;
	FILE *f;
	int err;

	snprintf(path, sizeof(path), "%s/%s.jsonl", dir, name);
	err = nt_record_read(path, &runs, &n, &e);
	if (err) {
		printf("# %s\n", e.msg);
		return err;
	}
	f = open_memstream(out, len);
	if (f)
		err = render_runs(f, runs, n, kind, &e);
	if (!f || fclose(f))
		err = -ENOMEM;
	nt_records_free(runs, n);
	return err;
}

/* Lines of a table: none ends in a blank, none is wider than the page. */
static int check_lines(const char *text)
{
	int bad = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len > 100 || (len && text[len - 1] == ' ')) {
			printf("# %s: %.*s\n", len > 100 ? "too wide" : "ends in a blank", (int)len,
			       text);
			bad = 1;
		}
		text += len + (text[len] == '\n');
	}
	return bad;
}

static int check(const char *dir, const char *name, size_t kind)
{
	char path[4096], *text = NULL;
	size_t len = 0;
	int err = render(dir, name, kind, &text, &len);

	if (!err && kinds[kind].opts.format == NT_FORMAT_TABLE)	/* plots, too */
		err = check_lines(text);
	snprintf(path, sizeof(path), "%s/%s.%s", dir, name, kinds[kind].ext);
	if (!err)
		err = check_bytes(path, text, len);
	free(text);
	return err;
}

static int check_all(const char *dir, const char *const *name, size_t n, size_t first, size_t end)
{
	static int number;
	int failed = 0;
	size_t i, k;

	for (i = 0; i < n; i++) {
		for (k = first; k < end; k++) {
			int err = check(dir, name[i], k);

			failed += err != 0;
			printf("%sok %d - %s as %s\n", err ? "not " : "", ++number, name[i],
			       kinds[k].ext);
		}
	}
	return failed;
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "tests/golden";
	size_t n = sizeof(names) / sizeof(names[0]), kind = sizeof(kinds) / sizeof(kinds[0]);
	size_t domains = sizeof(domain_names) / sizeof(domain_names[0]);
	int failed;

	printf("1..%zu\n", n * FIRST_DOMAINS + domains * (kind - FIRST_DOMAINS));
	failed = check_all(dir, names, n, 0, FIRST_DOMAINS);
	failed += check_all(dir, domain_names, domains, FIRST_DOMAINS, kind);
	return failed ? 1 : 0;
}
