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

static int read_sysctls(struct nt_kvs *out)
{
	char path[64], *text, *end, *p;
	size_t i;
	double v;
	int err = 0;

	for (i = 0; i < sizeof(sysctls) / sizeof(*sysctls) && !err; i++) {
		snprintf(path, sizeof(path), "/proc/sys/%s", sysctls[i]);
		for (p = path + strlen("/proc/sys/"); *p; p++)
			if (*p == '.')
				*p = '/';
		text = nt_read_file(path, NULL);
		if (!text)
			continue;
		v = (double)strtoll(text, &end, 10);
		if (end != text)
			err = nt_kvs_append(out, sysctls[i], v);
		free(text);
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
	return read_sysctls(&r->sysctl);
}
