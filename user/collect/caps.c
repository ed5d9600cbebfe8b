// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CAP_BPF
#define CAP_BPF		39	/* 5.8 */
#endif

struct caps {
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct data[2];
};

static int get(struct caps *c)
{
	*c = (struct caps){ .head.version = _LINUX_CAPABILITY_VERSION_3 };
	return syscall(SYS_capget, &c->head, c->data) ? -errno : 0;
}

static int set(struct caps *c)
{
	return syscall(SYS_capset, &c->head, c->data) ? -errno : 0;
}

static uint64_t permitted(const struct caps *c)
{
	return c->data[0].permitted | (uint64_t)c->data[1].permitted << 32;
}

static void set_effective(struct caps *c, uint64_t caps)
{
	c->data[0].effective = (uint32_t)caps;
	c->data[1].effective = (uint32_t)(caps >> 32);
}

int nt_caps_limit(void)
{
	const uint64_t bpf = 1ULL << CAP_BPF, admin = 1ULL << CAP_SYS_ADMIN;
	struct caps c;
	uint64_t keep;
	int err = get(&c);

	if (err)
		return err;
	keep = 1ULL << CAP_KILL | (permitted(&c) & bpf ? bpf : admin);
	set_effective(&c, keep & permitted(&c));
	return set(&c);
}

int nt_caps_restore(void)
{
	struct caps c;
	int err = get(&c);

	if (err)
		return err;
	set_effective(&c, permitted(&c));
	return set(&c);
}

int nt_caps_drop_all(void)
{
	struct caps c = { .head.version = _LINUX_CAPABILITY_VERSION_3 };

	/* Kernels all know ambient capabilities (4.3); the rest goes with the sets below. */
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return set(&c);
}
