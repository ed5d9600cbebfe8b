// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/options.h"
#include "model/parse.h"

#define MAX_REPEAT 1000000UL

/* Long options without a letter. */
enum {
	OPT_FORCE = UCHAR_MAX + 1,
	OPT_USER,
	OPT_SCORE,
	OPT_NO_SCORE,
	OPT_PARAM,
	OPT_NO_BPF,
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WARMUP,
	OPT_PREPARE,
	OPT_IGNORE_FAILURE,
	OPT_VERSION,
};

/* "+": stop at the command; ":": tell a missing value from an unknown option. */
static const char short_options[] = "+:o:i:d:r:ap:qvh";
static const struct option long_options[] = {
	{ "output",	required_argument,	NULL, 'o' },
	{ "force",	no_argument,		NULL, OPT_FORCE },
	{ "interval",	required_argument,	NULL, 'i' },
	{ "duration",	required_argument,	NULL, 'd' },
	{ "user",	required_argument,	NULL, OPT_USER },
	{ "score",	required_argument,	NULL, OPT_SCORE },
	{ "no-score",	no_argument,		NULL, OPT_NO_SCORE },
	{ "param",	required_argument,	NULL, OPT_PARAM },
	{ "no-bpf",	no_argument,		NULL, OPT_NO_BPF },
	{ "format",	required_argument,	NULL, OPT_FORMAT },
	{ "color",	required_argument,	NULL, OPT_COLOR },
	{ "quiet",	no_argument,		NULL, 'q' },
	{ "verbose",	no_argument,		NULL, 'v' },
	{ "repeat",	required_argument,	NULL, 'r' },
	{ "warmup",	required_argument,	NULL, OPT_WARMUP },
	{ "prepare",	required_argument,	NULL, OPT_PREPARE },
	{ "ignore-failure", no_argument,	NULL, OPT_IGNORE_FAILURE },
	{ "all",	no_argument,		NULL, 'a' },
	{ "pid",	required_argument,	NULL, 'p' },
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, OPT_VERSION },
	{ NULL,		0,			NULL, 0 },
};

static const char *const format_names[] = { "table", "json", "csv", NULL };
static const char *const color_names[] = { "auto", "always", "never", NULL };

static const char *option_name(int val)
{
	for (const struct option *l = long_options; l->name; l++)
		if (l->val == val)
			return l->name;
	return "?";
}

static int bad_value(struct nt_error *e, int opt, const char *value, const char *expected)
{
	return nt_fail(e, -EINVAL, "--%s: '%s' is no valid value: expected %s", option_name(opt),
		       value, expected);
}

static int take_text(const char **out, int opt, struct nt_error *e, const char *expected)
{
	if (!*optarg)
		return bad_value(e, opt, optarg, expected);
	*out = optarg;
	return 0;
}

static int take_duration(uint64_t *out, int opt, uint64_t least, struct nt_error *e,
			 const char *expected)
{
	uint64_t ns;

	if (nt_parse_duration(optarg, &ns) || ns < least)
		return bad_value(e, opt, optarg, expected);
	*out = ns;
	return 0;
}

static int take_word(int *out, int opt, const char *const *names, struct nt_error *e,
		     const char *expected)
{
	for (int i = 0; names[i]; i++) {
		if (!strcmp(optarg, names[i])) {
			*out = i;
			return 0;
		}
	}
	return bad_value(e, opt, optarg, expected);
}

static int take_format(struct nt_run_opts *o, struct nt_error *e)
{
	int v = o->format;
	int err = take_word(&v, OPT_FORMAT, format_names, e, "table, json or csv");

	o->format = v;
	return err;
}

static int take_color(struct nt_run_opts *o, struct nt_error *e)
{
	int v = o->color;
	int err = take_word(&v, OPT_COLOR, color_names, e, "auto, always or never");

	o->color = v;
	return err;
}

/* "KEY=VALUE" into a list; a key that is there already is a mistake, not a correction. */
static int take_pair(const char ***list, size_t *n, int opt, struct nt_error *e,
		     const char *expected)
{
	size_t key = strcspn(optarg, "=");
	const char **l;

	if (!key || !optarg[key] || strcspn(optarg, " \t\n") < key)
		return bad_value(e, opt, optarg, expected);
	for (size_t i = 0; i < *n; i++)
		if (!strncmp((*list)[i], optarg, key + 1))
			return nt_fail(e, -EINVAL, "--%s: %.*s is given twice", option_name(opt),
				       (int)key, optarg);
	l = realloc(*list, (*n + 1) * sizeof(*l));
	if (!l)
		return nt_fail(e, -ENOMEM, "%s", strerror(ENOMEM));
	*list = l;
	l[(*n)++] = optarg;
	return 0;
}

static int take_score(struct nt_run_opts *o, struct nt_error *e)
{
	static const char expected[] = "NAME=REGEX, with the number in the first group";

	if (optarg[strcspn(optarg, "=")] && !optarg[strcspn(optarg, "=") + 1])
		return bad_value(e, OPT_SCORE, optarg, expected);
	return take_pair(&o->score, &o->nscores, OPT_SCORE, e, expected);
}

/* "PID[,PID...]": whole numbers, none twice. */
static int take_pids(struct nt_run_opts *o, struct nt_error *e)
{
	static const char expected[] = "PID[,PID...]";
	const char *s = optarg;

	for (;;) {
		char word[16];
		size_t len = strcspn(s, ",");
		unsigned long pid;

		snprintf(word, sizeof(word), "%.*s", (int)len, s);
		if (len >= sizeof(word) || nt_parse_count(word, 1, INT_MAX, &pid))
			return bad_value(e, 'p', optarg, expected);
		if (o->npids == NT_MAX_PIDS)
			return nt_fail(e, -EINVAL, "--pid: more than %d processes", NT_MAX_PIDS);
		for (size_t i = 0; i < o->npids; i++)
			if (o->pid[i] == (pid_t)pid)
				return nt_fail(e, -EINVAL, "--pid: %lu is given twice", pid);
		o->pid[o->npids++] = pid;
		if (!s[len])
			return 0;
		s += len + 1;
	}
}

/* Of an abbreviated long option: how many it could be. */
static int count_matches(const char *word)
{
	size_t len = strcspn(word, "=");
	int n = 0;

	for (const struct option *l = long_options; l->name; l++)
		n += !strncmp(l->name, word, len);
	return n;
}

/* getopt_long() returned '?'; word is what it was looking at. */
static int refuse(const char *word, struct nt_error *e)
{
	static const char hint[] = "see numatrace --help";

	if (optopt && (optopt > UCHAR_MAX || !strncmp(word, "--", 2)))
		return nt_fail(e, -EINVAL, "%s: --%s takes no value; %s", word,
			       option_name(optopt), hint);
	if (optopt)
		return nt_fail(e, -EINVAL, "unknown option -%c; %s", optopt, hint);
	if (count_matches(word + 2) > 1)
		return nt_fail(e, -EINVAL, "%s could be several options; %s", word, hint);
	return nt_fail(e, -EINVAL, "unknown option %.*s; %s", (int)strcspn(word, "="), word, hint);
}

static int take_option(struct nt_run_opts *o, int opt, const char *word, struct nt_error *e)
{
	switch (opt) {
	case 'o':
		return take_text(&o->output, opt, e, "a file name");
	case 'i':
		return take_duration(&o->interval_ns, opt, NT_MIN_INTERVAL_NS, e,
				     "a time of at least 10ms, such as 500ms or 2s");
	case 'd':
		return take_duration(&o->duration_ns, opt, 1, e,
				     "a time above 0, such as 500ms, 10s or 2m");
	case 'r':
		if (nt_parse_count(optarg, 1, MAX_REPEAT, &o->repeat))
			return bad_value(e, opt, optarg, "a number from 1 to 1000000");
		return 0;
	case OPT_WARMUP:
		if (nt_parse_count(optarg, 0, MAX_REPEAT, &o->warmup))
			return bad_value(e, opt, optarg, "a number from 0 to 1000000");
		return 0;
	case OPT_PREPARE:
		return take_text(&o->prepare, opt, e, "a shell command");
	case 'p':
		return take_pids(o, e);
	case OPT_USER:
		return take_text(&o->user, opt, e, "a user name");
	case OPT_SCORE:
		return take_score(o, e);
	case OPT_PARAM:
		return take_pair(&o->param, &o->nparams, opt, e, "KEY=VALUE");
	case OPT_FORMAT:
		return take_format(o, e);
	case OPT_COLOR:
		return take_color(o, e);
	case ':':
		return nt_fail(e, -EINVAL, "--%s needs a value; see numatrace --help",
			       option_name(optopt));
	default:
		return refuse(word, e);
	}
}

static bool take_flag(struct nt_run_opts *o, int opt)
{
	switch (opt) {
	case OPT_FORCE:
		return o->force = true;
	case OPT_IGNORE_FAILURE:
		return o->ignore_failure = true;
	case 'a':
		return o->all = true;
	case OPT_NO_SCORE:
		return o->no_score = true;
	case OPT_NO_BPF:
		return o->no_bpf = true;
	case 'q':
		return o->quiet = true;
	case 'v':
		return o->verbose++, true;
	case 'h':
		return o->help = true;
	case OPT_VERSION:
		return o->version = true;
	default:
		return false;
	}
}

/* The first option given that is about a command and says nothing where there is none. */
static const char *command_option(const struct nt_run_opts *o)
{
	return o->user ? "--user" : o->nscores ? "--score" : o->no_score ? "--no-score" :
	       o->warmup ? "--warmup" : o->ignore_failure ? "--ignore-failure" : NULL;
}

/* -a and -p: what is there already is observed. */
static int check_observing(const struct nt_run_opts *o, char **rest, struct nt_error *e)
{
	const char *how = o->all ? "--all" : "--pid", *needless = command_option(o);

	if (o->all && o->npids)
		return nt_fail(e, -EINVAL, "--all and --pid exclude each other");
	if (*rest)
		return nt_fail(e, -EINVAL, "%s observes without a command: leave out '%s', or %s",
			       how, *rest, how);
	if (needless)
		return nt_fail(e, -EINVAL, "%s is about a command, and %s runs none", needless,
			       how);
	if (o->npids && o->no_bpf)
		return nt_fail(e, -EINVAL, "--pid needs BPF: the kernel's own counters do not tell "
			       "on which node a process ran");
	if (o->repeat > 1 && !o->duration_ns)
		return nt_fail(e, -EINVAL, "--repeat with %s needs --duration: how long each "
			       "observation takes", how);
	return 0;
}

static int check_command(char **rest, bool dashes, struct nt_error *e)
{
	if (!dashes && *rest)
		return nt_fail(e, -EINVAL, "'%s' is no option: a command goes after --, as in: "
			       "numatrace -- %s", *rest, *rest);
	if (!*rest)
		return nt_fail(e, -EINVAL, "no command given: expected "
			       "numatrace [OPTIONS] -- COMMAND [ARG...]");
	return 0;
}

/* What must hold between options, and the command after them. */
static int check_rest(struct nt_run_opts *o, char **rest, bool dashes, struct nt_error *e)
{
	bool observing = o->all || o->npids;
	int err = observing ? check_observing(o, rest, e) : check_command(rest, dashes, e);

	if (err)
		return err;
	if (o->no_score && o->nscores)
		return nt_fail(e, -EINVAL, "--score and --no-score exclude each other");
	if (o->quiet && o->verbose)
		return nt_fail(e, -EINVAL, "--quiet and --verbose exclude each other");
	if (o->force && !o->output)
		return nt_fail(e, -EINVAL, "--force overwrites the file of --output, which is not "
			       "given");
	o->argv = observing ? NULL : rest;
	return 0;
}

int nt_run_opts_parse(struct nt_run_opts *o, int argc, char **argv, struct nt_error *e)
{
	int opt, before, err = 0;

	memset(o, 0, sizeof(*o));
	o->repeat = 1;
	opterr = 0;
	optind = 0;		/* glibc: start afresh, for "+" too */
	for (;;) {
		before = optind ? optind : 1;
		opt = getopt_long(argc, argv, short_options, long_options, NULL);
		if (opt < 0)
			break;
		if (take_flag(o, opt)) {
			if (o->help || o->version)
				return 0;
			continue;
		}
		err = take_option(o, opt, argv[before], e);
		if (err)
			goto out;
	}
	/* Without "--" the last call leaves optind where it was. */
	err = check_rest(o, argv + optind, optind > before, e);
	if (!err)
		return 0;
out:
	nt_run_opts_free(o);
	return err;
}

void nt_run_opts_free(struct nt_run_opts *o)
{
	free(o->score);
	free(o->param);
	o->score = o->param = NULL;
	o->nscores = o->nparams = 0;
}
