// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/ways.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/probe.h"

/*
 * 6.10 renamed load_balance() and find_busiest_group(). Tracepoints have no twin of type
 * raw_tp here: every kernel that loads these programs at all has BTF, and with BTF tp_btf
 * works (5.5 and later).
 */
const struct nt_way nt_ways[] = {
	{ NT_F_MIGRATIONS, NT_HOOK_TRACEPOINT, "tracepoint sched_migrate_task", NULL, NULL, 0, 0,
	  { "on_migrate", "on_softirq_entry", "on_softirq_exit", "on_cpuhp" } },
	{ NT_F_CPUTIME, NT_HOOK_TRACEPOINT,
	  "tracepoints sched_migrate_task and sched_process_free, task iterator", NULL, NULL, 0, 0,
	  { "on_migrate", "on_fork", "on_free", "adopt", "alive_tasks" } },
	{ NT_F_FORK, NT_HOOK_TRACEPOINT, "tracepoint sched_wakeup_new", NULL, NULL, 0, 0,
	  { "on_wakeup_new" } },
	{ NT_F_BALANCE, NT_HOOK_FEXIT, "fexit sched_balance_rq",
	  "sched_balance_rq", "sched_balance_find_src_group", 5, 4,
	  { "balance_entry", "balance_exit", "busiest_group" } },
	{ NT_F_BALANCE, NT_HOOK_FEXIT, "fexit load_balance",
	  "load_balance", "find_busiest_group", 5, 4,
	  { "balance_entry", "balance_exit", "busiest_group" } },
	{ NT_F_BALANCE, NT_HOOK_FEXIT, "fexit load_balance without its int * argument",
	  "load_balance", "find_busiest_group", 5, -4,
	  { "balance_entry", "balance_exit_old", "busiest_group" } },
	{ NT_F_BALANCE, NT_HOOK_KPROBE, "kprobe sched_balance_rq",
	  "sched_balance_rq", "sched_balance_find_src_group", 5, 0,
	  { "balance_kentry", "balance_kexit", "busiest_group_kexit" } },
	{ NT_F_BALANCE, NT_HOOK_KPROBE, "kprobe load_balance",
	  "load_balance", "find_busiest_group", 5, 0,
	  { "balance_kentry", "balance_kexit", "busiest_group_kexit" } },
	{ NT_F_PLACEMENT, NT_HOOK_FEXIT, "fexit select_task_rq_fair",
	  "select_task_rq_fair", NULL, 3, 0, { "select_rq_3" } },
	{ NT_F_PLACEMENT, NT_HOOK_FEXIT, "fexit select_task_rq_fair with 4 arguments",
	  "select_task_rq_fair", NULL, 4, 0, { "select_rq_4" } },
	{ NT_F_PLACEMENT, NT_HOOK_KPROBE, "kprobe select_task_rq_fair",
	  "select_task_rq_fair", NULL, 0, 0, { "select_rq_kentry", "select_rq_kexit" } },
	{ NT_F_DOMAINS, NT_HOOK_ITERATOR, "task iterator", NULL, NULL, 0, 0, { "domains" } },
	{ NT_F_SNAPSHOT, NT_HOOK_ITERATOR, "task iterator over run queues", NULL, NULL, 0, 0,
	  { "snapshot" } },
};

const int nt_nways = sizeof(nt_ways) / sizeof(nt_ways[0]);
_Static_assert(sizeof(nt_ways) / sizeof(nt_ways[0]) <= NT_MAX_WAYS, "NT_MAX_WAYS");

static const char *const hook_name[] = {
	[NT_HOOK_TRACEPOINT] = "tracepoint",
	[NT_HOOK_ITERATOR] = "iterator",
	[NT_HOOK_FEXIT] = "fexit",
	[NT_HOOK_KPROBE] = "kprobe",
};

/* What a way needs of an argument that is an int *; its value is read from kernel memory. */
static int try_reading(const struct nt_way *w, const struct btf *btf)
{
	int err = nt_probe_fexit(btf, w->func, w->reads < 0 ? -w->reads : w->reads);

	if (w->reads < 0 && err != -EACCES)
		return err ?: -NT_REFUSED_ARGS;
	if (w->reads < 0)
		return 0;
	if (err)
		return err == -EACCES ? -NT_REFUSED_INT_PTR : err;
	return nt_probe_read_allowed() ? 0 : -NT_REFUSED_READ;
}

static int try_fexit(const struct nt_way *w, const struct btf *btf)
{
	int err = w->reads ? try_reading(w, btf) : 0;

	err = err ?: nt_probe_fexit(btf, w->func, -1);
	return err || !w->helper ? err : nt_probe_fexit(btf, w->helper, -1);
}

static int try_kprobe(const struct nt_way *w, struct nt_attempt *a)
{
	int err = nt_probe_kprobe(w->func, a->func, sizeof(a->func));

	return err || !w->helper ? err :
		nt_probe_kprobe(w->helper, a->helper, sizeof(a->helper));
}

/* Tracepoints and iterators are tried when they are loaded. */
static int try_way(const struct nt_way *w, const struct btf *btf, struct nt_attempt *a)
{
	int args;

	if (nt_probe_denied(hook_name[w->hook]) || nt_probe_denied(w->name))
		return -NT_REFUSED_DENIED;
	args = w->args ? nt_probe_args(btf, w->func) : 0;
	/* A function without BTF can have a symbol all the same, but its arguments are a guess. */
	if (args < 0)
		return args;
	if (args != w->args)
		return -NT_REFUSED_ARGS;
	if (w->hook == NT_HOOK_FEXIT)
		return try_fexit(w, btf);
	return w->hook == NT_HOOK_KPROBE ? try_kprobe(w, a) : 0;
}

const struct nt_way *nt_ways_choose(enum nt_feature_id id, const struct btf *btf,
				    struct nt_attempt a[NT_MAX_WAYS])
{
	int i;

	for (i = 0; i < nt_nways; i++) {
		if (nt_ways[i].feature != id)
			continue;
		if (!a[i].tried)
			a[i].err = try_way(&nt_ways[i], btf, &a[i]);
		a[i].tried = true;
		if (!a[i].err)
			return &nt_ways[i];
	}
	return NULL;
}

bool nt_way_has(const struct nt_way *w, const char *prog)
{
	int i;

	for (i = 0; i < NT_WAY_PROGS && w->prog[i]; i++)
		if (!strcmp(w->prog[i], prog))
			return true;
	return false;
}

bool nt_way_hooks_helper(const struct nt_way *w, int prog)
{
	return w->helper && (prog + 1 == NT_WAY_PROGS || !w->prog[prog + 1]);
}

/* "This function is not here", or not in this shape. */
static bool is_absence(int err)
{
	return err == -ENOENT || err == -ESRCH || err == -NT_REFUSED_ARGS;
}

/* Is the function known under another name or in another shape, so that this one is none? */
static bool known_otherwise(int way, const struct nt_attempt a[NT_MAX_WAYS])
{
	int i;

	if (!is_absence(a[way].err))
		return false;
	for (i = 0; i < nt_nways; i++)
		if (nt_ways[i].feature == nt_ways[way].feature && a[i].tried &&
		    !is_absence(a[i].err))
			return true;
	return false;
}

static int explain_refusal(struct nt_feature *f, int way, const struct nt_attempt *a)
{
	int err;

	if (a->err == -NT_REFUSED_COPY) {
		const char *symbol = a->helper[0] ? a->helper : a->func;
		char *why;

		if (asprintf(&why, "%s (%s)", nt_probe_why(a->err), symbol) < 0)
			return -ENOMEM;
		err = nt_feature_refuse(f, nt_ways[way].name, why);
		free(why);
	} else {
		err = nt_feature_refuse(f, nt_ways[way].name, nt_probe_why(a->err));
	}
	return err ?: nt_feature_hint(f, nt_probe_hint(a->err));
}

int nt_ways_explain(enum nt_feature_id id, const struct nt_way *w,
		    const struct nt_attempt a[NT_MAX_WAYS], struct nt_feature *f)
{
	int i, err = 0;

	nt_feature_free(f);
	for (i = 0; i < nt_nways && &nt_ways[i] != w && !err; i++)
		if (nt_ways[i].feature == id && a[i].tried && a[i].err && !known_otherwise(i, a))
			err = explain_refusal(f, i, &a[i]);
	err = err ?: nt_feature_sum_up(f);
	return err || !w ? err : nt_feature_on(f, w->name);
}

int nt_ways_refuse_all(struct nt_feature feature[NT_NFEATURE], unsigned int want, int reason)
{
	const char *caps = nt_probe_missing_caps();
	char why[80];
	int i, err = 0;

	snprintf(why, sizeof(why), "the process lacks %s", caps ? caps : "");
	for (i = 0; i < NT_NFEATURE && !err; i++) {
		if (!(want >> i & 1))
			continue;
		err = nt_feature_off(&feature[i], reason == -NT_REFUSED_CAPS ? why :
				     nt_probe_why(reason));
		err = err ?: nt_feature_hint(&feature[i], nt_probe_hint(reason));
	}
	return err;
}
