/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capabilities: none more than what is being done needs. */
#ifndef NT_COLLECT_CAPS_H
#define NT_COLLECT_CAPS_H

/*
 * While a run is measured: CAP_BPF (kernels before 5.18 ask it of every use of a map where
 * kernel.unprivileged_bpf_disabled is set; commit c8644cd0efe7) or, on those where the process
 * has only that, CAP_SYS_ADMIN; and CAP_KILL for a command that runs as another user. The
 * others are put aside, for nt_caps_restore(). 0 or -errno.
 */
int nt_caps_limit(void);

/* Take back what was put aside: the next run of a series attaches again. 0 or -errno. */
int nt_caps_restore(void);

/* Give up all for good, ambient ones included. Async-signal-safe. 0 or -errno. */
int nt_caps_drop_all(void);

#endif
