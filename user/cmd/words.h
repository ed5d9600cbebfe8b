/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words that options of several subcommands take. */
#ifndef NT_CMD_WORDS_H
#define NT_CMD_WORDS_H

#include "view/report.h"

/* --format: table, json or csv. False: none of them. */
bool nt_word_format(struct nt_view_opts *v, const char *name);

/* --color: auto (a terminal on stdout, and no NO_COLOR), always or never. False: no such word. */
bool nt_word_color(struct nt_view_opts *v, const char *when);

#endif
