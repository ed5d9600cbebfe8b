// SPDX-License-Identifier: GPL-2.0-or-later
/* What a kernel offers: the reasons, the symbols, the files, the two outputs. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "collect/features.h"
#include "collect/probe.h"
#include "collect/root.h"
#include "collect/ways.h"
#include "view/features.h"

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000010 t load_balance.cold\n"
	"ffffffff81000020 t my_select_task_rq_fair\n"
	"ffffffff81000030 t select_task_rq_fair.isra.0\n"
	"ffffffff81000040 t find_busiest_group.constprop.0.isra.0\n"
	"ffffffff81000050 t find_busiest_group.cold\n"
	"ffffffff81000060 t sched_balance_rq.llvm.1234\n"
	"ffffffff81000070 t rebalance_domains_x\n"
	"ffffffff81000080 t rebalance_domains\t[mod]\n"
	"ffffffff81000090 t both.isra.0\n"
	"ffffffff810000a0 t both\n";

static void symbols_are_found_by_kind(void **state)
{
	static const struct {
		const char *func;
		enum nt_ksym kind;
		const char *symbol;
	} cases[] = {
		{ "_text", NT_KSYM_FOUND, "_text" },
		{ "load_balance", NT_KSYM_NONE, "" },	/* the cold half only: inlined */
		{ "select_task_rq_fair", NT_KSYM_COPY, "select_task_rq_fair.isra.0" },
		{ "find_busiest_group", NT_KSYM_COPY, "find_busiest_group.constprop.0.isra.0" },
		{ "sched_balance_rq", NT_KSYM_FOUND, "sched_balance_rq.llvm.1234" },
		{ "rebalance_domains", NT_KSYM_FOUND, "rebalance_domains" },
		{ "both", NT_KSYM_FOUND, "both" },
		{ "absent", NT_KSYM_NONE, "" },
	};
	char buf[NT_SYMBOL];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(nt_ksym_find(kallsyms, cases[i].func, buf, sizeof(buf)),
				 cases[i].kind);
		assert_string_equal(buf, cases[i].symbol);
	}
	assert_int_equal(nt_ksym_find("", "x", buf, sizeof(buf)), NT_KSYM_NONE);
}

static void set(struct nt_attempt *a, const char *way, int err)
{
	int i;

	for (i = 0; i < nt_nways; i++) {
		if (strcmp(nt_ways[i].name, way))
			continue;
		a[i].tried = true;
		a[i].err = err;
		return;
	}
	fail_msg("no way %s", way);
}

static const struct nt_way *way(const char *name)
{
	int i;

	for (i = 0; i < nt_nways; i++)
		if (!strcmp(nt_ways[i].name, name))
			return &nt_ways[i];
	fail_msg("no way %s", name);
	return NULL;
}

/* On a kernel before 6.10 the new name is no better way that was refused. */
static void another_name_is_no_refusal(void **state)
{
	struct nt_attempt a[NT_MAX_WAYS] = { 0 };
	struct nt_feature f = { 0 };

	(void)state;
	set(a, "fexit sched_balance_rq", -ENOENT);
	set(a, "fexit load_balance", 0);
	assert_int_equal(nt_ways_explain(NT_F_BALANCE, way("fexit load_balance"), a, &f), 0);
	assert_true(f.on);
	assert_string_equal(f.way, "fexit load_balance");
	assert_int_equal(f.nrefused, 0);
	assert_null(f.why);
	assert_null(f.hint);
	nt_feature_free(&f);
}

static void a_worse_way_says_why(void **state)
{
	struct nt_attempt a[NT_MAX_WAYS] = { 0 };
	struct nt_feature f = { 0 };

	(void)state;
	set(a, "fexit sched_balance_rq", -ENOENT);
	set(a, "fexit load_balance", -EPERM);
	set(a, "fexit load_balance without its int * argument", -EPERM);
	set(a, "kprobe sched_balance_rq", -ENOENT);
	set(a, "kprobe load_balance", 0);
	assert_int_equal(nt_ways_explain(NT_F_BALANCE, way("kprobe load_balance"), a, &f), 0);
	assert_true(f.on);
	assert_int_equal(f.nrefused, 2);
	assert_string_equal(f.refused[0].way, "fexit load_balance");
	assert_non_null(strstr(f.refused[0].why, "EPERM"));
	/* One reason for both is said once. */
	assert_non_null(strstr(f.why, "fexit load_balance, fexit load_balance without"));
	assert_non_null(f.hint);
	nt_feature_free(&f);
}

static void a_function_gone_is_a_reason(void **state)
{
	struct nt_attempt a[NT_MAX_WAYS] = { 0 };
	struct nt_feature f = { 0 };
	int i;

	(void)state;
	for (i = 0; i < nt_nways; i++)
		a[i] = (struct nt_attempt){ .tried = true, .err = -ENOENT };
	assert_int_equal(nt_ways_explain(NT_F_PLACEMENT, NULL, a, &f), 0);
	assert_false(f.on);
	assert_null(f.way);
	assert_non_null(strstr(f.why, "inlined"));

	set(a, "kprobe select_task_rq_fair", -NT_REFUSED_COPY);
	for (i = 0; i < nt_nways; i++)
		if (nt_ways[i].hook == NT_HOOK_KPROBE)
			strcpy(a[i].func, "select_task_rq_fair.isra.0");
	assert_int_equal(nt_ways_explain(NT_F_PLACEMENT, NULL, a, &f), 0);
	assert_int_equal(f.nrefused, 1);
	assert_non_null(strstr(f.why, "(select_task_rq_fair.isra.0)"));
	nt_feature_free(&f);
}

static void words_are_denied_whole(void **state)
{
	(void)state;
	unsetenv("NUMATRACE_DENY");
	assert_false(nt_probe_denied("fexit"));
	setenv("NUMATRACE_DENY", "kprobe, fexit load_balance,,btf", 1);
	assert_true(nt_probe_denied("kprobe"));
	assert_true(nt_probe_denied("fexit load_balance"));
	assert_true(nt_probe_denied("btf"));
	assert_false(nt_probe_denied("fexit"));
	assert_false(nt_probe_denied("kprobe load_balance"));
	unsetenv("NUMATRACE_DENY");
}

/* A tree in a new directory: pairs of path and text, up to NULL. */
static void make_tree(char *dir, const char *const *file)
{
	char path[256], *slash;
	FILE *f;

	strcpy(dir, "/tmp/nt-features-XXXXXX");
	assert_non_null(mkdtemp(dir));
	for (; *file; file += 2) {
		snprintf(path, sizeof(path), "%s%s", dir, file[0]);
		for (slash = path + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
			*slash = '\0';
			mkdir(path, 0755);
			*slash = '/';
		}
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(file[1], f);
		fclose(f);
	}
	assert_int_equal(nt_root_set(dir), 0);
}

static void remove_tree(const char *dir)
{
	char command[128];

	nt_root_set(NULL);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	assert_int_equal(system(command), 0);
}

static void a_loaded_scheduler_is_named(void **state)
{
	static const char *const files[] = {
		"/proc/stat", "cpu 1\n",
		"/proc/schedstat", "version 17\n",
		"/proc/sys/kernel/sched_schedstats", "1\n",
		"/proc/sys/kernel/numa_balancing", "2\n",
		"/sys/kernel/sched_ext/state", "enabled\n",
		"/sys/kernel/sched_ext/switch_all", "1\n",
		"/sys/kernel/sched_ext/root/ops", "rusty_1.0.11\n",
		NULL,
	};
	struct nt_features fs = { 0 };
	const struct nt_feature *f;
	char dir[64];

	(void)state;
	make_tree(dir, files);
	assert_int_equal(nt_features_of_files(&fs), 0);
	f = nt_features_find(&fs, "sched_ext");
	assert_true(f->on);
	assert_string_equal(f->way, "scheduler rusty_1.0.11, enabled, for all tasks");
	assert_non_null(strstr(f->hint, "no load balancing"));
	assert_true(nt_features_find(&fs, "schedstats")->on);
	f = nt_features_find(&fs, "numa_balancing");
	assert_string_equal(f->way, "kernel.numa_balancing=2");
	assert_true(nt_features_find(&fs, "system")->on);
	assert_false(nt_features_find(&fs, "memory")->on);
	assert_null(nt_features_find(&fs, "balance"));
	nt_features_free(&fs);
	remove_tree(dir);
}

static void settings_that_are_off_say_so(void **state)
{
	static const char *const files[] = {
		"/proc/schedstat", "version 15\n",
		"/proc/sys/kernel/sched_schedstats", "0\n",
		"/sys/kernel/sched_ext/state", "disabled\n",
		NULL,
	};
	struct nt_features fs = { 0 };
	char dir[64];

	(void)state;
	make_tree(dir, files);
	assert_int_equal(nt_features_of_files(&fs), 0);
	assert_false(nt_features_find(&fs, "schedstats")->on);
	assert_string_equal(nt_features_find(&fs, "schedstats")->hint,
			    "sysctl kernel.sched_schedstats=1");
	assert_string_equal(nt_features_find(&fs, "sched_ext")->why, "no scheduler is loaded");
	assert_non_null(strstr(nt_features_find(&fs, "numa_balancing")->why,
			       "CONFIG_NUMA_BALANCING"));
	nt_features_free(&fs);
	remove_tree(dir);
}

static void example(struct nt_features *fs)
{
	struct nt_feature *f;

	fs->kernel = strdup("6.1.0-57-cloud-amd64");
	nt_feature_on(nt_features_add(fs, "migrations"), "tracepoint sched_migrate_task");
	nt_feature_on(nt_features_add(fs, "cputime"), "task iterator");
	f = nt_features_add(fs, "balance");
	nt_feature_refuse(f, "fexit load_balance", "the kernel refuses it (EPERM: "
			  "a security policy; lockdown=integrity), as it does others");
	nt_feature_sum_up(f);
	nt_feature_hint(f, "ask");
	nt_feature_hint(f, "not this one");
	nt_feature_on(f, "kprobe load_balance");
	nt_feature_off(nt_features_add(fs, "imb_numa_nr"), "not in this kernel");
}

static void the_table_explains(void **state)
{
	static const char want[] =
		"Kernel 6.1.0-57-cloud-amd64\n"
		"  FEATURE      ON   WAY\n"
		"  migrations   yes  tracepoint sched_migrate_task\n"
		"  cputime      yes  task iterator\n"
		"  balance      yes  kprobe load_balance\n"
		"  imb_numa_nr  no   -\n"
		"\n"
		"Why not, or not by a better way\n"
		"  balance         fexit load_balance: the kernel refuses it (EPERM: a security "
		"policy;\n"
		"                  lockdown=integrity), as it does others\n"
		"                  what helps: ask\n"
		"  imb_numa_nr     not in this kernel\n";
	struct nt_features fs = { 0 };
	char *text;
	size_t len;
	FILE *out;

	(void)state;
	example(&fs);
	out = open_memstream(&text, &len);
	assert_int_equal(nt_show_features(out, &fs, 100), 0);
	fclose(out);
	assert_string_equal(text, want);
	free(text);
	assert_true(nt_features_enough(&fs));
	nt_features_free(&fs);
	assert_false(nt_features_enough(&fs));
}

static void json_keeps_its_keys(void **state)
{
	struct nt_features fs = { 0 };
	json_t *o, *balance, *imb;
	char *text;
	size_t len;
	FILE *out;

	(void)state;
	example(&fs);
	out = open_memstream(&text, &len);
	assert_int_equal(nt_features_json(out, &fs), 0);
	fclose(out);
	o = json_loads(text, 0, NULL);
	assert_non_null(o);
	assert_string_equal(json_string_value(json_object_get(o, "kernel")),
			    "6.1.0-57-cloud-amd64");
	balance = json_array_get(json_object_get(o, "features"), 2);
	assert_string_equal(json_string_value(json_object_get(balance, "name")), "balance");
	assert_true(json_is_true(json_object_get(balance, "on")));
	assert_true(json_is_null(json_object_get(balance, "why")));
	assert_int_equal(json_array_size(json_object_get(balance, "refused")), 1);
	assert_string_equal(json_string_value(json_object_get(balance, "hint")), "ask");
	imb = json_array_get(json_object_get(o, "features"), 3);
	assert_true(json_is_false(json_object_get(imb, "on")));
	assert_true(json_is_null(json_object_get(imb, "way")));
	assert_string_equal(json_string_value(json_object_get(imb, "why")), "not in this kernel");
	json_decref(o);
	free(text);
	nt_features_free(&fs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_found_by_kind),
		cmocka_unit_test(another_name_is_no_refusal),
		cmocka_unit_test(a_worse_way_says_why),
		cmocka_unit_test(a_function_gone_is_a_reason),
		cmocka_unit_test(words_are_denied_whole),
		cmocka_unit_test(a_loaded_scheduler_is_named),
		cmocka_unit_test(settings_that_are_off_say_so),
		cmocka_unit_test(the_table_explains),
		cmocka_unit_test(json_keeps_its_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
