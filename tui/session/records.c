/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading records: what is not there stays unknown, what is new is passed over.
 */
#include "session/records.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct records records_start(sw_arena *arena)
{
	return (struct records){.arena = arena};
}

/* ---- values ---- */

static double known(double value, double unknown)
{
	return isfinite(value) ? value : unknown;
}

static int counted(int value, int unknown)
{
	return value >= 0 ? value : unknown;
}

static sw_spread spread_of(const sw_spread *said)
{
	return said ? (sw_spread){known(said->median, 0), known(said->p10, 0), known(said->p90, 0), known(said->max, 0)} :
				  (sw_spread){0};
}

static struct timed timed_of(const sw_record *record)
{
	return (struct timed){.label = record->label ? record->label : record->op,
		.transport = record->transport,
		.seconds = spread_of(record->seconds),
		.reference = spread_of(record->reference),
		.bytes = record->bytes < 0 ? 0 : record->bytes,
		.landing = known(record->landing, 0),
		.crossing = known(record->crossing, 0),
		.predicted = known(record->predicted, -1),
		.block = record->block,
		.collective = record->collective,
		.exchange = spread_of(record->exchange),
		.courses = record->course.count,
		.course = record->course.item};
}

/* ---- records by their kinds ---- */

static struct times *add_times(struct records *records)
{
	if (!SW_GROW(records->arena, records->times, records->count, records->room, 8))
		return NULL;
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
static const char *binding_of(const sw_list *binding)
{
	return binding->count > 1 ? "each rank to its own processors" :
		binding->count        ? *(const char *const *)binding->item :
								NULL;
}

static bool take_start(struct records *records, const sw_record *record)
{
	struct times *times = add_times(records);
	if (!times)
		return false;
	times->plan = record->plan;
	times->host = record->host;
	times->mpi = record->mpi;
	times->transport = record->transport;
	times->binding = binding_of(&record->binding);
	times->model = record->predicted_by;
	times->throttle = known(record->throttle, 0);
	times->launch = counted(record->launch, 1);
	times->ranks = counted(record->ranks, 0);
	times->hosts = counted(record->hosts, 1);
	times->cores = counted(record->cores, 0);
	times->reps = record->reps < -1 ? 0 : record->reps;
	times->warmup = record->warmup < -1 ? 0 : record->warmup;
	times->hop = record->probe ? known(record->probe->hop, 0) : 0;
	times->bandwidth = record->probe ? known(record->probe->bandwidth, 0) : 0;
	times->library = record->library;
	times->library_hint = record->library_hint;
	times->library_file = record->library_file;
	times->pdgemm_file = record->pdgemm_file;
	times->overlap = record->overlap;
	times->messages = record->messages;
	times->in_place = record->in_place;
	times->library_rate = known(record->library_rate, 0);
	times->library_threads = counted(record->library_threads, 1);
	return true;
}

static struct times *current(struct records *records)
{
	return records->count ? &records->times[records->count - 1] : add_times(records);
}

static bool take_step(struct records *records, const sw_record *record)
{
	struct times *times = current(records);
	struct timed *more = times ? SW_NEW(records->arena, struct timed, times->count + 1) : NULL;
	if (!more)
		return false;
	if (times->count)
		memcpy(more, times->step, (size_t)times->count * sizeof(*more));
	more[times->count++] = timed_of(record);
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

static void take_parts(struct times *times, const sw_list *parts)
{
	for (int k = 0; k < times->count; k++)
		times->step[k].part = k < parts->count ? ((const double *)parts->item)[k] : 0;
}

static bool take_total(struct records *records, const sw_record *record)
{
	struct times *times = current(records);
	if (!times)
		return false;
	times->total = timed_of(record);
	take_parts(times, &record->parts);
	if (times->total.seconds.median > 0 && !times->total.landing)
		add_bandwidth(times);
	return true;
}

static bool take_memory(struct records *records, const sw_record *record)
{
	struct times *times = current(records);
	if (!times)
		return false;
	times->predicted_bytes = record->predicted_bytes;
	times->tile_bytes = record->tile_bytes;
	times->buffer_bytes = record->buffer_bytes;
	times->process_bytes = record->process_bytes;
	times->padded = record->padding.count == 2;
	if (times->padded)
		memcpy(times->padding_bytes, record->padding.item, sizeof(times->padding_bytes));
	return true;
}

static bool take_check(struct records *records, const sw_record *record)
{
	struct times *times = current(records);
	if (!times)
		return false;
	times->checked = true;
	times->verified = record->verified;
	times->difference = known(record->largest_difference, 0);
	times->bound = known(record->difference_bound, 0);
	times->right = record->verified || (times->bound > 0 && !record->wrong);
	return true;
}

/* What the machine was like meanwhile. */
static bool take_machine(struct records *records, const sw_record *record)
{
	struct times *times = current(records);
	if (times)
		times->others = known(record->others, -1);
	return times != NULL;
}

static bool take_complete(struct records *records, const sw_record *record)
{
	struct times *times = current(records);
	(void)record;
	if (!times)
		return false;
	times->complete = true;
	return true;
}

static bool take_error(struct records *records, const sw_record *record)
{
	struct times *times = records->count && !current(records)->complete ? current(records) : add_times(records);
	if (!times)
		return false;
	if (!times->plan)
		times->plan = record->plan;
	if (!record->error)
		return true;
	times->error.code = record->error->code;
	times->error.message = record->error->message;
	times->error.hint = record->error->hint;
	times->error.status = counted(record->error->status, 1);
	return true;
}

bool records_take(struct records *records, const sw_record *record, sw_diag *diag)
{
	static bool (*const takes[])(struct records *, const sw_record *) = {[SW_RECORD_START] = take_start,
		[SW_RECORD_STEP] = take_step,
		[SW_RECORD_TOTAL] = take_total,
		[SW_RECORD_MACHINE] = take_machine,
		[SW_RECORD_MEMORY] = take_memory,
		[SW_RECORD_CHECK] = take_check,
		[SW_RECORD_COMPLETE] = take_complete,
		[SW_RECORD_ERROR] = take_error};
	return record->kind == SW_RECORD_KINDS || takes[record->kind](records, record) || sw_diag_memory(diag);
}

/* ---- files ---- */

static bool take_line(struct records *records, sw_str line, size_t begin, sw_diag *diag)
{
	sw_record record;
	if (!sw_record_read(line, records->arena, &record, diag)) {
		sw_diag_shift(diag, begin);
		return false;
	}
	return records_take(records, &record, diag);
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
	return records->count || sw_diag_set(diag, SW_P01, (sw_span){0, 0}, "it contains no record");
}

bool records_are_in(sw_str text)
{
	const char *end = memchr(text.at, '\n', text.length);
	return sw_record_is((sw_str){text.at, end ? (size_t)(end - text.at) : text.length});
}

int records_place(const struct records *records)
{
	double least = INFINITY, predicted = 0;
	const char *plan;
	int count = 0, place = 1;

	for (int i = 0; (plan = records_plan(records, i)) != NULL; i++) {
		const struct times *times = records_merge(records, plan);
		if (!times || !(times->total.predicted > 0) || !(times->total.seconds.median > 0))
			continue;
		count++;
		if (times->total.seconds.median < least) {
			least = times->total.seconds.median;
			predicted = times->total.predicted;
		}
	}
	for (int i = 0; (plan = records_plan(records, i)) != NULL; i++) {
		const struct times *times = records_merge(records, plan);
		place += times && times->total.predicted > 0 && times->total.predicted < predicted * (1 - 1e-9);
	}
	return count < 3 ? 0 : place;
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
static sw_spread merge_spreads(const struct times *const *launch, int count, size_t offset, double *numbers)
{
	for (int i = 0; i < count; i++)
		numbers[i] = ((const sw_spread *)((const char *)launch[i] + offset))->median;
	qsort(numbers, (size_t)count, sizeof(*numbers), by_size);
	double median = (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
	return (sw_spread){median, numbers[0], numbers[count - 1], numbers[count - 1]};
}

enum member { SECONDS, REFERENCE, EXCHANGE, PART };

static double member_of(const struct timed *timed, enum member member)
{
	return member == SECONDS ? timed->seconds.median :
		member == REFERENCE  ? timed->reference.median :
		member == EXCHANGE   ? timed->exchange.median :
							   timed->part;
}

static sw_spread merge_step(const struct times *const *launch, int count, int k, enum member member, double *numbers)
{
	for (int i = 0; i < count; i++)
		numbers[i] = member_of(&launch[i]->step[k], member);
	qsort(numbers, (size_t)count, sizeof(*numbers), by_size);
	double median = (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
	return (sw_spread){median, numbers[0], numbers[count - 1], numbers[count - 1]};
}

static const struct timed *timed_at(const struct times *times, int k)
{
	return k < 0 ? &times->total : &times->step[k];
}

/* The times of all launches, one launch after the other; of all steps for k = -1. */
static bool merge_courses(const struct times *const *launch, int count, int k, struct timed *merged, sw_arena *arena)
{
	int all = 0, at = 0;
	for (int i = 0; i < count; i++)
		all += timed_at(launch[i], k)->courses;
	double *course = SW_NEW(arena, double, all + 1);
	for (int i = 0; course && i < count; i++) {
		const struct timed *one = timed_at(launch[i], k);
		if (one->courses)
			memcpy(course + at, one->course, (size_t)one->courses * sizeof(*course));
		at += one->courses;
	}
	merged->course = course;
	merged->courses = course ? all : 0;
	return course != NULL;
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
		step[k].exchange = merge_step(launch, count, k, EXCHANGE, numbers);
		step[k].part = merge_step(launch, count, k, PART, numbers).median;
		if (!merge_courses(launch, count, k, &step[k], arena))
			return false;
	}
	merged->step = step;
	merged->total.seconds = merge_spreads(launch, count, offsetof(struct times, total.seconds), numbers);
	merged->total.reference = merge_spreads(launch, count, offsetof(struct times, total.reference), numbers);
	merged->launches = count;
	return merge_courses(launch, count, -1, &merged->total, arena);
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
