// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/csv.h"
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

int nt_csv_text(FILE *out, const char *s)
{
	char *text = nt_safe(s);

	if (!text)
		return -ENOMEM;
	put_field(out, text);
	free(text);
	return 0;
}

void nt_csv_number(FILE *out, double v)
{
	char buf[40];
	int digits;

	fputc(',', out);
	if (!isfinite(v))
		return;
	for (digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	fputs(buf, out);
}

static int put_metric(FILE *out, const struct nt_kv *kv)
{
	int err;

	if (!isfinite(kv->value))
		return 0;
	err = nt_csv_text(out, kv->key);
	nt_csv_number(out, kv->value);
	fputc('\n', out);
	return err;
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
