/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command hardware: what the models in seconds speak of.
 */
#include "command/command.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/calibration.h"
#include "session/machine.h"
#include "session/walks.h"

/* ---- amounts, as a person writes them ---- */

static const struct unit {
	double least, factor;
	const char *name;
} bandwidths[] = {{1e12, 1e12, "TB/s"}, {1e9, 1e9, "GB/s"}, {1e6, 1e6, "MB/s"}, {1e3, 1e3, "kB/s"}, {0, 1, "B/s"}},
  times[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-7, 1e-6, "us"}, {0, 1e-9, "ns"}};

static void add_amount(const struct unit *unit, double amount, sw_text *text)
{
	while (amount < unit->least * 0.99999)
		unit++;
	sw_text_addf(text, "%.4g%s", amount / unit->factor, unit->name);
}

static void add_link(struct table *table, double bandwidth, double seconds)
{
	sw_text text = {0};
	if (bandwidth > 0)
		add_amount(bandwidths, bandwidth, &text);
	else
		sw_text_add_char(&text, '-');
	if (bandwidth > 0 && seconds > 0) {
		sw_text_add_char(&text, ' ');
		add_amount(times, seconds, &text);
	}
	table_add_text(table, &text);
}

/* "4.59e14" */
static void add_flops(struct table *table, double flops)
{
	int exponent = flops > 0 ? (int)floor(log10(flops) + 1e-12) : 0;
	if (flops > 0)
		table_add(table, "%.6ge%d", flops / pow(10, exponent), exponent);
	else
		table_add(table, "-");
}

static void add_shape(struct table *table, const sw_hardware *row)
{
	if (row->ring)
		table_add(table, "rings of %lld", (long long)row->ring);
	else if (row->node)
		table_add(table, "nodes of %lld", (long long)row->node);
	else
		table_add(table, "all");
}

/* ---- the machine in front of you ---- */

static void load_calibration(const struct invocation *run, struct calibration *calibration)
{
	sw_text warning = {0};
	calibration_load(run->arena, calibration, &warning);
	if (warning.length)
		answer_remark(run->session, "%s", sw_text_get(&warning));
	sw_text_free(&warning);
}

/* What large groups reach. */
static void add_calibrated(struct table *table, const struct calibration *calibration)
{
	const sw_rate *link = calibration_largest(calibration, TRANSPORT_SHARED, SW_ALLTOALL);
	const sw_rate *copy = calibration_largest(calibration, TRANSPORT_SHARED, SW_DYNSLICE);
	table_add(table, CALIBRATED_NAME);
	add_link(table, link ? link->bandwidth : 0, link ? link->alpha : 0);
	table_add(table, calibration->there ? "%d ranks" : "-", calibration->ranks);
	table_add(table, "-");
	add_link(table, copy ? copy->copy : 0, copy ? copy->alpha : 0);
}

static void add_calibrated_source(struct table *table, const struct calibration *calibration)
{
	table_add(table, CALIBRATED_NAME);
	if (calibration->there && !*calibration->strange)
		table_add(table,
			"this machine, for `model calibrated`. Measured on %s with %s on %d cores: alltoall and dynslice of large "
			"tiles; `info` has more.",
			calibration->date, calibration->mpi, calibration->cores);
	else
		table_add(table, "this machine, for `model calibrated`. %s; `calibrate` measures it.",
			*calibration->strange ? calibration->strange : "Not measured yet");
}

/* ---- as text ---- */

static void add_rows(const struct invocation *run, const char *chosen, const struct calibration *calibration)
{
	static const struct column columns[] = {COLUMN_LEFT("name", ROLE_LABEL), COLUMN_LEFT("link", ROLE_NUMBER),
		COLUMN_LEFT("devices", ROLE_TEXT), COLUMN_LEFT("network", ROLE_NUMBER),
		COLUMN_LEFT("packing, start", ROLE_NUMBER), {0}};
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; hardware_at(i); i++) {
		const sw_hardware *row = hardware_at(i);
		table_add(table, "%s%s", row->name, strcmp(row->name, chosen) == 0 ? " *" : "");
		add_link(table, row->bandwidth, row->latency);
		add_shape(table, row);
		add_link(table, row->network, row->network_latency);
		add_link(table, row->copy, row->start);
	}
	add_calibrated(table, calibration);
}

/* "7.8e12 f64 1.57e13 f32" */
static void add_type_flops(struct table *table, const sw_hardware *row)
{
	sw_text text = {0};
	for (int dtype = 0; dtype < SW_DTYPE_COUNT; dtype++) {
		double flops = row->dtype_flops[dtype];
		int exponent = flops > 0 ? (int)floor(log10(flops) + 1e-12) : 0;
		if (flops > 0)
			sw_text_addf(&text, "%s%.6ge%d %s", text.length ? ", " : "", flops / pow(10, exponent), exponent,
				sw_dtype_name((sw_dtype)dtype));
	}
	if (text.length == 0)
		sw_text_add_char(&text, '-');
	table_add_text(table, &text);
}

static void add_holds(struct table *table, double bytes)
{
	if (bytes > 0)
		table_add(table, "%.6gGB", bytes / 1e9);
	else
		table_add(table, "-");
}

/* Of those that state one of them. */
static void add_rates(const struct invocation *run)
{
	static const struct column columns[] = {COLUMN_LEFT("name", ROLE_LABEL), COLUMN_LEFT("flops", ROLE_NUMBER),
		COLUMN_LEFT("of a type", ROLE_NUMBER), COLUMN_LEFT("memory", ROLE_NUMBER), COLUMN_LEFT("holds", ROLE_NUMBER),
		{0}};
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; hardware_at(i); i++) {
		const sw_hardware *row = hardware_at(i);
		if (sw_hardware_flops(row, SW_F64) <= 0 && row->memory <= 0 && row->holds <= 0)
			continue;
		table_add(table, "%s", row->name);
		add_flops(table, row->flops);
		add_type_flops(table, row);
		add_link(table, row->memory, 0);
		add_holds(table, row->holds);
	}
}

static void add_sources(const struct invocation *run, const struct calibration *calibration)
{
	static const struct column columns[] = {COLUMN_LEFT("name", ROLE_LABEL),
		COLUMN_LEFT("what it is, and the source of its numbers", ROLE_TEXT), {0}};
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; hardware_at(i); i++) {
		table_add(table, "%s", hardware_at(i)->name);
		table_add(table, "%s. %c%s.", hardware_at(i)->about, toupper((unsigned char)*hardware_at(i)->source),
			hardware_at(i)->source + 1);
	}
	add_calibrated_source(table, calibration);
}

static void add_legend(const struct invocation *run)
{
	static const struct column columns[] = {COLUMN_LEFT("", ROLE_LABEL), COLUMN_LEFT("", ROLE_TEXT), {0}};
	static const char *const words[][2] = {
		{"*", "chosen for the models latency and roofline"},
		{"link", "bandwidth of one device and direction, and latency"},
		{"devices",
			"the devices that links connect: all by a switch, those of a node, or a torus whose axes close to "
			"rings at multiples of a number"},
		{"network", "a device's share of its bandwidth, and its latency, for groups that leave a node"},
		{"packing", "half of the bandwidth of memory (data is read and written), and `start` for each pass"},
		{"flops", "operations a second on 16-bit numbers"},
		{"of a type", "the same on elements of a given type, if stated"},
		{"memory", "bytes a second from a device's own memory: `show type` gives the time to read one tile"},
	};
	struct table *table = document_table(run->answer, columns);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		table_add(table, "%s", words[i][0]);
		table_add(table, "%s", words[i][1]);
	}
}

static void list(const struct invocation *run, const char *chosen, const struct calibration *calibration)
{
	add_rows(run, chosen, calibration);
	document_line(run->answer, "%s", "");
	add_rates(run);
	document_line(run->answer, "%s", "");
	add_sources(run, calibration);
	document_line(run->answer, "%s", "");
	add_legend(run);
}

/* ---- as fields ---- */

static void add_number(struct fields *in, const char *key, double value, bool known)
{
	if (known)
		field_number(in, key, value);
	else
		field_null(in, key);
}

static void add_hardware(struct fields *in, sw_arena *arena, const sw_hardware *row, bool chosen)
{
	field_text(in, "name", row->name);
	field_bool(in, "chosen", chosen);
	field_number(in, "bandwidth", row->bandwidth);
	field_number(in, "latency", row->latency);
	add_number(in, "ring", (double)row->ring, row->ring > 0);
	add_number(in, "node", (double)row->node, row->node > 0);
	add_number(in, "network_bandwidth", row->network, row->node > 0);
	add_number(in, "network_latency", row->network_latency, row->node > 0);
	field_number(in, "packing", row->copy);
	field_number(in, "start", row->start);
	add_number(in, "flops", row->flops, row->flops > 0);
	for (int dtype = 0; dtype < SW_DTYPE_COUNT; dtype++) {
		char key[32];
		snprintf(key, sizeof key, "flops_%s", sw_dtype_name((sw_dtype)dtype));
		if (row->dtype_flops[dtype] > 0)
			field_number(in, sw_arena_copy(arena, key, strlen(key)), row->dtype_flops[dtype]);
	}
	add_number(in, "memory", row->memory, row->memory > 0);
	add_number(in, "holds", row->holds, row->holds > 0);
	field_text(in, "about", row->about);
	field_text(in, "source", row->source);
}

static void add_measured(struct fields *in, const struct calibration *calibration)
{
	bool there = calibration->there;
	field_bool(in, "used", there && !*calibration->strange);
	field_text(in, "why_not",
		*calibration->strange ? calibration->strange :
			there             ? NULL :
								"it has not been measured yet");
	field_text(in, "host", there ? calibration->host : NULL);
	field_text(in, "mpi", there ? calibration->mpi : NULL);
	field_text(in, "date", there ? calibration->date : NULL);
	add_number(in, "cores", calibration->cores, there);
	add_number(in, "ranks", calibration->ranks, there);
}

/* All rows, or the one that was chosen. */
static void add_fields(const struct invocation *run, bool all, const char *chosen,
	const struct calibration *calibration)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.hardware/1");
	struct fields *rows = field_list(fields, "hardware");
	for (int i = 0; hardware_at(i); i++) {
		bool is = strcmp(hardware_at(i)->name, chosen) == 0;
		if (all || is)
			add_hardware(field_object(rows, NULL), run->arena, hardware_at(i), is);
	}
	add_measured(field_object(fields, CALIBRATED_NAME), calibration);
}

static void tell(const struct invocation *run, bool all)
{
	const char *chosen = run->session->state.settings.value[SETTING_HARDWARE].text;
	struct calibration calibration;
	load_calibration(run, &calibration);
	add_fields(run, all, chosen, &calibration);
	if (all)
		list(run, chosen, &calibration);
}

/* ---- the command ---- */

static bool choose(struct invocation *run, sw_str name, sw_diag *diag)
{
	struct setting_value value;
	if (!hardware_named(name, diag))
		return refuse_at(run, name, diag);
	if (!setting_read(SETTING_HARDWARE, name, &value, diag))
		return refuse_at(run, name, diag);
	run->session->state.settings.value[SETTING_HARDWARE] = value;
	session_steer_walks(run->session, SETTING_HARDWARE);
	tell(run, false);
	return true;
}

bool command_hardware(struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	if (!word) {
		tell(run, true);
		return true;
	}
	sw_str text = sw_str_trim(word->raw);
	const char *equals = memchr(text.at, '=', text.length);
	if (!equals)
		return choose(run, text, diag);
	sw_str name = sw_str_trim((sw_str){text.at, (size_t)(equals - text.at)});
	sw_str rates = sw_str_trim((sw_str){equals + 1, (size_t)(text.at + text.length - equals - 1)});
	if (!hardware_define(name, rates, diag))
		return refuse_at(run, diag->at.end ? rates : name, diag);
	return choose(run, name, diag);
}
