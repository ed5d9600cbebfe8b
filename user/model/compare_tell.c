// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_tell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare_sides.h"
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

int nt_tell_topology(const struct nt_run *head, const char *which, char **text)
{
	size_t len;
	FILE *f;

	(void)which;
	if (!nt_is_record(head))
		return 0;
	f = open_memstream(text, &len);
	if (!f)
		return -ENOMEM;
	put_nodes(f, &head->topo);
	if (!fclose(f))
		return 0;
	free(*text);
	*text = NULL;
	return -ENOMEM;
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
