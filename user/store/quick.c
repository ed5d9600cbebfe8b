// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/quick.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES	65536
#define MAX_DIGITS	18	/* of more the library may refuse a whole number */

static bool begins(const char *line, size_t len, const char *with)
{
	return len > strlen(with) && !memcmp(line, with, strlen(with)) && line[len - 1] == '}';
}

bool nt_quick_sample(const char *line, size_t len)
{
	return begins(line, len, "{\"type\":\"sample\",");
}

/* All below walk a text that ends in a NUL. They return what follows, NULL: not as expected. */

static const char *past_string(const char *p)
{
	if (*p != '"')
		return NULL;
	for (p++;; p += 2) {
		p += strcspn(p, "\"\\");
		if (*p == '"')
			return p + 1;
		if (!*p || !p[1])
			return NULL;
	}
}

/* An object or array, by its brackets alone. */
static const char *past_brackets(const char *p)
{
	size_t depth = 0;

	do {
		p += strcspn(p, "\"{}[]");
		if (*p == '"') {
			p = past_string(p);
			continue;
		}
		if (!*p)
			return NULL;
		depth += *p == '{' || *p == '[' ? 1 : -1UL;
		p++;
	} while (p && depth);
	return p;
}

static const char *past_value(const char *p)
{
	if (*p == '"')
		return past_string(p);
	if (*p == '{' || *p == '[')
		return past_brackets(p);
	return p + strcspn(p, ",}]");
}

static size_t digits(const char *p)
{
	return strspn(p, "0123456789");
}

/* A number as JSON has it, of a size that nobody doubts. */
static const char *past_number(const char *p)
{
	size_t n;

	p += *p == '-';
	n = digits(p);
	if (!n || (n > 1 && *p == '0'))
		return NULL;
	p += n;
	if (*p == '.') {
		if (!digits(p + 1))
			return NULL;
		p += 1 + digits(p + 1);
	}
	if (*p == 'e' || *p == 'E') {
		p += 1 + (p[1] == '+' || p[1] == '-');
		if (!digits(p) || digits(p) > 2)	/* so that none is too large */
			return NULL;
		p += digits(p);
	}
	return n <= MAX_DIGITS ? p : NULL;
}

/* A name that stands in the text as it is: ASCII, no escapes, neither JSON's nor ours. */
static const char *past_name(const char *p)
{
	const char *start = p;

	if (*p != '"')
		return NULL;
	for (p++; *p != '"'; p++)
		if (*p < ' ' || *p > '~' || *p == '\\')
			return NULL;
	return p - start <= NT_QUICK_NAME ? p + 1 : NULL;
}

static const char *past_metrics(const char *p, size_t *n)
{
	if (*p != '{' || p[1] == '}')
		return NULL;
	for (*n = 0; *p == '{' || *p == ','; ++*n) {
		p = past_name(p + 1);
		if (!p || *p != ':')
			return NULL;
		p = past_number(p + 1);
		if (!p)
			return NULL;
	}
	return *p == '}' && *n <= MAX_NAMES ? p + 1 : NULL;
}

static bool make_room(struct nt_quick *q, size_t n)
{
	size_t cap = 64;

	while (cap < 2 * n)
		cap *= 2;
	if (cap > q->cap) {
		free(q->slot);
		q->slot = malloc(cap * sizeof(*q->slot));
		q->cap = q->slot ? cap : 0;
	}
	if (q->slot)
		memset(q->slot, 0, q->cap * sizeof(*q->slot));
	return q->slot;
}

/* FNV-1a */
static size_t hash_of(const struct nt_span *name)
{
	uint64_t h = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < name->len; i++)
		h = (h ^ (unsigned char)name->at[i]) * 0x100000001b3;
	return (size_t)(h ^ h >> 32);
}

/* False: it was there. There is always a free slot. */
static bool add_name(struct nt_quick *q, const struct nt_span *name)
{
	size_t i = hash_of(name) & (q->cap - 1);

	for (; q->slot[i].at; i = (i + 1) & (q->cap - 1))
		if (q->slot[i].len == name->len &&
		    !memcmp(q->slot[i].at, name->at, name->len))
			return false;
	q->slot[i] = *name;
	return true;
}

/* Of a list that past_metrics() has walked. */
static bool all_differ(struct nt_quick *q, const char *p, size_t n)
{
	struct nt_span name;

	if (!make_room(q, n))
		return false;
	for (; *p != '}'; p += strcspn(p, ",}")) {
		name.at = p + 2;
		p = strchr(name.at, '"');
		name.len = (size_t)(p - name.at);
		if (!add_name(q, &name))
			return false;
		p++;		/* the names may hold what separates them */
	}
	return true;
}

static bool is_name(const char *p, const char *end, const char *name)
{
	return (size_t)(end - p) == strlen(name) && !memcmp(p, name, strlen(name));
}

/* Note where a value is; false if there was one of that name. */
static bool note(struct nt_span *s, const char *from, const char *to)
{
	if (!to || s->at)
		return false;
	*s = (struct nt_span){ from, (size_t)(to - from) };
	return true;
}

/* A member of the line; what follows it, NULL: not as expected. */
static const char *past_member(struct nt_quick *q, const char *p, struct nt_span *counters,
			       struct nt_span *metrics)
{
	const char *name = p, *value, *end;
	size_t n;

	p = past_string(p);
	if (!p || *p != ':')
		return NULL;
	value = p + 1;
	if (is_name(name, p, "\"metrics\"")) {
		end = past_metrics(value, &n);
		return counters->at && note(metrics, value, end) && all_differ(q, value, n) ? end :
			NULL;
	}
	end = past_value(value);
	if (is_name(name, p, "\"counters\"") && (*value != '{' || !note(counters, value, end)))
		return NULL;
	return end;
}

void nt_quick_free(struct nt_quick *q)
{
	free(q->slot);
	*q = (struct nt_quick){ 0 };
}

bool nt_quick_end(struct nt_quick *q, const char *line, size_t len, struct nt_span *counters,
		  struct nt_span *metrics)
{
	const char *p = line;

	*counters = *metrics = (struct nt_span){ 0 };
	if (!begins(line, len, "{\"type\":\"end\","))
		return false;
	do {
		p = past_member(q, p + 1, counters, metrics);
	} while (p && *p == ',');
	if (p && p + 1 == line + len && metrics->at)
		return true;
	*counters = *metrics = (struct nt_span){ 0 };
	return false;
}

void nt_quick_metric(const char **at, struct nt_span *name, double *value)
{
	const char *end;
	char *next;

	name->at = *at + 2;		/* past { or , and the quote */
	end = strchr(name->at, '"');
	name->len = (size_t)(end - name->at);
	end += 2;
	next = (char *)end + (*end == '-');
	next += digits(next);
	if (*next == ',' || *next == '}')	/* whole: there is no minus zero among them */
		*value = (double)strtoll(end, NULL, 10);
	else
		*value = strtod(end, &next);
	*at = *next == ',' ? next : NULL;
}
