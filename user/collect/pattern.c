// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE	1000	/* elements, with repeats written out */
#define MAX_DEPTH	32

/* Sizes of what was read of each group that is open. */
struct sizes {
	size_t all[MAX_DEPTH + 1];
	size_t last;		/* of the element that a repeat would repeat */
	int depth;
};

static void add(struct sizes *s, size_t size)
{
	s->all[s->depth] += size;
	s->last = size;
}

/* The last character of "[...]", which may hold "]" first and "[:digit:]". */
static const char *end_of_bracket(const char *p)
{
	const char *end;

	p++;
	p += *p == '^';
	p += *p == ']';
	for (; *p && *p != ']'; p++) {
		if (*p != '[' || !p[1] || !strchr(":.=", p[1]))
			continue;
		for (end = p + 2; *end && !(end[0] == p[1] && end[1] == ']'); end++)
			;
		if (!*end)
			return end - 1;
		p = end + 1;
	}
	return *p ? p : p - 1;
}

/*
 * How often the repeat at *p, which moves to its last character, writes out what it repeats:
 * the largest number of "{2,5}", and once more. "?" and "*" write nothing out, but within each
 * other each doubles the ways through the expression, which regcomp() follows one by one.
 */
static size_t times(const char **p)
{
	size_t n, most = 2;
	const char *s = *p + 1;
	char *end;

	if (**p != '{')
		return **p == '+' ? 3 : 2;
	for (; isdigit((unsigned char)*s) || *s == ','; s = end) {
		n = strtoul(s + (*s == ','), &end, 10);
		n = n < MAX_SIZE ? n + 1 : MAX_SIZE;
		most = n > most ? n : most;
	}
	*p = *s == '}' ? s : s - 1;
	return most;
}

/* One element or repeat at *p, which moves to its last character. */
static const char *take(struct sizes *s, const char **p)
{
	size_t group;

	switch (**p) {
	case '\\':
		if ((*p)[1] >= '1' && (*p)[1] <= '9')
			return "back-references are not supported";
		*p += (*p)[1] != '\0';
		add(s, 1);
		break;
	case '[':
		*p = end_of_bracket(*p);
		add(s, 1);
		break;
	case '(':
		if (s->depth == MAX_DEPTH)
			return "too many groups within each other";
		s->all[++s->depth] = 0;
		break;
	case ')':
		group = s->depth ? s->all[s->depth--] : 0;
		add(s, group + 1);
		break;
	case '*':
	case '?':
	case '+':
	case '{':
		group = s->last * times(p) + 1;
		s->all[s->depth] += group - s->last;
		s->last = group;
		break;
	default:
		add(s, 1);
	}
	return s->all[s->depth] > MAX_SIZE ? "too long with its repeats written out" : NULL;
}

const char *nt_pattern_refused(const char *re)
{
	struct sizes s = { .depth = 0 };
	const char *why = NULL;

	for (; *re && !why; re++)
		why = take(&s, &re);
	return why;
}
