/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: ncurses, and nothing but cells and keys. However numatrace ends, by SIGKILL
 * excepted, the terminal is then as it was.
 */
#ifndef NT_TERM_TERM_H
#define NT_TERM_TERM_H

#include <stdbool.h>

#include "model/error.h"
#include "view/screen.h"

/* Are stdin and stdout a terminal? */
bool nt_term_is_there(void);

/* Take the terminal over. 0 or -errno with the sentence in e. */
int nt_term_open(bool color, struct nt_error *e);

/* Its size now, in columns and lines; 80x24 where it does not say. */
void nt_term_size(int *w, int *h);

/* It has this size now, as ncurses must know before anything of it is shown. */
void nt_term_resize(int w, int h);

void nt_term_show(const struct nt_screen *s);

/* A key that was pressed, -1: none. Does not wait. */
int nt_term_key(void);

void nt_term_leave(void);	/* give it back for now; nt_term_show() takes it again */
void nt_term_close(void);	/* for good; also if it was never taken */

#endif
