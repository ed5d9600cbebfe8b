/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The live view: what a frame looks like on a screen of any size. */
#ifndef NT_VIEW_TOP_H
#define NT_VIEW_TOP_H

#include "model/top.h"
#include "model/top_keys.h"
#include "view/screen.h"

/* Draws all of it; the screen keeps its size. Below 80x24 lines and columns are cut off. */
void nt_top_draw(struct nt_screen *s, const struct nt_top_frame *f, const struct nt_top_choice *c);

#endif
