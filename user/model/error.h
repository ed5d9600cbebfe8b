/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An error as a sentence for the user, made where the cause is known and printed by
 * the command. It names what was being done, to what, and why it failed. Words in it are as
 * they were found: whoever prints it makes them printable.
 */
#ifndef NT_MODEL_ERROR_H
#define NT_MODEL_ERROR_H

struct nt_error {
	char msg[512];
};

/* Formats the sentence and returns err, so that "return nt_fail(e, -EINVAL, ...)" reads well. */
int nt_fail(struct nt_error *e, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
