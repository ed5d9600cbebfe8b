/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the live view, shared by top.c, top_nodes.c and top_tables.c only. */
#ifndef NT_VIEW_TOP_PRIV_H
#define NT_VIEW_TOP_PRIV_H

#include "view/top.h"

#define NT_RATE		16	/* bytes for a rate */

/*
 * A rate in at most width characters, 4 to 6: "0", "<0.1", "3.2", "974", "12k", "5M"; "-" for NAN.
 */
const char *nt_top_rate(char buf[NT_RATE], double v, int width);

/* Lines that a section takes on a screen so wide. */
int nt_top_moves_height(const struct nt_top_frame *f, int w);
int nt_top_balance_height(const struct nt_top_frame *f);
int nt_top_missing_height(const struct nt_top_frame *f, int w);

/* Draw a section from line y on; the number of lines taken, at most height where given. */
int nt_top_nodes(struct nt_screen *s, int y, int height, const struct nt_top_frame *f);
int nt_top_moves(struct nt_screen *s, int y, const struct nt_top_frame *f);
int nt_top_balance(struct nt_screen *s, int y, const struct nt_top_frame *f);
int nt_top_missing(struct nt_screen *s, int y, const struct nt_top_frame *f);
int nt_top_tasks(struct nt_screen *s, int y, int height, const struct nt_top_frame *f,
		 const struct nt_top_choice *c);

#endif
