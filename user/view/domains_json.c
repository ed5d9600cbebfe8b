// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "model/domains.h"
#include "model/json_machine.h"
#include "view/domain_view.h"

static void put_roots(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	json_t *a = nt_put_array(p, obj, "root_domains"), *o;
	int i;

	for (i = 0; i < r->nchains; i++) {
		if (!nt_chain_opens_root(r, i))
			continue;
		o = json_object();
		nt_push(p, a, o);
		nt_put_str(p, o, "cpus", nt_chain_root(&r->chain[i]));
		nt_put_bool(p, o, "numa", nt_chain_has_numa(&r->chain[i]));
	}
}

static void put_formula(struct nt_put *p, json_t *obj, const struct nt_expected *x)
{
	json_t *o = nt_put_object(p, obj, "formula");
	char *finding = NULL;

	nt_put_str(p, o, "mainline", x->mainline);
	nt_put_str(p, o, "why_not", x->why);
	nt_put_bool(p, o, "in_kernel", x->read);
	nt_put_int(p, o, "differ", x->differ);
	p->err = p->err ?: nt_expected_finding(x, &finding);
	nt_put_str(p, o, "finding", finding);
	free(finding);
}

static void put_kind(struct nt_put *p, json_t *kinds, const struct nt_kind *k)
{
	char *cpus = nt_cpuset_format(&k->cpus);
	json_t *o = json_object(), *a;
	int i;

	nt_push(p, kinds, o);
	nt_put(p, o, "cpus", cpus ? json_string(cpus) : NULL);
	free(cpus);
	nt_put_int(p, o, "llc_weight", k->llc);
	a = nt_put_array(p, o, "levels");
	for (i = 0; i < k->n; i++) {
		json_t *l = json_object();

		nt_push(p, a, l);
		if (k->level[i].distance)
			nt_put_int(p, l, "distance", k->level[i].distance);
		nt_put_int(p, l, "span_weight", k->level[i].weight);
		nt_put_int(p, l, "expected", k->level[i].imb);
	}
}

/* Where the domains were not read: what they should be. */
static void put_machine(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	struct nt_kind *kind;
	json_t *a;
	char *why;
	int n, i;

	p->err = p->err ?: nt_expect_machine(r, &kind, &n, &why);
	if (p->err)
		return;
	a = nt_put_array(p, obj, "expected");
	for (i = 0; i < n; i++)
		put_kind(p, a, &kind[i]);
	nt_put_str(p, obj, "expected_why_not", why);
	nt_kinds_free(kind, n);
	free(why);
}

static void put_domains(struct nt_put *p, json_t *obj, const struct nt_run *r)
{
	struct nt_expected x = { .why = NULL };
	char *none;

	p->err = p->err ?: nt_expect(r, &x);
	if (!p->err) {
		none = nt_no_domain_cpus(r);
		nt_put(p, obj, "no_domain", none ? json_string(none) : NULL);
		free(none);
		put_roots(p, obj, r);
		nt_put_chains(p, obj, r, &x);
		put_formula(p, obj, &x);
	}
	nt_expected_free(&x);
}

int nt_domains_json(FILE *out, const struct nt_run *r)
{
	const struct nt_feature *f = &r->feature[NT_F_DOMAINS];
	struct nt_put p = { 0 };
	json_t *o = json_object();

	nt_put_str(&p, o, "version", r->version);
	nt_put_str(&p, o, "hostname", r->hostname);
	nt_put_str(&p, o, "kernel", r->kernel);
	nt_put_str(&p, o, "machine", r->machine);
	nt_put_str(&p, o, "cpu_model", r->cpu_model);
	nt_put_topology(&p, o, &r->topo);
	nt_put_bool(&p, o, "read", f->on);
	if (f->on) {
		put_domains(&p, o, r);
	} else {
		nt_put_str(&p, o, "why_not", f->why);
		put_machine(&p, o, r);
	}
	if (!p.err && !json_dumpf(o, out, JSON_INDENT(2)))
		fputc('\n', out);
	json_decref(o);
	return p.err;
}
