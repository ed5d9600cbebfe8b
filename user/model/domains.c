// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/domains.h"

#include <string.h>

#include "model/cpulist.h"

bool nt_domain_is_numa(const struct nt_domain *d)
{
	size_t i;

	for (i = 0; d->flag && d->flag[i]; i++)
		if (!strcmp(d->flag[i], "SD_NUMA"))
			return true;
	return !d->flag && !strcmp(d->name, "NUMA");
}

bool nt_chain_has_numa(const struct nt_chain *c)
{
	int i;

	for (i = 0; i < c->n; i++)
		if (nt_domain_is_numa(&c->d[i]))
			return true;
	return false;
}

const char *nt_chain_root(const struct nt_chain *c)
{
	return c->n ? c->d[c->n - 1].span : NULL;
}

bool nt_chain_opens_root(const struct nt_run *r, int i)
{
	const char *root = nt_chain_root(&r->chain[i]), *other;
	int k;

	for (k = 0; root && k < i; k++) {
		other = nt_chain_root(&r->chain[k]);
		if (other && !strcmp(root, other))
			return false;
	}
	return root;
}

int nt_count_roots(const struct nt_run *r)
{
	int i, n = 0;

	for (i = 0; i < r->nchains; i++)
		n += nt_chain_opens_root(r, i);
	return n;
}

char *nt_no_domain_cpus(const struct nt_run *r)
{
	struct nt_cpuset all = { 0 }, one = { 0 };
	char *text = NULL;
	int i, cpu, err = 0;

	for (i = 0; i < r->nchains && !err; i++) {
		/* A list that is none comes from a record; it names no CPU. */
		if (r->chain[i].n || nt_cpuset_parse(&one, r->chain[i].cpus))
			continue;
		nt_cpuset_for_each(cpu, &one) {
			err = nt_cpuset_add(&all, cpu);
			if (err)
				break;
		}
	}
	if (!err)
		text = nt_cpuset_format(&all);
	nt_cpuset_free(&all);
	nt_cpuset_free(&one);
	return text;
}
