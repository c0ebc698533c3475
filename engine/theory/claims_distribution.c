/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims about distributions and the relations between them: the lemmas and the theorem of seed 002.
 *
 * A case is a mesh and types of any kind over it, as texts that a script can hold.  P and Q are the devices on which a type is
 * defined.  T comes from the relation of both types, F from that of the same types the other way round, so that neither is
 * found from the other.
 */
#include <stdio.h>

#include <shardwalk/computation.h>
#include <shardwalk/distribution.h>
#include <shardwalk/relation.h>

#include "theory/claims.h"

enum { DEVICES_MOST = 12, SIDE_MOST = 9, TEXT_MOST = 200 };

/* An array to draw types of. */
typedef struct drawn_array {
	int rank;
	int64_t size[2];
} drawn_array;

/* ---- drawing ---- */

static void draw_mesh(sw_draw *draw, int64_t most, sw_mesh *mesh, sw_text *script)
{
	sw_text text = {0};
	int64_t first = 2 + sw_draw_below(draw, (int)(most < 6 ? most : 6) - 1), second = most / first;

	sw_text_addf(&text, "{x: %lld", (long long)first);
	if (second > 1 && sw_draw_below(draw, 2) == 0)
		sw_text_addf(&text, ", y: %d", 2 + sw_draw_below(draw, (int)second - 1));
	sw_text_add_char(&text, '}');
	sw_mesh_parse((sw_str){sw_text_get(&text), text.length}, mesh, NULL);
	sw_text_addf(script, "mesh %s\n", sw_text_get(&text));
	sw_text_free(&text);
}

static void draw_array(sw_draw *draw, drawn_array *array)
{
	array->rank = 1 + sw_draw_below(draw, 2);
	for (int dim = 0; dim < array->rank; dim++)
		array->size[dim] = 1 + sw_draw_below(draw, SIDE_MOST);
}

/* One dimension: whole, in blocks that come round, or by a rule (*ruled).  Each axis is used once. */
static void draw_cut(sw_draw *draw, const sw_mesh *mesh, int64_t size, unsigned *used, bool *ruled, sw_text *text)
{
	int axis = sw_draw_below(draw, mesh->count), kind = sw_draw_below(draw, 4);

	if (kind == 0 || (*used >> axis & 1) != 0) {
		sw_text_addf(text, "%lld", (long long)size);
		return;
	}
	*used |= 1u << axis;
	if (kind == 1) {
		*ruled = true;
		sw_text_addf(text, "{%s}%lld", mesh->axis[axis].name, (long long)size);
		return;
	}
	sw_text_addf(text, "%d{%s", 1 + sw_draw_below(draw, 3), mesh->axis[axis].name);
	if (kind == 3)
		sw_text_addf(text, "@%d", sw_draw_below(draw, (int)mesh->axis[axis].size));
	sw_text_addf(text, ",..}%lld", (long long)size);
}

static void draw_devices(sw_draw *draw, const sw_mesh *mesh, sw_text *text)
{
	int64_t first = sw_draw_below(draw, (int)mesh->devices),
			last = first + sw_draw_below(draw, (int)(mesh->devices - first));

	sw_text_addf(text, " on %lld-%lld", (long long)first, (long long)last);
}

/* A slice of each dimension, or the whole of it. */
static void draw_slices(sw_draw *draw, const drawn_array *array, sw_text *text)
{
	sw_text_add(text, " only ");
	for (int dim = 0; dim < array->rank; dim++) {
		int first = sw_draw_below(draw, (int)array->size[dim]);
		sw_text_addf(text, dim > 0 ? ", %d:%d" : "%d:%d", first,
			first + 1 + sw_draw_below(draw, (int)array->size[dim] - first));
	}
}

static void draw_member(sw_draw *draw, const sw_mesh *mesh, const drawn_array *array, sw_text *text)
{
	unsigned used = 0;
	bool ruled = false;

	for (int dim = 0; dim < array->rank; dim++) {
		sw_text_add(text, dim == 0 ? "[" : ", ");
		draw_cut(draw, mesh, array->size[dim], &used, &ruled, text);
	}
	sw_text_add_char(text, ']');
	if (ruled)
		sw_text_addf(text, " by %s", sw_uneven_name((sw_uneven_rule)sw_draw_below(draw, SW_UNEVEN_RULE_COUNT)));
	if (sw_draw_below(draw, 4) == 0)
		draw_devices(draw, mesh, text);
	if (sw_draw_below(draw, 6) == 0)
		draw_slices(draw, array, text);
	if (sw_draw_below(draw, 4) == 0)
		sw_text_addf(text, " shift %d%s", sw_draw_below(draw, 7) - 3, sw_draw_below(draw, 2) ? " wrap" : "");
}

/* A type of the array; every fifth is the whole of it, everywhere. */
static void draw_type(sw_draw *draw, const sw_mesh *mesh, const drawn_array *array, sw_text *text)
{
	if (sw_draw_below(draw, 5) == 0) {
		sw_text_addf(text, array->rank == 1 ? "[%lld]" : "[%lld, %lld]", (long long)array->size[0],
			(long long)array->size[1]);
		return;
	}
	draw_member(draw, mesh, array, text);
	if (sw_draw_below(draw, 5) == 0) {
		sw_text_add(text, " union ");
		draw_member(draw, mesh, array, text);
	}
}

/* ---- two types ---- */

/* Two distributions, u and v, and who needs what of whom between them. */
typedef struct pair {
	sw_mesh mesh;
	sw_holding u, v;
	int64_t p, q;                             /* how many devices v and u are defined on */
	int64_t t[DEVICES_MOST], f[DEVICES_MOST]; /* sizes of T(p) and F(q); -1: undefined */
} pair;

static bool read_type(const sw_mesh *mesh, const char *text, sw_try *work, sw_array_type *read)
{
	read->known = sw_type_parse_any(mesh, sw_str_of(text), NULL, work->arena, &read->type, &read->words, work->diag);
	return read->known;
}

/* Reads a type and what devices have of it; the script gets its text. */
static bool read_holding(const sw_mesh *mesh, const char *text, sw_try *work, sw_holding *holding)
{
	sw_array_type *read = SW_NEW(work->arena, sw_array_type, 1);

	if (read == NULL)
		return sw_diag_memory(work->diag);
	if (!read_type(mesh, text, work, read))
		return false;
	sw_type_print_any(mesh, &read->type, read->words, false, work->script);
	return sw_holding_of_any(mesh, &read->type, read->words, NULL, work->arena, holding) ||
		sw_diag_memory(work->diag);
}

/* Sizes of (a^-1 b)(d) on the devices d that b is defined on, as many as are returned; -1: no memory. */
static int64_t count_before(const sw_holding *a, const sw_holding *b, sw_try *work, int64_t *size)
{
	sw_relation *relation = sw_relation_new(a, b, NULL, work->arena, work->diag);
	int32_t list[DEVICES_MOST];
	int64_t defined = 0;

	for (int64_t d = 0; relation != NULL && d < b->devices; d++) {
		size[d] = -1;
		if (!sw_holding_defined(b, d))
			continue;
		size[d] = sw_relation_before(relation, d, list);
		if (size[d] < 0) {
			sw_diag_memory(work->diag);
			return -1;
		}
		defined++;
	}
	return relation != NULL ? defined : -1;
}

/* Reads both texts and relates them; the script then says so. */
static bool pair_of(pair *one, const char *u, const char *v, sw_try *work)
{
	if (!read_holding(&one->mesh, u, work, &one->u))
		return false;
	sw_text_add(work->script, " ~> ");
	if (!read_holding(&one->mesh, v, work, &one->v))
		return false;
	sw_text_add(work->script, "\nshow relation\n");
	work->devices = one->mesh.devices;
	one->p = count_before(&one->u, &one->v, work, one->t);
	one->q = count_before(&one->v, &one->u, work, one->f);
	return one->p >= 0 && one->q >= 0;
}

static sw_outcome draw_pair(sw_draw *draw, sw_try *work, pair *one)
{
	drawn_array array;
	sw_text u = {0}, v = {0};

	draw_mesh(draw, work->most, &one->mesh, work->script);
	draw_array(draw, &array);
	draw_type(draw, &one->mesh, &array, &u);
	draw_type(draw, &one->mesh, &array, &v);
	bool made = pair_of(one, sw_text_get(&u), sw_text_get(&v), work);
	sw_text_free(&u);
	sw_text_free(&v);
	return made ? SW_HOLDS : SW_FAILS;
}

/* ---- lemmas 1 and 2 ---- */

/* Has each device that counts all of the others? */
static bool is_collective(const int64_t *size, int64_t devices, int64_t all)
{
	for (int64_t d = 0; d < devices; d++)
		if (size[d] >= 0 && size[d] != all)
			return false;
	return true;
}

static sw_outcome claim_collective(const pair *one, sw_try *work)
{
	bool t = is_collective(one->t, one->mesh.devices, one->q), f = is_collective(one->f, one->mesh.devices, one->p);

	return t == f ? SW_HOLDS :
					sw_refute(work, "T is %scollective, and F is %s", t ? "" : "not ", f ? "collective" : "not");
}

/* The least of the sizes that count, or the largest; -1: none counts. */
static int64_t extreme(const int64_t *size, int64_t devices, bool largest, int64_t *where)
{
	int64_t best = -1;

	for (int64_t d = 0; d < devices; d++)
		if (size[d] >= 0 && (best < 0 || (largest ? size[d] > best : size[d] < best))) {
			best = size[d];
			*where = d;
		}
	return best;
}

/* Does one device send, and to all? */
static bool is_broadcast(const pair *one)
{
	int64_t senders = 0, most = 0;

	for (int64_t d = 0; d < one->mesh.devices; d++) {
		senders += one->f[d] > 0;
		most = one->f[d] > most ? one->f[d] : most;
	}
	return senders == 1 && most == one->p;
}

/* Some F(q), or all of them, have |P| k / |Q| devices at least, where each T(p) has k. */
static sw_outcome claim_bound(const pair *one, bool all, sw_try *work)
{
	int64_t p = 0, q = 0, k = extreme(one->t, one->mesh.devices, false, &p);
	int64_t f = extreme(one->f, one->mesh.devices, !all, &q);
	char found[32] = "is empty";

	if (k < 0 || f < 0 || f * one->q >= one->p * k)
		return SW_HOLDS;
	if (f > 0)
		snprintf(found, sizeof found, "has %lld", (long long)f);
	return sw_refute(work, "%s over %lld devices: k = %lld, |P| = %lld, |Q| = %lld, but F(%lld) %s",
		is_broadcast(one) ? "a broadcast" : "a case", (long long)one->mesh.devices, (long long)k, (long long)one->p,
		(long long)one->q, (long long)q, found);
}

sw_outcome sw_claim_related(const sw_statement_row *row, sw_draw *draw, sw_try *work)
{
	pair one;
	sw_outcome drawn = draw_pair(draw, work, &one);

	if (drawn != SW_HOLDS)
		return drawn;
	return row->which == 1 ? claim_collective(&one, work) : claim_bound(&one, false, work);
}

/* ---- the smallest case ---- */

/* A list `[2] at {0: 0-1; 1:}`: bit number device * size + index says whether the device has it. */
static void listed_text(int64_t devices, int size, unsigned mask, sw_text *text)
{
	sw_text_addf(text, "[%d] at {", size);
	for (int64_t d = 0; d < devices; d++) {
		sw_text_addf(text, d > 0 ? "; %lld:" : "%lld:", (long long)d);
		for (int i = 0; i < size; i++)
			if ((mask >> (d * size + i) & 1) != 0)
				sw_text_addf(text, " %d", i);
	}
	sw_text_add_char(text, '}');
}

static sw_outcome try_listed(int64_t devices, int size, const unsigned mask[2], sw_try *work)
{
	sw_text text[2] = {{0}}, mesh = {0};
	pair one;

	sw_text_clear(work->script);
	sw_text_addf(&mesh, "{x: %lld}", (long long)devices);
	sw_mesh_parse((sw_str){sw_text_get(&mesh), mesh.length}, &one.mesh, NULL);
	sw_text_addf(work->script, "mesh %s\n", sw_text_get(&mesh));
	for (int end = 0; end < 2; end++)
		listed_text(devices, size, mask[end], &text[end]);
	bool made = pair_of(&one, sw_text_get(&text[0]), sw_text_get(&text[1]), work);
	for (int end = 0; end < 2; end++)
		sw_text_free(&text[end]);
	sw_text_free(&mesh);
	return made ? claim_bound(&one, true, work) : SW_FAILS;
}

/* All pairs of lists, of few devices and elements before more. */
sw_outcome sw_smallest_unbound(sw_try *work)
{
	for (int64_t devices = 2; devices <= 3; devices++)
		for (int size = 1; size <= 2; size++) {
			unsigned all = 1u << (devices * size);
			for (unsigned n = 0; n < all * all; n++) {
				sw_arena_mark here = sw_arena_here(work->arena);
				sw_outcome outcome = try_listed(devices, size, (unsigned[]){n / all, n % all}, work);
				sw_arena_back(work->arena, here);
				if (outcome != SW_HOLDS)
					return outcome;
			}
		}
	return SW_HOLDS;
}

/* ---- formulas: lemma 3 and theorem 1 ---- */

/* Formulas over y, x and sometimes a.  `alike`: x has the size of y, for a letter that stands alone. */
static const struct drawn_formula {
	const char *text;
	bool alike, plane, second;
} drawn_formulas[] = {
	{"y[i] = x[i]", .alike = true},
	{"y[i] = 2*x[i] - x[i-1] - x[i+1]", .alike = true},
	{"y[i] = f(x[i-2], x[i+1]) wrap", .alike = false},
	{"y[i] = f(x[2*i], x[2*i+1])", .alike = false},
	{"y[i] = f(x[i/2], x[(i+1)/2])", .alike = false},
	{"y[i] = f(x[:])", .alike = false},
	{"y[i] = f(a[:], x[i])", .alike = true, .second = true},
	{"y[i,j] = f(x[i,j], x[i-1,j], x[i,j+1])", .alike = true, .plane = true},
	{"y[i,j] = x[j-1,i/2]", .alike = false, .plane = true},
};

enum { FORMULAS = sizeof drawn_formulas / sizeof *drawn_formulas };

static void add_named(const char *name, const sw_text *type, sw_text *script)
{
	sw_text_addf(script, "type %s = %s\n", name, sw_text_get(type));
}

/* The types of the arrays of a formula, in its order; false: a diagnostic is set. */
static bool read_arrays(const sw_mesh *mesh, const sw_formula *formula, const sw_text type[3], sw_try *work,
	sw_array_type *read)
{
	static const char *const names[] = {"y", "x", "a"};

	for (int k = 0; k < formula->arrays; k++)
		for (int n = 0; n < 3; n++)
			if (sw_str_is(formula->array[k].name, names[n]) &&
				!read_type(mesh, sw_text_get(&type[n]), work, &read[k]))
				return false;
	return true;
}

static const sw_computation *compute(const sw_mesh *mesh, const char *text, const sw_text type[3], sw_try *work)
{
	sw_array_type read[3] = {{false}};
	sw_formula formula;

	if (!sw_formula_parse(sw_str_of(text), NULL, work->arena, &formula, work->diag) ||
		!read_arrays(mesh, &formula, type, work, read))
		return NULL;
	return sw_computation_new(mesh, &formula, read, NULL, work->arena, work->diag);
}

/* What the left side has on every device alike: all, or a slice. */
static void draw_replicated(sw_draw *draw, const drawn_array *array, sw_text *text)
{
	sw_text_addf(text, array->rank == 1 ? "[%lld]" : "[%lld, %lld]", (long long)array->size[0],
		(long long)array->size[1]);
	if (sw_draw_below(draw, 2) == 0)
		draw_slices(draw, array, text);
}

/* Draws a formula and its types, that of the left side on all devices alike or any; NULL: a diagnostic is set. */
static const sw_computation *draw_computation(sw_draw *draw, bool replicated, sw_try *work)
{
	const struct drawn_formula *formula = &drawn_formulas[sw_draw_below(draw, FORMULAS)];
	sw_mesh *mesh = SW_NEW(work->arena, sw_mesh, 1);
	drawn_array y, x, a;
	sw_text type[3] = {{0}};

	if (mesh == NULL) {
		sw_diag_memory(work->diag);
		return NULL;
	}
	draw_mesh(draw, work->most, mesh, work->script);
	work->devices = mesh->devices;
	draw_array(draw, &y);
	draw_array(draw, &x);
	draw_array(draw, &a);
	y.rank = x.rank = formula->plane ? 2 : 1;
	a.rank = 1;
	for (int dim = 0; dim < 2; dim++) {
		y.size[dim] = 1 + sw_draw_below(draw, SIDE_MOST);
		x.size[dim] = formula->alike ? y.size[dim] : 1 + sw_draw_below(draw, SIDE_MOST);
	}
	(replicated ? draw_replicated(draw, &y, &type[0]) : draw_type(draw, mesh, &y, &type[0]));
	draw_type(draw, mesh, &x, &type[1]);
	draw_type(draw, mesh, &a, &type[2]);
	add_named("y", &type[0], work->script);
	add_named("x", &type[1], work->script);
	if (formula->second)
		add_named("a", &type[2], work->script);
	sw_text_addf(work->script, "compute %s\n", formula->text);
	const sw_computation *made = compute(mesh, formula->text, type, work);
	for (int n = 0; n < 3; n++)
		sw_text_free(&type[n]);
	return made;
}

sw_outcome sw_claim_replicated(const sw_statement_row *row, sw_draw *draw, sw_try *work)
{
	const sw_computation *c = draw_computation(draw, true, work);

	(void)row;
	if (c == NULL)
		return SW_FAILS;
	for (int k = 0; k < c->inputs; k++)
		for (int64_t d = 1; d < c->mesh.devices; d++) {
			sw_region own, first;
			if (!sw_holding_region(&c->need[k].needed, d, work->arena, &own) ||
				!sw_holding_region(&c->need[k].needed, 0, work->arena, &first))
				return sw_claim_memory(work);
			if (!sw_region_equal(&own, &first))
				return sw_refute(work,
					"device %lld needs elements different from those of device "
					"0",
					(long long)d);
		}
	return SW_HOLDS;
}

/* Are all elements that a device needs of each array among those that it has, one by one? */
static bool has_needed(const sw_computation *c, int64_t device)
{
	for (int k = 0; k < c->inputs; k++) {
		const sw_holding *needed = &c->need[k].needed, *held = c->need[k].held;
		int64_t columns = needed->rank > 1 ? needed->global[1] : 1;
		for (int64_t n = 0; n < needed->global[0] * columns; n++) {
			const int64_t index[] = {n / columns, n % columns};
			if (sw_holding_has(needed, device, index) && !sw_holding_has(held, device, index))
				return false;
		}
	}
	return true;
}

sw_outcome sw_claim_local(const sw_statement_row *row, sw_draw *draw, sw_try *work)
{
	const sw_computation *c = draw_computation(draw, false, work);
	bool all = true;

	(void)row;
	if (c == NULL)
		return SW_FAILS;
	for (int64_t d = 0; d < c->mesh.devices; d++) {
		sw_region interior, boundary;
		bool has = has_needed(c, d);
		if (!sw_computation_split(c, d, work->arena, &interior, &boundary))
			return sw_claim_memory(work);
		if (has && sw_region_size(&boundary) > 0)
			return sw_refute(work, "device %lld has what it needs, but waits for a message", (long long)d);
		all = all && has;
	}
	return all == c->local ? SW_HOLDS :
							 sw_refute(work, "every device has %s",
								 all ? "what it needs, and it is not local" : "not what it needs, and it is local");
}
