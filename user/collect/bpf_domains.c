// SPDX-License-Identifier: GPL-2.0-or-later
/* From the records of the domain iterator to chains, identical ones grouped. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bpf_priv.h"
#include "model/cpulist.h"

/* One CPU's chain as read. */
struct cpu_chain {
	int cpu;
	int n;
	struct nt_domain d[NT_MAX_LEVELS];
};

static char *span_text(const unsigned char *bits, int bytes, unsigned int weight)
{
	struct nt_cpuset set = {};
	char *text = NULL;
	int i;

	for (i = 0; i < bytes * 8; i++)
		if (bits[i / 8] >> (i % 8) & 1 && nt_cpuset_add(&set, i))
			goto out;
	/* The mask is read past the end of a struct on some kernels: trust it if it adds up. */
	if (nt_cpuset_count(&set) == weight)
		text = nt_cpuset_format(&set);
out:
	nt_cpuset_free(&set);
	return text;
}

static void fill_domain(struct nt_domain *d, const struct nt_domain_rec *rec,
			const unsigned char *span, int bytes)
{
	d->level = rec->level;
	d->flags = rec->flags;
	d->span_weight = rec->span_weight;
	d->groups = rec->groups;
	d->imb_numa_nr = rec->has_imb ? (int)rec->imb_numa_nr : -1;
	d->span = span_text(span, bytes, rec->span_weight);
	memcpy(d->name, rec->name, sizeof(d->name));
	d->name[sizeof(d->name) - 1] = '\0';
	if (!d->name[0])
		snprintf(d->name, sizeof(d->name), "L%u", rec->level);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/*
 * Do spans at this level tell chains apart? From the node's own level up they do. Below, each
 * core and each cache has its own, and chains that differ in nothing else are one kind.
 */
static bool span_counts(const struct cpu_chain *c, int i)
{
	return i == c->n - 1 || !strcmp(c->d[i].name, "NUMA") || !strcmp(c->d[i + 1].name, "NUMA");
}

/* The same at every level. */
static bool same_chain(const struct cpu_chain *a, const struct nt_chain *b)
{
	int i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++) {
		const struct nt_domain *x = &a->d[i], *y = &b->d[i];

		if (strcmp(x->name, y->name) || x->level != y->level || x->flags != y->flags ||
		    x->span_weight != y->span_weight || x->groups != y->groups ||
		    x->imb_numa_nr != y->imb_numa_nr)
			return false;
		if (span_counts(a, i) && !same_text(x->span, y->span))
			return false;
	}
	return true;
}

/* Where CPUs of one kind see different spans, none of them stands for all: it is dropped. */
static int join_chain(struct nt_chain *c, struct nt_cpuset *cpus, const struct cpu_chain *one)
{
	int i;

	for (i = 0; i < one->n; i++) {
		if (same_text(c->d[i].span, one->d[i].span))
			continue;
		free(c->d[i].span);
		c->d[i].span = NULL;
	}
	return nt_cpuset_add(cpus, one->cpu);
}

static int new_chain(struct nt_chain *c, struct nt_cpuset *cpus, const struct cpu_chain *one)
{
	int i;

	memset(c, 0, sizeof(*c));
	c->d = calloc(one->n ? one->n : 1, sizeof(*c->d));
	if (!c->d)
		return -ENOMEM;
	c->n = one->n;
	for (i = 0; i < one->n; i++) {
		c->d[i] = one->d[i];
		c->d[i].span = one->d[i].span ? strdup(one->d[i].span) : NULL;
	}
	return nt_cpuset_add(cpus, one->cpu);
}

static int group(const struct cpu_chain *cpu, int ncpus, struct nt_chain **chain, int *n)
{
	struct nt_chain *c = calloc(ncpus ? ncpus : 1, sizeof(*c));
	struct nt_cpuset *set = calloc(ncpus ? ncpus : 1, sizeof(*set));
	int i, j, err = c && set ? 0 : -ENOMEM;

	*n = 0;
	for (i = 0; i < ncpus && !err; i++) {
		for (j = 0; j < *n && !same_chain(&cpu[i], &c[j]); j++)
			;
		if (j < *n) {
			err = join_chain(&c[j], &set[j], &cpu[i]);
		} else {
			err = new_chain(&c[j], &set[j], &cpu[i]);
			(*n)++;
		}
	}
	for (j = 0; c && set && j < *n; j++) {
		c[j].cpus = nt_cpuset_format(&set[j]);
		if (!c[j].cpus)
			err = -ENOMEM;
		nt_cpuset_free(&set[j]);
	}
	free(set);
	*chain = c;
	return err;
}

/* The names of the bits that are set, lowest first; a bit without a name as a number. */
static char **flag_names(const struct nt_kvs *known, unsigned int flags)
{
	char **names = calloc(33, sizeof(*names));
	unsigned int bit;
	size_t i;
	int n = 0;

	for (bit = 1; names && bit; bit <<= 1) {
		if (!(flags & bit))
			continue;
		for (i = 0; i < known->n && known->v[i].value != bit; i++)
			;
		if (i < known->n)
			names[n] = strdup(known->v[i].key);
		else if (asprintf(&names[n], "0x%x", bit) < 0)
			names[n] = NULL;
		if (!names[n++])
			return names;
	}
	return names;
}

/* Names of flags; a kernel that does not tell them leaves the numbers. */
static int name_flags(const struct nt_bpf *b, struct nt_chain *c)
{
	int i;

	for (i = 0; i < c->n && b->sd_flags.n; i++) {
		c->d[i].flag = flag_names(&b->sd_flags, c->d[i].flags);
		if (!c->d[i].flag)
			return -ENOMEM;
	}
	return 0;
}

static int parse(struct nt_bpf *b, const char *buf, size_t len, struct cpu_chain *cpu, int *n)
{
	size_t step = sizeof(struct nt_domain_rec) + b->span_bytes, at;

	*n = 0;
	for (at = 0; at + step <= len; at += step) {
		struct nt_domain_rec rec;
		struct cpu_chain *c;

		memcpy(&rec, buf + at, sizeof(rec));
		if (!*n || cpu[*n - 1].cpu != (int)rec.cpu) {
			if (*n == b->ncpus)
				return -EOVERFLOW;
			cpu[(*n)++].cpu = rec.cpu;
		}
		c = &cpu[*n - 1];
		if (rec.depth >= NT_MAX_LEVELS)
			continue;
		fill_domain(&c->d[c->n++], &rec, (unsigned char *)buf + at + sizeof(rec),
			    b->span_bytes);
	}
	return 0;
}

static int by_cpu(const void *a, const void *b)
{
	return ((const struct cpu_chain *)a)->cpu - ((const struct cpu_chain *)b)->cpu;
}

int nt_bpf_domains(struct nt_bpf *b, struct nt_chain **chain, int *n)
{
	struct cpu_chain *cpu = calloc(b->ncpus, sizeof(*cpu));
	int i, j, ncpus = 0, err = cpu ? 0 : -ENOMEM;
	char *buf = NULL;
	size_t len;

	b->skel->bss->cpu_walk++;
	err = err ?: nt_bpf_iterate(b->skel->links.domains, &buf, &len);
	err = err ?: parse(b, buf, len, cpu, &ncpus);
	if (!err) {
		qsort(cpu, ncpus, sizeof(*cpu), by_cpu);
		err = group(cpu, ncpus, chain, n);
	}
	for (i = 0; !err && i < *n; i++)
		err = name_flags(b, &(*chain)[i]);
	for (i = 0; i < ncpus; i++)
		for (j = 0; j < cpu[i].n; j++)
			free(cpu[i].d[j].span);
	free(cpu);
	free(buf);
	return err;
}
