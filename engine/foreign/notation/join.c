/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two shardings over one mesh, by common refinement: where the digits of both begin and end, the mesh is cut.
 *
 * Cuts that do not divide one another (2x3 against 3x2) leave a larger axis uncut, of which both use parts of their
 * own.  Orders of devices that are no digits stay a list, of one side or of both.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "base/room.h"

static const sw_span nowhere = {0, 0};

/* The digits of a sharding's dimensions, and behind them of what is summed, in numbers of slots or devices. */
typedef struct side {
	const sw_sharding *sharding; /* as sw_tiles_and_sums gives it */
	int first[SW_MAX_DIMS + 2];
	sw_digit digit[SW_MAX_PARTS];
} side;

static void side_of_parts(const sw_sharding *s, side *out)
{
	out->sharding = s;
	out->first[0] = 0;
	for (int d = 0; d <= s->rank; d++) {
		sw_digit *digit = out->digit + out->first[d];
		int count = sw_digits_of_parts(&s->mesh, s->parts + s->first[d], s->first[d + 1] - s->first[d], digit);
		out->first[d + 1] = out->first[d] + sw_digits_merge(digit, count);
	}
}

/* ---- through lists of devices ---- */

static int compare_ids(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return left < right ? -1 : left > right;
}

/* Devices in the order of the tiles, those of one tile ascending, renumbered by `slot`; NULL on error. */
static int64_t *side_list(const sw_sharding *s, const int64_t *slot, sw_arena *arena, int64_t *copies, sw_diag *diag)
{
	int64_t *list = (int64_t *)sw_sharding_devices(s, arena, diag);
	int64_t devices = s->mesh.devices;
	*copies = devices;
	for (int i = 0; i < s->first[s->rank + 1]; i++)
		*copies /= s->parts[i].size;
	if (!list)
		return NULL;
	for (int64_t i = 0; i < devices && slot; i++)
		list[i] = slot[list[i]];
	for (int64_t i = 0; i < devices; i += *copies)
		qsort(list + i, (size_t)*copies, sizeof *list, compare_ids);
	return list;
}

static bool side_cut(const sw_digit *radix, int count, side *out)
{
	const sw_sharding *s = out->sharding;
	int at = 0, digits = 0;
	int64_t left = count ? radix[0].size : 1;
	for (int d = 0; d <= s->rank; d++) {
		out->first[d] = digits;
		for (int64_t need = sw_sharding_cuts(s, d); need > 1;) {
			int64_t size = left % need == 0 ? need : left;
			if (left == 1 || need % size != 0 || digits == SW_MAX_PARTS)
				return false;
			left /= size;
			SW_ROOM(out->digit, digits);
			out->digit[digits++] = (sw_digit){.size = size, .stride = radix[at].stride * left};
			need /= size;
			if (left == 1 && ++at < count)
				left = radix[at].size;
		}
		digits = out->first[d] + sw_digits_merge(out->digit + out->first[d], digits - out->first[d]);
	}
	out->first[s->rank + 1] = digits;
	return true;
}

/* false without a diagnostic: the list is no sum of digits. */
static bool side_of_list(const sw_sharding *s, const int64_t *slot, sw_arena *arena, side *out, sw_diag *diag)
{
	sw_digit radix[SW_MAX_PARTS];
	int64_t copies;
	out->sharding = s;
	int64_t *list = side_list(s, slot, arena, &copies, diag);
	if (!list)
		return false;
	int count = sw_digits_of_list(list, s->mesh.devices, radix, SW_MAX_PARTS);
	return count >= 0 && side_cut(radix, sw_digits_merge(radix, count), out);
}

/* ---- one mesh ---- */

static bool comparable(int64_t a, int64_t b)
{
	return a % b == 0 || b % a == 0;
}

/* All positions where digits begin or end, ascending, each once. */
static int cuts_of(const side *a, const side *b, int64_t devices, int64_t *cut)
{
	int count = 0, kept = 0;
	cut[count++] = 1;
	cut[count++] = devices;
	for (int which = 0; which < 2; which++) {
		const side *s = which ? b : a;
		for (int i = 0; i < s->first[s->sharding->rank + 1]; i++) {
			cut[count++] = s->digit[i].stride;
			cut[count++] = s->digit[i].stride * s->digit[i].size;
		}
	}
	qsort(cut, (size_t)count, sizeof *cut, compare_ids);
	for (int i = 0; i < count; i++)
		if (kept == 0 || cut[kept - 1] != cut[i])
			cut[kept++] = cut[i];
	return kept;
}

/* Keeps the cuts that divide, or are divided by, all others; the first pair that does not is told of. */
static int cuts_keep(int64_t *cut, int count, int64_t clash[2])
{
	bool keep[4 * SW_MAX_PARTS + 2];
	int kept = 0;
	clash[0] = 0;
	for (int i = 0; i < count; i++) {
		keep[i] = true;
		for (int j = 0; j < count; j++)
			if (!comparable(cut[i], cut[j])) {
				keep[i] = false;
				if (!clash[0])
					clash[0] = cut[i], clash[1] = cut[j];
			}
	}
	for (int i = 0; i < count; i++)
		if (keep[i])
			cut[kept++] = cut[i];
	return kept;
}

static bool mesh_of_cuts(const int64_t *cut, int count, sw_mesh *mesh, sw_diag *diag)
{
	*mesh = (sw_mesh){.devices = 1};
	for (int i = count - 1, made = 0; i > 0; i--, made++) {
		char name[SW_NAME_SIZE];
		sw_axis_name(made, name);
		if (!sw_mesh_add(mesh, sw_str_of(name), cut[i] / cut[i - 1], diag))
			return false;
	}
	return mesh->count > 0 || sw_mesh_add(mesh, sw_str_of("a"), 1, diag);
}

typedef struct expressed {
	int first[SW_MAX_DIMS + 2];
	sw_part parts[SW_MAX_PARTS];
} expressed;

static bool express(const side *s, const sw_mesh *mesh, expressed *out)
{
	int count = 0;
	for (int d = 0; d <= s->sharding->rank; d++) {
		out->first[d] = count;
		for (int i = s->first[d]; i < s->first[d + 1]; i++) {
			int more = sw_parts_of_digit(mesh, s->digit[i], out->parts + count, SW_MAX_PARTS - count);
			if (more < 0)
				return false;
			count += more;
		}
	}
	out->first[s->sharding->rank + 1] = count;
	return true;
}

/* ---- the join ---- */

typedef struct join {
	const sw_sharding *from, *to;
	sw_arena *arena;
	sw_reading *reading;
	sw_diag *diag;
	side a, b;
	expressed left, right;
	int64_t clash[2];
	const int64_t *order, *to_order; /* of the devices; see sw_problem */
} join;

static void remark(sw_reading *reading, const char *format, int64_t a, int64_t b, int64_t c)
{
	size_t used = strlen(reading->remark);
	if (used)
		used += (size_t)snprintf(reading->remark + used, sizeof(reading->remark) - used, "; ");
	if (used < sizeof(reading->remark))
		snprintf(reading->remark + used, sizeof(reading->remark) - used, format, a, b, c);
}

/* The smallest kept axis that spans both cuts. */
static int64_t clash_span(const sw_mesh *mesh, const int64_t clash[2])
{
	for (int i = 0; i < mesh->count; i++) {
		int64_t low = mesh->axis[i].stride, high = low * mesh->axis[i].size;
		if (clash[0] > low && clash[0] < high)
			return mesh->axis[i].size;
	}
	return mesh->devices;
}

static const char clash_words[] =
	"no mesh has axes for both: one cuts the devices at %" PRId64 ", the other at %" PRId64
	", and neither divides the other; the smallest groups that hold whole tiles of both are of %" PRId64 " devices";

/* Parts of one axis may cut it where no finer mesh cuts it for both, as 2x3 and 3x2 do an axis of 6. */
static bool join_clash(join *j, int64_t devices)
{
	sw_mesh *mesh = SW_NEW(j->arena, sw_mesh, 1);
	int64_t *cut = SW_NEW(j->arena, int64_t, 4 * SW_MAX_PARTS + 2);
	if (!mesh || !cut)
		return sw_diag_memory(j->diag);
	side_of_parts(j->from, &j->a);
	side_of_parts(j->to, &j->b);
	int count = cuts_keep(cut, cuts_of(&j->a, &j->b, devices, cut), j->clash);
	if (!j->clash[0] || !mesh_of_cuts(cut, count, mesh, j->diag))
		return !j->clash[0];
	j->reading->gather = clash_span(mesh, j->clash);
	remark(j->reading, clash_words, j->clash[0], j->clash[1], j->reading->gather);
	return true;
}

static bool join_found(join *j, int64_t devices)
{
	int64_t cut[4 * SW_MAX_PARTS + 2];
	sw_mesh *mesh = &j->reading->problem.mesh;
	int count = cuts_keep(cut, cuts_of(&j->a, &j->b, devices, cut), j->clash);
	if (!mesh_of_cuts(cut, count, mesh, j->diag))
		return false;
	j->reading->found_mesh = true;
	if (j->clash[0]) {
		j->reading->gather = clash_span(mesh, j->clash);
		remark(j->reading, clash_words, j->clash[0], j->clash[1], j->reading->gather);
	}
	if (express(&j->a, mesh, &j->left) && express(&j->b, mesh, &j->right))
		return true;
	return sw_diag_set(j->diag, SW_N05, nowhere, "no mesh has parts for both shardings");
}

/* The user's own mesh, where its parts suffice. */
static bool join_named(join *j, const sw_sharding *s)
{
	if (!s->named || s->mesh.count == 0 || !express(&j->a, &s->mesh, &j->left) ||
		!express(&j->b, &s->mesh, &j->right))
		return false;
	j->reading->problem.mesh = s->mesh;
	return true;
}

static bool join_meshes(join *j, int64_t devices)
{
	return join_named(j, j->from) || join_named(j, j->to) || join_found(j, devices);
}

static int64_t *inverse(const int64_t *ids, int64_t devices, sw_arena *arena, sw_diag *diag)
{
	int64_t *slot = SW_NEW(arena, int64_t, devices);
	if (!slot) {
		sw_diag_memory(diag);
		return NULL;
	}
	for (int64_t i = 0; i < devices; i++)
		slot[ids[i]] = i;
	return slot;
}

/* Is there a numbering of the devices in which both are sums of digits? */
static bool join_renumbered(join *j, int64_t devices, const int64_t *ids, bool *failed)
{
	const int64_t *slot = ids ? inverse(ids, devices, j->arena, j->diag) : NULL;
	sw_diag trouble = {.code = SW_OK};
	*failed = ids && !slot;
	if (*failed || !side_of_list(j->from, slot, j->arena, &j->a, &trouble) ||
		!side_of_list(j->to, slot, j->arena, &j->b, &trouble)) {
		if (trouble.code != SW_OK && j->diag)
			*j->diag = trouble;
		*failed = *failed || trouble.code != SW_OK;
		return false;
	}
	j->order = ids;
	if (ids)
		remark(j->reading, "the order of the devices is kept as a list beside the mesh", 0, 0, 0);
	return true;
}

/* Is the array cut in the same tiles? */
static bool same_cuts(const sw_sharding *a, const sw_sharding *b)
{
	for (int d = 0; d < a->rank || d < b->rank; d++)
		if ((d < a->rank ? sw_sharding_cuts(a, d) : 1) != (d < b->rank ? sw_sharding_cuts(b, d) : 1))
			return false;
	return true;
}

static bool join_permuted(join *j, int64_t devices)
{
	int64_t *iota = NULL;
	side_of_parts(j->from, &j->a);
	side_of_parts(j->to, &j->b);
	if (!j->to->mesh.order) {
		iota = SW_NEW(j->arena, int64_t, devices);
		if (!iota)
			return sw_diag_memory(j->diag);
		for (int64_t i = 0; i < devices; i++)
			iota[i] = i;
	}
	j->order = j->from->mesh.order;
	j->to_order = j->to->mesh.order ? j->to->mesh.order : iota;
	if (!same_cuts(j->from, j->to))
		remark(j->reading,
			"no single mesh has both orders of devices: steps of the plan move the tiles to their devices", 0, 0, 0);
	return join_meshes(j, devices);
}

static bool join_lists(join *j, int64_t devices)
{
	const int64_t *tries[] = {NULL, j->from->mesh.order, j->to->mesh.order};
	bool failed;
	for (int i = 0; i < 3; i++) {
		if (i > 0 && !tries[i])
			continue;
		if (join_renumbered(j, devices, tries[i], &failed))
			return join_meshes(j, devices);
		if (failed)
			return false;
	}
	return join_permuted(j, devices);
}

static void express_direct(const sw_sharding *s, expressed *out)
{
	memcpy(out->first, s->first, sizeof(*out->first) * (size_t)(s->rank + 2));
	memcpy(out->parts, s->parts, sizeof(*out->parts) * (size_t)s->first[s->rank + 1]);
}

static bool join_over(join *j, int64_t devices)
{
	const sw_sharding *from = j->from, *to = j->to;
	bool named = from->named && to->named && from->mesh.count > 0;
	if (named && sw_mesh_equal(&from->mesh, &to->mesh) &&
		sw_device_order_equal(from->mesh.order, to->mesh.order, devices)) {
		j->reading->problem.mesh = from->mesh;
		j->order = from->mesh.order;
		express_direct(from, &j->left);
		express_direct(to, &j->right);
		return join_clash(j, devices);
	}
	if (from->mesh.order || to->mesh.order)
		return join_lists(j, devices);
	side_of_parts(from, &j->a);
	side_of_parts(to, &j->b);
	return join_meshes(j, devices);
}

static bool says_nothing(const sw_sharding *s)
{
	return s->first[s->rank + 1] == 0;
}

/* A sharding that neither cuts nor sums anything is the same on any devices in any order. */
static void adopt(sw_sharding *s, const sw_sharding *other)
{
	if (!says_nothing(s) || (says_nothing(other) && s->mesh.devices > 0))
		return;
	s->mesh = other->mesh;
	s->named = other->named;
}

/* What the one device that holds everything has to send, or to get. */
static bool refuse_maximal(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, sw_diag *diag)
{
	bool source = from->kind == SW_SHARDING_MAXIMAL;
	const sw_sharding *other = source ? to : from;
	int64_t tiles = 1, devices = other->mesh.devices ? other->mesh.devices : 1;
	sw_diag_set(diag, SW_N02, nowhere,
		"the whole array is on one device (maximal): this is a %s, which this planner does not support",
		source ? "scatter" : "gather");
	sw_diag_expected(diag, "a tile of the array on every device");
	for (int d = 0; d < other->rank; d++)
		tiles *= sw_sharding_cuts(other, d);
	if (!shape || shape->rank != other->rank || other->kind != SW_SHARDING_TILED || tiles > devices)
		return false;
	int64_t elements;
	if (!sw_mul(sw_type_globalsize(shape) / tiles, source ? devices - 1 : tiles - 1, &elements))
		return false;
	sw_diag_hint(diag, "device %" PRId64 " %s %" PRId64 " elements%s", source ? from->device : to->device,
		source ? "sends" : "gets", elements, source ? "; making the array sharded from the start costs nothing" : "");
	return false;
}

static bool join_check(const sw_sharding *from, const sw_sharding *to, sw_diag *diag)
{
	if (!sw_tiles_only(from, true, diag) || !sw_tiles_only(to, true, diag))
		return false;
	if (from->rank == to->rank || (from->rank < to->rank ? from->extends : to->extends))
		return true;
	sw_diag_set(diag, SW_N05, nowhere, "one sharding has %d dimensions, the other %d", from->rank, to->rank);
	sw_diag_expected(diag, "both of one array");
	sw_diag_hint(diag,
		from->subgroups && to->subgroups ?
			"a log may name the sharding of another operand" :
			"is last_tile_dim_replicate missing? the last dimension then only counts copies");
	return false;
}

static bool join_type(join *j, const sw_sharding *s, const expressed *cut, const sw_type *shape, sw_type *type)
{
	if (sw_tiles_type(s, &j->reading->problem.mesh, cut->parts, cut->first, shape, type, j->diag))
		return true;
	sw_tiles_hint(s, shape, j->diag);
	return false;
}

static void uneven_hint(const join *j)
{
	if (!j->clash[0] || !j->diag)
		return;
	char found[96];
	snprintf(found, sizeof(found), "%.95s", j->diag->message);
	sw_diag_set(j->diag, SW_N05, nowhere,
		"no mesh has axes for both: one cuts the devices at %" PRId64 ", the other at "
		"%" PRId64 ", and neither divides the other",
		j->clash[0], j->clash[1]);
	sw_diag_found(j->diag, "also, %s", found);
	sw_diag_hint(j->diag, "gather groups of %" PRId64 " devices first: they hold whole tiles of both",
		j->reading->gather);
}

/* Room for a join, which is given back. */
typedef struct joining {
	join join;
	sw_reading reading;
	sw_sharding ends[2];
} joining;

static bool join_ends(joining *room, const sw_sharding *from, const sw_sharding *to, const sw_type *shape,
	sw_arena *arena, sw_diag *diag)
{
	join *j = &room->join;
	sw_reading *out = &room->reading;
	sw_sharding *ends = room->ends;
	const sw_type *left = shape, *right = shape;
	if (from->kind == SW_SHARDING_MAXIMAL || to->kind == SW_SHARDING_MAXIMAL)
		return refuse_maximal(from, to,
			shape               ? shape :
				from->has_shape ? &from->shape :
				to->has_shape   ? &to->shape :
								  NULL,
			diag);
	if (!join_check(from, to, diag))
		return false;
	if (sw_meshes_differ(from, to))
		return sw_meshes_problem(from, to, shape, arena, out, diag);
	sw_tiles_and_sums(from, &ends[0]);
	sw_tiles_and_sums(to, &ends[1]);
	adopt(&ends[0], &ends[1]);
	adopt(&ends[1], &ends[0]);
	if (from->mesh.devices == 0 && to->mesh.devices == 0)
		ends[0].mesh.devices = ends[1].mesh.devices = 1;
	*j = (join){.from = &ends[0], .to = &ends[1], .arena = arena, .reading = out, .diag = diag};
	if (!join_over(j, ends[0].mesh.devices))
		return false;
	if (!left && !from->has_shape && to->has_shape)
		left = &to->shape;
	if (!right && !to->has_shape && from->has_shape)
		right = &from->shape;
	if (!sw_tiles_shape(&ends[0], &left, diag) || !sw_tiles_shape(&ends[1], &right, diag))
		return false;
	sw_problem *problem = &out->problem;
	if (!join_type(j, from, &j->left, left, &problem->from) || !join_type(j, to, &j->right, right, &problem->to)) {
		uneven_hint(j);
		return false;
	}
	problem->mesh.order = j->order;
	problem->to_order = j->to_order;
	problem->from_words = problem->to_words = NULL;
	sw_type_agree(&problem->from, &problem->to);
	if (!sw_type_redistributable(&problem->from, &problem->to, diag))
		return false;
	if (same_cuts(from, to) && sw_type_terms(&problem->from) == sw_type_terms(&problem->to) &&
		(j->to_order || !sw_type_same_map(&problem->mesh, &problem->from, &problem->to)))
		remark(out, "the same sharding in another order of devices: one permute", 0, 0, 0);
	return true;
}

bool sw_sharding_problem(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, sw_arena *arena,
	sw_reading *reading, sw_diag *diag)
{
	if (from->kind == SW_SHARDING_WORDS || to->kind == SW_SHARDING_WORDS)
		return sw_words_problem(from, to, shape, arena, reading, diag);
	sw_arena *work = sw_arena_new();
	joining *room = work ? SW_NEW_ZERO(work, joining, 1) : NULL;
	bool ok = room ? join_ends(room, from, to, shape, arena, diag) : sw_diag_memory(diag);
	if (ok)
		*reading = room->reading;
	sw_arena_free(work);
	return ok;
}

/* ---- one sharding over a given mesh ---- */

static bool over_refuse(join *j, const sw_mesh *mesh)
{
	int64_t *cut = SW_NEW(j->arena, int64_t, 4 * SW_MAX_PARTS + 2);
	sw_mesh *found = &j->reading->problem.mesh;
	sw_text has = {0}, wants = {0};
	if (!cut)
		return sw_diag_memory(j->diag);
	int count = cuts_of(&j->a, &j->a, mesh->devices, cut);
	sw_mesh_print(mesh, &has);
	if (mesh_of_cuts(cut, count, found, NULL))
		sw_mesh_print(found, &wants);
	sw_diag_set(j->diag, SW_N05, nowhere, "the mesh %s has no axes for this sharding", sw_text_get(&has));
	sw_diag_hint(j->diag, "mesh %s has them; `A ~> B` in one statement finds a mesh for both ends",
		sw_text_get(&wants));
	sw_text_free(&has);
	sw_text_free(&wants);
	return false;
}

static bool over_sides(join *j, const sw_mesh *mesh)
{
	const sw_sharding *s = j->from;
	if (s->named && sw_mesh_equal(&s->mesh, mesh) &&
		sw_device_order_equal(s->mesh.order, mesh->order, mesh->devices)) {
		express_direct(s, &j->left);
		return true;
	}
	const int64_t *slot = mesh->order ? inverse(mesh->order, mesh->devices, j->arena, j->diag) : NULL;
	if (mesh->order && !slot)
		return false;
	if (s->mesh.devices == 0 || (!s->mesh.order && !slot))
		side_of_parts(s, &j->a);
	else if (!side_of_list(s, slot, j->arena, &j->a, j->diag))
		return sw_diag_set(j->diag, SW_N05, nowhere, "the devices are not in the order of a mesh");
	return express(&j->a, mesh, &j->left) || over_refuse(j, mesh);
}

/* A text that names devices speaks of all of them, also where it cuts nothing. */
static bool over_same_devices(const sw_sharding *s, const sw_mesh *mesh, sw_diag *diag)
{
	if (s->numbers)
		return sw_diag_set(diag, SW_N05, nowhere, "the sharding is over devices whose numbers are not in the mesh");
	if (s->mesh.devices == 0 || s->mesh.devices == mesh->devices)
		return true;
	sw_diag_set(diag, SW_N05, nowhere, "the sharding is over %" PRId64 " %s, the mesh has %" PRId64, s->mesh.devices,
		s->mesh.devices == 1 ? "device" : "devices", mesh->devices);
	sw_diag_expected(diag, "both over the same devices");
	return false;
}

static bool type_over(const sw_sharding *s, const sw_mesh *mesh, const sw_type *shape, sw_arena *arena, sw_type *type,
	sw_diag *diag)
{
	join *j = SW_NEW_ZERO(arena, join, 1);
	sw_reading *reading = SW_NEW_ZERO(arena, sw_reading, 1);
	sw_sharding *sums = SW_NEW(arena, sw_sharding, 1);
	if (!j || !reading || !sums)
		return sw_diag_memory(diag);
	if (!sw_tiles_only(s, true, diag))
		return false;
	sw_tiles_and_sums(s, sums);
	*j = (join){.from = sums, .to = sums, .arena = arena, .reading = reading, .diag = diag};
	if (!sw_tiles_shape(sums, &shape, diag) || !over_same_devices(s, mesh, diag))
		return false;
	if (!says_nothing(sums) && !over_sides(j, mesh))
		return false;
	return sw_tiles_type(s, mesh, j->left.parts, j->left.first, shape, type, diag);
}

bool sw_sharding_over(const sw_sharding *s, const sw_mesh *mesh, const sw_type *shape, sw_arena *arena, sw_type *type,
	sw_diag *diag)
{
	sw_arena_mark mark = sw_arena_here(arena);
	bool ok = type_over(s, mesh, shape, arena, type, diag);
	sw_arena_back(arena, mark);
	return ok;
}
