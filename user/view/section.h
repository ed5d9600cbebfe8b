/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sections of the report in their order. Each prints its heading, its tables
 * and one line for what it left out; 0 or -ENOMEM.
 */
#ifndef NT_VIEW_SECTION_H
#define NT_VIEW_SECTION_H

#include <stdio.h>

#include "model/run.h"

#define NT_DEFAULT_WIDTH	100

struct nt_section {
	FILE *out;
	const struct nt_run *r;
	bool color;
	bool utf8;		/* sparklines in blocks, not in ASCII */
	int width;
};

int nt_show_summary(const struct nt_section *s);	/* what ran, scores, its own times */
int nt_show_nodes(const struct nt_section *s);
int nt_show_queues(const struct nt_section *s);		/* runnable tasks, by snapshots */
int nt_show_migrations(const struct nt_section *s);
int nt_show_forks(const struct nt_section *s);
int nt_show_placement(const struct nt_section *s);
int nt_show_balance(const struct nt_section *s);
int nt_show_domains(const struct nt_section *s);
int nt_show_memory(const struct nt_section *s);
int nt_show_system(const struct nt_section *s);
int nt_show_footer(const struct nt_section *s);

/* The other formats. */
int nt_report_json(FILE *out, const struct nt_run *r);
int nt_report_csv(FILE *out, const struct nt_run *r);

/* What is printed so far is out: 0, or -errno of the write that failed. */
int nt_flush(FILE *out);

/* An empty line and a title. */
void nt_heading(const struct nt_section *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* "TITLE: not available: WHY" and true if the feature is off. */
bool nt_is_off(const struct nt_section *s, enum nt_feature_id id, const char *title);

/* An indented line, wrapped; 0 or -ENOMEM. */
int nt_line(const struct nt_section *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Printable text of an own string, for the caller to free; "" for NULL. */
char *nt_safe(const char *text);

/* A plain number in 32 bytes: whole ones without decimals, others with two or four digits. */
const char *nt_cell_number(char *buf, size_t len, double v);

/* What ran, printable and for the caller to free; NULL: out of memory. */
char *nt_title(const struct nt_run *r);

/* Something like a matrix of nodes: the number at (from, to). */
typedef uint64_t (*nt_cell_fn)(const struct nt_counters *c, int scope, int from, int to);
uint64_t nt_all_causes(const struct nt_counters *c, int scope, int from, int to);
uint64_t nt_forks(const struct nt_counters *c, int scope, int from, int to);

/* The matrix of the workload, and of the system where it differs. */
int nt_show_matrices(const struct nt_section *s, const char *what, nt_cell_fn cell);

/* A list in words, "a, b, c", grown one by one. */
struct nt_words {
	char *text;
	int n;
	bool failed;
};
void nt_words_add(struct nt_words *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* "LABEL: WORDS" as a line if there are any; frees them. */
int nt_words_line(const struct nt_section *s, struct nt_words *w, const char *label);

#endif
