// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace report [OPTIONS] RECORD */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "cmd/words.h"
#include "store/record_read.h"
#include "view/plot_runs.h"
#include "view/report.h"

static const char help[] =
"Usage: numatrace report [OPTIONS] RECORD\n"
"Print the report of a saved run again; of several runs, one after the other.\n"
"\n"
"  --format FORMAT   table (default), json (one object a run) or csv\n"
"  --plot METRIC     plot a metric over the samples of the run; of several runs,\n"
"                    run by run. --format csv lists the metrics\n"
"  --color WHEN      auto (default), always or never\n"
"  -h, --help        this text\n"
"  --version         the version\n"
"\n"
"RECORD is a file written by numatrace -o, compressed (.gz) or not; - is standard input.\n";

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "plot", required_argument, NULL, 'p' },
	{ "color", required_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static int print_runs(const struct nt_run *runs, size_t n, const struct nt_view_opts *view,
		      const char *plot, struct nt_error *e)
{
	int err = 0;
	size_t i;

	if (plot)
		return nt_plot_runs(stdout, runs, n, plot, nt_utf8_wanted(), e);
	for (i = 0; i < n && !err; i++)
		err = nt_report(stdout, &runs[i], view);
	return err;
}

static int print_record(const char *path, const struct nt_view_opts *view, const char *plot)
{
	struct nt_error e = { "" };
	struct nt_run *runs;
	size_t n;
	int err;

	err = plot ? nt_record_read(path, &runs, &n, &e) :
	      nt_record_read_totals(path, &runs, &n, &e);
	if (err) {
		nt_complain("%s", e.msg);
		return NT_EXIT_FAILED;
	}
	err = print_runs(runs, n, view, plot, &e);
	nt_records_free(runs, n);
	/* A reader that went away (| head) has seen what it wanted. */
	if (err && err != -EPIPE && *e.msg)
		nt_complain("%s: %s", path, e.msg);
	else if (err && err != -EPIPE)
		nt_complain("cannot print the report: %s", strerror(-err));
	return err && err != -EPIPE ? NT_EXIT_FAILED : 0;
}

int nt_cmd_report(int argc, char **argv)
{
	struct nt_view_opts view = { .format = NT_FORMAT_TABLE };
	const char *plot = NULL;
	int c;

	nt_word_color(&view, "auto");
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			if (!nt_word_format(&view, optarg))
				return nt_bad_usage("report", "--format %s: it is table, json or csv",
						    optarg);
			break;
		case 'p':
			plot = optarg;
			break;
		case 'c':
			if (!nt_word_color(&view, optarg))
				return nt_bad_usage("report", "--color %s: it is auto, always or never",
						    optarg);
			break;
		case 'h':
			return fputs(help, stdout) < 0 ? NT_EXIT_FAILED : 0;
		case 'V':
			printf("numatrace %s\n", NT_VERSION);
			return 0;
		case ':':
			return nt_bad_usage("report", "option %s needs a value", argv[optind - 1]);
		default:
			return nt_bad_usage("report", "unknown option %s", argv[optind - 1]);
		}
	}
	if (argc - optind != 1)
		return nt_bad_usage("report", "report needs %s", argc == optind ?
				    "a record to read" : "exactly one record");
	/* A reader that goes away shows as EPIPE. */
	signal(SIGPIPE, SIG_IGN);
	return print_record(argv[optind], &view, plot);
}
