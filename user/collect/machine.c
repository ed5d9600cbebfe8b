// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "collect/root.h"

static const char *const sysctls[] = {
	"kernel.numa_balancing",
	"kernel.sched_autogroup_enabled",
	"kernel.sched_schedstats",
	"vm.zone_reclaim_mode",
};

/* Tunables of the scheduler: under debugfs since 5.13, which only root can read, else sysctls. */
static const struct {
	const char *key, *debug, *sysctl;
} tunables[] = {
	{ "sched.base_slice_ns", "base_slice_ns", NULL },		/* since 6.6 */
	{ "sched.migration_cost_ns", "migration_cost_ns", "sched_migration_cost_ns" },
	{ "sched.nr_migrate", "nr_migrate", "sched_nr_migrate" },
};

/* The line of a sysctl or, where it cannot be read, the fallback. */
static char *read_name(const char *path, const char *fallback)
{
	char *text = nt_read_file(path, NULL);

	if (!text)
		return strdup(fallback);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

/* x86 says "model name", powerpc "cpu", mips "cpu model"; arm64 gives numbers only. */
char *nt_cpu_model(const char *cpuinfo)
{
	static const char *const names[] = { "model name", "cpu model", "cpu" };
	const char *line, *colon;
	size_t i, len;

	for (line = cpuinfo; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		colon = line + strcspn(line, ":\n");
		if (*colon != ':')
			continue;
		for (len = (size_t)(colon - line); len && strchr(" \t", line[len - 1]); len--)
			;
		for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
			if (len != strlen(names[i]) || strncmp(line, names[i], len))
				continue;
			colon += 1 + strspn(colon + 1, " \t");
			return strndup(colon, strcspn(colon, "\n"));
		}
	}
	return strdup("");
}

/* Of the first CPU only: the file has one entry per CPU and asks each for its frequency. */
static char *read_cpu_model(void)
{
	char head[4096];

	return nt_cpu_model(nt_read_head("/proc/cpuinfo", head, sizeof(head)) ? "" : head);
}

/* The number in a file; one that cannot be read is left out. */
static int read_setting(const char *path, const char *key, struct nt_kvs *out, bool *found)
{
	char *text = nt_read_file(path, NULL), *end;
	double v;
	int err = 0;

	*found = false;
	if (!text)
		return 0;
	v = (double)strtoll(text, &end, 10);
	*found = end != text;
	if (*found)
		err = nt_kvs_append(out, key, v);
	free(text);
	return err;
}

static int read_tunables(struct nt_kvs *out)
{
	char path[80];
	bool found;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < sizeof(tunables) / sizeof(*tunables); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/sched/%s", tunables[i].debug);
		err = read_setting(path, tunables[i].key, out, &found);
		if (err || found || !tunables[i].sysctl)
			continue;
		snprintf(path, sizeof(path), "/proc/sys/kernel/%s", tunables[i].sysctl);
		err = read_setting(path, tunables[i].key, out, &found);
	}
	return err;
}

/* Words with blanks between. */
static int split_words(char *text, char ***words)
{
	char **list = calloc(strlen(text) / 2 + 2, sizeof(*list)), *save, *w;
	size_t n = 0;

	*words = list;
	if (!list)
		return -ENOMEM;
	for (w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
		list[n] = strdup(w);
		if (!list[n++])
			return -ENOMEM;
	}
	return 0;
}

static int read_sched_features(struct nt_run *r)
{
	char *text = nt_read_file("/sys/kernel/debug/sched/features", NULL);
	int err;

	if (!text)
		text = nt_read_file("/sys/kernel/debug/sched_features", NULL);	/* before 5.13 */
	if (!text)
		return 0;
	err = split_words(text, &r->sched_feature);
	free(text);
	return err;
}

static int read_sysctls(struct nt_kvs *out)
{
	char path[64], *p;
	bool found;
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(sysctls) / sizeof(*sysctls) && !err; i++) {
		snprintf(path, sizeof(path), "/proc/sys/%s", sysctls[i]);
		for (p = path + strlen("/proc/sys/"); *p; p++)
			if (*p == '.')
				*p = '/';
		err = read_setting(path, sysctls[i], out, &found);
	}
	return err;
}

static int stamp(struct nt_run *r)
{
	char text[32];
	struct tm tm;
	time_t now = time(NULL);

	if (!gmtime_r(&now, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		text[0] = '\0';
	r->started = strdup(text);
	r->version = strdup(NT_VERSION);
	return r->started && r->version ? 0 : -ENOMEM;
}

int nt_machine_read(struct nt_run *r)
{
	struct utsname u;

	if (uname(&u))
		return -errno;
	if (stamp(r))
		return -ENOMEM;
	/* The same as uname()'s, but a fixture can say it. */
	r->hostname = read_name("/proc/sys/kernel/hostname", u.nodename);
	r->kernel = read_name("/proc/sys/kernel/osrelease", u.release);
	r->machine = strdup(u.machine);
	r->cpu_model = read_cpu_model();
	r->tick_hz = (int)sysconf(_SC_CLK_TCK);
	if (!r->hostname || !r->kernel || !r->machine || !r->cpu_model)
		return -ENOMEM;
	if (read_sysctls(&r->sysctl) || read_tunables(&r->sysctl))
		return -ENOMEM;
	return read_sched_features(r);
}
