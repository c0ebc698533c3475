/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading records: what is not there stays unknown, what is new is passed over.
 */
#include "session/records.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct records records_start(sw_arena *arena)
{
	return (struct records){.arena = arena};
}

/* ---- values ---- */

static const char *take_string(const struct records *records, json_t *record, const char *key)
{
	const char *text = json_string_value(json_object_get(record, key));
	return text ? sw_arena_copy(records->arena, text, strlen(text)) : NULL;
}

static double take_number(json_t *record, const char *key, double unknown)
{
	json_t *value = json_object_get(record, key);
	return json_is_number(value) ? json_number_value(value) : unknown;
}

static int64_t take_count(json_t *record, const char *key, int64_t unknown)
{
	json_t *value = json_object_get(record, key);
	return json_is_integer(value) ? (int64_t)json_integer_value(value) : unknown;
}

static struct spread take_spread(json_t *record, const char *key)
{
	json_t *value = json_object_get(record, key);
	return (struct spread){take_number(value, "median", 0), take_number(value, "p10", 0),
		take_number(value, "p90", 0), take_number(value, "max", 0)};
}

static struct timed take_timed(const struct records *records, json_t *record)
{
	struct timed timed = {.label = take_string(records, record, "label")};
	if (!timed.label)
		timed.label = take_string(records, record, "op");
	timed.transport = take_string(records, record, "transport");
	timed.seconds = take_spread(record, "seconds");
	timed.reference = take_spread(record, "reference_seconds");
	timed.bytes = take_count(record, "bytes", 0);
	timed.landing = take_number(record, "algorithm_bandwidth", 0);
	timed.crossing = take_number(record, "bus_bandwidth", 0);
	timed.predicted = take_number(record, "predicted_seconds", -1);
	return timed;
}

/* ---- records by their kinds ---- */

static struct times *add_times(struct records *records)
{
	if (records->count == records->room) {
		int room = records->room ? 2 * records->room : 8;
		struct times *more = SW_NEW(records->arena, struct times, room);
		if (!more)
			return NULL;
		if (records->count)
			memcpy(more, records->times, (size_t)records->count * sizeof(*more));
		records->times = more;
		records->room = room;
	}
	struct times *times = &records->times[records->count++];
	*times = (struct times){.launch = 1,
		.launches = 1,
		.others = -1,
		.total.predicted = -1,
		.predicted_bytes = -1,
		.tile_bytes = -1,
		.buffer_bytes = -1,
		.process_bytes = -1};
	return times;
}

/* One text where all ranks are bound alike, else a list. */
static const char *take_binding(const struct records *records, json_t *record)
{
	return json_is_array(json_object_get(record, "binding")) ? "each rank to processors of its own" :
															   take_string(records, record, "binding");
}

static bool take_start(struct records *records, json_t *record)
{
	struct times *times = add_times(records);
	if (!times)
		return false;
	json_t *probe = json_object_get(record, "probe");
	times->plan = take_string(records, record, "plan");
	times->host = take_string(records, record, "host");
	times->mpi = take_string(records, record, "mpi");
	times->transport = take_string(records, record, "transport");
	times->binding = take_binding(records, record);
	times->model = take_string(records, record, "predicted_by");
	times->launch = (int)take_count(record, "launch", 1);
	times->ranks = (int)take_count(record, "ranks", 0);
	times->hosts = (int)take_count(record, "hosts", 1);
	times->cores = (int)take_count(record, "cores", 0);
	times->reps = (int)take_count(record, "reps", 0);
	times->warmup = (int)take_count(record, "warmup", 0);
	times->hop = take_number(probe, "hop_seconds", 0);
	times->bandwidth = take_number(probe, "stream_bytes_per_second", 0);
	return true;
}

static struct times *current(struct records *records)
{
	return records->count ? &records->times[records->count - 1] : add_times(records);
}

static bool take_step(struct records *records, json_t *record)
{
	struct times *times = current(records);
	struct timed *more = times ? SW_NEW(records->arena, struct timed, times->count + 1) : NULL;
	if (!more)
		return false;
	if (times->count)
		memcpy(more, times->step, (size_t)times->count * sizeof(*more));
	more[times->count++] = take_timed(records, record);
	times->step = more;
	return true;
}

/* Of all steps together: what their own figures come to. */
static void add_bandwidth(struct times *times)
{
	double crossing = 0, seconds = times->total.seconds.median;
	for (int k = 0; k < times->count; k++)
		crossing += times->step[k].crossing * times->step[k].seconds.median;
	times->total.crossing = crossing / seconds;
	if (times->ranks > 0)
		times->total.landing = (double)times->total.bytes / times->ranks / seconds;
}

static void take_parts(struct times *times, json_t *list)
{
	for (int k = 0; k < times->count; k++)
		times->step[k].part = json_number_value(json_array_get(list, (size_t)k));
}

static bool take_total(struct records *records, json_t *record)
{
	struct times *times = current(records);
	if (!times)
		return false;
	times->total = take_timed(records, record);
	take_parts(times, json_object_get(record, "step_seconds"));
	if (times->total.seconds.median > 0 && !times->total.landing)
		add_bandwidth(times);
	return true;
}

static bool take_memory(struct records *records, json_t *record)
{
	struct times *times = current(records);
	if (!times)
		return false;
	times->predicted_bytes = take_count(record, "predicted_bytes", -1);
	times->tile_bytes = take_count(record, "tile_bytes", -1);
	times->buffer_bytes = take_count(record, "buffer_bytes", -1);
	times->process_bytes = take_count(record, "process_bytes", -1);
	json_t *padding = json_object_get(record, "padding_bytes");
	times->padded = json_array_size(padding) == 2;
	for (size_t i = 0; i < 2 && times->padded; i++)
		times->padding_bytes[i] = json_integer_value(json_array_get(padding, i));
	return true;
}

static bool take_check(struct records *records, json_t *record)
{
	struct times *times = current(records);
	if (!times)
		return false;
	times->checked = true;
	times->verified = json_is_true(json_object_get(record, "verified"));
	return true;
}

/* What the machine was like meanwhile. */
static bool take_machine(struct records *records, json_t *record)
{
	struct times *times = current(records);
	if (times)
		times->others = take_number(record, "others_share", -1);
	return times != NULL;
}

static bool take_complete(struct records *records, json_t *record)
{
	struct times *times = current(records);
	(void)record;
	if (!times)
		return false;
	times->complete = true;
	return true;
}

static bool take_error(struct records *records, json_t *record)
{
	struct times *times = records->count && !current(records)->complete ? current(records) : add_times(records);
	json_t *error = json_object_get(record, "error");
	if (!times)
		return false;
	if (!times->plan)
		times->plan = take_string(records, record, "plan");
	times->error.code = take_string(records, error, "code");
	times->error.message = take_string(records, error, "message");
	times->error.hint = take_string(records, error, "hint");
	times->error.status = (int)take_count(error, "status", 1);
	return true;
}

static const struct {
	const char *kind;
	bool (*take)(struct records *records, json_t *record);
} kinds[] = {{"start", take_start}, {"step", take_step}, {"total", take_total}, {"memory", take_memory},
	{"check", take_check}, {"machine", take_machine}, {"complete", take_complete}, {"error", take_error}};

bool records_take(struct records *records, json_t *record, sw_diag *diag)
{
	const char *schema = json_string_value(json_object_get(record, "schema"));
	const char *kind = json_string_value(json_object_get(record, "record"));
	if (!kind || (schema && strncmp(schema, "shardwalk.run/", 14) != 0))
		return sw_diag_set(diag, SW_P01, (sw_span){0, 0}, "this is no record of a run");
	if (schema && strcmp(schema, RECORDS_SCHEMA) != 0) {
		sw_diag_set(diag, SW_P02, (sw_span){0, 0}, "the result is of another version");
		sw_diag_expected(diag, "%s", RECORDS_SCHEMA);
		sw_diag_found(diag, "%s", schema);
		return false;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kind, kinds[i].kind) == 0)
			return kinds[i].take(records, record) || sw_diag_memory(diag);
	return true;
}

/* ---- files ---- */

static bool take_line(struct records *records, sw_str line, size_t begin, sw_diag *diag)
{
	json_error_t error;
	json_t *record = json_loadb(line.at, line.length, 0, &error);
	if (!record) {
		size_t at = begin + (error.position > 0 ? (size_t)error.position - 1 : 0);
		return sw_diag_set(diag, SW_B04, (sw_span){at, at + 1}, "%s", error.text);
	}
	bool ok = records_take(records, record, diag);
	json_decref(record);
	if (!ok && diag)
		diag->at = (sw_span){begin, begin + line.length};
	return ok;
}

bool records_take_text(struct records *records, sw_str text, sw_diag *diag)
{
	for (size_t at = 0; at < text.length;) {
		const char *end = memchr(text.at + at, '\n', text.length - at);
		size_t length = end ? (size_t)(end - text.at) - at : text.length - at;
		sw_str line = {text.at + at, length};
		if (sw_str_trim(line).length && !take_line(records, line, at, diag))
			return false;
		at += length + 1;
	}
	return records->count || sw_diag_set(diag, SW_P01, (sw_span){0, 0}, "there is no record in it");
}

bool records_are_in(sw_str text)
{
	const char *end = memchr(text.at, '\n', text.length);
	json_t *first = json_loadb(text.at, end ? (size_t)(end - text.at) : text.length, 0, NULL);
	const char *schema = json_string_value(json_object_get(first, "schema"));
	bool are = schema && strncmp(schema, "shardwalk.run/", 14) == 0;
	json_decref(first);
	return are;
}

void records_print_probe(double hop, double bandwidth, sw_text *text)
{
	if (hop > 0)
		sw_text_addf(text, "%.3g ns from core to core, ", 1e9 * hop);
	else
		sw_text_add(text, "from core to core not measured, ");
	if (bandwidth > 0)
		sw_text_addf(text, "%.3g GB/s copied by two cores", 1e-9 * bandwidth);
	else
		sw_text_add(text, "copies by two cores not measured");
}

/* ---- many launches ---- */

int records_complete(const struct records *records)
{
	int count = 0;
	for (int i = 0; i < records->count; i++)
		count += records->times[i].complete;
	return count;
}

static bool is_plan(const struct times *times, const char *plan)
{
	return times->plan && strcmp(times->plan, plan) == 0;
}

const char *records_plan(const struct records *records, int n)
{
	for (int i = 0; i < records->count; i++) {
		const char *plan = records->times[i].plan;
		int before = 0;
		while (plan && before < i && !is_plan(&records->times[before], plan))
			before++;
		if (plan && before == i && n-- == 0)
			return plan;
	}
	return NULL;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Medians of medians; least and largest of them in the place of p10 and p90. */
static struct spread merge_spreads(const struct times *const *launch, int count, size_t offset, double *numbers)
{
	for (int i = 0; i < count; i++)
		numbers[i] = ((const struct spread *)((const char *)launch[i] + offset))->median;
	qsort(numbers, (size_t)count, sizeof(*numbers), by_size);
	double median = (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
	return (struct spread){median, numbers[0], numbers[count - 1], numbers[count - 1]};
}

enum member { SECONDS, REFERENCE, PART };

static double member_of(const struct timed *timed, enum member member)
{
	return member == SECONDS ? timed->seconds.median : member == REFERENCE ? timed->reference.median : timed->part;
}

static struct spread merge_step(const struct times *const *launch, int count, int k, enum member member,
	double *numbers)
{
	for (int i = 0; i < count; i++)
		numbers[i] = member_of(&launch[i]->step[k], member);
	qsort(numbers, (size_t)count, sizeof(*numbers), by_size);
	double median = (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
	return (struct spread){median, numbers[0], numbers[count - 1], numbers[count - 1]};
}

static bool merge_all(const struct times *const *launch, int count, struct times *merged, sw_arena *arena)
{
	double *numbers = SW_NEW(arena, double, count);
	struct timed *step = SW_NEW(arena, struct timed, merged->count);
	if (!numbers || !step)
		return false;
	for (int k = 0; k < merged->count; k++) {
		step[k] = merged->step[k];
		step[k].seconds = merge_step(launch, count, k, SECONDS, numbers);
		step[k].reference = merge_step(launch, count, k, REFERENCE, numbers);
		step[k].part = merge_step(launch, count, k, PART, numbers).median;
	}
	merged->step = step;
	merged->total.seconds = merge_spreads(launch, count, offsetof(struct times, total.seconds), numbers);
	merged->total.reference = merge_spreads(launch, count, offsetof(struct times, total.reference), numbers);
	merged->launches = count;
	return true;
}

const struct times *records_merge(const struct records *records, const char *plan)
{
	const struct times **launch = SW_NEW(records->arena, const struct times *, records->count);
	int count = 0;
	for (int i = 0; launch && i < records->count; i++)
		if (is_plan(&records->times[i], plan) && records->times[i].complete &&
			(!count || records->times[i].count == launch[0]->count))
			launch[count++] = &records->times[i];
	if (count < 2)
		return count ? launch[0] : NULL;
	struct times *merged = SW_NEW(records->arena, struct times, 1);
	if (!merged)
		return NULL;
	*merged = *launch[0];
	for (int i = 1; i < count; i++)
		merged->others = launch[i]->others > merged->others ? launch[i]->others : merged->others;
	return merge_all(launch, count, merged, records->arena) ? merged : NULL;
}
