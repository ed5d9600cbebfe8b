/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload's own score, read from the lines it prints: stress-ng's metric rows, and
 * rules of the user.
 */
#ifndef NT_COLLECT_SCORE_H
#define NT_COLLECT_SCORE_H

#include <regex.h>
#include <stdbool.h>

#include "model/error.h"
#include "model/run.h"

struct nt_score_rule {
	char *key;
	char *pattern;		/* as the user wrote it */
	regex_t re;		/* its first group is the number */
	bool matched;		/* at least one line, number or not */
	bool found;
	double value;
};

struct nt_scores {
	bool stress_ng;		/* its metric rows are read */
	bool bare_rows;		/* --log-brief: rows have no prefix once the header was seen */
	struct nt_score_rule *rule;
	size_t nrules;
	struct nt_score *v;	/* rows read so far, last value of each key */
	size_t n;
};

/*
 * rules: "NAME=REGEX" (POSIX extended). builtin: know stress-ng by argv. 0, -EINVAL with
 * a sentence for a bad rule, or -ENOMEM.
 */
int nt_scores_init(struct nt_scores *s, const char *const *rules, size_t nrules,
		   char *const *argv, bool builtin, struct nt_error *e);
void nt_scores_free(struct nt_scores *s);

/* Whether the command's output must be seen at all. */
bool nt_scores_wanted(const struct nt_scores *s);

/* One line of output, without its end. Memory that is lacking loses that row only. */
void nt_scores_line(struct nt_scores *s, const char *line);

/*
 * At the end of a run: hands the scores over, the user's rules last, and is ready for the
 * next run. Adds a note for each rule that found nothing. 0 or -ENOMEM.
 */
int nt_scores_finish(struct nt_scores *s, struct nt_run *r);

/*
 * Advice about a stress-ng command line before it starts: how it would give a score, and
 * that it has no end. Returns how many lines were set (static strings).
 */
int nt_scores_advice(char *const *argv, const char *line[2]);

#endif
