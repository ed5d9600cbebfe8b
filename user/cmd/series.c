// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "cmd/series.h"
#include "collect/clock.h"
#include "collect/plain.h"
#include "collect/root.h"
#include "collect/session.h"
#include "store/record_write.h"
#include "view/interval.h"
#include "view/progress.h"
#include "view/report.h"

#define SAMPLE_NS	1000000000ULL

struct series {
	const struct nt_run_opts *o;
	struct nt_writer *writer;
	int write_err;			/* the first one; the runs go on without the record */
	uint64_t began;
	unsigned long done;		/* runs begun and over, warm-ups included */
	int status;			/* what numatrace will exit with */
};

/* Said once: a full disk costs the rest of the record, not the run. */
static void record_failed(struct series *s, int err)
{
	if (!err || s->write_err)
		return;
	s->write_err = err;
	nt_complain("cannot write record %s: %s; the run goes on without it", s->o->output,
		    strerror(-err));
}

static int on_header(void *arg, const struct nt_run *r)
{
	struct series *s = arg;

	if (s->writer)
		record_failed(s, nt_writer_header(s->writer, r));
	return 0;
}

static int on_sample(void *arg, const struct nt_run *r, const struct nt_sample *sample)
{
	struct series *s = arg;

	if (s->writer)
		record_failed(s, nt_writer_sample(s->writer, r, sample));
	if (s->o->interval_ns && !s->o->quiet)
		nt_interval_rows(stderr, r, sample);
	return 0;
}

static struct nt_view_opts view_of(const struct nt_run_opts *o)
{
	return (struct nt_view_opts){
		.format = o->format,
		.utf8 = nt_utf8_wanted(),
		.color = o->color == NT_COLOR_ALWAYS ||
			 (o->color == NT_COLOR_AUTO && isatty(STDERR_FILENO) &&
			  !getenv("NO_COLOR")),
	};
}

/*
 * On stderr at once. That it is closed is the reader's choice; the run itself is whole. Outside
 * of a session SIGPIPE would end us there, before the record is closed.
 */
static int show(const char *text, size_t len)
{
	sighandler_t found = signal(SIGPIPE, SIG_IGN);
	int err = 0;

	errno = 0;
	if (fwrite(text, 1, len, stderr) != len && errno != EPIPE)
		err = errno ? -errno : -EIO;
	signal(SIGPIPE, found);
	return err;
}

/* Numatrace's own report: on stderr, so that the command's stdout stays its own. */
static int print_report(const struct nt_run_opts *o, const struct nt_run *r)
{
	struct nt_view_opts view = view_of(o);
	char *text = NULL;
	size_t len;
	FILE *f;
	int err;

	if (o->quiet)
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	err = nt_report(f, r, &view);
	if (fclose(f) && !err)
		err = -ENOMEM;
	if (!err)
		err = show(text, len);
	free(text);
	return err;
}

static void announce(const struct series *s)
{
	struct nt_progress p = {
		.warmups = s->o->warmup, .runs = s->o->repeat, .done = s->done,
		.elapsed = (double)(nt_now_ns() - s->began) / NT_NSEC,
	};

	if (p.warmups + p.runs > 1 && !s->o->quiet && isatty(STDERR_FILENO))
		nt_progress_line(stderr, &p);
}

/* "run 3 of 10", "warm-up 1 of 2": the one that is being done. */
static const char *which(const struct series *s, char *buf, size_t len)
{
	if (s->done < s->o->warmup)
		snprintf(buf, len, "warm-up %lu of %lu", s->done + 1, s->o->warmup);
	else
		snprintf(buf, len, "run %lu of %lu", s->done - s->o->warmup + 1, s->o->repeat);
	return buf;
}

/* Does the series go on after a run that ended so? */
static bool goes_on(struct series *s, int status, bool stopped)
{
	bool last = s->done + 1 == s->o->warmup + s->o->repeat;
	char name[64];

	if (status)
		s->status = status;
	if (!stopped && (!status || s->o->ignore_failure))
		return true;
	if (stopped && !last)
		nt_complain("interrupted in %s; the rest is not run",
			    which(s, name, sizeof(name)));
	else if (!last)
		nt_complain("%s ended with status %d; the rest is not run (--ignore-failure goes "
			    "on)", which(s, name, sizeof(name)), status);
	return false;
}

/* --prepare. False: it failed, and without it the run would not be what was asked for. */
static bool prepare(struct series *s)
{
	char *argv[] = { "sh", "-c", (char *)s->o->prepare, NULL };
	struct nt_plain_opts plain = { .argv = argv, .to_stderr = true };
	struct nt_error e = { "" };
	int code, stop, err;
	char name[64];

	if (!s->o->prepare)
		return true;
	err = nt_plain_run(&plain, &code, &stop, &e);
	if (!err && !code && !stop)
		return true;
	s->status = NT_EXIT_FAILED;
	if (err)
		nt_complain("%s", e.msg);
	else
		nt_complain("--prepare '%s' %s %d before %s; no more is run", s->o->prepare,
			    stop ? "was interrupted, status" : "ended with status", code,
			    which(s, name, sizeof(name)));
	return false;
}

static bool warm_up(struct series *s)
{
	struct nt_plain_opts plain = {
		.argv = s->o->argv, .user = s->o->user, .duration_ns = s->o->duration_ns,
	};
	struct nt_error e = { "" };
	int code, stop;

	if (nt_plain_run(&plain, &code, &stop, &e)) {
		nt_complain("%s", e.msg);
		s->status = code;
		return false;
	}
	return goes_on(s, code, stop);
}

static struct nt_session_opts session_of(struct series *s)
{
	const struct nt_run_opts *o = s->o;

	return (struct nt_session_opts){
		.argv = o->argv,
		.pid = o->pid,
		.npids = o->npids,
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
		.warmups = o->warmup,
		.on_header = on_header,
		.on_sample = on_sample,
		.arg = s,
	};
}

static bool measure(struct series *s)
{
	struct nt_session_opts session = session_of(s);
	struct nt_error e = { "" };
	struct nt_run run = { 0 };
	bool stopped = false;
	int status, err;

	err = nt_session_run(&session, &run, &status, &e);
	if (err) {
		nt_complain("%s", e.msg);
		s->status = status;
	} else {
		stopped = run.interrupted;
		if (s->writer)
			record_failed(s, nt_writer_end(s->writer, &run));
		err = print_report(s->o, &run);
		if (err) {
			nt_complain("cannot report the run: %s", strerror(-err));
			s->status = NT_EXIT_FAILED;
		}
	}
	nt_run_free(&run);
	return !err && goes_on(s, status, stopped);
}

static int open_record(struct series *s)
{
	const char *path = s->o->output;
	int err;

	if (!path)
		return 0;
	err = nt_writer_open(&s->writer, path, s->o->force);
	if (err == -EEXIST)
		nt_complain("%s exists already; --force overwrites it", path);
	else if (err)
		nt_complain("cannot write record %s: %s", path, strerror(-err));
	return err;
}

int nt_series_run(const struct nt_run_opts *o)
{
	struct series s = { .o = o, .began = nt_now_ns() };
	unsigned long all = o->warmup + o->repeat;
	int status;

	if (open_record(&s))
		return NT_EXIT_FAILED;
	for (; s.done < all; s.done++) {
		announce(&s);
		if (!prepare(&s) || !(s.done < o->warmup ? warm_up(&s) : measure(&s)))
			break;
	}
	if (s.writer)
		record_failed(&s, nt_writer_close(s.writer));
	/* The command did its part; that its record is not whole must not pass unseen. */
	status = s.write_err && !s.status ? NT_EXIT_FAILED : s.status;
	return status;
}
