// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/top_loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/complain.h"
#include "collect/clock.h"
#include "collect/live.h"
#include "collect/signals.h"
#include "term/term.h"
#include "view/top.h"

enum { TAG_SIGNALS, TAG_TIMER, TAG_KEYS };

struct top {
	const struct nt_top_opts *o;
	struct nt_top_choice choice;
	struct nt_live live;
	struct nt_screen screen;
	struct nt_signals sig;
	int epoll, timer;
	unsigned long intervals;	/* shown */
};

static int set_timer(struct top *t)
{
	uint64_t ns = t->choice.paused ? 0 : t->choice.interval_ns;
	struct itimerspec spec = {
		.it_interval = { ns / NT_NSEC, ns % NT_NSEC },
		.it_value = { ns / NT_NSEC, ns % NT_NSEC },
	};

	return timerfd_settime(t->timer, 0, &spec, NULL) ? -errno : 0;
}

static int draw(struct top *t)
{
	struct nt_top_reading reading = nt_live_reading(&t->live);
	struct nt_top_frame frame;
	int err = nt_top_make(&frame, &reading, t->choice.sort);

	if (err)
		return err;
	nt_top_draw(&t->screen, &frame, &t->choice);
	nt_top_free(&frame);
	nt_term_show(&t->screen);
	return 0;
}

static int take(struct top *t)
{
	int err = nt_live_take(&t->live);

	t->intervals += !err;
	return err ?: draw(t);
}

static int on_timer(struct top *t)
{
	uint64_t ticks;

	if (read(t->timer, &ticks, sizeof(ticks)) != sizeof(ticks))
		return 0;
	return take(t);
}

static int on_key(struct top *t, int key)
{
	bool was_paused = t->choice.paused;
	enum nt_top_do what = nt_top_key(&t->choice, key);
	int err = what == NT_TOP_RETIME ? set_timer(t) : 0;

	if (err || what == NT_TOP_NOTHING)
		return err;
	return was_paused && !t->choice.paused ? take(t) : draw(t);
}

static int on_keys(struct top *t, uint32_t events)
{
	int key, err = 0;

	/* The terminal has gone: there is nobody to draw for. */
	if (events & (EPOLLHUP | EPOLLERR))
		t->choice.quit = true;
	while (!err && !t->choice.quit) {
		key = nt_term_key();
		if (key < 0)
			break;
		err = on_key(t, key);
	}
	return err;
}

static int fit_screen(struct top *t)
{
	int w, h;

	nt_term_size(&w, &h);
	nt_term_resize(w, h);
	return nt_screen_size(&t->screen, w, h);
}

static int on_signals(struct top *t)
{
	enum nt_signal_event ev;
	int err = 0;

	while (!err && (ev = nt_signals_read(&t->sig, 0)) != NT_SIG_NONE) {
		if (ev == NT_SIG_WINCH || ev == NT_SIG_CONT)
			err = fit_screen(t) ?: draw(t);
	}
	return err;
}

static int handle(struct top *t, const struct epoll_event *ev)
{
	switch (ev->data.u64) {
	case TAG_SIGNALS:
		return on_signals(t);
	case TAG_TIMER:
		return on_timer(t);
	default:
		return on_keys(t, ev->events);
	}
}

static bool is_over(const struct top *t)
{
	return t->choice.quit || t->sig.stop || (t->o->count && t->intervals >= t->o->count);
}

static int loop(struct top *t)
{
	struct epoll_event ev;
	int n, err = 0;

	while (!err && !is_over(t)) {
		n = epoll_wait(t->epoll, &ev, 1, -1);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			err = handle(t, &ev);
	}
	return err;
}

static int watch(struct top *t, int fd, uint64_t tag, uint32_t events)
{
	struct epoll_event ev = { .events = events, .data.u64 = tag };

	return epoll_ctl(t->epoll, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

static int watch_all(struct top *t)
{
	int err;

	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	t->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (t->epoll < 0 || t->timer < 0)
		return -errno;
	err = watch(t, t->sig.fd, TAG_SIGNALS, EPOLLIN);
	err = err ?: watch(t, t->timer, TAG_TIMER, EPOLLIN);
	err = err ?: watch(t, STDIN_FILENO, TAG_KEYS, EPOLLIN);
	/* Only to learn that it has gone. */
	err = err ?: watch(t, STDOUT_FILENO, TAG_KEYS, 0);
	return err ?: set_timer(t);
}

static int run(struct top *t, struct nt_error *e)
{
	int err = nt_signals_init(&t->sig);

	t->sig.before_stop = nt_term_leave;
	err = err ?: watch_all(t);
	if (err)
		return nt_fail(e, err, "cannot wait for keys and signals: %s", strerror(-err));
	err = nt_term_open(!getenv("NO_COLOR"), e);
	if (err)
		return err;
	err = fit_screen(t);
	err = err ?: draw(t);
	err = err ?: loop(t);
	return err ? nt_fail(e, err, "cannot go on: %s", strerror(-err)) : 0;
}

int nt_top_run(const struct nt_top_opts *o)
{
	struct top t = {
		.o = o, .choice.interval_ns = o->interval_ns,
		.epoll = -1, .timer = -1, .sig.fd = -1,
	};
	struct nt_error e = { "" };
	int err;

	if (!nt_term_is_there()) {
		nt_complain("top draws on a terminal, and stdin or stdout is none; for numbers in "
			    "a pipe or a file: numatrace run -a -i 1s");
		return NT_EXIT_FAILED;
	}
	err = nt_live_open(&t.live, o->verbose, &e);
	err = err ?: run(&t, &e);
	nt_term_close();
	if (t.epoll >= 0)
		close(t.epoll);
	if (t.timer >= 0)
		close(t.timer);
	if (t.sig.fd >= 0)
		nt_signals_exit(&t.sig);
	nt_live_close(&t.live);
	nt_screen_free(&t.screen);
	if (err)
		nt_complain("%s", e.msg);
	return err ? NT_EXIT_FAILED : 0;
}
