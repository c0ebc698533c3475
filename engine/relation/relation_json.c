/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relations as JSON, the keys of schema shardwalk.relation/1.
 */
#include <inttypes.h>
#include <stdio.h>

#include <shardwalk/number.h>

#include "relation/relation.h"

struct writing {
	sw_relation *relation;
	const sw_relation_question *question;
	sw_arena *arena;
	sw_json *json;
};

static void write_numbers(sw_json *json, const int32_t *list, int64_t count)
{
	sw_json_open(json, '[', false);
	for (int64_t i = 0; i < count; i++)
		sw_json_int(json, list[i]);
	sw_json_close(json);
}

static bool write_lists(const struct writing *w, const char *key, int64_t (*ask)(sw_relation *, int64_t, int32_t *))
{
	int32_t *list = SW_NEW(w->arena, int32_t, w->relation->from->devices);
	int64_t count = list != NULL ? 0 : -1;

	sw_json_key(w->json, key);
	sw_json_open(w->json, '[', false);
	for (int64_t device = 0; count >= 0 && device < w->relation->from->devices; device++) {
		count = ask(w->relation, device, list);
		write_numbers(w->json, list, count);
	}
	sw_json_close(w->json);
	return count >= 0;
}

/* ---- regions ---- */

void sw_indices_write(sw_json *json, const sw_indices *indices)
{
	sw_json_open(json, '[', false);
	for (int i = 0; i < indices->count; i++) {
		const sw_family *f = &indices->family[i];
		sw_json_ints(json, (const int64_t[]){f->first, f->run, f->step, f->count}, 4);
	}
	sw_json_close(json);
}

void sw_region_write(sw_json *json, const sw_region *region)
{
	sw_json_open(json, '[', false);
	for (int i = 0; i < region->count; i++) {
		sw_json_open(json, '[', false);
		for (int dim = 0; dim < region->rank; dim++)
			sw_indices_write(json, &region->set[(size_t)i * (size_t)region->rank + (size_t)dim]);
		sw_json_close(json);
	}
	sw_json_close(json);
}

bool sw_holding_write(sw_json *json, const sw_holding *holding)
{
	sw_arena *arena = sw_arena_new();
	bool written = arena != NULL;
	sw_region region;

	sw_json_open(json, '[', false);
	for (int64_t device = 0; written && device < holding->devices; device++) {
		sw_arena_clear(arena);
		written = sw_holding_region(holding, device, arena, &region);
		if (written && sw_holding_defined(holding, device))
			sw_region_write(json, &region);
		else
			sw_json_null(json);
	}
	sw_json_close(json);
	sw_arena_free(arena);
	return written;
}

/* ---- messages and sizes ---- */

void sw_sum_write(sw_json *json, uint64_t sum)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, sum);

	sw_json_raw(json, (sw_str){digits, (size_t)length});
}

static void write_message(const struct writing *w, const sw_message *message)
{
	sw_json *json = w->json;

	sw_json_open(json, '[', false);
	sw_json_int(json, message->sender);
	sw_json_int(json, message->receiver);
	sw_json_int(json, message->elements);
	if (w->question->sums)
		sw_sum_write(json, sw_region_sum(&message->region, w->relation->from->global));
	else
		sw_region_write(json, &message->region);
	sw_json_close(json);
}

static void write_count(const struct writing *w, const char *key, int64_t count)
{
	sw_json_key(w->json, key);
	if (count >= 0)
		sw_json_int(w->json, count);
	else
		sw_json_null(w->json);
}

static sw_tally most_of(const sw_tally *tally, int64_t devices)
{
	sw_tally most = {0};

	for (int64_t device = 0; device < devices; device++) {
		most.in = tally[device].in > most.in ? tally[device].in : most.in;
		most.out = tally[device].out > most.out ? tally[device].out : most.out;
	}
	return most;
}

static bool write_missing(const struct writing *w, const sw_tally *tally)
{
	char device[24];
	sw_region missing;

	sw_json_key(w->json, "missing");
	sw_json_open(w->json, '{', false);
	for (int64_t d = 0; d < w->relation->from->devices; d++) {
		if (tally[d].missing == 0)
			continue;
		if (!sw_relation_missing(w->relation, d, w->arena, &missing))
			return false;
		snprintf(device, sizeof device, "%lld", (long long)d);
		sw_json_key(w->json, device);
		sw_region_write(w->json, &missing);
	}
	sw_json_close(w->json);
	return true;
}

static bool write_sizes(const struct writing *w)
{
	int64_t devices = w->relation->from->devices;
	sw_tally *tally = SW_NEW(w->arena, sw_tally, devices);

	if (tally == NULL || !sw_relation_tally(w->relation, w->question->rule, tally))
		return false;
	sw_tally total = sw_tally_sum(tally, devices), most = most_of(tally, devices);
	int64_t bytes;
	write_count(w, "volume", total.in);
	write_count(w, "bytes", sw_mul(total.in, w->question->element, &bytes) ? bytes : -1);
	write_count(w, "kept", total.kept);
	write_count(w, "max_in", most.in);
	write_count(w, "max_out", most.out);
	return total.missing == 0 || write_missing(w, tally);
}

static bool write_messages(const struct writing *w)
{
	sw_messages messages;

	if (!sw_relation_messages(w->relation, w->question->rule, w->arena, &messages))
		return false;
	sw_json_key(w->json, "messages");
	sw_json_open(w->json, '[', true);
	for (int64_t i = 0; i < messages.count; i++)
		write_message(w, &messages.message[i]);
	sw_json_close(w->json);
	int64_t pieces = sw_messages_pieces(&messages, w->relation->from->global);
	write_count(w, "pieces", pieces);
	return pieces >= 0;
}

/* ---- the pattern ---- */

static void write_rows(const struct writing *w, const char *key, const int32_t *first, const int32_t *list,
	int32_t count)
{
	sw_json_key(w->json, key);
	sw_json_open(w->json, '[', false);
	for (int32_t i = 0; i < count; i++)
		write_numbers(w->json, list + first[i], first[i + 1] - first[i]);
	sw_json_close(w->json);
}

/* A root alone is a number. */
static void write_roots(const struct writing *w, const sw_pattern *pattern)
{
	sw_json_key(w->json, "roots");
	sw_json_open(w->json, '[', false);
	for (int32_t i = 0; i < pattern->groups; i++) {
		const int32_t *root = pattern->root + pattern->first_root[i];
		int32_t count = pattern->first_root[i + 1] - pattern->first_root[i];
		if (count == 1)
			sw_json_int(w->json, *root);
		else
			write_numbers(w->json, root, count);
	}
	sw_json_close(w->json);
}

static void write_pairs(const struct writing *w, const sw_pattern *pattern)
{
	sw_json_key(w->json, "pairs");
	sw_json_open(w->json, '[', false);
	for (int32_t i = 0; i < pattern->pairs; i++)
		write_numbers(w->json, pattern->pair + 2 * (size_t)i, 2);
	sw_json_close(w->json);
}

static void write_offsets(const struct writing *w, const sw_pattern *pattern)
{
	sw_json_key(w->json, "offsets");
	sw_json_open(w->json, '[', false);
	for (int i = 0; i < pattern->offsets; i++)
		sw_json_ints(w->json, pattern->offset + (size_t)i * (size_t)pattern->axes, pattern->axes);
	sw_json_close(w->json);
}

static bool write_pattern(const struct writing *w)
{
	sw_pattern pattern;

	if (!sw_relation_pattern(w->relation, w->question->rule, w->question->mesh, w->arena, &pattern))
		return false;
	sw_json_key(w->json, "pattern");
	sw_json_string(w->json, sw_pattern_text(pattern.name));
	if (pattern.pair != NULL)
		write_pairs(w, &pattern);
	else
		write_rows(w, "groups", pattern.first_member, pattern.member, pattern.groups);
	if (pattern.first_root != NULL)
		write_roots(w, &pattern);
	if (pattern.offset != NULL)
		write_offsets(w, &pattern);
	if (pattern.by != NULL) {
		sw_json_key(w->json, "by");
		sw_json_ints(w->json, pattern.by, pattern.axes);
	}
	return true;
}

static bool write_relabelling(const struct writing *w)
{
	int32_t *role = SW_NEW(w->arena, int32_t, w->relation->from->devices);
	int64_t kept;

	if (role == NULL || !sw_relation_relabel(w->relation, role, &kept))
		return false;
	sw_json_key(w->json, "relabelled_kept");
	if (kept >= 0)
		sw_json_int(w->json, kept);
	else
		sw_json_null(w->json);
	return true;
}

bool sw_relation_write(sw_relation *relation, const sw_relation_question *question, sw_json *json)
{
	struct writing w = {relation, question, sw_arena_new(), json};
	bool done = w.arena != NULL && write_lists(&w, "T", sw_relation_before) &&
		write_lists(&w, "F", sw_relation_after) && write_messages(&w) && write_sizes(&w) && write_pattern(&w) &&
		write_relabelling(&w);

	if (done) {
		sw_json_key(json, "unique_sender");
		sw_json_bool(json, sw_relation_is_unique(relation));
		sw_json_key(json, "sender");
		sw_json_string(json, sw_sender_rule_name(question->rule));
	}
	sw_arena_free(w.arena);
	return done;
}

bool sw_relation_write_before(sw_relation *relation, sw_json *json)
{
	struct writing w = {.relation = relation, .arena = sw_arena_new(), .json = json};
	bool written = w.arena != NULL && write_lists(&w, "T", sw_relation_before);

	sw_arena_free(w.arena);
	return written;
}
