// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/feature.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const nt_feature_name[NT_NFEATURE] = {
	[NT_F_MIGRATIONS] = "migrations",
	[NT_F_CPUTIME] = "cputime",
	[NT_F_FORK] = "fork",
	[NT_F_BALANCE] = "balance",
	[NT_F_PLACEMENT] = "placement",
	[NT_F_DOMAINS] = "domains",
	[NT_F_SNAPSHOT] = "snapshot",
};

static int replace(char **to, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

bool nt_feature_known(const struct nt_feature *f)
{
	return f->on || f->way || f->why;
}

int nt_feature_on(struct nt_feature *f, const char *way)
{
	f->on = true;
	return replace(&f->way, way);
}

int nt_feature_off(struct nt_feature *f, const char *why)
{
	f->on = false;
	replace(&f->way, NULL);
	return replace(&f->why, why);
}

int nt_feature_refuse(struct nt_feature *f, const char *way, const char *why)
{
	struct nt_refusal *more = realloc(f->refused, (f->nrefused + 1) * sizeof(*more));
	struct nt_refusal *r;

	if (!more)
		return -ENOMEM;
	f->refused = more;
	r = &more[f->nrefused++];
	r->way = strdup(way);
	r->why = strdup(why);
	return r->way && r->why ? 0 : -ENOMEM;
}

int nt_feature_hint(struct nt_feature *f, const char *hint)
{
	return f->hint || !hint ? 0 : replace(&f->hint, hint);
}

/* Append "a, b: WHY" for the ways from first on that share its reason. */
static void sum_up_one(FILE *out, const struct nt_feature *f, size_t first)
{
	const char *why = f->refused[first].why;
	size_t i;

	fprintf(out, "%s%s", first ? "; " : "", f->refused[first].way);
	for (i = first + 1; i < f->nrefused; i++)
		if (!strcmp(f->refused[i].why, why))
			fprintf(out, ", %s", f->refused[i].way);
	fprintf(out, ": %s", why);
}

int nt_feature_sum_up(struct nt_feature *f)
{
	char *text = NULL;
	size_t len, i, j;
	FILE *out;

	if (!f->nrefused)
		return 0;
	out = open_memstream(&text, &len);
	if (!out)
		return -ENOMEM;
	for (i = 0; i < f->nrefused; i++) {
		for (j = 0; j < i && strcmp(f->refused[j].why, f->refused[i].why); j++)
			;
		if (j == i)
			sum_up_one(out, f, i);
	}
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	free(f->why);
	f->why = text;
	return 0;
}

void nt_feature_free(struct nt_feature *f)
{
	size_t i;

	for (i = 0; i < f->nrefused; i++) {
		free(f->refused[i].way);
		free(f->refused[i].why);
	}
	free(f->refused);
	free(f->way);
	free(f->why);
	free(f->hint);
	memset(f, 0, sizeof(*f));
}

struct nt_feature *nt_features_add(struct nt_features *fs, const char *name)
{
	struct nt_question *more = realloc(fs->q, (fs->n + 1) * sizeof(*more));

	if (!more)
		return NULL;
	fs->q = more;
	more[fs->n] = (struct nt_question){ .name = name };
	return &more[fs->n++].f;
}

const struct nt_feature *nt_features_find(const struct nt_features *fs, const char *name)
{
	size_t i;

	for (i = 0; i < fs->n; i++)
		if (!strcmp(fs->q[i].name, name))
			return &fs->q[i].f;
	return NULL;
}

bool nt_features_enough(const struct nt_features *fs)
{
	const struct nt_feature *moves = nt_features_find(fs, nt_feature_name[NT_F_MIGRATIONS]);
	const struct nt_feature *time = nt_features_find(fs, nt_feature_name[NT_F_CPUTIME]);

	return moves && moves->on && time && time->on;
}

void nt_features_free(struct nt_features *fs)
{
	size_t i;

	for (i = 0; i < fs->n; i++)
		nt_feature_free(&fs->q[i].f);
	free(fs->q);
	free(fs->kernel);
	memset(fs, 0, sizeof(*fs));
}
