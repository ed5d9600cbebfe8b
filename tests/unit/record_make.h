/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run to be written, for tests of records. Include after cmocka.h. */
#ifndef NT_TEST_RECORD_MAKE_H
#define NT_TEST_RECORD_MAKE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/record_write.h"

static inline char *copied(const char *s)
{
	char *copy = strdup(s);

	assert_non_null(copy);
	return copy;
}

/* A run with something at every edge: sparse ids, full counters, bytes that are no text. */
static inline void make_run(struct nt_run *r)
{
	static const int distance[2] = { 10, 21 };
	int i;

	memset(r, 0, sizeof(*r));
	r->version = copied("0.1");
	r->started = copied("2026-01-02T03:04:05Z");
	r->hostname = copied("h\\x41\xc3\xa9\x1b");
	r->kernel = copied("6.1.0");
	r->machine = copied("x86_64");
	r->cpu_model = copied("");
	r->tool = copied("stress-ng 0.15.06\n");
	r->argv = calloc(4, sizeof(char *));
	r->argv[0] = copied("a\xff\xfe b\"\\");
	r->argv[1] = copied("");
	r->argv[2] = copied("\xed\xa0\x80\xc0\xaf\xf5 \\x5c\n");
	assert_int_equal(nt_kvs_set(&r->sysctl, "kernel.numa_balancing", 0.1), 0);
	r->sched_feature = calloc(3, sizeof(char *));
	r->sched_feature[0] = copied("NO_NEXT_BUDDY");
	r->sched_feature[1] = copied("\xff");
	r->topo.nnodes = 2;
	r->topo.node = calloc(2, sizeof(*r->topo.node));
	for (i = 0; i < 2; i++) {
		r->topo.node[i].id = 5 * i;
		r->topo.node[i].cpus = 1;
		r->topo.node[i].cpulist = copied(i ? "3" : "0");
		r->topo.node[i].mem_kb = UINT64_MAX;
		r->topo.node[i].distance = calloc(2, sizeof(int));
		memcpy(r->topo.node[i].distance, distance, sizeof(distance));
	}
	r->topo.cpus_online = 2;
	r->topo.cpu_ids = 4;
	r->topo.cpu_node = calloc(4, sizeof(int));
	r->topo.cpu_llc = calloc(4, sizeof(int));
	for (i = 0; i < 4; i++)
		r->topo.cpu_node[i] = r->topo.cpu_llc[i] = i == 3 ? 1 : i ? -1 : 0;
	r->chain = calloc(1, sizeof(*r->chain));
	r->nchains = 1;
	r->chain[0].cpus = copied("0,3");
	r->chain[0].d = calloc(1, sizeof(struct nt_domain));
	r->chain[0].n = 1;
	strcpy(r->chain[0].d[0].name, "NUMA");
	r->chain[0].d[0].flags = UINT32_MAX;
	r->chain[0].d[0].level = 2;
	r->chain[0].d[0].imb_numa_nr = -1;
	r->bpf = true;
	for (i = 0; i < NT_NFEATURE; i++)
		r->feature[i].on = i != NT_F_BALANCE;
	r->feature[NT_F_BALANCE].why = copied("why not");
	r->tick_hz = 100;
	assert_int_equal(nt_counters_init(&r->total, 2), 0);
}

static inline void make_counts(struct nt_counters *c, uint64_t big)
{
	c->node[1].tick[NT_TICK_SYS] = big;
	c->node[0].tick[NT_TICK_IDLE] = 77;
	c->node[1].wl.exec = big - 1;
	c->node[0].sched_softirqs = 3;
	assert_int_equal(nt_kvs_set(&c->node[1].mem, "numastat.numa_hit", 1.0 / 3), 0);
	nt_mig(c, NT_WORKLOAD, NT_CAUSE_NUMA_SWAP, 1, 0)->n = big;
	*nt_mig(c, NT_SYSTEM, NT_CAUSE_WAKEUP, 1, 1) = (struct nt_mig_cell){ big, 9 };
	*nt_fork(c, NT_SYSTEM, 0, 1) = big;
	c->place[NT_SYSTEM][NT_WAKE_EXEC][NT_PLACE_REMOTE] = big;
	c->balance[2][NT_IDLE_NEWLY].calls = 5;
	c->balance[2][NT_IDLE_NEWLY].ns = big;
	assert_int_equal(nt_kvs_set(&c->sys, "vmstat.x", 1e300), 0);
}

static inline void make_end(struct nt_run *r)
{
	r->ended = true;
	r->wait_status = 9;
	r->interrupted = true;
	r->ru.elapsed = 0.1 + 0.2;
	r->ru.nivcsw = UINT64_MAX;
	make_counts(&r->total, UINT64_MAX);
	r->node_meminfo = calloc(2, sizeof(*r->node_meminfo));
	assert_int_equal(nt_kvs_set(&r->node_meminfo[1], "MemFree", 12), 0);
	r->score = calloc(2, sizeof(*r->score));
	r->nscores = 2;
	r->score[0].key = copied("a");
	r->score[0].value = -0.0;
	r->score[1].key = copied("a");
	r->score[1].value = 2.5e-308;
	r->lost.tasks_full = 4;
	r->alive_after = -1;
	r->self_cpu = 0.7;
	assert_int_equal(nt_run_note(r, "a note\t\xff"), 0);
}

static inline void make_sample(struct nt_run *r)
{
	struct nt_sample s = { .t = 0.3, .dt = 0.1, .online = copied("0,3") };

	assert_int_equal(nt_counters_init(&s.c, 2), 0);
	make_counts(&s.c, (uint64_t)INT64_MAX + 1);
	s.queues = (struct nt_sample_queues){
		.node = calloc(2, sizeof(*s.queues.node)), .has_workload = true,
		.pairs = 3, .settled = 2, .beyond = 1, .difference = 7,
	};
	s.queues.node[1] = (struct nt_queue){
		.cpus = 4, .idle = 1, .running = INT32_MAX, .fair = 8, .workload = 5, .delayed = 2,
		.util = UINT64_MAX, .load = 10, .capacity = 4096,
	};
	assert_int_equal(nt_queue_stats_add(&r->queues, &s.queues, 2), 0);
	assert_int_equal(nt_run_add_sample(r, &s), 0);
}

static inline void write_run(const char *file, const struct nt_run *r, bool with_end)
{
	struct nt_writer *w;
	size_t i;

	assert_int_equal(nt_writer_open(&w, file, false), 0);
	assert_int_equal(access(file, F_OK), -1);
	assert_int_equal(nt_writer_header(w, r), 0);
	assert_int_equal(access(file, F_OK), 0);
	for (i = 0; i < r->nsamples; i++)
		assert_int_equal(nt_writer_sample(w, r, &r->sample[i]), 0);
	if (with_end)
		assert_int_equal(nt_writer_end(w, r), 0);
	assert_int_equal(nt_writer_close(w), 0);
}

#endif
