/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a holding has, written as a distribution: `at {...}` in one dimension, else a union of `on DEVICES only ...`.
 */
#include "array/distribution.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define MOST_MEMBERS (1 << 16)
#define RUNS_IN_ORDER (1 << 16) /* of sets with more runs it does not matter how they are written */

struct writing {
	const sw_mesh *mesh;
	const sw_holding *holding;
	sw_arena *arena;
	sw_diag *diag;
	bool refused;        /* the diagnostic says why; else there is no memory */
	const sw_cut *whole; /* of each dimension, and the sizes */
	const int64_t *size;
	sw_distribution_member *member;
	int members, room;
	sw_member_range *range; /* of each device */
};

static bool start(struct writing *w)
{
	const sw_holding *holding = w->holding;
	sw_cut *cut = SW_NEW_ZERO(w->arena, sw_cut, holding->rank);
	int64_t *size = SW_NEW(w->arena, int64_t, holding->rank);

	if (cut == NULL || size == NULL)
		return false;
	for (int dim = 0; dim < holding->rank; dim++) {
		size[dim] = cut[dim].size = cut[dim].tile = holding->global[dim];
		if (!sw_cut_count(w->mesh, &cut[dim], w->arena))
			return false;
	}
	w->whole = cut;
	w->size = size;
	return true;
}

static bool refuse(struct writing *w, const char *why, int64_t most, const char *of)
{
	sw_diag_set(w->diag, SW_S08, (sw_span){0, 0}, "%s", why);
	sw_diag_expected(w->diag, "at most %" PRId64 " %s", most, of);
	sw_diag_found(w->diag, "more");
	w->refused = true;
	return false;
}

static sw_distribution_member *add_member(struct writing *w)
{
	if (w->members == MOST_MEMBERS)
		refuse(w, "what devices have is too much to list", MOST_MEMBERS, "pieces");
	if (w->refused || !SW_GROW(w->arena, w->member, w->members, w->room, 4))
		return NULL;
	w->member[w->members] = (sw_distribution_member){.devices = w->mesh->devices,
		.rank = w->holding->rank,
		.size = w->size,
		.cut = w->whole};
	return &w->member[w->members++];
}

/* ---- one dimension ---- */

static bool write_list(struct writing *w)
{
	int64_t devices = w->holding->devices, *device = SW_NEW(w->arena, int64_t, devices);
	sw_indices *set = SW_NEW(w->arena, sw_indices, devices);
	sw_device_list *list = SW_NEW_ZERO(w->arena, sw_device_list, 1);
	sw_distribution_member *member = add_member(w);

	if (device == NULL || set == NULL || list == NULL || member == NULL)
		return false;
	for (int64_t d = 0; d < devices; d++) {
		sw_region region;
		if (!sw_holding_defined(w->holding, d))
			continue;
		if (!sw_holding_region(w->holding, d, w->arena, &region))
			return false;
		sw_indices all = {0, NULL};
		for (int n = 0; n < region.count; n++)
			if (!sw_indices_union(&all, &region.set[n], w->arena, &all))
				return false;
		if (!sw_indices_in_order(all.family, all.count, RUNS_IN_ORDER, w->arena, &set[list->count]))
			return false;
		device[list->count++] = d;
	}
	list->device = device;
	list->set = set;
	member->at = list;
	return true;
}

/* ---- more dimensions ---- */

/* The slices that make up indices: runs, or of many runs of few indices as many strides. */
static bool slices_of(const sw_indices *set, sw_arena *arena, sw_family **slice, int *count)
{
	int room = 0;

	*slice = NULL;
	*count = 0;
	for (int i = 0; i < set->count; i++) {
		const sw_family *f = &set->family[i];
		bool strides = f->count > f->run;
		for (int64_t k = 0; k < (strides ? f->run : f->count); k++) {
			if (!SW_GROW(arena, *slice, *count, room, 4))
				return false;
			(*slice)[(*count)++] = strides ? (sw_family){f->first + k, 1, f->step, f->count} :
											 (sw_family){f->first + k * f->step, f->run, f->run, 1};
		}
	}
	return true;
}

/* `on` the devices, `only` the slices, which live on. */
static bool add_words(struct writing *w, const sw_family *devices, const sw_family *slice)
{
	sw_distribution_member *member = add_member(w);
	sw_word *word = SW_NEW_ZERO(w->arena, sw_word, 2);

	if (member == NULL || word == NULL)
		return false;
	for (int i = 0; i < 2; i++) {
		word[i].row = sw_word_named(sw_str_of(i == 0 ? "on" : "only"));
		word[i].rank = word[i].rank_before = member->rank;
		word[i].size = word[i].before = member->size;
	}
	word[0].devices = (sw_indices){1, devices};
	word[1].slice = slice;
	member->word = word;
	member->words = member->rank > 0 ? 2 : 1;
	return true;
}

/* All combinations of slices of one product. */
static bool write_product(struct writing *w, const sw_family *devices, const sw_indices *set)
{
	int rank = w->holding->rank, count[SW_MAX_DIMS], at[SW_MAX_DIMS] = {0}, dim;
	sw_family *slice[SW_MAX_DIMS];

	for (dim = 0; dim < rank; dim++)
		if (!slices_of(&set[dim], w->arena, &slice[dim], &count[dim]))
			return false;
	do {
		sw_family *one = SW_NEW(w->arena, sw_family, rank);
		if (one == NULL)
			return false;
		for (dim = 0; dim < rank; dim++)
			one[dim] = slice[dim][at[dim]];
		if (!add_words(w, devices, one))
			return false;
		for (dim = rank - 1; dim >= 0 && ++at[dim] == count[dim]; dim--)
			at[dim] = 0;
	} while (dim >= 0);
	return true;
}

/* What the devices from `first` to `last` have, each all of it. */
static bool write_devices(struct writing *w, int64_t first, int64_t last, const sw_region *region)
{
	sw_family *devices = SW_NEW(w->arena, sw_family, 1);
	sw_family *nothing = SW_NEW_ZERO(w->arena, sw_family, w->holding->rank);

	if (devices == NULL || nothing == NULL)
		return false;
	*devices = (sw_family){first, last - first + 1, last - first + 1, 1};
	for (int dim = 0; dim < w->holding->rank; dim++)
		nothing[dim].step = nothing[dim].count = 1;
	for (int n = 0; n < region->count; n++)
		if (!write_product(w, devices, sw_region_product(region, n)))
			return false;
	return region->count > 0 || add_words(w, devices, nothing);
}

/* In several dimensions no text says that. */
static bool refuse_nowhere(struct writing *w)
{
	sw_diag_set(w->diag, SW_T16, (sw_span){0, 0}, "the type does not say what any device has");
	sw_diag_expected(w->diag, "at least one device with elements");
	sw_diag_found(w->diag, "none");
	w->refused = true;
	return false;
}

static bool write_union(struct writing *w)
{
	int64_t devices = w->holding->devices, last;

	w->range = SW_NEW_ZERO(w->arena, sw_member_range, devices);
	if (w->range == NULL)
		return false;
	for (int64_t d = 0; d < devices; d = last + 1) {
		sw_region region, next;
		int begin = w->members;
		last = d;
		if (!sw_holding_defined(w->holding, d))
			continue;
		if (!sw_holding_region(w->holding, d, w->arena, &region))
			return false;
		while (last + 1 < devices && sw_holding_defined(w->holding, last + 1) &&
			sw_holding_region(w->holding, last + 1, w->arena, &next) && sw_region_equal(&region, &next))
			last++;
		if (!write_devices(w, d, last, &region))
			return false;
		for (int64_t k = d; k <= last; k++)
			w->range[k] = (sw_member_range){begin, w->members};
	}
	return w->members > 0 || refuse_nowhere(w);
}

bool sw_distribution_of_holding(const sw_mesh *mesh, const sw_holding *holding, const sw_type *array, sw_arena *arena,
	sw_distribution *distribution, sw_diag *diag)
{
	struct writing w = {.mesh = mesh, .holding = holding, .arena = arena, .diag = diag};

	assert(holding->terms == 1 && holding->devices == mesh->devices);
	if (holding->devices > SW_MAX_MAP_DEVICES)
		return refuse(&w, "there are too many devices to list what each has", SW_MAX_MAP_DEVICES, "devices");
	if (!start(&w) || !(holding->rank == 1 ? write_list : write_union)(&w))
		return w.refused ? false : sw_diag_memory(diag);
	*distribution =
		(sw_distribution){.devices = mesh->devices, .members = w.members, .member = w.member, .range = w.range};
	if (!sw_type_replicated(array->dtype, holding->rank, holding->global, &distribution->type, diag))
		return false;
	distribution->type.dtype_given = array->dtype_given;
	return sw_distribution_settle(mesh, arena, distribution, diag);
}
