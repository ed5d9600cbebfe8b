// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loading: one table says which ways lead to each feature, best first. A way is tried; if
 * the kernel refuses it, the next one is, and the reason is kept for the report.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bpf_priv.h"
#include "collect/probe.h"

#define MAX_PROGS	8
#define MAX_TRACKED	65536	/* processes, and threads that moved, at one time */
#define MAX_RETRIES	8
#define ALL_FEATURES	((1u << NT_NFEATURE) - 1)

/* One way to a feature. func: the kernel function hooked by it, NULL for tracepoints. */
struct way {
	enum nt_feature_id feature;
	const char *name;
	const char *func;
	int args;			/* arguments it must have, 0 any */
	const char *helper;		/* a second function hooked, NULL none */
	const char *prog[MAX_PROGS];	/* programs; those of `helper` come last */
};

static const struct way ways[] = {
	{ NT_F_MIGRATIONS, "tracepoint sched_migrate_task", NULL, 0, NULL,
	  { "on_migrate", "on_softirq_entry", "on_softirq_exit", "on_cpuhp" } },
	{ NT_F_CPUTIME, "tracepoints sched_migrate_task and sched_process_free, task iterator",
	  NULL, 0, NULL,
	  { "on_migrate", "on_fork", "on_free", "adopt_child", "alive_tasks" } },
	{ NT_F_FORK, "tracepoint sched_wakeup_new", NULL, 0, NULL, { "on_wakeup_new" } },
	{ NT_F_BALANCE, "fexit sched_balance_rq", "sched_balance_rq", 5,
	  "sched_balance_find_src_group", { "balance_entry", "balance_exit", "busiest_group" } },
	{ NT_F_BALANCE, "fexit load_balance", "load_balance", 5,
	  "find_busiest_group", { "balance_entry", "balance_exit", "busiest_group" } },
	{ NT_F_PLACEMENT, "fexit select_task_rq_fair", "select_task_rq_fair", 3, NULL,
	  { "select_rq_3" } },
	{ NT_F_PLACEMENT, "fexit select_task_rq_fair", "select_task_rq_fair", 4, NULL,
	  { "select_rq_4" } },
	{ NT_F_DOMAINS, "task iterator", NULL, 0, NULL, { "domains" } },
};

/* Tracepoints that only some kernels have; without them their cause cannot occur. */
static const struct {
	const char *tracepoint;
	const char *prog;
} optional[] = {
	{ "sched_move_numa", "on_move_numa" },
	{ "sched_swap_numa", "on_swap_numa" },
};

static bool libbpf_verbose;
static char failed_prog[64];	/* the program that libbpf last complained of */

static int on_libbpf_print(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char line[1024], *name, *end;
	va_list copy;

	va_copy(copy, args);
	vsnprintf(line, sizeof(line), fmt, copy);
	va_end(copy);
	name = strstr(line, "prog '");
	end = name ? strchr(name + 6, '\'') : NULL;
	if (level == LIBBPF_WARN && end)
		snprintf(failed_prog, sizeof(failed_prog), "%.*s", (int)(end - name - 6), name + 6);
	return libbpf_verbose ? fputs(line, stderr) : 0;
}

static void feature_off(struct nt_feature *f, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	free(f->why);
	if (vasprintf(&f->why, fmt, args) < 0)
		f->why = NULL;
	va_end(args);
	free(f->way);
	f->way = NULL;
	f->on = false;
}

static struct bpf_program *program(const struct nt_bpf *b, const char *name)
{
	return bpf_object__find_program_by_name(b->skel->obj, name);
}

/* May this way work? 0 or -errno. */
static int try_way(const struct way *w, const struct btf *btf)
{
	int err;

	if (!w->func)
		return 0;
	if (w->args && nt_probe_args(btf, w->func) != w->args)
		return -ENOENT;
	err = nt_probe_fexit(btf, w->func);
	return err || !w->helper ? err : nt_probe_fexit(btf, w->helper);
}

static int enable_way(struct nt_bpf *b, const struct way *w)
{
	struct bpf_program *p;
	int i, err = 0;

	for (i = 0; i < MAX_PROGS && w->prog[i] && !err; i++) {
		bool last = w->helper && (i + 1 == MAX_PROGS || !w->prog[i + 1]);

		p = program(b, w->prog[i]);
		err = p ? bpf_program__set_autoload(p, true) : -ENOENT;
		if (!err && w->func)
			err = bpf_program__set_attach_target(p, 0, last ? w->helper : w->func);
	}
	return err;
}

/* Which way did each feature take? NULL: none. `banned` ways failed to load before. */
static const struct way *choose(enum nt_feature_id id, const struct btf *btf,
				const bool *banned, struct nt_feature *f)
{
	int err = -ENOENT;
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		int e;

		if (ways[i].feature != id || banned[i])
			continue;
		e = try_way(&ways[i], btf);
		if (!e)
			return &ways[i];
		/* "No such function" is the less telling reason of two. */
		if (e != -ENOENT)
			err = e;
	}
	if (!f->why)
		feature_off(f, "%s", nt_probe_why(err));
	return NULL;
}

static int set_sizes(struct nt_bpf *b)
{
	__u32 n = b->nnodes, cpus = b->ncpus;
	int err;

	b->skel->rodata->nr_nodes = n;
	b->skel->rodata->span_bytes = b->span_bytes;
	b->skel->rodata->can_probe_read = nt_probe_read_allowed();
	err = bpf_map__set_max_entries(b->skel->maps.cpu_states, cpus);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.cpu_places, cpus);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.cpu_times, cpus);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.groups, MAX_TRACKED);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.moved_tasks, MAX_TRACKED);
	err = err ?: bpf_map__set_max_entries(b->skel->maps.migrations,
					      NT_NSCOPE * NT_NCAUSE * n * n);
	return err ?: bpf_map__set_max_entries(b->skel->maps.forks, NT_NSCOPE * n * n);
}

/* Of several features only some: what counts events takes memory, and nobody asked for it. */
static bool counts(const struct nt_bpf *b)
{
	return b->want & ~(1u << NT_F_DOMAINS);
}

static int drop_counters(struct nt_bpf *b)
{
	struct bpf_map *const maps[] = {
		b->skel->maps.cpu_places, b->skel->maps.groups, b->skel->maps.moved_tasks,
		b->skel->maps.migrations, b->skel->maps.forks, b->skel->maps.cpu_times,
		b->skel->maps.placements, b->skel->maps.balance,
	};
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(maps) / sizeof(maps[0]) && !err; i++)
		err = bpf_map__set_autocreate(maps[i], false);
	return err;
}

static void set_way(struct nt_feature *f, const char *way)
{
	free(f->way);
	f->way = strdup(way);
	f->on = f->way != NULL;
}

/* Open the object with every feature on its best way that is not banned. */
static int open_object(struct nt_bpf *b, const struct btf *btf, const bool *banned)
{
	size_t i;
	int err;

	b->skel = numatrace_bpf__open();
	if (!b->skel)
		return -errno;
	err = set_sizes(b);
	if (!err && !counts(b))
		err = drop_counters(b);
	for (i = 0; i < NT_NFEATURE && !err; i++) {
		const struct way *w = b->want >> i & 1 ?
			choose(i, btf, banned, &b->feature[i]) : NULL;

		if (!w)
			continue;
		err = enable_way(b, w);
		set_way(&b->feature[i], w->name);
	}
	for (i = 0; i < sizeof(optional) / sizeof(optional[0]) && !err && counts(b); i++)
		if (nt_probe_tracepoint(btf, optional[i].tracepoint))
			err = bpf_program__set_autoload(program(b, optional[i].prog), true);
	return err;
}

static void close_object(struct nt_bpf *b)
{
	numatrace_bpf__destroy(b->skel);
	b->skel = NULL;
}

/* Without these there is nothing to report. */
static bool essential(enum nt_feature_id id)
{
	return id == NT_F_MIGRATIONS || id == NT_F_CPUTIME;
}

static bool holds(const struct way *w, const char *prog)
{
	int i;

	for (i = 0; i < MAX_PROGS && w->prog[i]; i++)
		if (!strcmp(w->prog[i], prog))
			return true;
	return false;
}

/* Ban the way in use that holds the failed program. False: it is one we cannot go without. */
static bool ban_failed(struct nt_bpf *b, bool *banned, int err)
{
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct nt_feature *f = &b->feature[ways[i].feature];

		if (!f->on || strcmp(f->way, ways[i].name) || banned[i])
			continue;
		if (essential(ways[i].feature) || !holds(&ways[i], failed_prog))
			continue;
		banned[i] = true;
		feature_off(f, "%s: %s", ways[i].name, nt_probe_why(err));
		return true;
	}
	return false;
}

static int load_object(struct nt_bpf *b, const struct btf *btf)
{
	bool banned[sizeof(ways) / sizeof(ways[0])] = { false };
	int err, try;

	for (try = 0; try < MAX_RETRIES; try++) {
		failed_prog[0] = '\0';
		err = open_object(b, btf, banned);
		if (!err)
			err = numatrace_bpf__load(b->skel);
		if (!err)
			return 0;
		close_object(b);
		if (!ban_failed(b, banned, err))
			return err;
	}
	return err;
}

/* A feature whose program does not attach goes without; 0 unless it is one that must be. */
static int attach_failed(struct nt_bpf *b, const char *prog, int err)
{
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct nt_feature *f = &b->feature[ways[i].feature];

		if (!f->on || !holds(&ways[i], prog))
			continue;
		if (essential(ways[i].feature))
			return err;
		feature_off(f, "%s: %s", ways[i].name, nt_probe_why(err));
	}
	return 0;
}

static int attach_object(struct nt_bpf *b)
{
	struct bpf_object_skeleton *s = b->skel->skeleton;
	int i, err;

	for (i = 0; i < s->prog_cnt; i++) {
		struct bpf_program *p = *s->progs[i].prog;
		struct bpf_link *link;

		if (!bpf_program__autoload(p))
			continue;
		link = bpf_program__attach(p);
		err = libbpf_get_error(link);
		if (err)
			err = attach_failed(b, bpf_program__name(p), err);
		else
			*s->progs[i].link = link;
		if (err)
			return err;
	}
	return 0;
}

void nt_bpf_set_places(struct nt_bpf *b, const struct nt_topology *topo)
{
	int fd = bpf_map__fd(b->skel->maps.cpu_places), cpu;

	for (cpu = 0; cpu < b->ncpus && cpu < topo->cpu_ids; cpu++) {
		struct nt_cpu_place place = {
			.node = topo->cpu_node[cpu] < 0 ? NT_NO_NODE : (__u32)topo->cpu_node[cpu],
			.llc = topo->cpu_llc[cpu] < 0 ? NT_NO_NODE : (__u32)topo->cpu_llc[cpu],
		};

		bpf_map_update_elem(fd, &cpu, &place, BPF_ANY);
	}
}

/* all: of a run, which can go without BPF. */
static int explain(int err, bool all, struct nt_error *e)
{
	const char *caps = nt_probe_missing_caps();

	if (caps)
		return nt_fail(e, -EPERM, "tracing needs %s: run as root (sudo)%s", caps,
			       all ? ", or use --no-bpf for kernel counters only" : "");
	if (err == -EPERM)
		return nt_fail(e, err, "the kernel refuses BPF programs (EPERM) though the "
			       "capabilities are there: a security policy, lockdown or "
			       "RLIMIT_MEMLOCK%s", all ? "; --no-bpf works without" : "");
	return nt_fail(e, err, "cannot load the BPF programs%s%s: %s; -v shows the kernel's "
		       "reasons%s", *failed_prog ? ", at " : "", failed_prog, strerror(-err),
		       all ? ", --no-bpf works without" : "");
}

static int open_all(struct nt_bpf *b, const struct nt_topology *topo, const struct btf *btf)
{
	int err = nt_probe_sd_flags(btf, &b->sd_flags);

	err = err ?: load_object(b, btf);
	if (!err && counts(b)) {
		err = nt_bpf_map(b);
		if (!err)
			nt_bpf_set_places(b, topo);
	}
	return err ?: attach_object(b);
}

int nt_bpf_open(struct nt_bpf **out, const struct nt_topology *topo,
		struct nt_feature feature[NT_NFEATURE], bool verbose, struct nt_error *e)
{
	return nt_bpf_open_only(out, topo, feature, ALL_FEATURES, verbose, e);
}

int nt_bpf_open_only(struct nt_bpf **out, const struct nt_topology *topo,
		     struct nt_feature feature[NT_NFEATURE], unsigned int want, bool verbose,
		     struct nt_error *e)
{
	bool all = want == ALL_FEATURES;
	struct nt_bpf *b;
	struct btf *btf;
	int err;

	libbpf_verbose = verbose;
	libbpf_set_print(on_libbpf_print);
	if (nt_probe_missing_caps())
		return explain(-EPERM, all, e);
	btf = nt_probe_btf();
	if (!btf)
		return nt_fail(e, -ENOENT, "this kernel has no BTF (/sys/kernel/btf/vmlinux, "
			       "CONFIG_DEBUG_INFO_BTF)%s", all ? ": only --no-bpf works here" : "");
	b = calloc(1, sizeof(*b));
	if (b) {
		b->feature = feature;
		b->want = want;
		b->nnodes = topo->nnodes;
		b->ncpus = topo->cpu_ids;
		b->ncpus_possible = libbpf_num_possible_cpus();
		b->span_bytes = (topo->cpu_ids + 63) / 64 * 8;
		b->alive_time = calloc(b->ncpus, sizeof(*b->alive_time));
	}
	err = b && b->alive_time ? open_all(b, topo, btf) : -ENOMEM;
	btf__free(btf);
	if (err) {
		nt_bpf_close(b);
		return explain(err, all, e);
	}
	*out = b;
	return 0;
}

void nt_bpf_close(struct nt_bpf *b)
{
	if (!b)
		return;
	nt_bpf_unmap(b);
	close_object(b);
	nt_kvs_free(&b->sd_flags);
	free(b->alive_time);
	free(b);
}
