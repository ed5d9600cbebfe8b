// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading records that others wrote: refused in one sentence, or kept as far as they go. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/record_read.h"
#include "view/report.h"

#include "record_util.h"

static char dir[] = "/tmp/test-broken-XXXXXX";
static char path[64];

#define NODES(x)	"{\"type\":\"header\",\"schema\":\"numatrace/1\",\"topology\":{" x "}}\n"
#define HEAD	NODES("\"nodes\":[{\"id\":0},{\"id\":4}]")
#define SAMPLE	"{\"type\":\"sample\",\"t\":1,\"dt\":1,\"counters\":{\"migrations\":" \
		"{\"workload\":[[\"wakeup\",0,4,7,0]]}}}\n"
#define END	"{\"type\":\"end\",\"counters\":{}}\n"

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/r.jsonl", dir);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	unlink(path);
	return 0;
}

static int teardown(void **state)
{
	clean(state);
	return rmdir(dir);
}

static void put(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static char *report(const struct nt_run *r)
{
	struct nt_view_opts opts = { 0 };
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(nt_report(f, r, &opts), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void test_groups(void **state)
{
	static const char text[] = HEAD SAMPLE END "\n" HEAD SAMPLE SAMPLE HEAD
		"{\"type\":\"later\",\"x\":[1]}\r\n" SAMPLE END;
	struct nt_run *b;

	(void)state;
	put(text, strlen(text));
	b = read_runs(path, 3);
	assert_true(b[0].ended && !b[1].ended && b[2].ended);
	assert_int_equal(b[1].nsamples, 2);
	assert_int_equal(nt_mig(&b[1].total, NT_WORKLOAD, NT_CAUSE_WAKEUP, 0, 1)->n, 14);
	nt_records_free(b, 3);
}

static void refused(const char *text, size_t len, const char *what)
{
	struct nt_error e = { 0 };
	struct nt_run *runs;
	size_t n;

	put(text, len);
	assert_int_equal(nt_record_read(path, &runs, &n, &e), -EINVAL);
	if (!strstr(e.msg, what) || strncmp(e.msg, path, strlen(path)) || strchr(e.msg, '\n'))
		fail_msg("\"%s\" does not say \"%s\"", e.msg, what);
	assert_null(strpbrk(e.msg, "\033\x01"));
}

static const struct {
	const char *text, *what;
} bad_header[] = {
	{ "", "empty" },
	{ "\n\n", "no header" },
	{ "\x7f" "ELF\x02\x01\033[2J\n", ":1: not a numatrace record" },
	{ "[1]\n", ":1: not a numatrace record" },
	{ "7\n", ":1: not a numatrace record" },
	{ "{\"type\":\"header\"}\n", ":1: not a numatrace record" },
	{ "{\"type\":\"header\",\"schema\":\"other/1\"}\n", ":1: not a numatrace record" },
	{ "{\"type\":\"header\",\"schema\":\"numatrace/2\"}\n", "schema numatrace/2" },
	{ "{\"type\":\"header\",\"schema\":\"numatrace/10\"}\n", "schema numatrace/10" },
	{ "{\"type\":\"header\",\"type\":\"x\"}\n", "duplicate object key" },
	{ "{\"type\":NaN}\n", ":1: not a numatrace record" },
	{ "{\"type\":1e999}\n", ":1: not a numatrace record" },
	{ SAMPLE, "without a header" },
	{ "{\"type\":\"header\",\"schema\":\"numatrace/1\"}\n", "topology: expected an object" },
	{ NODES(""), "0 nodes" },
	{ NODES("\"nodes\":7"), "nodes: expected an array, found a whole number" },
	{ NODES("\"nodes\":[{}]"), "node id: expected a whole number, found nothing" },
	{ NODES("\"nodes\":[{\"id\":-1}]"), "-1 is not between" },
	{ NODES("\"nodes\":[{\"id\":1},{\"id\":1}]"), "ids must rise" },
	{ NODES("\"nodes\":[{\"id\":\"1\"}]"), "found a string" },
	{ NODES("\"nodes\":[{\"id\":1,\"mem_kb\":-5}]"), "a count, found a negative" },
	{ NODES("\"nodes\":[{\"id\":1,\"mem_kb\":\"5\"}]"), "a count, found a string" },
	{ NODES("\"nodes\":[{\"id\":1,\"mem_kb\":1.5}]"), "a count, found a fraction" },
	{ NODES("\"nodes\":[{\"id\":1,\"distance\":[1,2]}]"), "expected 1 numbers, found 2" },
	{ NODES("\"nodes\":[{\"id\":1}],\"cpu_ids\":1,\"cpu_node\":[3]"), "not listed" },
	{ NODES("\"nodes\":[{\"id\":1}],\"cpu_ids\":1000000000"), "not between" },
};

static void test_refused(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad_header) / sizeof(bad_header[0]); i++)
		refused(bad_header[i].text, strlen(bad_header[i].text), bad_header[i].what);
	refused("\0\0\0\0", 4, ":1: a NUL byte");
}

static void test_deep(void **state)
{
	static char deep[400000];

	(void)state;
	memset(deep, '[', sizeof(deep));
	refused(deep, sizeof(deep), "maximum parsing depth");
}

static void test_bom_and_crlf(void **state)
{
	char text[4096];
	struct nt_run *b;
	size_t len;

	(void)state;
	len = (size_t)snprintf(text, sizeof(text), "\xef\xbb\xbf%.*s\r\n%s", (int)strlen(HEAD) - 1,
			       HEAD, SAMPLE END);
	put(text, len);
	b = read_runs(path, 1);
	assert_true(b->ended);
	nt_records_free(b, 1);
}

#define COUNTERS(x)	"{\"type\":\"sample\",\"counters\":{" x "}}\n"

static const char *const bad_later[][2] = {
	{ "garbage\n", "not JSON" },
	{ "{\"type\":\"sample\"}\n", "counters: expected an object" },
	{ "{\"type\":\"sample\",\"counters\":{},\"snapshot\":7}\n",
	  "snapshot: expected an object" },
	{ "{\"type\":\"sample\",\"counters\":{},\"snapshot\":{\"nodes\":[{\"id\":1}]}}\n",
	  "node 1 is not in the header" },
	{ "{\"type\":\"sample\",\"counters\":{},\"snapshot\":{\"nodes\":[{\"id\":0,"
	  "\"runnable\":-1}]}}\n", "runnable" },
	{ "{\"type\":\"sample\",\"counters\":{},\"snapshot\":{\"pairs\":1,\"settled\":2}}\n",
	  "settled" },
	{ "{\"type\":\"sample\",\"counters\":{},\"snapshot\":{\"pairs\":3,\"settled\":1,"
	  "\"beyond\":2}}\n",
	  "beyond" },
	{ "{\"type\":\"sample\",\"t\":-1,\"counters\":{}}\n", "cannot be negative" },
	{ "{\"type\":\"sample\",\"t\":\"1\",\"counters\":{}}\n", "expected a number" },
	{ COUNTERS("\"nodes\":[{\"id\":1}]"), "node 1 is not" },
	{ COUNTERS("\"nodes\":[7]"), "expected objects" },
	{ COUNTERS("\"nodes\":[{\"id\":0,\"ticks\":{\"usr\":-1}}]"),
	  "usr: expected a count" },
	{ COUNTERS("\"migrations\":{\"workload\":[[\"exec\",0]]}"),
	  "node: expected a whole number" },
	{ COUNTERS("\"migrations\":{\"system\":[[\"rt\",0,0,1,2]]}"),
	  "more moves within" },
	{ COUNTERS("\"balance\":[{\"level\":99}]"), "99 is not" },
	{ COUNTERS("\"sys\":{\"a\":true}"), "sys: expected numbers" },
	{ "{\"type\":\"end\",\"counters\":{},\"scores\":[{\"key\":1}]}\n", "key: expected" },
	{ "{\"type\":\"end\",\"counters\":{},\"notes\":[\"a\",2]}\n", "notes: expected" },
	{ "{\"type\":\"end\",\"counters\":{},\"meminfo\":[{\"id\":0,\"kb\":{\"a\":1}},"
	  "{\"id\":2}]}\n", "node 2 is not" },
	{ "{\"type\":\"header\",\"schema\":\"numatrace/9\"}\n", "schema numatrace/9" },
};

/* A later line that cannot be read costs only what follows it. */
static void test_bad_later(void **state)
{
	char text[4096], *rendered;
	struct nt_run *b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad_later) / sizeof(bad_later[0]); i++) {
		snprintf(text, sizeof(text), "%s%s%s", HEAD SAMPLE, bad_later[i][0], SAMPLE);
		put(text, strlen(text));
		b = read_runs(path, 1);
		assert_int_equal(b->nsamples, 1);
		assert_false(b->ended);
		assert_int_equal(b->nnotes, 1);
		if (!strstr(b->note[0], bad_later[i][1]) || !strstr(b->note[0], ":3: "))
			fail_msg("\"%s\" does not say \"%s\"", b->note[0], bad_later[i][1]);
		rendered = report(b);
		assert_non_null(strstr(rendered, "run ended early, 1 sample kept"));
		free(rendered);
		nt_records_free(b, 1);
	}
}

static void test_later_cause(void **state)
{
	static const char text[] = HEAD "{\"type\":\"end\",\"counters\":{\"migrations\":"
				   "{\"system\":[[\"core\",0,4,3,0]]}}}";
	struct nt_run *b;

	(void)state;
	put(text, strlen(text));
	b = read_runs(path, 1);
	assert_int_equal(nt_mig(&b->total, NT_SYSTEM, NT_CAUSE_UNKNOWN, 0, 1)->n, 3);
	nt_records_free(b, 1);
}

/* Found by fuzzing: CPUs in a node that has none, says another member, and no distances. */
static void test_contradiction(void **state)
{
	static const char text[] = "{\"type\":\"header\",\"schema\":\"numatrace/1\","
		"\"kernel\":\"6.1.0\",\"machine\":\"x86_64\",\"bpf\":true,"
		"\"features\":{\"domains\":{\"on\":true}},\"topology\":{"
		"\"cpus_online\":3,\"cpu_ids\":3,\"nodes\":["
		"{\"id\":0,\"cpulist\":\"0\",\"cpus\":1,\"distance\":[10,20,20]},"
		"{\"id\":1,\"cpulist\":\"1\",\"cpus\":1,\"distance\":[20,10,20]},{\"id\":2}],"
		"\"cpu_node\":[0,1,2],\"cpu_llc\":[0,1,2]},\"chains\":[{\"cpus\":\"0-2\","
		"\"domains\":[{\"name\":\"NUMA\",\"level\":0,\"span\":\"0-2\",\"span_weight\":3,"
		"\"imb_numa_nr\":1,\"flag_names\":[\"SD_NUMA\"]}]}]}\n" END;
	struct nt_run *b;

	(void)state;
	put(text, strlen(text));
	b = read_runs(path, 1);
	free(report(b));
	nt_records_free(b, 1);
}

static void test_no_file(void **state)
{
	struct nt_error e = { 0 };
	struct nt_run *runs;
	size_t n;

	(void)state;
	assert_int_equal(nt_record_read(dir, &runs, &n, &e), -EISDIR);
	assert_int_equal(nt_record_read(path, &runs, &n, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "No such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_groups, clean),
		cmocka_unit_test_teardown(test_refused, clean),
		cmocka_unit_test_teardown(test_deep, clean),
		cmocka_unit_test_teardown(test_bom_and_crlf, clean),
		cmocka_unit_test_teardown(test_bad_later, clean),
		cmocka_unit_test_teardown(test_later_cause, clean),
		cmocka_unit_test_teardown(test_contradiction, clean),
		cmocka_unit_test_teardown(test_no_file, clean),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
