/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a child needs between fork and exec, made before the fork: after it only
 * async-signal-safe calls are allowed.
 */
#ifndef NT_COLLECT_LAUNCH_PREP_H
#define NT_COLLECT_LAUNCH_PREP_H

#include <grp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/error.h"

struct nt_identity {
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	int ngroups;
};

struct nt_prep {
	char **path;		/* files to try, NULL-terminated */
	bool searched;		/* they come from PATH */
	char **env;		/* NULL-terminated */
	char *own[4];		/* the entries of env that are ours to free */
	bool switch_user;
	struct nt_identity id;
};

int nt_prep(struct nt_prep *p, const char *file, const char *user, struct nt_error *e);
void nt_prep_free(struct nt_prep *p);

/* Tries the files in turn; returns only on failure, with the errno that tells most. */
int nt_prep_exec(const struct nt_prep *p, char *const *argv);

#endif
