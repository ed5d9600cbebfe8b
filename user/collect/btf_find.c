// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/btf_find.h"

#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

int nt_btf_string(const struct btf *btf, const char *text)
{
	__u32 size;
	const struct btf_header *h = btf__raw_data(btf, &size);
	const char *strings, *at, *end;
	size_t len = strlen(text) + 1;

	if (!h)
		return -errno;
	strings = (const char *)h + h->hdr_len + h->str_off;
	end = strings + h->str_len;
	for (at = strings; at < end; at++) {
		at = memmem(at, (size_t)(end - at), text, len);
		if (!at)
			break;
		/* Not the end of a longer one. */
		if (at == strings || !at[-1])
			return (int)(at - strings);
	}
	return -ENOENT;
}

int nt_btf_find(const struct btf *btf, const char *name, unsigned int kind)
{
	int off = nt_btf_string(btf, name);
	__u32 id, n = btf__type_cnt(btf);

	for (id = 1; off > 0 && id < n; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (t->name_off == (__u32)off && btf_kind(t) == kind)
			return (int)id;
	}
	return off < 0 ? off : -ENOENT;
}
