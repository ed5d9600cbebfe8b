// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading what the programs counted. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/bpf_priv.h"

#define ITER_READ	65536	/* room for one read of an iterator, bytes */
#define ITER_GROW	262144
#define READ_TRIES	3
#define DRAIN_STEP_MS	5
#define DRAIN_QUIET_MS	500	/* nothing ended for so long: nothing will */

static const void *map_shared(struct bpf_map *map, size_t value, size_t *bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p;

	*bytes = (value * bpf_map__max_entries(map) + page - 1) / page * page;
	p = mmap(NULL, *bytes, PROT_READ, MAP_SHARED, bpf_map__fd(map), 0);
	return p == MAP_FAILED ? NULL : p;
}

int nt_bpf_map(struct nt_bpf *b)
{
	b->mig = map_shared(b->skel->maps.migrations, sizeof(*b->mig), &b->mig_bytes);
	b->fork = map_shared(b->skel->maps.forks, sizeof(*b->fork), &b->fork_bytes);
	b->cpu_time = map_shared(b->skel->maps.cpu_times, sizeof(*b->cpu_time), &b->time_bytes);
	return b->mig && b->fork && b->cpu_time ? 0 : -errno;
}

void nt_bpf_unmap(struct nt_bpf *b)
{
	if (b->mig)
		munmap((void *)b->mig, b->mig_bytes);
	if (b->fork)
		munmap((void *)b->fork, b->fork_bytes);
	if (b->cpu_time)
		munmap((void *)b->cpu_time, b->time_bytes);
	b->mig = NULL;
	b->fork = NULL;
	b->cpu_time = NULL;
}

int nt_bpf_iterate(struct bpf_link *link, char **buf, size_t *len)
{
	size_t room = 0;
	int fd, err = 0;
	ssize_t n;

	*buf = NULL;
	*len = 0;
	fd = link ? bpf_iter_create(bpf_link__fd(link)) : -ENOENT;
	if (fd < 0)
		return fd;
	for (;;) {
		if (room - *len < ITER_READ) {
			char *more = realloc(*buf, room + ITER_GROW);

			if (!more) {
				err = -ENOMEM;
				break;
			}
			*buf = more;
			room += ITER_GROW;
		}
		n = read(fd, *buf + *len, room - *len);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n < 0)
			err = -errno;
		if (n <= 0)
			break;
		*len += n;
	}
	close(fd);
	if (err) {
		free(*buf);
		*buf = NULL;
	}
	return err;
}

int nt_bpf_alive(struct nt_bpf *b)
{
	size_t len, i, n;
	char *buf;
	int err;

	memset(b->alive_time, 0, b->ncpus * sizeof(*b->alive_time));
	if (!b->workload)
		return 0;
	err = nt_bpf_iterate(b->skel->links.alive_tasks, &buf, &len);
	if (err)
		return err;
	n = len / sizeof(struct nt_alive_rec);
	for (i = 0; i < n; i++) {
		struct nt_alive_rec rec;

		memcpy(&rec, buf + i * sizeof(rec), sizeof(rec));
		/* A counter read in the middle of a move can be behind its last reading. */
		if (rec.cpu >= (__u64)b->ncpus || (__s64)rec.exec < 0)
			continue;
		b->alive_time[rec.cpu].exec += rec.exec;
		if ((__s64)rec.utime > 0)
			b->alive_time[rec.cpu].utime += rec.utime;
		if ((__s64)rec.stime > 0)
			b->alive_time[rec.cpu].stime += rec.stime;
	}
	free(buf);
	return n;
}

static void read_cpu_time(struct nt_bpf *b, const struct nt_topology *topo, struct nt_counters *c)
{
	int cpu, node;

	for (node = 0; node < c->nnodes; node++)
		memset(&c->node[node].wl, 0, sizeof(c->node[node].wl));
	for (cpu = 0; cpu < b->ncpus; cpu++) {
		struct nt_cpu_time *to;

		if (topo->cpu_node[cpu] < 0)
			continue;
		to = &c->node[topo->cpu_node[cpu]].wl;
		to->exec += b->cpu_time[cpu].exec + b->alive_time[cpu].exec;
		to->utime += b->cpu_time[cpu].utime + b->alive_time[cpu].utime;
		to->stime += b->cpu_time[cpu].stime + b->alive_time[cpu].stime;
	}
}

/* Add up a per-CPU value made of nothing but __u64 counters. */
static int sum_percpu(struct nt_bpf *b, struct bpf_map *map, size_t size, __u64 *sum)
{
	size_t words = size / sizeof(__u64), i;
	__u32 zero = 0;
	__u64 *all;
	int cpu, err;

	memset(sum, 0, size);
	all = calloc(b->ncpus_possible, size);
	if (!all)
		return -ENOMEM;
	err = bpf_map_lookup_elem(bpf_map__fd(map), &zero, all);
	for (cpu = 0; !err && cpu < b->ncpus_possible; cpu++)
		for (i = 0; i < words; i++)
			sum[i] += all[cpu * words + i];
	free(all);
	return err;
}

static int read_percpu(struct nt_bpf *b, struct nt_counters *c)
{
	struct nt_placements place;
	struct nt_balance_counts bal;
	int err;

	err = sum_percpu(b, b->skel->maps.placements, sizeof(place), (__u64 *)&place);
	err = err ?: sum_percpu(b, b->skel->maps.balance, sizeof(bal), (__u64 *)&bal);
	if (err)
		return err;
	_Static_assert(sizeof(c->place) == sizeof(place.n), "placements");
	_Static_assert(sizeof(c->balance) == sizeof(bal.n), "balance");
	memcpy(c->place, place.n, sizeof(place.n));
	memcpy(c->balance, bal.n, sizeof(bal.n));
	return 0;
}

static void read_migrations(const struct nt_bpf *b, struct nt_counters *c)
{
	struct nt_mig_cell *cell = nt_mig(c, 0, 0, 0, 0);
	size_t n = (size_t)NT_NSCOPE * NT_NCAUSE * c->nnodes * c->nnodes, i;

	for (i = 0; i < n; i++) {
		/* Read once: the kernel goes on counting. */
		uint64_t same = *(const volatile __u64 *)&b->mig[i].same_llc;

		cell[i].same_llc = same;
		cell[i].n = same + *(const volatile __u64 *)&b->mig[i].other_llc;
	}
}

int nt_bpf_read_maps(struct nt_bpf *b, const struct nt_topology *topo, struct nt_counters *c)
{
	read_cpu_time(b, topo, c);
	read_migrations(b, c);
	memcpy(nt_fork(c, 0, 0, 0), b->fork, sizeof(*b->fork) * NT_NSCOPE * c->nnodes * c->nnodes);
	return read_percpu(b, c);
}

/* Changes whenever a task that moved or ended was charged. */
static uint64_t charged(const struct nt_bpf *b)
{
	uint64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < b->ncpus; cpu++)
		sum += *(const volatile __u64 *)&b->cpu_time[cpu].exec;
	return sum;
}

/*
 * A task that moves after the iterator passed it, and before what was charged is read, would be
 * counted by both, with all it ran since its last move. So nobody is to move meanwhile; where
 * tasks move all the time, they have little uncharged.
 */
int nt_bpf_read(struct nt_bpf *b, const struct nt_topology *topo, struct nt_counters *c)
{
	uint64_t before;
	int alive, tries = 0;

	do {
		before = charged(b);
		alive = nt_bpf_alive(b);
	} while (alive > 0 && charged(b) != before && ++tries < READ_TRIES);
	return alive < 0 ? alive : nt_bpf_read_maps(b, topo, c);
}

void nt_bpf_drain(struct nt_bpf *b, int timeout_ms, int *alive, uint64_t *unfinished)
{
	volatile struct nt_census *census = &b->skel->bss->census;
	uint64_t frees, forks, seen = UINT64_MAX;
	int waited = 0, quiet = 0, n = 0;

	for (;;) {
		frees = census->frees;
		forks = census->forks;
		/* Who is alive is asked again only when somebody ended: the answer is dear. */
		if (frees != seen) {
			n = nt_bpf_alive(b);
			quiet = 0;
		}
		seen = frees;
		*alive = n < 0 ? -1 : n;
		*unfinished = n >= 0 && forks > frees + n ? forks - frees - n : 0;
		if (n < 0 || !*unfinished || waited >= timeout_ms || quiet >= DRAIN_QUIET_MS)
			return;
		/* Tasks are freed after an RCU grace period: some ms, more on a busy machine. */
		poll(NULL, 0, DRAIN_STEP_MS);
		waited += DRAIN_STEP_MS;
		quiet += DRAIN_STEP_MS;
	}
}

/*
 * Events at which the kernel skipped a program because it was running on that CPU already (it
 * was preempted, or interrupted): bpf_prog_info's recursion_misses, counted since 5.12.
 */
static uint64_t missed_events(const struct nt_bpf *b)
{
	const struct bpf_object_skeleton *s = b->skel->skeleton;
	uint64_t sum = 0;
	int i;

	for (i = 0; i < s->prog_cnt; i++) {
		struct bpf_prog_info info = {};
		__u32 len = sizeof(info);
		int fd = bpf_program__fd(*s->progs[i].prog);

		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len))
			sum += info.recursion_misses;
	}
	return sum;
}

void nt_bpf_losses(const struct nt_bpf *b, struct nt_losses *lost)
{
	const struct nt_census *census = &b->skel->bss->census;

	lost->groups_full = census->groups_full;
	lost->tasks_full = census->tasks_full;
	lost->bad_cpu = census->bad_cpu;
	lost->missed = missed_events(b);
}
