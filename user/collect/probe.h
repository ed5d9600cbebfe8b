/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does this kernel permit? Every answer comes from its BTF or from trying, never from
 * its version number. Nothing tried here stays.
 */
#ifndef NT_COLLECT_PROBE_H
#define NT_COLLECT_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/run.h"

struct btf;

/* Reasons that no errno stands for. Functions return them negated, as they do an errno. */
enum nt_refused {
	NT_REFUSED_DENIED = 5000,	/* by NUMATRACE_DENY */
	NT_REFUSED_CAPS,		/* the process lacks capabilities */
	NT_REFUSED_NO_BTF,
	NT_REFUSED_ARGS,		/* the function has other arguments */
	NT_REFUSED_INT_PTR,		/* the verifier cannot read an int * */
	NT_REFUSED_COPY,		/* only copies of it, made to other arguments */
	NT_REFUSED_READ,		/* no reading of kernel memory (lockdown) */
	NT_REFUSED_FTRACE_OFF,		/* would attach and stay silent, as would the next */
	NT_REFUSED_KPROBES_OFF,
	NT_REFUSED_NO_KPROBES,		/* built without */
	NT_REFUSED_ATTACH,		/* loaded, but does not attach */
};

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
 * May an fexit program hook that function, and read its argument number `arg` (from 0; < 0:
 * none)? 0, or of the attempt -ENOENT no such function in BTF or no symbol of that very name,
 * -EPERM refused, -EACCES the argument cannot be read, -NT_REFUSED_FTRACE_OFF.
 */
int nt_probe_fexit(const struct btf *btf, const char *func, int arg);

/*
 * May a kprobe hook that function and read kernel memory? 0 and the symbol to hook, which the
 * linker may have renamed; -errno of perf_event_open, or -NT_REFUSED_*. On
 * -NT_REFUSED_COPY the symbol is that of the copy.
 */
int nt_probe_kprobe(const char *func, char *symbol, size_t size);

/* May programs call bpf_probe_read_kernel? Not under lockdown in confidentiality mode. */
bool nt_probe_read_allowed(void);

/*
 * Is that word in NUMATRACE_DENY, a list with commas? For tests: the kernel is taken to
 * refuse what is named there. docs/DESIGN.md lists the words.
 */
bool nt_probe_denied(const char *word);

/*
 * Names of the capabilities that loading needs and the process lacks, or NULL if it has
 * them all. Static text.
 */
const char *nt_probe_missing_caps(void);

/* A refusal in words, and what the user can do about it (NULL: nothing). Static text. */
const char *nt_probe_why(int err);
const char *nt_probe_hint(int err);

#endif
