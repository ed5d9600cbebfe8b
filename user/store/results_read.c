// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/results_read.h"

int nt_results_read(const char *path, int side, struct nt_results *s, struct nt_error *e)
{
	return nt_results_read_record(path, side, s, e);
}
