// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What does each BPF program of its parent cost while a command runs? The kernel's own figures
 * (BPF_ENABLE_STATS): calls and ns of every program that the parent holds, beside those of
 * empty programs on the same hooks. As JSON, one line, on stdout; the command's output goes
 * to stderr.
 *
 * usage: numatrace -- bpfcost COMMAND [ARG...]
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "empty.skel.h"

#define MAX_PROGS	256
#define ITERATIONS	20

/* A program's figures at one time. */
struct figures {
	__u32 id;
	char name[BPF_OBJ_NAME_LEN];
	__u64 calls;
	__u64 ns;
};

/* 6.10 renamed these. */
static const struct {
	const char *prog, *func;
} older[] = {
	{ "e_balance_entry", "load_balance" },
	{ "e_balance_exit", "load_balance" },
	{ "e_busiest_group", "find_busiest_group" },
};

static int quiet(enum libbpf_print_level level, const char *fmt, va_list args)
{
	(void)level;
	(void)fmt;
	(void)args;
	return 0;
}

/* One program in an object of its own, so that what this kernel refuses harms no other. */
static struct bpf_link *attach_empty(const char *name, const char *func)
{
	struct empty_bpf *skel = empty_bpf__open();
	struct bpf_program *p;
	struct bpf_link *link = NULL;

	if (!skel)
		return NULL;
	p = bpf_object__find_program_by_name(skel->obj, name);
	if (!p || bpf_program__set_autoload(p, true) ||
	    (func && bpf_program__set_attach_target(p, 0, func)) || empty_bpf__load(skel))
		goto fail;
	link = bpf_program__attach(p);
	if (!libbpf_get_error(link))
		return link;	/* the object stays, too */
fail:
	empty_bpf__destroy(skel);
	return NULL;
}

static const char *older_name(const char *prog)
{
	size_t i;

	for (i = 0; i < sizeof(older) / sizeof(older[0]); i++)
		if (!strcmp(older[i].prog, prog))
			return older[i].func;
	return NULL;
}

/* All that this kernel permits; the link of the iterator in *iter. */
static int attach_all(struct bpf_link **iter)
{
	struct empty_bpf *names = empty_bpf__open();
	struct bpf_program *p;
	int n = 0;

	if (!names)
		return -errno;
	bpf_object__for_each_program(p, names->obj) {
		const char *name = bpf_program__name(p), *old = older_name(name);
		struct bpf_link *link = attach_empty(name, NULL);

		if (!link && old)
			link = attach_empty(name, old);
		n += link != NULL;
		if (!strcmp(name, "e_alive_tasks"))
			*iter = link;
	}
	empty_bpf__destroy(names);
	return n ? 0 : -ENOTSUP;
}

/* An iterator costs when it is read. */
static void iterate(struct bpf_link *link)
{
	char buf[4096];
	int i, fd;

	for (i = 0; link && i < ITERATIONS; i++) {
		fd = bpf_iter_create(bpf_link__fd(link));
		while (fd >= 0 && read(fd, buf, sizeof(buf)) > 0)
			;
		if (fd >= 0)
			close(fd);
	}
}

/* Does that process hold the program? Others may have some of the same name. */
static int holds(pid_t pid, __u32 id)
{
	char path[300], line[100];
	struct dirent *e;
	int found = 0;
	__u32 its;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo", pid);
	d = opendir(path);
	while (d && !found && (e = readdir(d))) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%s", pid, e->d_name);
		f = fopen(path, "r");
		while (f && !found && fgets(line, sizeof(line), f))
			found = sscanf(line, "prog_id: %u", &its) == 1 && its == id;
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	return found;
}

static int look(struct figures *f, int max)
{
	__u32 id = 0;
	int n = 0;

	while (n < max && !bpf_prog_get_next_id(id, &id)) {
		struct bpf_prog_info info = { 0 };
		__u32 len = sizeof(info);
		int fd = -1;

		if (holds(getppid(), id) || holds(getpid(), id))
			fd = bpf_prog_get_fd_by_id(id);
		if (fd < 0)
			continue;
		if (!bpf_obj_get_info_by_fd(fd, &info, &len)) {
			f[n].id = id;
			memcpy(f[n].name, info.name, sizeof(f[n].name));
			f[n].calls = info.run_cnt;
			f[n].ns = info.run_time_ns;
			n++;
		}
		close(fd);
	}
	return n;
}

static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (!pid) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status ? -ECHILD : 0;
}

static void print(const struct figures *before, int nbefore, const struct figures *now, int n)
{
	const char *comma = "";
	int i, k;

	printf("[");
	for (i = 0; i < n; i++) {
		__u64 calls = now[i].calls, ns = now[i].ns;

		for (k = 0; k < nbefore; k++)
			if (before[k].id == now[i].id) {
				calls -= before[k].calls;
				ns -= before[k].ns;
			}
		printf("%s{\"id\": %u, \"name\": \"%s\", \"calls\": %llu, \"ns\": %llu}", comma,
		       now[i].id, now[i].name, calls, ns);
		comma = ", ";
	}
	puts("]");
}

int main(int argc, char **argv)
{
	static struct figures before[MAX_PROGS], now[MAX_PROGS];
	struct bpf_link *iter = NULL;
	int stats, nbefore, err;

	if (argc < 2) {
		fputs("usage: bpfcost COMMAND [ARG...]\n", stderr);
		return 2;
	}
	libbpf_set_print(quiet);
	err = attach_all(&iter);
	stats = err ? -1 : bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (stats < 0) {
		fprintf(stderr, "bpfcost: %s: %s\n", err ? "no empty program attaches" :
			"BPF_ENABLE_STATS", strerror(err ? -err : errno));
		return 1;
	}
	nbefore = look(before, MAX_PROGS);
	err = run(argv + 1);
	if (err) {
		fprintf(stderr, "bpfcost: %s: %s\n", argv[1], strerror(-err));
		return 1;
	}
	iterate(iter);
	print(before, nbefore, now, look(now, MAX_PROGS));
	close(stats);
	return 0;
}
