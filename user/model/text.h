/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes that may be anything (arguments, names) as text that is always valid
 * UTF-8, and back.
 */
#ifndef NT_MODEL_TEXT_H
#define NT_MODEL_TEXT_H

#include <stddef.h>

/* Length of the valid UTF-8 character at s, 1 to 4; 0 if there is none. */
size_t nt_utf8_len(const char *s);

/* The code point of the valid character of len bytes at s. */
unsigned int nt_utf8_code(const char *s, size_t len);

/*
 * For JSON: valid UTF-8 stays as it is; every other byte becomes \xHH, and so do the control
 * and direction-changing characters that JSON itself leaves alone (those from DEL on). A
 * backslash that would read as such an escape becomes \x5c, so that decoding gives back the
 * same bytes. NULL: out of memory.
 */
char *nt_text_encode(const char *s);

/* Undo nt_text_encode in place. */
void nt_text_decode(char *s);

/* Like encode, for people: those below DEL, line breaks and tabs too, become \xHH. */
char *nt_text_printable(const char *s);

/* The words of a command as one would type them to a shell, printable. */
char *nt_text_command(char *const *argv);

#endif
