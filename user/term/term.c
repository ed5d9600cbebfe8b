// SPDX-License-Identifier: GPL-2.0-or-later
#include "term/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#define PATIENCE	5	/* s that the last words may take */
#define ESCAPE_MS	25	/* what follows ESC so closely is the rest of one key */

/*
 * What ends a process by default. SIGTERM and its kin are taken elsewhere, and SIGKILL can
 * be by nobody.
 */
static const int deadly[] = {
	SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM,
	SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPWR, SIGSTKFLT,
};

/* What asks for the end, and is blocked as long as we draw. */
static const int asking[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

/* ncurses handles these, too, if nobody does. Here they are taken elsewhere, or ^Z stops us. */
static const int of_ncurses[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };

#define NOF_NCURSES	(sizeof(of_ncurses) / sizeof(of_ncurses[0]))

/* What the handler of those needs, made while all was well. */
static struct termios found;
static char goodbye[256];	/* what brings a terminal back to where it was */
static size_t goodbye_len;
static char stack[65536];	/* a stack that overflowed is none to stand on */

static volatile sig_atomic_t patience;	/* seconds left, once the terminal is given back */

static SCREEN *screen;
static chtype look[NT_NATTR];

bool nt_term_is_there(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static void on_deadly(int sig)
{
	size_t at = 0;
	sigset_t unblocked;
	ssize_t n;

	/* Whatever goes wrong from here on, it is not told to us again. */
	signal(sig, SIG_DFL);
	/* A terminal that takes nothing must not hold us here. */
	fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
	while (at < goodbye_len) {
		n = write(STDOUT_FILENO, goodbye + at, goodbye_len - at);
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	tcsetattr(STDIN_FILENO, TCSANOW, &found);
	fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK);
	/* This ends the process as the signal does. */
	raise(sig);
	sigemptyset(&unblocked);
	sigaddset(&unblocked, sig);
	sigprocmask(SIG_UNBLOCK, &unblocked, NULL);
}

/*
 * Each second that a write to the terminal takes. Whoever reads it may have stopped, or a line
 * be down: that can pass, but if we are asked to end meanwhile, we do.
 */
static void on_slow(int sig)
{
	sigset_t waiting;
	size_t i;

	sigemptyset(&waiting);
	sigpending(&waiting);
	for (i = 0; i < sizeof(asking) / sizeof(asking[0]); i++)
		if (sigismember(&waiting, asking[i]) == 1)
			on_deadly(asking[i]);
	if (patience && !--patience)
		on_deadly(sig);
}

static void watch_output(bool on)
{
	struct itimerval each = { .it_interval.tv_sec = on, .it_value.tv_sec = on };

	setitimer(ITIMER_REAL, &each, NULL);
}

static void handle_deadly(void)
{
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction sa = {
		.sa_handler = on_deadly, .sa_flags = SA_NODEFER | SA_ONSTACK,
	}, slow = { .sa_handler = on_slow, .sa_flags = SA_RESTART | SA_ONSTACK }, was;
	size_t i;

	sigaltstack(&alt, NULL);
	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		if (!sigaction(deadly[i], NULL, &was) && was.sa_handler == SIG_DFL)
			sigaction(deadly[i], &sa, NULL);
	patience = 0;
	sigaction(SIGALRM, &slow, NULL);
}

static void unhandle_deadly(void)
{
	struct sigaction was;
	size_t i;

	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		if (!sigaction(deadly[i], NULL, &was) && was.sa_handler == on_deadly)
			signal(deadly[i], SIG_DFL);
	signal(SIGALRM, SIG_DFL);
}

static int keep_byte(int c)
{
	if (goodbye_len < sizeof(goodbye))
		goodbye[goodbye_len++] = (char)c;
	return c;
}

/* The terminal's own words for: plain characters, default colors, cursor, keypad, first screen. */
static void make_goodbye(void)
{
	static const char *const words[] = { "sgr0", "op", "cnorm", "rmkx", "rmcup" };
	size_t i;

	goodbye_len = 0;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *word = tigetstr(words[i]);

		if (word && (intptr_t)word != -1)
			tputs(word, 1, keep_byte);
	}
}

static void choose_look(bool color)
{
	look[NT_STRONG] = A_BOLD;
	look[NT_FAINT] = look[NT_BAR_IDLE] = A_DIM;
	look[NT_TITLE] = A_REVERSE;
	look[NT_COLUMN] = A_UNDERLINE;
	look[NT_NOTICE] = A_BOLD;
	if (!color || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	init_pair(1, COLOR_GREEN, -1);
	init_pair(2, COLOR_RED, -1);
	init_pair(3, COLOR_YELLOW, -1);
	look[NT_BAR_USER] = COLOR_PAIR(1);
	look[NT_BAR_SYS] = COLOR_PAIR(2);
	look[NT_BAR_OTHER] = COLOR_PAIR(3);
	look[NT_NOTICE] = COLOR_PAIR(3);
}

static void start_ncurses(void)
{
	struct sigaction was[NOF_NCURSES];
	size_t i;

	for (i = 0; i < NOF_NCURSES; i++)
		sigaction(of_ncurses[i], NULL, &was[i]);
	set_escdelay(ESCAPE_MS);
	screen = newterm(NULL, stdout, stdin);
	for (i = 0; i < NOF_NCURSES; i++)
		sigaction(of_ncurses[i], &was[i], NULL);
}

/* Keys as they come, none of them shown. ^S would stop the output, and with it whoever draws. */
static void choose_modes(void)
{
	struct termios t;

	cbreak();
	noecho();
	nonl();
	if (!tcgetattr(STDIN_FILENO, &t)) {
		t.c_iflag &= ~(tcflag_t)IXON;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t);
		def_prog_mode();
	}
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
}

int nt_term_open(bool color, struct nt_error *e)
{
	const char *name = getenv("TERM");

	if (tcgetattr(STDIN_FILENO, &found))
		return nt_fail(e, -errno, "cannot ask the terminal: %s", strerror(errno));
	start_ncurses();
	if (!screen)
		return nt_fail(e, -ENOTTY, "cannot draw on a terminal of type '%s': set TERM to "
			       "one that terminfo knows, such as xterm", name ? name : "");
	make_goodbye();
	handle_deadly();
	choose_modes();
	choose_look(color);
	return 0;
}

void nt_term_size(int *w, int *h)
{
	struct winsize size;

	*w = 80;
	*h = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row)
		return;
	*w = size.ws_col;
	*h = size.ws_row;
}

void nt_term_resize(int w, int h)
{
	resizeterm(h, w);
	clearok(curscr, TRUE);
}

void nt_term_show(const struct nt_screen *s)
{
	const struct nt_cell *cell = s->cell;
	int x, y;

	for (y = 0; y < s->h; y++)
		for (x = 0; x < s->w; x++, cell++)
			mvaddch(y, x, (unsigned char)cell->c | look[cell->attr]);
	watch_output(true);
	refresh();
	watch_output(false);
}

int nt_term_key(void)
{
	int key = getch();

	return key == ERR ? -1 : key;
}

void nt_term_leave(void)
{
	watch_output(true);
	endwin();
	watch_output(false);
	clearok(curscr, TRUE);
}

void nt_term_close(void)
{
	if (!screen)
		return;
	patience = PATIENCE;
	watch_output(true);
	endwin();
	watch_output(false);
	unhandle_deadly();
	delscreen(screen);
	screen = NULL;
}
