/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a device has under a distribution, and distributions as text.
 */
#include "array/distribution.h"

#include <assert.h>
#include <string.h>

#include "base/lower_bound.h"
#include "array/holding.h"
#include "array/parts.h"

/* ---- members ---- */

const int64_t *sw_member_array(const sw_distribution_member *member, int *rank)
{
	const sw_word *last = member->words > 0 ? &member->word[member->words - 1] : NULL;

	*rank = last != NULL ? last->rank : member->rank;
	return last != NULL ? last->size : member->size;
}

/* The place of a device in the list; -1: it is not there. */
static int64_t place_in(const sw_device_list *list, int64_t device)
{
	int64_t place = SW_LOWER_BOUND(0, list->count, list->device[at] < device);

	return place < list->count && list->device[place] == device ? place : -1;
}

bool sw_member_defined(const sw_distribution_member *member, int64_t device)
{
	if (device >= member->devices || (member->at != NULL && place_in(member->at, device) < 0))
		return false;
	for (int i = 0; i < member->words; i++)
		if (member->word[i].row->has != NULL && !member->word[i].row->has(&member->word[i], device))
			return false;
	return true;
}

static bool start_sets(const sw_distribution_member *member, int64_t device, sw_arena *arena, sw_indices *set)
{
	if (member->at != NULL) {
		set[0] = member->at->set[place_in(member->at, device)];
		return true;
	}
	for (int dim = 0; dim < member->rank; dim++)
		if (!sw_cut_indices(&member->cut[dim], device, arena, &set[dim]))
			return false;
	return true;
}

bool sw_member_region(const sw_distribution_member *member, int64_t device, sw_arena *arena, sw_region *region)
{
	int rank = member->rank;

	sw_member_array(member, &region->rank);
	for (int i = 0; i < member->words; i++)
		rank = member->word[i].rank > rank ? member->word[i].rank : rank;
	sw_indices *set = SW_NEW(arena, sw_indices, rank);
	if (set == NULL || !start_sets(member, device, arena, set))
		return false;
	for (int i = 0; i < member->words; i++)
		if (member->word[i].row->act != NULL && !member->word[i].row->act(&member->word[i], arena, set))
			return false;
	region->count = 1;
	region->set = set;
	for (int dim = 0; dim < region->rank; dim++)
		region->count = set[dim].count == 0 ? 0 : region->count;
	return true;
}

/* ---- distributions ---- */

static sw_member_range members_of(const sw_distribution *distribution, int64_t device)
{
	assert(device >= 0);
	if (distribution->range == NULL)
		return (sw_member_range){0, distribution->members};
	return device < distribution->devices ? distribution->range[device] : (sw_member_range){0, 0};
}

bool sw_distribution_defined(const void *of, int64_t device)
{
	const sw_distribution *distribution = of;
	const sw_member_range range = members_of(distribution, device);

	for (int i = range.begin; i < range.end; i++)
		if (sw_member_defined(&distribution->member[i], device))
			return true;
	return false;
}

bool sw_distribution_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const sw_distribution *distribution = of;
	const sw_member_range range = members_of(distribution, device);
	bool first = true;

	*region = (sw_region){.rank = distribution->type.rank};
	for (int i = range.begin; i < range.end; i++) {
		sw_region more;
		if (!sw_member_defined(&distribution->member[i], device))
			continue;
		if (!sw_member_region(&distribution->member[i], device, arena, first ? region : &more) ||
			(!first && !sw_region_union(region, &more, arena, region)))
			return false;
		first = false;
	}
	return true;
}

bool sw_type_local_sizes(const sw_type *type, const sw_distribution *words, int64_t device, sw_arena *arena,
	int64_t *size)
{
	sw_region region;

	if (words == NULL) {
		memcpy(size, type->tile, (size_t)type->rank * sizeof *size);
		return true;
	}
	if (words->members > 1 || !sw_member_defined(words->member, device) ||
		!sw_member_region(words->member, device, arena, &region))
		return false;
	for (int dim = 0; dim < region.rank; dim++)
		size[dim] = sw_indices_size(&region.set[dim]);
	return true;
}

/* The number of the term that each device has: its own number, or digits of it. */
static void hold_terms(const sw_mesh *mesh, const sw_distribution *distribution, sw_holding *holding)
{
	const sw_distribution_member *member = &distribution->member[0];
	const sw_mesh *of = member->mesh != NULL ? member->mesh : mesh;

	if (distribution->each) {
		sw_holding_sum_each(holding);
		return;
	}
	holding->digits = sw_digits_of_parts(of, member->sum, member->sums, holding->digit);
	for (int i = 0; i < holding->digits; i++) {
		holding->digit[i].dim = holding->rank;
		holding->digit[i].weight = holding->terms;
		holding->terms *= holding->digit[i].size;
	}
}

bool sw_holding_of_distribution(const sw_mesh *mesh, const sw_distribution *distribution, const int64_t *order,
	sw_arena *arena, sw_holding *holding)
{
	if (distribution->tile)
		return sw_holding_of_type(mesh, &distribution->type, order, arena, holding);
	sw_holding_rule *rule = SW_NEW(arena, sw_holding_rule, 1);
	if (rule == NULL)
		return false;
	*rule = (sw_holding_rule){sw_distribution_region, sw_distribution_defined, distribution, sw_distribution_stretch};
	sw_holding_of_rule(mesh->devices, distribution->type.rank, distribution->type.global, rule, holding);
	hold_terms(mesh, distribution, holding);
	return sw_holding_put_order(holding, order, arena);
}

bool sw_holding_of_any(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, const int64_t *order,
	sw_arena *arena, sw_holding *holding)
{
	return words != NULL ? sw_holding_of_distribution(mesh, words, order, arena, holding) :
						   sw_holding_of_type(mesh, type, order, arena, holding);
}

static bool cut_as(const sw_mesh *mesh, const sw_type *type, int dim, sw_arena *arena, sw_cut *cut)
{
	sw_part part[SW_MAX_PARTS];
	int count = sw_type_parts(type, dim, part);
	sw_cut_entry *entry = SW_NEW_ZERO(arena, sw_cut_entry, count);

	for (int i = 0; entry != NULL && i < count; i++)
		entry[i].part = part[i];
	*cut = (sw_cut){.size = type->global[dim], .tile = type->tile[dim], .entries = count, .entry = entry};
	return entry != NULL && sw_cut_count(mesh, cut, arena);
}

static bool sum_as(const sw_type *type, sw_arena *arena, sw_distribution_member *member)
{
	sw_part part[SW_MAX_PARTS], *sum;

	member->sums = sw_type_sums(type, part);
	sum = SW_NEW(arena, sw_part, member->sums);
	member->sum = sum;
	if (sum != NULL && member->sums > 0)
		memcpy(sum, part, (size_t)member->sums * sizeof *sum);
	return sum != NULL;
}

bool sw_distribution_of_type(const sw_mesh *mesh, const sw_type *type, sw_arena *arena, sw_distribution *distribution)
{
	sw_distribution_member *member = SW_NEW_ZERO(arena, sw_distribution_member, 1);
	sw_cut *cut = SW_NEW(arena, sw_cut, type->rank);
	int64_t *size = SW_NEW(arena, int64_t, type->rank);

	if (member == NULL || cut == NULL || size == NULL || !sum_as(type, arena, member))
		return false;
	for (int dim = 0; dim < type->rank; dim++) {
		size[dim] = type->global[dim];
		if (!cut_as(mesh, type, dim, arena, &cut[dim]))
			return false;
	}
	member->devices = mesh->devices;
	member->rank = type->rank;
	member->cut = cut;
	member->size = size;
	*distribution =
		(sw_distribution){.tile = true, .type = *type, .devices = mesh->devices, .members = 1, .member = member};
	return true;
}

/* ---- text ---- */

static void print_sums(const sw_mesh *mesh, const sw_distribution_member *member, sw_text *text)
{
	sw_text_add(text, member->each ? "+" : "");
	for (int i = 0; i < member->sums; i++) {
		sw_text_add(text, i > 0 ? "," : "+{");
		sw_part_print(mesh, member->sum[i], text);
	}
	sw_text_add(text, member->sums > 0 ? "}" : "");
}

/* `first+step*count`, `2-3+4*6`. */
static void print_family(const sw_family *f, sw_text *text)
{
	sw_text_add_int(text, f->first);
	if (f->run > 1) {
		sw_text_add_char(text, '-');
		sw_text_add_int(text, f->first + f->run - 1);
	}
	if (f->count > 1)
		sw_text_addf(text, "+%lld*%lld", (long long)f->step, (long long)f->count);
}

static void print_list(const sw_device_list *list, sw_text *text)
{
	sw_text_add(text, " at {");
	for (int64_t i = 0; i < list->count; i++) {
		sw_text_addf(text, "%s%lld:", i > 0 ? "; " : "", (long long)list->device[i]);
		for (int k = 0; k < list->set[i].count; k++) {
			sw_text_add_char(text, ' ');
			print_family(&list->set[i].family[k], text);
		}
	}
	sw_text_add_char(text, '}');
}

/* The rule, the mesh and the list, which belong to the bracket. */
static void print_behind(const sw_distribution_member *member, sw_text *text)
{
	const sw_uneven *ruled = NULL;

	for (int dim = 0; dim < member->rank && ruled == NULL; dim++) {
		ruled = member->cut[dim].uneven;
		if (ruled != NULL)
			sw_text_addf(text, " by %s", sw_uneven_name(member->cut[dim].rule));
	}
	if (member->mesh != NULL) {
		sw_text_add(text, " over ");
		sw_mesh_print(member->mesh, text);
	}
	if (member->at != NULL)
		print_list(member->at, text);
}

static void print_member(const sw_mesh *present, const sw_distribution_member *member, sw_text *text)
{
	const sw_mesh *mesh = member->mesh != NULL ? member->mesh : present;

	sw_text_add_char(text, '[');
	for (int dim = 0; dim < member->rank; dim++) {
		sw_text_add(text, dim > 0 ? ", " : "");
		sw_cut_print(mesh, &member->cut[dim], text);
	}
	sw_text_add_char(text, ']');
	print_sums(mesh, member, text);
	print_behind(member, text);
	for (int i = 0; i < member->words; i++) {
		sw_text_addf(text, " %s ", member->word[i].row->word);
		member->word[i].row->print(mesh, &member->word[i], text);
	}
}

void sw_distribution_print(const sw_mesh *mesh, const sw_distribution *distribution, bool dtype, sw_text *text)
{
	if (distribution->tile) {
		sw_type_print(mesh, &distribution->type, dtype, text);
		return;
	}
	for (int i = 0; i < distribution->members; i++) {
		sw_text_add(text, i > 0 ? " union " : "");
		sw_text_add(text, dtype ? sw_dtype_name(distribution->type.dtype) : "");
		print_member(mesh, &distribution->member[i], text);
	}
}

void sw_type_print_any(const sw_mesh *mesh, const sw_type *type, const sw_distribution *words, bool dtype,
	sw_text *text)
{
	if (words == NULL) {
		sw_type_print_real(mesh, type, dtype, text);
		return;
	}
	sw_distribution of_type = *words;
	of_type.type = *type;
	sw_distribution_print(mesh, &of_type, dtype, text);
}

bool sw_type_same_any(const sw_mesh *mesh, const sw_type *a, const sw_distribution *a_words, const sw_type *b,
	const sw_distribution *b_words)
{
	sw_holding one, other;
	sw_arena *arena;

	if (a_words == NULL && b_words == NULL)
		return sw_type_same_map(mesh, a, b);
	if (a_words == b_words && sw_type_equal(a, b))
		return true;
	arena = sw_arena_new();
	bool same = arena != NULL && sw_holding_of_any(mesh, a, a_words, NULL, arena, &one) &&
		sw_holding_of_any(mesh, b, b_words, NULL, arena, &other) && sw_holding_equal(&one, &other);
	sw_arena_free(arena);
	return same;
}
