// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t nt_utf8_len(const char *str)
{
	const unsigned char *s = (const unsigned char *)str;
	unsigned int code;
	size_t len, i;

	if (s[0] < 0x80)
		return 1;
	len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	for (i = 1; i < len; i++)	/* stops at the closing NUL, too */
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	code = nt_utf8_code(str, len);
	if (len == 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)))
		return 0;
	if (len == 4 && (code < 0x10000 || code > 0x10ffff))
		return 0;
	return len;
}

unsigned int nt_utf8_code(const char *str, size_t len)
{
	static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	const unsigned char *s = (const unsigned char *)str;
	unsigned int code = s[0] & first[len];
	size_t i;

	for (i = 1; i < len; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

static bool is_escape(const char *s)
{
	return s[0] == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) &&
	       isxdigit((unsigned char)s[3]);
}

/* Characters that move the cursor, clear the screen or reorder what is beside them. */
static bool is_control(unsigned int c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* Control characters from this code on, and bytes that are no character, as \xHH. */
static char *escape(const char *s, unsigned int from)
{
	char *out = malloc(4 * strlen(s) + 1), *p = out;
	size_t len, i;

	if (!out)
		return NULL;
	for (; *s; s += len) {
		unsigned int code;

		len = nt_utf8_len(s);
		code = len ? nt_utf8_code(s, len) : 0;
		if (len && !is_escape(s) && !(code >= from && is_control(code))) {
			memcpy(p, s, len);
			p += len;
			continue;
		}
		len = len ? len : 1;
		for (i = 0; i < len; i++)
			p += sprintf(p, "\\x%02x", (unsigned char)s[i]);
	}
	*p = '\0';
	return out;
}

char *nt_text_encode(const char *s)
{
	return escape(s, 0x7f);
}

char *nt_text_printable(const char *s)
{
	return escape(s, 0);
}

void nt_text_decode(char *s)
{
	char *p = s;

	while (*s) {
		if (is_escape(s)) {
			char hex[3] = { s[2], s[3], '\0' };

			*p++ = (char)strtoul(hex, NULL, 16);
			s += 4;
		} else {
			*p++ = *s++;
		}
	}
	*p = '\0';
}

static bool needs_quotes(const char *s)
{
	if (!*s)
		return true;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("%+,-./:=@_^", *s) &&
		    !((unsigned char)*s & 0x80))
			return true;
	return false;
}

/* Append one word to p, quoted where a shell would need it; returns the new end. */
static char *put_word(char *p, const char *s)
{
	bool quotes = needs_quotes(s);

	if (quotes)
		*p++ = '\'';
	for (; *s; s++) {
		if (*s == '\'')
			p = stpcpy(p, "'\\''");
		else
			*p++ = *s;
	}
	if (quotes)
		*p++ = '\'';
	return p;
}

char *nt_text_command(char *const *argv)
{
	size_t len = 1;
	char *raw, *p, *out;
	int i;

	for (i = 0; argv[i]; i++)
		len += 4 * strlen(argv[i]) + 3;
	raw = calloc(1, len);
	if (!raw)
		return NULL;
	for (p = raw, i = 0; argv[i]; i++) {
		if (i)
			*p++ = ' ';
		p = put_word(p, argv[i]);
	}
	*p = '\0';
	out = nt_text_printable(raw);
	free(raw);
	return out;
}
