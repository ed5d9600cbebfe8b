// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs that do nothing, on the hooks of those that do: what is left of a program's cost
 * when its work is taken away. Each has the name of its counterpart with "e_" before it.
 * The functions are those of a kernel of 6.10 or later; bpfcost tries the older names.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#define EMPTY(section, name)	SEC("?" section) int e_##name(void *ctx) { return 0; }

EMPTY("tp_btf/sched_migrate_task", on_migrate)
EMPTY("tp_btf/softirq_entry", on_softirq_entry)
EMPTY("tp_btf/softirq_exit", on_softirq_exit)
EMPTY("tp_btf/sched_wakeup_new", on_fork)
EMPTY("tp_btf/sched_process_free", on_free)
EMPTY("tp_btf/sched_wakeup_new", on_wakeup_new)
EMPTY("tp_btf/sched_move_numa", on_move_numa)
EMPTY("tp_btf/sched_swap_numa", on_swap_numa)
EMPTY("tp_btf/cpuhp_enter", on_cpuhp)
EMPTY("iter/task", alive_tasks)
EMPTY("fentry/sched_balance_rq", balance_entry)
EMPTY("fexit/sched_balance_rq", balance_exit)
EMPTY("fexit/sched_balance_find_src_group", busiest_group)
EMPTY("fexit/select_task_rq_fair", select_rq)

char LICENSE[] SEC("license") = "GPL";
