/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numatrace domains: nodes, domains and what mainline's formula expects of them. */
#ifndef NT_VIEW_DOMAINS_H
#define NT_VIEW_DOMAINS_H

#include <stdio.h>

#include "view/report.h"

/*
 * The first of n runs, and each later one that prints otherwise. As a table or as JSON, one
 * object for each. 0, -ENOMEM, or -errno of a failed write.
 */
int nt_domains_report(FILE *out, const struct nt_run *runs, size_t n,
		      const struct nt_view_opts *opts);

#endif
