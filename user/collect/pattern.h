/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NT_COLLECT_PATTERN_H
#define NT_COLLECT_PATTERN_H

/*
 * What the C library would take too much memory or time for in a POSIX extended regular
 * expression, as the end of a sentence; NULL: nothing. It writes repeats out (glibc 2.36,
 * duplicate_tree(): a+ is aa*), so that "x+++..." doubles with each plus; back-references, which
 * POSIX does not have there, make it try every way to match, and so do repeats of what may match
 * nothing, as in "(a|)*".
 */
const char *nt_pattern_refused(const char *re);

#endif
