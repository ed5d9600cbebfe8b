// SPDX-License-Identifier: GPL-2.0-or-later
/* A command line, one word a line: options, durations, counts, and a stress-ng behind them. */
#include <stdlib.h>
#include <string.h>

#include "cmd/options.h"
#include "collect/score.h"
#include "collect/stress_ng.h"
#include "fuzz.h"
#include "model/parse.h"

#define WORDS	64

static void parse_word(const char *word)
{
	unsigned long n = 0;
	uint64_t ns;

	nt_parse_duration(word, &ns);
	if (!nt_parse_count(word, 3, 1000, &n))
		nt_must(n >= 3 && n <= 1000, "a count is between its bounds");
}

static void parse_line(int argc, char **argv)
{
	struct nt_error e = { "" };
	struct nt_run_opts o;
	const char *advice[2];

	if (nt_run_opts_parse(&o, argc, argv, &e)) {
		nt_must(*e.msg, "a refusal has a reason");
		return;
	}
	nt_must(o.help || o.version || o.repeat >= 1, "at least one run");
	nt_must(o.help || o.version || o.all || o.npids || (o.argv && *o.argv), "a command");
	if (o.argv)
		nt_must(nt_scores_advice(o.argv, advice) <= 2, "two lines of advice at most");
	nt_run_opts_free(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = nt_fuzz_text(data, size), *argv[WORDS + 1] = { "numatrace" }, *word = text;
	int argc = 1;

	while (word && argc < WORDS) {
		argv[argc++] = strsep(&word, "\n");
		parse_word(argv[argc - 1]);
	}
	parse_line(argc, argv);
	free(text);
	return 0;
}
