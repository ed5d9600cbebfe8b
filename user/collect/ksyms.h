/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of kernel functions as the linker left them. */
#ifndef NT_COLLECT_KSYMS_H
#define NT_COLLECT_KSYMS_H

#include <stddef.h>

#define NT_SYMBOL	128	/* room for the name of a symbol; the kernel's limit is 512 */

enum nt_ksym {
	NT_KSYM_NONE,		/* inlined, or not in this kernel */
	NT_KSYM_FOUND,		/* that very name, or NAME.llvm.N: renamed, otherwise as written */
	NT_KSYM_COPY,		/* NAME.isra.N, .constprop.N, .part.N: made to other arguments */
};

/*
 * Look a function up in the text of /proc/kallsyms; its symbol into buf. The cold half of a
 * function (NAME.cold) is no place to hook and counts as nothing.
 */
enum nt_ksym nt_ksym_find(const char *kallsyms, const char *func, char *buf, size_t size);

#endif
