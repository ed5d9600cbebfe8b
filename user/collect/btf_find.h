/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of the kernel by name. libbpf 1.1 compares the name of each of some 140,000 types to find
 * one, which takes 1 ms, and the ways to a feature ask for a dozen.
 */
#ifndef NT_COLLECT_BTF_FIND_H
#define NT_COLLECT_BTF_FIND_H

struct btf;

/*
 * Where a string is in the strings of BTF, to be compared with a name_off; -ENOENT: nowhere. Who
 * writes BTF writes each string once (btf__dedup(), btf__add_str()).
 */
int nt_btf_string(const struct btf *btf, const char *text);

/* As btf__find_by_name_kind(): the first type of that kind and name, or -ENOENT. */
int nt_btf_find(const struct btf *btf, const char *name, unsigned int kind);

#endif
