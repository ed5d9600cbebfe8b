// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH		80
#define ROWS		15		/* with title and legend it makes 20 lines */
#define INTERVALS	6		/* between ticks, about */
#define NLEVELS		8

static const char marks[NT_MAX_SERIES] = "*O#@";

/* The y axis: ticks at k * step, for k from first to first + ticks - 1. */
struct axis {
	double min, max, step, first;
	int ticks;
	char label[2 * INTERVALS + 2][32];
	int width;			/* of the longest label */
};

struct canvas {
	char cell[ROWS][WIDTH + 1];
	int cols;			/* borders included */
	size_t nmax;			/* values of the longest series */
	const struct axis *y;
};

static bool can_draw(double v)
{
	return isfinite(v) && fabs(v) <= 1e300;
}

/* False if there is no value at all. */
static bool find_range(const double *v, size_t n, double *min, double *max)
{
	bool any = *min <= *max;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!can_draw(v[i]))
			continue;
		*min = any && *min < v[i] ? *min : v[i];
		*max = any && *max > v[i] ? *max : v[i];
		any = true;
	}
	return any;
}

/* The smallest of 1, 2 and 5 times a power of ten that is not below x. */
static double nice_step(double x)
{
	double unit = pow(10, floor(log10(x)));

	if (x <= unit)
		return unit;
	if (x <= 2 * unit)
		return 2 * unit;
	return x <= 5 * unit ? 5 * unit : 10 * unit;
}

/* With as many digits as tell one tick from the next. */
static void print_label(const struct axis *y, double v, char *buf, size_t len)
{
	double big = fmax(fabs(y->min), fabs(y->max));

	if (big < 1e7 && y->step > 1e-5)
		snprintf(buf, len, "%.*f", y->step < 1 ? (int)ceil(-log10(y->step) - 1e-9) : 0, v);
	else
		snprintf(buf, len, "%.*g", (int)log10(big / y->step) + 2, v);
}

static void set_axis(struct axis *y, double min, double max)
{
	double big = fmax(fabs(min), fabs(max)), last;
	int i;

	/* A flat line, or one that is flat but for rounding, goes through the middle. */
	if (max - min <= 1e-9 * big || max - min < 1e-300) {
		min -= big > 1e-290 ? big / 100 : 1;
		max += big > 1e-290 ? big / 100 : 1;
	}
	y->step = nice_step((max - min) / INTERVALS);
	y->first = floor(min / y->step) + 0.0;		/* no minus zero */
	last = ceil(max / y->step);
	y->ticks = (int)(last - y->first) + 1;
	y->min = y->first * y->step;
	y->max = last * y->step;
	for (i = 0; i < y->ticks; i++) {
		int len;

		print_label(y, (y->first + i + 0.0) * y->step, y->label[i], sizeof(y->label[i]));
		len = (int)strlen(y->label[i]);
		y->width = len > y->width ? len : y->width;
	}
}

static int row_of(const struct axis *y, double v)
{
	return (int)lround((y->max - v) / (y->max - y->min) * (ROWS - 1));
}

static int col_of(const struct canvas *c, size_t i)
{
	if (c->nmax < 2)
		return 0;
	return (int)lround((double)i / (double)(c->nmax - 1) * (c->cols - 1));
}

static void draw_frame(struct canvas *c)
{
	int row, i;

	for (row = 0; row < ROWS; row++) {
		bool edge = row == 0 || row == ROWS - 1;

		memset(c->cell[row], edge ? '-' : ' ', (size_t)c->cols);
		c->cell[row][0] = c->cell[row][c->cols - 1] = edge ? '+' : '|';
	}
	for (i = 0; i < c->y->ticks; i++) {
		row = row_of(c->y, (c->y->first + i) * c->y->step);
		c->cell[row][0] = c->cell[row][1] = '+';
	}
}

/* Dots along a flat piece, colons where it is steep. */
static void draw_line(struct canvas *c, int col0, int row0, int col1, int row1)
{
	int dx = col1 - col0, dy = row1 - row0, n = dx > abs(dy) ? dx : abs(dy), i;

	for (i = 1; i < n; i++)
		c->cell[row0 + (int)lround((double)dy * i / n)]
		       [col0 + (int)lround((double)dx * i / n)] = dx >= abs(dy) ? '.' : ':';
}

static void draw_joined(struct canvas *c, const struct nt_series *s)
{
	size_t i;

	for (i = 1; i < s->n; i++)
		if (can_draw(s->v[i - 1]) && can_draw(s->v[i]))
			draw_line(c, col_of(c, i - 1), row_of(c->y, s->v[i - 1]), col_of(c, i),
				  row_of(c->y, s->v[i]));
}

static void draw_marks(struct canvas *c, const struct nt_series *s, char mark)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (can_draw(s->v[i]))
			c->cell[row_of(c->y, s->v[i])][col_of(c, i)] = mark;
}

/* Names come from files: whatever is no printable ASCII becomes '_'. */
static void put_name(FILE *out, const char *s, size_t max)
{
	for (; *s && max; s++, max--)
		fputc(*s >= ' ' && *s <= '~' ? *s : '_', out);
}

static void print_title(FILE *out, const char *title)
{
	size_t len = strlen(title);

	fputc('\n', out);
	fprintf(out, "%*s", len < WIDTH ? (int)(WIDTH - len) / 2 : 0, "");
	put_name(out, title, WIDTH);
	fputs("\n\n", out);
}

static void print_rows(FILE *out, const struct canvas *c)
{
	int row, i;

	for (row = 0; row < ROWS; row++) {
		const char *label = "";

		for (i = 0; i < c->y->ticks; i++)
			if (row_of(c->y, (c->y->first + i) * c->y->step) == row)
				label = c->y->label[i];
		fprintf(out, "%*s %.*s\n", c->y->width, label, c->cols, c->cell[row]);
	}
}

static void print_legend(FILE *out, const struct canvas *c, const struct nt_series *s, size_t n)
{
	size_t i;

	if (c->nmax > 1)
		fprintf(out, "%*s 1%*zu\n", c->y->width, "", c->cols - 1, c->nmax);
	else
		fprintf(out, "%*s 1\n", c->y->width, "");
	fprintf(out, "%*s", c->y->width, "");
	for (i = 0; i < n; i++) {
		fprintf(out, "%s%c ", i ? "   " : " ", marks[i]);
		put_name(out, s[i].name, WIDTH / (NT_MAX_SERIES + 1));
	}
	fputc('\n', out);
}

int nt_plot(FILE *out, const char *title, const struct nt_series *s, size_t n)
{
	struct axis y = { .width = 5 };
	struct canvas c = { .y = &y };
	double min = 1, max = 0;	/* none yet */
	bool any = false;
	size_t i;

	if (!n || n > NT_MAX_SERIES)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		any = find_range(s[i].v, s[i].n, &min, &max);
		c.nmax = s[i].n > c.nmax ? s[i].n : c.nmax;
	}
	if (!any)
		return -EINVAL;
	set_axis(&y, min, max);
	c.cols = WIDTH - y.width - 1;
	draw_frame(&c);
	draw_joined(&c, &s[0]);
	for (i = n; i-- > 0;)
		draw_marks(&c, &s[i], marks[i]);
	print_title(out, title);
	print_rows(out, &c);
	print_legend(out, &c, s, n);
	return 0;
}

/* The mean of those that are there; NAN of none. */
static double mean_of(const double *v, size_t n)
{
	double sum = 0;
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		if (can_draw(v[i])) {
			sum += v[i];
			k++;
		}
	return k ? sum / (double)k : NAN;
}

/* From 0 for the smallest to NLEVELS - 1 for the largest. */
static int level_of(double v, double min, double max)
{
	if (max <= min)
		return NLEVELS / 2;
	return (int)fmin((v - min) / (max - min) * NLEVELS, NLEVELS - 1);
}

void nt_sparkline(FILE *out, const double *v, size_t n, size_t width, bool utf8)
{
	static const char blocks[] = "▁▂▃▄▅▆▇█";		/* 3 bytes each */
	static const char ascii[] = "_.-=+*#@";
	size_t cells = n < width ? n : width, i;
	double min = 1, max = 0;

	if (!find_range(v, n, &min, &max))
		return;
	for (i = 0; i < cells; i++) {
		size_t from = i * n / cells, to = (i + 1) * n / cells;
		double x = mean_of(v + from, to - from);

		if (isnan(x))
			fputc(' ', out);
		else if (utf8)
			fwrite(blocks + (size_t)3 * level_of(x, min, max), 1, 3, out);
		else
			fputc(ascii[level_of(x, min, max)], out);
	}
}
