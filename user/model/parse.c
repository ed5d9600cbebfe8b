// SPDX-License-Identifier: GPL-2.0-or-later
/* By hand and not by strtod(): that one takes signs, hex, inf and the locale's comma. */
#include "model/parse.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define NSEC_PER_SEC	1000000000ull
#define FRACTION_DIGITS	9

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits at *s, which moves behind them. -EINVAL if there are none. */
static int digits(const char **s, uint64_t *out)
{
	bool fits = true;
	uint64_t v = 0;

	if (!is_digit(**s))
		return -EINVAL;
	for (; is_digit(**s); (*s)++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(**s - '0'), &v))
			fits = false;
	*out = v;
	return fits ? 0 : -ERANGE;
}

/* The digits behind a dot as billionths; what is smaller than that is dropped. */
static int fraction(const char **s, uint64_t *out)
{
	uint64_t v = 0;
	int n;

	if (!is_digit(**s))
		return -EINVAL;
	for (n = 0; is_digit(**s); (*s)++)
		if (n < FRACTION_DIGITS) {
			v = v * 10 + (uint64_t)(**s - '0');
			n++;
		}
	for (; n < FRACTION_DIGITS; n++)
		v *= 10;
	*out = v;
	return 0;
}

static uint64_t unit_ns(const char *suffix)
{
	if (!*suffix || !strcmp(suffix, "s"))
		return NSEC_PER_SEC;
	if (!strcmp(suffix, "ms"))
		return 1000000;
	if (!strcmp(suffix, "m"))
		return 60 * NSEC_PER_SEC;
	return 0;
}

int nt_parse_duration(const char *s, uint64_t *ns)
{
	uint64_t whole = 0, frac = 0, unit;
	int err = 0;

	if (*s != '.')
		err = digits(&s, &whole);
	if (err == -EINVAL)
		return err;
	if (*s == '.') {
		s++;
		if (fraction(&s, &frac))
			return -EINVAL;
	}
	unit = unit_ns(s);
	if (!unit)
		return -EINVAL;
	if (err)
		return err;
	frac = unit >= NSEC_PER_SEC ? frac * (unit / NSEC_PER_SEC) : frac / (NSEC_PER_SEC / unit);
	if (__builtin_mul_overflow(whole, unit, &whole) ||
	    __builtin_add_overflow(whole, frac, &whole))
		return -ERANGE;
	*ns = whole;
	return 0;
}

int nt_parse_count(const char *s, unsigned long min, unsigned long max, unsigned long *out)
{
	uint64_t v;
	int err = digits(&s, &v);

	if (err == -EINVAL || *s)
		return -EINVAL;
	if (err || v < min || v > max)
		return -ERANGE;
	*out = (unsigned long)v;
	return 0;
}
