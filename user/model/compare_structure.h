/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the machines and kernels of the sides differ: what is to be known before the table. */
#ifndef NT_MODEL_COMPARE_STRUCTURE_H
#define NT_MODEL_COMPARE_STRUCTURE_H

#include "model/compare.h"

/* Adds a line for each difference to doubt. 0 or -ENOMEM. */
int nt_compare_structure(struct nt_compare *c);

/* Of it what concerns scheduling domains: levels, imb_numa_nr, spans, groups, flags. */
int nt_compare_domains(struct nt_compare *c, const struct nt_side *s, const struct nt_run *base,
		       const struct nt_run *with);

#endif
