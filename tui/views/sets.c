/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each device holds under a type of any kind.
 */
#include "views/sets.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/json.h>
#include <shardwalk/uneven.h>

#include "answer/rows.h"
#include "views/draw.h"

#define DEVICES_SHOWN 64
#define RUNS_MOST 4096 /* that are put in order */

/* ---- what is asked of a holding ---- */

/* Has each index a device?  Asked as a need: that of device 0, of all of them. */
static bool covers_all(const sw_holding *held, const sw_type *array, sw_arena *arena, bool *covers, sw_diag *diag)
{
	sw_region *needed = SW_NEW_ZERO(arena, sw_region, held->devices);
	sw_indices *set = SW_NEW(arena, sw_indices, held->rank);
	sw_family *family = SW_NEW(arena, sw_family, held->rank);
	sw_tally *tally = SW_NEW(arena, sw_tally, held->devices);
	sw_holding all;
	if (needed == NULL || set == NULL || family == NULL || tally == NULL)
		return sw_diag_memory(diag);
	for (int dim = 0; dim < held->rank; dim++)
		set[dim] = sw_indices_range(0, held->global[dim], &family[dim]);
	for (int64_t device = 0; device < held->devices; device++)
		needed[device] = (sw_region){held->rank, device == 0, set};
	sw_holding_of_regions(held->devices, array, 1, needed, NULL, &all);
	sw_relation *relation = sw_relation_new(held, &all, NULL, arena, diag);
	if (relation == NULL)
		return false;
	if (!sw_relation_tally(relation, SW_SENDER_LOWEST, tally))
		return sw_diag_memory(diag);
	*covers = tally[0].missing == 0;
	return true;
}

static int64_t held_in_all(const sw_holding *holding)
{
	int64_t all = 0;
	for (int64_t device = 0; device < holding->devices; device++) {
		int64_t size = sw_holding_size(holding, device);
		if (size < 0)
			return -1;
		all += size;
	}
	return all;
}

/* Which terms devices hold does not count here. */
static bool compare_all(struct sets_look *look, sw_diag *diag)
{
	sw_holding held = look->holding;
	held.terms = 1;
	look->listed = held.devices <= SW_MAX_MAP_DEVICES;
	if (!look->listed)
		return true;
	sw_relation *own = sw_relation_new(&held, &held, NULL, look->arena, diag);
	if (own == NULL)
		return false;
	look->disjoint = sw_relation_is_unique(own);
	if (!look->disjoint)
		return covers_all(&held, &look->type.type, look->arena, &look->covers, diag);
	look->covers = held_in_all(&held) == sw_type_globalsize(&look->type.type);
	return true;
}

bool sets_check_padding(const sw_type *type, sw_diag *diag)
{
	if (!sw_type_padded(type))
		return true;
	sw_diag_set(diag, SW_T04, (sw_span){0, 0},
		"the type is padded: its tiles hold more than the elements of the array");
	sw_diag_expected(diag, "a rule instead of padding, such as `by %s`", sw_uneven_name(SW_UNEVEN_CEIL));
	sw_diag_hint(diag, "`set uneven %s` uses it whenever a size does not divide", sw_uneven_name(SW_UNEVEN_CEIL));
	return false;
}

bool sets_look_at(const sw_mesh *mesh, const struct any_type *type, const int64_t *order, sw_arena *arena,
	struct sets_look *look, sw_diag *diag)
{
	*look = (struct sets_look){.mesh = mesh, .type = *type, .arena = arena};
	return sets_check_padding(&type->type, diag) &&
		(sw_holding_of_any(mesh, &type->type, type->words, order, arena, &look->holding) || sw_diag_memory(diag)) &&
		compare_all(look, diag);
}

/* What a device has, in the one way that belongs to it. */
static bool region_in_order(const struct sets_look *look, int64_t device, sw_region *region)
{
	if (!sw_holding_region(&look->holding, device, look->arena, region))
		return false;
	int sets = region->count * region->rank;
	sw_indices *ordered = SW_NEW(look->arena, sw_indices, sets);
	for (int i = 0; ordered != NULL && i < sets; i++)
		if (!sw_indices_in_order(region->set[i].family, region->set[i].count, RUNS_MOST, look->arena, &ordered[i]))
			return false;
	if (region->rank == 1 && region->count > 1)
		return true;
	region->set = ordered;
	return ordered != NULL;
}

/* ---- places ---- */

static int64_t indices_below(const sw_indices *indices, int64_t index)
{
	int64_t below = 0;
	for (int i = 0; i < indices->count; i++) {
		const sw_family *f = &indices->family[i];
		int64_t full = index <= f->first ? 0 : (index - f->first) / f->step, rest = (index - f->first) % f->step;
		if (index <= f->first)
			continue;
		below += full >= f->count ? f->count * f->run : full * f->run + (rest < f->run ? rest : f->run);
	}
	return below;
}

/* How many elements of a region come before this one, row by row. */
static int64_t elements_before(const sw_region *region, const int64_t *element)
{
	int64_t before = 0;
	for (int i = 0; i < region->count; i++) {
		const sw_indices *set = region->set + (size_t)i * (size_t)region->rank;
		bool same = true;
		for (int dim = 0; dim < region->rank && same; dim++) {
			int64_t rows = indices_below(&set[dim], element[dim]);
			for (int after = dim + 1; after < region->rank; after++)
				rows *= sw_indices_size(&set[after]);
			before += rows;
			same = sw_indices_has(&set[dim], element[dim]);
		}
	}
	return before;
}

/* Where it stands in what a device has: by dimension where that is a product, else its number row by row. */
static int place_of(const sw_region *region, const int64_t *element, int64_t place[SW_MAX_DIMS])
{
	if (region->count != 1) {
		place[0] = elements_before(region, element);
		return 1;
	}
	for (int dim = 0; dim < region->rank; dim++)
		place[dim] = indices_below(&region->set[dim], element[dim]);
	return region->rank;
}

static int64_t lowest(const sw_indices *indices)
{
	int64_t first = indices->family[0].first;
	for (int i = 1; i < indices->count; i++)
		first = indices->family[i].first < first ? indices->family[i].first : first;
	return first;
}

static int compare_elements(const int64_t *a, const int64_t *b, int rank)
{
	int dim = 0;
	while (dim < rank && a[dim] == b[dim])
		dim++;
	return dim == rank ? 0 : a[dim] < b[dim] ? -1 : 1;
}

/* The first element of a region that has some. */
static void first_element(const sw_region *region, int64_t first[SW_MAX_DIMS])
{
	for (int i = 0; i < region->count; i++) {
		int64_t own[SW_MAX_DIMS];
		for (int dim = 0; dim < region->rank; dim++)
			own[dim] = lowest(&region->set[(size_t)i * (size_t)region->rank + (size_t)dim]);
		if (i == 0 || compare_elements(own, first, region->rank) < 0)
			memcpy(first, own, sizeof own);
	}
}

static void add_numbers(const int64_t *number, int count, sw_text *text)
{
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%lld", i > 0 ? ", " : "", (long long)number[i]);
}

/* ---- texts ---- */

void indices_text(const sw_indices *indices, sw_arena *arena, sw_text *text)
{
	sw_indices_print_runs(indices, arena, text);
}

void region_text(const sw_region *region, sw_arena *arena, sw_text *text)
{
	sw_region_print_runs(region, arena, text);
}

/* ---- the picture ---- */

/* A device as a row. */
struct held_row {
	int64_t device, elements; /* -1: undefined */
	sw_region region;
};

static void print_held(const struct row_at *at, sw_text *text)
{
	const struct held_row *row = at->row;
	const struct sets_look *look = at->of;
	if (row->elements < 0)
		sw_text_add(text, "undefined");
	else
		region_text(&row->region, look->arena, text);
}

static const struct row_column held_columns[] = {
	ROW_AT("device", "device", DEVICE, struct held_row, device),
	ROW_AT("elements", "elements", LARGE, struct held_row, elements, .missing = "-"),
	ROW_BY("indices", "indices", TEXT, .print = print_held, .role = ROLE_NUMBER),
};

static bool fill_row(const struct sets_look *look, int64_t device, struct held_row *row)
{
	*row = (struct held_row){.device = device, .elements = -1};
	if (!sw_holding_defined(&look->holding, device))
		return true;
	row->elements = sw_holding_size(&look->holding, device);
	return row->elements >= 0 && region_in_order(look, device, &row->region);
}

/* The first devices, and the one that is asked for. */
static bool draw_held(const struct sets_look *look, int64_t asked, struct canvas *out, int *y, sw_diag *diag)
{
	struct held_row row[DEVICES_SHOWN];
	int64_t devices = look->holding.devices, count = devices < DEVICES_SHOWN ? devices : DEVICES_SHOWN;
	for (int64_t i = 0; i < count; i++)
		if (!fill_row(look, i == count - 1 && asked > i && asked < devices ? asked : i, &row[i]))
			return sw_diag_memory(diag);
	struct rows rows = ROWS_OF(held_columns, row, count, .of = look, .mesh = look->mesh, .narrow = true);
	if (!rows_draw(&rows, out, y, diag))
		return false;
	if (devices > count)
		*y = draw_note(out, 0, *y, ROLE_DIM, "… %s; --device N shows one of them",
			words_plural(devices - count, "device more", "devices more").text);
	return true;
}

static int draw_device(const struct sets_look *look, const struct held_row *row, struct canvas *out, int y)
{
	sw_text sizes = {0}, first = {0};
	int64_t size[SW_MAX_DIMS], element[SW_MAX_DIMS];
	struct words name = words_device_first(look->mesh, row->device);
	if (row->elements <= 0)
		return draw_note(out, 0, y, ROLE_TEXT, "device %s %s", name.text,
			row->elements < 0 ? "is undefined: the type does not say what it has" : "is empty");
	for (int dim = 0; dim < row->region.rank && row->region.count == 1; dim++)
		size[dim] = sw_indices_size(&row->region.set[dim]);
	first_element(&row->region, element);
	if (row->region.count == 1)
		add_numbers(size, row->region.rank, &sizes);
	else
		sw_text_addf(&sizes, "%lld", (long long)row->elements);
	add_numbers(element, look->holding.rank, &first);
	y = draw_note(out, 0, y, ROLE_TEXT, "device %s: local sizes [%s], first element [%s]", name.text,
		sw_text_get(&sizes), sw_text_get(&first));
	sw_text_free(&sizes);
	sw_text_free(&first);
	return y;
}

static int draw_holder(const sw_mesh *mesh, const struct held_row *row, const int64_t *element, struct canvas *out,
	int y)
{
	sw_text local = {0};
	int64_t place[SW_MAX_DIMS];
	add_numbers(place, place_of(&row->region, element, place), &local);
	y = draw_note(out, 2, y, ROLE_TEXT, "device %s, local index [%s]", words_device_first(mesh, row->device).text,
		sw_text_get(&local));
	sw_text_free(&local);
	return y;
}

static bool draw_element(const struct sets_look *look, const int64_t *element, struct canvas *out, int *y,
	sw_diag *diag)
{
	sw_text at = {0};
	struct held_row row;
	int64_t holders = 0;
	add_numbers(element, look->holding.rank, &at);
	*y = draw_note(out, 0, *y, ROLE_TEXT, "element [%s]:", sw_text_get(&at));
	sw_text_free(&at);
	for (int64_t device = 0; device < look->holding.devices; device++) {
		if (!sw_holding_has(&look->holding, device, element))
			continue;
		if (!fill_row(look, device, &row))
			return sw_diag_memory(diag);
		if (holders++ < DEVICES_SHOWN)
			*y = draw_holder(look->mesh, &row, element, out, *y);
	}
	if (holders == 0)
		*y = draw_note(out, 2, *y, ROLE_TEXT, "no device holds it");
	else if (holders > DEVICES_SHOWN)
		*y = draw_note(out, 2, *y, ROLE_DIM, "… %lld more", (long long)(holders - DEVICES_SHOWN));
	return true;
}

bool view_sets(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct sets_look *look = in->sets;
	sw_text type = {0};
	struct held_row row;
	if (look == NULL)
		return draw_missing(diag, "type", "type: show sets TYPE, or define one with `from`");
	if (!draw_begin("sets", opt, out))
		return true;
	sw_type_print_any(look->mesh, &look->type.type, look->type.words, look->type.type.dtype_given, &type);
	int y = draw_title(out, 0, "sets", sw_text_get(&type));
	sw_text_free(&type);
	bool ok = draw_held(look, opt->device, out, &y, diag);
	y = look->listed ? draw_note(out, 0, y, ROLE_NOTE, "%s; %s",
						   look->disjoint ? "disjoint" : "some elements are on several devices",
						   look->covers ? "every element is held" : "no device holds some elements") :
					   draw_note(out, 0, y, ROLE_NOTE, "sets of more than %lld devices are not compared",
						   (long long)SW_MAX_MAP_DEVICES);
	if (ok && opt->device >= 0 && opt->device < look->holding.devices) {
		ok = fill_row(look, opt->device, &row) || sw_diag_memory(diag);
		y = ok ? draw_device(look, &row, out, y) : y;
	}
	return ok && (opt->element == NULL || draw_element(look, opt->element, out, &y, diag));
}

/* ---- for programs ---- */

static bool refuse_list(const struct sets_look *look, sw_diag *diag)
{
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what each of %lld devices has is too much to list",
		(long long)look->holding.devices);
	sw_diag_expected(diag, "at most %lld devices", (long long)SW_MAX_MAP_DEVICES);
	sw_diag_hint(diag, "`show sets --device N` shows what one of them has, and its sizes");
	return false;
}

static bool write_sets(const struct sets_look *look, sw_json *json)
{
	sw_json_open(json, '[', false);
	for (int64_t device = 0; device < look->holding.devices; device++) {
		sw_region region;
		if (!sw_holding_defined(&look->holding, device)) {
			sw_json_null(json);
			continue;
		}
		if (!region_in_order(look, device, &region))
			return false;
		sw_region_write(json, &region);
	}
	sw_json_close(json);
	return true;
}

static void write_sizes(const struct sets_look *look, sw_json *json)
{
	sw_json_open(json, '[', false);
	for (int64_t device = 0; device < look->holding.devices; device++)
		if (sw_holding_defined(&look->holding, device))
			sw_json_int(json, sw_holding_size(&look->holding, device));
		else
			sw_json_null(json);
	sw_json_close(json);
}

/* ---- row-major indices ---- */

#define FAMILIES_MOST (1 << 16) /* of a device */

static bool write_row_major(const struct sets_look *look, sw_json *json)
{
	sw_json_open(json, '[', false);
	for (int64_t device = 0; device < look->holding.devices; device++) {
		sw_region region;
		sw_indices indices;
		if (!sw_holding_defined(&look->holding, device)) {
			sw_json_null(json);
			continue;
		}
		if (!region_in_order(look, device, &region) ||
			!sw_region_row_major(&region, look->holding.global, FAMILIES_MOST, look->arena, &indices))
			return false;
		sw_indices_write(json, &indices);
	}
	sw_json_close(json);
	return true;
}

void sets_row_major(const struct sets_look *look, struct fields *in)
{
	sw_text text = {0};
	sw_json json;
	sw_json_start(&json, &text, true);
	if (write_row_major(look, &json))
		field_raw(in, "sets", (sw_str){sw_text_get(&text), text.length});
	sw_text_clear(&text);
	sw_json_start(&json, &text, true);
	write_sizes(look, &json);
	field_raw(in, "sizes", (sw_str){sw_text_get(&text), text.length});
	sw_text_free(&text);
	field_bool(in, "disjoint", look->disjoint);
	field_bool(in, "covers", look->covers);
}

bool sets_members(const struct sets_look *look, struct fields *in, sw_diag *diag)
{
	sw_text text = {0};
	sw_json json;
	sw_json_start(&json, &text, true);
	if (!look->listed)
		return refuse_list(look, diag);
	bool ok = write_sets(look, &json);
	if (ok)
		field_raw(in, "sets", (sw_str){sw_text_get(&text), text.length});
	sw_text_clear(&text);
	sw_json_start(&json, &text, true);
	write_sizes(look, &json);
	field_raw(in, "sizes", (sw_str){sw_text_get(&text), text.length});
	sw_text_free(&text);
	field_bool(in, "disjoint", look->disjoint);
	field_bool(in, "covers", look->covers);
	return ok || sw_diag_memory(diag);
}

static bool add_holders(const struct sets_look *look, const int64_t *element, struct fields *in)
{
	struct fields *list = field_list(in, "holders");
	for (int64_t device = 0; device < look->holding.devices; device++) {
		int64_t place[SW_MAX_DIMS];
		struct held_row row;
		if (!sw_holding_has(&look->holding, device, element))
			continue;
		if (!fill_row(look, device, &row))
			return false;
		struct fields *holder = field_object(list, NULL);
		field_int(holder, "device", device);
		field_ints(holder, "local", place, place_of(&row.region, element, place));
	}
	return true;
}

static bool add_device(const struct sets_look *look, int64_t device, struct fields *in)
{
	struct fields *of = field_object(in, "device");
	int64_t first[SW_MAX_DIMS], size[SW_MAX_DIMS];
	struct held_row row;
	if (!fill_row(look, device, &row))
		return false;
	field_int(of, "device", device);
	field_count(of, "elements", row.elements);
	if (row.elements <= 0)
		return true;
	for (int dim = 0; dim < row.region.rank; dim++)
		size[dim] = sw_indices_size(&row.region.set[dim]);
	if (row.region.count == 1)
		field_ints(of, "local", size, row.region.rank);
	first_element(&row.region, first);
	field_ints(of, "first", first, row.region.rank);
	return true;
}

bool sets_fields(const struct view_input *in, const struct view_options *opt, struct fields *fields, sw_diag *diag)
{
	const struct sets_look *look = in->sets;
	sw_text type = {0};
	if (look == NULL)
		return draw_missing(diag, "type", "type: show sets TYPE, or define one with `from`");
	bool one = !look->listed && opt->device >= 0;
	if (!look->listed && !one)
		return refuse_list(look, diag);
	sw_type_print_any(look->mesh, &look->type.type, look->type.words, look->type.type.dtype_given, &type);
	field_mesh(fields, "mesh", look->mesh);
	field_printed(fields, "type", &type);
	field_ints(fields, "shape", look->holding.global, look->holding.rank);
	return (one || sets_members(look, fields, diag)) &&
		(opt->element == NULL || add_holders(look, opt->element, fields) || sw_diag_memory(diag)) &&
		(opt->device < 0 || opt->device >= look->holding.devices || add_device(look, opt->device, fields) ||
			sw_diag_memory(diag));
}
