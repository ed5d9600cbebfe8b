/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does this kernel permit? Every answer comes from its BTF or from trying, never from
 * its version number. Nothing tried here is attached or stays.
 */
#ifndef NT_COLLECT_PROBE_H
#define NT_COLLECT_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/run.h"

struct btf;

/* The kernel's BTF; NULL and errno (ENOENT: built without CONFIG_DEBUG_INFO_BTF). */
struct btf *nt_probe_btf(void);

/* Is there a tracepoint of that name for programs of type tp_btf? */
bool nt_probe_tracepoint(const struct btf *btf, const char *name);

/* Number of arguments of a kernel function, or -ENOENT. */
int nt_probe_args(const struct btf *btf, const char *func);

/*
 * The bits of sched_domain.flags by name ("SD_NUMA", 0x2000): they move from version to
 * version, so they are taken from the enumerators that include/linux/sched/sd_flags.h
 * (5.9) makes. Nothing where BTF lacks them. 0 or -ENOMEM.
 */
int nt_probe_sd_flags(const struct btf *btf, struct nt_kvs *out);

/*
 * May an fexit program hook that function? 0, or -errno of the attempt: -ENOENT no such
 * function in BTF or no symbol of that very name, -EPERM refused, -ENOTSUP the hooks are
 * switched off (kernel.ftrace_enabled=0: they would attach and stay silent).
 */
int nt_probe_fexit(const struct btf *btf, const char *func);

/* May programs call bpf_probe_read_kernel? Not under lockdown in confidentiality mode. */
bool nt_probe_read_allowed(void);

/*
 * Names of the capabilities that loading needs and the process lacks, or NULL if it has
 * them all. Static text.
 */
const char *nt_probe_missing_caps(void);

/* The cause of a failed hook in words, static text. */
const char *nt_probe_why(int err);

#endif
