// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collect/memlimit.h"
#include "collect/root.h"

static char root[] = "/tmp/memlimit-XXXXXX";

static void put(const char *path, const char *text)
{
	char cmd[300];

	snprintf(cmd, sizeof(cmd), "mkdir -p \"$(dirname %s%s)\" && echo '%s' > %s%s", root, path,
		 text, root, path);
	assert_int_equal(system(cmd), 0);
}

static int set_up(void **state)
{
	(void)state;
	return !mkdtemp(root);
}

static int tear_down(void **state)
{
	char cmd[100];

	(void)state;
	nt_root_set(NULL);
	snprintf(cmd, sizeof(cmd), "rm -r %s", root);
	return system(cmd);
}

static void the_least_of_all_groups(void **state)
{
	(void)state;
	assert_int_equal(nt_root_set(root), 0);
	assert_true(nt_memory_limit() == UINT64_MAX);
	put("/proc/self/cgroup", "9:memory:/a/b\n1:cpu:/x\n0::/u/v");
	assert_true(nt_memory_limit() == UINT64_MAX);
	put("/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712");
	assert_true(nt_memory_limit() == 9223372036854771712ULL);
	put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "5000000");
	assert_true(nt_memory_limit() == 5000000);
	put("/sys/fs/cgroup/u/v/memory.max", "max");
	assert_true(nt_memory_limit() == 5000000);
	put("/sys/fs/cgroup/unified/u/memory.max", "4000000");
	assert_true(nt_memory_limit() == 4000000);
	/* In a container the path may be one of outside: its own group is the root of the mount. */
	put("/sys/fs/cgroup/memory.max", "3000000");
	assert_true(nt_memory_limit() == 3000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_of_all_groups),
	};

	return cmocka_run_group_tests_name("memlimit", tests, set_up, tear_down);
}
