/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a run, as data. Nothing is printed and nothing ends here. */
#ifndef NT_CMD_OPTIONS_H
#define NT_CMD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/error.h"
#include "view/report.h"

#define NT_MIN_INTERVAL_NS	10000000ULL

enum nt_color {
	NT_COLOR_AUTO,
	NT_COLOR_ALWAYS,
	NT_COLOR_NEVER,
};

/* Strings point into argv. */
struct nt_run_opts {
	const char *output;		/* NULL: no record */
	bool force;
	uint64_t interval_ns;		/* 0: not given */
	uint64_t duration_ns;		/* 0: until the command ends */
	const char *user;
	const char **score;		/* "NAME=REGEX" */
	size_t nscores;
	bool no_score;
	const char **param;		/* "KEY=VALUE", keys differ */
	size_t nparams;
	bool no_bpf;
	enum nt_format format;
	enum nt_color color;
	bool quiet;
	int verbose;			/* how often -v was given */
	unsigned long repeat;		/* at least 1 */
	unsigned long warmup;		/* runs before them, not measured */
	const char *prepare;		/* shell command before each run; NULL: none */
	bool ignore_failure;		/* a run that fails does not end the series */
	bool all;			/* observe the whole machine: no command */
	pid_t pid[NT_MAX_PIDS];		/* observe these: no command */
	size_t npids;
	bool help, version;		/* asked for: nothing else was looked at */
	char **argv;			/* the command; NULL if help, version, all or pid */
};

/* 0; -EINVAL with the sentence in e; -ENOMEM. nt_run_opts_free() after 0 only. */
int nt_run_opts_parse(struct nt_run_opts *o, int argc, char **argv, struct nt_error *e);
void nt_run_opts_free(struct nt_run_opts *o);

/* The text of --help. At most 80 columns. */
extern const char nt_run_help[];

#endif
