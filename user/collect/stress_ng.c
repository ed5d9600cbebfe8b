// SPDX-License-Identifier: GPL-2.0-or-later
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/stress_ng.h"

/* name, ops, real, usr, sys, two rates; --metrics adds CPU% and RSS */
#define BRIEF_COLUMNS	7
#define FULL_COLUMNS	9
#define MAX_COLUMNS	(FULL_COLUMNS + 4)	/* and a prefix of up to four words */

bool nt_is_stress_ng(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	return !strcmp(slash ? slash + 1 : argv0, "stress-ng");
}

/* A long option by name, or by enough of it to be no other: "--timeo". */
static bool long_opt(const char *arg, const char *name, size_t least)
{
	size_t len = strcspn(arg, "=");

	return len >= least && !strncmp(arg, name, len);
}

static void long_arg(const char *arg, struct nt_stress_args *a)
{
	size_t len = strcspn(arg, "=");

	if (long_opt(arg, "metrics-brief", strlen("metrics")))
		a->metrics = true;
	else if (long_opt(arg, "timeout", strlen("timeo")))
		a->ends = true;
	else if (len > 4 && !strncmp(arg + len - 4, "-ops", 4))
		a->ends = true;
	else if (long_opt(arg, "help", 4) || long_opt(arg, "version", 7) ||
		 long_opt(arg, "dry-run", 7) || long_opt(arg, "stressors", 9) ||
		 long_opt(arg, "job", 3))
		a->no_stress = true;
}

/* One word of short options; true if the next word is the argument of its last. */
static bool short_args(const char *arg, struct nt_stress_args *a)
{
	for (; *arg; arg++) {
		if (*arg == 'M')
			a->metrics = true;
		else if (*arg == 't')
			a->ends = true;
		else if (strchr("hV?nj", *arg))
			a->no_stress = true;
		if (!strchr("khMVvqn?", *arg))
			return !arg[1];
	}
	return false;
}

void nt_stress_args(char *const *argv, struct nt_stress_args *a)
{
	memset(a, 0, sizeof(*a));
	for (char *const *arg = argv + 1; argv[0] && *arg; arg++) {
		if (!strcmp(*arg, "--"))
			return;
		if (!strncmp(*arg, "--", 2))
			long_arg(*arg + 2, a);
		else if (**arg == '-' && short_args(*arg + 1, a) && arg[1])
			arg++;
	}
}

static bool parse_c_number(const char *s, char **end, double *v)
{
	static locale_t c_locale;

	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", NULL);
	if (!c_locale)
		return false;
	*v = strtod_l(s, end, c_locale);
	return *end != s && isfinite(*v);
}

bool nt_number(const char *s, double *v)
{
	static const char blank[] = " \t";
	size_t start = strspn(s, blank);
	size_t len = strspn(s + start, "+-.0123456789eE");	/* no hex, no "nan", no "inf" */
	char *end;

	if (s[start + len + strspn(s + start + len, blank)])
		return false;
	return len && parse_c_number(s + start, &end, v) && end == s + start + len;
}

static int split(char *line, char *word[], int max)
{
	char *save, *w;
	int n = 0;

	for (w = strtok_r(line, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
		if (n == max)
			return max + 1;
		word[n++] = w;
	}
	return n;
}

/* How many words the prefix takes; -1 if this is no line of stress-ng's. */
static int prefix_words(char *const *word, int n)
{
	int i = 1;

	if (n < 4 || strcmp(word[0], "stress-ng:"))
		return -1;
	if (strchr(word[1], '.'))
		i++;		/* --timestamp */
	if (strcmp(word[i], "metrc:") && strcmp(word[i], "info:"))
		return -1;
	return word[i + 1][0] == '[' ? i + 2 : -1;
}

static bool is_name(const char *s)
{
	return *s && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(s) &&
	       strspn(s, "0123456789-") != strlen(s);
}

bool nt_stress_row(const char *line, bool bare, struct nt_stress_row *row)
{
	char buf[512], *word[MAX_COLUMNS];
	double v[FULL_COLUMNS];
	int n, skip;

	if (strlen(line) >= sizeof(buf))
		return false;
	strcpy(buf, line);
	n = split(buf, word, MAX_COLUMNS);
	if (n > MAX_COLUMNS)
		return false;
	skip = prefix_words(word, n);
	if (skip < 0) {
		if (!bare)
			return false;
		skip = 0;
	}
	n -= skip;
	if (n != BRIEF_COLUMNS && n != FULL_COLUMNS)
		return false;
	for (int i = 1; i < n; i++)
		if (!nt_number(word[skip + i], &v[i]))
			return false;
	if (!is_name(word[skip]) || strlen(word[skip]) >= sizeof(row->name))
		return false;
	strcpy(row->name, word[skip]);
	row->ops = v[1];
	row->ops_per_sec = v[5];
	return true;
}

bool nt_stress_bare_header(const char *line)
{
	static const char start[] = "stressor ";

	return !strncmp(line, start, strlen(start)) && strstr(line, "bogo ops real time");
}
