// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/launch_prep.h"

/* What execvp() takes without PATH, except that it is said here. */
#define DEFAULT_PATH "/bin:/usr/bin"

extern char **environ;

/* The file in one folder of PATH; an empty element is the working directory. */
static char *in_folder(const char *folder, size_t len, const char *file)
{
	char *s;

	if (!len)
		return strdup(file);
	if (asprintf(&s, "%.*s/%s", (int)len, folder, file) < 0)
		return NULL;
	return s;
}

static size_t count_folders(const char *path)
{
	size_t n = 1;

	for (; *path; path++)
		n += *path == ':';
	return n;
}

static int find_candidates(struct nt_prep *p, const char *file)
{
	const char *path = getenv("PATH");
	size_t n = 0;

	if (!path)
		path = DEFAULT_PATH;
	p->path = calloc(count_folders(path) + 1, sizeof(*p->path));
	if (!p->path)
		return -ENOMEM;
	if (!*file)
		return 0;	/* no candidate: not found, as execvp() says */
	if (strchr(file, '/')) {
		p->path[0] = strdup(file);
		return p->path[0] ? 0 : -ENOMEM;
	}
	p->searched = true;
	for (;; path++) {
		size_t len = strcspn(path, ":");

		p->path[n] = in_folder(path, len, file);
		if (!p->path[n++])
			return -ENOMEM;
		path += len;
		if (!*path)
			return 0;
	}
}

static int find_groups(struct nt_identity *id, const struct passwd *pw)
{
	int room = 32;

	for (;;) {
		gid_t *g = realloc(id->groups, room * sizeof(*g));

		if (!g)
			return -ENOMEM;
		id->groups = g;
		id->ngroups = room;
		if (getgrouplist(pw->pw_name, pw->pw_gid, g, &id->ngroups) >= 0)
			return 0;
		/* The needed number comes back; some C libraries leave it unchanged. */
		room = id->ngroups > room ? id->ngroups : 2 * room;
	}
}

static bool starts_with_name(const char *entry, const char *const *names)
{
	for (; *names; names++) {
		size_t len = strlen(*names);

		if (!strncmp(entry, *names, len) && entry[len] == '=')
			return true;
	}
	return false;
}

/* The environment of now with the user's own HOME, USER, LOGNAME and SHELL. */
static int make_env(struct nt_prep *p, const struct passwd *pw)
{
	static const char *const name[] = { "HOME", "USER", "LOGNAME", "SHELL", NULL };
	const char *shell = pw->pw_shell && *pw->pw_shell ? pw->pw_shell : "/bin/sh";
	const char *const value[] = { pw->pw_dir, pw->pw_name, pw->pw_name, shell };
	size_t n = 0, kept = 0;

	while (environ && environ[n])
		n++;
	p->env = calloc(n + 5, sizeof(*p->env));
	if (!p->env)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!starts_with_name(environ[i], name))
			p->env[kept++] = environ[i];
	for (int i = 0; name[i]; i++) {
		if (asprintf(&p->own[i], "%s=%s", name[i], value[i]) < 0) {
			p->own[i] = NULL;
			return -ENOMEM;
		}
		p->env[kept++] = p->own[i];
	}
	return 0;
}

static int prepare_user(struct nt_prep *p, const char *user, struct nt_error *e)
{
	struct passwd *pw;
	int err;

	errno = 0;
	pw = getpwnam(user);
	if (!pw)
		return nt_fail(e, errno && errno != ENOENT ? -errno : -EINVAL,
			       "--user %s: %s", user,
			       errno && errno != ENOENT ? strerror(errno) : "no such user");
	p->id.uid = pw->pw_uid;
	p->id.gid = pw->pw_gid;
	p->switch_user = geteuid() != pw->pw_uid || getuid() != pw->pw_uid || !geteuid();
	if (p->switch_user && geteuid())
		return nt_fail(e, -EPERM, "--user %s: only root can become another user "
			       "(run numatrace with sudo)", user);
	err = find_groups(&p->id, pw);
	if (!err)
		err = make_env(p, pw);
	return err ? nt_fail(e, err, "--user %s: %s", user, strerror(-err)) : 0;
}

int nt_prep(struct nt_prep *p, const char *file, const char *user, struct nt_error *e)
{
	int err;

	memset(p, 0, sizeof(*p));
	err = find_candidates(p, file);
	if (err)
		nt_fail(e, err, "cannot start %s: %s", file, strerror(-err));
	else if (user)
		err = prepare_user(p, user, e);
	if (err)
		nt_prep_free(p);
	return err;
}

void nt_prep_free(struct nt_prep *p)
{
	for (size_t i = 0; p->path && p->path[i]; i++)
		free(p->path[i]);
	free(p->path);
	for (size_t i = 0; i < sizeof(p->own) / sizeof(*p->own); i++)
		free(p->own[i]);
	free(p->env);
	free(p->id.groups);
}

static bool search_goes_on(int err)
{
	return err == ENOENT || err == ENOTDIR || err == ENODEV || err == ESTALE ||
	       err == ETIMEDOUT || err == EACCES;
}

/*
 * As execvp(): a folder that cannot be searched or a file that may not be run does not
 * end the search, but is the reason told if nothing else is found.
 */
int nt_prep_exec(const struct nt_prep *p, char *const *argv)
{
	int why = ENOENT;

	for (char **f = p->path; *f; f++) {
		execve(*f, argv, p->env ? p->env : environ);
		if (!p->searched || !search_goes_on(errno))
			return errno;
		if (errno == EACCES)
			why = EACCES;
	}
	return why;
}
