// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_sides.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/same.h"
#include "model/text.h"

/* Something that a header tells of a run; NULL: it does not. */
typedef const char *(*trait_fn)(const struct nt_run *head);

const char *nt_param(const struct nt_run *head, const char *key)
{
	size_t len = strlen(key);
	int i;

	for (i = 0; head->param && head->param[i]; i++)
		if (!strncmp(head->param[i], key, len) && head->param[i][len] == '=')
			return head->param[i] + len + 1;
	return NULL;
}

static const char *commit_of(const struct nt_run *head)
{
	return nt_param(head, "commit");
}

static const char *kernel_of(const struct nt_run *head)
{
	return head->kernel;
}

static const char *host_of(const struct nt_run *head)
{
	return head->hostname;
}

/* What all runs of the side have in common; NULL: nothing. */
static const char *shared(const struct nt_results *r, const struct nt_side *s, trait_fn trait)
{
	const char *first = trait(r->v[s->first].head);
	size_t i;

	for (i = 1; first && i < s->n; i++)
		if (!nt_same_text(first, trait(r->v[s->first + i].head)))
			return NULL;
	return first && *first ? first : NULL;
}

/* Is it the same within each side, and another for each? */
static bool tells_apart(const struct nt_compare *c, trait_fn trait)
{
	int i, k;

	for (i = 0; i < c->nsides; i++) {
		const char *id = shared(c->r, &c->side[i], trait);

		if (!id)
			return false;
		for (k = 0; k < i; k++)
			if (!strcmp(id, shared(c->r, &c->side[k], trait)))
				return false;
	}
	return true;
}

/* The last n parts of a path. */
static const char *tail(const char *path, int n)
{
	const char *at = path + strlen(path);

	while (at > path && (at[-1] != '/' || --n))
		at--;
	return at;
}

static bool tails_differ(char *const *names, int nsides, int parts)
{
	int i, k;

	for (i = 0; i < nsides; i++)
		for (k = 0; k < i; k++)
			if (!strcmp(tail(names[i], parts), tail(names[k], parts)))
				return false;
	return true;
}

/* The shortest ends of the paths that differ; the same file twice is called the same. */
static int name_by_file(struct nt_compare *c, char *const *names)
{
	int parts = 1, i;

	while (parts < 16 && !tails_differ(names, c->nsides, parts))
		parts++;
	if (parts == 16)
		parts = 1;
	c->id_name = "file";
	for (i = 0; i < c->nsides; i++) {
		c->side[i].id = nt_text_printable(tail(names[i], parts));
		if (!c->side[i].id)
			return -ENOMEM;
	}
	return 0;
}

static int name_by(struct nt_compare *c, trait_fn trait, const char *what)
{
	int i;

	c->id_name = what;
	for (i = 0; i < c->nsides; i++) {
		c->side[i].id = nt_text_printable(shared(c->r, &c->side[i], trait));
		if (!c->side[i].id)
			return -ENOMEM;
	}
	return 0;
}

static int name_sides(struct nt_compare *c, char *const *names)
{
	if (tells_apart(c, commit_of))
		return name_by(c, commit_of, "commit");
	if (tells_apart(c, kernel_of))
		return name_by(c, kernel_of, "kernel");
	return name_by_file(c, names);
}

static int add_axis(struct nt_compare *c, const char *name, const char *value)
{
	struct nt_axis *a = reallocarray(c->axis, c->naxes + 1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	c->axis = a;
	a += c->naxes++;
	a->name = nt_text_printable(name);
	a->value = nt_text_printable(value);
	return a->name && a->value ? 0 : -ENOMEM;
}

static int add_param(struct nt_compare *c, const char *param)
{
	size_t len = strcspn(param, "="), i;
	char *key = strndup(param, len);
	int err = key ? 0 : -ENOMEM;

	for (i = 0; !err && i < c->r->n; i++) {
		const char *v = nt_param(c->r->v[i].head, key);

		if (!v || strcmp(v, param + len + 1))
			break;
	}
	if (!err && i == c->r->n)
		err = add_axis(c, key, param + len + 1);
	free(key);
	return err;
}

static int add_command(struct nt_compare *c)
{
	char **argv = c->r->v[0].head->argv, *text;
	size_t i;
	int err;

	for (i = 0; i < c->r->n; i++)
		if (!argv || !nt_same_strings(argv, c->r->v[i].head->argv))
			return 0;
	text = nt_text_command(argv);
	err = text ? add_axis(c, "command", text) : -ENOMEM;
	free(text);
	return err;
}

static int add_axes(struct nt_compare *c)
{
	const struct nt_side all = { .first = 0, .n = c->r->n };
	const char *host = shared(c->r, &all, host_of);
	char **param = c->r->v[0].head->param;
	int err = host ? add_axis(c, "hostname", host) : 0;

	for (; !err && param && *param; param++)
		err = add_param(c, *param);
	return err ? err : add_command(c);
}

int nt_compare_sides(struct nt_compare *c, char *const *names)
{
	size_t i;
	int err;

	c->side = calloc((size_t)c->nsides, sizeof(*c->side));
	if (!c->side)
		return -ENOMEM;
	for (i = c->r->n; i-- > 0;) {
		struct nt_side *s = &c->side[c->r->v[i].side];

		s->first = i;
		s->n++;
	}
	err = name_sides(c, names);
	return err ? err : add_axes(c);
}
