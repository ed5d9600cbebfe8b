// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_structure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compare_tell.h"
#include "model/compare_traits.h"
#include "model/same.h"
#include "model/text.h"

/* The first header of a side that has something; NULL: none has. */
static const struct nt_run *head_with(const struct nt_compare *c, const struct nt_side *s,
				      bool (*has)(const struct nt_run *head))
{
	size_t i;

	for (i = s->first; i < s->first + s->n; i++)
		if (has(c->r->v[i].head))
			return c->r->v[i].head;
	return NULL;
}

static bool has_chains(const struct nt_run *head)
{
	return head->nchains > 0;
}

static bool has_sched_features(const struct nt_run *head)
{
	return head->sched_feature;
}

static bool same_sched_features(const struct nt_run *a, const struct nt_run *b)
{
	return nt_same_strings(a->sched_feature, b->sched_feature);
}

/* Runs of one side that are not of one kind. */
static int check_within(struct nt_compare *c, const struct nt_side *s, const char *what,
			bool (*has)(const struct nt_run *head),
			bool (*same)(const struct nt_run *a, const struct nt_run *b))
{
	const struct nt_run *first = head_with(c, s, has);
	size_t i;

	for (i = s->first; first && i < s->first + s->n; i++) {
		const struct nt_run *head = c->r->v[i].head;

		if (has(head) && !same(first, head))
			return nt_doubt(c, NT_MISLEADS, "%s differ within %s", what, s->id);
	}
	return 0;
}

/* "NO_NEXT_BUDDY" is NEXT_BUDDY, off. */
static const char *bare_name(const char *feature)
{
	return strncmp(feature, "NO_", 3) ? feature : feature + 3;
}

static const char *state_of(char *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(bare_name(*list), name))
			return bare_name(*list) == *list ? "on" : "off";
	return "none";
}

/* From the base's list to the other's, what both have and what only the first one has. */
static void put_features(FILE *f, char *const *list, char *const *a, char *const *b,
			 bool only_new)
{
	for (; *list; list++) {
		const char *name = bare_name(*list);
		const char *from = state_of(a, name), *to = state_of(b, name);

		if (strcmp(from, to) && (!only_new || !strcmp(from, "none")))
			fprintf(f, "%s%s %s -> %s", ftell(f) ? ", " : "", name, from, to);
	}
}

static int compare_sched_features(struct nt_compare *c, const struct nt_side *s,
				  const struct nt_run *base, const struct nt_run *with)
{
	char *text = NULL, *safe = NULL;
	const char *side = c->nsides > 2 ? s->id : NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int err = 0;

	if (!f)
		return -ENOMEM;
	put_features(f, base->sched_feature, base->sched_feature, with->sched_feature, false);
	put_features(f, with->sched_feature, base->sched_feature, with->sched_feature, true);
	if (fclose(f) || !(safe = nt_text_printable(text)))
		err = -ENOMEM;
	else if (len)
		err = nt_doubt(c, NT_DIFFERS, "sched features: %s%s%s%s", safe, side ? " (" : "",
			       side ? side : "", side ? ")" : "");
	free(safe);
	free(text);
	return err;
}

/* The first pair of nodes whose distance differs, and how many more do. */
static int compare_distances(struct nt_compare *c, const struct nt_side *s,
			     const struct nt_topology *a, const struct nt_topology *b)
{
	char what[80], from[16], to[64];
	int i, k, n = 0, ai = 0, ak = 0;

	for (i = 0; i < a->nnodes; i++)
		for (k = 0; a->node[i].distance && b->node[i].distance && k < a->nnodes; k++) {
			if (a->node[i].distance[k] == b->node[i].distance[k])
				continue;
			ai = n ? ai : i;
			ak = n ? ak : k;
			n++;
		}
	if (!n)
		return 0;
	snprintf(what, sizeof(what), "distance from node %d to %d", a->node[ai].id,
		 a->node[ak].id);
	snprintf(from, sizeof(from), "%d", a->node[ai].distance[ak]);
	if (n > 1)
		snprintf(to, sizeof(to), "%d, and %d more pairs", b->node[ai].distance[ak], n - 1);
	else
		snprintf(to, sizeof(to), "%d", b->node[ai].distance[ak]);
	return nt_doubt_change(c, s, what, from, to);
}

/* Kernels keep a little for themselves, each another part. */
static bool same_memory(uint64_t a, uint64_t b)
{
	return fabs((double)a - (double)b) <= 0.05 * (double)(a > b ? a : b);
}

static int compare_memory(struct nt_compare *c, const struct nt_side *s,
			  const struct nt_topology *a, const struct nt_topology *b)
{
	char what[40], from[32], to[32];
	int i, err = 0;

	for (i = 0; !err && i < a->nnodes; i++) {
		if (same_memory(a->node[i].mem_kb, b->node[i].mem_kb))
			continue;
		snprintf(what, sizeof(what), "memory of node %d", a->node[i].id);
		snprintf(from, sizeof(from), "%.1f", (double)a->node[i].mem_kb / 1048576);
		snprintf(to, sizeof(to), "%.1f GiB", (double)b->node[i].mem_kb / 1048576);
		err = nt_doubt_change(c, s, what, from, to);
	}
	return err;
}

/* By number and size: other sizes are another topology, and that was said. */
static bool same_nodes(const struct nt_topology *a, const struct nt_topology *b)
{
	int i;

	if (a->nnodes != b->nnodes)
		return false;
	for (i = 0; i < a->nnodes; i++)
		if (a->node[i].id != b->node[i].id || a->node[i].cpus != b->node[i].cpus)
			return false;
	return true;
}

static int compare_cpulists(struct nt_compare *c, const struct nt_side *s, const struct nt_run *a,
			    const struct nt_run *b)
{
	char *from = NULL, *to = NULL;
	int err = nt_tell_nodes(a, &from);

	if (!err)
		err = nt_tell_nodes(b, &to);
	if (!err && strcmp(from, to))
		err = nt_doubt_change(c, s, "CPUs of the nodes", from, to);
	free(from);
	free(to);
	return err;
}

/* Each side by the first of its runs that knows; that they differ among themselves was said. */
static int compare_side(struct nt_compare *c, const struct nt_side *s)
{
	const struct nt_run *a = head_with(c, &c->side[0], nt_is_record);
	const struct nt_run *b = head_with(c, s, nt_is_record);
	int err = 0;

	if (a && b && same_nodes(&a->topo, &b->topo)) {
		err = compare_cpulists(c, s, a, b);
		if (!err)
			err = compare_distances(c, s, &a->topo, &b->topo);
		if (!err)
			err = compare_memory(c, s, &a->topo, &b->topo);
	}
	a = head_with(c, &c->side[0], has_sched_features);
	b = head_with(c, s, has_sched_features);
	if (!err && a && b)
		err = compare_sched_features(c, s, a, b);
	a = head_with(c, &c->side[0], has_chains);
	b = head_with(c, s, has_chains);
	if (!err && a && b)
		err = nt_compare_domains(c, s, a, b);
	return err;
}

/* Of each setting that some run knows. */
static int check_settings(struct nt_compare *c)
{
	struct nt_trait t = { NT_DIFFERS, NULL, nt_tell_setting, NULL };
	struct nt_kvs seen = { 0 };
	size_t i, k;
	int err = 0;

	for (i = 0; !err && i < c->r->nheads; i++) {
		const struct nt_kvs *l = &c->r->head[i]->sysctl;

		for (k = 0; !err && k < l->n; k++)
			err = nt_kvs_set(&seen, l->v[k].key, 0);
	}
	for (i = 0; !err && i < seen.n; i++) {
		char *name = nt_text_printable(seen.v[i].key);

		t.name = name;
		t.which = seen.v[i].key;
		err = name ? nt_trait_check(c, &t) : -ENOMEM;
		free(name);
	}
	nt_kvs_free(&seen);
	return err;
}

int nt_compare_structure(struct nt_compare *c)
{
	static const struct nt_trait kernel = { NT_DIFFERS, "kernel", nt_tell_kernel, NULL };
	static const struct nt_trait traits[] = {
		{ NT_DIFFERS, "machine", nt_tell_machine, NULL },
		{ NT_DIFFERS, "numatrace", nt_tell_version, NULL },
		{ NT_DIFFERS, "isolated CPUs", nt_tell_isolated, NULL },
	};
	size_t k;
	int i, err = 0;

	for (i = 0; !err && i < c->nsides; i++) {
		err = check_within(c, &c->side[i], "scheduling domains", has_chains,
				   nt_same_chains);
		if (!err)
			err = check_within(c, &c->side[i], "sched features", has_sched_features,
					   same_sched_features);
	}
	if (!err && strcmp(c->id_name, "kernel"))	/* else the sides are named by it */
		err = nt_trait_check(c, &kernel);
	for (k = 0; !err && k < sizeof(traits) / sizeof(traits[0]); k++)
		err = nt_trait_check(c, &traits[k]);
	if (!err)
		err = check_settings(c);
	for (i = 1; !err && i < c->nsides; i++)
		err = compare_side(c, &c->side[i]);
	return err;
}
