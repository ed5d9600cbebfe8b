// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/compare_doubts.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "model/compare_structure.h"
#include "model/compare_tell.h"
#include "model/compare_traits.h"
#include "model/text.h"

/* Labels that name a side or a point differ on purpose. */
static bool differs_on_purpose(const struct nt_compare *c, const char *key)
{
	return !strcmp(key, "commit") || !strcmp(key, "kernel") || (c->by && !strcmp(key, c->by));
}

struct keys {
	char **v;
	size_t n;
};

/* Check a label "KEY=VALUE" unless one of that key was; the key stays in seen. */
static int check_param(struct nt_compare *c, const char *param, struct keys *seen)
{
	struct nt_trait t = { NT_MISLEADS, NULL, nt_tell_param, NULL };
	char *key = strndup(param, strcspn(param, "=")), *safe = NULL, *name = NULL, **more;
	size_t i;
	int err = -ENOMEM;

	if (!key)
		return -ENOMEM;
	for (i = 0; i < seen->n && strcmp(seen->v[i], key); i++)
		;
	if (i < seen->n || differs_on_purpose(c, key)) {
		free(key);
		return 0;
	}
	more = reallocarray(seen->v, seen->n + 1, sizeof(*more));
	if (!more) {
		free(key);
		return -ENOMEM;
	}
	seen->v = more;
	seen->v[seen->n++] = key;
	safe = nt_text_printable(key);
	if (safe && asprintf(&name, "label %s", safe) >= 0) {
		t.name = name;
		t.which = key;
		err = nt_trait_check_points(c, &t);
		free(name);
	}
	free(safe);
	return err;
}

static int check_params(struct nt_compare *c)
{
	struct keys seen = { 0 };
	size_t i, k;
	int err = 0;

	for (i = 0; !err && i < c->r->nheads; i++) {
		char **param = c->r->head[i]->param;

		for (; !err && param && *param; param++)
			err = check_param(c, *param, &seen);
	}
	for (k = 0; k < seen.n; k++)
		free(seen.v[k]);
	free(seen.v);
	return err;
}

static int check_features(struct nt_compare *c)
{
	struct nt_trait t = { NT_MISLEADS, NULL, nt_tell_feature, NULL };
	char name[64];
	int i, err = 0;

	t.name = name;
	for (i = 0; !err && i < NT_NFEATURE; i++) {
		t.which = nt_feature_name[i];
		snprintf(name, sizeof(name), "feature %s", t.which);
		err = nt_trait_check(c, &t);
	}
	return err;
}

static int check_foreign(struct nt_compare *c)
{
	size_t i;

	for (i = 0; i < c->r->n; i++)
		if (!nt_is_record(c->r->v[i].head))
			return nt_doubt(c, NT_MISLEADS, "%s: a file of another tool tells neither "
				   "machine nor command: not checked whether they are the same",
				   c->side[c->r->v[i].side].id);
	return 0;
}

/*
 * Did the command not end as it should? Of SIGTERM it dies under -d, and that is no failure;
 * an observation without a command is ended by ^C.
 */
static bool failed(const struct nt_result *r)
{
	int st = r->wait_status;

	return WIFSIGNALED(st) ? WTERMSIG(st) != SIGTERM : WEXITSTATUS(st) != 0;
}

static int check_ends(struct nt_compare *c, const struct nt_side *s)
{
	size_t cut = 0, interrupted = 0, bad = 0, i;

	for (i = s->first; i < s->first + s->n; i++) {
		const struct nt_result *r = &c->r->v[i];

		if (!r->ended)
			cut++;
		else if (r->head->argv && r->interrupted)
			interrupted++;
		else if (r->head->argv && failed(r))
			bad++;
	}
	if (!cut && !interrupted && !bad)
		return 0;
	return nt_doubt(c, NT_MISLEADS, "%s: %zu of %zu run%s ended early (%zu without an end in "
			"the record, %zu interrupted, %zu failed)", s->id, cut + interrupted + bad,
			s->n, nt_plural(s->n), cut, interrupted, bad);
}

static int check_losses(struct nt_compare *c, const struct nt_side *s)
{
	unsigned long long sum = 0;
	size_t runs = 0, i;

	for (i = s->first; i < s->first + s->n; i++) {
		uint64_t n = nt_losses_sum(&c->r->v[i].lost);

		sum += n;
		runs += n > 0;
	}
	if (!sum)
		return 0;
	return nt_doubt(c, NT_MISLEADS, "%s: %llu event%s lost in %zu of %zu run%s, not to be "
			"relied on", s->id, sum, nt_plural(sum), runs, s->n, nt_plural(s->n));
}

static int check_left_out(struct nt_compare *c)
{
	size_t n = 0, i;

	for (i = 0; i < c->r->n; i++)
		n += c->at[i] < 0;
	if (!n)
		return 0;
	return nt_doubt(c, NT_MISLEADS, "%zu of %zu runs have no label %s and are left out", n,
			c->r->n, c->by);
}

int nt_compare_doubts(struct nt_compare *c)
{
	static const struct nt_trait topology = { NT_REFUSES, "topology", nt_tell_topology, NULL };
	static const struct nt_trait command = { NT_REFUSES, "command", nt_tell_command, NULL };
	static const struct nt_trait fstat = {
		NT_REFUSES, "stress-ng's fstat", nt_tell_fstat, NULL
	};
	static const struct nt_trait tool = { NT_MISLEADS, "version", nt_tell_tool, NULL };
	int i, err = nt_trait_check(c, &topology);

	if (!err)
		err = nt_trait_check_points(c, &command);
	if (!err)
		err = nt_trait_check(c, &fstat);
	if (!err)
		err = nt_trait_check(c, &tool);
	if (!err)
		err = check_left_out(c);
	if (!err)
		err = check_foreign(c);
	if (!err)
		err = check_params(c);
	if (!err)
		err = check_features(c);
	for (i = 0; !err && i < c->nsides; i++)
		err = check_ends(c, &c->side[i]);
	for (i = 0; !err && i < c->nsides; i++)
		err = check_losses(c, &c->side[i]);
	return err ? err : nt_compare_structure(c);
}
