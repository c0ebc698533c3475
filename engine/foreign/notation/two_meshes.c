/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two shardings over different devices, as one problem over all of them: each end is a type over its own mesh, and of devices outside of
 * that nothing is said.
 *
 * Devices are numbered in the order of their numbers in both texts.  Where both ends name the same ones they are one mesh's, and
 * join.c finds it.
 */
#include "foreign/notation/read.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

static const sw_span nowhere = {0, 0};

/* The devices of both ends. */
typedef struct united {
	int64_t count;
	int64_t *number;   /* ascending */
	int64_t *place[2]; /* of the slots of either end, the device among them */
} united;

static bool speaks_of_devices(const sw_sharding *s)
{
	return s->kind == SW_SHARDING_TILED && s->mesh.devices > 0;
}

bool sw_meshes_differ(const sw_sharding *from, const sw_sharding *to)
{
	if (!speaks_of_devices(from) || !speaks_of_devices(to))
		return false;
	return from->mesh.devices != to->mesh.devices || from->numbers || to->numbers;
}

/* The number of the device in a slot, as its text has it. */
static int64_t number_at(const sw_sharding *s, int64_t slot)
{
	return s->numbers ? s->numbers[slot] : sw_device_at(s->mesh.order, slot);
}

static int compare_numbers(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return left < right ? -1 : left > right;
}

static bool refuse_many(int64_t devices, sw_diag *diag)
{
	return sw_diag_set(diag, SW_S08, nowhere,
		"two meshes with a total of "
		"%" PRId64 " devices are too many",
		devices);
}

static bool unite(const sw_sharding *const end[2], sw_arena *arena, united *all, sw_diag *diag)
{
	int64_t devices = end[0]->mesh.devices + end[1]->mesh.devices, kept = 0;
	if (devices > SW_MAX_MAP_DEVICES)
		return refuse_many(devices, diag);
	all->number = SW_NEW(arena, int64_t, devices);
	if (!all->number)
		return sw_diag_memory(diag);
	for (int k = 0; k < 2; k++)
		for (int64_t slot = 0; slot < end[k]->mesh.devices; slot++)
			all->number[kept++] = number_at(end[k], slot);
	qsort(all->number, (size_t)kept, sizeof *all->number, compare_numbers);
	for (int64_t i = 0; i < kept; i++)
		if (i == 0 || all->number[i] != all->number[all->count - 1])
			all->number[all->count++] = all->number[i];
	return true;
}

static bool find_places(const sw_sharding *s, const united *all, sw_arena *arena, int64_t **place, sw_diag *diag)
{
	*place = SW_NEW(arena, int64_t, s->mesh.devices);
	if (!*place)
		return sw_diag_memory(diag);
	for (int64_t slot = 0; slot < s->mesh.devices; slot++) {
		int64_t number = number_at(s, slot);
		const int64_t *found = bsearch(&number, all->number, (size_t)all->count, sizeof number, compare_numbers);
		assert(found != NULL);
		(*place)[slot] = found - all->number;
	}
	return true;
}

/* ---- one end as a type over all devices ---- */

/* What is common to both ends while they are made. */
typedef struct meeting {
	const united *all;
	sw_mesh mesh; /* of all */
	const sw_type *shape;
	sw_arena *arena;
	sw_diag *diag;
} meeting;

/* Do the devices follow each other, in the order of the slots? */
static bool is_row(const int64_t *place, int64_t devices)
{
	for (int64_t i = 1; i < devices; i++)
		if (place[i] != place[0] + i)
			return false;
	return true;
}

/* The own mesh as the inner axes of one of as many devices as there are, so that the type is on any row of them. */
static bool with_outer_axis(const sw_mesh *own, int64_t times, sw_mesh *mesh, sw_diag *diag)
{
	static const char *const names[] = {"rows", "set", "half"};
	size_t n = 0;
	while (n + 1 < sizeof(names) / sizeof(*names) && sw_mesh_find(own, sw_str_of(names[n])) >= 0)
		n++;
	*mesh = (sw_mesh){.devices = 1};
	if (!sw_mesh_add(mesh, sw_str_of(names[n]), times, diag))
		return false;
	for (int i = 0; i < own->count; i++)
		if (!sw_mesh_add(mesh, sw_str_of(own->axis[i].name), own->axis[i].size, diag))
			return false;
	return true;
}

static bool parse_words(const meeting *m, sw_text *text, sw_type *type, const sw_distribution **words)
{
	bool ok = text->failed ?
		sw_diag_memory(m->diag) :
		sw_type_parse_any(&m->mesh, (sw_str){sw_text_get(text), text->length}, NULL, m->arena, type, words, m->diag);
	sw_text_free(text);
	return ok;
}

/* Devices in a row that begins at a multiple of their number: `TYPE over MESH on FIRST-LAST`. */
static bool write_row(const meeting *m, const sw_type *type, const sw_mesh *own, int64_t first, sw_type *out,
	const sw_distribution **words)
{
	sw_text text = {0}, plain = {0};
	sw_mesh mesh = *own;
	int64_t devices = own->devices;
	if (devices == m->all->count && sw_mesh_equal(own, &m->mesh)) {
		*out = *type;
		*words = NULL;
		return true;
	}
	if (first > 0 && !with_outer_axis(own, m->all->count / devices, &mesh, m->diag))
		return false;
	sw_type_print(own, type, type->dtype_given, &plain);
	sw_words_print_over((sw_str){sw_text_get(&plain), plain.length}, &mesh, &text);
	if (devices < m->all->count)
		sw_text_addf(&text, " on %" PRId64 "-%" PRId64, first, first + devices - 1);
	text.failed |= plain.failed;
	sw_text_free(&plain);
	return parse_words(m, &text, out, words);
}

/* Any devices: the type is written for the first ones, and what each of these has is that of the device in its slot. */
static bool write_scattered(const meeting *m, const sw_type *type, const sw_mesh *own, const int64_t *place,
	sw_type *out, const sw_distribution **words)
{
	sw_type array;
	const sw_distribution *first;
	sw_holding holding;
	int64_t *order = SW_NEW(m->arena, int64_t, m->all->count), next = own->devices;
	uint8_t *used = SW_NEW_ZERO(m->arena, uint8_t, m->all->count);
	sw_distribution *each = SW_NEW(m->arena, sw_distribution, 1);
	if (!order || !used || !each)
		return sw_diag_memory(m->diag);
	for (int64_t slot = 0; slot < own->devices; slot++) {
		order[slot] = place[slot];
		used[place[slot]] = 1;
	}
	for (int64_t device = 0; device < m->all->count; device++)
		if (!used[device])
			order[next++] = device;
	if (!write_row(m, type, own, 0, &array, &first))
		return false;
	if (!sw_holding_of_any(&m->mesh, &array, first, order, m->arena, &holding))
		return sw_diag_memory(m->diag);
	if (!sw_distribution_of_holding(&m->mesh, &holding, &array, m->arena, each, m->diag))
		return false;
	*out = each->type;
	*words = each->tile ? NULL : each;
	return true;
}

static bool write_end(const meeting *m, const sw_sharding *s, const int64_t *place, sw_type *out,
	const sw_distribution **words)
{
	sw_type *type = SW_NEW(m->arena, sw_type, 1);
	sw_sharding *own = SW_NEW(m->arena, sw_sharding, 1);
	if (!type || !own)
		return sw_diag_memory(m->diag);
	*own = *s;
	own->numbers = own->mesh.order = NULL;
	if (own->mesh.count == 0 && !sw_mesh_add(&own->mesh, sw_str_of("one"), 1, m->diag))
		return false;
	if (!sw_sharding_type(own, m->shape, m->arena, type, m->diag))
		return false;
	int64_t devices = own->mesh.devices;
	bool row = is_row(place, devices) && place[0] % devices == 0 && (place[0] == 0 || m->all->count % devices == 0);
	return row ? write_row(m, type, &own->mesh, place[0], out, words) :
				 write_scattered(m, type, &own->mesh, place, out, words);
}

/* ---- both ---- */

/* The two numbers, how many devices they have in common, and how they are numbered here. */
static void say_devices(const sw_sharding *const end[2], const united *all, sw_reading *reading)
{
	int64_t from = end[0]->mesh.devices, to = end[1]->mesh.devices, both = from + to - all->count;
	bool numbered = all->number[all->count - 1] != all->count - 1;
	char renumbered[64] = "";
	if (numbered)
		snprintf(renumbered, sizeof renumbered, ", numbered here 0 to %" PRId64, all->count - 1);
	snprintf(reading->remark, sizeof reading->remark,
		"two meshes, of %" PRId64 " and of %" PRId64 " devices, %" PRId64
		" of them in both: one exchange over all %" PRId64 "%s",
		from, to, both, all->count, renumbered);
}

/* JAX prints no numbers: nothing tells which devices a smaller mesh is on. */
static void say_assumed(const sw_sharding *const end[2], const united *all, sw_reading *reading)
{
	for (int k = 0; k < 2; k++) {
		const sw_sharding *s = end[k];
		size_t used = strlen(reading->remark);
		if (s->notation == SW_NOTATION_JAX && !s->listed && s->mesh.devices < all->count)
			snprintf(reading->remark + used, sizeof reading->remark - used,
				"; the text does not number these %" PRId64 " devices; the first %" PRId64 " are assumed, "
				"write Mesh(device_ids=array([...]), axis_names=(...)) for others",
				s->mesh.devices, s->mesh.devices);
	}
}

/* Both name the same devices: as if these were 0, 1, 2, ... */
static bool join_same(const sw_sharding *const end[2], const united *all, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag)
{
	sw_sharding *own = SW_NEW(arena, sw_sharding, 2);
	if (!own)
		return sw_diag_memory(diag);
	for (int k = 0; k < 2; k++) {
		own[k] = *end[k];
		own[k].numbers = NULL;
		own[k].mesh.order = is_row(all->place[k], all->count) ? NULL : all->place[k];
	}
	if (!sw_sharding_problem(&own[0], &own[1], shape, arena, reading, diag))
		return false;
	size_t used = strlen(reading->remark);
	snprintf(reading->remark + used, sizeof reading->remark - used,
		"%sdevices %" PRId64 " to %" PRId64 " are numbered 0 to %" PRId64, used ? "; " : "", all->number[0],
		all->number[all->count - 1], all->count - 1);
	return true;
}

/* The shape that either says, or the caller. */
static const sw_type *shape_of(const sw_sharding *from, const sw_sharding *to, const sw_type *shape)
{
	return shape ? shape : from->has_shape ? &from->shape : to->has_shape ? &to->shape : NULL;
}

/* That of the end which is on all devices, in their order, or these without a grid. */
static bool mesh_of_all(const sw_sharding *const end[2], const united *all, sw_mesh *mesh, bool *found, sw_diag *diag)
{
	for (int k = 0; k < 2; k++)
		if (end[k]->mesh.count > 0 && end[k]->mesh.devices == all->count && is_row(all->place[k], all->count)) {
			*mesh = end[k]->mesh;
			mesh->order = NULL;
			*found = !end[k]->named;
			return true;
		}
	*mesh = (sw_mesh){.devices = 1};
	return sw_mesh_add(mesh, sw_str_of("d"), all->count, diag);
}

static bool join_different(const sw_sharding *const end[2], const united *all, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag)
{
	sw_problem *problem = &reading->problem;
	meeting *m = SW_NEW_ZERO(arena, meeting, 1);
	if (!m)
		return sw_diag_memory(diag);
	*m = (meeting){.all = all,
		.mesh = {.devices = 1},
		.shape = shape_of(end[0], end[1], shape),
		.arena = arena,
		.diag = diag};
	*reading = (sw_reading){.found_mesh = true};
	if (!mesh_of_all(end, all, &m->mesh, &reading->found_mesh, diag))
		return false;
	problem->mesh = m->mesh;
	if (!write_end(m, end[0], all->place[0], &problem->from, &problem->from_words) ||
		!write_end(m, end[1], all->place[1], &problem->to, &problem->to_words) ||
		!sw_type_agree_any(&problem->from, problem->from_words, &problem->to, problem->to_words, diag) ||
		!sw_type_redistributable(&problem->from, &problem->to, diag))
		return false;
	say_devices(end, all, reading);
	say_assumed(end, all, reading);
	return true;
}

bool sw_meshes_problem(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag)
{
	const sw_sharding *const end[2] = {from, to};
	united all = {0};
	assert(sw_meshes_differ(from, to));
	if (!unite(end, arena, &all, diag) || !find_places(from, &all, arena, &all.place[0], diag) ||
		!find_places(to, &all, arena, &all.place[1], diag))
		return false;
	bool same = from->mesh.devices == to->mesh.devices && all.count == from->mesh.devices;
	return (same ? join_same : join_different)(end, &all, shape, arena, reading, diag);
}
