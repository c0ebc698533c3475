/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of runs, schema shardwalk.run/1, one row a key.
 */
#include <shardwalk/record.h>

#include <assert.h>
#include <jansson.h>
#include <string.h>

#define FAMILY "shardwalk.run/"

static bool is_timed(const void *of)
{
	return ((const sw_record *)of)->seconds != NULL;
}

/* ---- what records hold ---- */

static const sw_field spread_rows[] = {
	SW_FIELD("median", NUMBER, sw_spread, median),
	SW_FIELD("p10", NUMBER, sw_spread, p10),
	SW_FIELD("p90", NUMBER, sw_spread, p90),
	SW_FIELD("max", NUMBER, sw_spread, max),
};
static const sw_fields spread_fields = SW_FIELDS(spread_rows, sw_spread);

static const sw_field probe_rows[] = {
	SW_FIELD("hop_seconds", NUMBER, sw_probe, hop),
	SW_FIELD("stream_bytes_per_second", NUMBER, sw_probe, bandwidth),
};
const sw_fields sw_probe_fields = SW_FIELDS(probe_rows, sw_probe);

static const sw_field origin_rows[] = {
	SW_FIELD("index", INTS, sw_record_origin, index),
	SW_FIELD("device", COUNT, sw_record_origin, device, .least = -1),
};
static const sw_fields origin_fields = SW_FIELDS(origin_rows, sw_record_origin);

static const sw_field wrong_rows[] = {
	SW_FIELD("device", COUNT, sw_record_wrong, device),
	SW_FIELD("place", INTS, sw_record_wrong, position),
	SW_FIELD("index", INTS, sw_record_wrong, index),
	SW_FIELD("expected", TEXT, sw_record_wrong, expected),
	SW_FIELD("found", TEXT, sw_record_wrong, found),
	SW_FIELD("belongs", OBJECT, sw_record_wrong, belongs, .in = &origin_fields),
	SW_FIELD("belongs_known", BOOL, sw_record_wrong, belongs_known),
};
static const sw_fields wrong_fields = SW_FIELDS(wrong_rows, sw_record_wrong);

static const sw_field error_rows[] = {
	SW_FIELD("code", TEXT, sw_record_error, code),
	SW_FIELD("message", TEXT, sw_record_error, message),
	SW_FIELD("hint", TEXT, sw_record_error, hint),
	SW_FIELD("status", COUNT, sw_record_error, status),
};
static const sw_fields error_fields = SW_FIELDS(error_rows, sw_record_error);

/* ---- records ---- */

#define RECORD(key, kind, member, ...) SW_FIELD(key, kind, sw_record, member, __VA_ARGS__)

#define TIMES \
	RECORD("seconds", OBJECT, seconds, .in = &spread_fields, .written = is_timed), \
		RECORD("reference_seconds", OBJECT, reference, .in = &spread_fields, .written = is_timed), \
		RECORD("reference_store", TEXT, reference_store, .written = is_timed), \
		RECORD("share", NUMBER, share, .written = is_timed), RECORD("bytes", INT, bytes, .written = is_timed), \
		RECORD("reps", COUNT, reps, .least = -1, .written = is_timed), \
		RECORD("collective", TEXT, collective, .sparse = true), \
		RECORD("exchange_seconds", OBJECT, exchange, .in = &spread_fields, .sparse = true), \
		RECORD("course_seconds", NUMBERS, course, .sparse = true)

static const sw_field start_rows[] = {
	RECORD("plan", TEXT, plan),
	RECORD("file", TEXT, file),
	RECORD("plan_sha256", TEXT, digest),
	RECORD("program", TEXT, program, .sparse = true),
	RECORD("host", TEXT, host),
	RECORD("hosts", COUNT, hosts),
	RECORD("cores", COUNT, cores),
	RECORD("ranks", COUNT, ranks),
	RECORD("mpi", TEXT, mpi),
	RECORD("yield", BOOL, yield),
	RECORD("transport", TEXT, transport),
	RECORD("collectives", BOOL, collectives),
	RECORD("reps", COUNT, reps, .least = -1),
	RECORD("warmup", COUNT, warmup, .least = -1),
	RECORD("launch", COUNT, launch),
	RECORD("vectors", TEXT, vectors),
	RECORD("binding", TEXTS, binding),
	RECORD("probe", OBJECT, probe, .in = &sw_probe_fields),
	RECORD("product_library", TEXT, library, .sparse = true),
	RECORD("product_threads", COUNT, library_threads, .least = 1, .sparse = true),
	RECORD("product_flops_per_second", NUMBER, library_rate, .sparse = true),
	RECORD("product_file", TEXT, library_file, .sparse = true),
	RECORD("pdgemm_file", TEXT, pdgemm_file, .sparse = true),
	RECORD("product_hint", TEXT, library_hint, .sparse = true),
	RECORD("overlap", TEXT, overlap, .sparse = true),
	RECORD("messages", INT, messages, .sparse = true, .least = -1),
	RECORD("messages_in_place", INT, in_place, .sparse = true, .least = -1),
	RECORD("predicted_by", TEXT, predicted_by, .sparse = true),
	RECORD("throttle", NUMBER, throttle, .sparse = true),
};

static const sw_field step_rows[] = {
	RECORD("step", COUNT, step),
	RECORD("op", TEXT, op),
	RECORD("transport", TEXT, transport),
	RECORD("direction", TEXT, direction),
	RECORD("store", TEXT, store),
	RECORD("block", INT, block, .sparse = true),
	TIMES,
	RECORD("algorithm_bandwidth", NUMBER, landing, .sparse = true),
	RECORD("bus_bandwidth", NUMBER, crossing, .sparse = true),
	RECORD("predicted_seconds", NUMBER, predicted),
	RECORD("flops", NUMBER, flops, .sparse = true),
	RECORD("label", TEXT, label, .sparse = true),
};

static const sw_field total_rows[] = {
	TIMES,
	RECORD("step_seconds", NUMBERS, parts, .sparse = true),
	RECORD("predicted_seconds", NUMBER, predicted),
};

static const sw_field machine_rows[] = {
	RECORD("probe", OBJECT, probe, .in = &sw_probe_fields),
	RECORD("others_share", NUMBER, others, .least = -1),
	RECORD("busy", BOOL, busy),
};

static const sw_field memory_rows[] = {
	RECORD("predicted_bytes", INT, predicted_bytes),
	RECORD("tile_bytes", INT, tile_bytes),
	RECORD("buffer_bytes", INT, buffer_bytes),
	RECORD("process_bytes", INT, process_bytes),
	RECORD("padding_bytes", INTS, padding, .sparse = true),
};

static const sw_field check_rows[] = {
	RECORD("verified", BOOL, verified),
	RECORD("first_wrong", OBJECT, wrong, .in = &wrong_fields),
	RECORD("digest", TEXT, data_digest),
	RECORD("checksum", INT, checksum, .sparse = true, .least = INT64_MIN + 1),
	RECORD("largest_difference", NUMBER, largest_difference, .sparse = true),
	RECORD("difference_bound", NUMBER, difference_bound, .sparse = true),
};

static const sw_field complete_rows[] = {
	RECORD("status", COUNT, status),
};

static const sw_field failed_rows[] = {
	RECORD("plan", TEXT, plan),
	RECORD("error", OBJECT, error, .in = &error_fields),
};

static const struct {
	const char *name;
	bool opens; /* it may be the first, and says the schema */
	sw_fields fields;
} kinds[SW_RECORD_KINDS] = {
	[SW_RECORD_START] = {"start", true, SW_FIELDS(start_rows, sw_record)},
	[SW_RECORD_STEP] = {"step", false, SW_FIELDS(step_rows, sw_record)},
	[SW_RECORD_TOTAL] = {"total", false, SW_FIELDS(total_rows, sw_record)},
	[SW_RECORD_MACHINE] = {"machine", false, SW_FIELDS(machine_rows, sw_record)},
	[SW_RECORD_MEMORY] = {"memory", false, SW_FIELDS(memory_rows, sw_record)},
	[SW_RECORD_CHECK] = {"check", false, SW_FIELDS(check_rows, sw_record)},
	[SW_RECORD_COMPLETE] = {"complete", false, SW_FIELDS(complete_rows, sw_record)},
	[SW_RECORD_ERROR] = {"error", true, SW_FIELDS(failed_rows, sw_record)},
};

void sw_record_start(sw_record_kind kind, sw_record *record)
{
	assert((unsigned)kind <= SW_RECORD_KINDS);
	memset(record, 0, sizeof *record);
	for (int i = 0; i < SW_RECORD_KINDS; i++)
		sw_fields_forget(kinds[i].fields.field, kinds[i].fields.count, record);
	record->kind = kind;
}

/* ---- out ---- */

void sw_record_write(const sw_record *record, sw_text *text)
{
	assert((unsigned)record->kind < SW_RECORD_KINDS);
	sw_json json;
	const sw_fields *fields = &kinds[record->kind].fields;
	sw_json_start(&json, text, true);
	json.compact = true;
	json.digits = 9;
	sw_json_open(&json, '{', false);
	if (kinds[record->kind].opens) {
		sw_json_key(&json, "schema");
		sw_json_string(&json, SW_RECORD_SCHEMA);
	}
	sw_json_key(&json, "record");
	sw_json_string(&json, kinds[record->kind].name);
	sw_fields_write(&json, fields->field, fields->count, record);
	sw_json_close(&json);
}

/* ---- in ---- */

static bool is_ours(const char *schema)
{
	return schema && strncmp(schema, FAMILY, strlen(FAMILY)) == 0;
}

static bool check_head(json_t *root, sw_str line, sw_diag *diag)
{
	json_t *schema = json_object_get(root, "schema");
	const char *said = json_string_value(schema);
	sw_span all = {0, line.length};
	if (!json_string_value(json_object_get(root, "record")) || (schema && !is_ours(said)))
		return sw_diag_set(diag, SW_P01, all, "this is not a record of a run");
	if (!said || strcmp(said, SW_RECORD_SCHEMA) == 0)
		return true;
	sw_diag_set(diag, SW_P02, all, "the result is of another version");
	sw_diag_expected(diag, "%s", SW_RECORD_SCHEMA);
	sw_diag_found(diag, "%s", said);
	return false;
}

static sw_record_kind kind_of(json_t *root)
{
	const char *name = json_string_value(json_object_get(root, "record"));
	int kind = 0;
	while (kind < SW_RECORD_KINDS && strcmp(name, kinds[kind].name) != 0)
		kind++;
	return (sw_record_kind)kind;
}

bool sw_record_read(sw_str line, sw_arena *arena, sw_record *record, sw_diag *diag)
{
	sw_json_in in = {.text = line, .arena = arena, .diag = diag, .code = SW_P01};
	json_t *root = sw_json_parse(line, "", diag);
	if (!root)
		return false;
	bool ok = check_head(root, line, diag);
	if (ok) {
		sw_record_start(kind_of(root), record);
		ok = record->kind == SW_RECORD_KINDS ||
			sw_fields_read(&in, root, kinds[record->kind].fields.field, kinds[record->kind].fields.count, record);
	}
	json_decref(root);
	return ok;
}

bool sw_record_is(sw_str line)
{
	json_t *root = sw_json_parse(line, "", NULL);
	bool is = is_ours(json_string_value(json_object_get(root, "schema")));
	json_decref(root);
	return is;
}

int sw_run_repetitions(double seconds, bool messages)
{
	static const double SHORT = 200e-6, LONG = 0.3;
	enum { REPS = 15, REPS_MESSAGES = 31, REPS_SHORT = 101, REPS_LONG = 5 };

	if (seconds < SHORT)
		return REPS_SHORT;
	return seconds > LONG ? REPS_LONG : messages ? REPS_MESSAGES : REPS;
}
