// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_tell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare_sides.h"
#include "model/stress_version.h"
#include "model/text.h"

const char *nt_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

bool nt_is_record(const struct nt_run *head)
{
	return head->topo.nnodes > 0;
}

/* Neighbours of equal size together: "2 nodes of 4 CPUs and 1 LLC, 1 node of 0 CPUs". */
static void put_nodes(FILE *f, const struct nt_topology *t)
{
	int i, end;

	for (i = 0; i < t->nnodes; i = end) {
		const struct nt_node *n = &t->node[i];

		for (end = i + 1; end < t->nnodes && t->node[end].cpus == n->cpus &&
		     t->node[end].llcs == n->llcs; end++)
			;
		fprintf(f, "%s%d node%s of %d CPU%s", i ? ", " : "", end - i,
			nt_plural((size_t)(end - i)), n->cpus, nt_plural((size_t)n->cpus));
		if (n->llcs)
			fprintf(f, " and %d LLC%s", n->llcs, nt_plural((size_t)n->llcs));
	}
}

static int tell_topology(const struct nt_run *head, char **text,
			 void (*put)(FILE *f, const struct nt_topology *t))
{
	size_t len;
	FILE *f;

	if (!nt_is_record(head))
		return 0;
	f = open_memstream(text, &len);
	if (!f)
		return -ENOMEM;
	put(f, &head->topo);
	if (!fclose(f))
		return 0;
	free(*text);
	*text = NULL;
	return -ENOMEM;
}

int nt_tell_topology(const struct nt_run *head, const char *which, char **text)
{
	(void)which;
	return tell_topology(head, text, put_nodes);
}

/* A cpulist comes from a record and may be anything; it is short where it is one. */
static void put_cpulists(FILE *f, const struct nt_topology *t)
{
	int i;

	for (i = 0; i < t->nnodes; i++) {
		char *list = nt_text_printable(t->node[i].cpulist ? t->node[i].cpulist : "");

		fprintf(f, "%s%d: %s", i ? ", " : "", t->node[i].id, list && *list ? list : "-");
		free(list);
	}
}

int nt_tell_nodes(const struct nt_run *head, char **text)
{
	return tell_topology(head, text, put_cpulists);
}

static int tell_text(const char *value, char **text)
{
	if (!value)
		return 0;
	*text = nt_text_printable(value);
	return *text ? 0 : -ENOMEM;
}

int nt_tell_tool(const struct nt_run *head, const char *which, char **text)
{
	(void)which;
	return tell_text(head->tool, text);
}

int nt_tell_fstat(const struct nt_run *head, const char *which, char **text)
{
	static const char *const what[] = {
		"as before 0.19.01", "about one operation per instance, as from 0.19.01 on",
	};
	int waits = nt_fstat_waits(head);

	(void)which;
	return waits < 0 ? 0 : tell_text(what[waits], text);
}

int nt_tell_isolated(const struct nt_run *head, const char *which, char **text)
{
	const char *list = head->topo.isolated;

	(void)which;
	return tell_text(list && !*list ? "none" : list, text);
}

int nt_tell_kernel(const struct nt_run *head, const char *which, char **text)
{
	(void)which;
	return tell_text(head->kernel, text);
}

int nt_tell_version(const struct nt_run *head, const char *which, char **text)
{
	(void)which;
	return tell_text(head->version, text);
}

int nt_tell_machine(const struct nt_run *head, const char *which, char **text)
{
	const char *cpu = head->cpu_model;
	char *raw;
	int err;

	(void)which;
	if (!head->machine)
		return 0;
	if (asprintf(&raw, "%s%s%s", head->machine, cpu && *cpu ? ", " : "", cpu ? cpu : "") < 0)
		return -ENOMEM;
	err = tell_text(raw, text);
	free(raw);
	return err;
}

int nt_tell_setting(const struct nt_run *head, const char *which, char **text)
{
	const struct nt_kv *kv = nt_kvs_find(&head->sysctl, which);

	if (kv && asprintf(text, "%.15g", kv->value) < 0) {
		*text = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int tell_processes(char *const *process, char **text)
{
	size_t len;
	FILE *f = open_memstream(text, &len);
	char *raw;

	if (!f)
		return -ENOMEM;
	fputs("processes", f);
	for (; *process; process++)
		fprintf(f, " %s", *process + strcspn(*process, " ") + !!strchr(*process, ' '));
	if (fclose(f)) {
		free(*text);
		*text = NULL;
		return -ENOMEM;
	}
	raw = *text;
	*text = nt_text_printable(raw);
	free(raw);
	return *text ? 0 : -ENOMEM;
}

int nt_tell_command(const struct nt_run *head, const char *which, char **text)
{
	(void)which;
	if (!nt_is_record(head))
		return 0;
	if (!head->argv && head->process)
		return tell_processes(head->process, text);
	*text = head->argv ? nt_text_command(head->argv) : strdup("the whole machine");
	return *text ? 0 : -ENOMEM;
}

int nt_tell_param(const struct nt_run *head, const char *which, char **text)
{
	const char *v = nt_param(head, which);

	if (!nt_is_record(head))
		return 0;
	*text = nt_text_printable(v ? v : "none");
	return *text ? 0 : -ENOMEM;
}

int nt_tell_feature(const struct nt_run *head, const char *which, char **text)
{
	int i = 0;

	while (nt_feature_name[i] != which)
		i++;
	if (!nt_is_record(head) || !nt_feature_known(&head->feature[i]))
		return 0;
	*text = strdup(head->feature[i].on ? "measured" : "not available");
	return *text ? 0 : -ENOMEM;
}
