// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collect/clock.h"
#include "collect/root.h"
#include "collect/sampler.h"
#include "collect/topology.h"

/* Bytes of the heap in use: the sanitizer's own count, under the name the standard leaves free. */
size_t heap_in_use(void) __asm__("__sanitizer_get_current_allocated_bytes");

#define FIX	"tests/fixtures/"
#define STEP	(NT_NSEC / 10)

struct machine {
	struct nt_run r;
	struct nt_sampler s;
	uint64_t now;	/* a clock of our own: an hour takes no longer than its work */
};

static void start(struct machine *m, const char *roots)
{
	memset(m, 0, sizeof(*m));
	assert_int_equal(nt_root_set(roots), 0);
	assert_int_equal(nt_topology_read(&m->r.topo), 0);
	assert_int_equal(nt_sampler_init(&m->s, &m->r), 0);
	assert_int_equal(nt_sampler_begin(&m->s), 0);
	m->now = NT_NSEC;
	nt_sampler_start(&m->s, m->now);
}

static void take(struct machine *m)
{
	m->now += STEP;
	assert_int_equal(nt_sampler_take(&m->s, m->now), 0);
	m->r.ru.elapsed = (double)(m->now - m->s.start) / 1e9;
}

static void stop(struct machine *m)
{
	nt_sampler_close(&m->s);
	nt_run_free(&m->r);
	nt_root_set(NULL);
}

static void an_hour_at_100_ms_keeps_memory_flat(void **state)
{
	size_t quarter = 0;
	struct machine m;
	int i;

	(void)state;
	start(&m, FIX "sparse-0:" FIX "sparse-1");
	for (i = 0; i < 36000; i++) {
		take(&m);
		if (i == 9000)
			quarter = heap_in_use();
	}
	assert_int_equal(heap_in_use(), quarter);
	assert_int_equal(nt_run_samples(&m.r), 36000);
	assert_true(m.r.sample[m.r.nsamples - 1].t == 3600);
	stop(&m);
}

static void close_to(double got, double want)
{
	if (got < want - 1e-9 || got > want + 1e-9)
		fail_msg("%.12g, wanted %.12g", got, want);
}

static void capacity_follows_the_cpus(void **state)
{
	struct machine m;

	(void)state;
	start(&m, FIX "hotplug-0:" FIX "hotplug-1:" FIX "hotplug-2:" FIX "hotplug-3");
	take(&m);
	close_to(nt_cpus_online(&m.r, 1), 1.5);		/* 2, then 1 */
	take(&m);
	close_to(nt_cpus_online(&m.r, 1), 1.75);	/* then 3, one of them for the first time */
	take(&m);
	close_to(nt_cpus_online(&m.r, 1), 6.5 / 3);
	close_to(nt_cpus_online(&m.r, 0), 2);
	close_to(nt_cpus_online(&m.r, -1), 2 + 6.5 / 3);
	stop(&m);
}

static void a_node_without_cpus_may_get_some(void **state)
{
	struct machine m;

	(void)state;
	start(&m, FIX "dark-0:" FIX "dark-1");
	/* What the run is said to have been on is the machine as it was; the rest is known. */
	assert_int_equal(m.r.topo.cpu_node[2], -1);
	assert_int_equal(m.s.known.cpu_node[2], 1);
	assert_int_equal(m.s.known.cpu_node[3], 1);
	assert_int_equal(m.s.known.cpu_node[4], -1);	/* possible, not plugged in */
	take(&m);
	take(&m);
	close_to(nt_cpus_online(&m.r, 1), 1.5);
	assert_int_equal(m.r.topo.cpu_node[2], -1);
	assert_int_equal(m.r.nnotes, 1);
	assert_non_null(strstr(m.r.note[0], "0-3 online at 0.1 s"));
	stop(&m);
}

static void a_counter_that_steps_back_is_flagged(void **state)
{
	struct machine m;

	(void)state;
	start(&m, FIX "sparse-0:" FIX "sparse-1:" FIX "sparse-1");
	take(&m);
	take(&m);
	nt_sampler_note(&m.s);
	assert_int_equal(m.r.nnotes, 1);
	assert_non_null(strstr(m.r.note[0], "stepped back, by 20 ticks in all, at 1 sample:"));
	stop(&m);
}

static void a_storm_of_changes_is_no_storm_of_notes(void **state)
{
	char roots[1000] = FIX "hotplug-0";
	struct machine m;
	int i;

	(void)state;
	for (i = 0; i < 10; i++)
		strcat(strcat(roots, ":" FIX), i % 2 ? "hotplug-0" : "hotplug-1");
	start(&m, roots);
	for (i = 0; i < 10; i++)
		take(&m);
	nt_sampler_note(&m.s);
	/* And, as these trees are read back and forth, one of counters that step back. */
	assert_int_equal(m.r.nnotes, 6);
	assert_string_equal(m.r.note[4], "CPUs went on or off line at 6 more samples");
	close_to(nt_cpus_online(&m.r, 1), 1.5);
	stop(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_hour_at_100_ms_keeps_memory_flat),
		cmocka_unit_test(capacity_follows_the_cpus),
		cmocka_unit_test(a_node_without_cpus_may_get_some),
		cmocka_unit_test(a_counter_that_steps_back_is_flagged),
		cmocka_unit_test(a_storm_of_changes_is_no_storm_of_notes),
	};

	return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
