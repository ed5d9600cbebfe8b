/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel offers, as a table and as JSON. */
#ifndef NT_VIEW_FEATURES_H
#define NT_VIEW_FEATURES_H

#include <stdio.h>

#include "model/feature.h"

/* width: columns of a line. 0, -ENOMEM, or -errno of a write. */
int nt_show_features(FILE *out, const struct nt_features *fs, int width);
int nt_features_json(FILE *out, const struct nt_features *fs);

#endif
