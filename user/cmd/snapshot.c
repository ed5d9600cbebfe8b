// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace snapshot [OPTIONS] */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "cmd/options.h"
#include "cmd/words.h"
#include "collect/clock.h"
#include "collect/snapshot.h"
#include "model/parse.h"
#include "view/snapshot.h"

static const char help[] =
"Usage: numatrace snapshot [OPTIONS]\n"
"Print what the CPUs of each node have to run at this instant: runnable tasks,\n"
"idle CPUs, utilization and load. One pass over the run queues; nothing is\n"
"attached to any event. Needs root.\n"
"\n"
"  -i, --interval DUR   one more every DUR, at least 10ms, until -n or ^C\n"
"  -n, --count COUNT    as many snapshots; without -i one every second\n"
"      --per-cpu        a row for each CPU, too\n"
"  --format FORMAT      table (default) or json: one object a line\n"
"  --color WHEN         auto (default), always or never\n"
"  -v, --verbose        show what libbpf and the kernel's verifier say\n"
"  -h, --help           this text\n"
"  --version            the version\n"
"\n"
"DUR is a number with ms, s or m; without a unit it is seconds. numatrace itself,\n"
"which runs while it looks, is not counted; the CPU it was on is named.\n";

static const struct option options[] = {
	{ "interval", required_argument, NULL, 'i' },
	{ "count", required_argument, NULL, 'n' },
	{ "per-cpu", no_argument, NULL, 'p' },
	{ "format", required_argument, NULL, 'f' },
	{ "color", required_argument, NULL, 'c' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct args {
	struct nt_snapshot_view view;
	uint64_t interval_ns;
	unsigned long count;		/* 0: until a signal */
	bool verbose;
};

/* At its time after the first; one that is late makes no other late. */
static int print_series(struct nt_snapshots *ss, const struct args *a, struct nt_error *e)
{
	uint64_t start = nt_now_ns(), first = 0;
	struct nt_snapshot s;
	unsigned long i;
	int err = 0;

	for (i = 0; !err && (!a->count || i < a->count); i++) {
		nt_sleep_until(start + i * a->interval_ns);
		err = nt_snapshots_take(ss, &s, e);
		if (err)
			break;
		first = i ? first : s.at_ns;
		err = nt_snapshot_report(stdout, &ss->r, &ss->map, &s, (s.at_ns - first) / 1e9,
					 &a->view);
		nt_snapshot_free(&s);
	}
	return err;
}

static int show(const struct args *a)
{
	struct nt_snapshots ss;
	struct nt_error e = { "" };
	int err;

	if (getenv("NUMATRACE_ROOT")) {
		nt_complain("NUMATRACE_ROOT is set: run queues are read from the running kernel "
			    "alone; unset it");
		return NT_EXIT_FAILED;
	}
	err = nt_snapshots_open(&ss, a->verbose, &e);
	err = err ?: print_series(&ss, a, &e);
	nt_snapshots_close(&ss);
	/* A reader that went away (| head) has seen what it wanted. */
	if (!err || err == -EPIPE)
		return 0;
	if (*e.msg)
		nt_complain("%s", e.msg);
	else
		nt_complain("cannot print the snapshot: %s", strerror(-err));
	return NT_EXIT_FAILED;
}

static int bad_value(const char *option, const char *value, const char *wanted)
{
	return nt_bad_usage("snapshot", "%s %s: it is %s", option, value, wanted);
}

/* 0, or the exit status. */
static int take_option(struct args *a, int c)
{
	switch (c) {
	case 'i':
		if (nt_parse_duration(optarg, &a->interval_ns) ||
		    a->interval_ns < NT_MIN_INTERVAL_NS)
			return bad_value("--interval", optarg, "a duration, at least 10ms");
		return 0;
	case 'n':
		if (nt_parse_count(optarg, 1, ULONG_MAX, &a->count))
			return bad_value("--count", optarg, "a number, at least 1");
		return 0;
	case 'p':
		a->view.per_cpu = true;
		return 0;
	case 'f':
		if (!nt_word_format(&a->view.o, optarg) || a->view.o.format == NT_FORMAT_CSV)
			return bad_value("--format", optarg, "table or json");
		return 0;
	case 'c':
		if (!nt_word_color(&a->view.o, optarg))
			return bad_value("--color", optarg, "auto, always or never");
		return 0;
	default:
		a->verbose = true;
		return 0;
	}
}

int nt_cmd_snapshot(int argc, char **argv)
{
	struct args a = { .view.o.format = NT_FORMAT_TABLE };
	int c, status;

	nt_word_color(&a.view.o, "auto");
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, ":i:n:hv", options, NULL)) != -1) {
		if (c == 'h')
			return fputs(help, stdout) < 0 ? NT_EXIT_FAILED : 0;
		if (c == 'V')
			return printf("numatrace %s\n", NT_VERSION) < 0 ? NT_EXIT_FAILED : 0;
		if (c == ':')
			return nt_bad_usage("snapshot", "option %s needs a value",
					    argv[optind - 1]);
		if (c == '?')
			return nt_bad_usage("snapshot", "unknown option %s", argv[optind - 1]);
		status = take_option(&a, c);
		if (status)
			return status;
	}
	if (optind < argc)
		return nt_bad_usage("snapshot", "snapshot takes no %s", argv[optind]);
	if (!a.count && !a.interval_ns)
		a.count = 1;
	if (!a.interval_ns)
		a.interval_ns = NT_NSEC;
	/* A reader that goes away shows as EPIPE. */
	signal(SIGPIPE, SIG_IGN);
	return show(&a);
}
