// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace [run] [OPTIONS] -- COMMAND */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "collect/root.h"
#include "collect/session.h"
#include "store/record_write.h"
#include "view/interval.h"
#include "view/report.h"

#define SAMPLE_NS	1000000000ULL

struct output {
	const struct nt_run_opts *o;
	struct nt_writer *writer;
	int write_err;			/* the first one; the run goes on without the record */
};

static void complain(const char *msg)
{
	fprintf(stderr, "numatrace: %s\n", msg);
}

/* Said once: a full disk costs the rest of the record, not the run. */
static void record_failed(struct output *out, int err)
{
	if (!err || out->write_err)
		return;
	out->write_err = err;
	fprintf(stderr, "numatrace: cannot write record %s: %s; the run goes on without it\n",
		out->o->output, strerror(-err));
}

static int on_header(void *arg, const struct nt_run *r)
{
	struct output *out = arg;

	if (out->writer)
		record_failed(out, nt_writer_header(out->writer, r));
	return 0;
}

static int on_sample(void *arg, const struct nt_run *r, const struct nt_sample *s)
{
	struct output *out = arg;

	if (out->writer)
		record_failed(out, nt_writer_sample(out->writer, r, s));
	if (out->o->interval_ns && !out->o->quiet)
		nt_interval_rows(stderr, r, s);
	return 0;
}

/* Numatrace's own report: on stderr, so that the command's stdout stays its own. */
static int print_report(const struct nt_run_opts *o, const struct nt_run *r)
{
	struct nt_view_opts view = {
		.format = o->format,
		.color = o->color == NT_COLOR_ALWAYS ||
			 (o->color == NT_COLOR_AUTO && isatty(STDERR_FILENO) &&
			  !getenv("NO_COLOR")),
	};

	return o->quiet ? 0 : nt_report(stderr, r, &view);
}

static int run_once(const struct nt_run_opts *o, struct output *out, int *status)
{
	struct nt_session_opts session = {
		.argv = o->argv,
		.params = o->param,
		.nparams = o->nparams,
		.user = o->user,
		.interval_ns = o->interval_ns ? o->interval_ns : SAMPLE_NS,
		.duration_ns = o->duration_ns,
		.bpf = !o->no_bpf && !nt_root(),
		.verbose = o->verbose > 0,
		.builtin_score = !o->no_score,
		.score_rules = o->score,
		.nscore_rules = o->nscores,
		.on_header = on_header,
		.on_sample = on_sample,
		.arg = out,
	};
	struct nt_error e = { "" };
	struct nt_run run = { 0 };
	int err;

	err = nt_session_run(&session, &run, status, &e);
	if (err) {
		complain(e.msg);
	} else {
		if (out->writer)
			record_failed(out, nt_writer_end(out->writer, &run));
		err = print_report(o, &run);
		/* A closed stderr is the reader's choice; the run itself is whole. */
		if (err == -EPIPE)
			err = 0;
	}
	nt_run_free(&run);
	return err;
}

static int open_record(struct output *out)
{
	const char *path = out->o->output;
	int err;

	if (!path)
		return 0;
	err = nt_writer_open(&out->writer, path, out->o->force);
	if (err == -EEXIST)
		fprintf(stderr, "numatrace: %s exists already; --force overwrites it\n", path);
	else if (err)
		fprintf(stderr, "numatrace: cannot write record %s: %s\n", path, strerror(-err));
	return err;
}

static int run_all(const struct nt_run_opts *o)
{
	struct output out = { .o = o };
	int status = NT_EXIT_FAILED;
	unsigned long i;

	if (open_record(&out))
		return NT_EXIT_FAILED;
	for (i = 0; i < o->repeat; i++) {
		int err = run_once(o, &out, &status);

		if (err || status) {
			if (i + 1 < o->repeat)
				fprintf(stderr, "numatrace: run %lu of %lu ended with status %d; "
					"the rest is not run\n", i + 1, o->repeat, status);
			break;
		}
	}
	if (out.writer)
		record_failed(&out, nt_writer_close(out.writer));
	/* The command did its part; that its record is not whole must not pass unseen. */
	return out.write_err && !status ? NT_EXIT_FAILED : status;
}

int nt_cmd_run(int argc, char **argv)
{
	struct nt_error e = { "" };
	struct nt_run_opts o;
	int status, err;

	err = nt_run_opts_parse(&o, argc, argv, &e);
	if (err) {
		complain(e.msg);
		return NT_EXIT_FAILED;
	}
	err = nt_root_set(getenv("NUMATRACE_ROOT"));
	if (err) {
		complain("NUMATRACE_ROOT names no directory that can be read");
		status = NT_EXIT_FAILED;
	} else if (o.help) {
		status = fputs(nt_run_help, stdout) < 0 ? NT_EXIT_FAILED : 0;
	} else if (o.version) {
		printf("numatrace %s\n", NT_VERSION);
		status = 0;
	} else {
		status = run_all(&o);
	}
	nt_run_opts_free(&o);
	return status;
}
