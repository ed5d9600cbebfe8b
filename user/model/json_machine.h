/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine in JSON, as the record and the reports have it. */
#ifndef NT_MODEL_JSON_MACHINE_H
#define NT_MODEL_JSON_MACHINE_H

#include "model/expected.h"
#include "model/json_put.h"

/* "topology": nodes, and the node and the last-level cache of each CPU. */
void nt_put_topology(struct nt_put *p, json_t *obj, const struct nt_topology *t);

/* "chains" of domains; with x, what is expected of imb_numa_nr too. */
void nt_put_chains(struct nt_put *p, json_t *obj, const struct nt_run *r,
		   const struct nt_expected *x);

#endif
