/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sides of a comparison: which runs they are, how they are called, what they share. */
#ifndef NT_MODEL_COMPARE_SIDES_H
#define NT_MODEL_COMPARE_SIDES_H

#include "model/compare.h"

/* Fills side, id_name and axis; 0 or -ENOMEM. */
int nt_compare_sides(struct nt_compare *c, char *const *names);

/* The value of a run's label, NULL: it has no such. */
const char *nt_param(const struct nt_run *head, const char *key);

#endif
