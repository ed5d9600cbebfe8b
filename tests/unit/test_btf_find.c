// SPDX-License-Identifier: GPL-2.0-or-later
/* Types by name, against libbpf's own search: in a BTF made here and in that of this kernel. */
#include <bpf/btf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "collect/btf_find.h"
#include "collect/probe.h"

static struct btf *small(void)
{
	struct btf *btf = btf__new_empty();
	int proto, i;

	assert_non_null(btf);
	assert_int_equal(btf__add_int(btf, "int", 4, BTF_INT_SIGNED), 1);
	proto = btf__add_func_proto(btf, 1);
	/* Names that end as others do, before and after them. */
	assert_true(btf__add_func(btf, "sched_load_balance", BTF_FUNC_STATIC, proto) > 0);
	assert_true(btf__add_typedef(btf, "load_balance", 1) > 0);
	assert_true(btf__add_func(btf, "load_balance", BTF_FUNC_STATIC, proto) > 0);
	assert_true(btf__add_func(btf, "load_balance", BTF_FUNC_GLOBAL, proto) > 0);
	for (i = 0; i < 3; i++)
		assert_true(btf__add_func(btf, i ? "unload_balance_x" : "balance",
					  BTF_FUNC_STATIC, proto) > 0);
	return btf;
}

static void same(const struct btf *btf, const char *name, unsigned int kind)
{
	int want = btf__find_by_name_kind(btf, name, kind), got = nt_btf_find(btf, name, kind);

	if (want < 0)
		want = -ENOENT;
	if (got != want)
		fail_msg("%s: %d, libbpf finds %d", name, got, want);
}

static void names_are_taken_whole(void **state)
{
	struct btf *btf = small();

	(void)state;
	same(btf, "load_balance", BTF_KIND_FUNC);
	same(btf, "load_balance", BTF_KIND_TYPEDEF);
	same(btf, "balance", BTF_KIND_FUNC);
	same(btf, "balance_x", BTF_KIND_FUNC);
	same(btf, "oad_balance", BTF_KIND_FUNC);
	same(btf, "load_balanc", BTF_KIND_FUNC);
	same(btf, "int", BTF_KIND_INT);
	same(btf, "int", BTF_KIND_STRUCT);
	same(btf, "", BTF_KIND_FUNC);
	assert_true(nt_btf_find(btf, "load_balance", BTF_KIND_FUNC) > 0);
	assert_int_equal(nt_btf_find(btf, "oad_balance", BTF_KIND_FUNC), -ENOENT);
	btf__free(btf);
}

static void this_kernel(void **state)
{
	static const char *const func[] = {
		"load_balance", "sched_balance_rq", "find_busiest_group", "select_task_rq_fair",
		"sched_balance_find_src_group", "schedule", "no_such_function_here", "chedule",
	};
	struct btf *btf = nt_probe_btf();
	size_t i;

	(void)state;
	if (!btf) {
		print_message("this kernel has no BTF\n");
		skip();
	}
	for (i = 0; i < sizeof(func) / sizeof(func[0]); i++)
		same(btf, func[i], BTF_KIND_FUNC);
	same(btf, "btf_trace_sched_migrate_task", BTF_KIND_TYPEDEF);
	same(btf, "btf_trace_sched_move_numa", BTF_KIND_TYPEDEF);
	same(btf, "task_struct", BTF_KIND_STRUCT);
	assert_true(nt_btf_find(btf, "task_struct", BTF_KIND_STRUCT) > 0);
	btf__free(btf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_taken_whole),
		cmocka_unit_test(this_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
