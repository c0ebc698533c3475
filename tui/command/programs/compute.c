/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of formulas: compute, kernel.
 */
#include "command/programs/compute.h"

#include <string.h>

#include "command/command.h"
#include "answer/watch.h"
#include "command/programs/product.h"
#include "host/file.h"
#include "session/moved.h"
#include "session/present.h"
#include "session/schedules.h"
#include "views/computed.h"

bool compute_file(void *arena, sw_str name, sw_str *text, sw_diag *diag)
{
	const char *path = sw_arena_copy(arena, name.at, name.length);
	sw_text read = {0};

	if (path == NULL)
		return sw_diag_memory(diag);
	if (!file_read_text(path, &read, NULL, diag)) {
		sw_text_free(&read);
		return false;
	}
	text->length = read.length;
	text->at = sw_text_keep(&read, arena);
	return text->at != NULL || sw_diag_memory(diag);
}

/* ---- types of arrays ---- */

static sw_array_type type_of(const struct session *session, sw_str name)
{
	const struct named_type *named = session_type(session, name);

	if (named == NULL || named->failed)
		return (sw_array_type){.known = false};
	return (sw_array_type){.known = true, .type = named->is.type, .words = named->is.words};
}

/* Of an array without a type: the nearest name of one. */
static void hint_name(const struct invocation *run, const sw_formula *formula, const sw_array_type *type,
	sw_diag *diag)
{
	for (int k = 0; k < formula->arrays; k++) {
		const char *near = type[k].known ? NULL : nearest_type_name(run->session, formula->array[k].name);
		if (near == NULL || sw_str_is(formula->array[k].name, near) || diag->at.begin != formula->array[k].at.begin)
			continue;
		sw_diag_hint(diag, "did you mean '%s'? `type %.*s = ...` says how another array is held", near,
			AS_SHOWN(formula->array[k].name));
		return;
	}
}

/* ---- compute ---- */

struct graph_files {
	const struct invocation *run;
	sw_arena *arena;
};

static bool graph_file(void *of, sw_str name, sw_str *text, sw_diag *diag)
{
	const struct graph_files *files = of;
	const struct word word = {name, name};

	return compute_file(files->arena, sw_str_of(file_beside(files->run, &word)), text, diag);
}

static const sw_computation *read_computation(const struct invocation *run, sw_str text, const sw_pulse *pulse,
	sw_diag *diag)
{
	const struct session *session = run->session;
	struct graph_files here = {run, session->arena};
	const sw_file_reader files = {graph_file, &here};
	sw_array_type *type;
	sw_formula formula;

	if (!sw_formula_parse(text, &files, session->arena, &formula, diag))
		return NULL;
	type = SW_NEW(run->arena, sw_array_type, formula.arrays);
	for (int k = 0; type != NULL && k < formula.arrays; k++)
		type[k] = type_of(session, formula.array[k].name);
	if (type == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	const sw_computation *read = sw_computation_new(&session->state.mesh, &formula, type, pulse, session->arena,
		diag);
	if (read == NULL && diag->code == SW_F02)
		hint_name(run, &formula, type, diag);
	return read;
}

/* ---- products ---- */

static void print_product(const sw_product *product, sw_text *text)
{
	const sw_type *const type[] = {&product->a, &product->b, &product->as};
	static const char *const before[] = {" ", ", ", " as "};

	sw_equation_print(&product->equation, text);
	for (int k = 0; k < SW_EQUATION_SIDES; k++) {
		sw_text_add(text, before[k]);
		sw_type_print(&product->mesh, type[k], type[k]->dtype_given, text);
	}
}

/* The tile type of the array of an access. */
static bool take_type(const sw_computation *computation, int access, sw_type *type)
{
	const sw_array_type *is = &computation->array[computation->formula.access[access].array].is;

	*type = is->type;
	return is->words == NULL;
}

/* A product of two plain accesses of tile types is one of `einsum` too. */
static bool keep_product(struct session *session, struct kept_formula *formula, sw_diag *diag)
{
	const sw_computation *computation = formula->computation;
	const sw_formula_term *term = computation->formula.sum.term;
	sw_product product = {.mesh = computation->mesh, .wanted = true};
	sw_text text = {0};
	bool kept;

	if (!sw_formula_equation(&computation->formula, &product.equation) ||
		!take_type(computation, term->factor[0].access, &product.a) ||
		!take_type(computation, term->factor[1].access, &product.b) || !take_type(computation, 0, &product.as))
		return true;
	formula->product = true;
	print_product(&product, &text);
	kept = product_keep(session, (sw_str){sw_text_get(&text), text.length}, &product, diag);
	sw_text_free(&text);
	return kept;
}

static bool answer_computation(const struct invocation *run, const sw_computation *computation, sw_diag *diag)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.compute/1");

	if (fields == NULL)
		return computed_answer(computation, run->answer, diag);
	field_mesh(fields, "mesh", &computation->mesh);
	return computed_fields(computation, fields, diag);
}

bool compute_keep(const struct invocation *run, const struct kept_formula *kept, int64_t steps, int64_t every,
	sw_diag *diag)
{
	struct session *session = run->session;
	sw_diag why = {.code = SW_OK};
	sw_program program;
	if (sw_program_of_formula(kept->computation, steps, every, session->arena, &program, &why))
		return session_keep_formula(session, kept, &program, diag);
	answer_remark(session, "it has no program: %s", why.message);
	session->state.program = NULL;
	session->state.chosen = NULL;
	session->state.formula = kept;
	session->state.subject = SUBJECT_FORMULA;
	return true;
}

/* Reads the formula of `kept`, and answers what follows from it; a person may stop both. */
static bool work_out(struct invocation *run, struct kept_formula *kept, sw_diag *diag)
{
	const sw_str typed = argument(run, 0)->raw;
	struct watch watch;
	bool ok;

	watch_start(&watch, run->session->console);
	kept->computation = read_computation(run, (sw_str){kept->text, typed.length}, &watch.pulse, diag);
	ok = kept->computation != NULL && answer_computation(run, kept->computation, diag);
	if (kept->computation == NULL && diag->code == SW_S08)
		sw_diag_hint(diag,
			"the algorithms have formulas for up to 2^40 devices: `schedule cannon m=N n=N k=N` on this mesh");
	if (kept->computation == NULL && diag->code != SW_S03)
		refuse_at(run, typed, diag);
	if (kept->computation != NULL)
		sw_computation_pulse(kept->computation, NULL);
	watch_end(&watch);
	return ok;
}

bool command_compute(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	const sw_str typed = argument(run, 0)->raw;
	struct kept_formula *kept = SW_NEW(session->arena, struct kept_formula, 1);
	const char *text = sw_arena_copy(session->arena, typed.at, typed.length);

	bool chose;

	if (!session_need(session, DEFINED_MESH, diag) ||
		(session->state.entered != 0 && !session_leave(session, &chose, diag)))
		return false;
	if (kept == NULL || text == NULL)
		return sw_diag_memory(diag);
	*kept = (struct kept_formula){.text = text, .types = session->state.types};
	return work_out(run, kept, diag) && keep_product(session, kept, diag) && compute_keep(run, kept, 1, 1, diag);
}

/* ---- entering ---- */

bool compute_is_subject(const struct state *state)
{
	return state->formula != NULL &&
		(state->subject == SUBJECT_FORMULA || state->subject == SUBJECT_SCHEDULE || state->entered < 0);
}

/* `A@1` is what moves of A at level 1. */
static sw_str name_and_level(sw_str text, int *level)
{
	const char *at = memchr(text.at, '@', text.length);
	size_t length = at != NULL ? (size_t)(at - text.at) : text.length;
	int64_t number;

	if (length == text.length || !sw_read_int(sw_str_behind(text, length + 1), &number, NULL) || number < 1 ||
		number > SW_MAX_AXES)
		return text;
	*level = (int)number;
	return (sw_str){text.at, length};
}

/* The array of this name; without one the only one of which something moves.  -1: there is none, or there are several. */
static int array_named(const sw_computation *computation, const struct word *word, int *level)
{
	int found = -1, count = 0;

	*level = 0;
	if (word != NULL)
		return sw_formula_find(&computation->formula, name_and_level(word->text, level));
	for (int k = 0; k < computation->formula.arrays; k++)
		if (computation->array[k].relation != NULL) {
			found = k;
			count++;
		}
	return count == 1 ? found : -1;
}

static bool refuse_array(const struct invocation *run, const sw_formula *formula, const struct word *word,
	sw_diag *diag)
{
	sw_text names = {0};

	for (int k = 0; k < formula->arrays; k++)
		sw_text_addf(&names, "%s%.*s", k > 0 ? ", " : "", AS_SHOWN(formula->array[k].name));
	sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "the formula has %s",
		word != NULL ? "no such array" : "several arrays: choose the one to enter");
	sw_diag_expected(diag, "one of %s", sw_text_get(&names));
	sw_text_free(&names);
	if (word != NULL)
		diag->at = line_span(run->position->text, word->raw);
	return false;
}

bool compute_enter(struct invocation *run, const struct word *word, sw_diag *diag)
{
	const sw_computation *computation = run->session->state.formula->computation;
	int level, array = array_named(computation, word, &level);
	bool scheduled = session_moves_in_step(run->session);

	if (array < 0 || (level > 0 && !scheduled))
		return refuse_array(run, &computation->formula, word, diag);
	if (!(scheduled ? session_enter_fetch(run->session, array, &level, diag) :
					  session_enter_array(run->session, array, diag)))
		return false;
	bool levels = scheduled && sw_mesh_levels(&computation->mesh) > 1;
	sw_text name = {0};
	sw_text_add_str(&name, computation->formula.array[array].name);
	if (levels)
		sw_text_addf(&name, " at level %d", level);
	document_line(run->answer, "array %s, from %s", sw_text_get(&name),
		scheduled && array == 0 ? "terms that devices send to where they are added in this step" :
			scheduled           ? "what devices have to what they need in this step" :
			array > 0           ? "alpha to beta" :
								  "where it is made to where it is kept");
	sw_text_free(&name);
	if (levels)
		document_say(run->answer, 0, "the first device of a node receives and holds what the node fetches");
	answer_remark(run->session, "`plan` and `show relation` work on it; `leave` goes back");
	return true;
}

bool compute_left(const struct invocation *run, int entered)
{
	const sw_str name = run->session->state.formula->computation->formula.array[-1 - entered].name;

	document_line(run->answer, "array %.*s is left", AS_SHOWN(name));
	return true;
}
