/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands: options in, exit status out. */
#ifndef NT_CMD_CMD_H
#define NT_CMD_CMD_H

#include <stdbool.h>

#ifndef NT_VERSION
#define NT_VERSION "0.1.0"
#endif

/* Exit status when numatrace itself failed; the command's own is passed on otherwise. */
#define NT_EXIT_FAILED 125

/* Does the user's locale say UTF-8? Leaves the process in the C locale. */
bool nt_utf8_wanted(void);

/* argv[0] is the subcommand's name, or numatrace's where it was left out. */
int nt_cmd_run(int argc, char **argv);
int nt_cmd_report(int argc, char **argv);
int nt_cmd_compare(int argc, char **argv);
int nt_cmd_snapshot(int argc, char **argv);
int nt_cmd_domains(int argc, char **argv);
int nt_cmd_features(int argc, char **argv);
int nt_cmd_top(int argc, char **argv);

#endif
