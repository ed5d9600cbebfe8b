// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All programs in one object, since they share maps. Each is opt-in ("?"): nothing loads
 * unless user space asks for it, so what a kernel lacks costs only what depends on it.
 */
#include "maps.bpf.h"
#include "cputime.bpf.h"
#include "migrate.bpf.h"
#include "balance.bpf.h"
#include "place.bpf.h"
#include "domains.bpf.h"
#include "snapshot.bpf.h"
#include "busiest.bpf.h"

char LICENSE[] SEC("license") = "GPL";
