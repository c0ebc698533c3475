/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading out what was chosen.
 */
#include "program/assign_fill.h"

#include <string.h>

#include "program/names.h"
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
	sw_arena *arena;
	sw_program *out;
	sw_assignment *found;
	sw_names names;
	sw_typing uses;    /* in types that are not filled in yet */
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

	if (was_ended(net) ? net->program->statements <= AT_ONCE : sw_net_goes_on(net, done))
		return true;
	return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before types were filled in");
}

/* A home that was chosen; one that is as that of the value before is the same. */
static const sw_type *chosen_home(const sw_net *net, int v, const int32_t *values, const sw_type *before,
	sw_arena *arena)
{
	sw_type type = net->program->value[v].home, *own;

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
		home[v] = value->open ? chosen_home(net, v, values, v > 0 ? home[v - 1] : NULL, arena) : &value->home;
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

static void add_value(struct filler *f, int v)
{
	f->kept[v] = (struct kept){.at = f->out->values,
		.home = is_moved(f, v) ? -1 : f->out->values,
		.second = -1,
		.home_state = sw_net_home(f->net, v, f->values),
		.second_state = sw_net_second(f->net, v, f->values)};
	f->out->value[f->out->values] = f->net->program->value[v];
	f->out->value[f->out->values].home = *f->found->home[v];
	f->out->value[f->out->values++].open = false;
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
	const sw_program *p = f->net->program;
	sw_str name = sw_names_take(&f->names, p->value[v].name);
	sw_program *out = f->out;
	sw_program_statement *statement = &out->statement[out->statements];
	sw_type type = type_at(f, v, state);
	const sw_statement_types *types = sw_typing_share(&f->uses, &(sw_statement_types){.use = {type}});

	if (name.at == NULL || types == NULL)
		return -1;
	*statement = (sw_program_statement){.op = SW_DO_REDISTRIBUTE,
		.count = 1,
		.operand = {from},
		.types = types,
		.home_given = true,
		.at = p->value[v].at};
	out->value[out->values] = (sw_value){.name = name, .home = type, .at = p->value[v].at};
	f->move[f->found->moves++] = (sw_assign_move){.value = v, .from = from, .made = out->values};
	out->statements++;
	return out->values++;
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
	const sw_type *home = &f->out->value[begin].home;

	return sw_type_space_find(&f->net->value[v].space->types, home) == state ? *home : type_at(f, v, state);
}

/* Operands of a body are taken as they lie. */
static bool fill_operand(struct filler *f, int s, int k, sw_program_statement *statement, sw_type *use)
{
	int v = statement->operand[k];
	bool body = f->net->form[s] == NULL;
	int32_t state = body ? -1 : sw_net_form(f->net, s, f->values).use[k];
	int begin = body ? f->kept[v].at : begin_of(f, v, state);

	if (begin < 0)
		return sw_diag_memory(f->diag);
	statement->operand[k] = begin;
	if (!body)
		use[k] = use_type(f, v, begin, state);
	return true;
}

static bool add_statement(struct filler *f, int s)
{
	const sw_program *p = f->net->program;
	sw_program_statement statement = p->statement[s];
	sw_statement_types types = {0};

	for (int k = 0; k < statement.count; k++)
		if (!fill_operand(f, s, k, &statement, types.use))
			return false;
	statement.types = sw_typing_share(&f->uses, &types);
	if (statement.types == NULL)
		return sw_diag_memory(f->diag);
	statement.home_given = true;
	f->out->statement[f->out->statements++] = statement;
	add_value(f, sw_program_value_of(p, s));
	return true;
}

static bool fill_return(struct filler *f)
{
	const sw_program *p = f->net->program;
	int v = p->returned;
	int32_t state = p->result_open ? -1 : sw_type_space_find(&f->net->value[v].space->types, &p->result);
	int begin = state < 0 ? f->kept[v].at : begin_of(f, v, state);

	if (begin < 0)
		return sw_diag_memory(f->diag);
	f->out->returned = begin;
	if (p->result_open)
		f->out->result = f->out->value[begin].home;
	f->out->result_open = false;
	return true;
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
	int moves = most_moves(f), most = p->values + moves;

	*f->out = *p;
	f->out->values = f->out->statements = 0;
	f->out->value = SW_NEW(f->arena, sw_value, most);
	f->out->statement = SW_NEW(f->arena, sw_program_statement, most);
	f->kept = SW_NEW(f->net->arena, struct kept, p->values);
	f->found->move = f->move = SW_NEW(f->arena, sw_assign_move, moves);
	if (f->out->value == NULL || f->out->statement == NULL || f->kept == NULL || f->move == NULL)
		return sw_diag_memory(f->diag);
	sw_names_start(&f->names, f->arena);
	for (int v = 0; v < p->values; v++)
		if (!sw_names_add(&f->names, p->value[v].name, 0))
			return sw_diag_memory(f->diag);
	return true;
}

bool sw_fill_program(sw_net *net, const int32_t *values, sw_arena *arena, sw_program *assigned, sw_assignment *out,
	sw_diag *diag)
{
	struct filler f = {.net = net,
		.values = values,
		.arena = arena,
		.out = assigned,
		.found = out,
		.uses = {.arena = net->arena},
		.diag = diag};
	sw_typing typing = {.arena = arena};

	if (!begin(&f))
		return false;
	for (int v = 0; v < net->program->inputs; v++)
		add_value(&f, v);
	for (int s = 0; s < net->program->statements; s++)
		if (!goes_on(net, s, diag) || !add_statement(&f, s))
			return false;
	const sw_pulse *pulse = was_ended(net) ? NULL : net->store.pulse;
	if (!fill_return(&f) || !sw_typing_all(&typing, assigned, true, pulse, diag))
		return false;
	return sw_typing_elements(&typing, assigned, diag) && sw_typing_notes(assigned, arena, diag);
}
