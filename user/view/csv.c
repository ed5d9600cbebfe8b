// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/section.h"

/* RFC 4180: quotes around what holds a comma, a quote or a line break; quotes doubled. */
static void put_field(FILE *out, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		fputs(s, out);
		return;
	}
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

/* The fewest digits that read back as the same number. */
static void put_number(FILE *out, double v)
{
	char buf[40];
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	fputs(buf, out);
}

static int put_metric(FILE *out, const struct nt_kv *kv)
{
	char *key = nt_safe(kv->key);

	if (!key)
		return -ENOMEM;
	if (isfinite(kv->value)) {
		put_field(out, key);
		fputc(',', out);
		put_number(out, kv->value);
		fputc('\n', out);
	}
	free(key);
	return 0;
}

int nt_report_csv(FILE *out, const struct nt_run *r)
{
	struct nt_kvs m = { 0 };
	size_t i;
	int err = nt_run_metrics(r, &m);

	if (!err)
		fputs("key,value\n", out);
	for (i = 0; !err && i < m.n; i++)
		err = put_metric(out, &m.v[i]);
	nt_kvs_free(&m);
	return err;
}
