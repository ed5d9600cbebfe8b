/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of numatrace domains that its own files and the report share. */
#ifndef NT_VIEW_DOMAIN_VIEW_H
#define NT_VIEW_DOMAIN_VIEW_H

#include "model/expected.h"
#include "view/section.h"

int nt_domains_json(FILE *out, const struct nt_run *r);

/* The tree of chains and levels, and what its signs mean. */
int nt_domain_tree(const struct nt_section *s, const struct nt_expected *x);

#endif
