/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people type them. A string is taken whole or refused: "10x" is no number. */
#ifndef NT_MODEL_PARSE_H
#define NT_MODEL_PARSE_H

#include <stdint.h>

/*
 * "250ms", "0.5s", "2m"; a bare number is seconds. 0, -EINVAL, or -ERANGE if it does not fit.
 * Zero is a duration: whether it makes sense is for the caller to say.
 */
int nt_parse_duration(const char *s, uint64_t *ns);

/* A decimal count in [min, max]. 0, -EINVAL, or -ERANGE if outside. */
int nt_parse_count(const char *s, unsigned long min, unsigned long max, unsigned long *out);

#endif
