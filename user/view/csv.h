/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of CSV (RFC 4180). */
#ifndef NT_VIEW_CSV_H
#define NT_VIEW_CSV_H

#include <stdio.h>

/* The first field of a row, printable and quoted where it must be; 0 or -ENOMEM. */
int nt_csv_text(FILE *out, const char *s);

/* A further one: a comma and the fewest digits that read back as v; empty if it is no number. */
void nt_csv_number(FILE *out, double v);

#endif
