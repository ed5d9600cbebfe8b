// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "view/section.h"
#include "view/tbl.h"

static void say_outcome(char *buf, size_t len, const struct nt_run *r)
{
	int st = r->wait_status;
	const char *by = r->interrupted ? ", interrupted" : "";

	if (!r->ended)
		snprintf(buf, len, "; run ended early, %zu sample%s kept", nt_run_samples(r),
			 nt_run_samples(r) == 1 ? "" : "s");
	else if (!r->argv)
		snprintf(buf, len, "%s", by);
	else if (WIFSIGNALED(st) && sigabbrev_np(WTERMSIG(st)))
		snprintf(buf, len, "; killed by SIG%s%s", sigabbrev_np(WTERMSIG(st)), by);
	else if (WIFSIGNALED(st))
		snprintf(buf, len, "; killed by signal %d%s", WTERMSIG(st), by);
	else
		snprintf(buf, len, "; exit status %d%s", WEXITSTATUS(st), by);
}

/* "COMMAND: " with what is known of it behind, or below where that does not fit. */
static void print_first(const struct nt_section *s, const char *command, const char *rest)
{
	int width = (int)strlen(command) + 2;

	if (width + (int)strlen(rest) <= s->width) {
		fprintf(s->out, "%s: %s\n", command, rest);
		return;
	}
	nt_wrap(s->out, s->width, 0, 4, command);
	fprintf(s->out, "    ");
	nt_wrap(s->out, s->width, 4, 4, rest);
}

static int first_line(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	const struct nt_topology *t = &r->topo;
	char *command, *kernel, *rest = NULL, outcome[80];
	int n = -1;

	command = nt_title(r);
	kernel = nt_safe(r->kernel);
	say_outcome(outcome, sizeof(outcome), r);
	if (command && kernel)
		n = asprintf(&rest, "%.2f s on Linux %s, %d node%s, %d CPU%s%s", r->ru.elapsed,
			     kernel, t->nnodes, t->nnodes == 1 ? "" : "s", t->cpus_online,
			     t->cpus_online == 1 ? "" : "s", outcome);
	if (n >= 0) {
		print_first(s, command, rest);
		free(rest);
	}
	free(command);
	free(kernel);
	return n < 0 ? -ENOMEM : 0;
}

static int where_and_when(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	char *host = nt_safe(r->hostname), *machine = nt_safe(r->machine);
	char *model = nt_safe(r->cpu_model), *started = nt_safe(r->started), *text;
	int n = -1;

	if (host && machine && model && started)
		n = asprintf(&text, "%s on %s, %s%s%s", started, host, machine, *model ? ", " : "",
			     model);
	free(host);
	free(machine);
	free(model);
	free(started);
	if (n < 0)
		return -ENOMEM;
	nt_wrap(s->out, s->width, 0, 4, text);
	free(text);
	return 0;
}

static int show_scores(const struct nt_section *s)
{
	struct nt_tbl *t;
	char num[40], *tool;
	size_t i;

	if (!s->r->nscores)
		return 0;
	tool = nt_safe(s->r->tool);
	if (!tool)
		return -ENOMEM;
	nt_heading(s, "Score%s%s%s", *tool ? " (" : "", tool, *tool ? ")" : "");
	free(tool);
	t = nt_tbl_new();
	nt_tbl_col(t, NT_LEFT, "METRIC");
	nt_tbl_col(t, NT_RIGHT, "VALUE");
	for (i = 0; i < s->r->nscores; i++) {
		char *key = nt_safe(s->r->score[i].key);

		nt_tbl_row(t);
		nt_tbl_cell(t, "%s", key ? key : "");
		nt_tbl_cell(t, "%s", nt_cell_number(num, sizeof(num), s->r->score[i].value));
		free(key);
	}
	return nt_tbl_print(t, s->out);
}

static int show_command(const struct nt_section *s)
{
	const struct nt_rusage *ru = &s->r->ru;

	if (!s->r->argv || !s->r->ended)
		return 0;
	nt_heading(s, "The command and the children it waited for (wait4)");
	return nt_line(s, "%.2f s elapsed, %.2f s user, %.2f s system, max RSS %.1f MiB; faults "
		       "%llu minor, %llu major; switches %llu voluntary, %llu involuntary",
		       ru->elapsed, ru->user, ru->system, (double)ru->maxrss_kb / 1024,
		       (unsigned long long)ru->minflt, (unsigned long long)ru->majflt,
		       (unsigned long long)ru->nvcsw, (unsigned long long)ru->nivcsw);
}

int nt_show_summary(const struct nt_section *s)
{
	int err = first_line(s);

	if (!err)
		err = where_and_when(s);
	if (!err)
		err = show_scores(s);
	if (!err)
		err = show_command(s);
	return err;
}
