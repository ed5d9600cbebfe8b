// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Screens of the live view, byte for byte: the characters, then what each means. The numbers are
 * a sample of a record of this folder, or a made-up machine of 64 nodes and 8192 CPUs.
 *
 *	test_top DIR		compare; UPDATE=1 in the environment writes them anew
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "golden/bytes.h"
#include "store/record_read.h"
#include "view/top.h"

#define SECOND	1000000000ULL

struct fixture {
	struct nt_run *runs;
	size_t nruns;
	struct nt_snapshot queues;
	struct nt_movers was, now;
	struct nt_top_reading in;
	int *node_cpus;
};

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

/* Any bytes can be a name; these would clear the screen, set a title, and are no UTF-8. */
static const char *const comms[] = {
	"stress-ng-fstat", "\033[2J\033]0;x\a", "caf\xc3\xa9 \xff\xfe", "kworker/3:1H", "a b%s%n\t",
};

/* The second half moved before, the first task has a TID that another one had. */
static void make_movers(struct fixture *f, unsigned int n, unsigned int cpus)
{
	unsigned int i;

	f->was.m = need(calloc(n, sizeof(*f->was.m)));
	f->now.m = need(calloc(n, sizeof(*f->now.m)));
	f->now.n = n;
	for (i = 0; i < n; i++) {
		struct nt_mover *m = &f->now.m[i];

		*m = (struct nt_mover){
			.task = i, .tid = 100 + 997 * i,
			.moves = 7 * n - 3 * i, .cross = i * i % 11,
			.from = 5 * i % cpus, .to = (5 * i + 3) % cpus,
		};
		memcpy(m->comm, comms[i % 5], strlen(comms[i % 5]));
		if (i && i < n / 2)
			continue;
		f->was.m[f->was.n] = *m;
		f->was.m[f->was.n].task += !i;
		f->was.m[f->was.n++].moves -= i % 4;
	}
}

static void make_queues(struct fixture *f)
{
	const struct nt_topology *t = &f->runs->topo;
	int i;

	if (nt_snapshot_init(&f->queues, t->cpu_ids, t->nnodes))
		abort();
	for (i = 0; i < t->nnodes; i++) {
		f->queues.node[i].running = (unsigned int)(3 * i + 2);
		f->queues.node[i].idle = (unsigned int)(t->node[i].cpus / 2);
	}
}

static void make_reading(struct fixture *f, size_t sample)
{
	struct nt_run *r = f->runs;
	int i;

	f->node_cpus = need(calloc((size_t)r->topo.nnodes, sizeof(int)));
	for (i = 0; i < r->topo.nnodes; i++)
		f->node_cpus[i] = r->topo.node[i].cpus;
	f->in = (struct nt_top_reading){
		.r = r, .known = &r->topo, .node_cpus = f->node_cpus,
		.sample = sample < r->nsamples ? &r->sample[sample] : NULL,
		.was = &f->was, .now = &f->now,
	};
}

static void of_record(struct fixture *f, const char *dir, const char *name, size_t sample)
{
	struct nt_error e = { "" };
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.jsonl", dir, name);
	if (nt_record_read(path, &f->runs, &f->nruns, &e)) {
		printf("Bail out! %s\n", e.msg);
		exit(1);
	}
	make_reading(f, sample);
	if (!f->runs->bpf) {
		f->in.why_no_moves = "tracing needs CAP_BPF and CAP_PERFMON: run as root (sudo)";
		return;
	}
	make_movers(f, 12, (unsigned int)f->runs->topo.cpu_ids);
	make_queues(f);
	f->in.queues = &f->queues;
}

static void make_counts(struct nt_counters *c)
{
	int i, cause;

	for (i = 0; i < 3 * NT_NIDLE; i++)
		c->balance[i / NT_NIDLE][i % NT_NIDLE] = (struct nt_balance_count){
			.calls = 400000 >> i, .refused = 200000 >> i, .failed = 1000 >> i,
			.moved = 50 >> i, .moved_cross = 20 >> i, .ns = 100000000ULL >> i,
		};
	for (i = 0; i < c->nnodes; i++) {
		c->node[i].tick[NT_TICK_USER] = (uint64_t)i * 100;
		c->node[i].tick[NT_TICK_SYS] = (uint64_t)(63 - i) * 50;
		c->node[i].tick[NT_TICK_IOWAIT] = 400;
		c->node[i].tick[NT_TICK_IDLE] = 3000;
		for (cause = 0; cause < NT_NCAUSE; cause++)
			nt_mig(c, NT_SYSTEM, cause, i, (i + cause) % c->nnodes)->n =
				(uint64_t)(1 << cause);
	}
}

static void make_chain(struct nt_run *r)
{
	static const char *const names[] = { "SMT", "MC", "NUMA" };
	int i;

	r->nchains = 1;
	r->chain = need(calloc(1, sizeof(*r->chain)));
	r->chain->n = 3;
	r->chain->d = need(calloc(3, sizeof(*r->chain->d)));
	for (i = 0; i < 3; i++) {
		r->chain->d[i].level = i;
		memcpy(r->chain->d[i].name, names[i], strlen(names[i]));
	}
}

static void of_large_machine(struct fixture *f)
{
	enum { NODES = 64, CPUS = 128 };
	struct nt_run *r = f->runs = need(calloc(1, sizeof(*r)));
	struct nt_sample s = { .t = 1, .dt = 1 };
	struct nt_topology *t = &r->topo;
	int i;

	f->nruns = 1;
	r->hostname = need(strdup("large"));
	r->kernel = need(strdup("6.12.0"));
	t->nnodes = NODES;
	t->cpu_ids = t->cpus_online = NODES * CPUS;
	t->node = need(calloc(NODES, sizeof(*t->node)));
	t->cpu_node = need(calloc(NODES * CPUS, sizeof(int)));
	t->cpu_llc = need(calloc(NODES * CPUS, sizeof(int)));
	for (i = 0; i < NODES * CPUS; i++)
		t->cpu_node[i] = i / CPUS;
	for (i = 0; i < NODES; i++) {
		t->node[i].id = 2 * i;
		t->node[i].cpus = CPUS;
	}
	for (i = 0; i < NT_NFEATURE; i++)
		r->feature[i].on = true;
	make_chain(r);
	if (nt_counters_init(&s.c, NODES))
		abort();
	make_counts(&s.c);
	if (nt_run_add_sample(r, &s))
		abort();
	make_reading(f, 0);
	make_movers(f, 65536, NODES * CPUS);
	make_queues(f);
	f->in.queues = &f->queues;
}

static void free_fixture(struct fixture *f)
{
	nt_records_free(f->runs, f->nruns);
	nt_snapshot_free(&f->queues);
	nt_movers_free(&f->was);
	nt_movers_free(&f->now);
	free(f->node_cpus);
}

static int draw(const struct fixture *f, const struct nt_top_choice *c, struct nt_screen *s)
{
	struct nt_top_frame frame;
	int err = nt_top_make(&frame, &f->in, c->sort);

	if (err)
		return err;
	nt_top_draw(s, &frame, c);
	nt_top_free(&frame);
	return 0;
}

/* Both halves as text, and nothing in them that a terminal would act upon. */
static char *as_text(const struct nt_screen *s, size_t *len)
{
	static const char means[NT_NATTR + 1] = ".*,TCuso-!";
	char *text = need(malloc((size_t)(s->w + 1) * (size_t)s->h * 2)), *p = text;
	int half, x, y;

	for (half = 0; half < 2; half++) {
		for (y = 0; y < s->h; y++) {
			for (x = 0; x < s->w; x++) {
				const struct nt_cell *c = &s->cell[y * s->w + x];

				if (c->c < ' ' || c->c > '~') {
					free(text);
					return NULL;
				}
				*p++ = half ? means[c->attr] : c->c;
			}
			*p++ = '\n';
		}
	}
	*len = (size_t)(p - text);
	return text;
}

static void check(const char *dir, const char *name, const struct fixture *f, int w, int h,
		  const struct nt_top_choice *c, int *failed)
{
	struct nt_screen s = { 0 };
	char path[4096], *text = NULL;
	static int number;
	size_t len = 0;
	int err = nt_screen_size(&s, w, h);

	err = err ?: draw(f, c, &s);
	if (!err)
		text = as_text(&s, &len);
	snprintf(path, sizeof(path), "%s/top-%s.screen", dir, name);
	if (!text)
		err = -EILSEQ;
	else
		err = check_bytes(path, text, len);
	printf("%sok %d - top, %s at %dx%d\n", err ? "not " : "", ++number, name, w, h);
	*failed += err != 0;
	free(text);
	nt_screen_free(&s);
}

/* CPU time, so that a busy machine does not matter; with the sanitizers on. */
static void check_quick(const struct fixture *f, int *failed)
{
	struct nt_top_choice c = { .interval_ns = SECOND };
	struct nt_screen s = { 0 };
	clock_t began = clock();
	double took;
	int err = nt_screen_size(&s, 200, 60) ?: draw(f, &c, &s);

	took = (double)(clock() - began) / CLOCKS_PER_SEC;
	err = err || took > 0.5;
	printf("%sok - 64 nodes, 8192 CPUs, 65536 tasks: drawn in at most 0.5 s\n# %.3f s\n",
	       err ? "not " : "", took);
	*failed += err;
	nt_screen_free(&s);
}

/* A kernel that lets tracepoints be, and nothing that goes beyond. */
static void take_away(struct fixture *f)
{
	f->in.queues = NULL;
	if (nt_feature_off(&f->runs->feature[NT_F_BALANCE],
			   "fexit sched_balance_rq: the kernel refuses it (EPERM: a security "
			   "policy or lockdown); kprobe sched_balance_rq: no kprobes") ||
	    nt_feature_off(&f->runs->feature[NT_F_SNAPSHOT], "no task iterators"))
		abort();
}

/* No size of the terminal, and no number of nodes, makes it write beside the screen. */
static void check_sizes(const struct fixture *const *f, size_t n, int *failed)
{
	struct nt_top_choice c = { .interval_ns = SECOND };
	struct nt_screen s = { 0 };
	struct nt_top_frame frame;
	char *text;
	size_t i, len;
	int w, h, bad = 0;

	for (i = 0; i < n; i++) {
		if (nt_top_make(&frame, &f[i]->in, c.sort))
			abort();
		for (w = 1; w < 140; w += 3) {
			for (h = 1; h < 50; h += 2) {
				bad |= nt_screen_size(&s, w, h) != 0;
				nt_top_draw(&s, &frame, &c);
				text = as_text(&s, &len);
				bad |= !text;
				free(text);
			}
		}
		nt_top_free(&frame);
	}
	printf("%sok - top at every size of a terminal\n", bad ? "not " : "");
	*failed += bad;
	nt_screen_free(&s);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "tests/golden";
	struct nt_top_choice c = { .interval_ns = SECOND };
	struct fixture f = { 0 }, bare = { 0 }, many = { 0 }, large = { 0 };
	const struct fixture *const all[] = { &f, &bare, &many, &large };
	int failed = 0;

	printf("1..12\n");
	of_record(&f, dir, "fstat-2x4", 3);
	of_record(&bare, dir, "no-bpf", 0);
	of_record(&many, dir, "nodes-16", 0);
	of_large_machine(&large);
	check(dir, "80x24", &f, 80, 24, &c, &failed);
	check(dir, "40x10", &f, 40, 10, &c, &failed);
	check(dir, "no-bpf", &bare, 80, 24, &c, &failed);
	check(dir, "16-nodes", &many, 80, 24, &c, &failed);
	check(dir, "64-nodes", &large, 80, 24, &c, &failed);
	c.sort = NT_SORT_CROSS;
	c.paused = true;
	c.interval_ns = SECOND / 5;
	check(dir, "120x40", &f, 120, 40, &c, &failed);
	check(dir, "64-nodes-wide", &large, 160, 50, &c, &failed);
	check_quick(&large, &failed);
	c = (struct nt_top_choice){ .interval_ns = 2 * SECOND };
	f.in.sample = NULL;
	check(dir, "first", &f, 80, 24, &c, &failed);
	c.help = true;
	check(dir, "help", &f, 80, 24, &c, &failed);
	c.help = false;
	take_away(&f);
	f.in.sample = &f.runs->sample[3];
	check(dir, "refused", &f, 80, 24, &c, &failed);
	check_sizes(all, 4, &failed);
	free_fixture(&f);
	free_fixture(&bare);
	free_fixture(&many);
	free_fixture(&large);
	return failed ? 1 : 0;
}
