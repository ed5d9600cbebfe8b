/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel test robot (intel/lkp-tests) makes of a metric's name, and its rule for
 * what changed. Its own limits and lists, of 2026-07: lib/stats.rb, lib/compare.rb, etc/.
 */
#ifndef NT_MODEL_ROBOT_H
#define NT_MODEL_ROBOT_H

#include "model/stats.h"

/* Measured by one of the robot's monitors; names that begin otherwise are a test's own. */
bool nt_robot_monitor(const char *key);

/* Something that happened or did not, such as dmesg.WARNING...: counted, not averaged. */
bool nt_robot_functional(const char *key);

/* Its change is told as a difference: it is a percentage already. */
bool nt_robot_absolute(const char *key);

/*
 * Did the metric change? One side's middle run clears the other's extreme, and that the other
 * way round; by more than 1 % (5 % unless test: a test's own metric, or one of the kernel's
 * own counts of work); and by enough in itself. False if either side has no value, or
 * neither has NT_MIN_RUNS.
 */
bool nt_robot_changed(const char *key, bool test, const struct nt_stats *base,
		      const struct nt_stats *with);

/* The share of metrics that did not change and which the first part of the rule still flags. */
double nt_robot_chance(size_t nbase, size_t nwith);

#endif
