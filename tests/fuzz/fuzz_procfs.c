// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts of /proc and /sys: the first byte says which parser, a NUL parts two readings. */
#include <stdlib.h>
#include <string.h>

#include "collect/procfs.h"
#include "fuzz.h"

static void lists(const char *text, struct nt_cpuset *set)
{
	struct nt_cpuset again = { 0 };
	char *list;

	if (nt_cpuset_parse(set, text))
		return;
	list = nt_cpuset_format(set);
	nt_must(list && !nt_cpuset_parse(&again, list), "a list that was written can be read");
	nt_must(nt_cpuset_equal(set, &again), "and is the same set");
	nt_must((int)nt_cpuset_count(set) <= nt_cpuset_last(set) + 1, "no member above the last");
	nt_cpuset_free(&again);
	free(list);
}

struct readings {
	struct nt_cpuset set;
	struct nt_cpustat stat;
	struct nt_cpucount count;
	struct nt_kvs kvs;
};

static void parse(uint8_t which, const char *text, struct readings *r)
{
	int cpu;

	switch (which % 6) {
	case 0:
		lists(text, &r->set);
		break;
	case 1:
		if (!nt_parse_stat(text, &r->stat))
			nt_must(nt_cpuset_last(&r->stat.cpus) < r->stat.cap, "a row per member");
		break;
	case 2:
		if (nt_parse_softirqs(text, "SCHED", &r->count))
			break;
		nt_cpuset_for_each(cpu, &r->count.cpus)
			nt_must(cpu < r->count.cap, "a count per member");
		break;
	case 3:
		nt_parse_pairs(text, "vmstat.", nt_want_vmstat, &r->kvs);
		break;
	case 4:
		nt_parse_pairs(text, "numastat.", nt_want_all, &r->kvs);
		break;
	default:
		nt_parse_node_meminfo(text, &r->kvs);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct readings r = { 0 };

	if (!size)
		return 0;
	for (size_t at = 1, i = 0; i < 2 && at <= size; i++) {
		char *text = nt_fuzz_text(data + at, size - at);

		at += strlen(text) + 1;
		parse(data[0], text, &r);
		free(text);
	}
	nt_cpuset_free(&r.set);
	nt_cpustat_free(&r.stat);
	nt_cpucount_free(&r.count);
	nt_kvs_free(&r.kvs);
	return 0;
}
