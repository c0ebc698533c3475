/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a plan file: operations, types, groups, sources, maps, as they are written.  The checker judges
 * later what they mean; here only what could not be held in memory is refused.
 */
#include <shardwalk/between.h>
#include <shardwalk/problem_json.h>
#include <shardwalk/uneven.h>

#include "plan/json_reader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "array/parts.h"
#include "plan/lines.h"
#include "plan/pieces.h"
#include "plan/tile_numbers.h"
#include "step/entries.h"
#include "step/row.h"

/* ---- a step ---- */

static bool read_entry(const sw_plan_reader *r, json_t *entry, const char *key, sw_entry *out)
{
	json_t *dim = json_array_get(entry, 0), *factor = json_array_get(entry, 1);
	if (json_array_size(entry) != 2 || !json_is_integer(dim) || !json_is_integer(factor))
		return sw_json_refuse(&r->in, SW_P01, key, "holds something that is not [dimension, factor]");
	if (json_integer_value(dim) < 0 || json_integer_value(dim) >= r->plan->problem.from.rank)
		return sw_json_refuse(&r->in, SW_P05, key, "names dimension %lld of an array of %d",
			(long long)json_integer_value(dim), r->plan->problem.from.rank);
	*out = (sw_entry){(int)json_integer_value(dim), json_integer_value(factor)};
	return true;
}

/* Entries come by ascending dimension, whatever order the file has. */
static bool read_entries(const sw_plan_reader *r, json_t *step, const char *key, sw_entry *entry, int *count)
{
	bool ok;
	size_t n;
	json_t *list = sw_json_read_value(&r->in, step, key, SW_KIND_LIST, SW_OPTIONAL, &ok), *item;
	if (!ok)
		return false;
	if (json_array_size(list) > SW_MAX_DIMS)
		return sw_json_refuse(&r->in, SW_P05, key, "has too many entries");
	json_array_foreach(list, n, item)
	{
		sw_entry read = {0};
		int at = (*count)++;
		if (!read_entry(r, item, key, &read))
			return false;
		for (; at > 0 && entry[at - 1].dim > read.dim; at--)
			entry[at] = entry[at - 1];
		entry[at] = read;
	}
	return true;
}

static bool read_both_entries(const sw_plan_reader *r, json_t *object, sw_step *step)
{
	sw_entry gather[SW_MAX_DIMS], split[SW_MAX_DIMS];
	sw_entries read = {0, 0, gather, split};
	return read_entries(r, object, "gather", gather, &read.gathers) &&
		read_entries(r, object, "split", split, &read.splits) &&
		(sw_step_keep(step, &read, r->in.arena) || sw_diag_memory(r->in.diag));
}

static bool read_device(const sw_plan_reader *r, json_t *value, const char *key, int32_t *out)
{
	if (!json_is_integer(value))
		return sw_json_refuse(&r->in, SW_P01, key, "holds something that is not a device");
	int64_t device = json_integer_value(value);
	if (device < 0 || device >= r->plan->problem.mesh.devices)
		return sw_json_refuse(&r->in, SW_P05, key, "names device %lld of %lld", (long long)device,
			(long long)r->plan->problem.mesh.devices);
	*out = (int32_t)device;
	return true;
}

static int32_t *read_room(const sw_plan_reader *r, const char *key)
{
	int32_t *room = NULL;
	if (r->plan->problem.mesh.devices > SW_MAX_MAP_DEVICES)
		sw_json_refuse(&r->in, SW_S08, key, "lists more devices than can be checked");
	else if (!(room = SW_NEW(r->in.arena, int32_t, r->plan->problem.mesh.devices)))
		sw_diag_memory(r->in.diag);
	return room;
}

/* Groups of one size.  Those of a step that passes on pieces may leave devices out. */
static bool read_groups_list(const sw_plan_reader *r, const char *name, json_t *list, sw_step *step)
{
	int32_t *room = read_room(r, name);
	int64_t devices = r->plan->problem.mesh.devices;
	bool some = step->passing != SW_PASSES_AT_ONCE;
	size_t n, m;
	json_t *group, *device;
	step->grouped = 0;
	json_array_foreach(room ? list : NULL, n, group)
	{
		char key[SW_WHERE_SIZE];
		const long long numbers[] = {(long long)devices, (long long)step->group_size};
		snprintf(key, sizeof key, "%s[%zu]", name, n);
		if (!json_is_array(group))
			return sw_json_refuse(&r->in, SW_P01, key, "is not a list of devices");
		if ((int64_t)json_array_size(group) != step->group_size || step->grouped + step->group_size > devices)
			return sw_json_refuse(&r->in, SW_P05, key,
				some ? "is not a group of %lld of the %lld devices" :
					   "does not partition %lld devices into groups of %lld",
				numbers[some], numbers[!some]);
		json_array_foreach(group, m, device)
		{
			if (!read_device(r, device, key, &room[step->grouped++]))
				return false;
		}
	}
	step->groups = room;
	return room &&
		(some || step->grouped == devices ||
			sw_json_refuse(&r->in, SW_P05, name, "holds %lld of %lld devices", (long long)step->grouped,
				(long long)devices));
}

/* Groups of the devices themselves, as those of the slots in which they are before step k. */
static bool read_device_groups(const sw_plan_reader *r, json_t *list, int k)
{
	sw_step *step = &r->plan->program.step[k];
	int64_t devices = r->plan->problem.mesh.devices;
	const int64_t *order = sw_plan_order(r->plan, k);
	int32_t *slot = read_room(r, "device_groups"), *groups = read_room(r, "device_groups");
	if (!slot || !groups || !read_groups_list(r, "device_groups", list, step))
		return false;
	for (int64_t p = 0; p < devices; p++)
		slot[sw_device_at(order, p)] = (int32_t)p;
	for (int64_t n = 0; n < devices; n++)
		groups[n] = slot[step->groups[n]];
	step->groups = groups;
	return true;
}

static bool read_groups_text(const sw_plan_reader *r, json_t *value, sw_step *step)
{
	sw_groups iota;
	sw_str text = {json_string_value(value), json_string_length(value)};
	if (!sw_groups_parse(text, r->plan->problem.mesh.devices, &iota))
		return sw_json_refuse(&r->in, SW_P05, "groups",
			"is not a list of %lld devices in the form \"[4,2]<=[2,4]T(1,0)\"",
			(long long)r->plan->problem.mesh.devices);
	if (iota.size != step->group_size)
		return sw_json_refuse(&r->in, SW_P05, "groups", "has groups of %lld devices, not of %lld",
			(long long)iota.size, (long long)step->group_size);
	return sw_json_keep(&r->in, text, &step->groups_text);
}

static bool read_list_of_groups(const sw_plan_reader *r, json_t *value, sw_step *step)
{
	if (!value)
		return sw_json_refuse(&r->in, SW_P01, "groups", "is missing");
	return json_is_array(value) ? read_groups_list(r, "groups", value, step) :
								  sw_json_refuse(&r->in, SW_P01, "groups", "is not a list");
}

static bool read_groups(const sw_plan_reader *r, json_t *object, int k)
{
	sw_step *step = &r->plan->program.step[k];
	json_t *value = json_object_get(object, "groups"), *on_devices = json_object_get(object, "device_groups");
	if (step->passing != SW_PASSES_AT_ONCE) {
		step->group_size = (int64_t)json_array_size(json_array_get(value, 0));
		return read_list_of_groups(r, value, step);
	}
	step->group_size = sw_terms_added(r->plan, k);
	for (int e = 0; e < step->gathers; e++)
		if (step->gather[e].factor < 2 || step->gather[e].factor > r->plan->problem.mesh.devices / step->group_size)
			return sw_json_refuse(&r->in, SW_P05, "gather", "gathers by %lld", (long long)step->gather[e].factor);
		else
			step->group_size *= step->gather[e].factor;
	step->grouped = r->plan->problem.mesh.devices;
	if (step->order && json_is_array(on_devices))
		return read_device_groups(r, on_devices, k);
	if (!value && r->plan->problem.mesh.devices > SW_MAX_MAP_DEVICES)
		return true;
	return json_is_string(value) ? read_groups_text(r, value, step) : read_list_of_groups(r, value, step);
}

static bool read_pair_list(const sw_plan_reader *r, json_t *list, sw_step *step)
{
	int32_t *source = read_room(r, "pairs");
	int64_t devices = r->plan->problem.mesh.devices;
	size_t n;
	json_t *pair;
	if (!source)
		return false;
	memset(source, -1, (size_t)devices * sizeof *source);
	json_array_foreach(list, n, pair)
	{
		char key[SW_WHERE_SIZE];
		int32_t from, to;
		snprintf(key, sizeof key, "pairs[%zu]", n);
		if (json_array_size(pair) != 2)
			return sw_json_refuse(&r->in, SW_P01, key, "is not [source, destination]");
		if (!read_device(r, json_array_get(pair, 0), key, &from) ||
			!read_device(r, json_array_get(pair, 1), key, &to))
			return false;
		if (source[to] >= 0)
			return sw_json_refuse(&r->in, SW_P05, key, "sends device %d a second tile", to);
		source[to] = from;
	}
	step->source = source;
	return (int64_t)json_array_size(list) == devices ||
		sw_json_refuse(&r->in, SW_P05, "pairs", "holds %zu of %lld devices", json_array_size(list),
			(long long)devices);
}

/* ["type before", "type after"]: both must be what the steps say. */
static bool read_pair_types(const sw_plan_reader *r, json_t *list, int k)
{
	const sw_type *right[2] = {r->plan->program.value[k].type, r->plan->program.value[k + 1].type};
	for (int n = 0; n < 2; n++) {
		json_t *text = json_array_get(list, (size_t)n);
		sw_type said;
		char key[SW_WHERE_SIZE];
		snprintf(key, sizeof key, "pairs[%d]", n);
		if (!json_is_string(text))
			return sw_json_refuse(&r->in, SW_P01, key, "is not a type");
		if (!sw_json_read_type(&r->in, text, key, &r->plan->problem.mesh, false, &said))
			return false;
		said.dtype = r->plan->problem.from.dtype;
		if (!right[n] || !sw_type_same_map(&r->plan->problem.mesh, right[n], &said))
			return sw_json_refuse(&r->in, SW_P03, key, "is not the type %s the step", n ? "after" : "before");
	}
	return true;
}

static bool read_pairs(const sw_plan_reader *r, json_t *object, int k)
{
	bool ok;
	sw_step *step = &r->plan->program.step[k];
	json_t *list = sw_json_read_value(&r->in, object, "pairs", SW_KIND_LIST, SW_REQUIRED, &ok);
	if (!list)
		return ok;
	if (json_array_size(list) == 2 && json_is_string(json_array_get(list, 0)))
		return read_pair_types(r, list, k);
	return read_pair_list(r, list, step);
}

static bool read_sender_list(const sw_plan_reader *r, json_t *list, int64_t devices, int64_t all, sw_step *step)
{
	int32_t *first = SW_NEW(r->in.arena, int32_t, devices + 1), *sender = SW_NEW(r->in.arena, int32_t, all);
	int32_t done = 0;
	size_t d, n;
	json_t *of, *device;
	if (!first || !sender)
		return sw_diag_memory(r->in.diag);
	json_array_foreach(list, d, of)
	{
		char key[SW_WHERE_SIZE];
		snprintf(key, sizeof key, "senders[%zu]", d);
		first[d] = done;
		json_array_foreach(of, n, device) if (!read_device(r, device, key, &sender[done++])) return false;
	}
	first[devices] = done;
	step->first_sender = first;
	step->sender = sender;
	return true;
}

/* The rule of an exchange between types of which one at least is no tile type. */
static bool read_rule(const sw_plan_reader *r, json_t *object, sw_step *step)
{
	sw_str name = {0};
	step->rule = SW_SENDER_BALANCED;
	if (!sw_json_read_string(&r->in, object, "sender", SW_OPTIONAL, &name) || !name.at)
		return !name.at;
	for (int rule = 0; rule < SW_SENDER_RULE_COUNT; rule++)
		if (sw_str_is(name, sw_sender_rule_name((sw_sender_rule)rule))) {
			step->rule = (sw_sender_rule)rule;
			return true;
		}
	return sw_json_refuse(&r->in, SW_P01, "sender", "does not name a rule of senders");
}

static bool read_senders(const sw_plan_reader *r, json_t *object, int k)
{
	bool ok;
	if (sw_problem_has_words(&r->plan->problem))
		return read_rule(r, object, &r->plan->program.step[k]);
	sw_step *step = &r->plan->program.step[k];
	int64_t devices = r->plan->problem.mesh.devices, all = 0;
	size_t d;
	json_t *of;
	json_t *list = sw_json_read_value(&r->in, object, "senders", SW_KIND_LIST, SW_OPTIONAL, &ok);
	if (!list)
		return ok;
	if ((int64_t)json_array_size(list) != devices)
		return sw_json_refuse(&r->in, SW_P05, "senders", "holds lists for %zu of %lld devices", json_array_size(list),
			(long long)devices);
	json_array_foreach(list, d, of)
	{
		if (!json_is_array(of))
			return sw_json_refuse(&r->in, SW_P01, "senders", "holds something that is not a list of devices");
		all += (int64_t)json_array_size(of);
	}
	return all <= INT32_MAX ? read_sender_list(r, list, devices, all, step) :
							  sw_json_refuse(&r->in, SW_S08, "senders", "lists more devices than can be checked");
}

static bool read_nobody(const sw_plan_reader *r, json_t *object, int k)
{
	(void)r, (void)object, (void)k;
	return true;
}

/* Who works with whom. */
static bool read_devices(const sw_plan_reader *r, json_t *object, int k)
{
	static bool (*const read_among[SW_AMONG_COUNT])(const sw_plan_reader *r, json_t *object, int k) = {
		[SW_AMONG_NONE] = read_nobody,
		[SW_AMONG_GROUPS] = read_groups,
		[SW_AMONG_PAIRS] = read_pairs,
		[SW_AMONG_ALL] = read_senders,
	};

	return read_among[sw_collective_of(r->plan->program.step[k].op)->among](r, object, k);
}

/* The tile after the step: as written, else from the type, else what the entries make of the tile before. */
static bool read_tile(const sw_plan_reader *r, json_t *object, int k)
{
	bool ok;
	sw_value *made = &r->plan->program.value[k + 1];
	int rank = r->plan->problem.from.rank;
	json_t *list = sw_json_read_value(&r->in, object, "localtype", SW_KIND_LIST, SW_OPTIONAL, &ok);
	if (!ok)
		return false;
	if (!list && !made->type)
		return sw_json_refuse(&r->in, SW_P01, "localtype", "is missing, and there is no type");
	if (list && json_array_size(list) != (size_t)rank)
		return sw_json_refuse(&r->in, SW_P03, "localtype", "has another number of dimensions than the array");
	for (int i = 0; i < rank; i++) {
		json_t *size = json_array_get(list, (size_t)i);
		if (list && !json_is_integer(size))
			return sw_json_refuse(&r->in, SW_P01, "localtype", "is not a list of sizes");
		made->tile[i] = list ? json_integer_value(size) : made->type->tile[i];
		if (made->tile[i] < 1 || r->plan->problem.from.global[i] % made->tile[i] != 0)
			return sw_json_refuse(&r->in, SW_P03, "localtype", "has %lld, which does not divide dimension %d",
				(long long)made->tile[i], i);
	}
	return true;
}

static bool read_step_type(const sw_plan_reader *r, json_t *object, sw_value *made)
{
	json_t *value = json_object_get(object, "type");
	if (!value || json_is_null(value))
		return true;
	const sw_type *from = &r->plan->problem.from;
	sw_type *type = SW_NEW(r->in.arena, sw_type, 1);
	if (!type)
		return sw_diag_memory(r->in.diag);
	made->type = type;
	if (!sw_problem_has_words(&r->plan->problem) ?
			!sw_json_read_type_of(&r->in, value, "type", &r->plan->problem.mesh, from->dtype, type) :
			!sw_json_read_type_any(&r->in, value, "type", &r->plan->problem.mesh, from->dtype, type, &made->words))
		return false;
	sw_uneven_fit(type, from);
	return true;
}

static void join_texts(json_t *list, sw_text *text)
{
	size_t n;
	json_t *part;
	json_array_foreach(list, n, part)
	{
		sw_text_addf(text, "%s%s", n ? "," : "", json_string_value(part));
	}
}

static bool refuse_sum(const sw_plan_reader *r, const char *said, const char *right)
{
	sw_json_refuse(&r->in, SW_P03, "sum", "is {%.60s}, but its types sum {%.60s}", said, right);
	sw_diag_expected(r->in.diag, "{%s}, as the types before and after the step say", right);
	sw_diag_found(r->in.diag, "{%s}", said);
	return false;
}

static void print_parts(const sw_mesh *mesh, const sw_part *part, int count, sw_text *text)
{
	for (int p = 0; p < count; p++) {
		sw_text_add(text, p ? "," : "");
		sw_part_print(mesh, part[p], text);
	}
}

/* Compares the parts in `said` with those that the types sum. */
static bool compare_sum(const sw_plan_reader *r, const sw_text *said, const sw_part *part, int count)
{
	const sw_mesh *mesh = &r->plan->problem.mesh;
	const sw_type *shape = &r->plan->problem.from;
	sw_text written = {0}, right = {0};
	sw_type read, summed;
	print_parts(mesh, part, count, &right);
	sw_text_addf(&written, "[]+{%s}", sw_text_get(said));
	bool ok = sw_type_replicated(SW_F32, 0, shape->global, &summed, r->in.diag) &&
		sw_type_set_sums(mesh, &summed, part, count, r->in.diag);
	if (ok && !sw_type_parse(mesh, (sw_str){sw_text_get(&written), written.length}, &read, r->in.diag))
		ok = sw_json_refuse_shifted(&r->in, "sum");
	else if (ok && !sw_type_same_map(mesh, &read, &summed))
		ok = refuse_sum(r, sw_text_get(said), sw_text_get(&right));
	sw_text_free(&written);
	sw_text_free(&right);
	return ok;
}

/* What the step sums is what its types say. */
static bool read_sum(const sw_plan_reader *r, json_t *object, int k)
{
	bool ok;
	size_t n;
	json_t *list = sw_json_read_value(&r->in, object, "sum", SW_KIND_LIST, SW_OPTIONAL, &ok), *part;
	sw_part sums[SW_MAX_PARTS];
	sw_text said = {0};
	if (!list)
		return ok;
	json_array_foreach(list, n, part)
	{
		if (!json_is_string(part))
			return sw_json_refuse(&r->in, SW_P01, "sum", "holds something that is not an axis");
	}
	join_texts(list, &said);
	ok = compare_sum(r, &said, sums, sw_step_summed(r->plan, k, sums));
	sw_text_free(&said);
	return ok;
}

static bool read_form(const sw_plan_reader *r, json_t *object, sw_step *step)
{
	sw_str form = {0};
	return sw_json_read_string(&r->in, object, "form", SW_OPTIONAL, &form) &&
		sw_json_keep(&r->in, form, &step->by.words);
}

/* Of a file that cuts tiles into pieces, what names no dimensions and no sums passes pieces on. */
static sw_passing read_passing(const sw_plan_reader *r, json_t *object, const sw_step *step)
{
	bool on_tiles = json_object_get(object, "gather") || json_object_get(object, "split") ||
		json_object_get(object, "sum") || !sw_row(step->op)->hold;
	return r->pieces > 0 && !on_tiles ? r->passing : SW_PASSES_AT_ONCE;
}

/* What devices have after a step that passes pieces on follows from it. */
static bool follow(sw_plan_reader *r, int k)
{
	char where[SW_WHERE_SIZE] = "";
	if (r->plan->program.step[k].passing == SW_PASSES_AT_ONCE ||
		sw_plan_follow(r->plan, k, r->pieces, NULL, r->in.arena, where, r->in.diag))
		return true;
	if (r->in.diag && r->in.diag->code != SW_E01 && where[0]) {
		snprintf(r->in.where, sizeof r->in.where, "%s%.60s", r->base, where);
		r->in.diag->at = sw_json_locate(r->in.text, r->in.where);
	}
	return false;
}

static bool read_step(sw_plan_reader *r, json_t *object, int k)
{
	sw_step *step = &r->plan->program.step[k];
	sw_str name = {0};
	if (!json_is_object(object))
		return sw_json_refuse(&r->in, SW_P01, "", "is not an object");
	sw_reader_at_step(r, k, ".");
	if (!sw_json_read_string(&r->in, object, "op", SW_REQUIRED, &name))
		return false;
	step->op = sw_op_named(name);
	if (step->op == SW_OP_COUNT)
		return sw_json_refuse(&r->in, SW_P05, "op", "does not name an operation");
	step->passing = read_passing(r, object, step);
	if (step->passing != SW_PASSES_AT_ONCE && !read_form(r, object, step))
		return false;
	return read_both_entries(r, object, step) && read_step_type(r, object, &r->plan->program.value[k + 1]) &&
		(step->passing != SW_PASSES_AT_ONCE || read_sum(r, object, k)) && read_tile(r, object, k) &&
		sw_reader_ids(r, object, "devices", &step->order) && read_devices(r, object, k) && follow(r, k) &&
		sw_reader_inside(r, object, k);
}

/* ---- maps ---- */

static bool read_map(const sw_plan_reader *r, json_t *list, int64_t *map)
{
	int rank = r->plan->problem.from.rank;
	int64_t devices = r->plan->problem.mesh.devices;
	size_t d;
	json_t *offset;
	if (!json_is_array(list) || (int64_t)json_array_size(list) != devices)
		return sw_json_refuse(&r->in, SW_P01, "", "is not a list of %lld devices", (long long)devices);
	json_array_foreach(list, d, offset)
	{
		char key[SW_WHERE_SIZE];
		snprintf(key, sizeof key, "[%zu]", d);
		if (!json_is_array(offset) || json_array_size(offset) != (size_t)rank)
			return sw_json_refuse(&r->in, SW_P01, key, "is not a list of %d offsets", rank);
		for (int i = 0; i < rank; i++) {
			if (!json_is_integer(json_array_get(offset, (size_t)i)))
				return sw_json_refuse(&r->in, SW_P01, key, "is not a list of offsets");
			map[(int64_t)d * rank + i] = json_integer_value(json_array_get(offset, (size_t)i));
		}
	}
	return true;
}

/* A map beside a type says the same; where there is no type, it is what the step has. */
static bool read_map_use(const sw_plan_reader *r, int k, const int64_t *map, int64_t *right)
{
	int rank = r->plan->problem.from.rank;
	int64_t devices = r->plan->problem.mesh.devices;
	if (k > 0 && !r->plan->program.value[k].type) {
		r->plan->program.value[k].map = map;
		return true;
	}
	if (!sw_plan_map(r->plan, k, right, r->in.diag))
		return sw_json_refuse_shifted(&r->in, "");
	for (int64_t d = 0; d < devices; d++)
		if (memcmp(map + d * rank, right + d * rank, (size_t)rank * sizeof *map) != 0) {
			char key[SW_WHERE_SIZE];
			snprintf(key, sizeof key, "[%lld]", (long long)d);
			return sw_json_refuse(&r->in, SW_P03, key, "is not where the type puts that device");
		}
	return true;
}

static bool read_maps(sw_plan_reader *r, json_t *root)
{
	bool ok;
	r->in.where[0] = '\0';
	json_t *list = sw_json_read_value(&r->in, root, "maps", SW_KIND_LIST, SW_OPTIONAL, &ok);
	if (!list)
		return ok;
	int64_t size = r->plan->problem.mesh.devices * r->plan->problem.from.rank;
	if (r->plan->problem.mesh.devices > SW_MAX_MAP_DEVICES)
		return sw_json_refuse(&r->in, SW_S08, "maps", "lists more devices than can be checked");
	if (json_array_size(list) != (size_t)r->plan->program.steps + 1)
		return sw_json_refuse(&r->in, SW_P03, "maps", "has %zu maps for %d steps", json_array_size(list),
			r->plan->program.steps);
	int64_t *right = SW_NEW(r->in.arena, int64_t, size);
	for (int k = 0; k <= r->plan->program.steps; k++) {
		int64_t *map = SW_NEW(r->in.arena, int64_t, size);
		if (!map || !right)
			return sw_diag_memory(r->in.diag);
		snprintf(r->in.where, sizeof r->in.where, "maps[%d]", k);
		if (!read_map(r, json_array_get(list, (size_t)k), map) || !read_map_use(r, k, map, right))
			return false;
	}
	r->in.where[0] = '\0';
	return true;
}

void sw_reader_at_step(sw_plan_reader *r, int k, const char *behind)
{
	assert(k >= 0);
	snprintf(r->in.where, sizeof r->in.where, "%ssteps[%d]%s", r->base, k, behind);
}

bool sw_reader_steps(sw_plan_reader *r, json_t *root)
{
	bool ok;
	json_t *list = sw_json_read_value(&r->in, root, "steps", SW_KIND_LIST, SW_REQUIRED, &ok);
	if (!ok)
		return false;
	if (json_array_size(list) > SW_PLAN_READ_MOST)
		return sw_json_refuse(&r->in, SW_P01, "steps", "has %zu steps, of which at most %d are read",
			json_array_size(list), SW_PLAN_READ_MOST);
	r->plan->program.steps = (int)json_array_size(list);
	if (!sw_plan_room(r->plan, r->plan->program.steps, r->in.arena))
		return sw_diag_memory(r->in.diag);
	for (int k = 0; k < r->plan->program.steps; k++) {
		sw_reader_at_step(r, k, "");
		if (!read_step(r, json_array_get(list, (size_t)k), k))
			return false;
	}
	if (!read_maps(r, root))
		return false;
	for (int k = 0; k < r->plan->program.steps; k++)
		if (!r->plan->program.value[k + 1].type && !r->plan->program.value[k + 1].map &&
			!r->plan->program.value[k + 1].pieces) {
			sw_reader_at_step(r, k, ".");
			return sw_json_refuse(&r->in, SW_P01, "type", "is null, and there are no maps");
		}
	return true;
}
