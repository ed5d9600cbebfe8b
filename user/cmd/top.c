// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace top [OPTIONS] */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "cmd/options.h"
#include "cmd/top_loop.h"
#include "collect/clock.h"
#include "collect/root.h"
#include "model/parse.h"

static const char help[] =
"Usage: numatrace top [OPTIONS]\n"
"Live, on the whole terminal: NUMA nodes with their CPU time, runnable tasks and\n"
"idle CPUs; migrations per second by cause; load balancing by domain level; the\n"
"tasks that migrate most. Without root: CPU time alone.\n"
"\n"
"  -i, --interval DUR  time between two screens: 500ms, 2s (1s)\n"
"  -n, --count N       end after N intervals\n"
"  -v, --verbose       show first what libbpf and the kernel's verifier say\n"
"  -h, --help          this text\n"
"      --version       the version\n"
"\n"
"Keys: q quit, p pause, s sort the tasks otherwise, + and - longer and shorter\n"
"intervals, i the next one, h help. ^C, ^Z and a new size of the terminal do what\n"
"they should. NO_COLOR is honoured.\n";

static const struct option options[] = {
	{ "interval", required_argument, NULL, 'i' },
	{ "count", required_argument, NULL, 'n' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

int nt_cmd_top(int argc, char **argv)
{
	struct nt_top_opts o = { .interval_ns = NT_NSEC };
	int c;

	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, ":i:n:hv", options, NULL)) != -1) {
		switch (c) {
		case 'i':
			if (nt_parse_duration(optarg, &o.interval_ns) ||
			    o.interval_ns < NT_MIN_INTERVAL_NS)
				return nt_bad_usage("top", "--interval: '%s' is no time of at "
						    "least 10ms, such as 500ms or 2s", optarg);
			break;
		case 'n':
			if (nt_parse_count(optarg, 1, LONG_MAX, &o.count))
				return nt_bad_usage("top", "--count: '%s' is no number from 1 on",
						    optarg);
			break;
		case 'v':
			o.verbose = true;
			break;
		case 'h':
			return fputs(help, stdout) < 0 ? NT_EXIT_FAILED : 0;
		case 'V':
			printf("numatrace %s\n", NT_VERSION);
			return 0;
		case ':':
			return nt_bad_usage("top", "option %s needs a value", argv[optind - 1]);
		default:
			return nt_bad_usage("top", "unknown option %s", argv[optind - 1]);
		}
	}
	if (argc > optind)
		return nt_bad_usage("top", "it takes no arguments: %s", argv[optind]);
	if (nt_root_set(getenv("NUMATRACE_ROOT"))) {
		nt_complain("NUMATRACE_ROOT names no directory that can be read");
		return NT_EXIT_FAILED;
	}
	return nt_top_run(&o);
}
