// SPDX-License-Identifier: GPL-2.0-or-later
/* A command's output under --score: the first line is the rule, the rest is what it printed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/score.h"
#include "collect/stress_ng.h"
#include "fuzz.h"

static void read_lines(struct nt_scores *s, char *text)
{
	char *save, *line;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		nt_scores_line(s, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const argv[] = { "stress-ng", "--fstat", "4", "--metrics", NULL };
	char *text = nt_fuzz_text(data, size), *output = text + strcspn(text, "\n");
	const char *rule = text;
	struct nt_run run = { 0 };
	struct nt_scores s;
	struct nt_error e;

	if (*output)
		*output++ = '\0';
	if (!nt_scores_init(&s, &rule, *rule != '\0', argv, true, &e)) {
		read_lines(&s, output);
		nt_must(!nt_scores_finish(&s, &run), "there is memory");
		for (size_t i = 0; i < run.nscores; i++)
			nt_must(isfinite(run.score[i].value), "a score is a number");
		nt_scores_free(&s);
		nt_run_free(&run);
	}
	free(text);
	return 0;
}
