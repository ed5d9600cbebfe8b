// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/compare.h"

const char *const nt_compare_format_name[] = {
	[NT_COMPARE_TABLE] = "table",
	[NT_COMPARE_JSON] = "json",
	[NT_COMPARE_CSV] = "csv",
	[NT_COMPARE_MARKDOWN] = "markdown",
	NULL,
};

int nt_compare_print(FILE *out, const struct nt_compare *c, const struct nt_compare_view *v)
{
	switch (v->format) {
	case NT_COMPARE_JSON:
		return nt_compare_json(out, c);
	case NT_COMPARE_CSV:
		return nt_compare_csv(out, c);
	case NT_COMPARE_MARKDOWN:
		return nt_compare_markdown(out, c, v);
	default:
		return nt_compare_table(out, c, v);
	}
}
