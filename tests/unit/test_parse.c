// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/parse.h"

static void durations(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t ns;
	} t[] = {
		{ "1", 0, 1000000000 },
		{ "0", 0, 0 },
		{ "0.5s", 0, 500000000 },
		{ ".5", 0, 500000000 },
		{ "250ms", 0, 250000000 },
		{ "1.5ms", 0, 1500000 },
		{ "2m", 0, 120000000000 },
		{ "0.25m", 0, 15000000000 },
		{ "0.000000001", 0, 1 },
		{ "0.0000000019", 0, 1 },
		{ "1.000000001m", 0, 60000000060 },
		{ "18446744073.709551615s", 0, UINT64_MAX },
		{ "18446744073.709551616s", -ERANGE, 0 },
		{ "307445735m", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "99999999999999999999999x", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ ".", -EINVAL, 0 },
		{ "1.", -EINVAL, 0 },
		{ "s", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 s", -EINVAL, 0 },
		{ "1s ", -EINVAL, 0 },
		{ "10x", -EINVAL, 0 },
		{ "1,5", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 },
		{ "1h", -EINVAL, 0 },
		{ "1.2.3", -EINVAL, 0 },
	};
	uint64_t ns;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		ns = 77;
		if (nt_parse_duration(t[i].text, &ns) != t[i].err)
			fail_msg("%s", t[i].text);
		assert_int_equal(ns, t[i].err ? 77 : t[i].ns);
	}
}

static void counts(void **state)
{
	unsigned long v = 77;

	(void)state;
	assert_int_equal(nt_parse_count("1", 1, 10, &v), 0);
	assert_int_equal(v, 1);
	assert_int_equal(nt_parse_count("010", 1, 10, &v), 0);
	assert_int_equal(v, 10);
	assert_int_equal(nt_parse_count("18446744073709551615", 0, ~0ul, &v), 0);
	assert_int_equal(v, ~0ul);
	v = 77;
	assert_int_equal(nt_parse_count("18446744073709551616", 0, ~0ul, &v), -ERANGE);
	assert_int_equal(nt_parse_count("0", 1, 10, &v), -ERANGE);
	assert_int_equal(nt_parse_count("11", 1, 10, &v), -ERANGE);
	assert_int_equal(nt_parse_count("", 0, 10, &v), -EINVAL);
	assert_int_equal(nt_parse_count("-1", 0, 10, &v), -EINVAL);
	assert_int_equal(nt_parse_count("1.0", 0, 10, &v), -EINVAL);
	assert_int_equal(nt_parse_count("3 ", 0, 10, &v), -EINVAL);
	assert_int_equal(nt_parse_count("10x", 0, 100, &v), -EINVAL);
	assert_int_equal(v, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations),
		cmocka_unit_test(counts),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
