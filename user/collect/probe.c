// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/probe.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/root.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON	38	/* 5.8 */
#define CAP_BPF		39
#endif

struct btf *nt_probe_btf(void)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return NULL;
	return btf__load_vmlinux_btf();
}

bool nt_probe_tracepoint(const struct btf *btf, const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) > 0;
}

int nt_probe_args(const struct btf *btf, const char *func)
{
	int id = btf__find_by_name_kind(btf, func, BTF_KIND_FUNC);
	const struct btf_type *t;

	if (id <= 0)
		return -ENOENT;
	t = btf__type_by_id(btf, btf__type_by_id(btf, id)->type);
	return t ? btf_vlen(t) : -ENOENT;
}

/* The enum has no name: it is the one that has SD_NUMA in it. */
static bool is_flag_enum(const struct btf *btf, const struct btf_type *t)
{
	const struct btf_enum *e = btf_enum(t);
	int i;

	for (i = 0; !t->name_off && i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, e[i].name_off), "SD_NUMA"))
			return true;
	return false;
}

int nt_probe_sd_flags(const struct btf *btf, struct nt_kvs *out)
{
	__u32 id, n = btf__type_cnt(btf);
	const struct btf_type *t = NULL;
	int i, err = 0;

	for (id = 1; id < n; id++) {
		t = btf__type_by_id(btf, id);
		if (btf_is_enum(t) && is_flag_enum(btf, t))
			break;
	}
	for (i = 0; id < n && i < btf_vlen(t) && !err; i++) {
		const struct btf_enum *e = btf_enum(t) + i;

		err = nt_kvs_append(out, btf__name_by_offset(btf, e->name_off), (__u32)e->val);
	}
	return err;
}

/* Function hooks are patched in by ftrace; with it switched off they attach and never fire. */
static bool ftrace_off(void)
{
	char *text = nt_read_file("/proc/sys/kernel/ftrace_enabled", NULL);
	bool off = text && text[0] == '0';

	free(text);
	return off;
}

static int try_load(enum bpf_prog_type type, const struct bpf_insn *insns, size_t n,
		    const struct bpf_prog_load_opts *opts)
{
	int fd = bpf_prog_load(type, "nt_probe", "GPL", insns, n, opts);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int nt_probe_fexit(const struct btf *btf, const char *func)
{
	static const struct bpf_insn nop[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int id = btf__find_by_name_kind(btf, func, BTF_KIND_FUNC);
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = BPF_TRACE_FEXIT,
		.attach_btf_id = id);

	if (id <= 0)
		return -ENOENT;
	if (ftrace_off())
		return -ENOTSUP;
	return try_load(BPF_PROG_TYPE_TRACING, nop, 2, &opts);
}

bool nt_probe_read_allowed(void)
{
	/* bpf_probe_read_kernel(fp - 8, 8, 0): reading address 0 just fails when it runs. */
	static const struct bpf_insn read[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1, .imm = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = 0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return try_load(BPF_PROG_TYPE_RAW_TRACEPOINT, read, sizeof(read) / sizeof(read[0]),
			NULL) == 0;
}

const char *nt_probe_missing_caps(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	uint64_t have;
	bool bpf, perfmon;

	if (syscall(SYS_capget, &head, data))
		return NULL;
	have = data[0].effective | (uint64_t)data[1].effective << 32;
	if (have >> CAP_SYS_ADMIN & 1)
		return NULL;
	bpf = have >> CAP_BPF & 1;
	perfmon = have >> CAP_PERFMON & 1;
	if (bpf && perfmon)
		return NULL;
	return bpf ? "CAP_PERFMON" : perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON";
}

const char *nt_probe_why(int err)
{
	switch (err < 0 ? -err : err) {
	case EPERM:
		return "the kernel refuses function hooks (EPERM: policy or lockdown)";
	case ENOENT:
	case ESRCH:
		return "no such function in this kernel, or it was inlined";
	case ENOTSUP:
		return "kernel.ftrace_enabled is 0: hooks would attach and never fire";
	case EBUSY:
		return "the function cannot be hooked now (EBUSY: ftrace is off or in use)";
	case EINVAL:
		return "the kernel's verifier refuses the program (EINVAL)";
	case EACCES:
		return "the kernel's verifier refuses an access (EACCES)";
	case E2BIG:
		return "the function already has as many hooks as it may have (E2BIG)";
	default:
		return "the hook failed to load";
	}
}
