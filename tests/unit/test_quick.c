// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records read for a comparison: the quick way and the JSON library must find the same. The
 * oracle is the same record with a blank after a colon, which the quick way leaves alone.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/quick.h"
#include "store/results_read.h"

#define COUNTERS	"\"counters\":{\"nodes\":[{\"id\":0,\"x\":\"}]\\\"\"}]}"
#define END(members)	"{\"type\":\"end\"," members "}"
#define METRICS(list)	END(COUNTERS ",\"a\":[1,{}],\"metrics\":{" list "},\"z\":\"\\\\\"")

static bool quick(const char *line, struct nt_span *metrics)
{
	struct nt_quick q = { 0 };
	struct nt_span counters;
	bool is = nt_quick_end(&q, line, strlen(line), &counters, metrics);

	nt_quick_free(&q);
	return is;
}

static void what_is_left_alone(void **state)
{
	static const char *const no[] = {
		"", "{}", "{\"type\":\"end\"}", "{\"type\": \"end\",\"counters\":{}}",
		END(COUNTERS), END("\"metrics\":{\"a\":1}"),
		END("\"metrics\":{\"a\":1}," COUNTERS),		/* the other order */
		END("\"counters\":1,\"metrics\":{\"a\":1}"),
		END(COUNTERS "," COUNTERS ",\"metrics\":{\"a\":1}"),
		END(COUNTERS ",\"metrics\":{\"a\":1},\"metrics\":{\"a\":1}"),
		END(COUNTERS ",\"metrics\":{\"a\":1}") " ",
		END(COUNTERS ",\"metrics\":{\"a\":1}") "}",
		METRICS(""), METRICS("\"a\":1,"), METRICS("\"a\"1"), METRICS("a:1"),
		METRICS("\"a\":1,\"a\":2"), METRICS("\"a\": 1"), METRICS("\"a\":1 "),
		METRICS("\"a\":NaN"), METRICS("\"a\":1e400"), METRICS("\"a\":1e100"),
		METRICS("\"a\":01"), METRICS("\"a\":1."), METRICS("\"a\":.5"), METRICS("\"a\":+1"),
		METRICS("\"a\":1e"), METRICS("\"a\":0x10"), METRICS("\"a\":null"),
		METRICS("\"a\":\"1\""), METRICS("\"a\":{}"), METRICS("\"a\":-"),
		METRICS("\"a\":1234567890123456789"), METRICS("\"a\\u0041\":1"),
		METRICS("\"\xc3\xa9\":1"), METRICS("\"a\tb\":1"),
		"{\"type\":\"end\",\"counters\":{\"a\":[}},\"metrics\":{\"a\":1}",
		"{\"type\":\"end\",\"counters\":{\"a\":\"},\"metrics\":{\"a\":1}}",
	};
	struct nt_span m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (quick(no[i], &m) || m.at)
			fail_msg("taken: %s", no[i]);
	assert_true(quick(METRICS("\"a\":1"), &m));
	assert_memory_equal(m.at, "{\"a\":1}", m.len);
}

static void values(void **state)
{
	static const struct {
		const char *name;
		double v;
	} want[] = {
		{ "a", 0 }, { "b,}", -0.0 }, { "c", -12 }, { "", 0.1 }, { "d.%", 1.5e-99 },
		{ "e", 123456789012345678 }, { "f", 9.99e+99 },
	};
	struct nt_span m, name;
	const char *at;
	size_t i = 0;
	double v;

	(void)state;
	assert_true(quick(METRICS("\"a\":0,\"b,}\":-0.0,\"c\":-12,\"\":0.1,\"d.%\":1.5e-99,"
				  "\"e\":123456789012345678,\"f\":9.99E+99"), &m));
	for (at = m.at; at; i++) {
		nt_quick_metric(&at, &name, &v);
		assert_int_equal(name.len, strlen(want[i].name));
		assert_memory_equal(name.at, want[i].name, name.len);
		assert_true(v == want[i].v && signbit(v) == signbit(want[i].v));
	}
	assert_int_equal(i, sizeof(want) / sizeof(want[0]));
}

/* Many names in one line, and the last again. */
static void names_given_twice(void **state)
{
	char *line = malloc(200000), *p = line;
	struct nt_span m;
	int i;

	(void)state;
	p += sprintf(p, "{\"type\":\"end\"," COUNTERS ",\"metrics\":{\"m\":1");
	for (i = 0; i < 5000; i++)
		p += sprintf(p, ",\"m.%d\":%d", i, i);
	strcpy(p, "}}");
	assert_true(quick(line, &m));
	strcpy(p, ",\"m.4999\":1}}");
	assert_false(quick(line, &m));
	free(line);
}

static char dir[] = "/tmp/test-quick-XXXXXX";
static char path[64];

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/r.jsonl", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

/* Lines of a record; with slow, a blank after the first colon of each. */
static void put(const char *text, bool slow)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	for (; *text; text++) {
		fputc(*text, f);
		if (slow && *text == ':' && !strncmp(text - 6, "\"type\"", 6))
			fputc(' ', f);
	}
	assert_int_equal(fclose(f), 0);
}

static void read_text(const char *text, bool slow, struct nt_results *s)
{
	struct nt_error e = { "" };

	memset(s, 0, sizeof(*s));
	put(text, slow);
	if (nt_results_read(path, 0, s, &e))
		fail_msg("%s", e.msg);
}

static void same(const struct nt_results *a, const struct nt_results *b)
{
	size_t i, k;

	assert_int_equal(a->n, b->n);
	assert_int_equal(a->nkeys, b->nkeys);
	assert_int_equal(a->nnotes, b->nnotes);
	for (k = 0; k < a->nkeys; k++)
		assert_string_equal(a->key[k], b->key[k]);
	for (i = 0; i < a->n; i++) {
		assert_int_equal(a->v[i].ended, b->v[i].ended);
		assert_int_equal(a->v[i].wait_status, b->v[i].wait_status);
		assert_int_equal(a->v[i].lost.bad_cpu, b->v[i].lost.bad_cpu);
		for (k = 0; k < a->nkeys; k++) {
			double x = nt_result_value(&a->v[i], k), y = nt_result_value(&b->v[i], k);

			assert_true(isnan(x) ? isnan(y) : x == y && signbit(x) == signbit(y));
		}
	}
}

/* Both ways; the quick one is left in s. */
static void both(const char *text, struct nt_results *s)
{
	struct nt_results slow;

	read_text(text, true, &slow);
	read_text(text, false, s);
	same(s, &slow);
	nt_results_free(&slow);
}

#define HEADER "{\"type\":\"header\",\"schema\":\"numatrace/1\",\"version\":\"\"," \
	"\"started\":\"\",\"hostname\":\"\",\"kernel\":\"\",\"machine\":\"\",\"cpu_model\":\"\"," \
	"\"argv\":[\"a\"]," \
	"\"bpf\":true,\"features\":{\"cputime\":{\"on\":true,\"way\":\"\",\"why\":null}}," \
	"\"topology\":{\"cpus_online\":1,\"cpu_ids\":1,\"llcs\":1,\"nodes\":[{\"id\":0," \
	"\"cpulist\":\"0\",\"cpus\":1,\"llcs\":1}],\"cpu_node\":[0],\"cpu_llc\":[0]}}\n"
#define SAMPLE(t, usr) "{\"type\":\"sample\",\"t\":" #t ",\"dt\":1,\"online\":\"0\"," \
	"\"counters\":{\"nodes\":[{\"id\":0,\"ticks\":{\"usr\":" #usr ",\"idle\":50}}]}}\n"
#define FINISH(m) "{\"type\":\"end\",\"interrupted\":false,\"wait_status\":256,\"rusage\":{}," \
	"\"counters\":{\"nodes\":[{\"id\":0,\"ticks\":{\"usr\":1}}]},\"scores\":[{\"key\":\"s\"," \
	"\"value\":3}],\"metrics\":{" m "},\"lost\":{\"bad_cpu\":7},\"alive_after\":0}\n"

static double value(const struct nt_results *s, size_t run, const char *key)
{
	size_t k;

	for (k = 0; k < s->nkeys && strcmp(s->key[k], key); k++)
		;
	assert_true(k < s->nkeys);
	return nt_result_value(&s->v[run], k);
}

static void both_ways_agree(void **state)
{
	struct nt_results s;

	(void)state;
	both(HEADER SAMPLE(1, 50) FINISH("\"a\":1.25,\"b\":-0,\"c\":-0.0,\"s\":3")
	     HEADER FINISH("\"b\":9007199254740993,\"d\":2") HEADER SAMPLE(1, 50)
	     HEADER FINISH("\"a\":1e300"), &s);
	assert_int_equal(s.n, 4);
	assert_true(value(&s, 0, "a") == 1.25);
	assert_true(isnan(value(&s, 1, "a")));
	assert_true(value(&s, 3, "a") == 1e300);
	assert_int_equal(s.v[0].lost.bad_cpu, 7);
	assert_false(s.v[2].ended);
	nt_results_free(&s);
}

/* Without an end its samples are summed up, though they were passed over at first. */
static void cut_short(void **state)
{
	struct nt_results s;

	(void)state;
	both(HEADER SAMPLE(1, 50) SAMPLE(2, 150) HEADER SAMPLE(1, 0) "{\"type\":\"sam", &s);
	assert_int_equal(s.n, 2);
	assert_true(fabs(value(&s, 0, "mpstat.node.0.usr%") - 200.0 / 3) < 1e-9);
	assert_true(value(&s, 1, "mpstat.node.0.usr%") == 0);
	nt_results_free(&s);
}

/* Damage in what counts stops the reading, with the line; in what does not it goes unseen. */
static void damage(void **state)
{
	struct nt_results s;

	(void)state;
	read_text(HEADER "{\"type\":\"sample\",?}\n" FINISH("\"a\":1"), false, &s);
	assert_int_equal(s.nnotes, 0);
	assert_true(s.v[0].ended && value(&s, 0, "a") == 1);
	nt_results_free(&s);
	both(HEADER SAMPLE(1, 50) "{\"type\":\"sample\",?}\n" SAMPLE(3, 50) HEADER, &s);
	assert_int_equal(s.n, 1);
	assert_non_null(strstr(s.note[0], "r.jsonl:3: not JSON"));
	assert_true(value(&s, 0, "mpstat.node.0.usr%") == 50);
	nt_results_free(&s);
	both(HEADER SAMPLE(1, 50) FINISH("\"a\":1,\"b\":2,\"a\":3"), &s);
	assert_non_null(strstr(s.note[0], "r.jsonl:3: not JSON: duplicate object key"));
	assert_false(s.v[0].ended);
	assert_true(value(&s, 0, "mpstat.node.0.usr%") == 50);
	nt_results_free(&s);
	both(HEADER FINISH("\"a\":1") HEADER FINISH("\"a\":NaN"), &s);
	assert_non_null(strstr(s.note[0], "r.jsonl:4: not JSON"));
	assert_int_equal(s.n, 2);
	nt_results_free(&s);
	both(HEADER FINISH("\"a\":1,\"b\":1e400"), &s);
	assert_non_null(strstr(s.note[0], "r.jsonl:2: not JSON: real number overflow"));
	nt_results_free(&s);
	both(HEADER FINISH("\"a\":1,\"b\":99999999999999999999"), &s);
	assert_non_null(strstr(s.note[0], "r.jsonl:2: not JSON: too big integer"));
	nt_results_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_left_alone),
		cmocka_unit_test(values),
		cmocka_unit_test(names_given_twice),
		cmocka_unit_test(both_ways_agree),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(damage),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
