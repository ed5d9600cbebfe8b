// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine of files: NUL parts their contents, in the order of the table. Whatever they say,
 * what is made of them fits together, and can be written and read again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/root.h"
#include "collect/sysview.h"
#include "collect/topology.h"
#include "fuzz.h"
#include "store/record_json.h"
#include "store/record_parse.h"

#define ROOT	"build/fuzz/root/"
#define CPU	"/sys/devices/system/cpu/"
#define NODE	"/sys/devices/system/node/"

/* Root 1 is the machine a moment later. */
static const char *const names[] = {
	"0" CPU "online", "0" CPU "possible", "0" CPU "isolated", "0" NODE "online",
	"0" NODE "node0/cpulist", "0" NODE "node1/cpulist", "0" NODE "node0/distance",
	"0" NODE "node0/meminfo", "0" CPU "cpu0/cache/index0/level",
	"0" CPU "cpu0/cache/index0/type", "0" CPU "cpu0/cache/index0/shared_cpu_list",
	"0/proc/stat", "0/proc/softirqs", "0/proc/vmstat", "0" NODE "node0/numastat",
	"1/proc/stat", "1/proc/softirqs", "1/proc/vmstat", "1" NODE "node0/numastat",
	"1" NODE "node0/cpulist", "1" NODE "node1/cpulist",
};

#define NNAMES	(sizeof(names) / sizeof(names[0]))

static void make_folders(char *path)
{
	char *slash;

	for (slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		nt_must(!mkdir(path, 0777) || errno == EEXIST, "a folder can be made");
		*slash = '/';
	}
}

/* No file where there is no text. */
static void put(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), ROOT "%s", name);
	if (!text) {
		unlink(path);
		return;
	}
	f = fopen(path, "w");
	if (!f) {
		make_folders(path);
		f = fopen(path, "w");
	}
	nt_must(f && fputs(text, f) >= 0 && !fclose(f), "a file can be written");
}

/* What the run before left is written again only where it differs: most files of most inputs. */
static void put_files(const uint8_t *data, size_t size)
{
	static char *now[NNAMES];
	static bool known;
	size_t at = 0, i;

	for (i = 0; i < NNAMES; i++) {
		char *text = at < size ? nt_fuzz_text(data + at, size - at) : NULL;

		at += text ? strlen(text) + 1 : 0;
		if (!known || !text != !now[i] || (text && strcmp(text, now[i])))
			put(names[i], text);
		free(now[i]);
		now[i] = text;
	}
	known = true;
}

static void sample_twice(const struct nt_topology *t)
{
	struct nt_counters c;
	struct nt_sysview *v;
	char *online = NULL;
	int i;

	if (nt_sysview_open(&v, t))
		return;
	nt_must(!nt_counters_init(&c, t->nnodes), "there is memory");
	for (i = 0; i < 2; i++) {
		free(online);
		online = NULL;
		nt_sysview_sample(v, &c, &online);
	}
	free(online);
	nt_counters_free(&c);
	nt_sysview_free(v);
}

static void write_and_read(struct nt_topology *t)
{
	struct nt_run run = { .topo = *t, .tick_hz = 100, .alive_after = -1 }, again = { 0 };
	json_t *line = nt_json_header(&run);
	struct nt_error e = { "" };
	struct nt_get g = { &e, "record" };

	nt_must(line, "a topology can be written");
	if (nt_parse_header(&g, line, &again)) {
		fprintf(stderr, "%s\n", e.msg);
		nt_must(false, "a topology that was written can be read");
	}
	nt_run_free(&again);
	json_decref(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_topology t;

	put_files(data, size);
	if (nt_root_set(ROOT "0:" ROOT "1"))	/* no file yet, so no folder */
		return 0;
	if (nt_topology_read(&t))
		return 0;
	nt_must(t.nnodes > 0 && t.cpu_ids >= t.cpus_online, "a topology has nodes");
	sample_twice(&t);
	write_and_read(&t);
	nt_topology_free(&t);
	return 0;
}
