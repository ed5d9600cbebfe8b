// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/pattern.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE	1000	/* elements, with repeats written out */
#define MAX_DEPTH	32

/* A group that is open. */
struct group {
	size_t size;		/* of what was read of it */
	bool before;		/* what precedes this branch's last element takes a character */
	bool last;		/* and so does that element */
	bool empty_branch;	/* a branch before this one may match nothing */
};

struct reading {
	struct group group[MAX_DEPTH + 1];
	size_t last;		/* size of the element that a repeat would repeat */
	int depth;
};

static bool may_be_empty(const struct group *g)
{
	return g->empty_branch || (!g->before && !g->last);
}

/* takes: at least one character, whatever it matches. */
static void add(struct reading *s, size_t size, bool takes)
{
	struct group *g = &s->group[s->depth];

	g->size += size;
	g->before |= g->last;
	g->last = takes;
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

/*
 * "?", or a repeat. What may match nothing can be repeated in countless ways between two
 * characters, and regexec() tries them one by one to find the groups (glibc 2.36, set_regs()).
 */
static const char *repeat(struct reading *s, const char **p)
{
	struct group *g = &s->group[s->depth];
	bool none = **p == '?' || **p == '*' || (**p == '{' && ((*p)[1] == '0' || (*p)[1] == ','));
	size_t size;

	if (!g->last && **p != '?')
		return "it repeats what may match nothing";
	g->last &= !none;
	size = s->last * times(p) + 1;
	g->size += size - s->last;
	s->last = size;
	return NULL;
}

/* One element or repeat at *p, which moves to its last character. */
static const char *take(struct reading *s, const char **p)
{
	struct group *g = &s->group[s->depth];
	const char *why = NULL;

	switch (**p) {
	case '\\':
		if ((*p)[1] >= '1' && (*p)[1] <= '9')
			return "back-references are not supported";
		*p += (*p)[1] != '\0';
		add(s, 1, !strchr("bB<>`'", **p));
		break;
	case '[':
		*p = end_of_bracket(*p);
		add(s, 1, true);
		break;
	case '(':
		if (s->depth == MAX_DEPTH)
			return "too many groups within each other";
		s->group[++s->depth] = (struct group){ 0 };
		break;
	case ')':
		if (!s->depth) {	/* unpaired, it is a character as any other */
			add(s, 1, true);
			break;
		}
		s->depth--;
		add(s, g->size + 1, !may_be_empty(g));
		break;
	case '|':
		g->size++;
		g->empty_branch = may_be_empty(g);
		g->before = g->last = false;
		break;
	case '*':
	case '?':
	case '+':
	case '{':
		why = repeat(s, p);
		break;
	default:
		add(s, 1, **p != '^' && **p != '$');
	}
	if (!why && s->group[s->depth].size > MAX_SIZE)
		why = "too long with its repeats written out";
	return why;
}

const char *nt_pattern_refused(const char *re)
{
	struct reading s = { .depth = 0 };
	const char *why = NULL;

	for (; *re && !why; re++)
		why = take(&s, &re);
	return why;
}
