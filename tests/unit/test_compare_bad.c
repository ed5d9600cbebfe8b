// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Input of every bad kind given to compare, on either side: one line that names the file and,
 * where there is one, the line; status 125, or what precedes the damage is used and that is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cmocka.h>

#include "cmd/cmd.h"
#include "unit/cmd_util.h"

#define HEADER "{\"type\":\"header\",\"schema\":\"numatrace/1\",\"version\":\"\"," \
	"\"started\":\"\",\"hostname\":\"\",\"kernel\":\"k\",\"machine\":\"\",\"cpu_model\":\"\"," \
	"\"argv\":[\"a\"]," \
	"\"topology\":{\"cpus_online\":1,\"cpu_ids\":1,\"llcs\":1,\"nodes\":[{\"id\":0," \
	"\"cpulist\":\"0\",\"cpus\":1,\"llcs\":1}],\"cpu_node\":[0],\"cpu_llc\":[0]}}\n"
#define END_OF(m) "{\"type\":\"end\",\"wait_status\":0,\"rusage\":{},\"counters\":{\"nodes\":[]}," \
	"\"scores\":[],\"metrics\":{" m "},\"lost\":{},\"alive_after\":0}\n"
#define RUN HEADER END_OF("\"a.b\":1")

static char dir[] = "/tmp/test-bad-XXXXXX";
static char good[64], bad[64];

static void write_bytes(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(good, sizeof(good), "%s/good.jsonl", dir);
	snprintf(bad, sizeof(bad), "%s/bad", dir);
	write_bytes(good, RUN, strlen(RUN));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(good);
	unlink(bad);
	return rmdir(dir);
}

/* Runs compare; what it says on stderr is in say. */
static int compare(char *base, char *with, char *say, size_t size)
{
	char *argv[] = { (char *)"compare", (char *)"--all", base, (char *)"--", with, NULL };
	FILE *out = tmpfile(), *err = tmpfile();
	size_t len;
	char *text;
	int status;

	assert_true(out && err);
	status = run_captured(nt_cmd_compare, argv, out, err);
	text = text_of(err, &len);
	assert_non_null(text);
	snprintf(say, size, "%s", text);
	free(text);
	text = text_of(out, &len);
	assert_int_equal(len > 0, status == 0);		/* a table, or nothing */
	free(text);
	fclose(out);
	fclose(err);
	return status;
}

/* One line, "numatrace: FILE...", that has these words. */
static void one_line(const char *say, const char *const *word)
{
	char begins[100];

	snprintf(begins, sizeof(begins), "numatrace: %s:", bad);
	if (strncmp(say, begins, strlen(begins)) || strchr(say, '\n') != say + strlen(say) - 1)
		fail_msg("not one line about %s: '%s'", bad, say);
	for (; *word; word++)
		if (!strstr(say, *word))
			fail_msg("no '%s' in '%s'", *word, say);
}

static void check(const char *const *word, int status)
{
	char say[2000];

	assert_int_equal(compare(bad, good, say, sizeof(say)), status);
	one_line(say, word);
	assert_int_equal(compare(good, bad, say, sizeof(say)), status);
	one_line(say, word);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void refused_bytes(const char *text, size_t len, const char *const *word)
{
	write_bytes(bad, text, len);
	check(word, 125);
}

static void refused(const char *text, const char *const *word)
{
	refused_bytes(text, strlen(text), word);
}

/* What comes before is used. */
static void kept(const char *text, const char *const *word)
{
	write_bytes(bad, text, strlen(text));
	check(word, 0);
}

/* As good as if nothing were amiss. */
static void fine(const char *text)
{
	char say[2000];

	write_bytes(bad, text, strlen(text));
	assert_int_equal(compare(good, bad, say, sizeof(say)), 0);
	assert_string_equal(say, "");
}

static void truncated(void **state)
{
	char text[] = HEADER, say[2000];

	(void)state;
	text[100] = '\0';
	refused(text, WORDS(":1: ", "not a numatrace record"));
	/* Within the last line: the run ended early, which the table says and not an error. */
	write_bytes(bad, RUN, strlen(RUN) - 20);
	assert_int_equal(compare(good, bad, say, sizeof(say)), 0);
	assert_string_equal(say, "");
	refused("{\"a.b\": [1, 2", WORDS(":1: "));
	refused("{\n\"a.b\": [1,\n2", WORDS(":3: "));
}

static void corrupt(void **state)
{
	(void)state;
	kept(RUN "{\"type\":\"end\",,}\n" RUN, WORDS(":3: ", "not JSON", "is used"));
	kept(RUN HEADER "garbage\n" END_OF("\"a.b\":2"), WORDS(":4: ", "not JSON"));
	refused("{\"a.b\": [1, oops]}", WORDS(":1: "));
	refused("{\n\"a.b\": [1],\n\"c.d\": [\"x\", {}]\n}", WORDS(":3: "));
	refused("no such format\n", WORDS(":1: none of"));
}

static void empty(void **state)
{
	(void)state;
	refused("", WORDS("empty"));
	refused("\n \n", WORDS("empty"));
	refused("{}", WORDS(":1: none of"));
}

static void binary(void **state)
{
	static const char elf[] = "\177ELF\2\1\1\0\0\0\0\n\0", late[] = RUN "\0\377\n";

	(void)state;
	refused_bytes(elf, sizeof(elf) - 1, WORDS(":1: "));
	refused("\377\376\200\n", WORDS(":1: none of"));
	write_bytes(bad, late, sizeof(late) - 1);
	check(WORDS(":3: a NUL byte", "is used"), 0);
}

static size_t packed(const char *text, unsigned char *to, size_t size)
{
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)text;
	z.avail_in = (unsigned int)strlen(text);
	z.next_out = to;
	z.avail_out = (unsigned int)size;
	/* As the writer does after each line. */
	assert_int_equal(deflate(&z, Z_SYNC_FLUSH), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static void gzip_cut_short(void **state)
{
	unsigned char gz[4096];
	char say[2000];
	size_t len = packed(RUN RUN, gz, sizeof(gz));

	(void)state;
	/* The checksum and the length are gone: all lines are there. */
	write_bytes(bad, (char *)gz, len - 8);
	assert_int_equal(compare(good, bad, say, sizeof(say)), 0);
	assert_string_equal(say, "");
	/* Nothing but the head of it; and damage in the middle. */
	refused_bytes((char *)gz, 10, WORDS("empty"));
	memset(gz + 12, 0xff, 40);
	refused_bytes((char *)gz, len, WORDS(":1: damaged gzip data"));
}

static void duplicate_keys(void **state)
{
	(void)state;
	kept(RUN HEADER END_OF("\"a\":1,\"a\":2"), WORDS(":4: ", "duplicate object key"));
	refused("{\"a.b\": [1], \"a.b\": [2]}", WORDS(":1: ", "duplicate object key"));
}

static void nan_and_infinite(void **state)
{
	(void)state;
	kept(RUN HEADER END_OF("\"a\":NaN"), WORDS(":4: ", "not JSON"));
	kept(RUN HEADER END_OF("\"a\":-Infinity"), WORDS(":4: ", "not JSON"));
	refused("{\"a.b\": [NaN]}", WORDS(":1: "));
}

static void beyond_a_double(void **state)		/* 1e400 */
{
	(void)state;
	kept(RUN HEADER END_OF("\"a\":1e400"), WORDS(":4: ", "real number overflow"));
	refused("{\"a.b\": [1e400]}", WORDS(":1: ", "real number overflow"));
}

static void beyond_64_bits(void **state)
{
	(void)state;
	kept(RUN HEADER END_OF("\"a\":99999999999999999999"), WORDS(":4: ", "too big integer"));
	kept(RUN HEADER END_OF("\"a\":-99999999999999999999"), WORDS(":4: ", "too big negative"));
	fine("{\"a.b\": [99999999999999999999]}");	/* a number there has no bits to exceed */
}

static void deep_nesting(void **state)
{
	char *text = malloc(200000 + sizeof(RUN) + 20);

	(void)state;
	strcpy(text, "{\"a.b\":");
	memset(text + 7, '[', 100000);
	text[100007] = '\0';
	refused(text, WORDS(":1: ", "maximum parsing depth"));
	strcpy(text, RUN);
	memset(text + strlen(RUN), '{', 100000);
	strcpy(text + strlen(RUN) + 100000, "\n");
	kept(text, WORDS(":3: not JSON"));
	free(text);
}

static void bom_and_crlf(void **state)
{
	(void)state;
	fine("\xef\xbb\xbf" RUN);
	fine("\xef\xbb\xbf" HEADER "\r\n" END_OF("\"a.b\":1") "\r\n");
	fine("\xef\xbb\xbf{\r\n\"a.b\": [1]\r\n}\r\n");
}

static void unknown_schema(void **state)
{
	(void)state;
	refused("{\"type\":\"header\",\"schema\":\"numatrace/9\"}\n",
		WORDS(":1: schema numatrace/9"));
	refused("{\"type\":\"header\",\"schema\":7}\n", WORDS(":1: not a numatrace record"));
	kept(RUN "{\"type\":\"header\",\"schema\":\"numatrace/9\"}\n",
	     WORDS(":3: schema", "is used"));
}

static void directories(void **state)
{
	(void)state;
	unlink(bad);
	assert_int_equal(mkdir(bad, 0700), 0);
	check(WORDS("Is a directory"), 125);
	assert_int_equal(rmdir(bad), 0);
	check(WORDS("No such file or directory"), 125);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truncated),
		cmocka_unit_test(corrupt),
		cmocka_unit_test(empty),
		cmocka_unit_test(binary),
		cmocka_unit_test(gzip_cut_short),
		cmocka_unit_test(duplicate_keys),
		cmocka_unit_test(nan_and_infinite),
		cmocka_unit_test(beyond_a_double),
		cmocka_unit_test(beyond_64_bits),
		cmocka_unit_test(deep_nesting),
		cmocka_unit_test(bom_and_crlf),
		cmocka_unit_test(unknown_schema),
		cmocka_unit_test(directories),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
