/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stress-ng as its arguments and its output show it. Plain text in, no I/O. */
#ifndef NT_COLLECT_STRESS_NG_H
#define NT_COLLECT_STRESS_NG_H

#include <stdbool.h>

struct nt_stress_args {
	bool metrics;		/* prints metric rows */
	bool ends;		/* has a timeout, or a number of operations */
	bool no_stress;		/* help, version, dry run; or a job file that may say the rest */
};

struct nt_stress_row {
	char name[64];
	double ops, ops_per_sec;	/* per second of real time */
};

bool nt_is_stress_ng(const char *argv0);
void nt_stress_args(char *const *argv, struct nt_stress_args *a);

/*
 * A metric row: after "stress-ng: metrc: [pid]" (info: before 0.15.05; a time of day in
 * front of it with --timestamp), or with nothing in front if bare (--log-brief).
 */
bool nt_stress_row(const char *line, bool bare, struct nt_stress_row *row);

/* The header of the rows without a prefix. */
bool nt_stress_bare_header(const char *line);

/* A whole number as C writes it, whatever the locale; blanks around it are allowed. */
bool nt_number(const char *s, double *v);

#endif
