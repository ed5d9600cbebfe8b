// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report.h"

#include "view/section.h"

static int report_tables(FILE *out, const struct nt_run *r, const struct nt_view_opts *opts)
{
	static int (*const show[])(const struct nt_section *s) = {
		nt_show_summary, nt_show_nodes, nt_show_queues, nt_show_migrations, nt_show_forks,
		nt_show_placement, nt_show_balance, nt_show_domains, nt_show_memory,
		nt_show_system, nt_show_footer,
	};
	struct nt_section s = {
		.out = out,
		.r = r,
		.color = opts->color,
		.utf8 = opts->utf8,
		.width = opts->width > 0 ? opts->width : NT_DEFAULT_WIDTH,
	};
	size_t i;
	int err = 0;

	for (i = 0; !err && i < sizeof(show) / sizeof(show[0]); i++)
		err = show[i](&s);
	return err;
}

int nt_report(FILE *out, const struct nt_run *r, const struct nt_view_opts *opts)
{
	int err;

	switch (opts->format) {
	case NT_FORMAT_JSON:
		err = nt_report_json(out, r);
		break;
	case NT_FORMAT_CSV:
		err = nt_report_csv(out, r);
		break;
	default:
		err = report_tables(out, r, opts);
		break;
	}
	return err ? err : nt_flush(out);
}
