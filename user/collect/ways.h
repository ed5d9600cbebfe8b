/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ways to each feature, best first, and what came of trying them.
 */
#ifndef NT_COLLECT_WAYS_H
#define NT_COLLECT_WAYS_H

#include <stdbool.h>

#include "collect/ksyms.h"
#include "model/feature.h"

#define NT_WAY_PROGS	8
#define NT_MAX_WAYS	16

struct btf;

enum nt_hook {
	NT_HOOK_TRACEPOINT,
	NT_HOOK_ITERATOR,
	NT_HOOK_FEXIT,
	NT_HOOK_KPROBE,
};

/* One way to a feature. */
struct nt_way {
	enum nt_feature_id feature;
	enum nt_hook hook;
	const char *name;		/* as reports show it; unique */
	const char *func;		/* the kernel function hooked, NULL none */
	const char *helper;		/* a second one, NULL none */
	int args;			/* arguments that func must have, 0 any */
	int reads;			/* number of an argument that programs must be able to read;
					   < 0: one that they cannot; 0 none */
	const char *prog[NT_WAY_PROGS];	/* its programs; that of the helper comes last */
};

/* What came of a way. */
struct nt_attempt {
	bool tried;
	int err;			/* 0, -errno or -NT_REFUSED_* (probe.h) */
	char func[NT_SYMBOL];		/* kprobes: the symbols to hook */
	char helper[NT_SYMBOL];
};

extern const struct nt_way nt_ways[];
extern const int nt_nways;		/* at most NT_MAX_WAYS */

/*
 * The best way to a feature that has not failed, trying those not yet tried; NULL: none. A
 * way that fails later, when it is loaded or attached, gets its err set by the caller.
 */
const struct nt_way *nt_ways_choose(enum nt_feature_id id, const struct btf *btf,
				    struct nt_attempt a[NT_MAX_WAYS]);

/* Is that program one of the way's? */
bool nt_way_has(const struct nt_way *w, const char *prog);

/* Does the program of that index hook the helper? */
bool nt_way_hooks_helper(const struct nt_way *w, int prog);

/*
 * Say in *f that the feature goes the way w, NULL: that it is off; and of each better way why
 * not. Functions that this kernel does not have under one of their names are left out. 0 or
 * -ENOMEM.
 */
int nt_ways_explain(enum nt_feature_id id, const struct nt_way *w,
		    const struct nt_attempt a[NT_MAX_WAYS], struct nt_feature *f);

/*
 * No way could be tried at all: the wanted features (1u << id) are off, for -NT_REFUSED_CAPS or
 * -NT_REFUSED_NO_BTF. 0 or -ENOMEM.
 */
int nt_ways_refuse_all(struct nt_feature feature[NT_NFEATURE], unsigned int want, int reason);

#endif
