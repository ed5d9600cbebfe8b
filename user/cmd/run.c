// SPDX-License-Identifier: GPL-2.0-or-later
/* numatrace [run] [OPTIONS] -- COMMAND */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "cmd/options.h"
#include "cmd/series.h"
#include "collect/root.h"

int nt_cmd_run(int argc, char **argv)
{
	struct nt_error e = { "" };
	struct nt_run_opts o;
	int status, err;

	err = nt_run_opts_parse(&o, argc, argv, &e);
	if (err) {
		nt_complain("%s", e.msg);
		return NT_EXIT_FAILED;
	}
	err = nt_root_set(getenv("NUMATRACE_ROOT"));
	if (err) {
		nt_complain("NUMATRACE_ROOT names no directory that can be read");
		status = NT_EXIT_FAILED;
	} else if (o.help) {
		status = fputs(nt_run_help, stdout) < 0 ? NT_EXIT_FAILED : 0;
	} else if (o.version) {
		printf("numatrace %s\n", NT_VERSION);
		status = 0;
	} else {
		status = nt_series_run(&o);
	}
	nt_run_opts_free(&o);
	return status;
}
