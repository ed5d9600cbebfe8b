// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "causes.h"

struct ledger *ledger;
static int fd = -1;

void die(const char *what)
{
	fprintf(stderr, "causes: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* A file of its own rather than shared memory, which exec would take away. */
void ledger_open(void)
{
	fd = memfd_create("causes", 0);
	if (fd < 0 || ftruncate(fd, sizeof(*ledger)))
		die("memfd_create");
	ledger_join(fd);
}

int ledger_fd(void)
{
	return fd;
}

void ledger_join(int memfd)
{
	fd = memfd;
	ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ledger == MAP_FAILED)
		die("mmap");
}

void made(enum made cause, int n)
{
	__atomic_fetch_add(&ledger->made[cause], n, __ATOMIC_SEQ_CST);
}
