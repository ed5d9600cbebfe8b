// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/robot.h"

#include <fnmatch.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

#define ANY(list, name, with) any(list, sizeof(list) / sizeof((list)[0]), name, with)

static bool any(const char *const *list, size_t n, const char *name,
		bool (*with)(const char *entry, const char *name))
{
	size_t i;

	for (i = 0; i < n; i++)
		if (with(list[i], name))
			return true;
	return false;
}

static bool begins(const char *start, const char *name)
{
	return !strncmp(name, start, strlen(start));
}

static bool within(const char *part, const char *name)
{
	return strstr(name, part);
}

static bool matches(const char *glob, const char *name)
{
	return !fnmatch(glob, name, 0);
}

static bool up_to_dot(const char *monitor, const char *name)
{
	return begins(monitor, name) && name[strlen(monitor)] == '.';
}

bool nt_robot_monitor(const char *key)
{
	static const char *const monitors[] = {
		"boot-memory", "boot-time", "cpufreq_stats", "cpuidle", "dmesg", "interrupts",
		"iostat", "killed_by", "kmsg", "last_state", "latency_stats", "lock_stat",
		"meminfo", "mpstat", "numa-meminfo", "numa-numastat", "numa-vmstat", "perf-c2c",
		"perf-profile", "perf-sched", "perf-stat", "proc-stat", "proc-vmstat",
		"sched_debug", "schedstat", "slabinfo", "softirqs", "stderr", "time", "turbostat",
		"uptime", "vmstat",
	};

	return ANY(monitors, key, up_to_dot);
}

/* ".error", ".warn" or ".fail" with no '_' from there on, not at the start. */
static bool ends_badly(const char *word, const char *name)
{
	const char *at = name;

	while (*at && (at = strstr(at + 1, word)))
		if (!strchr(at, '_'))
			return true;
	return false;
}

bool nt_robot_functional(const char *key)
{
	static const char *const never[] = { ".time.", ".timestamp:", ".bootstage:" };
	static const char *const bad[] = { ".error", ".warn", ".fail" };
	static const char *const anywhere[] = {
		"dmesg", "kmsg", "last_state", "stderr", "killed_by",
	};

	/* balance.*.failed is a count of ours, not an event of the robot's. */
	if (ANY(never, key, within) || begins("balance.", key))
		return false;
	return ANY(anywhere, key, within) || ANY(bad, key, ends_badly) || matches("?*.pass", key);
}

bool nt_robot_absolute(const char *key)
{
	return matches("*%", key) || begins("perf-profile", key);
}

/* The kernel's own counts of work, which the robot takes as seriously as a test's result. */
static bool counts_work(const char *key)
{
	static const char *const patterns[] = {
		"boot-time.*", "energy.*", "interrupts.CAL:Function_call_interrupts*", "iostat.*",
		"perf-c2c.HITM.total*", "perf-stat.*", "pmeter.*", "proc-vmstat.*",
		"vmstat.cpu.*", "vmstat.io.*", "vmstat.swap.*", "vmstat.system.*",
		"turbostat.%Busy*", "turbostat.Bzy_MHz*", "turbostat.PkgWatt*",
		"turbostat.RAMWatt*", "time?*", "*.time?*", "lock_stat?*.contentions*",
	};

	return ANY(patterns, key, matches);
}

/* Changes below these say nothing, whatever their share: of the larger, and of the difference. */
static const struct limit {
	const char *pattern;
	double max, delta;
} limits[] = {
	{ "*?.time.elapsed_time*", 10, 5 },
	{ "*?.time.file_system_?*puts", 10000, 5000 },
	{ "*?.time.*voluntary_context_switches", 1000, 500 },
	{ "*?.time.m??or_page_faults", 1000, 500 },
	{ "*?.time.socket_messages_*", 10000, 5000 },
	{ "*?.time.swaps", 1000, 500 },
	{ "*?.time.system_time", 10, 5 },
	{ "*?.time.user_time", 10, 5 },
	{ "*vmstat*nr_*", 100, 50 },
	{ "interrupts.*", 100, 50 },
	{ "iostat.*.avgrq-sz", 200, 100 },
	{ "iostat.*.await", 50, 25 },
	{ "iostat.*.util", 10, 5 },
	{ "iostat.*.[rw]/s", 50, 25 },
	{ "iostat.*.[rw]kB/s", 100, 50 },
	{ "iostat.*.[rw]_await", 50, 25 },
	{ "perf-c2c.HITM.total", 3000, 1500 },
	{ "proc-vmstat.allocstall", 100, 50 },
	{ "proc-vmstat.compact_*", 100, 50 },
	{ "proc-vmstat.kswapd_*_hit_quickly", 100, 50 },
	{ "proc-vmstat.pgmigrate_fail", 100, 50 },
	{ "vmstat.cpu.sy", 50, 25 },
	{ "vmstat.cpu.*", 10, 5 },
	{ "vmstat.io.*", 100, 50 },
	{ "vmstat.system.*", 100, 50 },
	{ "iostat*", 1, 0 },
	{ "proc-vmstat*", 1000, 0 },
	{ "*meminfo*", 1000, 0 },
	{ "lock_stat*", 0, 10000 },
	{ "interrupts*", 10000, 0 },
	{ "softirqs*", 10000, 0 },
};

static bool is_enough(const char *key, double max, double delta)
{
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (matches(limits[i].pattern, key))
			return max >= limits[i].max && delta >= limits[i].delta;
	return true;
}

/* a is below b, but for some overlap of the outer halves. */
static bool clears(const struct nt_stats *a, const struct nt_stats *b)
{
	return b->low > a->middle && b->middle > a->high;
}

bool nt_robot_changed(const char *key, bool test, const struct nt_stats *base,
		      const struct nt_stats *with)
{
	double larger = fmax(base->middle, with->middle), least;
	double smaller = fmin(base->middle, with->middle);

	if (nt_robot_functional(key))	/* where it is absent it did not happen */
		return (base->n ? base->high : 0) != (with->n ? with->high : 0);
	if (!base->n || !with->n || (base->n < NT_MIN_RUNS && with->n < NT_MIN_RUNS))
		return false;
	if (!clears(base, with) && !clears(with, base))
		return false;
	if (begins("perf-profile", key))
		return true;
	least = test || counts_work(key) ? 1.01 : 1.05;
	return (smaller <= 0 || larger > least * smaller) &&
	       is_enough(key, larger, larger - smaller);
}

/*
 * Logarithm of how many orders of all runs the rule accepts with one side below the other: what
 * is beyond the middle of the one may mix with what comes before the middle of the other.
 */
static double accepted(size_t below, size_t above)
{
	unsigned int beyond = (unsigned int)(below - 1 - below / 2);
	unsigned int before = (unsigned int)(above / 2);

	return gsl_sf_lnchoose(beyond + before, before);
}

double nt_robot_chance(size_t nbase, size_t nwith)
{
	double all;

	if (!nbase || !nwith || (nbase < NT_MIN_RUNS && nwith < NT_MIN_RUNS))
		return 0;
	all = gsl_sf_lnchoose((unsigned int)(nbase + nwith), (unsigned int)nbase);
	return exp(accepted(nbase, nwith) - all) + exp(accepted(nwith, nbase) - all);
}
