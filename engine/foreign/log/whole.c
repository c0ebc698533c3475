/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What XLA would say of a problem, compared with what it said.
 *
 * What it would say is first asked of its own patterns, which know how it splits off dimensions.  Where they do not lead
 * there (manual axes of shard_map, other releases), every set of axes is left out that makes groups of that size.
 */
#include <shardwalk/whole.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "peers/xla_reshard.h"

enum { BEFORE, AFTER, ENDS };

/* What a warning speaks of, told by XLA's text or by a problem. */
struct described {
	int64_t devices;
	int rank;
	int64_t size[SW_TILING_DIMS]; /* of a tile before, as the warning prints it */
	int64_t cuts[ENDS][SW_TILING_DIMS];
	const int64_t *table[ENDS]; /* the tile of every device: devices x rank */
};

struct checking {
	const sw_log_pair *warning;
	const sw_problem *problem;
	const int64_t *order[ENDS];
	sw_arena *arena;
	sw_whole *whole;
	struct described said; /* by the warning */
	sw_diag *diag;
	bool failed; /* memory, or too many devices */
};

/* ---- what the warning says ---- */

static bool described_by_warning(struct checking *c)
{
	const sw_log_pair *w = c->warning;
	c->said = (struct described){.devices = w->devices};
	for (int end = 0; end < ENDS; end++) {
		const sw_sharding *s = w->ends[end];
		if (!s || s->mesh.devices != w->devices)
			return false;
		c->said.rank = s->rank;
		for (int d = 0; d < s->rank; d++)
			c->said.cuts[end][d] = sw_sharding_cuts(s, d);
		c->said.table[end] = sw_sharding_table(s, c->arena, c->diag);
		if (!c->said.table[end])
			return !(c->failed = true);
	}
	memcpy(c->said.size, w->size, sizeof(w->size));
	return w->ends[BEFORE]->rank == w->ends[AFTER]->rank;
}

static bool has_sizes(const struct checking *c)
{
	return c->warning->shape_is == SW_LOG_PRINTED && c->warning->rank == c->said.rank;
}

/* ---- what XLA's patterns would say ---- */

static const int64_t *table_of(struct checking *c, const sw_tiling *tiling)
{
	int64_t *table = SW_NEW(c->arena, int64_t, tiling->order.count * (tiling->rank ? tiling->rank : 1));
	c->failed |= !table;
	for (int64_t i = 0; table && i < tiling->order.count; i++) {
		int64_t *row = table + sw_order_at(&tiling->order, i) * tiling->rank, rest = i / tiling->copies;
		for (int d = tiling->rank - 1; d >= 0; d--) {
			row[d] = rest % tiling->tiles[d];
			rest /= tiling->tiles[d];
		}
	}
	return table;
}

static void described_by_patterns(struct checking *c, const sw_xla_warning *warning, struct described *described)
{
	const sw_tiling *tiling[ENDS] = {&warning->from, &warning->to};
	*described = (struct described){.devices = warning->from.order.count, .rank = warning->from.rank};
	for (int d = 0; d < described->rank; d++)
		described->size[d] = (warning->size[d] + warning->from.tiles[d] - 1) / warning->from.tiles[d];
	for (int end = 0; end < ENDS && !c->failed; end++) {
		memcpy(described->cuts[end], tiling[end]->tiles, sizeof(described->cuts[end]));
		described->table[end] = table_of(c, tiling[end]);
	}
}

/* ---- comparing ---- */

static void say(struct checking *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct checking *c, const char *format, ...)
{
	va_list arguments;
	size_t used = strlen(c->whole->words);
	va_start(arguments, format);
	vsnprintf(c->whole->words + used, sizeof(c->whole->words) - used, format, arguments);
	va_end(arguments);
}

static bool same_counts(const struct described *a, const struct described *b)
{
	return a->devices == b->devices && a->rank == b->rank &&
		memcmp(a->cuts[BEFORE], b->cuts[BEFORE], sizeof(*a->cuts[0]) * (size_t)a->rank) == 0 &&
		memcmp(a->cuts[AFTER], b->cuts[AFTER], sizeof(*a->cuts[0]) * (size_t)a->rank) == 0;
}

static bool same_tables(const struct described *a, const struct described *b)
{
	size_t size = sizeof(int64_t) * (size_t)(a->devices * a->rank);
	return memcmp(a->table[BEFORE], b->table[BEFORE], size) == 0 &&
		memcmp(a->table[AFTER], b->table[AFTER], size) == 0;
}

static bool same_sizes(const struct checking *c, const struct described *described)
{
	return !has_sizes(c) ||
		memcmp(described->size, c->said.size, sizeof(*described->size) * (size_t)described->rank) == 0;
}

static bool same(const struct checking *c, const struct described *described)
{
	return same_counts(described, &c->said) && same_tables(described, &c->said) && same_sizes(c, described);
}

/* `f32[4,27]` */
static void print_tile(const struct checking *c, const struct described *described, char *out, size_t room)
{
	size_t used = (size_t)snprintf(out, room, "%s[", sw_dtype_name(c->warning->dtype));
	for (int d = 0; d < described->rank && used < room; d++)
		used += (size_t)snprintf(out + used, room - used, d ? ",%" PRId64 : "%" PRId64, described->size[d]);
	if (used < room)
		snprintf(out + used, room - used, "]");
}

static void say_parts(struct checking *c, int64_t parts)
{
	if (parts == 1)
		say(c, "whole");
	else
		say(c, "in %" PRId64 " parts", parts);
}

static void tell_cuts(struct checking *c, const struct described *described)
{
	static const char *const when[] = {"before", "after"};
	for (int end = 0; end < ENDS; end++)
		for (int d = 0; d < described->rank; d++)
			if (described->cuts[end][d] != c->said.cuts[end][d]) {
				say(c, "%s it, XLA would have dimension %d ", when[end], d);
				say_parts(c, described->cuts[end][d]);
				say(c, " here, and the warning has it ");
				say_parts(c, c->said.cuts[end][d]);
				return;
			}
}

static void tell_sizes(struct checking *c, const struct described *described)
{
	char own[120], said[120];
	print_tile(c, described, own, sizeof(own));
	print_tile(c, &c->said, said, sizeof(said));
	say(c, "one device would hold %s here, but in the warning it holds %s", own, said);
}

/* The first thing that differs. */
static void tell_difference(struct checking *c, const struct described *described)
{
	if (described->devices != c->said.devices)
		say(c,
			"XLA's warning would be about "
			"%" PRId64 " devices here, but the warning is about %" PRId64,
			described->devices, c->said.devices);
	else if (described->rank != c->said.rank)
		say(c, "the array has %d dimensions here, but %d in the warning", described->rank, c->said.rank);
	else if (!same_counts(described, &c->said))
		tell_cuts(c, described);
	else if (!same_sizes(c, described))
		tell_sizes(c, described);
	else
		say(c, "the tiles would be on other devices than in the warning");
}

/* ---- what stays ---- */

static void add_axis(const sw_mesh *mesh, const sw_part *part, char out[SW_STAY_AXES])
{
	size_t used = strlen(out), room = SW_STAY_AXES - used;
	const sw_axis *axis = &mesh->axis[part->axis];
	int wrote = part->size == axis->size ?
		snprintf(out + used, room, "%s%s", used ? "," : "", axis->name) :
		snprintf(out + used, room, "%s%s:(%" PRId64 ")%" PRId64, used ? "," : "", axis->name, part->pre, part->size);
	if (wrote < 0 || (size_t)wrote >= room)
		out[used] = '\0';
}

/* The axes that cut a dimension in its `parts` major parts; nothing where that is no number of them. */
static void major_axes(const sw_mesh *mesh, const sw_type *type, int dim, int64_t parts, char out[SW_STAY_AXES])
{
	sw_part part[SW_MAX_PARTS];
	*out = '\0';
	for (int k = sw_type_parts(type, dim, part) - 1; k >= 0 && parts > 1 && parts % part[k].size == 0; k--) {
		add_axis(mesh, &part[k], out);
		parts /= part[k].size;
	}
	if (parts > 1)
		*out = '\0';
}

static void note_stays(struct checking *c, const sw_xla_warning *warning)
{
	sw_whole *whole = c->whole;
	const sw_problem *problem = c->problem;
	sw_type now;
	bool typed = !c->order[BEFORE] && sw_tiling_to_type(&problem->mesh, &warning->now, &problem->from, &now);
	for (int d = 0; d < problem->from.rank; d++) {
		if (warning->stays[d] == 1)
			continue;
		sw_stay *stay = &whole->stay[whole->stays++];
		*stay = (sw_stay){.dim = d, .parts = warning->stays[d]};
		if (typed)
			major_axes(&problem->mesh, &now, d, stay->parts, stay->axes);
		major_axes(&problem->mesh, &problem->to, d, stay->parts, stay->after);
	}
	for (int i = 1; i < warning->from.rank; i++)
		if (warning->of[i] == warning->of[i - 1])
			whole->split = warning->of[i];
}

static void note_steps(struct checking *c, const sw_xla_plan *plan, int steps)
{
	char *out = c->whole->steps;
	for (int k = 0; k < steps; k++) {
		size_t used = strlen(out);
		snprintf(out + used, SW_STAY_AXES - used, "%s%s", k ? ", " : "", sw_collective_of(plan->step[k].op)->name);
	}
}

static void tell_stay(struct checking *c, const sw_stay *stay, bool more)
{
	say(c, "%s dimension %d stays in %" PRId64 " parts", more ? "," : "", stay->dim, stay->parts);
	if (*stay->axes && *stay->after && strcmp(stay->axes, stay->after) != 0)
		say(c, " (axis %s, in the end %s)", stay->axes, stay->after);
	else if (*stay->axes || *stay->after)
		say(c, " (axis %s)", *stay->axes ? stay->axes : stay->after);
}

static void tell_stays(struct checking *c)
{
	const sw_whole *whole = c->whole;
	if (whole->group == whole->devices) {
		say(c, "all %" PRId64 " devices are in it", whole->devices);
	} else {
		say(c, "it is about one group of %" PRId64 " of the %" PRId64 " devices:", whole->group, whole->devices);
		for (int k = 0; k < whole->stays; k++)
			tell_stay(c, &whole->stay[k], k > 0);
		if (*whole->idle)
			say(c, "%s axis %s cuts nothing at either end", whole->stays ? "," : "", whole->idle);
	}
	if (whole->split >= 0)
		say(c, "; dimension %d is seen as two there", whole->split);
	if (*whole->steps)
		say(c, "; XLA does %s first", whole->steps);
}

/* ---- asking the patterns ---- */

static const sw_xla_plan *ask_patterns(struct checking *c)
{
	sw_order_room room = {.arena = c->arena};
	sw_xla_plan *plan = SW_NEW(c->arena, sw_xla_plan, 1);
	if (plan)
		sw_xla_reshard_on(&room, c->problem, c->order[BEFORE], c->order[AFTER], plan);
	c->failed |= !plan || room.failed;
	if (plan && room.too_large)
		plan->warnings = 0;
	return plan;
}

/* Was the difference told already? */
static bool try_patterns(struct checking *c)
{
	const sw_xla_plan *plan = ask_patterns(c);
	struct described described;
	for (int k = 0; !c->failed && k < plan->warnings && !c->whole->is; k++) {
		described_by_patterns(c, &plan->warning[k], &described);
		if (c->failed || !same(c, &described))
			continue;
		c->whole->is = true;
		note_stays(c, &plan->warning[k]);
		note_steps(c, plan, plan->warning[k].steps);
	}
	if (c->failed || c->whole->is || !plan->warnings)
		return !c->failed && plan->warnings;
	described_by_patterns(c, &plan->warning[0], &described);
	if (!c->failed)
		tell_difference(c, &described);
	return !c->failed;
}

/* ---- leaving axes out ---- */

/* The dimension that an axis cuts as a whole, -1: it cuts none; -2: parts of it cut some. */
static int dimension_of(const sw_mesh *mesh, const sw_type *type, int axis)
{
	for (int d = 0; d < type->rank; d++)
		for (int k = type->first[d]; k < type->first[d + 1]; k++)
			if (sw_type_part(type, k).axis == axis)
				return sw_type_part(type, k).size == mesh->axis[axis].size ? d : -2;
	return -1;
}

/* May it tell groups apart: does it stay where it is? */
static bool may_stay(const sw_problem *problem, int axis)
{
	int before = dimension_of(&problem->mesh, &problem->from, axis);
	return before != -2 && before == dimension_of(&problem->mesh, &problem->to, axis);
}

/* The member of the group whose slots lie along the axes that are not in `out`. */
static int64_t member_in_group(const sw_mesh *mesh, uint64_t out, int64_t slot)
{
	int64_t number = 0;
	for (int a = 0; a < mesh->count; a++)
		if (!(out >> a & 1))
			number = number * mesh->axis[a].size + sw_mesh_coordinate(mesh, slot, a);
	return number;
}

static bool in_first_group(const sw_mesh *mesh, uint64_t out, int64_t slot)
{
	for (int a = 0; a < mesh->count; a++)
		if ((out >> a & 1) && sw_mesh_coordinate(mesh, slot, a))
			return false;
	return true;
}

/* The tile of a device of the first group, along one dimension. */
static int64_t tile_in_group(const sw_mesh *mesh, const sw_type *type, uint64_t out, int64_t slot, int d)
{
	int64_t tile = 0;
	for (int k = type->first[d + 1] - 1; k >= type->first[d]; k--) {
		sw_part part = sw_type_part(type, k);
		int64_t below = mesh->axis[part.axis].size / (part.pre * part.size);
		if (!(out >> part.axis & 1))
			tile = tile * part.size + sw_mesh_coordinate(mesh, slot, part.axis) / below % part.size;
	}
	return tile;
}

static int64_t cuts_in_group(const sw_type *type, uint64_t out, int d)
{
	int64_t cuts = 1;
	for (int k = type->first[d]; k < type->first[d + 1]; k++)
		if (!(out >> sw_type_part(type, k).axis & 1))
			cuts *= sw_type_part(type, k).size;
	return cuts;
}

static bool told_without(struct checking *c, uint64_t out, struct described *described)
{
	const sw_type *type[ENDS] = {&c->problem->from, &c->problem->to};
	const sw_mesh *mesh = &c->problem->mesh;
	*described = (struct described){.devices = c->said.devices, .rank = type[0]->rank};
	for (int d = 0; d < described->rank; d++) {
		int64_t cuts = type[0]->global[d] / type[0]->tile[d];
		described->size[d] = (sw_type_size(type[0], d) + cuts - 1) / cuts;
		for (int end = 0; end < ENDS; end++)
			described->cuts[end][d] = cuts_in_group(type[end], out, d);
	}
	if (!same_counts(described, &c->said) || !same_sizes(c, described))
		return false;
	for (int end = 0; end < ENDS; end++) {
		int64_t *table = SW_NEW(c->arena, int64_t, described->devices * described->rank);
		c->failed |= !table;
		for (int64_t p = 0; table && p < mesh->devices; p++)
			for (int d = 0; in_first_group(mesh, out, p) && d < described->rank; d++)
				table[member_in_group(mesh, out, p) * described->rank + d] = tile_in_group(mesh, type[end], out, p,
					d);
		described->table[end] = table;
	}
	return !c->failed && same_tables(described, &c->said);
}

static sw_stay *stay_at(sw_whole *whole, int dim)
{
	for (int k = 0; k < whole->stays; k++)
		if (whole->stay[k].dim == dim)
			return &whole->stay[k];
	whole->stay[whole->stays] = (sw_stay){.dim = dim, .parts = 1};
	return &whole->stay[whole->stays++];
}

static void note_axes(struct checking *c, uint64_t out)
{
	const sw_mesh *mesh = &c->problem->mesh;
	for (int a = 0; a < mesh->count; a++) {
		sw_part part = {a, 1, mesh->axis[a].size};
		int dim = dimension_of(mesh, &c->problem->from, a);
		if (!(out >> a & 1))
			continue;
		if (dim < 0) {
			add_axis(mesh, &part, c->whole->idle);
			continue;
		}
		sw_stay *stay = stay_at(c->whole, dim);
		stay->parts *= part.size;
		add_axis(mesh, &part, stay->axes);
		memcpy(stay->after, stay->axes, sizeof(stay->axes));
	}
}

/* Tries all sets of axes from `axis` on that make groups of the right size. */
static void try_axes(struct checking *c, int axis, uint64_t out, int64_t left)
{
	const sw_mesh *mesh = &c->problem->mesh;
	struct described described;
	if (left == 1 && told_without(c, out, &described)) {
		c->whole->is = true;
		note_axes(c, out);
	}
	for (int a = axis; a < mesh->count && left > 1 && !c->whole->is && !c->failed; a++) {
		int64_t size = mesh->axis[a].size;
		if (size > 1 && left % size == 0 && may_stay(c->problem, a))
			try_axes(c, a + 1, out | UINT64_C(1) << a, left / size);
	}
}

/* ---- the answer ---- */

static bool same_elements(struct checking *c)
{
	const sw_log_pair *w = c->warning;
	const sw_type *from = &c->problem->from;
	if (w->shape_is != SW_LOG_PRINTED || !from->dtype_given || from->dtype == w->dtype)
		return true;
	say(c, "the elements are %s here, but %s in the warning", sw_dtype_name(from->dtype), sw_dtype_name(w->dtype));
	return false;
}

static bool same_machine(struct checking *c)
{
	int64_t devices = c->problem->mesh.devices, group = c->warning->devices;
	if (group > 0 && devices % group == 0)
		return true;
	say(c, "there are %" PRId64 " devices here, but the warning is about %" PRId64, devices, group);
	return false;
}

static void check(struct checking *c)
{
	if (!same_machine(c) || !same_elements(c))
		return;
	if (!described_by_warning(c)) {
		say(c, "its shardings cannot be read");
		return;
	}
	bool described = try_patterns(c);
	if (!c->failed && !c->whole->is && !c->order[BEFORE] && !c->order[AFTER])
		try_axes(c, 0, 0, c->problem->mesh.devices / c->said.devices);
	if (c->whole->is) {
		*c->whole->words = '\0';
		tell_stays(c);
	} else if (!described && !c->failed) {
		say(c, "XLA has steps for this problem and does not warn");
	}
}

bool sw_whole_check(const sw_log_pair *warning, const sw_problem *problem, sw_arena *arena, sw_whole *whole,
	sw_diag *diag)
{
	sw_diag own = {.code = SW_OK};
	struct checking c = {.warning = warning,
		.problem = problem,
		.order = {problem->mesh.order, sw_problem_to_order(problem)},
		.arena = arena,
		.whole = whole,
		.diag = &own};
	*whole = (sw_whole){.devices = problem->mesh.devices, .group = warning->devices, .split = -1};
	check(&c);
	if (!c.failed)
		return true;
	if (own.code == SW_OK)
		return sw_diag_memory(diag);
	if (diag)
		*diag = own;
	return false;
}

/* ---- sizes ---- */

/* Of the whole array, from those that the warning prints of a part, as the two are in this telling. */
static bool scale(const struct checking *c, const sw_xla_warning *warning, int64_t *global)
{
	int64_t part[SW_MAX_DIMS];
	for (int d = 0; d < c->problem->from.rank; d++)
		part[d] = global[d] = 1;
	for (int i = 0; i < warning->from.rank; i++)
		if (!sw_mul(global[warning->of[i]], c->said.size[i], &global[warning->of[i]]) ||
			!sw_mul(part[warning->of[i]], (warning->size[i] + warning->from.tiles[i] - 1) / warning->from.tiles[i],
				&part[warning->of[i]]))
			return false;
	for (int d = 0; d < c->problem->from.rank; d++)
		if (!sw_mul(global[d], c->problem->from.global[d] / part[d], &global[d]))
			return false;
	return true;
}

static bool by_patterns(struct checking *c, int64_t *global)
{
	const sw_xla_plan *plan = ask_patterns(c);
	struct described described;
	for (int k = 0; !c->failed && k < plan->warnings; k++) {
		described_by_patterns(c, &plan->warning[k], &described);
		if (!c->failed && same_counts(&described, &c->said) && same_tables(&described, &c->said))
			return scale(c, &plan->warning[k], global);
	}
	return false;
}

/* Where no step comes before the warning and all dimensions are there. */
static bool by_cuts(const struct checking *c, int64_t *global)
{
	const sw_type *from = &c->problem->from;
	if (from->rank != c->said.rank)
		return false;
	for (int d = 0; d < from->rank; d++)
		if (!sw_mul(c->said.size[d], from->global[d] / from->tile[d], &global[d]))
			return false;
	return true;
}

bool sw_whole_shape(const sw_log_pair *warning, const sw_problem *problem, sw_arena *arena,
	int64_t global[SW_MAX_DIMS])
{
	sw_diag own = {.code = SW_OK};
	sw_whole unused;
	struct checking c = {.warning = warning,
		.problem = problem,
		.order = {problem->mesh.order, sw_problem_to_order(problem)},
		.arena = arena,
		.whole = &unused,
		.diag = &own};
	return described_by_warning(&c) && has_sizes(&c) &&
		(by_patterns(&c, global) || (!c.failed && by_cuts(&c, global)));
}
