/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that look: show and explain.
 */
#include "command/plan.h"

#include <string.h>
#include <strings.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>
#include <shardwalk/relation.h>

#include "answer/watch.h"
#include "command/beside.h"
#include "command/compare/compare.h"
#include "command/foreign.h"
#include "command/explain/paper.h"
#include "command/rewriting.h"
#include "command/rounds.h"
#include "command/programs/moments.h"
#include "command/programs/spmd.h"
#include "command/repeat.h"
#include "command/programs/product.h"
#include "command/placement/sum_look.h"
#include "command/explain/schedule_step.h"
#include "command/explain/topics.h"
#include "command/explain/type_rules.h"
#include "command/explain/uneven.h"
#include "language/names.h"
#include "session/machine.h"
#include "session/present.h"
#include "session/schedules.h"
#include "session/walks.h"
#include "views/followed.h"
#include "views/computed.h"
#include "views/general.h"
#include "views/scheduled.h"
#include "views/sets.h"
#include "views/summed.h"

static const char *view_at(const void *context, int n)
{
	(void)context;
	return n < view_count ? views[n].name : NULL;
}

/* Views that came after a release have no name here: beginnings that named another one go on doing so. */
static const char *older_view_at(const void *context, int n)
{
	const int *release = context;
	const char *name = view_at(NULL, n);
	return name && views[n].late > *release ? "" : name;
}

static const struct view *find_view(const struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	int release = 0, latest = 0, found = -1;
	const struct names older = {older_view_at, &release, "view", "`help show` lists them"};
	for (int n = 0; n < view_count; n++) {
		latest = views[n].late > latest ? views[n].late : latest;
		found = sw_str_is(word->text, views[n].name) ? n : found;
	}
	for (; found < 0 && release < latest; release++)
		found = name_find(&older, word->text, SW_L08, NULL);
	if (found < 0)
		found = name_find(&older, word->text, SW_L08, diag);
	if (found < 0)
		refuse_at(run, word->raw, diag);
	return found < 0 ? NULL : &views[found];
}

/* ---- options ---- */

static bool read_dims(const struct invocation *run, int dims[2], sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_DIMS);
	if (!word)
		return true;
	int64_t pair[2];
	if (read_numbers(word->text, pair, 2) == 2 && pair[0] < SW_MAX_DIMS && pair[1] < SW_MAX_DIMS &&
		pair[0] != pair[1]) {
		dims[0] = (int)pair[0];
		dims[1] = (int)pair[1];
		return true;
	}
	refuse_word(run, word, diag, SW_L02, "is not a pair of dimensions");
	sw_diag_expected(diag, "%s", kind_rows[KIND_DIMS].about);
	return false;
}

static bool refuse_fix(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	refuse_word(run, word, diag, SW_L02, "does not name a tile and a dimension");
	sw_diag_expected(diag, "%s", kind_rows[KIND_FIX].about);
	return false;
}

/* `2=1,3=0`: dimension 2 stands at tile 1, dimension 3 at tile 0. */
static bool read_fix(const struct invocation *run, struct view_options *options, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_FIX);
	if (!word)
		return true;
	options->fold = false;
	for (size_t at = 0; at < word->text.length;) {
		sw_str fix = sw_str_split(word->text, &at, SW_NESTING_PLAIN);
		size_t equals = sw_str_outside(fix, 0, SW_NESTING_PLAIN, "=");
		int64_t dim, tile;
		if (equals == fix.length || !sw_read_int((sw_str){fix.at, equals}, &dim, NULL) || dim >= SW_MAX_DIMS ||
			!sw_read_int(sw_str_behind(fix, equals + 1), &tile, NULL))
			return refuse_fix(run, word, diag);
		options->fixed[dim] = tile;
	}
	return true;
}

static bool refuse_element(const struct invocation *run, const sw_type *type, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_ELEMENT);
	sw_text sizes = {0};
	sw_type_print_tile(type->global, type->rank, &sizes);
	refuse_word(run, word, diag, SW_L02, "is not an element of this array");
	sw_diag_expected(diag, "%s", kind_rows[KIND_ELEMENT].about);
	sw_diag_hint(diag, "indices count from 0; the array is %.80s", sw_text_get(&sizes));
	sw_text_free(&sizes);
	return false;
}

static bool element_inside(sw_str text, const sw_type *type, int64_t element[SW_MAX_DIMS])
{
	int i = 0, count = read_numbers(text, element, type->rank);
	while (i < count && element[i] >= 0 && element[i] < type->global[i])
		i++;
	return i > 0 && i == type->rank;
}

bool read_element_option(const struct invocation *run, const sw_type *type, int64_t element[SW_MAX_DIMS],
	sw_diag *diag)
{
	return element_inside(option_given(run, OPTION_ELEMENT)->text, type, element) || refuse_element(run, type, diag);
}

static bool refuse_array(const struct invocation *run, const sw_moments *moments, sw_diag *diag)
{
	sw_text names = {0};
	refuse_word(run, option_given(run, OPTION_ELEMENT), diag, SW_L02,
		"is not an element of an array of this program");
	for (int array = 0; array < moments->arrays; array++) {
		sw_text_add(&names, array ? ", " : "");
		sw_text_add_str(&names, sw_moments_name(moments, array));
	}
	sw_diag_expected(diag, "NAME[INDICES]");
	sw_diag_hint(diag, "its arrays are %.100s", sw_text_get(&names));
	sw_text_free(&names);
	return false;
}

static int array_named(const sw_moments *moments, sw_str name)
{
	for (int array = 0; array < moments->arrays; array++)
		if (sw_str_equal(sw_moments_name(moments, array), name))
			return array;
	return -1;
}

/* `B[1,2]`, or an element of the first array without a name. */
static bool read_program_element(const struct invocation *run, const sw_moments *moments,
	int64_t element[SW_MAX_DIMS], int *array, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_ELEMENT);
	size_t open = sw_str_outside(word->text, 0, SW_NESTING_PLAIN, "[");
	bool named = open < word->text.length && word->text.at[word->text.length - 1] == ']';
	sw_str inside = named ? sw_str_inner(sw_str_behind(word->text, open)) : word->text;
	*array = named ? array_named(moments, (sw_str){word->text.at, open}) : 0;
	if (*array < 0)
		return refuse_array(run, moments, diag);
	const sw_type *type = moments->program->value[moments->first[*array]].type;
	return element_inside(inside, type, element) || refuse_element(run, type, diag);
}

/* The tile that has the element after a step of the plan or of the program.  L02 where there is no element, or nobody has it then. */
static bool read_tile(const struct invocation *run, const struct view_input *in, struct view_options *options,
	sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_TILE);
	const sw_owners *of = NULL;
	if (!word)
		return true;
	if (options->element && (in->moments || in->plan))
		of = in->moments ? in->moments->owners[options->array] :
			in->owners   ? in->owners :
						   sw_owners_of_plan(in->plan, run->arena, diag);
	if (of)
		options->tile = followed_tile_at(of, (int)option_number(run, OPTION_TILE, 0), options->element);
	if (options->tile.of)
		return true;
	refuse_word(run, word, diag, SW_L02, of ? "is no step after which a device has the element" : "needs an element");
	sw_diag_expected(diag, of ? "a step of the plan" : "--element before it, in a view of a plan");
	sw_diag_hint(diag, "`film 2 --element 5,7 --tile 1` follows the tile that has [5, 7] after step 1");
	return false;
}

/* An element of the array that is shown. */
static bool read_element(const struct invocation *run, const struct view_input *in, int64_t element[SW_MAX_DIMS],
	struct view_options *options, sw_diag *diag)
{
	const sw_type *type = in->type ? in->type : in->plan ? &in->plan->problem.from : NULL;
	if (!option_given(run, OPTION_ELEMENT))
		return true;
	options->element = element;
	if (in->moments)
		return read_program_element(run, in->moments, element, &options->array, diag);
	if (!type)
		return session_need(run->session, DEFINED_FROM, diag);
	return read_element_option(run, type, element, diag);
}

/* `show tiles 1`: the word is the number of a step. */
static const struct word *step_word(const struct invocation *run, const struct view *view)
{
	const struct word *word = argument(run, 1);
	return word && view->takes_step && sw_read_int(word->text, &(int64_t){0}, NULL) ? word : NULL;
}

static bool read_view_options(const struct invocation *run, const struct view *view, int steps,
	struct view_options *options, sw_diag *diag)
{
	const struct settings *settings = &run->session->state.settings;
	int64_t step = VIEW_ALL, device = VIEW_ALL;
	*options = view_options_default(run->answer->width);
	if (!read_dims(run, options->dims, diag) || !read_fix(run, options, diag) ||
		!option_count(run, OPTION_STEP, 0, steps, &step, diag) || !option_device(run, SW_MAX_DEVICES, &device, diag))
		return false;
	const struct word *step_number = step_word(run, view);
	if (!read_count(run, step_number, 0, steps, &step, diag))
		return false;
	if (option_given(run, OPTION_STEP) || step_number) {
		options->step = (int)step;
		options->group = 1;
	}
	if (option_given(run, OPTION_DEVICE))
		options->device = device;
	options->letters = !run->session->console->style.colors || run->session->console->style.ascii;
	options->node = (int)option_number(run, OPTION_NODE, 0);
	options->hop = option_number(run, OPTION_HOP, VIEW_ALL);
	options->refused = option_given(run, OPTION_REFUSED) != NULL;
	options->lanes = option_given(run, OPTION_LANES) != NULL;
	options->bytes = option_given(run, OPTION_BYTES) || setting_is(settings, SETTING_UNIT, "bytes");
	return true;
}

/* ---- show ---- */

static void fill_input(struct session *session, struct view_input *in)
{
	struct state *state = &session->state;
	in->mesh = state->has[DEFINED_MESH] ? &state->mesh : NULL;
	in->plan = state->plan ? &state->plan->plan : NULL;
	in->products = state->program ? &state->program->program : NULL;
	in->walk = session_begun(session) ? session_begun(session)->walk : NULL;
	in->devices = state->mesh.order;
	in->timed = session_timing(session);
	in->hardware = hardware_named(sw_str_of(state->settings.value[SETTING_HARDWARE].text), NULL);
	in->after_devices = state->to_order ? state->to_order : state->mesh.order;
}

/* What `show` was asked: the view, and the word after it that is no number of a step. */
struct asked {
	const struct invocation *run;
	const struct view *view;
	const struct word *word; /* NULL: none */
	const sw_pulse *pulse;
};

/* Can the view draw this plan?  Else P06 or T17. */
static bool draws_plan(const struct view *view, const sw_plan *plan, sw_diag *diag)
{
	return (sw_problem_has_words(&plan->problem) ? view->draws_words : view->draws_pieces) ||
		plan_on_tiles(plan, diag);
}

static bool find_plan(const struct asked *asked, struct view_input *in, sw_diag *diag)
{
	in->type = NULL;
	return read_plan(asked->run, asked->word, &in->plan, diag) && draws_plan(asked->view, in->plan, diag);
}

static bool names_plan(const struct asked *asked)
{
	return asked->word && *asked->word->raw.at == '$';
}

static bool takes_nothing_else(const struct asked *asked, const char *hint, sw_diag *diag)
{
	sw_diag_set(diag, SW_L04, line_span(asked->run->position->text, asked->word->raw), "`show %s` takes nothing else",
		asked->view->name);
	sw_diag_hint(diag, "%s", hint);
	return false;
}

/* Fills `in` with what the view is drawn of; `type` is room for one that is read. */
typedef bool subject_reader(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag);

static bool read_state(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	(void)type;
	if (names_plan(asked))
		return find_plan(asked, in, diag);
	return !asked->word || takes_nothing_else(asked, "type, tiles and devices take a type; $1 names a plan", diag);
}

static bool read_mesh(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	bool of_plan = option_given(asked->run, OPTION_ELEMENT) || option_given(asked->run, OPTION_STEP);
	if (!asked->word && !in->plan && of_plan)
		return find_plan(asked, in, diag);
	return read_state(asked, in, type, diag);
}

static bool read_whole_plan(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	(void)type;
	return (!asked->word && in->plan) || find_plan(asked, in, diag);
}

static bool read_walk(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	sw_walk *walk;
	if (!read_state(asked, in, type, diag) || !session_walked(asked->run->session, &walk, diag))
		return false;
	in->walk = walk;
	return true;
}

static bool read_program(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	return read_state(asked, in, type, diag) && program_picture_make(asked->run, &in->program, diag);
}

static bool read_rewriting(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	(void)type;
	return (in->film = read_film(asked->run, diag)) != NULL;
}

/* ---- types ---- */

static void fill_from(const struct asked *asked, struct view_input *in)
{
	const struct state *state = &asked->run->session->state;
	if (!state->has[DEFINED_FROM])
		return;
	in->type = &state->from;
	in->type_name = "from";
}

static void fill_ends(const struct asked *asked, struct view_input *in)
{
	const struct state *state = &asked->run->session->state;
	fill_from(asked, in);
	if (!state->has[DEFINED_TO])
		return;
	in->after = &state->to;
	in->after_name = "to";
}

/* A type that is no tile type. */
static bool fill_general(const struct asked *asked, const struct any_type *type, struct view_input *in, sw_diag *diag)
{
	struct general *general = SW_NEW(asked->run->arena, struct general, 1);
	if (!general)
		return sw_diag_memory(diag);
	in->general = general;
	return general_of_type(&asked->run->session->state.mesh, type, in->type_name, in->devices, asked->run->arena,
		general, diag);
}

/* One of the ends by its name; false: it is none. */
static bool is_end(const struct word *word, enum definition *end)
{
	*end = sw_str_is(word->raw, "to") ? DEFINED_TO : DEFINED_FROM;
	return *end == DEFINED_TO || sw_str_is(word->raw, "from");
}

/* A type as it is written, or one of the ends by its name. */
static bool read_named_type(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	const struct session *session = asked->run->session;
	const struct word *word = asked->word;
	struct any_type any;
	enum definition end;
	bool ended = is_end(word, &end);
	in->plan = NULL;
	in->type = type;
	in->type_name = *word->raw.at == '[' ? NULL : file_name(asked->run, word);
	if (ended && end == DEFINED_TO)
		in->devices = in->after_devices;
	if (ended && !session_any_end(&session->state, end, &any))
		return session_need(session, end, diag);
	if (!ended && !read_any_type(asked->run, word->raw, asked->run->arena, &any, diag))
		return false;
	*type = any.type;
	return !any.words || fill_general(asked, &any, in, diag) || refuse_at(asked->run, word->raw, diag);
}

/* A type, or a plan whose steps make some. */
static bool read_types(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	bool stepped = argument(asked->run, 1) || option_given(asked->run, OPTION_STEP);
	if (names_plan(asked) || (!asked->word && !in->plan && stepped))
		return find_plan(asked, in, diag);
	return !asked->word || read_named_type(asked, in, type, diag);
}

/* Ends of which one is no tile type. */
static bool fill_general_ends(const struct asked *asked, bool both, struct view_input *in, sw_diag *diag)
{
	struct general *general = SW_NEW(asked->run->arena, struct general, 1);
	if (!general)
		return sw_diag_memory(diag);
	if (!general_of_session(asked->run->session, both, asked->run->arena, general, diag))
		return false;
	in->general = general;
	in->type = &general->type[0].type;
	return true;
}

static bool read_one_type(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	if (!read_types(asked, in, type, diag))
		return false;
	if (asked->word || (in->plan && option_given(asked->run, OPTION_STEP)))
		return true;
	if (general_ends(&asked->run->session->state, false))
		return fill_general_ends(asked, false, in, diag);
	fill_from(asked, in);
	return true;
}

static bool read_ends(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	if (!read_types(asked, in, type, diag))
		return false;
	if (asked->word || in->plan)
		return true;
	if (general_ends(&asked->run->session->state, true))
		return fill_general_ends(asked, true, in, diag);
	fill_ends(asked, in);
	return true;
}

/* ---- runs and sums ---- */

/* `show times`: those of the last run, or of the one with this number. */
static bool read_times(const struct invocation *run, struct view_input *in, sw_diag *diag)
{
	const struct word *word = argument(run, 1);
	const struct kept_run *kept = run->session->last_run;
	int64_t number = 0;
	if (word)
		kept = read_result(word, &number) ? session_run(run->session, number) : NULL;
	if (word && !kept) {
		refuse_word(run, word, diag, SW_L08, "is not a result of a run");
		sw_diag_hint(diag, "results are numbered as they are made; without a number, the last one is shown");
		return false;
	}
	in->times = kept ? &kept->records : NULL;
	in->times_number = kept ? kept->number : 0;
	return true;
}

/* `show times --sweep`: predictions of the present plan. */
static bool read_sweep(const struct invocation *run, struct view_input *in, sw_diag *diag)
{
	const struct value *sweep = option_value(run, OPTION_SWEEP);
	return sweep_fill(run->session, sweep->sizes, run->arena, in, diag);
}

static bool read_run(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	(void)type;
	if (option_given(asked->run, OPTION_SWEEP))
		return read_plan(asked->run, asked->word, &in->plan, diag) && plan_on_tiles(in->plan, diag) &&
			read_sweep(asked->run, in, diag);
	return read_times(asked->run, in, diag);
}

/* `show groups across cpu in server`: the rest is an instruction. */
static bool read_groups(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	const struct word *word = asked->word;
	int64_t step = VIEW_ALL, most = sum_look_steps(asked->run->session);
	(void)type;
	if (!option_count(asked->run, OPTION_STEP, 0, most, &step, diag))
		return false;
	in->look = sum_look_of(asked->run->session, asked->view, (int)step, word ? word->raw : (sw_str){"", 0},
		asked->run->arena, diag);
	return in->look != NULL || (word ? refuse_at(asked->run, word->raw, diag) : false);
}

static bool read_sum(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	static const char hint[] = "`--step 1` looks at a step by hand; `show groups inside LEVEL` at other groups";
	return asked->word ? takes_nothing_else(asked, hint, diag) : read_groups(asked, in, type, diag);
}

/* ---- types of any kind ---- */

/* A type as it is written or by its name, or the end that is there. */
static bool read_any(const struct asked *asked, struct any_type *type, sw_diag *diag)
{
	const struct session *session = asked->run->session;
	if (asked->word)
		return read_any_type(asked->run, asked->word->raw, asked->run->arena, type, diag);
	return session_any_end(&session->state, DEFINED_FROM, type) || session_need(session, DEFINED_FROM, diag);
}

/* `--device` names a device of so many. */
static bool check_device(const struct asked *asked, int64_t devices, sw_diag *diag)
{
	int64_t device;
	return option_device(asked->run, devices, &device, diag);
}

static bool read_sets(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	const struct state *state = &asked->run->session->state;
	struct sets_look *look = SW_NEW(asked->run->arena, struct sets_look, 1);
	struct any_type any;
	if (!look)
		return sw_diag_memory(diag);
	if (!read_any(asked, &any, diag) || !check_device(asked, state->mesh.devices, diag))
		return false;
	bool to = asked->word && sw_str_is(asked->word->raw, "to");
	const int64_t *order = to ? in->after_devices : in->devices;
	*type = any.type;
	in->plan = NULL;
	in->type = type;
	in->sets = look;
	return sets_look_at(&state->mesh, &any, order, asked->run->arena, look, diag);
}

static bool read_relation(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	sw_problem *problem = SW_NEW(asked->run->arena, sw_problem, 1);
	struct relation_look *look = SW_NEW(asked->run->arena, struct relation_look, 1);
	(void)type;
	if (!problem || !look)
		return sw_diag_memory(diag);
	if (asked->word)
		return takes_nothing_else(asked, "TYPE ~> TYPE gives both ends; `show sets` takes a type", diag);
	in->plan = NULL;
	in->relation = look;
	return session_any_problem(asked->run->session, problem, diag) &&
		check_device(asked, problem->mesh.devices, diag) &&
		relation_look_at(problem, asked->pulse, asked->run->arena, look, diag);
}

static bool read_formula(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	const struct kept_formula *kept = asked->run->session->state.formula;
	in->formula = kept != NULL ? kept->computation : NULL;
	return (kept == NULL || check_device(asked, kept->computation->mesh.devices, diag)) &&
		read_state(asked, in, type, diag);
}

static bool read_tasks(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	struct tasks_look *look = SW_NEW(asked->run->arena, struct tasks_look, 1);
	if (!look)
		return sw_diag_memory(diag);
	in->tasks = look;
	return read_state(asked, in, type, diag) && session_tasks_look(asked->run->session, look, diag);
}

/* The schedule, at the step that `--step` or a number names, else where its walk is. */
static bool read_schedule(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	struct schedule_look *look = SW_NEW(asked->run->arena, struct schedule_look, 1);
	if (!look)
		return sw_diag_memory(diag);
	in->schedule = look;
	in->plan = NULL;
	if (!session_schedule_look(asked->run->session, look, diag))
		return false;
	in->formula = asked->run->session->state.formula->computation;
	return option_count(asked->run, OPTION_STEP, 0, look->lowering->steps, &look->step, diag) &&
		read_count(asked->run, step_word(asked->run, asked->view), 0, look->lowering->steps, &look->step, diag) &&
		check_device(asked, look->schedule->problem->mesh->devices, diag) && read_state(asked, in, type, diag);
}

/* What draws plans or formulas too draws the schedule where that came last. */
static bool draws_schedule(const struct asked *asked)
{
	const struct state *state = &asked->run->session->state;
	return state->subject == SUBJECT_SCHEDULE && !state->entered && session_kept_schedule(state) && !asked->word &&
		asked->view->draws_schedule;
}

/* So does what draws plans the moments of a program. */
static bool draws_program(const struct asked *asked)
{
	return asked->view->draws_program && !asked->word && moments_are_subject(&asked->run->session->state);
}

static bool read_moments(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	const sw_mesh *mesh;
	(void)type;
	in->plan = NULL;
	in->moments = session_moments(asked->run->session, diag);
	if (!in->moments)
		return false;
	mesh = &in->moments->program->mesh;
	return check_device(asked, mesh->devices, diag);
}

static subject_reader *const readers[OF_COUNT] = {
	[OF_SETS] = read_sets,
	[OF_RELATION] = read_relation,
	[OF_STATE] = read_state,
	[OF_MESH] = read_mesh,
	[OF_TYPE] = read_one_type,
	[OF_ENDS] = read_ends,
	[OF_PLAN] = read_whole_plan,
	[OF_WALK] = read_walk,
	[OF_RUN] = read_run,
	[OF_FILM] = read_rewriting,
	[OF_PROGRAM] = read_program,
	[OF_SUM] = read_sum,
	[OF_GROUPS] = read_groups,
	[OF_SUMS] = read_sum,
	[OF_FORMULA] = read_formula,
	[OF_TASKS] = read_tasks,
	[OF_SCHEDULE] = read_schedule,
};

/* What shows what is followed in them, too; the mesh alone where something is asked for. */
static bool follows_program(const struct asked *asked)
{
	const struct invocation *run = asked->run;
	bool asks = asked->view->of != OF_MESH || option_given(run, OPTION_ELEMENT) || option_given(run, OPTION_STEP) ||
		option_given(run, OPTION_DEVICE);
	return asked->view->follows_program && asks && !asked->word && moments_are_subject(&run->session->state);
}

static bool read_followed_schedule(const struct asked *asked, struct view_input *in, sw_type *type, sw_diag *diag)
{
	in->moments = session_moments(asked->run->session, NULL);
	return read_schedule(asked, in, type, diag);
}

static subject_reader *reader_of(const struct asked *asked)
{
	if (follows_program(asked))
		return draws_schedule(asked) ? read_followed_schedule : read_moments;
	return draws_program(asked) ? read_moments : draws_schedule(asked) ? read_schedule : readers[asked->view->of];
}

/* The highest rank of what a film draws. */
static int rank_drawn(const struct view_input *in)
{
	int rank = 0;
	if (!in->moments)
		return in->plan->problem.from.rank;
	for (int a = 0; a < in->moments->arrays; a++) {
		int of_array = in->moments->program->value[in->moments->first[a]].type->rank;
		rank = of_array > rank ? of_array : rank;
	}
	return rank;
}

/* What draws programs has devices and dimensions of its mesh and its arrays: L12 where `--device` or `--dims` names others. */
static bool check_film(const struct asked *asked, const struct view_input *in, const struct view_options *options,
	sw_diag *diag)
{
	if (!asked->view->draws_program || (!in->plan && !in->moments))
		return true;
	const sw_mesh *mesh = in->moments ? &in->moments->program->mesh : &in->plan->problem.mesh;
	int rank = rank_drawn(in);
	if (!check_device(asked, mesh->devices, diag))
		return false;
	if (!option_given(asked->run, OPTION_DIMS) || (options->dims[0] < rank && options->dims[1] < rank))
		return true;
	refuse_word(asked->run, option_given(asked->run, OPTION_DIMS), diag, SW_L12, "is out of range");
	if (rank < 2)
		sw_diag_expected(diag, "no pair: no array has two dimensions");
	else
		sw_diag_expected(diag, "two of 0 to %d", rank - 1);
	return false;
}

/* How many steps there are to choose from: of the plan, or of the film. */
static int steps_of(const struct view_input *in)
{
	return in->look || in->schedule ? INT32_MAX :
		in->moments                 ? in->moments->count :
		in->film                    ? sw_film_count(in->film) :
		in->plan                    ? in->plan->program.steps :
									  0;
}

/* The rounds of a step, or of the first that has any. */
static bool read_rounds(const struct invocation *run, const struct view *view, const struct view_options *options,
	struct view_input *in, sw_rounds *rounds, sw_diag *diag)
{
	bool one_way = option_given(run, OPTION_ONE_WAY) != NULL;
	return !view->has_rounds || rounds_fill(run->session, options->step, one_way, in, rounds, diag);
}

/* What a film has beside its plan: what a run measured of it, the system below it, and a second plan.  L02 where it is no film of a plan. */
static bool read_beside(const struct invocation *run, const struct view *view, const struct view_options *options,
	struct view_input *in, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_BESIDE);
	if (view->draws_program && in->plan) {
		in->measured = compare_times(run->session, in->plan);
		in->look = sum_look_in_film(run->session, in->plan, options->step, options->passed, run->arena);
	}
	if (!word)
		return true;
	if (!view->draws_program || !in->plan) {
		sw_diag_set(diag, SW_L02, line_span(run->position->text, word->raw), "nothing is drawn beside this");
		return sw_diag_hint(diag, "`film --beside naive` draws the naive plan below the present one"), false;
	}
	sw_strategy strategy = (sw_strategy)option_setting(run, OPTION_BESIDE)->number;
	in->beside_name = sw_strategy_name(strategy);
	in->beside = beside_find(run->session, in->plan, strategy, run->arena, diag);
	return in->beside != NULL;
}

/* The way of a product that is drawn below the present one.  L02 where it is no film of a product. */
static bool read_way(const struct invocation *run, const struct view *view, struct view_input *in, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_WAY);
	if (!word)
		return true;
	if (!view->draws_program || !in->moments || !beside_has_ways(&run->session->state)) {
		sw_diag_set(diag, SW_L02, line_span(run->position->text, word->raw), "no way is drawn below this");
		return sw_diag_hint(diag, "after `einsum` and `ways 1`, `film --way 2` draws the second way below the first"),
			   false;
	}
	int number = (int)option_number(run, OPTION_WAY, 1);
	char name[32];
	int length = snprintf(name, sizeof name, "way %d", number);
	in->beside_name = sw_arena_copy(run->arena, name, (size_t)length);
	in->beside_moments = beside_way(run->session, number, run->arena, diag);
	if (!in->beside_moments && diag)
		diag->at = line_span(run->position->text, word->raw);
	return in->beside_moments != NULL && in->beside_name != NULL;
}

/* Programs get fields where the view has some. */
static bool answer_view(const struct invocation *run, const struct view *view, const struct view_input *in,
	const struct view_options *options, sw_diag *diag)
{
	struct fields *fields = view->fields ? document_fields(run->answer, view->schema) : NULL;
	return (!fields || view->fields(in, options, fields, diag)) && view_answer(run, view->draw, in, options, diag);
}

static bool show(struct invocation *run, const struct view *view, const sw_pulse *pulse, sw_diag *diag)
{
	struct session *session = run->session;
	struct view_input in = {0};
	struct view_options options;
	int64_t element[SW_MAX_DIMS];
	sw_rounds rounds;
	sw_type type;
	bool took = false;
	const struct asked asked = {run, view, step_word(run, view) ? NULL : argument(run, 1), pulse};
	bool scheduled = draws_schedule(&asked);
	if (view->of_products && !argument(run, 1) && !scheduled && !product_tiles(run, &took, diag))
		return false;
	if (took)
		return true;
	fill_input(session, &in);
	in.pulse = pulse;
	if (in.plan && !draws_plan(view, in.plan, NULL))
		in.plan = NULL;
	if (!reader_of(&asked)(&asked, &in, &type, diag))
		return false;
	if (in.plan)
		in.mesh = &in.plan->problem.mesh;
	in.repeated = repeat_session(session, in.plan);
	bool ok = read_view_options(run, view, steps_of(&in), &options, diag) &&
		check_film(&asked, &in, &options, diag) && read_element(run, &in, element, &options, diag) &&
		read_tile(run, &in, &options, diag) && read_rounds(run, view, &options, &in, &rounds, diag) &&
		read_beside(run, view, &options, &in, diag) && read_way(run, view, &in, diag) &&
		answer_view(run, view, &in, &options, diag);
	sw_film_free((sw_film *)in.film);
	return ok;
}

bool command_show(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	const struct view *view = find_view(run, diag);
	struct watch watch;

	if (!view || (session->state.failed[DEFINED_MESH] && !session_need(session, DEFINED_MESH, diag)))
		return false;
	watch_start(&watch, session->console);
	bool ok = show(run, view, &watch.pulse, diag);
	watch_end(&watch);
	return ok || watch_failed(&watch, diag);
}

/* `film 2` is `show film 2`. */
bool command_film(struct invocation *run, sw_diag *diag)
{
	struct invocation *shown = SW_NEW(run->arena, struct invocation, 1);
	if (!shown)
		return sw_diag_memory(diag);
	*shown = *run;
	shown->count = run->count + 1;
	for (int i = run->count; i > 0; i--) {
		shown->argument[i] = run->argument[i - 1];
		shown->read[i] = run->read[i - 1];
	}
	shown->argument[0] = (struct word){sw_str_of("film"), sw_str_of("film")};
	shown->read[0] = NULL;
	return command_show(shown, diag);
}

/* ---- explain ---- */

static void add_wrapped(struct canvas *canvas, int *y, int indent, enum role role, const char *words)
{
	*y = canvas_put_wrapped(canvas, indent, *y, canvas->width - indent, 0, role, words);
}

/* Lines of an example stand as they are. */
static void add_example(struct canvas *canvas, int *y, const char *example)
{
	while (*example) {
		size_t length = strcspn(example, "\n");
		canvas_putf(canvas, 4, (*y)++, ROLE_OP, "%.*s", (int)length, example);
		example += length + (example[length] == '\n');
	}
}

static void draw_code(const sw_code_info *info, int *y, struct canvas *canvas)
{
	canvas_putf(canvas, 0, (*y)++, ROLE_TITLE, "%s: %s", info->name, info->title);
	add_wrapped(canvas, y, 0, ROLE_TEXT, info->rule);
	if (info->example && *info->example) {
		++*y;
		add_example(canvas, y, info->example);
	}
}

static bool is_rule(sw_str word, const sw_rule_row *row)
{
	return word.length == strlen(row->rule) && strncasecmp(word.at, row->rule, word.length) == 0;
}

static const sw_rule_row *rule_named(sw_str word)
{
	const sw_rule_row *row = NULL;
	for (int n = 0; (row = sw_rule_at(n)) && !is_rule(word, row); n++)
		continue;
	return row;
}

/* A rule of typing, by what refuses what breaks it. */
static void draw_rule(sw_str word, struct canvas *canvas)
{
	const sw_rule_row *row;
	int y = 0;
	canvas_putf(canvas, 0, y++, ROLE_TITLE,
		"rule %s: this is the error if it is "
		"broken",
		rule_named(word)->rule);
	for (int n = 0; (row = sw_rule_at(n)); n++) {
		if (!is_rule(word, row))
			continue;
		y++;
		draw_code(sw_code_info_of(row->code), &y, canvas);
	}
}

/* An error by its name in files of cases about schedules: a code for each text in which it may be. */
static const sw_error_row *error_named(sw_str word)
{
	const sw_error_row *row = NULL;
	for (int n = 0; (row = sw_error_at(n)) && !sw_str_is(word, row->name); n++)
		continue;
	return row;
}

static void draw_error(sw_str word, struct canvas *canvas)
{
	const sw_error_row *row;
	int y = 0;
	canvas_putf(canvas, 0, y++, ROLE_TITLE, "error %s: an example that causes it", error_named(word)->name);
	for (int n = 0; (row = sw_error_at(n)); n++) {
		if (!sw_str_is(word, row->name))
			continue;
		canvas_putf(canvas, 0, ++y, ROLE_LABEL, "in a %s", row->of);
		y++;
		draw_code(sw_code_info_of(row->code), &y, canvas);
	}
}

/* The letter of a group of codes, which `explain R` lists; a letter of DTensor's placements says so where it stands alone. */
static bool is_code_group(sw_str word)
{
	for (int code = SW_OK + 1; word.length == 1 && code < SW_CODE_COUNT; code++)
		if (*sw_code_info_of((sw_code)code)->name == *word.at)
			return true;
	return false;
}

static void draw_code_group(char letter, struct canvas *canvas)
{
	int y = 0;
	canvas_putf(canvas, 0, y++, ROLE_TITLE, "codes %c: `explain %c01` shows the rule of one, with an example", letter,
		letter);
	for (int code = SW_OK + 1; code < SW_CODE_COUNT; code++) {
		const sw_code_info *info = sw_code_info_of((sw_code)code);
		if (*info->name != letter)
			continue;
		canvas_put(canvas, 2, y, ROLE_OP, info->name);
		add_wrapped(canvas, &y, 7, ROLE_TEXT, info->title);
	}
}

/* The rule of a pattern of messages, below that of a collective which has the same name. */
static void draw_pattern(sw_pattern_name name, int y, struct canvas *canvas)
{
	canvas_putf(canvas, 0, y++, ROLE_TITLE, "pattern %s", sw_pattern_text(name));
	canvas_put(canvas, 0, y, ROLE_LABEL, "where");
	add_wrapped(canvas, &y, 9, ROLE_TEXT, sw_pattern_rule(name));
	canvas_put(canvas, 0, y, ROLE_LABEL, "group");
	add_wrapped(canvas, &y, 9, ROLE_TEXT,
		"devices that messages connect; a redistribution gets the first name that fits");
}

static int draw_collective(const sw_collective *row, struct canvas *canvas)
{
	const struct {
		const char *head, *words;
	} parts[] = {
		{"written", row->usage},
		{"needs", row->needs},
		{"does", row->effect},
		{"costs", row->cost},
		{"takes", row->takes},
		{"legal", row->why},
		{"refused", row->why_not},
	};
	int y = 0;
	canvas_put(canvas, 0, y++, ROLE_TITLE, row->name);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!parts[i].words)
			continue;
		canvas_put(canvas, 0, y, ROLE_LABEL, parts[i].head);
		add_wrapped(canvas, &y, 9, ROLE_TEXT, parts[i].words);
	}
	if (row->example && *row->example) {
		y++;
		add_example(canvas, &y, row->example);
	}
	return row->hold ? sum_rule_draw(row->op, y + 1, canvas) : y;
}

/* The name of a command has its own help; anything else is in no notation. */
static bool refuse_explain(const struct invocation *run, sw_str word, sw_diag *diag)
{
	for (int i = 0; i < command_count; i++) {
		if (!sw_str_is(word, commands[i].name))
			continue;
		sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "there is nothing to explain about '%s'", commands[i].name);
		sw_diag_expected(diag,
			"the code of an error, such as T04, an operation, a strategy or a cost model, or a sharding");
		sw_diag_hint(diag, "`help %s` describes the command", commands[i].name);
		return refuse_at(run, word, diag);
	}
	bool artefact;
	if (artefact_refuse(word, &artefact, diag) || artefact)
		return refuse_at(run, word, diag);
	return refuse_unknown(run, word, diag);
}

static bool explain_other(struct invocation *run, sw_str word, sw_diag *diag)
{
	sw_str arrow = line_arrow(word);
	bool known = sw_notation_known(word) || arrow.length || memchr(word.at, '~', word.length) ||
		explain_is_type(run, word);
	return known ? explain_foreign(run, word, diag) : refuse_explain(run, word, diag);
}

static bool explain_artefact(struct invocation *run, sw_str word, sw_diag *diag)
{
	bool any;
	if (!artefacts_answer(run->session, word, run->arena, run->answer, &any, diag))
		return false;
	return any || explain_other(run, word, diag);
}

static bool explain_word(struct invocation *run, sw_str word, sw_diag *diag)
{
	const sw_code_info *info = sw_code_info_of(sw_code_named(word.at, word.length));
	sw_op op = sw_op_named(word);
	if (is_uneven(word))
		return explain_uneven(run, word, diag);
	if (is_type_rules(word))
		return explain_type_rules(run, word, diag);
	if (is_schedule_step(word))
		return explain_schedule_step(run, word, diag);
	struct canvas *canvas = document_canvas(run->answer);
	canvas_reset(canvas, canvas->width < 100 ? canvas->width : 100);
	bool group = is_code_group(word) && session_type(run->session, word) == NULL, rule = rule_named(word);
	sw_pattern_name pattern = sw_pattern_named(word);
	bool topic = topics_draw(word, canvas, 0), command = schedule_command_named(word) != NULL;
	bool known = topic || command || info || op != SW_OP_COUNT || group || rule;
	int y = 0;
	if (command)
		schedule_command_draw(word, canvas, 0);
	else if (group)
		draw_code_group(*word.at, canvas);
	else if (rule)
		draw_rule(word, canvas);
	else if (info)
		draw_code(info, &y, canvas);
	else if (op != SW_OP_COUNT)
		y = draw_collective(sw_collective_of(op), canvas) + 1;
	if (pattern != SW_PATTERN_COUNT && !topic)
		draw_pattern(pattern, y, canvas);
	known = known || (pattern != SW_PATTERN_COUNT && !topic);
	if (!known && error_named(word))
		return draw_error(word, canvas), true;
	return known || explain_artefact(run, word, diag);
}

bool explain_knows(sw_str word)
{
	bool code = is_code_group(word) || sw_code_info_of(sw_code_named(word.at, word.length)) || rule_named(word) ||
		sw_op_named(word) != SW_OP_COUNT || sw_pattern_named(word) != SW_PATTERN_COUNT;
	code = code || schedule_command_named(word) || is_schedule_step(word);
	for (int n = 0; topic_at(n) && !code; n++)
		code = topic_is(topic_at(n), word);
	return code;
}

bool command_explain(struct invocation *run, sw_diag *diag)
{
	sw_str word = argument(run, 0) ? argument(run, 0)->raw : (sw_str){"", 0};
	if (word.length)
		return explain_word(run, word, diag);
	explain_list(run->answer);
	return true;
}
