// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs of a record, for a comparison: each is reduced to its metrics as it is read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/text.h"
#include "store/record_read.h"
#include "store/results_read.h"

struct to_side {
	struct nt_results *s;
	int side;
	const char *path;
	struct nt_error *e;
};

/* What the run wrote of itself; numbers all, as nt_parse_end made sure. */
static int put_recorded(struct to_side *to, const json_t *metrics)
{
	const char *name;
	json_t *v;
	int err = 0;

	json_object_foreach((json_t *)metrics, name, v) {
		char *key = strdup(name);

		if (!key)
			return -ENOMEM;
		nt_text_decode(key);
		err = nt_results_put(to->s, key, json_number_value(v));
		free(key);
		if (err)
			break;
	}
	return err;
}

/* The same from the text of the end line. */
static int put_quick(struct to_side *to, const struct nt_span *metrics)
{
	const char *at = metrics->at;
	struct nt_span name;
	char key[NT_QUICK_NAME];
	double value;
	int err = 0;

	while (!err && at) {
		nt_quick_metric(&at, &name, &value);
		memcpy(key, name.at, name.len);
		key[name.len] = '\0';
		err = nt_results_put(to->s, key, value);
	}
	return err;
}

static int put_run(struct to_side *to, struct nt_run *r, const json_t *end,
		   const struct nt_span *quick)
{
	const json_t *metrics = json_object_get(end, "metrics");
	int err = nt_results_begin(to->s, to->side);

	/* Nothing written: a run cut short, or a record made before metrics were in it. */
	if (!err && quick->at)
		err = put_quick(to, quick);
	else if (!err)
		err = json_is_object(metrics) ? put_recorded(to, metrics) :
		      nt_results_put_metrics(to->s, r);
	return err ? err : nt_results_finish(to->s, r);
}

static int take_run(void *arg, struct nt_run *r, const json_t *end, const struct nt_span *quick)
{
	struct to_side *to = arg;
	int err = put_run(to, r, end, quick);

	return err ? nt_fail(to->e, err, "%s: %s", to->path, strerror(-err)) : 0;
}

int nt_results_read_record(struct nt_lines *in, int side, struct nt_results *s)
{
	struct to_side to = { .s = s, .side = side, .path = in->path, .e = in->e };
	const struct nt_record_sink sink = { .metrics_do = true, .run = take_run, .arg = &to };
	bool damaged;
	int err = nt_record_stream(in, &sink, &damaged);

	if (!err && damaged && nt_results_note(s, "%s; what comes before this line is used",
					       in->e->msg))
		err = nt_fail(in->e, -ENOMEM, "%s: out of memory", in->path);
	return err;
}
