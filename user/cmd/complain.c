// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "model/text.h"

static void say(const char *fmt, va_list ap, const char *hint)
{
	char *text = NULL, *safe = NULL;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	if (text)
		safe = nt_text_printable(text);
	fprintf(stderr, "numatrace: %s%s\n", safe ? safe : "out of memory", hint);
	free(safe);
	free(text);
}

void nt_complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap, "");
	va_end(ap);
}

int nt_bad_usage(const char *command, const char *fmt, ...)
{
	char hint[80];
	va_list ap;

	snprintf(hint, sizeof(hint), "; numatrace %s --help shows the options", command);
	va_start(ap, fmt);
	say(fmt, ap, hint);
	va_end(ap);
	return NT_EXIT_FAILED;
}
