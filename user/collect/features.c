// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/features.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bpf.h"
#include "collect/machine.h"
#include "collect/probe.h"
#include "collect/root.h"
#include "collect/topology.h"

/* The first line of a file, to be freed; NULL: it cannot be read. */
static char *first_line(const char *path)
{
	char *text = nt_read_file(path, NULL);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

static bool readable(const char *path)
{
	char byte[2];

	return !nt_read_head(path, byte, sizeof(byte));
}

/* A feature that is there if a file can be read. */
static int file_row(struct nt_features *fs, const char *name, const char *path, const char *why,
		    const char *hint)
{
	struct nt_feature *f = nt_features_add(fs, name);

	if (!f)
		return -ENOMEM;
	if (readable(path))
		return nt_feature_on(f, path);
	return nt_feature_off(f, why) ?: nt_feature_hint(f, hint);
}

static int schedstats_row(struct nt_features *fs)
{
	struct nt_feature *f = nt_features_add(fs, "schedstats");
	char *on;
	int err;

	if (!f)
		return -ENOMEM;
	if (!readable("/proc/schedstat"))
		return nt_feature_off(f, "this kernel is built without CONFIG_SCHEDSTATS");
	on = first_line("/proc/sys/kernel/sched_schedstats");
	if (on && !strcmp(on, "0"))
		err = nt_feature_off(f, "kernel.sched_schedstats is 0: counters stand still") ?:
		      nt_feature_hint(f, "sysctl kernel.sched_schedstats=1");
	else
		err = nt_feature_on(f, "/proc/schedstat");
	free(on);
	return err;
}

static int numa_balancing_row(struct nt_features *fs)
{
	struct nt_feature *f = nt_features_add(fs, "numa_balancing");
	char *mode = first_line("/proc/sys/kernel/numa_balancing"), *way;
	int err;

	if (!f)
		err = -ENOMEM;
	else if (!mode)
		err = nt_feature_off(f, "this kernel is built without CONFIG_NUMA_BALANCING");
	else if (!strcmp(mode, "0"))
		err = nt_feature_off(f, "kernel.numa_balancing is 0: no such migrations") ?:
		      nt_feature_hint(f, "sysctl kernel.numa_balancing=1");
	else if (asprintf(&way, "kernel.numa_balancing=%s", mode) < 0)
		err = -ENOMEM;
	else {
		err = nt_feature_on(f, way);
		free(way);
	}
	free(mode);
	return err;
}

/* Not "what can be measured" but what then holds: the fair class may have no tasks. */
static int sched_ext_on(struct nt_feature *f, const char *state)
{
	char *ops = first_line("/sys/kernel/sched_ext/root/ops"), *way = NULL;
	char *all = first_line("/sys/kernel/sched_ext/switch_all");
	int err = -ENOMEM;

	if (asprintf(&way, "scheduler %s, %s%s", ops ? ops : "unknown", state,
		     all && !strcmp(all, "1") ? ", for all tasks" : "") >= 0)
		err = nt_feature_on(f, way) ?:
		      nt_feature_hint(f, "its tasks see no load balancing and no wakeup placement "
					 "of the fair class, and imb_numa_nr does not count; their "
					 "migrations have cause unknown or wakeup");
	free(way);
	free(all);
	free(ops);
	return err;
}

static int sched_ext_row(struct nt_features *fs)
{
	struct nt_feature *f = nt_features_add(fs, "sched_ext");
	char *state = first_line("/sys/kernel/sched_ext/state");
	int err;

	if (!f)
		err = -ENOMEM;
	else if (!state)
		err = nt_feature_off(f, "this kernel is built without CONFIG_SCHED_CLASS_EXT");
	else if (!strcmp(state, "disabled"))
		err = nt_feature_off(f, "no scheduler is loaded");
	else
		err = sched_ext_on(f, state);
	free(state);
	return err;
}

int nt_features_of_files(struct nt_features *fs)
{
	int err;

	err = file_row(fs, "system", "/proc/stat", "/proc is not mounted", "mount it");
	err = err ?: file_row(fs, "memory", "/sys/devices/system/node/node0/numastat",
			      "this kernel is built without CONFIG_NUMA", NULL);
	err = err ?: schedstats_row(fs);
	err = err ?: numa_balancing_row(fs);
	return err ?: sched_ext_row(fs);
}

/* Causes are told by what can be read at the event; what cannot makes some less sure. */
static int causes_row(struct nt_features *fs)
{
	const struct nt_feature *moves = nt_features_find(fs, nt_feature_name[NT_F_MIGRATIONS]);
	const struct nt_feature *balance = nt_features_find(fs, nt_feature_name[NT_F_BALANCE]);
	bool on = moves->on, hooks = balance->on, reads = on && nt_probe_read_allowed();
	struct nt_feature *f = nt_features_add(fs, "causes");
	int err = 0;

	if (!f)
		return -ENOMEM;
	if (!on)
		return nt_feature_off(f, "no migrations, no causes");
	if (!hooks)
		err = nt_feature_refuse(f, "inside load_balance", "balance is not available: "
					"periodic and nohz are told apart by the CPU alone");
	if (!reads)
		err = err ?: nt_feature_refuse(f, "affinity mask", "no reading of kernel memory: "
					       "affinity is what no other rule explains");
	err = err ?: nt_feature_sum_up(f);
	return err ?: nt_feature_on(f, "state of task, run queue and CPU at each event");
}

static int imb_row(struct nt_features *fs, const struct nt_chain *chain, int n)
{
	struct nt_feature *f = nt_features_add(fs, "imb_numa_nr");
	int i, levels = 0, with = 0;

	if (!f)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		levels += chain[i].n;
		with += chain[i].n && chain[i].d[0].imb_numa_nr >= 0;
	}
	if (with)
		return nt_feature_on(f, "struct sched_domain");
	if (levels)
		return nt_feature_off(f, "this kernel's sched_domain has no such member "
				      "(mainline: since 5.18)");
	return nt_feature_off(f, nt_features_find(fs, nt_feature_name[NT_F_DOMAINS])->on ?
			      "no CPU has a scheduling domain" : "domains cannot be read");
}

/* The features of a run, moved out of r; in NUMATRACE_ROOT there is no kernel to try. */
static int program_rows(struct nt_features *fs, struct nt_run *r, bool verbose)
{
	struct nt_error e = { "" };
	struct nt_bpf *b = NULL;
	int i, err = 0;

	if (nt_root())
		for (i = 0; i < NT_NFEATURE && !err; i++)
			err = nt_feature_off(&r->feature[i],
					     "with NUMATRACE_ROOT no programs are loaded");
	else if (!nt_bpf_open(&b, &r->topo, r->feature, verbose, &e) && r->feature[NT_F_DOMAINS].on)
		err = nt_bpf_domains(b, &r->chain, &r->nchains);
	nt_bpf_close(b);
	for (i = 0; i < NT_NFEATURE && !err; i++) {
		struct nt_feature *f = nt_features_add(fs, nt_feature_name[i]);

		if (!f)
			return -ENOMEM;
		*f = r->feature[i];
		r->feature[i] = (struct nt_feature){ 0 };
	}
	err = err ?: causes_row(fs);
	return err ?: imb_row(fs, r->chain, r->nchains);
}

int nt_features_probe(struct nt_features *fs, bool verbose, struct nt_error *e)
{
	struct nt_run r = { 0 };
	int err;

	err = nt_machine_read(&r);
	err = err ?: nt_topology_read(&r.topo);
	err = err ?: program_rows(fs, &r, verbose);
	err = err ?: nt_features_of_files(fs);
	fs->kernel = r.kernel;
	r.kernel = NULL;
	nt_run_free(&r);
	return err ? nt_fail(e, err, "cannot look at this kernel: %s", strerror(-err)) : 0;
}
