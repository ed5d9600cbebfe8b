/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which version of a known workload is about to run: scores of some cannot be compared. */
#ifndef NT_COLLECT_TOOL_H
#define NT_COLLECT_TOOL_H

/*
 * "stress-ng 0.15.06", for the caller to free; NULL: not stress-ng, or it did not tell. Asked
 * by running it with --version as the command will run, for a second at most; a script of that
 * name is not run.
 */
char *nt_tool_version(char *const *argv, const char *user);

/* The same from what stress-ng --version printed. */
char *nt_tool_of_output(const char *text);

#endif
