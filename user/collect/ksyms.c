// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/ksyms.h"

#include <stdio.h>
#include <string.h>

/* What the symbol at s, which begins with the function's name, is; its length in *len. */
static enum nt_ksym kind_of(const char *s, size_t name, size_t *len)
{
	const char *suffix = s + name;

	*len = strcspn(s, " \t\n");
	if (*len == name)
		return NT_KSYM_FOUND;
	if (*suffix != '.' || memmem(suffix, *len - name, ".cold", 5))
		return NT_KSYM_NONE;
	return strncmp(suffix, ".llvm.", 6) ? NT_KSYM_COPY : NT_KSYM_FOUND;
}

/* Lines are "ADDRESS TYPE NAME" and then perhaps "[MODULE]". */
enum nt_ksym nt_ksym_find(const char *kallsyms, const char *func, char *buf, size_t size)
{
	enum nt_ksym best = NT_KSYM_NONE, kind;
	size_t name = strlen(func), len;
	const char *s = kallsyms;

	buf[0] = '\0';
	while ((s = strstr(s, func))) {
		kind = s > kallsyms && s[-1] == ' ' ? kind_of(s, name, &len) : NT_KSYM_NONE;
		s += name;
		if (kind == NT_KSYM_NONE || best == NT_KSYM_FOUND)
			continue;
		snprintf(buf, size, "%.*s", (int)len, s - name);
		best = kind;
	}
	return best;
}
