// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/probe.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/btf_find.h"
#include "collect/ksyms.h"
#include "collect/root.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON	38	/* 5.8 */
#define CAP_BPF		39
#endif

bool nt_probe_denied(const char *word)
{
	const char *list = getenv("NUMATRACE_DENY");
	size_t len = strlen(word), n;

	for (; list && *list; list += n + (list[n] == ','), list += strspn(list, " ")) {
		n = strcspn(list, ",");
		if (n == len && !strncmp(list, word, len))
			return true;
	}
	return false;
}

struct btf *nt_probe_btf(void)
{
	if (nt_probe_denied("btf") || access("/sys/kernel/btf/vmlinux", R_OK))
		return NULL;
	return btf__load_vmlinux_btf();
}

bool nt_probe_tracepoint(const struct btf *btf, const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return nt_btf_find(btf, type, BTF_KIND_TYPEDEF) > 0;
}

int nt_probe_args(const struct btf *btf, const char *func)
{
	int id = nt_btf_find(btf, func, BTF_KIND_FUNC);
	const struct btf_type *t;

	if (id <= 0)
		return -ENOENT;
	t = btf__type_by_id(btf, btf__type_by_id(btf, id)->type);
	return t ? btf_vlen(t) : -ENOENT;
}

/* The enum has no name: it is the one that has SD_NUMA in it. */
static bool is_flag_enum(const struct btf_type *t, __u32 sd_numa)
{
	const struct btf_enum *e = btf_enum(t);
	int i;

	for (i = 0; !t->name_off && i < btf_vlen(t); i++)
		if (e[i].name_off == sd_numa)
			return true;
	return false;
}

int nt_probe_sd_flags(const struct btf *btf, struct nt_kvs *out)
{
	__u32 id, n = btf__type_cnt(btf);
	const struct btf_type *t = NULL;
	int i, err = 0, sd_numa = nt_btf_string(btf, "SD_NUMA");

	if (sd_numa < 0)
		return 0;
	for (id = 1; id < n; id++) {
		t = btf__type_by_id(btf, id);
		if (btf_is_enum(t) && is_flag_enum(t, (__u32)sd_numa))
			break;
	}
	for (i = 0; id < n && i < btf_vlen(t) && !err; i++) {
		const struct btf_enum *e = btf_enum(t) + i;

		err = nt_kvs_append(out, btf__name_by_offset(btf, e->name_off), (__u32)e->val);
	}
	return err;
}

/* Does a file say that something is switched off? One that cannot be read does not. */
static bool says_zero(const char *path)
{
	char *text = nt_read_file(path, NULL);
	bool zero = text && text[0] == '0';

	free(text);
	return zero;
}

/* Hooks are patched in by ftrace; with it switched off they attach and never fire. */
static bool ftrace_off(void)
{
	return says_zero("/proc/sys/kernel/ftrace_enabled");
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

int nt_probe_fexit(const struct btf *btf, const char *func, int arg)
{
	const struct bpf_insn read[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_0,
		  .src_reg = BPF_REG_1, .off = (short)(arg * 8) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int id = nt_btf_find(btf, func, BTF_KIND_FUNC), skip = arg < 0;
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = BPF_TRACE_FEXIT,
		.attach_btf_id = id);

	if (id <= 0)
		return -ENOENT;
	if (ftrace_off())
		return -NT_REFUSED_FTRACE_OFF;
	return try_load(BPF_PROG_TYPE_TRACING, read + skip, 3 - skip, &opts);
}

/* Put a kprobe on a symbol, without any program, and take it away. */
static int try_kprobe(const char *symbol)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config1 = (uintptr_t)symbol };
	char text[16];
	int fd, err = nt_read_head("/sys/bus/event_source/devices/kprobe/type", text,
				   sizeof(text));

	if (err)
		return err == -ENOENT ? -NT_REFUSED_NO_KPROBES : err;
	attr.type = (unsigned int)strtoul(text, NULL, 10);
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno == EACCES ? -EPERM : -errno;
	close(fd);
	return 0;
}

/* The name that the linker gave to a function that has no symbol of its own name. */
static int other_symbol(const char *func, char *symbol, size_t size)
{
	char *text = nt_read_file("/proc/kallsyms", NULL);
	enum nt_ksym kind = text ? nt_ksym_find(text, func, symbol, size) : NT_KSYM_NONE;

	free(text);
	if (kind == NT_KSYM_COPY)
		return -NT_REFUSED_COPY;
	return kind == NT_KSYM_FOUND ? try_kprobe(symbol) : -ENOENT;
}

int nt_probe_kprobe(const char *func, char *symbol, size_t size)
{
	int err;

	if (!nt_probe_read_allowed())
		return -NT_REFUSED_READ;
	if (ftrace_off())
		return -NT_REFUSED_FTRACE_OFF;
	if (says_zero("/sys/kernel/debug/kprobes/enabled"))
		return -NT_REFUSED_KPROBES_OFF;
	snprintf(symbol, size, "%s", func);
	err = try_kprobe(symbol);
	return err == -ENOENT ? other_symbol(func, symbol, size) : err;
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

	return !nt_probe_denied("probe_read") &&
	       !try_load(BPF_PROG_TYPE_RAW_TRACEPOINT, read, sizeof(read) / sizeof(read[0]), NULL);
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

/* EPERM has many causes. This one the kernel names, where securityfs is mounted. */
static const char *why_eperm(void)
{
	char text[64];

	if (nt_read_head("/sys/kernel/security/lockdown", text, sizeof(text)))
		return "the kernel refuses it (EPERM: a security policy or lockdown)";
	if (strstr(text, "[confidentiality]"))
		return "the kernel refuses it (EPERM: lockdown=confidentiality)";
	if (strstr(text, "[integrity]"))
		return "the kernel refuses it (EPERM: a security policy; lockdown=integrity)";
	return "the kernel refuses it (EPERM: a security policy)";
}

/* In the order of enum nt_refused. */
static const struct {
	const char *why, *hint;
} refused[] = {
	{ "refused by NUMATRACE_DENY", "unset NUMATRACE_DENY" },
	{ "the process lacks capabilities", "run it as root (sudo)" },
	{ "the kernel has no BTF (/sys/kernel/btf/vmlinux)",
	  "use a kernel built with CONFIG_DEBUG_INFO_BTF=y" },
	{ "the function has other arguments in this kernel", NULL },
	{ "this kernel's verifier reads no int * argument (5.17 and later do)", NULL },
	{ "the compiler left only a copy with other arguments", NULL },
	{ "programs may not read kernel memory here (lockdown=confidentiality)",
	  "boot without lockdown=confidentiality" },
	{ "kernel.ftrace_enabled is 0: hooks would attach and never fire",
	  "sysctl kernel.ftrace_enabled=1" },
	{ "kprobes are switched off: they would attach and never fire",
	  "echo 1 > /sys/kernel/debug/kprobes/enabled" },
	{ "this kernel has no kprobes", "use a kernel built with CONFIG_KPROBES=y" },
	{ "the program loads, but does not attach", "run it with -v for the kernel's reason" },
};

const char *nt_probe_why(int err)
{
	unsigned int reason = err < 0 ? -err : err;

	if (reason - NT_REFUSED_DENIED < sizeof(refused) / sizeof(refused[0]))
		return refused[reason - NT_REFUSED_DENIED].why;
	switch (reason) {
	case EPERM:
		return why_eperm();
	case ENOENT:
	case ESRCH:
		return "no such function in this kernel, or it was inlined";
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

const char *nt_probe_hint(int err)
{
	unsigned int reason = err < 0 ? -err : err;

	if (reason - NT_REFUSED_DENIED < sizeof(refused) / sizeof(refused[0]))
		return refused[reason - NT_REFUSED_DENIED].hint;
	if (reason == EPERM)
		return "ask whoever sets this kernel's security policy";
	return NULL;
}
