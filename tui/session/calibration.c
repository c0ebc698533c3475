/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of the calibration, and the machine that it describes.
 */
#define _GNU_SOURCE
#include "session/calibration.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "host/programs.h"
#include "session/records.h"
#include "host/file.h"
#include "host/paths.h"

const char *const transport_names[TRANSPORT_COUNT] = {"shared", "messages"};

/* ---- reading ---- */

static const char *take_string(sw_arena *arena, json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? sw_arena_copy(arena, text, strlen(text)) : NULL;
}

static bool take_transport(json_t *item, int *transport)
{
	const char *name = json_string_value(json_object_get(item, "transport"));
	for (*transport = 0; name && *transport < TRANSPORT_COUNT; ++*transport)
		if (strcmp(name, transport_names[*transport]) == 0)
			return true;
	return false;
}

static bool take_rate(json_t *item, sw_rate *rate)
{
	const char *op = json_string_value(json_object_get(item, "op"));
	json_t *numbers[] = {json_object_get(item, "alpha"), json_object_get(item, "bandwidth"),
		json_object_get(item, "copy")};
	rate->op = op ? sw_op_named(sw_str_of(op)) : SW_OP_COUNT;
	rate->group = json_integer_value(json_object_get(item, "group"));
	rate->bytes = json_integer_value(json_object_get(item, "bytes"));
	for (int i = 0; i < 3; i++)
		if (!json_is_number(numbers[i]) || json_number_value(numbers[i]) < 0)
			return false;
	rate->alpha = json_number_value(numbers[0]);
	rate->bandwidth = json_number_value(numbers[1]);
	rate->copy = json_number_value(numbers[2]);
	return rate->op != SW_OP_COUNT && rate->group >= 0 && rate->bytes >= 0;
}

static bool take_rates(sw_arena *arena, json_t *list, struct calibration *calibration)
{
	size_t count = json_array_size(list);
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (!(calibration->rate[t] = SW_NEW(arena, sw_rate, count)))
			return false;
	for (size_t i = 0; i < count; i++) {
		sw_rate rate;
		int transport;
		if (!take_transport(json_array_get(list, i), &transport) || !take_rate(json_array_get(list, i), &rate))
			return false;
		calibration->rate[transport][calibration->count[transport]++] = rate;
	}
	return count > 0;
}

static bool take_run(json_t *item, sw_run_rate *run)
{
	run->bytes = json_integer_value(json_object_get(item, "bytes"));
	run->parts = json_integer_value(json_object_get(item, "parts"));
	run->tile = json_integer_value(json_object_get(item, "tile"));
	run->source = json_number_value(json_object_get(item, "source"));
	run->target = json_number_value(json_object_get(item, "target"));
	run->both = json_number_value(json_object_get(item, "both"));
	run->slice = json_is_number(json_object_get(item, "slice")) ? json_number_value(json_object_get(item, "slice")) :
																  run->source;
	return run->bytes > 0 && run->parts >= 0 && run->tile >= 0 && run->source >= 1 && run->target >= 1 &&
		run->both >= 1 && run->slice >= 1;
}

/* Is it longer than the one before, where both are of as many parts in tiles of one size? */
static bool goes_on(const struct calibration *calibration, int t, const sw_run_rate *run)
{
	int count = calibration->runs[t];
	const sw_run_rate *before = count ? &calibration->run[t][count - 1] : NULL;
	return !before || run->parts != before->parts || run->tile != before->tile || run->bytes > before->bytes;
}

/* Files of before have none, or none with parts. */
static bool take_runs(sw_arena *arena, json_t *list, struct calibration *calibration)
{
	size_t count = json_array_size(list);
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (!(calibration->run[t] = SW_NEW(arena, sw_run_rate, count)))
			return false;
	for (size_t i = 0; i < count; i++) {
		sw_run_rate run;
		int t;
		if (!take_transport(json_array_get(list, i), &t) || !take_run(json_array_get(list, i), &run) ||
			!goes_on(calibration, t, &run))
			return false;
		calibration->run[t][calibration->runs[t]++] = run;
	}
	return true;
}

static bool take_all(sw_arena *arena, json_t *root, struct calibration *calibration)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));
	json_t *regime = json_object_get(root, "regime");
	if (!schema || strcmp(schema, CALIBRATION_SCHEMA) != 0)
		return false;
	calibration->host = take_string(arena, root, "host");
	calibration->date = take_string(arena, root, "date");
	calibration->mpi = take_string(arena, root, "mpi");
	calibration->ranks = (int)json_integer_value(json_object_get(root, "ranks"));
	calibration->cores = (int)json_integer_value(json_object_get(root, "cores"));
	calibration->hop = json_number_value(json_object_get(regime, "hop_seconds"));
	calibration->bandwidth = json_number_value(json_object_get(regime, "stream_bytes_per_second"));
	return calibration->host && calibration->date && calibration->mpi && calibration->ranks > 0 &&
		calibration->cores > 0 && take_rates(arena, json_object_get(root, "rates"), calibration) &&
		take_runs(arena, json_object_get(root, "runs"), calibration);
}

/* A file that is not understood is kept under another name: it may be somebody's. */
static void set_aside(const char *path, sw_text *warning)
{
	char other[PATH_MAX];
	bool moved = snprintf(other, sizeof(other), "%s.damaged", path) < PATH_MAX && rename(path, other) == 0;
	sw_text_addf(warning, "the calibration in '%s' is damaged, and %s%s; `calibrate` makes a new one", path,
		moved ? "is now called " : "is left out", moved ? other : "");
}

/* ---- is it of this machine? ---- */

static int count_cores(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

/* The MPI whose launcher would be taken; "" where none says its name.  It is asked once. */
static const char *present_mpi(void)
{
	static char mpi[64];
	static bool asked;
	if (!asked)
		programs_mpi(mpi);
	asked = true;
	return mpi;
}

static void look_around(struct calibration *calibration)
{
	char host[256] = "";
	int cores = count_cores();
	gethostname(host, sizeof(host) - 1);
	if (strcmp(calibration->host, host) != 0)
		snprintf(calibration->strange, sizeof(calibration->strange), "it is of the host %.80s, and this is %.80s",
			calibration->host, host);
	else if (cores && calibration->cores != cores)
		snprintf(calibration->strange, sizeof(calibration->strange), "it is of %d cores, and here are %d",
			calibration->cores, cores);
	else if (*present_mpi() && strcmp(calibration->mpi, present_mpi()) != 0)
		snprintf(calibration->strange, sizeof(calibration->strange), "it is of %.80s, and here is %s",
			calibration->mpi, present_mpi());
}

static void tell_unread(const char *path, const sw_diag *why, struct calibration *calibration, sw_text *warning)
{
	struct stat info;
	bool link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
	snprintf(calibration->strange, sizeof(calibration->strange), "its file cannot be read");
	sw_text_addf(warning,
		"the calibration is not known: %s%s; mend that or take it away, and `calibrate` makes a new one",
		why->message, link ? ", it is a link" : "");
}

void calibration_load(sw_arena *arena, struct calibration *calibration, sw_text *warning)
{
	sw_text path = {0}, text = {0};
	struct stat info;
	sw_diag diag;
	*calibration = (struct calibration){.there = false};
	places_calibration(&path);
	bool present = path.length && lstat(sw_text_get(&path), &info) == 0;
	if (present && file_read(sw_text_get(&path), &text, &diag)) {
		json_t *root = json_loadb(sw_text_get(&text), text.length, 0, NULL);
		struct calibration read = {.there = true};
		if (take_all(arena, root, &read))
			*calibration = read;
		else
			set_aside(sw_text_get(&path), warning);
		json_decref(root);
	} else if (present) {
		tell_unread(sw_text_get(&path), &diag, calibration, warning);
	}
	if (calibration->there)
		look_around(calibration);
	sw_text_free(&path);
	sw_text_free(&text);
}

/* ---- writing ---- */

static void make_folders(char *path)
{
	for (char *at = path + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0777);
		*at = '/';
	}
}

static json_t *rates_json(const struct calibration *calibration)
{
	json_t *list = json_array();
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		for (int i = 0; i < calibration->count[t]; i++) {
			const sw_rate *rate = &calibration->rate[t][i];
			json_array_append_new(list,
				json_pack("{ss ss sI sI sf sf sf}", "transport", transport_names[t], "op",
					sw_collective_of(rate->op)->name, "group", (json_int_t)rate->group, "bytes",
					(json_int_t)rate->bytes, "alpha", rate->alpha, "bandwidth", rate->bandwidth, "copy", rate->copy));
		}
	return list;
}

static json_t *runs_json(const struct calibration *calibration)
{
	json_t *list = json_array();
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		for (int i = 0; i < calibration->runs[t]; i++) {
			const sw_run_rate *run = &calibration->run[t][i];
			json_array_append_new(list,
				json_pack("{ss sI sI sI sf sf sf sf}", "transport", transport_names[t], "bytes",
					(json_int_t)run->bytes, "parts", (json_int_t)run->parts, "tile", (json_int_t)run->tile, "source",
					run->source, "target", run->target, "both", run->both, "slice", run->slice));
		}
	return list;
}

/* 0: not measured */
static json_t *measured(double value)
{
	return value > 0 ? json_real(value) : json_null();
}

bool calibration_write(const struct calibration *calibration, sw_text *text, sw_diag *diag)
{
	json_t *root = json_pack("{ss ss ss ss si si s{so so} so so}", "schema", CALIBRATION_SCHEMA, "host",
		calibration->host, "date", calibration->date, "mpi", calibration->mpi, "ranks", calibration->ranks, "cores",
		calibration->cores, "regime", "hop_seconds", measured(calibration->hop), "stream_bytes_per_second",
		measured(calibration->bandwidth), "rates", rates_json(calibration), "runs", runs_json(calibration));
	char *words = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
	sw_text_addf(text, "%s\n", words ? words : "");
	json_decref(root);
	free(words);
	return words != NULL || sw_diag_memory(diag);
}

bool calibration_store(const struct calibration *calibration, sw_diag *diag)
{
	sw_text path = {0}, text = {0};
	places_calibration(&path);
	if (!path.length) {
		sw_diag_set(diag, SW_B02, (sw_span){0, 0},
			"there is no place for the calibration: neither XDG_STATE_HOME nor HOME");
		sw_diag_hint(diag, "set one of them to a folder");
		return false;
	}
	make_folders(path.data);
	bool ok = calibration_write(calibration, &text, diag) && file_write(sw_text_get(&path), &text, diag);
	sw_text_free(&path);
	sw_text_free(&text);
	return ok;
}

/* ---- the machine ---- */

/* The share of a processor that a rank has. */
static double share(int64_t ranks, int cores)
{
	return ranks > cores ? (double)cores / (double)ranks : 1;
}

/* Permutations and exchanges that were not measured go as all-to-alls do. */
static void lend_rates(sw_machine *machine, sw_rate *rate, sw_op op)
{
	int count = machine->count;
	for (int i = 0; i < count; i++)
		if (rate[i].op == op)
			return;
	for (int i = 0; i < count; i++) {
		if (rate[i].op != SW_ALLTOALL)
			continue;
		rate[machine->count] = rate[i];
		rate[machine->count].alpha *= (double)(rate[i].group - 1);
		rate[machine->count++].op = op;
	}
}

const char *calibration_machine(const struct calibration *calibration, bool messages, int64_t ranks, sw_arena *arena,
	sw_machine *machine)
{
	int transport = messages ? TRANSPORT_MESSAGES : TRANSPORT_SHARED;
	int count = calibration->count[transport];
	*machine = *sw_machine_default();
	if (!count || *calibration->strange)
		return "latency";
	sw_rate *rate = SW_NEW(arena, sw_rate, 3 * count);
	if (!rate)
		return "latency";
	double slower = share(calibration->ranks, calibration->cores) / share(ranks, calibration->cores);
	for (int i = 0; i < count; i++) {
		rate[i] = calibration->rate[transport][i];
		rate[i].alpha *= slower;
		rate[i].bandwidth /= slower;
		rate[i].copy /= slower;
	}
	*machine = (sw_machine){.links = true,
		.count = count,
		.rate = rate,
		.runs = calibration->runs[transport],
		.run = calibration->run[transport]};
	lend_rates(machine, rate, SW_ALLPERMUTE);
	lend_rates(machine, rate, SW_EXCHANGE);
	return "calibrated";
}

/* ---- info ---- */

const sw_rate *calibration_largest(const struct calibration *calibration, int transport, sw_op op)
{
	const sw_rate *best = NULL;
	for (int i = 0; i < calibration->count[transport]; i++) {
		const sw_rate *rate = &calibration->rate[transport][i];
		if (rate->op == op &&
			(!best || rate->group > best->group || (rate->group == best->group && rate->bytes > best->bytes)))
			best = rate;
	}
	return best;
}

static void print_runs(const sw_run_rate *run, const char *transport, sw_text *text)
{
	sw_text_addf(text,
		"  %s, runs of %lld bytes: %.1f times as long in the source, %.1f in the target, %.1f in both\n", transport,
		(long long)run->bytes, run->source, run->target, run->both);
}

void calibration_print(const struct calibration *calibration, sw_text *text)
{
	if (!calibration->there) {
		sw_text_addf(text, "calibrated: %s; `calibrate` measures this machine\n",
			*calibration->strange ? calibration->strange : "not yet");
		return;
	}
	sw_text_addf(text, "calibrated: on %s, %s, %d ranks on %d cores, %s\n", calibration->host, calibration->date,
		calibration->ranks, calibration->cores, calibration->mpi);
	if (*calibration->strange)
		sw_text_addf(text, "  not used: %s; `calibrate` measures anew\n", calibration->strange);
	sw_text_add(text, "  regime: ");
	records_print_probe(calibration->hop, calibration->bandwidth, text);
	sw_text_add(text, "\n");
	for (int t = 0; t < TRANSPORT_COUNT; t++) {
		for (int op = 0; op < SW_OP_COUNT; op++) {
			const sw_rate *rate = calibration_largest(calibration, t, (sw_op)op);
			if (!rate)
				continue;
			bool local = sw_collective_of((sw_op)op)->local;
			sw_text_addf(text, "  %s, %s of %lld: %.2g us a round, %.3g GB/s per rank\n", transport_names[t],
				sw_collective_of((sw_op)op)->name, (long long)rate->group, 1e6 * rate->alpha,
				1e-9 * (local ? rate->copy : rate->bandwidth));
		}
		if (calibration->runs[t])
			print_runs(&calibration->run[t][0], transport_names[t], text);
	}
}
