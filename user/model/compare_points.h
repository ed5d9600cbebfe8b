/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The points of a sweep: runs apart by the value of a label, such as nr_threads. */
#ifndef NT_MODEL_COMPARE_POINTS_H
#define NT_MODEL_COMPARE_POINTS_H

#include "model/compare.h"

/*
 * Fills point and at. by NULL: one point with all runs. Numbers are in order of size, before
 * other values. 0, -ENOMEM, or -ENOENT if no run has the label.
 */
int nt_compare_points(struct nt_compare *c, const char *by);

#endif
