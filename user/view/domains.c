// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/domains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/domains.h"
#include "model/levels.h"
#include "view/domain_view.h"
#include "view/tbl.h"

#define MAX_LIST	30
#define MAX_SQUARE	8	/* more nodes: how many are at each distance, not which */

static void list_cell(struct nt_tbl *t, const char *list)
{
	char buf[MAX_LIST + 1], *text = nt_safe(list);

	nt_tbl_cell(t, "%s", text ? nt_fit(buf, sizeof(buf), text, MAX_LIST) : "");
	free(text);
}

/* "10x1 12x3 32x4": one node at 10, three at 12... */
static void distances_cell(struct nt_tbl *t, const struct nt_topology *topo, const int *distance)
{
	char buf[128] = "";
	size_t len = 0;
	int at = -1, next, i, n;

	for (;;) {
		next = -1;
		for (i = 0, n = 0; i < topo->nnodes; i++) {
			if (distance[i] <= at || (next >= 0 && distance[i] > next))
				continue;
			n = distance[i] == next ? n + 1 : 1;
			next = distance[i];
		}
		if (next < 0 || len + 1 >= sizeof(buf))
			break;
		n = snprintf(buf + len, sizeof(buf) - len, "%s%dx%d", len ? " " : "", next, n);
		len += n < (int)(sizeof(buf) - len) ? (size_t)n : sizeof(buf) - len - 1;
		at = next;
	}
	nt_tbl_cell(t, "%s", buf);
}

static void node_row(struct nt_tbl *t, const struct nt_topology *topo, int i)
{
	const struct nt_node *node = &topo->node[i];
	int k;

	nt_tbl_row(t);
	nt_tbl_cell(t, "%d", node->id);
	list_cell(t, node->cpus ? node->cpulist : "no CPUs");
	nt_tbl_cell(t, "%d", node->cpus);
	if (node->llcs || !node->cpus)
		nt_tbl_cell(t, "%d", node->llcs);
	else
		nt_tbl_cell(t, "-");
	nt_tbl_u64(t, node->mem_kb / 1024);
	if (!node->distance)
		nt_tbl_cell(t, "-");
	else if (topo->nnodes > MAX_SQUARE)
		distances_cell(t, topo, node->distance);
	for (k = 0; node->distance && topo->nnodes <= MAX_SQUARE && k < topo->nnodes; k++)
		nt_tbl_cell(t, "%d", node->distance[k]);
}

static int show_nodes(const struct nt_section *s)
{
	const struct nt_topology *topo = &s->r->topo;
	struct nt_tbl *t = nt_tbl_new();
	int i;

	nt_heading(s, "Nodes");
	nt_tbl_col(t, NT_RIGHT, "NODE");
	nt_tbl_col(t, NT_LEFT, "CPUS");
	nt_tbl_col(t, NT_RIGHT, "ONLINE");
	nt_tbl_col(t, NT_RIGHT, "LLCS");
	nt_tbl_col(t, NT_RIGHT, "MiB");
	if (topo->nnodes > MAX_SQUARE)
		nt_tbl_col(t, NT_LEFT, "DISTANCExNODES");
	for (i = 0; i < topo->nnodes && topo->nnodes <= MAX_SQUARE; i++)
		nt_tbl_col(t, NT_RIGHT, "TO-%d", topo->node[i].id);
	for (i = 0; i < topo->nnodes; i++)
		node_row(t, topo, i);
	return nt_tbl_print(t, s->out);
}

/* The same level by name and place; with the same flags, too? */
static bool same_level(const struct nt_domain *a, const struct nt_domain *b, bool flags)
{
	return a->level == b->level && !strcmp(a->name, b->name) &&
	       (a->flags == b->flags) == flags;
}

/* A level like d in chains before i or, with all, in any; the first of which is in *chain. */
static bool find_level(const struct nt_run *r, const struct nt_domain *d, bool flags, int end)
{
	int i, k;

	for (i = 0; i < end; i++)
		for (k = 0; k < r->chain[i].n; k++)
			if (same_level(&r->chain[i].d[k], d, flags))
				return true;
	return false;
}

static int flag_line(const struct nt_section *s, const struct nt_chain *c,
		     const struct nt_domain *d)
{
	bool differ = find_level(s->r, d, false, s->r->nchains);
	char *text = NULL, *safe, *cpus = nt_safe(c->cpus), *name, fit[32], label[NT_LEVEL_LABEL];
	size_t len = 0, i;
	FILE *f = open_memstream(&text, &len);
	int err = -ENOMEM;

	name = nt_safe(nt_level_label(s->r, d->level, label, sizeof(label)));
	if (f && cpus && name) {
		fprintf(f, "%s, level %d", name, d->level);
		if (differ)
			fprintf(f, ", CPUs %s", nt_fit(fit, sizeof(fit), cpus, MAX_LIST));
		fprintf(f, ": 0x%x", d->flags);
		for (i = 0; d->flag && d->flag[i]; i++)
			fprintf(f, " %s", d->flag[i]);
	}
	if (f && !fclose(f) && cpus && name) {
		safe = nt_safe(text);
		err = safe ? nt_line(s, "%s", safe) : -ENOMEM;
		free(safe);
	}
	free(text);
	free(cpus);
	free(name);
	return err;
}

/* Each level once; again where other CPUs have other flags at it. */
static int show_flags(const struct nt_section *s)
{
	const struct nt_run *r = s->r;
	int i, k, err = 0;

	nt_heading(s, "Flags by level");
	for (i = 0; i < r->nchains && !err; i++)
		for (k = 0; k < r->chain[i].n && !err; k++)
			if (!find_level(r, &r->chain[i].d[k], true, i))
				err = flag_line(s, &r->chain[i], &r->chain[i].d[k]);
	return err;
}

static int show_chains(const struct nt_section *s)
{
	struct nt_expected x;
	int err;

	nt_heading(s, "Scheduling domains in the kernel, lowest level first");
	if (!s->r->nchains)
		return nt_line(s, "none: the kernel built no domains");
	err = nt_expect(s->r, &x);
	err = err ?: nt_domain_tree(s, &x);
	nt_expected_free(&x);
	return err ?: show_flags(s);
}

static int kind_rows(struct nt_tbl *t, const struct nt_kind *k)
{
	char *cpus = nt_cpuset_format(&k->cpus);
	int i;

	if (!cpus)
		return -ENOMEM;
	nt_tbl_row(t);
	list_cell(t, cpus);
	free(cpus);
	nt_tbl_child(t);
	nt_tbl_cell(t, "cache");
	nt_tbl_cell(t, "%d", k->llc);
	nt_tbl_cell(t, "%d", 0);
	for (i = 0; i < k->n; i++) {
		nt_tbl_child(t);
		if (k->level[i].distance)
			nt_tbl_cell(t, "distance %d", k->level[i].distance);
		else
			nt_tbl_cell(t, "node");
		nt_tbl_cell(t, "%d", k->level[i].weight);
		nt_tbl_cell(t, "%d", k->level[i].imb);
	}
	return 0;
}

/* The domains were not read: what the formula gives for the CPUs that are there. */
static int show_machine(const struct nt_section *s)
{
	struct nt_kind *kind;
	struct nt_tbl *t;
	int n, i, err, printed;
	char *why;

	err = nt_expect_machine(s->r, &kind, &n, &why);
	if (err)
		return err;
	nt_heading(s, "imb_numa_nr expected by mainline's formula");
	t = nt_tbl_new();
	nt_tbl_col(t, NT_TREE, "CPUS, LEVEL");
	nt_tbl_col(t, NT_RIGHT, "WEIGHT");
	nt_tbl_col(t, NT_RIGHT, "EXPECTED");
	for (i = 0; i < n && !err; i++)
		err = kind_rows(t, &kind[i]);
	printed = nt_tbl_print(t, s->out);
	err = err ?: printed;
	if (!err && why)
		err = nt_line(s, "nothing: %s", why);
	else if (!err)
		err = nt_line(s, "for CPUs on line and not isolated at boot; cpuset partitions are "
			      "not known");
	nt_kinds_free(kind, n);
	free(why);
	return err;
}

static int report_table(FILE *out, const struct nt_run *r, const struct nt_view_opts *opts)
{
	struct nt_section s = {
		.out = out, .r = r, .color = opts->color,
		.width = opts->width > 0 ? opts->width : NT_DEFAULT_WIDTH,
	};
	char *kernel = nt_safe(r->kernel), *cpu = nt_safe(r->cpu_model);
	int err;

	fprintf(out, "Linux %s, %s: %d node%s, %d CPU%s on line\n", kernel ? kernel : "",
		cpu && *cpu ? cpu : "CPU model unknown", r->topo.nnodes,
		r->topo.nnodes == 1 ? "" : "s", r->topo.cpus_online,
		r->topo.cpus_online == 1 ? "" : "s");
	free(kernel);
	free(cpu);
	err = show_nodes(&s);
	if (err)
		return err;
	if (r->feature[NT_F_DOMAINS].on)
		return show_chains(&s);
	nt_is_off(&s, NT_F_DOMAINS, "Scheduling domains");
	return show_machine(&s);
}

static int render(const struct nt_run *r, const struct nt_view_opts *opts, char **text)
{
	size_t len = 0;
	FILE *f = open_memstream(text, &len);
	int err;

	if (!f)
		return -ENOMEM;
	err = opts->format == NT_FORMAT_JSON ? nt_domains_json(f, r) : report_table(f, r, opts);
	return fclose(f) && !err ? -ENOMEM : err;
}

int nt_domains_report(FILE *out, const struct nt_run *runs, size_t n,
		      const struct nt_view_opts *opts)
{
	char *text = NULL, *last = NULL;
	size_t i;
	int err = 0;

	for (i = 0; i < n && !err; i++) {
		text = NULL;
		err = render(&runs[i], opts, &text);
		if (!err && (!last || strcmp(text, last)))
			fprintf(out, "%s%s", last && opts->format == NT_FORMAT_TABLE ? "\n" : "",
				text);
		free(last);
		last = text;
	}
	free(last);
	return err ? err : nt_flush(out);
}
