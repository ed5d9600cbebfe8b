/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run's header tells, as printable text by which two runs are compared. */
#ifndef NT_MODEL_COMPARE_TELL_H
#define NT_MODEL_COMPARE_TELL_H

#include "model/run.h"

/*
 * *text is the caller's to free; it must be NULL before, and stays so if the header does not
 * tell. which: see below. 0 or -ENOMEM.
 */
typedef int (*nt_tell_fn)(const struct nt_run *head, const char *which, char **text);

/* "2 nodes of 4 CPUs and 1 LLC": sizes, not the numbers of the CPUs. */
int nt_tell_topology(const struct nt_run *head, const char *which, char **text);

/* The command, or what was observed: processes by name, since PIDs differ in each run. */
int nt_tell_command(const struct nt_run *head, const char *which, char **text);

/* "stress-ng 0.15.06"; and of its --fstat, on which side of 0.19.01 it is. */
int nt_tell_tool(const struct nt_run *head, const char *which, char **text);
int nt_tell_fstat(const struct nt_run *head, const char *which, char **text);

/* The value of the label which; "none" if there is no such label. */
int nt_tell_param(const struct nt_run *head, const char *which, char **text);

/* "measured" or "not available"; which is a name in nt_feature_name, itself. */
int nt_tell_feature(const struct nt_run *head, const char *which, char **text);

/* Release of the kernel; machine and model of its CPUs; numatrace's version. */
int nt_tell_kernel(const struct nt_run *head, const char *which, char **text);
int nt_tell_machine(const struct nt_run *head, const char *which, char **text);
int nt_tell_version(const struct nt_run *head, const char *which, char **text);

int nt_tell_isolated(const struct nt_run *head, const char *which, char **text);

/* Value of the setting which. */
int nt_tell_setting(const struct nt_run *head, const char *which, char **text);

/* "0: 0-3, 1: 4-7" of a record's header. */
int nt_tell_nodes(const struct nt_run *head, char **text);

/* Records of ours always have nodes; files of other tools do not tell their machine. */
bool nt_is_record(const struct nt_run *head);

const char *nt_plural(size_t n);	/* "s", or "" of one */

#endif
