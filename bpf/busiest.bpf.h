/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks migrate most? For a live view alone: a program of its own on the tracepoint of
 * migrations, so that runs pay nothing for it. The table keeps those that moved last; a task
 * that had to make room begins anew with its next move.
 */
#ifndef NT_BUSIEST_BPF_H
#define NT_BUSIEST_BPF_H

#include "maps.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);		/* user space sets it by the number of CPUs */
	__type(key, __u32);
	__type(value, struct nt_mover);
} movers SEC(".maps");

static __always_inline void note_move(struct nt_mover *m, struct task_struct *p, __u32 from,
				      __u32 to, bool cross)
{
	m->moves++;
	m->cross += cross;
	m->from = from;
	m->to = to;
	__builtin_memcpy(m->comm, p->comm, sizeof(m->comm));
}

/* No two moves of a task overlap: whoever moves it holds its pi_lock or its run queue's lock. */
SEC("?tp_btf/sched_migrate_task")
int BPF_PROG(on_mover, struct task_struct *p, int dest_cpu)
{
	__u32 tid = p->pid, from = task_cpu(p), to = dest_cpu;
	struct nt_mover fresh = { .task = (__u64)p, .tid = tid }, *m;
	struct nt_cpu_place *a, *b;
	bool cross;

	if (from == to)
		return 0;
	a = bpf_map_lookup_elem(&cpu_places, &from);
	b = bpf_map_lookup_elem(&cpu_places, &to);
	cross = a && b && a->node < nr_nodes && b->node < nr_nodes && a->node != b->node;
	m = bpf_map_lookup_elem(&movers, &tid);
	if (m && m->task == (__u64)p) {
		note_move(m, p, from, to, cross);
		return 0;
	}
	note_move(&fresh, p, from, to, cross);
	bpf_map_update_elem(&movers, &tid, &fresh, BPF_ANY);
	return 0;
}

#endif
