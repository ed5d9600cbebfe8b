// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/cpulist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BITS	((int)(8 * sizeof(unsigned long)))

static int grow(struct nt_cpuset *s, int cpu)
{
	size_t need = (size_t)cpu / WORD_BITS + 1, words = s->words ? s->words : 1;
	unsigned long *word;

	if (need <= s->words)
		return 0;
	while (words < need)
		words *= 2;
	word = realloc(s->word, words * sizeof(*word));
	if (!word)
		return -ENOMEM;
	memset(word + s->words, 0, (words - s->words) * sizeof(*word));
	s->word = word;
	s->words = words;
	return 0;
}

int nt_cpuset_add(struct nt_cpuset *s, int cpu)
{
	int err;

	if (cpu < 0 || cpu >= NT_CPU_LIMIT)
		return -EINVAL;
	err = grow(s, cpu);
	if (err)
		return err;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): grow() made room */
	s->word[cpu / WORD_BITS] |= 1ul << cpu % WORD_BITS;
	return 0;
}

bool nt_cpuset_test(const struct nt_cpuset *s, int cpu)
{
	return cpu >= 0 && (size_t)cpu / WORD_BITS < s->words &&
	       s->word[cpu / WORD_BITS] >> cpu % WORD_BITS & 1;
}

unsigned int nt_cpuset_count(const struct nt_cpuset *s)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < s->words; i++)
		n += (unsigned int)__builtin_popcountl(s->word[i]);
	return n;
}

bool nt_cpuset_equal(const struct nt_cpuset *a, const struct nt_cpuset *b)
{
	size_t words = a->words > b->words ? a->words : b->words, i;

	for (i = 0; i < words; i++)
		if ((i < a->words ? a->word[i] : 0) != (i < b->words ? b->word[i] : 0))
			return false;
	return true;
}

int nt_cpuset_next(const struct nt_cpuset *s, int cpu)
{
	size_t i = (size_t)cpu / WORD_BITS;
	unsigned long word;

	if (i >= s->words)
		return -1;
	word = s->word[i] & ~0ul << cpu % WORD_BITS;
	while (!word) {
		if (++i >= s->words)
			return -1;
		word = s->word[i];
	}
	return (int)i * WORD_BITS + __builtin_ctzl(word);
}

int nt_cpuset_last(const struct nt_cpuset *s)
{
	size_t i;

	for (i = s->words; i--;)
		if (s->word[i])
			return (int)i * WORD_BITS + WORD_BITS - 1 - __builtin_clzl(s->word[i]);
	return -1;
}

void nt_cpuset_clear(struct nt_cpuset *s)
{
	if (s->words)
		memset(s->word, 0, s->words * sizeof(*s->word));
}

void nt_cpuset_free(struct nt_cpuset *s)
{
	free(s->word);
	*s = (struct nt_cpuset){ 0 };
}

/* A CPU number at *p, which moves behind it; -EINVAL if there is none or it is too high. */
static int number(const char **p)
{
	int v = 0;

	if (**p < '0' || **p > '9')
		return -EINVAL;
	for (; **p >= '0' && **p <= '9'; (*p)++) {
		v = v * 10 + (**p - '0');
		if (v >= NT_CPU_LIMIT)
			return -EINVAL;
	}
	return v;
}

/* Behind a range: ":USED/GROUP", the first USED of every GROUP CPUs. Absent: all of them. */
static int stride(const char **p, int *used, int *group)
{
	*used = *group = 1;
	if (**p != ':')
		return 0;
	(*p)++;
	*used = number(p);
	if (*used <= 0 || **p != '/')
		return -EINVAL;
	(*p)++;
	*group = number(p);
	return *group >= *used ? 0 : -EINVAL;
}

static int region(struct nt_cpuset *s, const char **p)
{
	int first = number(p), last = first, used = 1, group = 1, cpu, err;

	if (first < 0)
		return first;
	if (**p == '-') {
		(*p)++;
		last = number(p);
		if (last < first)
			return -EINVAL;
		err = stride(p, &used, &group);
		if (err)
			return err;
	}
	for (cpu = first; cpu <= last; cpu++) {
		if ((cpu - first) % group >= used)
			continue;
		err = nt_cpuset_add(s, cpu);
		if (err)
			return err;
	}
	return 0;
}

int nt_cpuset_parse(struct nt_cpuset *s, const char *list)
{
	struct nt_cpuset out = { 0 };
	const char *p = list;
	int err = 0;

	if (*p && *p != '\n') {
		err = region(&out, &p);
		while (!err && *p == ',') {
			p++;
			err = region(&out, &p);
		}
	}
	if (!err && strcmp(p, "") && strcmp(p, "\n"))
		err = -EINVAL;
	if (err) {
		nt_cpuset_free(&out);
		return err;
	}
	nt_cpuset_free(s);
	*s = out;
	return 0;
}

/* First number above cpu that is not in the set. */
static int gap_after(const struct nt_cpuset *s, int cpu)
{
	while (nt_cpuset_test(s, cpu))
		cpu++;
	return cpu;
}

char *nt_cpuset_format(const struct nt_cpuset *s)
{
	const char *comma = "";
	char *out = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&out, &len);
	int cpu, end;

	if (!f)
		return NULL;
	for (cpu = nt_cpuset_next(s, 0); cpu >= 0; cpu = nt_cpuset_next(s, end)) {
		end = gap_after(s, cpu);
		fprintf(f, "%s%d", comma, cpu);
		comma = ",";
		if (end > cpu + 1)
			fprintf(f, "-%d", end - 1);
	}
	if (fclose(f)) {
		free(out);
		return NULL;
	}
	return out;
}
