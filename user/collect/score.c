// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/pattern.h"
#include "collect/score.h"
#include "collect/stress_ng.h"

static int add_rule(struct nt_score_rule *rule, const char *text, struct nt_error *e)
{
	const char *eq = strchr(text, '='), *refused;
	char why[200];
	int err;

	if (!eq || eq == text || !eq[1])
		return nt_fail(e, -EINVAL, "--score %s: expected NAME=REGEX", text);
	for (const char *c = text; c < eq; c++)
		if (!isgraph((unsigned char)*c))
			return nt_fail(e, -EINVAL, "--score %s: the name must be one word", text);
	refused = nt_pattern_refused(eq + 1);
	if (refused)
		return nt_fail(e, -EINVAL, "--score %.100s: the regular expression: %s", text,
			       refused);
	err = regcomp(&rule->re, eq + 1, REG_EXTENDED);
	if (err) {
		regerror(err, &rule->re, why, sizeof(why));
		return nt_fail(e, -EINVAL, "--score %s: bad regular expression: %s", text, why);
	}
	if (!rule->re.re_nsub) {
		regfree(&rule->re);
		return nt_fail(e, -EINVAL, "--score %s: the regular expression needs a group "
			       "around the number, such as ([0-9.]+)", text);
	}
	rule->key = strndup(text, eq - text);
	rule->pattern = strdup(eq + 1);
	if (rule->key && rule->pattern)
		return 0;
	free(rule->key);
	free(rule->pattern);
	regfree(&rule->re);
	return nt_fail(e, -ENOMEM, "--score %s: %s", text, strerror(ENOMEM));
}

static bool reads_stress_ng(char *const *argv)
{
	struct nt_stress_args a;

	if (!argv || !argv[0] || !nt_is_stress_ng(argv[0]))
		return false;
	nt_stress_args(argv, &a);
	return a.metrics;
}

int nt_scores_init(struct nt_scores *s, const char *const *rules, size_t nrules,
		   char *const *argv, bool builtin, struct nt_error *e)
{
	int err;

	memset(s, 0, sizeof(*s));
	s->stress_ng = builtin && reads_stress_ng(argv);
	s->rule = calloc(nrules + 1, sizeof(*s->rule));
	if (!s->rule)
		return nt_fail(e, -ENOMEM, "--score: %s", strerror(ENOMEM));
	for (size_t i = 0; i < nrules; i++) {
		err = add_rule(&s->rule[i], rules[i], e);
		if (err) {
			nt_scores_free(s);
			return err;
		}
		s->nrules++;
		for (size_t j = 0; j < i; j++) {
			if (strcmp(s->rule[i].key, s->rule[j].key))
				continue;
			nt_fail(e, -EINVAL, "--score: the name %s is given twice", s->rule[i].key);
			nt_scores_free(s);
			return -EINVAL;
		}
	}
	return 0;
}

static void drop_values(struct nt_scores *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].key);
	free(s->v);
	s->v = NULL;
	s->n = 0;
	s->bare_rows = false;
	for (size_t i = 0; i < s->nrules; i++)
		s->rule[i].found = s->rule[i].matched = false;
}

void nt_scores_free(struct nt_scores *s)
{
	drop_values(s);
	for (size_t i = 0; i < s->nrules; i++) {
		free(s->rule[i].key);
		free(s->rule[i].pattern);
		regfree(&s->rule[i].re);
	}
	free(s->rule);
	memset(s, 0, sizeof(*s));
}

bool nt_scores_wanted(const struct nt_scores *s)
{
	return s->stress_ng || s->nrules;
}

static int set_value(struct nt_scores *s, const char *key, double value)
{
	struct nt_score *v;

	for (size_t i = 0; i < s->n; i++) {
		if (!strcmp(s->v[i].key, key)) {
			s->v[i].value = value;
			return 0;
		}
	}
	v = realloc(s->v, (s->n + 1) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	s->v = v;
	v[s->n].key = strdup(key);
	if (!v[s->n].key)
		return -ENOMEM;
	v[s->n++].value = value;
	return 0;
}

static void read_stress_ng(struct nt_scores *s, const char *line)
{
	struct nt_stress_row row;
	char key[sizeof(row.name) + 32];

	if (nt_stress_bare_header(line))
		s->bare_rows = true;
	if (!nt_stress_row(line, s->bare_rows, &row))
		return;
	snprintf(key, sizeof(key), "stress-ng.%s.ops", row.name);
	set_value(s, key, row.ops);
	snprintf(key, sizeof(key), "stress-ng.%s.ops_per_sec", row.name);
	set_value(s, key, row.ops_per_sec);
}

static void apply_rule(struct nt_score_rule *rule, const char *line)
{
	regmatch_t m[2];
	char text[64];
	size_t len;
	double v;

	if (regexec(&rule->re, line, 2, m, 0))
		return;
	rule->matched = true;
	len = m[1].rm_eo - m[1].rm_so;
	if (m[1].rm_so < 0 || len >= sizeof(text))
		return;
	memcpy(text, line + m[1].rm_so, len);
	text[len] = '\0';
	if (!nt_number(text, &v))
		return;
	rule->value = v;
	rule->found = true;
}

void nt_scores_line(struct nt_scores *s, const char *line)
{
	if (s->stress_ng)
		read_stress_ng(s, line);
	for (size_t i = 0; i < s->nrules; i++)
		apply_rule(&s->rule[i], line);
}

int nt_scores_finish(struct nt_scores *s, struct nt_run *r)
{
	int err = 0;

	if (s->stress_ng && !s->n)
		err = nt_run_note(r, "no score: stress-ng printed no metric row");
	for (size_t i = 0; i < s->nrules && !err; i++) {
		const struct nt_score_rule *rule = &s->rule[i];

		if (rule->found)
			err = set_value(s, rule->key, rule->value);
		else
			err = nt_run_note(r, "no score %s: %s %s", rule->key,
					  rule->matched ? "the group held no number in any line "
							  "that matched"
							: "no line of the output matched",
					  rule->pattern);
	}
	r->score = s->v;
	r->nscores = s->n;
	s->v = NULL;
	s->n = 0;
	drop_values(s);
	return err;
}

int nt_scores_advice(char *const *argv, const char *line[2])
{
	struct nt_stress_args a;
	int n = 0;

	if (!argv || !argv[0] || !nt_is_stress_ng(argv[0]))
		return 0;
	nt_stress_args(argv, &a);
	if (a.no_stress)
		return 0;
	if (!a.metrics)
		line[n++] = "stress-ng prints no score without --metrics: add it to have one";
	if (!a.ends)
		line[n++] = "stress-ng runs for 24 hours without --timeout: add -t 10 "
			    "to end after 10 seconds";
	return n;
}
