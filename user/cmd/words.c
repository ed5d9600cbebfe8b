// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool nt_word_format(struct nt_view_opts *v, const char *name)
{
	static const char *const names[] = {
		[NT_FORMAT_TABLE] = "table", [NT_FORMAT_JSON] = "json", [NT_FORMAT_CSV] = "csv",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i])) {
			v->format = i;
			return true;
		}
	}
	return false;
}

bool nt_word_color(struct nt_view_opts *v, const char *when)
{
	if (!strcmp(when, "auto"))
		v->color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	else if (!strcmp(when, "always") || !strcmp(when, "never"))
		v->color = when[0] == 'a';
	else
		return false;
	return true;
}
