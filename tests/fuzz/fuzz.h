/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the targets of the fuzzer share. A target is one function over bytes; whatever must
 * hold of any input is said by nt_must, which ends the program and so keeps the input.
 */
#ifndef NT_FUZZ_H
#define NT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file of these bytes, for readers that take a path. It lasts until the next call. */
const char *nt_fuzz_file(const uint8_t *data, size_t size);

/* The bytes as a string, without those from the first NUL on; to be freed. */
char *nt_fuzz_text(const uint8_t *data, size_t size);

void nt_must(bool holds, const char *what);

/* Nothing in it moves a terminal's cursor, changes its colours or is no UTF-8. */
void nt_must_be_printable(const char *text, size_t len);

#endif
