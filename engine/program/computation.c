/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas over arrays of known types: what devices compute, need and send.
 *
 * Source: seed 002, sections 2 and 5.
 */
#include <shardwalk/computation.h>

#include <string.h>

#include <shardwalk/uneven.h>

#include "program/formula.h"

/* ---- whom it asks ---- */

struct sw_asked_pulse {
	sw_pulse pulse; /* handed on */
	const sw_pulse *outer;
	bool stopped; /* by the outer one, which is not asked any more */
};

static bool ask(void *context, const char *what, long long done, long long total)
{
	struct sw_asked_pulse *asked = context;

	asked->stopped = asked->stopped || !sw_pulse_beat(asked->outer, what, done, total);
	return !asked->stopped;
}

void sw_computation_pulse(const sw_computation *computation, const sw_pulse *pulse)
{
	computation->asked->outer = pulse;
	computation->asked->stopped = false;
}

bool sw_computation_failed(const sw_computation *computation, sw_diag *diag)
{
	if (computation->asked->stopped)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before all devices were examined");
	return sw_diag_memory(diag);
}

/* ---- making one ---- */

struct making {
	sw_computation *c;
	sw_arena *arena;
	sw_diag *diag;
	sw_distribution place; /* of the array where it is computed */
};

/* ---- arrays ---- */

static bool refuse_array(const struct making *m, int array, sw_code code, const char *what)
{
	const sw_formula_array *of = &m->c->formula.array[array];

	sw_diag_set(m->diag, code, of->at, "%s %s", sw_scan_quote(of->name).text, what);
	return false;
}

static bool check_types(const struct making *m)
{
	const sw_computation *c = m->c;

	for (int k = 0; k < c->formula.arrays; k++) {
		const sw_array_type *is = &c->array[k].is;
		if (!is->known && (k > 0 || sw_formula_place(&c->formula) == 0)) {
			refuse_array(m, k, SW_F02, "has no type");
			sw_diag_hint(m->diag, "`type %.*s = ...` says how it is held", (int)c->formula.array[k].name.length,
				c->formula.array[k].name.at);
			return false;
		}
		if (is->known && is->words == NULL && sw_type_padded(&is->type)) {
			refuse_array(m, k, SW_T04, "is padded, but a formula has no padding");
			sw_diag_hint(m->diag, "use a rule for sizes that do not divide: [{x}13] by balanced");
			return false;
		}
	}
	return true;
}

static bool hold_arrays(const struct making *m)
{
	sw_computation *c = m->c;

	for (int k = 0; k < c->formula.arrays; k++) {
		sw_computed *array = &c->array[k];
		if (!array->is.known)
			continue;
		if (!sw_formula_set_array(&c->formula, k, array->is.type.rank, array->is.type.global, m->diag))
			return false;
		if (!sw_holding_of_any(&c->mesh, &array->is.type, array->is.words, NULL, m->arena, &array->held))
			return sw_diag_memory(m->diag);
	}
	return sw_formula_fit(&c->formula, m->diag);
}

/* What is still to be summed says of no element what it is. */
static bool check_place(const struct making *m)
{
	int place = sw_formula_place(&m->c->formula);

	if (m->c->array[place].held.terms == 1)
		return true;
	refuse_array(m, place, SW_T11, "has partial sums: no device knows its elements");
	sw_diag_hint(m->diag, "redistribute it to a type without sums first");
	return false;
}

/* ---- types in words ---- */

static const sw_distribution *named_here(const void *of, sw_str name)
{
	return sw_str_is(name, "place") ? of : NULL;
}

static bool start_place(struct making *m)
{
	const sw_array_type *is = &m->c->array[m->c->points.array].is;

	if (is->words == NULL)
		return sw_distribution_of_type(&m->c->mesh, &is->type, m->arena, &m->place) || sw_diag_memory(m->diag);
	m->place = *is->words;
	return true;
}

static void take_dtype(const sw_type *of, sw_array_type *type)
{
	type->type.dtype = of->dtype;
	type->type.dtype_given = of->dtype_given;
}

/* The type that these words behind the place say, of this element type; where they say none it is not known. */
static void read_words(const struct making *m, const sw_distribution *place, sw_text *words, const sw_type *of,
	sw_array_type *type)
{
	const sw_distribution_names names = {.named = named_here, .of = place};
	sw_str text = {sw_text_get(words), words->length};

	type->known = text.length > 0 &&
		sw_type_parse_any(&m->c->mesh, text, &names, m->arena, &type->type, &type->words, NULL);
	take_dtype(of, type);
	sw_text_free(words);
}

bool sw_array_type_of(const sw_mesh *mesh, const sw_holding *holding, const sw_type *array, sw_arena *arena,
	sw_array_type *type, sw_diag *diag)
{
	sw_distribution *words = type->known ? NULL : SW_NEW(arena, sw_distribution, 1);

	if (type->known)
		return true;
	if (words == NULL)
		return sw_diag_memory(diag);
	if (holding->terms > 1)
		return sw_diag_set(diag, SW_T17, (sw_span){0, 0}, "words cannot express the type of the result");
	take_dtype(array, type);
	if (!sw_distribution_of_holding(mesh, holding, &type->type, arena, words, diag))
		return false;
	type->known = true;
	type->type = words->type;
	type->words = words->tile ? NULL : words;
	return true;
}

/* ---- what is made ---- */

/* The same with a term a device. */
static void sum_words(const struct making *m, sw_array_type *type)
{
	sw_distribution whole = {0};
	sw_text text = {0};
	sw_type of = type->type;

	if (type->words != NULL)
		whole = *type->words;
	else if (!sw_distribution_of_type(&m->c->mesh, &type->type, m->arena, &whole))
		type->known = false;
	if (!type->known)
		return;
	sw_text_add(&text, "place+");
	read_words(m, &whole, &text, &of, type);
}

static void type_made(const struct making *m)
{
	sw_computation *c = m->c;
	const sw_array_type *place = &c->array[c->points.array].is;
	sw_text text = {0};

	c->made_type.known = place->words == NULL &&
		sw_formula_made_type(&c->mesh, &c->formula, &place->type, &c->made_type.type, NULL);
	if (!c->made_type.known) {
		sw_points_print_type(&c->points, sw_str_of("place"), &text);
		read_words(m, &m->place, &text, &place->type, &c->made_type);
		if (c->made.terms > 1 && c->made_type.known)
			sum_words(m, &c->made_type);
	}
	take_dtype(c->array[0].is.known ? &c->array[0].is.type : &place->type, &c->made_type);
}

/* Where the left side has no type it is what is made. */
static bool place_made(const struct making *m)
{
	sw_computation *c = m->c;
	sw_computed *left = &c->array[0];

	if (left->is.known)
		return true;
	left->is = c->made_type;
	if (!left->is.known)
		return refuse_array(m, 0, SW_F02, "has no type, and words cannot express that of the result");
	return sw_holding_of_any(&c->mesh, &left->is.type, left->is.words, NULL, m->arena, &left->held) ||
		sw_diag_memory(m->diag);
}

static bool make(const struct making *m)
{
	sw_computation *c = m->c;

	sw_points_make(&c->points, &c->rule, &c->made);
	if (!sw_points_sum(&c->points, &c->made, m->diag))
		return false;
	type_made(m);
	if (!place_made(m))
		return false;
	if (c->points.array == 0 || sw_holding_equal(&c->made, &c->array[0].held))
		return true;
	c->array[0].relation = sw_relation_new_with(&c->made, &c->array[0].held, NULL, c->points.pulse, m->arena,
		m->diag);
	if (c->array[0].relation != NULL)
		sw_relation_lie_on(c->array[0].relation, &c->mesh);
	return c->array[0].relation != NULL;
}

/* ---- what is needed ---- */

static bool is_read(const sw_formula *formula, int array)
{
	for (int k = 1; k < formula->accesses; k++)
		if (formula->access[k].array == array && formula->access[k].term >= 0)
			return true;
	return false;
}

static bool need_array(const struct making *m, int k)
{
	sw_computation *c = m->c;
	sw_computed *array = &c->array[k];
	sw_need *need = &c->need[c->inputs++];
	sw_text words = {0};

	array->need = need;
	if (!sw_points_need(&c->points, k, &array->held, m->arena, need) ||
		!sw_need_local(need, &array->local, &array->tight))
		return sw_diag_memory(m->diag);
	c->local = c->local && array->local;
	c->tight = c->tight && array->tight;
	sw_need_print_type(need, sw_str_of("place"), &words);
	read_words(m, &m->place, &words, &array->is.type, &array->needed);
	array->relation = sw_relation_new_with(&array->held, &need->needed, NULL, c->points.pulse, m->arena, m->diag);
	if (array->relation != NULL)
		sw_relation_lie_on(array->relation, &c->mesh);
	return array->relation != NULL;
}

static bool need_arrays(const struct making *m)
{
	sw_computation *c = m->c;
	bool fits = true;

	c->first = -1;
	c->local = c->tight = true;
	for (int k = 0; k < c->formula.arrays && fits; k++) {
		if (!is_read(&c->formula, k))
			continue;
		c->first = c->first < 0 ? k : c->first;
		fits = need_array(m, k);
	}
	return fits;
}

/* ---- the whole ---- */

static sw_computation *start(const sw_mesh *mesh, const sw_formula *formula, const sw_array_type *type,
	sw_arena *arena)
{
	sw_computation *c = SW_NEW_ZERO(arena, sw_computation, 1);
	sw_formula_array *array = SW_NEW(arena, sw_formula_array, formula->arrays);

	if (c == NULL || array == NULL)
		return NULL;
	c->mesh = *mesh;
	c->formula = *formula;
	c->formula.array = array;
	memcpy(array, formula->array, (size_t)formula->arrays * sizeof *array);
	c->array = SW_NEW_ZERO(arena, sw_computed, formula->arrays);
	c->need = SW_NEW_ZERO(arena, sw_need, formula->arrays);
	c->asked = SW_NEW_ZERO(arena, struct sw_asked_pulse, 1);
	if (c->array == NULL || c->need == NULL || c->asked == NULL)
		return NULL;
	c->asked->pulse = (sw_pulse){ask, c->asked};
	for (int k = 0; k < formula->arrays; k++)
		c->array[k].is = type[k];
	return c;
}

static bool follow(struct making *m)
{
	sw_computation *c = m->c;

	sw_formula_points(&c->formula, &c->array[sw_formula_place(&c->formula)].held, &c->points);
	c->points.pulse = &c->asked->pulse;
	return start_place(m) && make(m) && need_arrays(m);
}

const sw_computation *sw_computation_new(const sw_mesh *mesh, const sw_formula *formula, const sw_array_type *type,
	const sw_pulse *pulse, sw_arena *arena, sw_diag *diag)
{
	struct making m = {.c = start(mesh, formula, type, arena), .arena = arena, .diag = diag};
	sw_computation *c = m.c;

	if (c == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	sw_computation_pulse(c, pulse);
	if (!check_types(&m) || !hold_arrays(&m) || !check_place(&m))
		return NULL;
	bool followed = follow(&m);
	if (c->asked->stopped)
		sw_computation_failed(c, diag);
	return followed && !c->asked->stopped ? c : NULL;
}

bool sw_computation_split(const sw_computation *computation, int64_t device, sw_arena *arena, sw_region *interior,
	sw_region *boundary)
{
	return sw_points_split(&computation->points, computation->need, computation->inputs, device, arena, interior,
		boundary);
}

bool sw_computation_tasks(const sw_computation *computation, int64_t steps, int64_t every, const sw_pulse *pulse,
	sw_arena *arena, sw_tasks *tasks, sw_diag *diag)
{
	if (computation->first >= 0)
		return sw_tasks_count(&(sw_repetition){computation->need, computation->inputs, steps, every}, pulse, arena,
				   tasks, diag) ||
			(computation->asked->stopped && sw_computation_failed(computation, diag));
	return sw_diag_set(diag, SW_F17, computation->formula.access[0].at,
		"it reads no array that its result could replace");
}
