/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading out what was chosen.
 */
#include "program/assign_fill.h"

#include "program/names.h"
#include "program/ops.h"
#include "program/typing.h"

/* Where the uses of a value begin: at the value itself, or at values that are made of it. */
struct kept {
	int at;           /* the value, in the program that is filled */
	int home, second; /* those values; -1: not made yet, or there is none */
	int32_t home_state, second_state;
};

struct filler {
	sw_net *net;
	const int32_t *values;
	sw_typing typing; /* of the program that is filled */
	sw_assignment *found;
	sw_names names;
	struct kept *kept; /* by values of the program before */
	sw_assign_move *move;
	sw_diag *diag;
};

static bool was_ended(const sw_net *net)
{
	return net->store.failure == SW_COSTS_STOPPED;
}

/* What was found before the work was ended is filled in without asking again, where that takes no time. */
static bool goes_on(sw_net *net, int done, sw_diag *diag)
{
	enum { AT_ONCE = 1 << 13 };

	if (was_ended(net) ? net->program->steps <= AT_ONCE : sw_net_goes_on(net, done))
		return true;
	return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before types were filled in");
}

/* A home that was chosen; one that is as that of the value before is the same. */
static const sw_type *chosen_home(const sw_net *net, int v, const int32_t *values, const sw_type *before,
	sw_arena *arena)
{
	sw_type type = *net->program->value[v].type, *own;

	sw_type_space_at(&net->value[v].space->types, sw_net_home(net, v, values), &type);
	if (before != NULL && sw_type_equal(before, &type) && before->dtype_given == type.dtype_given)
		return before;
	own = SW_NEW(arena, sw_type, 1);
	if (own != NULL)
		*own = type;
	return own;
}

bool sw_fill_homes(sw_net *net, const int32_t *values, sw_arena *arena, const sw_type *const **homes, sw_diag *diag)
{
	const sw_program *p = net->program;
	const sw_type **home = SW_NEW(arena, const sw_type *, p->values);

	*homes = home;
	if (home == NULL)
		return sw_diag_memory(diag);
	for (int v = 0; v < p->values; v++) {
		const sw_value *value = &p->value[v];

		if (!goes_on(net, v, diag))
			return false;
		home[v] = value->open ? chosen_home(net, v, values, v > 0 ? home[v - 1] : NULL, arena) : value->type;
		if (home[v] == NULL)
			return sw_diag_memory(diag);
	}
	return true;
}

/* ---- values ---- */

static bool is_moved(const struct filler *f, int v)
{
	int32_t given = f->net->value[v].given;

	return given >= 0 && given != sw_net_home(f->net, v, f->values);
}

/* What is known of a value of the program before, which is now this one. */
static void keep(struct filler *f, int v, int at)
{
	f->kept[v] = (struct kept){.at = at,
		.home = is_moved(f, v) ? -1 : at,
		.second = -1,
		.home_state = sw_net_home(f->net, v, f->values),
		.second_state = sw_net_second(f->net, v, f->values)};
}

/* The type of a state of a value; that of its home as it was written. */
static sw_type type_at(const struct filler *f, int v, int32_t state)
{
	const sw_type_space *types = &f->net->value[v].space->types;
	sw_type type = *f->found->home[v];

	if (sw_type_space_find(types, &type) != state)
		sw_type_space_at(types, state, &type);
	return type;
}

/* A value of its own: `from`, of which value `v` is made, in another type.  Its number, -1: memory. */
static int add_move(struct filler *f, int v, int from, int32_t state)
{
	sw_span at = f->net->program->value[v].at;
	sw_type type = type_at(f, v, state);
	const sw_step step = {.op = SW_REDISTRIBUTE, .operands = 1, .operand = {from}, .at = at};
	const sw_value value = {.name = sw_names_take(&f->names, f->net->program->value[v].name),
		.at = at,
		.type = &type};
	int made = value.name.at == NULL ? -1 : sw_typing_step(&f->typing, &step, &value, f->diag);

	if (made >= 0)
		f->move[f->found->moves++] = (sw_assign_move){.value = v, .from = from, .made = made};
	return made;
}

/* ---- uses ---- */

/* The value at which a use begins, made where this is the first; -1: memory. */
static int begin_of(struct filler *f, int v, int32_t use)
{
	struct kept *kept = &f->kept[v];

	if (kept->home < 0 && (kept->home = add_move(f, v, kept->at, kept->home_state)) < 0)
		return -1;
	if (!sw_net_begins_second(f->net, v, f->values, use))
		return kept->home;
	if (kept->second < 0)
		kept->second = add_move(f, v, kept->home, kept->second_state);
	return kept->second;
}

/* Uses that are alike keep the type as it was written. */
static sw_type use_type(const struct filler *f, int v, int begin, int32_t state)
{
	const sw_type *home = f->typing.program->value[begin].type;

	return sw_type_space_find(&f->net->value[v].space->types, home) == state ? *home : type_at(f, v, state);
}

/* Operands that are taken as they lie have no form. */
static bool begin_operands(struct filler *f, int s, sw_step *step)
{
	bool formed = f->net->form[s] != NULL;

	for (int k = 0; k < step->operands; k++) {
		int v = step->operand[k];

		step->operand[k] = formed ? begin_of(f, v, sw_net_form(f->net, s, f->values).use[k]) : f->kept[v].at;
		if (step->operand[k] < 0)
			return sw_diag_memory(f->diag);
	}
	return true;
}

/* A redistribution leads from where its operand lies. */
static bool use_operands(struct filler *f, int s, sw_step *step)
{
	const sw_step *before = &f->net->program->step[s];
	bool computes = sw_op_computes(step->op);

	for (int k = 0; k < step->operands && f->net->form[s] != NULL && computes; k++) {
		int32_t state = sw_net_form(f->net, s, f->values).use[k];
		sw_type use = use_type(f, before->operand[k], step->operand[k], state);

		step->operand[k] = sw_typing_use(&f->typing, step->operand[k], &use, f->diag);
		if (step->operand[k] < 0)
			return false;
	}
	return true;
}

/* The value in which what a statement makes is kept; -1: it cannot be. */
static int fill_statement(struct filler *f, int s)
{
	const sw_program *p = f->net->program;
	const sw_type *home = f->found->home[sw_program_value_of(p, s)];
	sw_step step = p->step[s];
	sw_value value = p->value[sw_program_value_of(p, s)];

	value.open = false;
	value.type = home;
	if (!begin_operands(f, s, &step) || !use_operands(f, s, &step))
		return -1;
	int made = sw_typing_step(&f->typing, &step, &value, f->diag);
	return made < 0 || step.body != NULL ? made : sw_typing_keep(&f->typing, home, NULL, f->diag);
}

static bool add_statement(struct filler *f, int s)
{
	int kept = fill_statement(f, s);

	if (kept < 0 && f->diag != NULL && f->diag->at.end == 0)
		f->diag->at = f->net->program->step[s].at;
	if (kept >= 0)
		keep(f, sw_program_value_of(f->net->program, s), kept);
	return kept >= 0;
}

static bool fill_return(struct filler *f)
{
	const sw_program *p = f->net->program;
	int v = p->returned;
	int32_t state = p->result_open ? -1 : sw_type_space_find(&f->net->value[v].space->types, p->result);
	int begin = state < 0 ? f->kept[v].at : begin_of(f, v, state);

	if (begin < 0)
		return sw_diag_memory(f->diag);
	return sw_typing_return(&f->typing, begin, p->result_open ? NULL : p->result, NULL, true, f->diag);
}

/* ---- all ---- */

/* How many moves there are at most. */
static int most_moves(const struct filler *f)
{
	int moves = 0;

	for (int v = 0; v < f->net->program->values; v++)
		moves += is_moved(f, v) + (sw_net_second(f->net, v, f->values) >= 0);
	return moves;
}

static bool begin(struct filler *f)
{
	const sw_program *p = f->net->program;
	sw_arena *arena = f->typing.arena;
	int moves = most_moves(f);

	*f->typing.program = (sw_program){.mesh = p->mesh, .name = p->name, .text = p->text, .rounds = p->rounds};
	f->typing.likely = p->values + moves;
	f->kept = SW_NEW(f->net->arena, struct kept, p->values);
	f->found->move = f->move = SW_NEW(arena, sw_assign_move, moves);
	if (f->kept == NULL || f->move == NULL)
		return sw_diag_memory(f->diag);
	sw_names_start(&f->names, arena);
	for (int v = 0; v < p->values; v++)
		if (!sw_names_add(&f->names, p->value[v].name, 0))
			return sw_diag_memory(f->diag);
	return true;
}

static bool add_input(struct filler *f, int v)
{
	sw_value value = f->net->program->value[v];

	value.open = false;
	value.type = f->found->home[v];
	keep(f, v, v);
	return sw_typing_input(&f->typing, &value) || sw_diag_memory(f->diag);
}

static void end_loop(struct filler *f)
{
	f->typing.program->loop = f->typing.program->steps;
	f->typing.program->brings = f->kept[f->net->program->brings].at;
}

bool sw_fill_program(sw_net *net, const int32_t *values, sw_arena *arena, sw_program *assigned, sw_assignment *out,
	sw_diag *diag)
{
	struct filler f = {.net = net,
		.values = values,
		.typing = {.program = assigned, .arena = arena},
		.found = out,
		.diag = diag};

	if (!begin(&f))
		return false;
	for (int v = 0; v < net->program->inputs; v++)
		if (!add_input(&f, v))
			return false;
	for (int s = 0; s < net->program->steps; s++) {
		if (!goes_on(net, s, diag) || !add_statement(&f, s))
			return false;
		if (s + 1 == net->program->loop)
			end_loop(&f);
	}
	return fill_return(&f) && sw_typing_finish(&f.typing, diag);
}
