/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a comparison would mislead: what the headers and ends of its runs say against it. */
#ifndef NT_MODEL_COMPARE_DOUBTS_H
#define NT_MODEL_COMPARE_DOUBTS_H

#include "model/compare.h"

/* Fills doubt, heaviest first; the sides must be there. 0 or -ENOMEM. */
int nt_compare_doubts(struct nt_compare *c);

#endif
