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
#include "collect/heap.h"
#include "collect/probe.h"

#define MAX_RETRIES	8
#define ENOUGH_FILES	64	/* a test runs with so many */
#define ALL_FEATURES	((1u << NT_NFEATURE) - 1)

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
	return libbpf_verbose ? vfprintf(stderr, fmt, args) : 0;
}

static struct bpf_program *program(const struct nt_bpf *b, const char *name)
{
	return bpf_object__find_program_by_name(b->skel->obj, name);
}

static int enable_way(struct nt_bpf *b, const struct nt_way *w)
{
	struct bpf_program *p;
	int i, err = 0;

	for (i = 0; i < NT_WAY_PROGS && w->prog[i] && !err; i++) {
		p = program(b, w->prog[i]);
		err = p ? bpf_program__set_autoload(p, true) : -ENOENT;
		if (!err && w->hook == NT_HOOK_FEXIT)
			err = bpf_program__set_attach_target(
				p, 0, nt_way_hooks_helper(w, i) ? w->helper : w->func);
	}
	return err;
}

/* Without these there is nothing to report. */
static bool essential(enum nt_feature_id id)
{
	return id == NT_F_MIGRATIONS || id == NT_F_CPUTIME;
}

/* Why a feature has no way left. */
static int failure(const struct nt_bpf *b, enum nt_feature_id id)
{
	int i, err = -ENOENT;

	for (i = 0; i < nt_nways; i++)
		if (nt_ways[i].feature == id && b->attempt[i].err)
			err = b->attempt[i].err;
	return err;
}

/* Open the object with every feature on its best way that has not failed. */
static int open_object(struct nt_bpf *b, const struct btf *btf)
{
	size_t i;
	int err;

	b->skel = numatrace_bpf__open();
	if (!b->skel)
		return -errno;
	err = nt_bpf_set_sizes(b);
	if (!err && !nt_bpf_counts(b))
		err = nt_bpf_drop_counters(b);
	for (i = 0; i < NT_NFEATURE && !err; i++) {
		if (!(b->want >> i & 1))
			continue;
		b->way[i] = nt_ways_choose(i, btf, b->attempt);
		if (b->way[i])
			err = enable_way(b, b->way[i]);
		else if (essential(i))
			err = failure(b, i);
	}
	if (!err)
		err = b->want & NT_WANT_BUSIEST ?
		      bpf_program__set_autoload(b->skel->progs.on_mover, true) :
		      bpf_map__set_autocreate(b->skel->maps.movers, false);
	for (i = 0; i < sizeof(optional) / sizeof(optional[0]) && !err && nt_bpf_counts(b); i++)
		if (nt_probe_tracepoint(btf, optional[i].tracepoint))
			err = bpf_program__set_autoload(program(b, optional[i].prog), true);
	return err;
}

static void close_object(struct nt_bpf *b)
{
	nt_bpf_unmap(b);
	numatrace_bpf__destroy(b->skel);
	b->skel = NULL;
}

/*
 * A program of a way did not load or attach: the way is given up as a whole. False: there is
 * none, or the feature is one to do without which there is nothing to report.
 */
static bool give_up_way(struct nt_bpf *b, int err)
{
	int i;

	for (i = 0; i < NT_NFEATURE; i++) {
		const struct nt_way *w = b->way[i];

		if (!w || !nt_way_has(w, failed_prog))
			continue;
		b->attempt[w - nt_ways].err = err;
		if (!essential(i))
			return true;
	}
	return false;
}

static struct bpf_link *attach_kprobe(const struct bpf_program *p, const struct nt_way *w,
				      const struct nt_attempt *a, int prog)
{
	bool ret = !strncmp(bpf_program__section_name(p), "kretprobe", strlen("kretprobe"));

	return bpf_program__attach_kprobe(p, ret, nt_way_hooks_helper(w, prog) ? a->helper :
					  a->func);
}

/* The link of a program, by whichever way holds it; NULL and errno. */
static struct bpf_link *attach_program(const struct nt_bpf *b, const struct bpf_program *p)
{
	char word[80];
	int i, k;

	snprintf(word, sizeof(word), "attach %s", bpf_program__name(p));
	if (nt_probe_denied(word)) {
		errno = EBUSY;
		return NULL;
	}

	for (i = 0; i < NT_NFEATURE; i++) {
		const struct nt_way *w = b->way[i];

		for (k = 0; w && w->hook == NT_HOOK_KPROBE && k < NT_WAY_PROGS && w->prog[k]; k++)
			if (!strcmp(w->prog[k], bpf_program__name(p)))
				return attach_kprobe(p, w, &b->attempt[w - nt_ways], k);
	}
	return bpf_program__attach(p);
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
		link = attach_program(b, p);
		err = libbpf_get_error(link);
		if (err) {
			snprintf(failed_prog, sizeof(failed_prog), "%s", bpf_program__name(p));
			return err == -EPERM ? err : -NT_REFUSED_ATTACH;
		}
		*s->progs[i].link = link;
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
	if (err == -NT_REFUSED_CAPS)
		return nt_fail(e, -EPERM, "tracing needs %s: run as root (sudo)%s",
			       nt_probe_missing_caps(),
			       all ? ", or use --no-bpf for kernel counters only" : "");
	if (err <= -NT_REFUSED_DENIED)
		return nt_fail(e, -ENOTSUP, "%s%s", nt_probe_why(err),
			       all ? ": only --no-bpf works here" : "");
	if (err == -EPERM)
		return nt_fail(e, err, "the kernel refuses BPF programs (EPERM) though the "
			       "capabilities are there: a security policy, lockdown or "
			       "RLIMIT_MEMLOCK%s", all ? "; --no-bpf works without" : "");
	if (err == -EMFILE)
		return nt_fail(e, err, "cannot load the BPF programs: %s; ulimit -n %d is enough%s",
			       strerror(-err), ENOUGH_FILES, all ? ", --no-bpf needs fewer" : "");
	return nt_fail(e, err, "cannot load the BPF programs%s%s: %s; -v shows the kernel's "
		       "reasons%s", *failed_prog ? ", at " : "", failed_prog, strerror(-err),
		       all ? ", --no-bpf works without" : "");
}

/* The kernel's types take megabytes, and libbpf reads them for itself: one after the other. */
static int choose_ways(struct nt_bpf *b)
{
	struct btf *btf = nt_probe_btf();
	int err = 0;

	if (!btf)
		return -NT_REFUSED_NO_BTF;
	if (!b->sd_flags.n)
		err = nt_probe_sd_flags(btf, &b->sd_flags);
	err = err ?: open_object(b, btf);
	btf__free(btf);
	return err;
}

static int open_once(struct nt_bpf *b, const struct nt_topology *topo)
{
	int err;

	failed_prog[0] = '\0';
	err = choose_ways(b);
	err = err ?: numatrace_bpf__load(b->skel);
	if (!err && nt_bpf_counts(b)) {
		err = nt_bpf_map(b);
		if (!err)
			nt_bpf_set_places(b, topo);
	}
	return err ?: attach_object(b);
}

/*
 * A way that fails is taken down with everything else, and all is opened anew without it: no
 * half of it stays attached, and no map holds what it left.
 */
static int open_all(struct nt_bpf *b, const struct nt_topology *topo)
{
	int err, try;

	for (try = 0; try < MAX_RETRIES; try++) {
		err = open_once(b, topo);
		if (!err)
			return 0;
		close_object(b);
		if (!give_up_way(b, err))
			return err;
	}
	return err;
}

/* What each feature came to. Where one that must be fails, the others are off with it. */
static int explain_features(const struct nt_bpf *b, struct nt_feature feature[NT_NFEATURE],
			    int failed)
{
	int i, err = 0;

	if (failed == -NT_REFUSED_CAPS || failed == -NT_REFUSED_NO_BTF)
		return nt_ways_refuse_all(feature, b->want, failed);
	for (i = 0; i < NT_NFEATURE && !err; i++) {
		if (!(b->want >> i & 1))
			continue;
		err = nt_ways_explain(i, failed ? NULL : b->way[i], b->attempt, &feature[i]);
		if (!err && failed && !feature[i].why)
			err = nt_feature_off(&feature[i], "it needs migrations and cputime");
	}
	return err;
}

static struct nt_bpf *new_bpf(const struct nt_topology *topo, unsigned int want)
{
	struct nt_bpf *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->want = want;
	b->nnodes = topo->nnodes;
	b->ncpus = topo->cpu_ids;
	b->ncpus_possible = libbpf_num_possible_cpus();
	b->span_bytes = (topo->cpu_ids + 63) / 64 * 8;
	b->alive_time = calloc(b->ncpus, sizeof(*b->alive_time));
	if (b->alive_time)
		return b;
	free(b);
	return NULL;
}

static int try_all(struct nt_bpf *b, const struct nt_topology *topo)
{
	int err;

	if (nt_probe_missing_caps())
		return -NT_REFUSED_CAPS;
	nt_heap_reserve();
	err = open_all(b, topo);
	nt_heap_release();
	return err;
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
	struct nt_bpf *b = new_bpf(topo, want);
	int err;

	if (!b)
		return nt_fail(e, -ENOMEM, "out of memory");
	err = nt_bpf_choose_size(b, e);
	if (err) {
		nt_bpf_close(b);
		return err;
	}
	libbpf_verbose = verbose;
	libbpf_set_print(on_libbpf_print);
	err = try_all(b, topo);
	if (explain_features(b, feature, err))
		err = -ENOMEM;
	if (err) {
		nt_bpf_close(b);
		return explain(err, want == ALL_FEATURES, e);
	}
	*out = b;
	return 0;
}

void nt_bpf_close(struct nt_bpf *b)
{
	if (!b)
		return;
	close_object(b);
	nt_kvs_free(&b->sd_flags);
	free(b->alive_time);
	free(b);
}
