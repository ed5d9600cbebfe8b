// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "view/section.h"
#include "view/tbl.h"

/* "NAME  WAY", "NAME  not available: WHY" or "NAME  WAY (WHY)". */
static int feature_line(const struct nt_section *s, int id)
{
	const struct nt_feature *f = &s->r->feature[id];
	char *way = nt_safe(f->way), *why = nt_safe(f->why), *text;
	int n = -1, col;

	if (way && why && f->on)
		n = asprintf(&text, "%s%s%s%s", way, *why ? " (" : "", why, *why ? ")" : "");
	else if (way && why)
		n = asprintf(&text, "not available%s%s", *why ? ": " : "", why);
	free(way);
	free(why);
	if (n < 0)
		return -ENOMEM;
	col = fprintf(s->out, "  %-11s", nt_feature_name[id]);
	fputc(' ', s->out);
	nt_wrap(s->out, s->width, col + 1, 14, text);
	free(text);
	return 0;
}

static int show_features(const struct nt_section *s)
{
	int i, err = 0;

	nt_heading(s, "How it was measured");
	if (!s->r->bpf)
		err = nt_line(s, "without BPF (--no-bpf): the kernel's own counters only");
	for (i = 0; !err && i < NT_NFEATURE; i++)
		if (nt_feature_known(&s->r->feature[i]))
			err = feature_line(s, i);
	return err;
}

static int show_granularity(const struct nt_section *s)
{
	int hz = s->r->tick_hz, err;

	err = nt_line(s, "times of the whole system come in ticks of %.4g ms (%d per second)",
		      1000.0 / hz, hz);
	if (err || !s->r->feature[NT_F_CPUTIME].on || !nt_has_workload(s->r))
		return err;
	return nt_line(s, "the workload's CPU time is exact to the ns; its split into usr and sys "
		       "is the kernel's, tick-sampled");
}

static int show_settings(const struct nt_section *s)
{
	struct nt_words w = { 0 };
	char num[40];
	size_t i;

	for (i = 0; i < s->r->sysctl.n; i++) {
		char *key = nt_safe(s->r->sysctl.v[i].key);

		nt_words_add(&w, "%s=%s", key ? key : "",
			     nt_cell_number(num, sizeof(num), s->r->sysctl.v[i].value));
		free(key);
	}
	return nt_words_line(s, &w, "settings");
}

static void loss(struct nt_words *w, uint64_t n, const char *what)
{
	if (n)
		nt_words_add(w, "%llu %s", (unsigned long long)n, what);
}

static int show_losses(const struct nt_section *s)
{
	const struct nt_losses *l = &s->r->lost;
	struct nt_words w = { 0 };

	if (!s->r->ended)
		return nt_line(s, "events lost: unknown, the record has no end");
	if (!s->r->bpf)
		return 0;
	if (!nt_losses_sum(l))
		return nt_line(s, "0 events lost");
	loss(&w, l->groups_full, "processes not followed (table full)");
	loss(&w, l->tasks_full, "moves charged late (table full)");
	loss(&w, l->bad_cpu, "events on a CPU outside the machine");
	loss(&w, l->unfinished, "tasks whose end was not seen in time");
	loss(&w, l->missed, "events skipped by the kernel (their program was running already)");
	return nt_words_line(s, &w, "events lost");
}

static int show_end(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	int err;

	if (!r->ended)
		return 0;
	err = nt_line(s, "numatrace itself used %.3f s of CPU time", r->self_cpu);
	if (!err && r->alive_after > 0 && r->argv)
		err = nt_line(s, "%d descendant%s of the command still alive at the end: counted "
			      "until then", r->alive_after, r->alive_after == 1 ? "" : "s");
	else if (!err && r->alive_after > 0)
		err = nt_line(s, "%d task%s of the observed processes and their children alive at "
			      "the end", r->alive_after, r->alive_after == 1 ? "" : "s");
	return err;
}

static int show_notes(const struct nt_section *s)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < s->r->nnotes; i++) {
		char *text = nt_safe(s->r->note[i]);

		err = text ? nt_line(s, "note: %s", text) : -ENOMEM;
		free(text);
	}
	return err;
}

int nt_show_footer(const struct nt_section *s)
{
	static int (*const show[])(const struct nt_section *s) = {
		show_features, show_granularity, show_settings, show_losses, show_end, show_notes,
	};
	char *version = nt_safe(s->r->version);
	size_t i;
	int err = 0;

	for (i = 0; !err && i < sizeof(show) / sizeof(show[0]); i++)
		err = show[i](s);
	if (!err)
		err = version ? nt_line(s, "numatrace %s", version) : -ENOMEM;
	free(version);
	return err;
}
