/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A series of runs: warm-up runs, what prepares each, the runs, and their summary. */
#ifndef NT_CMD_SERIES_H
#define NT_CMD_SERIES_H

#include "cmd/options.h"

/* Exit status. One run is a series of one: its report is printed instead of a summary. */
int nt_series_run(const struct nt_run_opts *o);

#endif
