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

static int print_run(void *arg, struct nt_run *r)
{
	return nt_report(stdout, r, arg);
}

/* A plot is of all runs and samples together. */
static int plot_record(const char *path, const char *plot, struct nt_error *e)
{
	struct nt_error why = { "" };
	struct nt_run *runs;
	size_t n;
	int err = nt_record_read(path, &runs, &n, e);

	if (err)
		return err;
	err = nt_plot_runs(stdout, runs, n, plot, nt_utf8_wanted(), &why);
	if (err && *why.msg)
		nt_fail(e, err, "%.200s: %s", path, why.msg);
	nt_records_free(runs, n);
	return err;
}

static int print_record(const char *path, struct nt_view_opts *view, const char *plot)
{
	struct nt_error e = { "" };
	int err;

	if (plot)
		err = plot_record(path, plot, &e);
	else
		err = nt_record_each(path, print_run, view, &e);
	/* A reader that went away (| head) has seen what it wanted; there is no sentence then. */
	if (!err || (err == -EPIPE && !*e.msg))
		return 0;
	if (*e.msg)
		nt_complain("%s", e.msg);
	else
		nt_complain("cannot print the report: %s", strerror(-err));
	return NT_EXIT_FAILED;
}

int nt_cmd_report(int argc, char **argv)
{
	struct nt_view_opts view = { .format = NT_FORMAT_TABLE, .utf8 = nt_utf8_wanted() };
	const char *plot = NULL;
	int c;

	nt_word_color(&view, "auto");
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			if (!nt_word_format(&view, optarg))
				return nt_bad_usage("report", "--format %s: it is table, json or "
						    "csv", optarg);
			break;
		case 'p':
			plot = optarg;
			break;
		case 'c':
			if (!nt_word_color(&view, optarg))
				return nt_bad_usage("report", "--color %s: it is auto, always or "
						    "never", optarg);
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
