/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of the calibration, and the machine that it describes.
 */
#define _GNU_SOURCE
#include "session/calibration.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <shardwalk/record.h>

#include "host/programs.h"
#include "session/records.h"
#include "host/file.h"
#include "host/safe.h"
#include "host/paths.h"

const char *const transport_names[TRANSPORT_COUNT] = {"shared", "messages"};

/* ---- the file ---- */

struct rate_row {
	const char *transport, *op;
	sw_rate rate;
};

struct run_row {
	const char *transport;
	sw_run_rate run;
};

struct kernel_row {
	const char *kernel;
	sw_kernel_rate rate;
};

struct written {
	const char *schema, *host, *date, *mpi, *library;
	int ranks, cores;
	const sw_probe *regime;
	sw_list rates, runs, kernels; /* of the rows above */
};

static bool always(const void *of)
{
	return of != NULL;
}

static const sw_field rate_fields[] = {
	SW_FIELD("transport", TEXT, struct rate_row, transport, .needed = always),
	SW_FIELD("op", TEXT, struct rate_row, op, .needed = always),
	SW_FIELD("group", INT, struct rate_row, rate.group, .needed = always),
	SW_FIELD("bytes", INT, struct rate_row, rate.bytes, .needed = always),
	SW_FIELD("alpha", NUMBER, struct rate_row, rate.alpha, .needed = always),
	SW_FIELD("bandwidth", NUMBER, struct rate_row, rate.bandwidth, .needed = always),
	SW_FIELD("copy", NUMBER, struct rate_row, rate.copy, .needed = always),
};

/* Files of before have no parts, tiles, slices and sums. */
static const sw_field run_fields[] = {
	SW_FIELD("transport", TEXT, struct run_row, transport, .needed = always),
	SW_FIELD("bytes", INT, struct run_row, run.bytes, .least = 1, .needed = always),
	SW_FIELD("parts", INT, struct run_row, run.parts),
	SW_FIELD("tile", INT, struct run_row, run.tile),
	SW_FIELD("source", NUMBER, struct run_row, run.source, .least = 1, .needed = always),
	SW_FIELD("target", NUMBER, struct run_row, run.target, .least = 1, .needed = always),
	SW_FIELD("both", NUMBER, struct run_row, run.both, .least = 1, .needed = always),
	SW_FIELD("slice", NUMBER, struct run_row, run.slice, .least = 1),
	SW_FIELD("sum", NUMBER, struct run_row, run.sum, .least = 1),
};

static const sw_field kernel_fields[] = {
	SW_FIELD("kernel", TEXT, struct kernel_row, kernel, .needed = always),
	SW_FIELD("size", INT, struct kernel_row, rate.size, .least = 1, .needed = always),
	SW_FIELD("alpha", NUMBER, struct kernel_row, rate.alpha, .needed = always),
	SW_FIELD("rate", NUMBER, struct kernel_row, rate.rate, .needed = always),
};

static const sw_fields rate_table = SW_FIELDS(rate_fields, struct rate_row),
					   run_table = SW_FIELDS(run_fields, struct run_row),
					   kernel_table = SW_FIELDS(kernel_fields, struct kernel_row);

static const sw_field written_fields[] = {
	SW_FIELD("schema", TEXT, struct written, schema, .needed = always),
	SW_FIELD("host", TEXT, struct written, host, .needed = always),
	SW_FIELD("date", TEXT, struct written, date, .needed = always),
	SW_FIELD("mpi", TEXT, struct written, mpi, .needed = always),
	SW_FIELD("ranks", COUNT, struct written, ranks, .least = 1, .needed = always),
	SW_FIELD("cores", COUNT, struct written, cores, .least = 1, .needed = always),
	SW_FIELD("regime", OBJECT, struct written, regime, .in = &sw_probe_fields),
	SW_FIELD("rates", OBJECTS, struct written, rates, .in = &rate_table),
	SW_FIELD("runs", OBJECTS, struct written, runs, .in = &run_table),
	SW_FIELD("library", TEXT, struct written, library, .sparse = true),
	SW_FIELD("kernels", OBJECTS, struct written, kernels, .in = &kernel_table),
};

static const sw_fields written_table = SW_FIELDS(written_fields, struct written);

/* ---- reading ---- */

/* TRANSPORT_COUNT: there is none of this name. */
static int transport_of(const char *name)
{
	int transport = 0;
	while (transport < TRANSPORT_COUNT && strcmp(name, transport_names[transport]) != 0)
		transport++;
	return transport;
}

static bool take_rates(sw_arena *arena, const sw_list *rows, struct calibration *calibration)
{
	const struct rate_row *row = rows->item;
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (!(calibration->rate[t] = SW_NEW(arena, sw_rate, rows->count)))
			return false;
	for (int64_t i = 0; i < rows->count; i++) {
		int t = transport_of(row[i].transport);
		sw_rate rate = row[i].rate;
		rate.op = sw_op_named(sw_str_of(row[i].op));
		if (t == TRANSPORT_COUNT || rate.op == SW_OP_COUNT)
			return false;
		calibration->rate[t][calibration->count[t]++] = rate;
	}
	return rows->count > 0;
}

/* Is it longer than the one before, where both are of as many parts in tiles of one size? */
static bool goes_on(const struct calibration *calibration, int t, const sw_run_rate *run)
{
	int count = calibration->runs[t];
	const sw_run_rate *before = count ? &calibration->run[t][count - 1] : NULL;
	return !before || run->parts != before->parts || run->tile != before->tile || run->bytes > before->bytes;
}

static bool take_runs(sw_arena *arena, const sw_list *rows, struct calibration *calibration)
{
	const struct run_row *row = rows->item;
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (!(calibration->run[t] = SW_NEW(arena, sw_run_rate, rows->count)))
			return false;
	for (int64_t i = 0; i < rows->count; i++) {
		int t = transport_of(row[i].transport);
		sw_run_rate run = row[i].run;
		run.parts = run.parts < 0 ? 0 : run.parts;
		run.tile = run.tile < 0 ? 0 : run.tile;
		run.slice = isnan(run.slice) ? run.source : run.slice;
		run.sum = isnan(run.sum) ? run.source : run.sum;
		if (t == TRANSPORT_COUNT || !goes_on(calibration, t, &run))
			return false;
		calibration->run[t][calibration->runs[t]++] = run;
	}
	return true;
}

/* Of kernels that this program does not know another one may. */
static bool take_kernels(sw_arena *arena, const sw_list *rows, struct calibration *calibration)
{
	const struct kernel_row *row = rows->item;
	calibration->kernel = SW_NEW(arena, sw_kernel_rate, rows->count);
	for (int64_t i = 0; calibration->kernel && i < rows->count; i++) {
		sw_kernel_rate rate = row[i].rate;
		rate.kernel = sw_kernel_named(sw_str_of(row[i].kernel));
		if (!(rate.rate > 0) || !(rate.alpha >= 0))
			return false;
		if (rate.kernel != SW_KERNEL_COUNT)
			calibration->kernel[calibration->kernels++] = rate;
	}
	return calibration->kernel != NULL;
}

static double known(double value)
{
	return isnan(value) ? 0 : value;
}

static bool take_all(sw_arena *arena, sw_str text, struct calibration *calibration)
{
	struct written file;
	if (!sw_fields_parse(text, arena, &written_table, &file, NULL) || strcmp(file.schema, CALIBRATION_SCHEMA) != 0)
		return false;
	calibration->host = file.host;
	calibration->date = file.date;
	calibration->mpi = file.mpi;
	calibration->ranks = file.ranks;
	calibration->cores = file.cores;
	calibration->hop = file.regime ? known(file.regime->hop) : 0;
	calibration->bandwidth = file.regime ? known(file.regime->bandwidth) : 0;
	calibration->library = file.library;
	return take_rates(arena, &file.rates, calibration) && take_runs(arena, &file.runs, calibration) &&
		take_kernels(arena, &file.kernels, calibration);
}

/* A file that is not understood is kept under another name: it may be somebody's. */
static void set_aside(const char *path, sw_text *warning)
{
	char other[PATH_MAX];
	bool moved = !safe_is_on() && snprintf(other, sizeof(other), "%s.damaged", path) < PATH_MAX &&
		rename(path, other) == 0;
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
		snprintf(calibration->strange, sizeof(calibration->strange),
			"it is from the host %.80s, but this is "
			"%.80s",
			calibration->host, host);
	else if (cores && calibration->cores != cores)
		snprintf(calibration->strange, sizeof(calibration->strange),
			"it is from %d cores, but this machine "
			"has %d",
			calibration->cores, cores);
	else if (*present_mpi() && strcmp(calibration->mpi, present_mpi()) != 0)
		snprintf(calibration->strange, sizeof(calibration->strange), "it is from %.80s, but here is %s",
			calibration->mpi, present_mpi());
}

static void tell_unread(const char *path, const sw_diag *why, struct calibration *calibration, sw_text *warning)
{
	struct stat info;
	bool link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
	snprintf(calibration->strange, sizeof(calibration->strange), "its file cannot be read");
	sw_text_addf(warning, "the calibration is unknown: %s%s; repair or remove that, and `calibrate` makes a new one",
		why->message, link ? ", it is a link" : "");
}

void calibration_load(sw_arena *arena, struct calibration *calibration, sw_text *warning)
{
	sw_text path = {0}, text = {0};
	struct stat info;
	sw_diag diag;
	*calibration = (struct calibration){.there = false};
	path_calibration(&path);
	bool present = path.length && lstat(sw_text_get(&path), &info) == 0;
	if (present && file_read(sw_text_get(&path), &text, &diag)) {
		struct calibration read = {.there = true};
		if (take_all(arena, (sw_str){sw_text_get(&text), text.length}, &read))
			*calibration = read;
		else
			set_aside(sw_text_get(&path), warning);
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

static bool list_rates(const struct calibration *calibration, sw_arena *arena, sw_list *rates)
{
	int count = calibration->count[TRANSPORT_SHARED] + calibration->count[TRANSPORT_MESSAGES], n = 0;
	struct rate_row *row = SW_NEW(arena, struct rate_row, count);
	for (int t = 0; row && t < TRANSPORT_COUNT; t++)
		for (int i = 0; i < calibration->count[t]; i++) {
			const sw_rate *rate = &calibration->rate[t][i];
			row[n++] = (struct rate_row){transport_names[t], sw_collective_of(rate->op)->name, *rate};
		}
	*rates = (sw_list){row, n};
	return row != NULL;
}

static bool list_runs(const struct calibration *calibration, sw_arena *arena, sw_list *runs)
{
	int count = calibration->runs[TRANSPORT_SHARED] + calibration->runs[TRANSPORT_MESSAGES], n = 0;
	struct run_row *row = SW_NEW(arena, struct run_row, count);
	for (int t = 0; row && t < TRANSPORT_COUNT; t++)
		for (int i = 0; i < calibration->runs[t]; i++)
			row[n++] = (struct run_row){transport_names[t], calibration->run[t][i]};
	*runs = (sw_list){row, n};
	return row != NULL;
}

static bool list_kernels(const struct calibration *calibration, sw_arena *arena, sw_list *kernels)
{
	int count = calibration->kernels;
	struct kernel_row *row = SW_NEW(arena, struct kernel_row, count);
	for (int i = 0; row && i < count; i++)
		row[i] = (struct kernel_row){sw_kernel_name(calibration->kernel[i].kernel), calibration->kernel[i]};
	*kernels = (sw_list){row, count};
	return row != NULL;
}

/* 0: not measured */
static double measured(double value)
{
	return value > 0 ? value : NAN;
}

static void write_file(const struct written *file, sw_text *text)
{
	sw_json json;
	sw_json_start(&json, text, true);
	json.compact = true;
	json.digits = 6;
	sw_json_open(&json, '{', false);
	sw_fields_write(&json, written_table.field, written_table.count, file);
	sw_json_close(&json);
	sw_text_add_char(text, '\n');
}

bool calibration_write(const struct calibration *calibration, sw_text *text, sw_diag *diag)
{
	const sw_probe regime = {measured(calibration->hop), measured(calibration->bandwidth)};
	struct written file = {.schema = CALIBRATION_SCHEMA,
		.host = calibration->host,
		.date = calibration->date,
		.mpi = calibration->mpi,
		.ranks = calibration->ranks,
		.cores = calibration->cores,
		.library = calibration->library,
		.regime = &regime};
	sw_arena *arena = sw_arena_new();
	bool ok = arena && list_rates(calibration, arena, &file.rates) && list_runs(calibration, arena, &file.runs) &&
		list_kernels(calibration, arena, &file.kernels);
	if (ok)
		write_file(&file, text);
	sw_arena_free(arena);
	return (ok && !text->failed) || sw_diag_memory(diag);
}

bool calibration_store(const struct calibration *calibration, sw_diag *diag)
{
	sw_text path = {0}, text = {0};
	path_calibration(&path);
	if (!path.length) {
		sw_diag_set(diag, SW_B02, (sw_span){0, 0},
			"there is no folder for the calibration: neither XDG_STATE_HOME nor HOME");
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

/* What stands for operations that were not measured: permutations go as all-to-alls do, but in one round.  Files of
 * before have no sums: there these go as what moves as many bytes, and adding takes no time. */
static const struct stand_in {
	sw_op op, like;
	bool one_round;
} stand_ins[] = {
	{SW_ALLPERMUTE, SW_ALLTOALL, true},
	{SW_EXCHANGE, SW_ALLTOALL, false},
	{SW_REDUCESCATTER, SW_ALLTOALL, false},
	{SW_ALLREDUCE, SW_ALLTOALL, false},
	{SW_ZEROS, SW_DYNSLICE, false},
	{SW_PAD, SW_DYNSLICE, false},
};
enum { STAND_INS = sizeof(stand_ins) / sizeof(*stand_ins) };

static bool has_rate(const sw_rate *rate, int count, sw_op op)
{
	for (int i = 0; i < count; i++)
		if (rate[i].op == op)
			return true;
	return false;
}

static void copy_rates(sw_machine *machine, sw_rate *rate, const struct stand_in *in)
{
	int count = machine->count;
	if (has_rate(rate, count, in->op))
		return;
	for (int i = 0; i < count; i++) {
		if (rate[i].op != in->like)
			continue;
		rate[machine->count] = rate[i];
		rate[machine->count].alpha *= in->one_round ? (double)(rate[i].group - 1) : 1;
		rate[machine->count++].op = in->op;
	}
}

/* As many times slower, where ranks take turns. */
static void copy_kernels(const struct calibration *calibration, double slower, sw_arena *arena, sw_machine *machine)
{
	int count = calibration->kernels;
	sw_kernel_rate *kernel = SW_NEW(arena, sw_kernel_rate, count);
	for (int i = 0; kernel && i < count; i++) {
		kernel[i] = calibration->kernel[i];
		kernel[i].alpha *= slower;
		kernel[i].rate /= slower;
	}
	machine->kernel = kernel;
	machine->kernels = kernel ? count : 0;
}

const char *calibration_machine(const struct calibration *calibration, bool messages, int64_t ranks, sw_arena *arena,
	sw_machine *machine)
{
	int transport = messages ? TRANSPORT_MESSAGES : TRANSPORT_SHARED;
	int count = calibration->count[transport];
	*machine = *sw_machine_default();
	if (!count || *calibration->strange)
		return "latency";
	sw_rate *rate = SW_NEW(arena, sw_rate, (STAND_INS + 1) * count);
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
	for (int i = 0; i < STAND_INS; i++)
		copy_rates(machine, rate, &stand_ins[i]);
	copy_kernels(calibration, slower, arena, machine);
	return "calibrated";
}

/* ---- info ---- */

const sw_rate *calibration_largest(const struct calibration *calibration, int transport, sw_op op)
{
	assert(transport >= 0 && transport < TRANSPORT_COUNT);
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

static void print_kernels(const struct calibration *calibration, sw_text *text)
{
	const sw_machine machine = {.kernels = calibration->kernels, .kernel = calibration->kernel};
	double rates[SW_KERNEL_COUNT];
	if (!calibration->kernels) {
		sw_text_add(text, "  products were not measured: the ranks guess their times; `calibrate` measures them\n");
		return;
	}
	for (int k = 0; k < SW_KERNEL_COUNT; k++)
		rates[k] = 1 / sw_kernel_seconds(&machine, (sw_kernel)k, INFINITY, 1);
	sw_text_addf(text,
		"  products by %s: %.2g us to begin, %.3g Gflop/s per rank; relu %.3g GB/s, add %.3g, exp %.3g\n",
		calibration->library ? calibration->library : "an unknown library",
		1e6 * sw_kernel_start(&machine, SW_KERNEL_PRODUCT), 1e-9 * rates[SW_KERNEL_PRODUCT],
		1e-9 * rates[SW_KERNEL_EACH], 1e-9 * rates[SW_KERNEL_PAIRS], 1e-9 * rates[SW_KERNEL_EXP]);
}

static void print_missing(const struct calibration *calibration, sw_text *text)
{
	if (!has_rate(calibration->rate[TRANSPORT_SHARED], calibration->count[TRANSPORT_SHARED], SW_REDUCESCATTER))
		sw_text_add(text,
			"  adding was not measured: a reducescatter counts as an alltoall, an allreduce as two; `calibrate` measures "
			"it\n");
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
		sw_text_addf(text, "  not used: %s; `calibrate` measures again\n", calibration->strange);
	sw_text_add(text, "  regime: ");
	records_print_probe(calibration->hop, calibration->bandwidth, text);
	sw_text_add(text, "\n");
	for (int t = 0; t < TRANSPORT_COUNT; t++) {
		for (int op = 0; op < SW_COLLECTIVES; op++) {
			const sw_rate *rate = calibration_largest(calibration, t, (sw_op)op);
			if (!rate)
				continue;
			sw_text_addf(text, "  %s, %s of %lld: %.2g us a round, %.3g GB/s per rank\n", transport_names[t],
				sw_collective_of((sw_op)op)->name, (long long)rate->group, 1e6 * rate->alpha,
				1e-9 * (rate->bandwidth > 0 ? rate->bandwidth : rate->copy));
		}
		if (calibration->runs[t])
			print_runs(&calibration->run[t][0], transport_names[t], text);
	}
	print_kernels(calibration, text);
	print_missing(calibration, text);
}
