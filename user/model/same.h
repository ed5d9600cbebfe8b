/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are two runs' headers the same in some respect? NULL equals only NULL. */
#ifndef NT_MODEL_SAME_H
#define NT_MODEL_SAME_H

#include "model/run.h"

bool nt_same_text(const char *a, const char *b);
bool nt_same_strings(char *const *a, char *const *b);	/* NULL-terminated lists */
bool nt_same_kvs(const struct nt_kvs *a, const struct nt_kvs *b);
/* Nodes, their CPUs, caches and distances; not the size of memory, which varies by boot. */
bool nt_same_topology(const struct nt_topology *a, const struct nt_topology *b);
bool nt_same_domain(const struct nt_domain *a, const struct nt_domain *b);
bool nt_same_chains(const struct nt_run *a, const struct nt_run *b);
/* The same features by the same ways; reasons may differ. */
bool nt_same_features(const struct nt_run *a, const struct nt_run *b);
/* Everything of the header but when the run started. */
bool nt_same_header(const struct nt_run *a, const struct nt_run *b);

#endif
