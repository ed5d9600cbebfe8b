/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes wrong, on stderr. */
#ifndef NT_CMD_COMPLAIN_H
#define NT_CMD_COMPLAIN_H

/*
 * One line, "numatrace: ...". Words in it may come from anybody (file names, arguments, records):
 * what would move a terminal's cursor or break the line is printed as \xHH.
 */
void nt_complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same about a subcommand's options, and where to read of them. Returns NT_EXIT_FAILED. */
int nt_bad_usage(const char *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
