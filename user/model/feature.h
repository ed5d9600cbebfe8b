/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be measured on this kernel, by which way, and why not by a better one. The same
 * text serves the footer of a report and numatrace features.
 */
#ifndef NT_MODEL_FEATURE_H
#define NT_MODEL_FEATURE_H

#include <stdbool.h>
#include <stddef.h>

/* What can be measured; one row each in the footer. */
enum nt_feature_id {
	NT_F_MIGRATIONS,
	NT_F_CPUTIME,
	NT_F_FORK,
	NT_F_BALANCE,
	NT_F_PLACEMENT,
	NT_F_DOMAINS,
	NT_F_SNAPSHOT,
	NT_NFEATURE,
};

extern const char *const nt_feature_name[NT_NFEATURE];

/* A way that would have been better than the one taken. */
struct nt_refusal {
	char *way;
	char *why;
};

struct nt_feature {
	bool on;
	char *way;		/* "tracepoint sched_migrate_task"; NULL if off */
	char *why;		/* why it is off, or why not the better way; NULL: nothing to say */
	/* Not in records: only numatrace features shows these. */
	struct nt_refusal *refused;	/* best way first */
	size_t nrefused;
	char *hint;		/* what the user can do about it; NULL: nothing */
};

/* Is anything said about it? Not in records of versions that did not have it. */
bool nt_feature_known(const struct nt_feature *f);

/* All take copies; 0 or -ENOMEM. */
int nt_feature_on(struct nt_feature *f, const char *way);
int nt_feature_off(struct nt_feature *f, const char *why);
int nt_feature_refuse(struct nt_feature *f, const char *way, const char *why);
int nt_feature_hint(struct nt_feature *f, const char *hint);	/* the first one stays */

/* Make why of what was refused: "WAY: WHY; WAY: WHY", ways with the same reason together. */
int nt_feature_sum_up(struct nt_feature *f);

void nt_feature_free(struct nt_feature *f);	/* what it holds; all 0 afterwards */

/* The questions of numatrace features: the rows above and others that need no programs. */
struct nt_question {
	const char *name;	/* static; a key of the JSON output, so it stays as it is */
	struct nt_feature f;
};

struct nt_features {
	char *kernel;		/* release */
	struct nt_question *q;
	size_t n;
};

/* A new question at the end, all 0; NULL: out of memory. Earlier ones may move. */
struct nt_feature *nt_features_add(struct nt_features *fs, const char *name);
/* NULL if there is none of that name. */
const struct nt_feature *nt_features_find(const struct nt_features *fs, const char *name);
/* Can the main job run: migrations and CPU time? */
bool nt_features_enough(const struct nt_features *fs);
void nt_features_free(struct nt_features *fs);

#endif
