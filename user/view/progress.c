// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/progress.h"

void nt_progress_line(FILE *out, const struct nt_progress *p)
{
	unsigned long left = p->warmups + p->runs - p->done;

	if (p->done < p->warmups)
		fprintf(out, "numatrace: warm-up %lu/%lu, not measured", p->done + 1, p->warmups);
	else
		fprintf(out, "numatrace: run %lu/%lu", p->done - p->warmups + 1, p->runs);
	if (p->done)
		fprintf(out, "; %.1f s elapsed, about %.1f s left", p->elapsed,
			p->elapsed / (double)p->done * (double)left);
	fputc('\n', out);
}
