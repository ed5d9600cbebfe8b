/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scheduling domains as the kernel holds them. */
#ifndef NT_DOMAINS_BPF_H
#define NT_DOMAINS_BPF_H

#include "walk.bpf.h"

#define MAX_GROUPS	64
#define MAX_SPAN	1024	/* bytes: 8192 CPUs */

const volatile __u32 span_bytes = 8;

struct span {
	__u8 bits[MAX_SPAN];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct span);
} spans SEC(".maps");

/* The domain that is being read. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nt_domain_rec);
} domain_recs SEC(".maps");

static __always_inline __u32 count_groups(__u64 first)
{
	__u64 g = first;
	__u32 i;

	for (i = 1; i <= MAX_GROUPS; i++) {
		if (bpf_probe_read_kernel(&g, sizeof(g), (void *)g +
					  bpf_core_field_offset(struct sched_group, next)) || !g)
			return 0;
		if (g == first)
			return i;
	}
	return 0;
}

/* Where kernel memory may not be read by address. */
static __always_inline __u32 count_groups_directly(struct sched_domain *sd)
{
	struct sched_group *first = sd->groups, *g = first;
	__u32 i;

	if (!first)
		return 0;
	for (i = 1; i <= MAX_GROUPS; i++) {
		g = g->next;
		if (!g)
			return 0;
		if (g == first)
			return i;
	}
	return 0;
}

static __always_inline void write_span(struct seq_file *seq, struct sched_domain *sd)
{
	__u32 zero = 0, n = span_bytes;
	struct span *s = bpf_map_lookup_elem(&spans, &zero);

	if (!s)
		return;
	if (n > MAX_SPAN)
		n = MAX_SPAN;
	if (can_probe_read && sd)
		bpf_probe_read_kernel(s->bits, n, domain_span(sd));
	else
		s->bits[0] = 0;
	bpf_seq_write(seq, s->bits, n);
}

static __always_inline void fill_domain(struct nt_domain_rec *rec, struct sched_domain *sd)
{
	rec->level = kernel_member(sd, level);
	rec->flags = kernel_member(sd, flags);
	rec->span_weight = kernel_member(sd, span_weight);
	if (can_probe_read)
		rec->groups = count_groups((__u64)kernel_member(sd, groups));
	else
		rec->groups = count_groups_directly(sd);
	if (bpf_core_field_exists(sd->imb_numa_nr)) {
		rec->has_imb = 1;
		rec->imb_numa_nr = kernel_member(sd, imb_numa_nr);
	}
	/* Only with CONFIG_SCHED_DEBUG up to 6.14. */
	if (bpf_core_field_exists(sd->name) && can_probe_read)
		bpf_probe_read_kernel_str(rec->name, sizeof(rec->name), kernel_member(sd, name));
}

/*
 * By its address, and a function that is not static: the verifier looks at such a one once, not
 * again for each level. Of the loops inside one another it tried every turn, 30 ms of the start.
 */
__noinline __u32 read_domain(__u64 domain)
{
	struct nt_domain_rec *rec;
	__u32 zero = 0;

	rec = bpf_map_lookup_elem(&domain_recs, &zero);
	if (rec && can_probe_read)
		fill_domain(rec, (struct sched_domain *)domain);
	return 0;
}

static __always_inline void write_domain(struct seq_file *seq, struct sched_domain *sd, __u32 cpu,
					 __u32 depth)
{
	struct nt_domain_rec *rec;
	__u32 zero = 0;

	rec = bpf_map_lookup_elem(&domain_recs, &zero);
	if (!rec)
		return;
	__builtin_memset(rec, 0, sizeof(*rec));
	rec->cpu = cpu;
	rec->depth = depth;
	if (can_probe_read)
		read_domain((__u64)sd);
	else
		fill_domain(rec, sd);
	bpf_seq_write(seq, rec, sizeof(*rec));
	write_span(seq, sd);
}

SEC("?iter/task")
int domains(struct bpf_iter__task *ctx)
{
	struct seq_file *seq = ctx->meta->seq;
	struct rq *rq = next_cpu(ctx->task);
	struct sched_domain *sd;
	__u32 cpu, depth;

	if (!rq)
		return 0;
	cpu = rq->cpu;
	sd = kernel_member(rq, sd);
	if (!sd) {
		struct nt_domain_rec none = { .cpu = cpu, .depth = NT_NO_NODE };

		bpf_seq_write(seq, &none, sizeof(none));
		write_span(seq, NULL);
		return 0;
	}
	for (depth = 0; sd && depth < NT_MAX_LEVELS; depth++) {
		write_domain(seq, sd, cpu, depth);
		sd = kernel_member(sd, parent);
	}
	return 0;
}

#endif
