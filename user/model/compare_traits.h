/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runs should have in common, and a line where they do not. */
#ifndef NT_MODEL_COMPARE_TRAITS_H
#define NT_MODEL_COMPARE_TRAITS_H

#include "model/compare.h"
#include "model/compare_tell.h"

struct nt_trait {
	enum nt_weight weight;
	const char *name;
	nt_tell_fn tell;
	const char *which;	/* handed to tell */
};

/* Add a line; its words must be printable. 0 or -ENOMEM, here and below. */
int nt_doubt(struct nt_compare *c, enum nt_weight weight, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "WHAT FROM -> TO", from the base to side s; of more than two sides with the name of s. */
int nt_doubt_change(struct nt_compare *c, const struct nt_side *s, const char *what,
		    const char *from, const char *to);

/* A line for each side where some run tells something else than the first that tells. */
int nt_trait_check(struct nt_compare *c, const struct nt_trait *t);

/* The same for each point of a sweep by itself. */
int nt_trait_check_points(struct nt_compare *c, const struct nt_trait *t);

#endif
