// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes that may be anything, as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/text.h"

static void encoded(const char *bytes, const char *text)
{
	char *s = nt_text_encode(bytes);

	assert_string_equal(s, text);
	nt_text_decode(s);
	assert_string_equal(s, bytes);
	free(s);
}

static void test_encode(void **state)
{
	(void)state;
	encoded("\\x41 \xc3\xa9 \xff", "\\x5cx41 \xc3\xa9 \\xff");
	/* JSON escapes \n and ESC, and leaves DEL, C1 and what turns a line's direction. */
	encoded("\n\033", "\n\033");
	encoded("\x7f", "\\x7f");
	encoded("\xc2\x9b" "2J", "\\xc2\\x9b2J");
	encoded("\xe2\x80\xae" "abc", "\\xe2\\x80\\xaeabc");
}

static void test_printable(void **state)
{
	char *s = nt_text_printable("\xc2\x9b \xe2\x80\xae\x7f\n");

	(void)state;
	assert_string_equal(s, "\\xc2\\x9b \\xe2\\x80\\xae\\x7f\\x0a");
	free(s);
}

static void test_command(void **state)
{
	static const char *const words[] = { "sh", "-c", "echo 'a b'\033", "", NULL };
	char *s = nt_text_command((char *const *)words);

	(void)state;
	assert_string_equal(s, "sh -c 'echo '\\''a b'\\''\\x1b' ''");
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_encode),
		cmocka_unit_test(test_printable),
		cmocka_unit_test(test_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
