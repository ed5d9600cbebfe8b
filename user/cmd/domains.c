// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace domains [OPTIONS] [RECORD] */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "cmd/words.h"
#include "collect/domains.h"
#include "collect/root.h"
#include "store/record_read.h"
#include "view/domains.h"

static const char help[] =
"Usage: numatrace domains [OPTIONS] [RECORD]\n"
"Print the machine's nodes and the scheduling domains that its kernel built, with\n"
"imb_numa_nr as the kernel holds it and as mainline's formula gives it. Needs root.\n"
"\n"
"  --format FORMAT   table (default) or json\n"
"  --color WHEN      auto (default), always or never\n"
"  -v, --verbose     show what libbpf and the kernel's verifier say\n"
"  -h, --help        this text\n"
"  --version         the version\n"
"\n"
"With RECORD, a file written by numatrace -o, print those of the run recorded; of\n"
"several runs, those that differ from the one before. - is standard input.\n";

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "color", required_argument, NULL, 'c' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct args {
	struct nt_view_opts view;
	bool verbose;
};

static int done(int err, const struct nt_error *e)
{
	/* A reader that went away (| head) has seen what it wanted. */
	if (!err || err == -EPIPE)
		return 0;
	if (*e->msg)
		nt_complain("%s", e->msg);
	else
		nt_complain("cannot print the domains: %s", strerror(-err));
	return NT_EXIT_FAILED;
}

static int show_record(const char *path, const struct args *a)
{
	struct nt_error e = { "" };
	struct nt_run *runs;
	size_t n;
	int err;

	err = nt_record_read_totals(path, &runs, &n, &e);
	if (!err) {
		err = nt_domains_report(stdout, runs, n, &a->view);
		nt_records_free(runs, n);
	}
	return done(err, &e);
}

static int show_machine(const struct args *a)
{
	struct nt_error e = { "" };
	struct nt_run r = { 0 };
	int err = nt_root_set(getenv("NUMATRACE_ROOT"));

	if (err)
		nt_fail(&e, err, "NUMATRACE_ROOT names no directory that can be read");
	err = err ?: nt_domains_read(&r, !nt_root(), a->verbose, &e);
	err = err ?: nt_domains_report(stdout, &r, 1, &a->view);
	nt_run_free(&r);
	return done(err, &e);
}

int nt_cmd_domains(int argc, char **argv)
{
	struct args a = { .view.format = NT_FORMAT_TABLE };
	int c;

	nt_word_color(&a.view, "auto");
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, ":hv", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			if (!nt_word_format(&a.view, optarg) || a.view.format == NT_FORMAT_CSV)
				return nt_bad_usage("domains", "--format %s: it is table or json",
						    optarg);
			break;
		case 'c':
			if (!nt_word_color(&a.view, optarg))
				return nt_bad_usage("domains", "--color %s: it is auto, always "
						    "or never", optarg);
			break;
		case 'v':
			a.verbose = true;
			break;
		case 'h':
			return fputs(help, stdout) < 0 ? NT_EXIT_FAILED : 0;
		case 'V':
			printf("numatrace %s\n", NT_VERSION);
			return 0;
		case ':':
			return nt_bad_usage("domains", "option %s needs a value", argv[optind - 1]);
		default:
			return nt_bad_usage("domains", "unknown option %s", argv[optind - 1]);
		}
	}
	if (argc - optind > 1)
		return nt_bad_usage("domains", "one record at most: %s", argv[optind + 1]);
	return argc > optind ? show_record(argv[optind], &a) : show_machine(&a);
}
