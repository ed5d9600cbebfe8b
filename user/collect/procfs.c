// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/procfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_COLUMNS	4	/* user nice system idle: as old as /proc/stat */
#define KEY_MAX		96

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

/* The number at *p, which moves behind it. -EINVAL if there is none or it is too big. */
static int number(const char **p, uint64_t *out)
{
	const char *s = *p;
	uint64_t v = 0;

	if (*s < '0' || *s > '9')
		return -EINVAL;
	for (; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return -EINVAL;
	*p = s;
	*out = v;
	return 0;
}

static bool ends_word(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

/* Make *array, of *cap elements, hold element i. */
static int reserve(void **array, int *cap, size_t size, int i)
{
	int want = *cap ? *cap : 64;
	void *grown;

	if (i < *cap)
		return 0;
	while (want <= i)
		want *= 2;
	grown = realloc(*array, (size_t)want * size);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*cap = want;
	return 0;
}

/* The CPU of "cpu12" at *p, which moves behind it. */
static int cpu_number(const char **p, int *cpu)
{
	uint64_t v;

	*p += strlen("cpu");
	if (number(p, &v) || v >= NT_CPU_LIMIT || !ends_word(**p))
		return -EINVAL;
	*cpu = (int)v;
	return 0;
}

/* Kernels have added columns at the end; what an older one lacks is 0. */
static int stat_row(const char *p, struct nt_cpustat *out)
{
	uint64_t ignored, *tick;
	int cpu, n, err = cpu_number(&p, &cpu);
	void *array = out->tick;

	if (err)
		return err;
	err = reserve(&array, &out->cap, sizeof(*out->tick), cpu);
	out->tick = array;
	if (err)
		return err;
	tick = out->tick[cpu];
	memset(tick, 0, sizeof(*out->tick));
	for (n = 0, p = skip_blanks(p); *p && *p != '\n'; n++, p = skip_blanks(p))
		if (number(&p, n < NT_NTICK ? &tick[n] : &ignored) || !ends_word(*p))
			return -EINVAL;
	return n < MIN_COLUMNS ? -EINVAL : nt_cpuset_add(&out->cpus, cpu);
}

int nt_parse_stat(const char *buf, struct nt_cpustat *out)
{
	const char *p = buf;
	bool any = false;
	int err;

	nt_cpuset_clear(&out->cpus);
	out->has_ctxt = false;
	for (; !strncmp(p, "cpu", 3); p = next_line(p)) {
		if (p[3] == ' ')	/* the sum of the rows, and not of one instant with them */
			continue;
		err = stat_row(p, out);
		if (err)
			return err;
		any = true;
	}
	p = strstr(p, "\nctxt ");
	if (p) {
		p += strlen("\nctxt ");
		out->has_ctxt = !number(&p, &out->ctxt);
	}
	return any ? 0 : -EINVAL;
}

void nt_cpustat_free(struct nt_cpustat *s)
{
	nt_cpuset_free(&s->cpus);
	free(s->tick);
	*s = (struct nt_cpustat){ 0 };
}

/* "  CPU0  CPU2 ...": the columns need not be CPU 0, 1, 2. */
static int softirq_header(const char *p, struct nt_cpucount *out)
{
	void *count = out->count, *column = out->column;
	int cpu, err, count_cap = out->cap, column_cap = out->cap;

	out->columns = 0;
	for (p = skip_blanks(p); !strncmp(p, "CPU", 3); p = skip_blanks(p)) {
		err = cpu_number(&p, &cpu);
		if (err)
			return err;
		err = reserve(&count, &count_cap, sizeof(*out->count),
			      cpu > out->columns ? cpu : out->columns);
		out->count = count;
		if (err)
			return err;
		/* In step with count: as long, so that one cap is enough. */
		err = reserve(&column, &column_cap, sizeof(*out->column), count_cap - 1);
		out->column = column;
		if (err)
			return err;
		out->cap = count_cap;
		out->column[out->columns++] = cpu;
	}
	return out->columns && (!*p || *p == '\n') ? 0 : -EINVAL;
}

int nt_parse_softirqs(const char *buf, const char *row, struct nt_cpucount *out)
{
	size_t len = strlen(row);
	const char *p;
	int n, err;

	nt_cpuset_clear(&out->cpus);
	err = softirq_header(buf, out);
	if (err)
		return err;
	for (p = next_line(buf); *p; p = next_line(p)) {
		p = skip_blanks(p);
		if (!strncmp(p, row, len) && p[len] == ':')
			break;
	}
	if (!*p)
		return -ENOENT;
	p = skip_blanks(p + len + 1);
	for (n = 0; *p && *p != '\n'; n++, p = skip_blanks(p)) {
		if (n == out->columns || number(&p, &out->count[out->column[n]]) || !ends_word(*p))
			return -EINVAL;
		err = nt_cpuset_add(&out->cpus, out->column[n]);
		if (err)
			return err;
	}
	return 0;
}

void nt_cpucount_free(struct nt_cpucount *c)
{
	nt_cpuset_free(&c->cpus);
	free(c->count);
	free(c->column);
	*c = (struct nt_cpucount){ 0 };
}

/* Put a value in place i if the key is there already, else where it is, else at the end. */
static int put(struct nt_kvs *out, size_t i, const char *key, double value)
{
	const struct nt_kv *kv = nt_kvs_near(out, key, i);

	if (!kv)
		return nt_kvs_append(out, key, value);
	out->v[kv - out->v].value = value;
	return 0;
}

int nt_parse_pairs(const char *buf, const char *prefix, bool (*wanted)(const char *key),
		   struct nt_kvs *out)
{
	size_t before = strlen(prefix), len, i = 0;
	char key[KEY_MAX];
	const char *p, *v;
	uint64_t value;

	if (before >= sizeof(key))
		return -EINVAL;
	memcpy(key, prefix, before);
	/* Where the first key of this file is, if it has been read before. */
	while (i < out->n && strncmp(out->v[i].key, prefix, before))
		i++;
	for (p = buf; *p; p = next_line(p)) {
		len = strcspn(p, " \t\n");
		v = skip_blanks(p + len);
		if (!len || before + len >= sizeof(key))
			continue;
		memcpy(key + before, p, len);
		key[before + len] = '\0';
		if (!wanted(key + before) || number(&v, &value) || !ends_word(*v))
			continue;
		if (put(out, i++, key, (double)value))
			return -ENOMEM;
	}
	return 0;
}

bool nt_want_all(const char *key)
{
	(void)key;
	return true;
}

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

bool nt_want_vmstat(const char *key)
{
	return begins(key, "numa_") || begins(key, "pgmigrate_") || begins(key, "pgpromote_") ||
	       begins(key, "pgdemote_");
}

/* What the test robot takes for counters; the other nr_ and workingset_ rows are levels. */
bool nt_want_node_vmstat(const char *key)
{
	return begins(key, "numa_") || begins(key, "pg") || !strcmp(key, "nr_dirtied") ||
	       !strcmp(key, "nr_written") || !strcmp(key, "nr_vmscan_immediate_reclaim");
}

int nt_parse_node_meminfo(const char *buf, struct nt_kvs *out)
{
	char key[KEY_MAX];
	const char *p, *v;
	uint64_t value;
	size_t len, i = 0;

	for (p = buf; *p; p = next_line(p)) {
		v = p;
		if (!begins(v, "Node "))
			continue;
		v += strlen("Node ");
		v = skip_blanks(v + strspn(v, "0123456789"));
		len = strcspn(v, ":\n");
		if (v[len] != ':' || len >= sizeof(key))
			continue;
		memcpy(key, v, len);
		key[len] = '\0';
		v = skip_blanks(v + len + 1);
		if (number(&v, &value) || strncmp(v, " kB", 3) || !ends_word(v[3]))
			continue;
		if (put(out, i++, key, (double)value))
			return -ENOMEM;
	}
	return 0;
}
