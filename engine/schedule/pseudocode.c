/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules as pseudocode: processors in parallel, loops in time, and what moves in them.
 *
 * Source: seed 003, figures 10, 11 and 13.
 */
#include <assert.h>
#include <string.h>

#include "schedule/lower.h"

typedef struct printer {
	const sw_lowering *lowering;
	sw_text *text;
	sw_arena *arena;
	int depth;
	int *inside; /* of each loop: the depth of what is in it */
} printer;

static void line(printer *p)
{
	for (int k = 0; k < p->depth; k++)
		sw_text_add(p->text, "    ");
}

static sw_str array_name(const printer *p, int array)
{
	return p->lowering->schedule->problem->formula.array[array].name;
}

/* ---- the head ---- */

static void print_grid(printer *p)
{
	const sw_mesh *mesh = p->lowering->schedule->problem->mesh;

	sw_text_add(p->text, "# Arrange ");
	sw_text_add_int(p->text, mesh->devices);
	sw_text_add(p->text, mesh->devices == 1 ? " processor into a grid of " : " processors into a grid of ");
	for (int axis = 0; axis < mesh->count; axis++) {
		bool deeper = axis > 0 && mesh->axis[axis].level > mesh->axis[axis - 1].level;
		sw_text_add(p->text, axis == 0 ? "" : deeper ? ", each of " : " x ");
		sw_text_add_int(p->text, mesh->axis[axis].size);
	}
	sw_text_add(p->text, ".\n");
}

/* Where a part of each array is: the arrays that all processors have a part of, then the others. */
static void print_homes(printer *p)
{
	const struct sw_lowered *in = p->lowering->in;

	for (int array = 0; array < in->formula->arrays; array++) {
		int64_t owners = 0, processors = in->units[in->levels];
		for (int64_t unit = 0; unit < processors; unit++)
			owners += sw_lowered_home(in, array, in->levels, unit).count > 0;
		sw_text_add(p->text, "# Assign a tile of ");
		sw_text_add_str(p->text, array_name(p, array));
		sw_text_addf(p->text, owners == processors ? " to each processor.\n" : " to each of %lld processors.\n",
			(long long)owners);
	}
}

/* ---- what moves ---- */

/* The name of the processors over which a fetch of the second step goes, by its messages: the words of the figures. */
static const char *verb_of(sw_schedule_pattern_name name)
{
	static const char *const verb[] = {
		[SW_SCHEDULE_PATTERN_NONE] = "keep",
		[SW_SCHEDULE_PATTERN_SHIFT] = "shift",
		[SW_SCHEDULE_PATTERN_PERMUTE] = "permute",
		[SW_SCHEDULE_PATTERN_BROADCAST] = "broadcast",
		[SW_SCHEDULE_PATTERN_EXCHANGE] = "exchange",
		[SW_SCHEDULE_PATTERN_REDUCE] = "sum reduce",
		[SW_SCHEDULE_PATTERN_WRITE] = "write",
	};

	return verb[name];
}

/* How far a shift goes: in words on two axes, else by coordinates. */
static void print_offset(printer *p, const sw_schedule_pattern *pattern)
{
	static const char *const word[2][2] = {{"down", "up"}, {"to the right", "to the left"}};
	int moved = 0, axis = 0;

	for (int k = 0; k < pattern->axes; k++)
		if (pattern->offset[k] != 0) {
			moved++;
			axis = k;
		}
	int64_t by = pattern->offset[axis];
	if (pattern->axes == 2 && moved == 1) {
		sw_text_addf(p->text, " %lld %s %s", (long long)(by < 0 ? -by : by), by == 1 || by == -1 ? "space" : "spaces",
			word[axis][by < 0]);
		return;
	}
	for (int k = 0; k < pattern->axes; k++)
		sw_text_addf(p->text, "%s%lld", k == 0 ? " by (" : ", ", (long long)pattern->offset[k]);
	sw_text_add(p->text, ")");
}

/* What a fetch does when its loop goes on. */
typedef struct moves {
	sw_schedule_pattern pattern; /* of the first time that something moves; messages and elements are the most */
	bool alike;                  /* it is so each time */
	bool named;                  /* the pattern is, whatever its numbers */
} moves;

#define TIMES_MOST 4096 /* of all processors, for which messages are looked at */

static bool same_offset(const sw_schedule_pattern *a, const sw_schedule_pattern *b)
{
	bool same = a->axes == b->axes;

	for (int k = 0; k < a->axes && same && a->name == SW_SCHEDULE_PATTERN_SHIFT; k++)
		same = a->offset[k] == b->offset[k];
	return same;
}

/* Those of the iteration before alone, without what the last one gives away. */
static void leave_last(sw_schedule_messages *messages)
{
	while (messages->outs > 0 && messages->message[messages->count - 1].behind) {
		messages->outs--;
		messages->count--;
	}
}

static bool add_moves(printer *p, int fetch, int64_t step, bool first, moves *all)
{
	sw_schedule_messages messages;
	sw_schedule_pattern now, *most = &all->pattern;

	if (!sw_lowering_messages(p->lowering, step, p->arena, &messages))
		return false;
	if (p->lowering->fetch[fetch].every < p->lowering->steps)
		leave_last(&messages);
	if (!sw_lowering_pattern(p->lowering, fetch, &messages, p->arena, &now))
		return false;
	if (first)
		*all = (moves){now, true, true};
	all->alike = all->alike && now.messages == most->messages && now.elements == most->elements;
	if (most->name == SW_SCHEDULE_PATTERN_NONE)
		*most = now;
	if (now.name == SW_SCHEDULE_PATTERN_NONE)
		return true;
	all->named = all->named && now.name == most->name && same_offset(&now, most);
	all->alike = all->alike && all->named;
	most->messages = now.messages > most->messages ? now.messages : most->messages;
	most->elements = now.elements > most->elements ? now.elements : most->elements;
	return true;
}

/* From the second iteration on, of the left side what the one before gives away; behind the last one where there is one alone. */
static bool find_moves(printer *p, int fetch, moves *all)
{
	const sw_lowering *lowering = p->lowering;
	const sw_fetch *is = &lowering->fetch[fetch];
	int64_t most = TIMES_MOST / lowering->in->units[lowering->in->levels] + 8;

	if (is->every >= lowering->steps)
		return add_moves(p, fetch, is->array == 0 ? lowering->steps - 1 : 0, true, all);
	for (int64_t n = 1; n <= most && n * is->every < lowering->steps; n++)
		if (!add_moves(p, fetch, n * is->every, n == 1, all))
			return false;
	return true;
}

static void print_moves(printer *p, int fetch, const moves *all)
{
	const sw_fetch *is = &p->lowering->fetch[fetch];
	const sw_schedule_pattern *pattern = &all->pattern;

	if (pattern->name == SW_SCHEDULE_PATTERN_NONE)
		return;
	line(p);
	sw_text_add(p->text, all->named || is->array == 0 ? verb_of(pattern->name) : "fetch");
	sw_text_add_char(p->text, ' ');
	sw_text_add_str(p->text, array_name(p, is->array));
	if (p->lowering->in->levels > 1)
		sw_text_addf(p->text, is->level < p->lowering->in->levels ? " between nodes" : " inside nodes");
	if (pattern->name == SW_SCHEDULE_PATTERN_SHIFT && all->named)
		print_offset(p, pattern);
	sw_text_addf(p->text, "  # %s%lld message%s, %lld element%s\n", all->alike ? "" : "up to ",
		(long long)pattern->messages, pattern->messages == 1 ? "" : "s", (long long)pattern->elements,
		pattern->elements == 1 ? "" : "s");
}

/* The fetches of inputs under a loop, as they are in its first iteration, or once that is over: what happens again. */
static bool print_fetches(printer *p, int loop, bool first)
{
	for (int fetch = 0; fetch < p->lowering->fetches; fetch++) {
		const sw_fetch *is = &p->lowering->fetch[fetch];
		moves all;
		if (is->loop != loop || is->array == 0)
			continue;
		if (!(first ? add_moves(p, fetch, 0, true, &all) : find_moves(p, fetch, &all)))
			return false;
		print_moves(p, fetch, &all);
	}
	return true;
}

/* Does a fetch of inputs under this loop move another way in its first iteration? */
static bool starts_apart(printer *p, int loop, bool *apart)
{
	sw_schedule_messages messages;
	sw_schedule_pattern first, next;

	*apart = false;
	for (int fetch = 0; fetch < p->lowering->fetches; fetch++) {
		const sw_fetch *is = &p->lowering->fetch[fetch];
		if (is->loop != loop || is->array == 0 || is->every >= p->lowering->steps)
			continue;
		if (!sw_lowering_messages(p->lowering, 0, p->arena, &messages) ||
			!sw_lowering_pattern(p->lowering, fetch, &messages, p->arena, &first) ||
			!sw_lowering_messages(p->lowering, is->every, p->arena, &messages) ||
			!sw_lowering_pattern(p->lowering, fetch, &messages, p->arena, &next))
			return false;
		*apart = *apart || (first.name != next.name && first.name != SW_SCHEDULE_PATTERN_NONE);
	}
	return true;
}

/* ---- loops ---- */

static void print_space(printer *p, int loop, int end)
{
	const sw_schedule *schedule = p->lowering->schedule;

	line(p);
	sw_text_add(p->text, "for all P(");
	for (int k = loop; k < end; k++) {
		sw_text_add(p->text, k > loop ? ", " : "");
		sw_text_add_str(p->text, schedule->loop[k].name);
	}
	sw_text_add(p->text, ") in parallel:\n");
	p->depth++;
}

static void print_time(printer *p, int loop)
{
	const sw_schedule_loop *is = &p->lowering->schedule->loop[loop];

	line(p);
	sw_text_add(p->text, "for ");
	sw_text_add_str(p->text, is->name);
	sw_text_addf(p->text, " in (0, %lld)", (long long)is->extent);
	sw_text_add(p->text, is->threads ? is->reduces ? " on threads, which reduce:\n" : " on threads:\n" : ":\n");
	p->depth++;
	for (int v = 0; v < p->lowering->in->variables; v++) {
		const sw_variable *turned = &p->lowering->in->variable[v];
		if (turned->kind != SW_VARIABLE_TURNED || turned->of != is->variable)
			continue;
		line(p);
		sw_text_add_str(p->text, turned->name);
		sw_text_add(p->text, " = (");
		sw_text_add_str(p->text, is->name);
		for (int n = 0; n < turned->bys; n++) {
			sw_text_add(p->text, " + ");
			sw_text_add_str(p->text, p->lowering->in->variable[turned->by[n]].name);
		}
		sw_text_addf(p->text, ") mod %lld\n", (long long)turned->extent);
	}
}

static void print_leaf(printer *p)
{
	const sw_schedule *schedule = p->lowering->schedule;
	sw_text whole = {0};

	line(p);
	sw_schedule_print(schedule, &whole);
	const char *begin = sw_text_get(&whole), *end = NULL;
	for (const char *at = begin; *at != '\0'; at++) {
		if (at[0] == ':' && at[1] == ' ')
			begin = at + 2;
		if (end == NULL && sw_str_starts(sw_str_of(at), " s.t. "))
			end = at;
	}
	sw_text_add_str(p->text, end != NULL ? (sw_str){begin, (size_t)(end - begin)} : sw_str_of(begin));
	sw_text_free(&whole);
	if (schedule->kernel != NULL)
		sw_text_addf(p->text, "  # %s", schedule->kernel->name);
	sw_text_add_char(p->text, '\n');
}

/* The relation that made workspace number k: precompute(B(i,k)*C(k,j),W). */
static sw_str workspace_made(const struct sw_schedule_state *state, int k)
{
	for (int n = 0; n < state->relations; n++)
		if (sw_str_starts(state->relation[n], "precompute(") && k-- == 0)
			return state->relation[n];
	return (sw_str){"", 0};
}

/* A workspace is made before what uses it: one value where nothing outside of it has its letters. */
static void print_workspace(printer *p, int k)
{
	const struct sw_schedule_state *state = p->lowering->schedule->state;
	const sw_formula *formula = &p->lowering->schedule->problem->formula;
	const sw_workspace *is = &state->workspace[k];
	sw_str made = workspace_made(state, k);
	size_t word = strlen("precompute("), behind = is->name.length + strlen(",)");

	assert(made.length > word + behind);
	line(p);
	sw_text_add_str(p->text, is->name);
	for (int letter = 0, letters = 0; letter < formula->letters; letter++)
		if (is->letters >> letter & 1)
			sw_text_addf(p->text, "%c%.*s", letters++ == 0 ? '(' : ',', SW_STR_ARGS(state->variable[letter].name));
	sw_text_addf(p->text, "%s += %.*s  # workspace%s\n", is->letters != 0 ? ")" : "",
		(int)(made.length - word - behind), made.at + word, is->letters != 0 ? "" : ", a scalar");
}

static bool print_loops(printer *p)
{
	const sw_schedule *schedule = p->lowering->schedule;
	int loop = 0;

	while (loop < schedule->loops && !schedule->loop[loop].leaf) {
		int end = loop + 1;
		bool space = schedule->loop[loop].distributed, apart;
		while (space && end < schedule->loops && schedule->loop[end].distributed)
			end++;
		if (!starts_apart(p, loop, &apart))
			return false;
		if (apart) {
			line(p);
			sw_text_add(p->text, "# First, before this loop:\n");
			if (!print_fetches(p, loop, true))
				return false;
		}
		if (space)
			print_space(p, loop, end);
		else
			print_time(p, loop);
		for (int k = loop; k < end; k++)
			if (!print_fetches(p, k, false))
				return false;
		for (int k = loop; k < end; k++)
			p->inside[k] = p->depth;
		loop = end;
	}
	for (int k = 0; k < schedule->state->workspaces; k++)
		print_workspace(p, k);
	print_leaf(p);
	return true;
}

/* The left side goes where it belongs when the loop goes on under which it is communicated: behind what is in that loop. */
static bool print_sums(printer *p)
{
	for (int loop = p->lowering->schedule->loops - 1; loop >= -1; loop--)
		for (int fetch = p->lowering->fetches - 1; fetch >= 0; fetch--) {
			const sw_fetch *is = &p->lowering->fetch[fetch];
			moves all;
			if (is->array != 0 || is->loop != loop)
				continue;
			if (!find_moves(p, fetch, &all))
				return false;
			p->depth = loop < 0 ? 1 : p->inside[loop];
			print_moves(p, fetch, &all);
		}
	return true;
}

bool sw_lowering_print(const sw_lowering *lowering, sw_arena *arena, sw_text *text)
{
	printer p = {.lowering = lowering, .text = text, .arena = arena};

	p.inside = SW_NEW(arena, int, lowering->schedule->loops + 1);
	if (p.inside == NULL)
		return false;
	for (int k = 0; k < lowering->schedule->loops; k++)
		p.inside[k] = 1;
	print_grid(&p);
	print_homes(&p);
	return print_loops(&p) && print_sums(&p);
}
