/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of CPUs, and the lists in which the kernel writes them. */
#ifndef NT_MODEL_CPULIST_H
#define NT_MODEL_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A bitmap that grows. All zeroes is the empty set. Sets live on the heap since cpu_set_t ends
 * at 1024 CPUs and kernels do not.
 */
struct nt_cpuset {
	unsigned long *word;
	size_t words;
};

/* CPU numbers from here on are taken for garbage: eight times what any kernel allows (8192). */
#define NT_CPU_LIMIT	(1 << 16)

/*
 * Replace the set by the one written in list: "0-3,8,10-11", "0-15:2/4", "" and "\n" (empty).
 * 0, -ENOMEM, or -EINVAL if anything in it is no list; the set is then unchanged.
 */
int nt_cpuset_parse(struct nt_cpuset *s, const char *list);

/* The list as the kernel would write it, without a newline; NULL: out of memory. */
char *nt_cpuset_format(const struct nt_cpuset *s);

int nt_cpuset_add(struct nt_cpuset *s, int cpu);		/* 0, -ENOMEM or -EINVAL */
bool nt_cpuset_test(const struct nt_cpuset *s, int cpu);
unsigned int nt_cpuset_count(const struct nt_cpuset *s);
bool nt_cpuset_equal(const struct nt_cpuset *a, const struct nt_cpuset *b);
int nt_cpuset_next(const struct nt_cpuset *s, int cpu);	/* first member >= cpu, or -1 */
int nt_cpuset_last(const struct nt_cpuset *s);		/* highest member, or -1 */
void nt_cpuset_clear(struct nt_cpuset *s);		/* empty it, keep the memory */
void nt_cpuset_free(struct nt_cpuset *s);

#define nt_cpuset_for_each(cpu, s) \
	for ((cpu) = nt_cpuset_next((s), 0); (cpu) >= 0; (cpu) = nt_cpuset_next((s), (cpu) + 1))

#endif
