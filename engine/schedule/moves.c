/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves in the steps of a schedule: messages, as the lowering says them, between what devices store.
 *
 * A unit of an outer level keeps what it fetched on its first device, and has at home what its devices have there.
 */
#include "schedule/program.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/schedule_program.h>

#include "program/ops.h"
#include "schedule/lower.h"

bool sw_program_sends(const sw_program *program, int s)
{
	sw_op op = program->step[s].op;

	return sw_workings_of(op)->sends;
}

bool sw_program_sends_terms(const sw_program *program, int s)
{
	const sw_iteration *iteration = program->step[s].iteration;

	return iteration != NULL && iteration->fetch >= 0 && iteration->lowering->fetch[iteration->fetch].array == 0;
}

bool sw_program_partial(const sw_program *program, int s)
{
	const sw_iteration *iteration = program->step[s].iteration;

	return iteration != NULL && !iteration->last && !sw_step_does(&program->step[s], SW_DOES_START) &&
		(iteration->fetch < 0 || sw_program_sends_terms(program, s));
}

const sw_lowering *sw_program_lowering(const sw_program *program)
{
	for (int s = 0; s < program->steps; s++)
		if (program->step[s].iteration != NULL)
			return program->step[s].iteration->lowering;
	return NULL;
}

/* ---- what devices store ---- */

/* Of one value; regions and how they are stored are worked out when they are asked for. */
typedef struct stores {
	sw_holding holding;
	bool *known;
	sw_region *region;
	sw_local *local;
} stores;

enum { RESULT = SW_MAX_OPERANDS };

typedef struct moving {
	const sw_program *program;
	int s;
	const sw_step *step;
	const sw_iteration *iteration;
	const sw_lowering *lowering;
	const sw_fetch *fetch;
	const sw_mesh *mesh;
	sw_arena *arena;
	sw_iteration_use use;
	void *user;
	sw_diag *diag;
	stores of[SW_MAX_OPERANDS + 1];
	sw_region *taken; /* of each device, what it has taken so far */
	sw_iteration_move move;
	bool stopped; /* by `use` */
} moving;

static bool open_store(moving *m, int operand, int value)
{
	stores *of = &m->of[operand];
	int64_t devices = m->mesh->devices;

	of->known = SW_NEW_ZERO(m->arena, bool, devices);
	of->region = SW_NEW_ZERO(m->arena, sw_region, devices);
	of->local = SW_NEW_ZERO(m->arena, sw_local, devices);
	return of->known != NULL && of->region != NULL && of->local != NULL &&
		sw_program_holding(m->program, value, m->arena, &of->holding);
}

static bool open_stores(moving *m)
{
	bool open = open_store(m, RESULT, sw_program_value_of(m->program, m->s));

	for (int i = 0; i < m->step->operands && open; i++)
		open = open_store(m, i, m->step->operand[i]);
	m->taken = SW_NEW_ZERO(m->arena, sw_region, m->mesh->devices);
	for (int64_t d = 0; m->taken != NULL && d < m->mesh->devices; d++)
		m->taken[d].rank = m->of[RESULT].holding.rank;
	return open && m->taken != NULL;
}

static bool stored_by(moving *m, int operand, int64_t device)
{
	stores *of = &m->of[operand];

	if (of->known[device])
		return true;
	of->known[device] = sw_holding_region(&of->holding, device, m->arena, &of->region[device]) &&
		sw_local_of(&of->region[device], m->arena, &of->local[device]);
	return of->known[device];
}

/* ---- one place after the other ---- */

static bool hand_on(void *user, const sw_loops *loops)
{
	moving *m = user;

	m->move.loops = loops;
	m->stopped = !m->use(m->user, &m->move);
	return !m->stopped;
}

/* What `from` has of `left` in an operand goes to `to`, and is left no more.  false: no memory. */
static bool take_from(moving *m, int operand, int64_t from, int64_t to, sw_region *left)
{
	sw_region some;

	if (operand < 0 || left->count == 0)
		return true;
	if (!stored_by(m, operand, from) || !stored_by(m, RESULT, to) ||
		!sw_region_meet(left, &m->of[operand].region[from], m->arena, &some) ||
		!sw_region_meet(&some, &m->of[RESULT].region[to], m->arena, &some))
		return false;
	if (some.count == 0)
		return true;
	m->move = (sw_iteration_move){from, to, operand, NULL};
	return sw_local_loops(&some, &m->of[operand].local[from], &m->of[RESULT].local[to], m->arena, hand_on, m) &&
		sw_region_minus(left, &some, m->arena, left);
}

/* From the homes of all devices of a unit. */
static bool take_from_homes(moving *m, int level, int64_t unit, int64_t to, sw_region *left)
{
	int64_t first = sw_unit_first(m->mesh, level, unit), count = sw_unit_devices(m->mesh, level);
	bool taken = true;

	for (int64_t d = first; d < first + count && taken && left->count > 0; d++)
		taken = take_from(m, m->iteration->home[m->fetch->array], d, to, left);
	return taken;
}

static bool refuse_missing(const moving *m, int64_t to, const sw_region *left)
{
	sw_text text = {0};

	sw_region_print(left, &text);
	sw_diag_set(m->diag, SW_P04, m->step->at,
		"in step %lld of the schedule device %lld reads %s of '%.*s', which no device has",
		(long long)m->iteration->step + 1, (long long)to, sw_text_get(&text),
		(int)sw_iteration_formula(m->iteration)->array[m->fetch->array].name.length,
		sw_iteration_formula(m->iteration)->array[m->fetch->array].name.at);
	sw_text_free(&text);
	return false;
}

/* ---- fetching ---- */

/* What a unit has: in the buffer of the step before, and at home.  Where both have it either is right. */
static bool take_from_unit(moving *m, int64_t unit, bool home_first, int64_t to, sw_region *left)
{
	int level = m->fetch->level, buffer = m->iteration->buffer[m->iteration->fetch];
	int64_t first = sw_unit_first(m->mesh, level, unit);

	if (home_first)
		return take_from_homes(m, level, unit, to, left) && take_from(m, buffer, first, to, left);
	return take_from(m, buffer, first, to, left) && take_from_homes(m, level, unit, to, left);
}

/* From the copy of the node in which a device is. */
static bool take_from_copy(moving *m, int64_t to, sw_region *left)
{
	int outer = sw_fetch_outer(m->lowering, m->iteration->fetch);

	if (outer < 0)
		return true;
	int level = m->lowering->fetch[outer].level;
	int64_t node = to / sw_unit_devices(m->mesh, level);
	return take_from(m, m->iteration->buffer[outer], sw_unit_first(m->mesh, level, node), to, left) &&
		take_from_homes(m, level, node, to, left);
}

static bool region_of_message(const moving *m, const sw_schedule_message *message, sw_region *region)
{
	const sw_boxes box = {m->of[RESULT].holding.rank, 1, message->box};

	return sw_region_of_boxes(&box, m->arena, region);
}

static bool receive(moving *m, const sw_schedule_message *message)
{
	int64_t to = sw_unit_first(m->mesh, m->fetch->level, message->to);
	sw_region left, all;

	if (!region_of_message(m, message, &left))
		return false;
	all = left;
	bool taken = message->from == SW_NODE_COPY ?
		take_from_copy(m, to, &left) :
		take_from_unit(m, message->from, message->source == SW_SOURCE_HOME, to, &left);
	if (!taken || !sw_region_union(&m->taken[to], &all, m->arena, &m->taken[to]))
		return false;
	return left.count == 0 || refuse_missing(m, to, &left);
}

/* What nobody sends a unit has: at home, or from before. */
static bool keep_rest(moving *m, int64_t unit)
{
	int64_t to = sw_unit_first(m->mesh, m->fetch->level, unit);
	sw_region left;

	if (!stored_by(m, RESULT, to) || !sw_region_minus(&m->of[RESULT].region[to], &m->taken[to], m->arena, &left) ||
		!take_from_unit(m, unit, true, to, &left))
		return false;
	return left.count == 0 || refuse_missing(m, to, &left);
}

static bool fetch(moving *m, const sw_schedule_messages *messages)
{
	int64_t ins = messages->count - messages->outs, units = sw_schedule_units(m->mesh, m->fetch->level);
	bool moved = true;

	for (int64_t n = 0; n < ins && moved; n++)
		moved = messages->message[n].fetch != m->iteration->fetch || receive(m, &messages->message[n]);
	for (int64_t unit = 0; unit < units && moved; unit++)
		moved = keep_rest(m, unit);
	return moved;
}

/* ---- giving away ---- */

/* A term goes to a device that keeps what it is of, or to the copy of its node. */
static bool give_to(moving *m, int operand, int64_t from, int64_t to, const sw_region *box)
{
	sw_region left = *box;

	return take_from(m, operand, from, to, &left);
}

/* The same of all of it. */
static bool give_all_to(moving *m, int operand, int64_t from, int64_t to, const sw_region *box)
{
	sw_region left = *box;

	return take_from(m, operand, from, to, &left) && (left.count == 0 || refuse_missing(m, to, &left));
}

/* Is it a message of this step? */
static bool is_given(const moving *m, const sw_schedule_message *message)
{
	int inner = sw_fetch_inner(m->lowering, 0);

	if (message->behind != (m->iteration->step == m->lowering->steps))
		return false;
	if (m->iteration->to_copies)
		return message->to == SW_NODE_COPY;
	if (m->iteration->fetch == inner)
		return message->from != SW_NODE_COPY && message->to != SW_NODE_COPY && message->fetch == inner;
	return message->from == SW_NODE_COPY || message->fetch == m->iteration->fetch;
}

/* Boxes of a copy meet, and what is in several of them is stored once: it goes to an owner with the first. */
static bool leave_earlier(moving *m, const sw_schedule_messages *messages, int64_t n, sw_region *box)
{
	const sw_schedule_message *message = &messages->message[n];
	bool left = true;

	for (int64_t k = messages->count - messages->outs; k < n && left && m->iteration->fetch == m->lowering->in->copy;
		 k++) {
		const sw_schedule_message *earlier = &messages->message[k];
		sw_region region;
		if (is_given(m, earlier) && earlier->from == message->from && earlier->owner == message->owner)
			left = region_of_message(m, earlier, &region) && sw_region_minus(box, &region, m->arena, box);
	}
	return left;
}

static bool send_term(moving *m, const sw_schedule_messages *messages, int64_t n)
{
	const sw_schedule_message *message = &messages->message[n];
	int operand = m->iteration->buffer[m->iteration->fetch];
	int64_t devices = sw_unit_devices(m->mesh, m->fetch->level);
	sw_region box;

	if (!region_of_message(m, message, &box) || !leave_earlier(m, messages, n, &box))
		return false;
	if (message->to == SW_NODE_COPY) {
		int outer = sw_fetch_outer(m->lowering, m->iteration->fetch);
		int64_t node = sw_unit_devices(m->mesh, m->lowering->fetch[outer].level);
		return give_all_to(m, operand, message->from, message->from / node * node, &box);
	}
	int64_t from = message->from == SW_NODE_COPY ? message->owner / devices : message->from;
	return give_all_to(m, operand, from * devices, message->owner, &box);
}

bool sw_goes_on_in_box(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	bool *same)
{
	sw_boxes now, old;

	*same = false;
	if (step == 0 || step == lowering->steps)
		return true;
	if (!sw_lowering_need(lowering, fetch, step, unit, arena, &now) ||
		!sw_lowering_need(lowering, fetch, step - 1, unit, arena, &old))
		return false;
	*same = sw_boxes_equal(&now, &old);
	return true;
}

bool sw_copy_ends(const sw_lowering *lowering, int64_t from, int64_t to, int64_t node, sw_arena *arena, bool *ends)
{
	const struct sw_lowered *lowered = lowering->in;
	int64_t every = lowered->fetch[lowered->copy].every;

	*ends = false;
	for (int64_t step = (from / every + 1) * every; step <= to && step < lowering->steps && !*ends; step += every) {
		sw_box_list old = {.arena = arena, .rank = lowered->formula->array[0].rank}, now = old;
		if (!sw_lowered_copy(lowered, step - 1, INT64_MAX, node, &old) ||
			!sw_lowered_need_at(lowered, lowered->copy, step, node, &now))
			return false;
		sw_boxes was = {old.rank, old.count, old.at}, is = {now.rank, now.count, now.at};
		*ends = !sw_boxes_equal(&was, &is);
	}
	return true;
}

/* What was added up where it is kept, though in a buffer, comes there once its device goes on to other boxes: with copies of nodes only what
 * goes to none. */
static bool keep_own(moving *m, int64_t device)
{
	const struct sw_lowered *lowered = m->lowering->in;
	int f = m->iteration->fetch, operand = m->iteration->buffer[f];
	sw_box_list given = {.arena = m->arena, .rank = m->of[RESULT].holding.rank};
	bool same;

	if (!sw_goes_on_in_box(m->lowering, f, m->iteration->step, device, m->arena, &same))
		return false;
	if (same)
		return true;
	if (!sw_lowered_given(lowered, m->iteration->step, device, &given))
		return false;
	if (given.count > 0 && lowered->copy >= 0)
		return true;
	return stored_by(m, operand, device) && give_to(m, operand, device, device, &m->of[operand].region[device]);
}

static bool give(moving *m, const sw_schedule_messages *messages)
{
	bool own = !m->iteration->to_copies && m->iteration->fetch == sw_fetch_inner(m->lowering, 0), given = true;

	for (int64_t d = 0; own && d < m->mesh->devices && given; d++)
		given = keep_own(m, d);
	for (int64_t n = messages->count - messages->outs; n < messages->count && given; n++)
		given = !is_given(m, &messages->message[n]) || send_term(m, messages, n);
	return given;
}

/* ---- a step ---- */

bool sw_program_each_move(const sw_program *program, int s, sw_arena *arena, sw_iteration_use use, void *user,
	sw_diag *diag)
{
	const sw_iteration *iteration = program->step[s].iteration;
	moving m = {.program = program,
		.s = s,
		.step = &program->step[s],
		.iteration = iteration,
		.lowering = iteration->lowering,
		.fetch = &iteration->lowering->fetch[iteration->fetch],
		.mesh = &program->mesh,
		.arena = arena,
		.use = use,
		.user = user,
		.diag = diag};
	sw_schedule_messages messages;
	sw_diag own = {0};
	bool terms = sw_program_sends_terms(program, s);

	assert(sw_program_sends(program, s));
	m.diag = &own;
	int64_t step = sw_smaller(iteration->step, iteration->lowering->steps - 1);
	bool moved = open_stores(&m) && sw_lowering_messages(iteration->lowering, step, arena, &messages) &&
		(terms ? give : fetch)(&m, &messages);
	if (moved || m.stopped)
		return moved;
	if (diag != NULL && own.code != 0)
		*diag = own;
	return own.code != 0 ? false : sw_diag_memory(diag);
}
