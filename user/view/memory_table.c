// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <stdlib.h>

#include "view/section.h"
#include "view/tbl.h"

struct column {
	const char *key;
	const char *title;
};

static const struct column numastat[] = {
	{ "numastat.numa_hit", "HIT" },
	{ "numastat.numa_miss", "MISS" },
	{ "numastat.numa_foreign", "FOREIGN" },
	{ "numastat.interleave_hit", "INTERLEAVE" },
	{ "numastat.local_node", "LOCAL" },
	{ "numastat.other_node", "OTHER" },
};
#define NNUMASTAT (sizeof(numastat) / sizeof(numastat[0]))

static bool any_numastat(const struct nt_counters *c)
{
	size_t k;
	int i;

	for (i = 0; i < c->nnodes; i++)
		for (k = 0; k < NNUMASTAT; k++)
			if (nt_kvs_find(&c->node[i].mem, numastat[k].key))
				return true;
	return false;
}

static void number_cell(struct nt_tbl *t, const struct nt_kvs *l, const char *key, double unit)
{
	const struct nt_kv *kv = l ? nt_kvs_find(l, key) : NULL;

	if (kv)
		nt_tbl_cell(t, "%.0f", kv->value / unit);
	else
		nt_tbl_cell(t, "-");
}

static void memory_row(struct nt_tbl *t, const struct nt_run *r, int node, bool stats)
{
	const struct nt_kvs *info = r->node_meminfo ? &r->node_meminfo[node] : NULL;
	size_t k;

	nt_tbl_row(t);
	nt_tbl_cell(t, "%d", r->topo.node[node].id);
	for (k = 0; stats && k < NNUMASTAT; k++)
		number_cell(t, &r->total.node[node].mem, numastat[k].key, 1);
	nt_tbl_cell(t, "%.0f", (double)r->topo.node[node].mem_kb / 1024);
	number_cell(t, info, "MemFree", 1024);
}

int nt_show_memory(const struct nt_section *s)
{
	bool stats = any_numastat(&s->r->total);
	struct nt_tbl *t = nt_tbl_new();
	size_t k;
	int i, err;

	nt_heading(s, "Memory by node");
	nt_tbl_col(t, NT_RIGHT, "NODE");
	if (stats)
		nt_tbl_group(t, "numastat, pages during the run");
	for (k = 0; stats && k < NNUMASTAT; k++)
		nt_tbl_col(t, NT_RIGHT, "%s", numastat[k].title);
	nt_tbl_group(t, "MiB");
	nt_tbl_col(t, NT_RIGHT, "TOTAL");
	nt_tbl_col(t, NT_RIGHT, "FREE-AT-END");
	for (i = 0; i < s->r->topo.nnodes; i++)
		memory_row(t, s->r, i, stats);
	err = nt_tbl_print(t, s->out);
	if (!err && !stats)
		err = nt_line(s, "numastat: not recorded");
	return err;
}

/* The counters about nodes and scheduling; the flat map of the JSON has the rest. */
static bool of_interest(const char *key)
{
	if (!strcmp(key, NT_STEPPED_BACK))	/* a note says it */
		return false;
	return !strcmp(key, "softirqs.SCHED") || !strncmp(key, "vmstat.numa_", 12) ||
	       strncmp(key, "vmstat.", 7);
}

static int sched_softirqs(const struct nt_section *s)
{
	const struct nt_counters *c = &s->r->total;
	struct nt_words w = { 0 };
	bool any = false;
	int i;

	for (i = 0; i < c->nnodes; i++)
		any |= c->node[i].sched_softirqs;
	for (i = 0; any && i < c->nnodes; i++)
		if (s->r->topo.node[i].cpus || c->node[i].sched_softirqs)
			nt_words_add(&w, "node%d %llu", s->r->topo.node[i].id,
				     (unsigned long long)c->node[i].sched_softirqs);
	return nt_words_line(s, &w, "softirqs.SCHED by node");
}

int nt_show_system(const struct nt_section *s)
{
	const struct nt_kvs *l = &s->r->total.sys;
	struct nt_words zero = { 0 };
	struct nt_tbl *t = nt_tbl_new();
	char num[40];
	size_t i;
	int err;

	nt_heading(s, "Whole system, events during the run");
	nt_tbl_col(t, NT_LEFT, "COUNTER");
	nt_tbl_col(t, NT_RIGHT, "EVENTS");
	for (i = 0; i < l->n; i++) {
		char *key = nt_safe(l->v[i].key);

		if (key && of_interest(key) && l->v[i].value != 0) {
			nt_tbl_row(t);
			nt_tbl_cell(t, "%s", key);
			nt_tbl_cell(t, "%s", nt_cell_number(num, sizeof(num), l->v[i].value));
		} else if (key && of_interest(key)) {
			nt_words_add(&zero, "%s", key);
		}
		free(key);
	}
	err = nt_tbl_print(t, s->out);
	if (!err)
		err = sched_softirqs(s);
	return nt_words_line(s, &zero, "0, not shown") ?: err;
}
