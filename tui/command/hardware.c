/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command hardware: what the models in seconds speak of.
 */
#include "command/command.h"

#include <ctype.h>
#include <string.h>

#include "command/answer.h"
#include "launch/calibration.h"
#include "launch/machine.h"

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
		console_remark(&run->session->console, "%s", sw_text_get(&warning));
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

static bool print_rows(const struct invocation *run, const char *chosen, const struct calibration *calibration,
	sw_diag *diag)
{
	static const struct column columns[] = {{"name", false, ROLE_LABEL}, {"link", false, ROLE_NUMBER},
		{"devices", false, ROLE_TEXT}, {"network", false, ROLE_NUMBER}, {"packing, start", false, ROLE_NUMBER}, {0}};
	struct table table = table_start(run->arena, columns);
	for (int i = 0; hardware_at(i); i++) {
		const sw_hardware *row = hardware_at(i);
		table_add(&table, "%s%s", row->name, strcmp(row->name, chosen) == 0 ? " *" : "");
		add_link(&table, row->bandwidth, row->latency);
		add_shape(&table, row);
		add_link(&table, row->network, row->network_latency);
		add_link(&table, row->copy, row->start);
	}
	add_calibrated(&table, calibration);
	return table_print(&table, run->session, diag);
}

static bool print_sources(const struct invocation *run, const struct calibration *calibration, sw_diag *diag)
{
	static const struct column columns[] = {{"name", false, ROLE_LABEL},
		{"what it is, and the source of its numbers", false, ROLE_TEXT}, {0}};
	struct table table = table_start(run->arena, columns);
	for (int i = 0; hardware_at(i); i++) {
		table_add(&table, "%s", hardware_at(i)->name);
		table_add(&table, "%s. %c%s.", hardware_at(i)->about, toupper((unsigned char)*hardware_at(i)->source),
			hardware_at(i)->source + 1);
	}
	add_calibrated_source(&table, calibration);
	return table_print(&table, run->session, diag);
}

static bool print_legend(const struct invocation *run, sw_diag *diag)
{
	static const struct column columns[] = {{"", false, ROLE_LABEL}, {"", false, ROLE_TEXT}, {0}};
	static const char *const words[][2] = {
		{"*", "chosen for the model latency"},
		{"link", "bandwidth of one device and direction, and latency"},
		{"devices",
			"that links join: all by a switch, those of a node, or a torus whose axes close to rings at multiples of a number"},
		{"network", "what a device has of it, and its latency, for groups that leave a node"},
		{"packing", "half of the bandwidth of memory, which is read and written, and `start` for each pass"},
	};
	struct table table = table_start(run->arena, columns);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		table_add(&table, "%s", words[i][0]);
		table_add(&table, "%s", words[i][1]);
	}
	return table_print(&table, run->session, diag);
}

static bool list(const struct invocation *run, sw_diag *diag)
{
	struct calibration calibration;
	load_calibration(run, &calibration);
	return print_rows(run, run->session->state.settings.value[SETTING_HARDWARE].text, &calibration, diag) &&
		answer_line(run->session, diag, "%s", "") && print_sources(run, &calibration, diag) &&
		answer_line(run->session, diag, "%s", "") && print_legend(run, diag);
}

/* ---- as JSON ---- */

static void write_number(sw_json *json, const char *key, double value, bool known)
{
	sw_json_key(json, key);
	if (known)
		sw_json_number(json, value);
	else
		sw_json_null(json);
}

static void write_words(sw_json *json, const char *key, const char *words)
{
	sw_json_key(json, key);
	if (words)
		sw_json_string(json, words);
	else
		sw_json_null(json);
}

static void write_row(sw_json *json, const sw_hardware *row, bool chosen)
{
	sw_json_open(json, '{', false);
	write_words(json, "name", row->name);
	sw_json_key(json, "chosen");
	sw_json_bool(json, chosen);
	write_number(json, "bandwidth", row->bandwidth, true);
	write_number(json, "latency", row->latency, true);
	write_number(json, "ring", (double)row->ring, row->ring > 0);
	write_number(json, "node", (double)row->node, row->node > 0);
	write_number(json, "network_bandwidth", row->network, row->node > 0);
	write_number(json, "network_latency", row->network_latency, row->node > 0);
	write_number(json, "packing", row->copy, true);
	write_number(json, "start", row->start, true);
	write_words(json, "about", row->about);
	write_words(json, "source", row->source);
	sw_json_close(json);
}

static void write_calibrated(sw_json *json, const struct calibration *calibration)
{
	sw_json_key(json, CALIBRATED_NAME);
	sw_json_open(json, '{', false);
	sw_json_key(json, "used");
	sw_json_bool(json, calibration->there && !*calibration->strange);
	write_words(json, "why_not",
		*calibration->strange  ? calibration->strange :
			calibration->there ? NULL :
								 "it was not measured yet");
	write_words(json, "host", calibration->there ? calibration->host : NULL);
	write_words(json, "mpi", calibration->there ? calibration->mpi : NULL);
	write_words(json, "date", calibration->there ? calibration->date : NULL);
	write_number(json, "cores", calibration->cores, calibration->there);
	write_number(json, "ranks", calibration->ranks, calibration->there);
	sw_json_close(json);
}

/* All rows, or the one that was chosen. */
static bool answer_json(const struct invocation *run, bool all, sw_diag *diag)
{
	const char *chosen = run->session->state.settings.value[SETTING_HARDWARE].text;
	struct calibration calibration;
	sw_text text = {0};
	sw_json json;
	load_calibration(run, &calibration);
	sw_json_start(&json, &text, true);
	sw_json_open(&json, '{', false);
	write_words(&json, "schema", "shardwalk.hardware/1");
	sw_json_key(&json, "hardware");
	sw_json_open(&json, '[', false);
	for (int i = 0; hardware_at(i); i++)
		if (all || strcmp(hardware_at(i)->name, chosen) == 0)
			write_row(&json, hardware_at(i), strcmp(hardware_at(i)->name, chosen) == 0);
	sw_json_close(&json);
	write_calibrated(&json, &calibration);
	sw_json_close(&json);
	sw_text_add_char(&text, '\n');
	bool ok = !text.failed ? console_write(&run->session->console, &text, diag) : sw_diag_memory(diag);
	sw_text_free(&text);
	return ok;
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
	if (run->session->state.walk)
		session_drop_walk(run->session);
	return !wants_json(run) || answer_json(run, false, diag);
}

bool command_hardware(struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	if (!word)
		return wants_json(run) ? answer_json(run, true, diag) : list(run, diag);
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
