// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace features [OPTIONS] */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "cmd/words.h"
#include "collect/features.h"
#include "collect/root.h"
#include "view/features.h"
#include "view/section.h"

#define WIDTH	100

static const char help[] =
"Usage: numatrace features [OPTIONS]\n"
"What this kernel offers: by which way each question is answered, why not by a\n"
"better one, and what helps. Everything is tried, and then undone.\n"
"\n"
"  --format FORMAT   table (default) or json\n"
"  -v, --verbose     libbpf's messages, on stderr\n"
"  -h, --help        this text\n"
"  --version         the version\n"
"\n"
"Exit status: 0 if migrations and CPU time can be measured, 1 if not, 125 if\n"
"numatrace itself failed.\n";

static const struct option options[] = {
	{ "format", required_argument, NULL, 'f' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static int show(bool json, bool verbose)
{
	struct nt_features fs = { 0 };
	struct nt_error e = { "" };
	int err, status = NT_EXIT_FAILED;

	if (nt_root_set(getenv("NUMATRACE_ROOT"))) {
		nt_complain("NUMATRACE_ROOT names no directory that can be read");
		return NT_EXIT_FAILED;
	}
	err = nt_features_probe(&fs, verbose, &e);
	if (err) {
		nt_complain("%s", e.msg);
		goto out;
	}
	err = json ? nt_features_json(stdout, &fs) : nt_show_features(stdout, &fs, WIDTH);
	if (!err)
		err = nt_flush(stdout);
	/* A reader that went away (| head) has seen what it wanted. */
	if (err && err != -EPIPE)
		nt_complain("cannot print the features: %s", strerror(-err));
	else
		status = nt_features_enough(&fs) ? 0 : 1;
out:
	nt_features_free(&fs);
	return status;
}

int nt_cmd_features(int argc, char **argv)
{
	struct nt_view_opts view = { .format = NT_FORMAT_TABLE };
	bool verbose = false;
	int c;

	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, ":hv", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			if (!nt_word_format(&view, optarg) || view.format == NT_FORMAT_CSV)
				return nt_bad_usage("features", "--format %s: it is table or json",
						    optarg);
			break;
		case 'v':
			verbose = true;
			break;
		case 'h':
			return fputs(help, stdout) < 0 ? NT_EXIT_FAILED : 0;
		case 'V':
			printf("numatrace %s\n", NT_VERSION);
			return 0;
		case ':':
			return nt_bad_usage("features", "option %s needs a value",
					    argv[optind - 1]);
		default:
			return nt_bad_usage("features", "unknown option %s", argv[optind - 1]);
		}
	}
	if (optind < argc)
		return nt_bad_usage("features", "features takes no %s", argv[optind]);
	return show(view.format == NT_FORMAT_JSON, verbose);
}
