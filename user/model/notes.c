// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/notes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/same.h"

#define MAX_SHOWN	4	/* nodes or chains in one note */
#define MIN_SECONDS	1	/* in less, one tick is too much of the whole */
#define SLACK		5	/* points, for ticks that fell at the wrong moment */

void nt_note_lost_ticks(struct nt_run *r)
{
	double busy = 0, capacity = r->ru.elapsed * nt_cpus_online(r, -1);
	struct nt_util u;
	int i;

	for (i = 0; i < r->total.nnodes; i++)
		busy += r->total.node[i].wl.exec / 1e9;
	if (capacity <= 0 || !nt_util_node(&r->total, -1, &u))
		return;
	busy = 100 * busy / capacity;
	if (r->ru.elapsed >= MIN_SECONDS && busy > 100 - u.idle - u.iowait + SLACK)
		nt_run_note(r, "the workload's own clock says %.0f %% busy, the kernel's ticks "
			    "%.0f %%: ticks were lost (a virtual machine?), so trust the workload "
			    "columns",
			    busy, 100 - u.idle - u.iowait);
}

static const struct nt_node *find_node(const struct nt_topology *t, int id)
{
	int i;

	for (i = 0; i < t->nnodes; i++)
		if (t->node[i].id == id)
			return &t->node[i];
	return NULL;
}

static void write_cpus(FILE *f, const struct nt_node *n)
{
	if (n->cpus)
		fprintf(f, "CPUs %s", n->cpulist);
	else
		fputs("no CPUs", f);
}

/* is: NULL if it is gone. */
static void write_node(FILE *f, const struct nt_node *was, const struct nt_node *is)
{
	fprintf(f, "node%d %s", was->id, is ? "has " : "is gone");
	if (!is)
		return;
	write_cpus(f, is);
	fprintf(f, ", not %s", was->cpus ? was->cpulist : "none");
}

/* The parts of a note, with what parts them; more than MAX_SHOWN are counted. */
static bool next_part(FILE *f, int n)
{
	if (n < MAX_SHOWN)
		fputs(n ? "; " : "", f);
	return n < MAX_SHOWN;
}

static void end_parts(FILE *f, int n)
{
	if (n > MAX_SHOWN)
		fprintf(f, "; and %d more", n - MAX_SHOWN);
}

/* How many nodes differ. */
static int write_nodes(FILE *f, const struct nt_topology *was, const struct nt_topology *is)
{
	int i, n = 0;

	for (i = 0; i < was->nnodes; i++) {
		const struct nt_node *node = &was->node[i], *now = find_node(is, node->id);

		if (now && nt_same_text(now->cpulist, node->cpulist))
			continue;
		if (next_part(f, n++))
			write_node(f, node, now);
	}
	for (i = 0; i < is->nnodes; i++) {
		if (find_node(was, is->node[i].id) || !next_part(f, n++))
			continue;
		fprintf(f, "node%d is new, with ", is->node[i].id);
		write_cpus(f, &is->node[i]);
	}
	end_parts(f, n);
	return n;
}

static bool same_chain(const struct nt_chain *a, const struct nt_chain *b)
{
	const struct nt_run x = { .chain = (struct nt_chain *)a, .nchains = 1 };
	const struct nt_run y = { .chain = (struct nt_chain *)b, .nchains = 1 };

	return nt_same_chains(&x, &y);
}

static void write_chain(FILE *f, const struct nt_chain *c)
{
	int i;

	fprintf(f, "CPUs %s: ", c->cpus);
	for (i = 0; i < c->n; i++) {
		const struct nt_domain *d = &c->d[i];

		fprintf(f, "%s%s %s", i ? ", " : "", d->name, d->span ? d->span : "-");
		if (d->imb_numa_nr >= 0)
			fprintf(f, " imb_numa_nr %d", d->imb_numa_nr);
	}
	if (!c->n)
		fputs("no domain", f);
}

/* How many chains of the end the start did not have. */
static int write_chains(FILE *f, const struct nt_run *was, const struct nt_run *is)
{
	int i, k, n = 0;

	for (i = 0; i < is->nchains; i++) {
		for (k = 0; k < was->nchains && !same_chain(&was->chain[k], &is->chain[i]); k++)
			;
		if (k == was->nchains && next_part(f, n++))
			write_chain(f, &is->chain[i]);
	}
	end_parts(f, n);
	return n;
}

int nt_note_changes(struct nt_run *r, const struct nt_run *end, bool chains)
{
	char *nodes = NULL, *domains = NULL;
	size_t len;
	FILE *f = open_memstream(&nodes, &len);
	int n = f ? write_nodes(f, &r->topo, &end->topo) : 0, err = -ENOMEM;

	if (!f || fclose(f))
		goto out;
	err = n ? nt_run_note(r, "the machine changed during the run and is shown as it was at the "
			      "start; at the end %s", nodes) : 0;
	if (err || !chains || nt_same_chains(r, end))
		goto out;
	err = -ENOMEM;
	f = open_memstream(&domains, &len);
	n = f ? write_chains(f, r, end) : 0;
	if (!f || fclose(f))
		goto out;
	err = nt_run_note(r, "the scheduling domains changed during the run and are shown as they "
			  "were at the start; at the end %s%s", n ? "" : "some were gone", domains);
out:
	free(nodes);
	free(domains);
	return err;
}
