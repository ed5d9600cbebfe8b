/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NT_COLLECT_MEMLIMIT_H
#define NT_COLLECT_MEMLIMIT_H

#include <stdint.h>

/*
 * How much memory the control groups we are in allow, in bytes; UINT64_MAX where there is no
 * limit or none can be read.
 */
uint64_t nt_memory_limit(void);

#endif
