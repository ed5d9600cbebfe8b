// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace compare [OPTIONS] BASE... -- NEW... [-- NEWER...] */
#include <errno.h>
#include <getopt.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "model/compare.h"
#include "store/results_read.h"
#include "view/compare.h"

static const char help[] =
"Usage: numatrace compare [OPTIONS] BASE... -- NEW... [-- NEWER...]\n"
"Print sets of runs side by side, in the kernel test robot's layout: the scores of\n"
"the workload and the metrics that changed. Each side is one or more files of one or\n"
"more runs, and is compared with the first.\n"
"\n"
"  --all             metrics that did not change as well\n"
"  --stat REGEX      only metrics whose name matches the extended regular expression\n"
"  --kpi             only the scores of the workload\n"
"  --by LABEL        a row for each value of a label (numatrace --param LABEL=VALUE) of\n"
"                    the scores, or of the metrics that --stat names\n"
"  --format FORMAT   table (default), json, csv or markdown; json and csv are unrounded and\n"
"                    always have what --welch adds\n"
"  --plot METRIC     instead of the table a plot of a metric, run by run: * is the base,\n"
"                    O # and @ are the other sides\n"
"  --welch           beside each row Welch's test: verdict, p value, and the ratio of\n"
"                    the means with its 95 % confidence interval\n"
"  --lkp-compat      a change from 0 in the robot's way, +6e+102%, instead of n/a\n"
"  --force           compare sides whose machine or command is not the same\n"
"  -h, --help        this text\n"
"  --version         the version\n"
"\n"
"A file is a record of numatrace -o, the test robot's matrix.json or stats.json,\n"
"mpstat -o JSON or perf stat -j, compressed (.gz) or not; - is standard input.\n";

enum {
	OPT_ALL = 256,
	OPT_STAT,
	OPT_KPI,
	OPT_BY,
	OPT_FORMAT,
	OPT_PLOT,
	OPT_WELCH,
	OPT_COMPAT,
	OPT_FORCE,
	OPT_VERSION,
};

static const struct option options[] = {
	{ "all", no_argument, NULL, OPT_ALL },
	{ "stat", required_argument, NULL, OPT_STAT },
	{ "kpi", no_argument, NULL, OPT_KPI },
	{ "by", required_argument, NULL, OPT_BY },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "plot", required_argument, NULL, OPT_PLOT },
	{ "welch", no_argument, NULL, OPT_WELCH },
	{ "lkp-compat", no_argument, NULL, OPT_COMPAT },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct args {
	struct nt_compare_opts opts;
	struct nt_compare_view view;
	const char *stat;
	const char *plot;	/* a metric; NULL: a table */
	regex_t regex;
	char **file;		/* [nfiles] and "--" between sides */
	size_t nfiles;
	char **name;		/* [nsides] each side's first file */
	int nsides;
	bool force;		/* compare what is not the same */
	bool done;		/* --help, --version */
};

static int take_format(struct args *a, const char *word)
{
	int i;

	for (i = 0; nt_compare_format_name[i]; i++) {
		if (strcmp(nt_compare_format_name[i], word))
			continue;
		a->view.format = (enum nt_compare_format)i;
		return 0;
	}
	return nt_bad_usage("compare", "--format %s: it is table, json, csv or markdown", word);
}

static int take(struct args *a, int c, char **argv)
{
	switch (c) {
	case OPT_ALL:
		a->opts.all = true;
		return 0;
	case OPT_STAT:
		a->stat = optarg;
		return 0;
	case OPT_KPI:
		a->opts.kpi = true;
		return 0;
	case OPT_BY:
		a->opts.by = optarg;
		return 0;
	case OPT_FORMAT:
		return take_format(a, optarg);
	case OPT_PLOT:
		a->plot = optarg;
		return 0;
	case OPT_WELCH:
		a->view.welch = true;
		return 0;
	case OPT_COMPAT:
		a->opts.compat = true;
		return 0;
	case OPT_FORCE:
		a->force = true;
		return 0;
	case 'h':
		a->done = true;
		return fputs(help, stdout) < 0 ? NT_EXIT_FAILED : 0;
	case OPT_VERSION:
		a->done = true;
		printf("numatrace %s\n", NT_VERSION);
		return 0;
	case ':':
		return nt_bad_usage("compare", "option %s needs a value", argv[optind - 1]);
	default:
		return nt_bad_usage("compare", "unknown option %s", argv[optind - 1]);
	}
}

static int compile_stat(struct args *a)
{
	char why[128];
	int err;

	if (!a->stat)
		return 0;
	err = regcomp(&a->regex, a->stat, REG_EXTENDED | REG_NOSUB);
	if (!err) {
		a->opts.stat = &a->regex;
		return 0;
	}
	regerror(err, &a->regex, why, sizeof(why));
	return nt_bad_usage("compare", "--stat: %s", why);
}

static bool is_file(const char *arg)
{
	return *arg != '-' || !arg[1];
}

/* Options may stand anywhere; a "--" is between two sides wherever it stands. */
static int parse(struct args *a, int argc, char **argv)
{
	int err = 0;

	opterr = 0;
	optind = 1;
	while (!err && !a->done && optind < argc) {
		if (is_file(argv[optind]) || !strcmp(argv[optind], "--"))
			a->file[a->nfiles++] = argv[optind++];
		else
			err = take(a, getopt_long(argc, argv, "+:h", options, NULL), argv);
	}
	if (err || a->done)
		return err;
	if (a->plot && (a->opts.by || a->view.format != NT_COMPARE_TABLE))
		return nt_bad_usage("compare", "--plot goes without --by and --format");
	return compile_stat(a);
}

/* Files up to a "--" are one side; one before all of them is the usual end of options. */
static int read_sides(struct args *a, struct nt_results *s, struct nt_error *e)
{
	bool any = false;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < a->nfiles; i++) {
		if (strcmp(a->file[i], "--")) {
			if (!any)
				a->name[a->nsides++] = a->file[i];
			any = true;
			err = nt_results_read(a->file[i], a->nsides - 1, s, e);
		} else if (i) {
			if (!any)
				break;
			any = false;
		}
	}
	if (!err && (!any || a->nsides < 2))
		err = nt_fail(e, -EINVAL, "compare needs two sides, each with a file: numatrace "
			      "compare BASE... -- NEW...");
	return err;
}

static int print(struct args *a, const struct nt_compare *c, bool *refused, struct nt_error *e)
{
	*refused = nt_compare_refused(c) && !a->force;
	if (*refused) {
		nt_compare_refusal(stderr, c);
		return 0;
	}
	if (a->plot || a->view.format == NT_COMPARE_CSV)	/* they have no place for it */
		nt_compare_top(stderr, c);
	if (a->plot)
		return nt_compare_plot(stdout, c, a->plot, e);
	return nt_compare_print(stdout, c, &a->view);
}

static int show(struct args *a, const struct nt_results *s, struct nt_error *e, bool *refused)
{
	struct nt_compare c;
	size_t i;
	int err;

	for (i = 0; i < s->nnotes; i++)
		nt_complain("%s", s->note[i]);
	err = nt_compare(&c, s, a->name, a->nsides, &a->opts);
	if (!err)
		err = print(a, &c, refused, e);
	nt_compare_free(&c);
	if (err && *e->msg)
		return err;
	if (err == -ENOENT)
		nt_fail(e, err, "no run has a label %.200s (numatrace --param LABEL=VALUE gives "
			"it)", a->opts.by);
	else if (err && err != -EPIPE)
		nt_fail(e, err, "cannot print the comparison: %s", strerror(-err));
	return err == -EPIPE ? 0 : err;		/* | head has seen what it wanted */
}

static int compare(struct args *a)
{
	struct nt_results s = { 0 };
	struct nt_error e = { "" };
	bool refused = false;
	int err = read_sides(a, &s, &e);

	if (!err)
		err = show(a, &s, &e, &refused);
	if (err)
		nt_complain("%s", e.msg);
	nt_results_free(&s);
	return err || refused ? NT_EXIT_FAILED : 0;
}

int nt_cmd_compare(int argc, char **argv)
{
	struct args a = { .view.utf8 = nt_utf8_wanted() };
	int err;

	a.file = calloc((size_t)argc, sizeof(*a.file));
	a.name = calloc((size_t)argc, sizeof(*a.name));
	if (a.file && a.name) {
		err = parse(&a, argc, argv);
	} else {
		nt_complain("%s", strerror(ENOMEM));
		err = NT_EXIT_FAILED;
	}
	signal(SIGPIPE, SIG_IGN);	/* a reader that goes away shows as EPIPE */
	if (!err && !a.done)
		err = compare(&a);
	if (a.opts.stat)
		regfree(&a.regex);
	free(a.file);
	free(a.name);
	return err;
}
