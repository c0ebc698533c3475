/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Candidates by kind: from the tables that dispatch, and from what is defined now.
 */
#define _GNU_SOURCE
#include "shell/candidates.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <shardwalk/computation.h>
#include <shardwalk/advise.h>
#include <shardwalk/algorithm.h>
#include <shardwalk/collective.h>
#include <shardwalk/computation.h>
#include <shardwalk/relation.h>
#include <shardwalk/theory.h>

#include "command/compare/compare_schedules.h"
#include "command/compare/taken.h"
#include "command/export/export.h"
#include "command/explain/paper.h"
#include "command/explain/topics.h"
#include "command/export/picture.h"
#include "command/placement/placement.h"
#include "command/placement/reduction.h"
#include "command/programs/product_ways.h"
#include "launch/run_schedules.h"
#include "session/machine.h"
#include "session/schedules.h"
#include "session/walks.h"
#include "views/views.h"
#include "views/walk_words.h"

#define MOST_NODES 500
#define MOST_FILES 500

/* ---- offering ---- */

static sw_str typed(const struct spot *spot)
{
	size_t begin = spot->out->begin;
	return (sw_str){spot->text.at + begin, spot->text.length - begin};
}

static struct candidate *new_row(struct candidates *out)
{
	return SW_GROW(out->arena, out->row, out->count, out->room, 32) ? &out->row[out->count++] : NULL;
}

static bool is_offered(const struct candidates *out, const char *text)
{
	for (int i = 0; i < out->count; i++)
		if (strcmp(out->row[i].text, text) == 0)
			return true;
	return false;
}

static bool fits(const struct spot *spot, const char *text)
{
	sw_str word = typed(spot);
	return strncmp(text, word.at, word.length) == 0;
}

static void offer_row(struct spot *spot, const char *text, bool more, const char *about)
{
	struct candidates *out = spot->out;
	struct candidate *row = is_offered(out, text) ? NULL : new_row(out);
	if (!row)
		return;
	*row = (struct candidate){sw_arena_copy(out->arena, text, strlen(text)), "", more};
	const char *kept = sw_arena_copy(out->arena, about, strlen(about));
	row->about = kept ? kept : "";
	if (!row->text)
		out->count--;
}

static void offer(struct spot *spot, const char *text, const char *about)
{
	if (fits(spot, text))
		offer_row(spot, text, false, about);
}

/* Something follows at once: a bracket, a value. */
static void offer_more(struct spot *spot, const char *text, const char *about)
{
	if (fits(spot, text))
		offer_row(spot, text, true, about);
}

__attribute__((format(printf, 3, 4))) static void offerf(struct spot *spot, const char *text, const char *format, ...)
{
	char about[200];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(about, sizeof(about), format, arguments);
	va_end(arguments);
	offer(spot, text, about);
}

/* The word at the cursor starts here instead. */
static void move_begin(struct spot *spot, const char *at)
{
	spot->out->begin = (size_t)(at - spot->text.at);
}

/* ---- names from tables ---- */

void offer_commands(struct spot *spot)
{
	for (int i = 0; i < command_count; i++)
		offer(spot, commands[i].name, commands[i].about);
	if (spot->command || !spot->argument.length)
		return;
	for (const struct named_type *type = spot->session->state.types; type; type = type->next)
		offer(spot, type->name, "a type");
}

void offer_options(struct spot *spot)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		char name[40];
		snprintf(name, sizeof(name), "--%s%s", option_rows[i].name, option_rows[i].value ? "=" : "");
		if (!command_offers(spot->command, (enum option)i))
			continue;
		if (option_rows[i].value)
			offer_more(spot, name, option_rows[i].about);
		else
			offer(spot, name, option_rows[i].about);
	}
}

/* Of later papers with the name of the paper, as others may have the same. */
static void offer_artefact(struct spot *spot, int i)
{
	char name[96];
	const struct artefact *artefact = artefact_at(i);
	bool plain = artefact_paper(i) == SW_PAPER_REDISTRIBUTION || !artefact->kind;
	snprintf(name, sizeof(name), plain ? "%s" : "%s of %s", artefact_name(artefact),
		sw_paper_name(artefact_paper(i)));
	offer(spot, name, artefact->title);
}

void offer_codes(struct spot *spot)
{
	sw_strategy strategy; /* a model of the same name is explained with it */
	for (int i = 0; i < SW_COLLECTIVES; i++)
		offer(spot, sw_collective_of((sw_op)i)->name, "an operation: its rule and its cost");
	for (int i = 0; i < SW_PATTERN_COUNT; i++)
		if (sw_op_named(sw_str_of(sw_pattern_text((sw_pattern_name)i))) == SW_OP_COUNT)
			offer(spot, sw_pattern_text((sw_pattern_name)i), "a pattern of messages: its rule");
	for (int i = 0; topic_at(i); i++)
		if (topic_at(i)->kind != TOPIC_MODEL ||
			!sw_strategy_parse(sw_str_of(topic_name(topic_at(i))), &strategy, NULL))
			offer(spot, topic_name(topic_at(i)), topic_about(topic_at(i)));
	for (int i = 0; artefact_at(i); i++)
		offer_artefact(spot, i);
	for (int i = SW_OK + 1; i < SW_CODE_COUNT; i++) {
		const sw_code_info *row = sw_code_info_of((sw_code)i);
		if (row)
			offer(spot, row->name, row->title);
	}
	for (int i = 0; sw_rule_at(i); i++)
		if (i == 0 || strcmp(sw_rule_at(i)->rule, sw_rule_at(i - 1)->rule))
			offer(spot, sw_rule_at(i)->rule, "a rule of typing");
}

static void offer_all(struct spot *spot, choice_function *choice)
{
	for (int n = 0; choice(n).name; n++)
		offer(spot, choice(n).name, choice(n).about);
}

void offer_choices(struct spot *spot)
{
	offer_all(spot, kind_rows[spot->kind].choice);
}

void offer_columns(struct spot *spot)
{
	struct choice_row word[COLUMN_WORDS];
	int count = spot->command ? command_columns(spot->command, spot->kind == KIND_FOLD, word) : 0;
	for (int n = 0; n < count; n++)
		offer(spot, word[n].name, word[n].about);
}

/* Names with commas between them: the word starts behind the last comma. */
static void begin_at_comma(struct spot *spot)
{
	sw_str word = typed(spot);
	const char *comma = word.length ? memrchr(word.at, ',', word.length) : NULL;
	if (comma)
		move_begin(spot, comma + 1);
}

void offer_several_strategies(struct spot *spot)
{
	begin_at_comma(spot);
	offer_all(spot, strategy_choice);
}

void offer_rivals(struct spot *spot)
{
	const char *name, *about;

	begin_at_comma(spot);
	if (product_is_present(spot->session))
		offer(spot, "ways", "the first ways of the product, ten or --limit N");
	else if (schedules_are_present(spot->session))
		for (int n = 0; (name = schedules_name(n, &about)) != NULL; n++)
			offer(spot, name, about);
	else
		offer_several_strategies(spot);
}

/* ---- settings ---- */

void offer_settings(struct spot *spot)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		offerf(spot, setting_rows[i].name, "%s (now %s)", setting_rows[i].about,
			spot->session->state.settings.value[i].text);
}

void offer_operations(struct spot *spot)
{
	begin_at_comma(spot);
	for (int i = 0; i < SW_COLLECTIVES; i++)
		offer(spot, sw_collective_of((sw_op)i)->name, "");
}

static bool problem_of(const struct spot *spot, sw_problem *problem)
{
	return session_problem(spot->session, problem, NULL);
}

void offer_sizes(struct spot *spot)
{
	static const char *const factors[] = {"1x", "1.5x", "2x", "4x"};
	sw_problem problem;
	bool known = problem_of(spot, &problem);
	for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++) {
		struct setting_value value;
		int64_t elements = 0;
		bool sized = known && setting_read(SETTING_BUDGET, sw_str_of(factors[i]), &value, NULL) &&
			size_elements(&value.size, &problem, &elements, NULL);
		offerf(spot, factors[i], sized ? "%lld elements here" : "times the larger end", (long long)elements);
	}
}

static void offer_size_setting(struct spot *spot, enum setting setting)
{
	offer_sizes(spot);
	if (strcmp(setting_rows[setting].initial, "none") == 0)
		offer(spot, "none", "no limit");
}

void offer_live(struct spot *spot)
{
	offer_size_setting(spot, SETTING_LIVE);
}

void offer_setting_value(struct spot *spot)
{
	enum setting setting = setting_named(spot->first, NULL);
	if (setting == SETTING_COUNT)
		return;
	const struct setting_row *row = &setting_rows[setting];
	for (int i = 0; row->word && row->word(i); i++)
		offer(spot, row->word(i), strcmp(row->word(i), row->initial) == 0 ? "the default" : "");
	if (setting == SETTING_STRATEGY || setting == SETTING_MODEL)
		spot->out->count = 0;
	if (setting == SETTING_STRATEGY)
		offer_all(spot, strategy_choice);
	if (setting == SETTING_MODEL)
		offer_all(spot, model_choice);
	if (row->kind == SETTING_KIND_SIZE)
		offer_size_setting(spot, setting);
	if (row->kind == SETTING_KIND_OPERATIONS)
		offer_operations(spot);
	if (row->kind == SETTING_KIND_OPERATIONS || row->kind == SETTING_KIND_NUMBER || row->kind == SETTING_KIND_BYTES ||
		row->kind == SETTING_KIND_TIMES || row->kind == SETTING_KIND_TIME)
		offer(spot, row->initial, "the default");
}

/* ---- inside brackets ---- */

struct inside {
	char bracket;      /* the innermost that is open; 0: none is */
	const char *at;    /* where it stands */
	const char *token; /* start of the word at the cursor */
	int commas;        /* between the bracket and the cursor */
};

static struct inside look_inside(sw_str text)
{
	struct inside stack[16], now = {.at = text.at, .token = text.at};
	int depth = 0;
	for (size_t i = 0; i < text.length; i++) {
		const char *c = &text.at[i];
		if (strchr("([{", *c) && depth < 16) {
			stack[depth++] = now;
			now = (struct inside){.bracket = *c, .at = c, .token = c + 1};
		} else if (strchr(")]}", *c) && depth) {
			now = stack[--depth];
		} else if (*c == ',' || *c == ' ' || *c == '\n') {
			now.token = c + 1;
			now.commas += *c == ',';
		}
	}
	return now;
}

/* Is the axis named between here and there? */
static bool is_used(const char *name, const char *begin, const char *end)
{
	size_t length = strlen(name);
	for (const char *at = begin; (size_t)(end - at) >= length; at++) {
		bool starts = at == begin || strchr("{,([ \n\"", at[-1]);
		bool stops = at + length == end || strchr("},)] :\n\"", at[length]);
		if (strncmp(at, name, length) == 0 && starts && stops)
			return true;
	}
	return false;
}

/* Axes of the mesh that are not yet used between `begin` and the word at the cursor. */
static void offer_axes(struct spot *spot, const char *begin, const char *token)
{
	const struct state *state = &spot->session->state;
	move_begin(spot, token);
	for (int i = 0; state->has[DEFINED_MESH] && i < state->mesh.count; i++) {
		const sw_axis *axis = &state->mesh.axis[i];
		sw_text name = {0};
		char about[60];
		sw_mesh_print_name(axis->name, &name);
		snprintf(about, sizeof(about), "axis of %lld", (long long)axis->size);
		if (!is_used(axis->name, begin, token))
			offer_more(spot, sw_text_get(&name), about);
		sw_text_free(&name);
	}
}

/* ---- types ---- */

static void type_text(const struct spot *spot, const sw_type *type, sw_text *text)
{
	sw_type_print(&spot->session->state.mesh, type, false, text);
}

/* `more`: their indices follow. */
static void offer_named_types(struct spot *spot, bool more)
{
	for (const struct named_type *type = spot->session->state.types; type; type = type->next) {
		sw_text text = {0};
		if (!type->failed)
			sw_type_print_any(&spot->session->state.mesh, &type->is.type, type->is.words, false, &text);
		if (!type->failed)
			(more ? offer_more : offer)(spot, type->name, sw_text_get(&text));
		sw_text_free(&text);
	}
}

/* What an operation makes of a type. */
typedef void move_function(struct spot *spot, const char *call, const sw_type *after);

static void try_move(struct spot *spot, const sw_type *before, move_function *take, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void try_move(struct spot *spot, const sw_type *before, move_function *take, const char *format, ...)
{
	const struct state *state = &spot->session->state;
	char text[SW_NAME_SIZE + 40];
	sw_call call;
	sw_type after;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (sw_call_read(&state->mesh, before, state->has[DEFINED_TO] ? &state->to : NULL, sw_str_of(text), &call, &after,
			NULL))
		take(spot, text, &after);
}

static void try_slices(struct spot *spot, const sw_type *before, int dim, move_function *take)
{
	const sw_mesh *mesh = &spot->session->state.mesh;
	for (int i = 0; i < mesh->count; i++) {
		sw_text name = {0};
		sw_mesh_print_name(mesh->axis[i].name, &name);
		try_move(spot, before, take, "dynslice(%d, %s)", dim, sw_text_get(&name));
		sw_text_free(&name);
	}
}

/* The whole innermost axis, and the small prime factors of what there is. */
static void try_alltoalls(struct spot *spot, const sw_type *before, int from, int to, move_function *take)
{
	static const int primes[] = {2, 3, 5, 7};
	try_move(spot, before, take, "alltoall(%d, %d)", from, to);
	for (size_t i = 0; i < sizeof(primes) / sizeof(*primes); i++)
		try_move(spot, before, take, "alltoall(%d, %d, %d)", from, to, primes[i]);
}

/* The operations of one dimension that are legal now, the cheap ones first. */
static void each_move(struct spot *spot, const sw_type *before, move_function *take)
{
	for (int i = 0; i < before->rank; i++)
		try_slices(spot, before, i, take);
	for (int i = 0; i < before->rank; i++)
		for (int j = 0; j < before->rank; j++)
			if (i != j)
				try_alltoalls(spot, before, i, j, take);
	if (spot->session->state.has[DEFINED_TO])
		try_move(spot, before, take, "allpermute");
	for (int i = 0; i < before->rank; i++)
		try_move(spot, before, take, "allgather(%d)", i);
}

static void take_type(struct spot *spot, const char *call, const sw_type *after)
{
	sw_text text = {0};
	type_text(spot, after, &text);
	offerf(spot, sw_text_get(&text), "by %s", call);
	sw_text_free(&text);
}

/* Behind the bracket of a type: the words that act on it. */
static bool offer_type_words(struct spot *spot, sw_str text)
{
	static const struct {
		const char *word, *about;
	} words[] = {
		{"by", "the rule for a size that does not divide"},
		{"on", "only on these devices, on 0,2-3; of a formula: where this array is"},
		{"only", "the indices of this slice: only 2:8, :"},
		{"crop", "these elements as an array of their own"},
		{"shift", "every index plus this"},
		{"through", "the image under an access"},
		{"union", "what either type holds"},
		{"over", "a mesh of its own: over {r: 2, c: 3}"},
		{"at", "irregular: at {0: 0-3 8; 2: 4-7}"},
		{"wrap", "what goes past one end comes in at the other"},
	};
	const char *end = text.at + text.length, *begin = end;
	while (begin > text.at && begin[-1] >= 'a' && begin[-1] <= 'z')
		begin--;
	if (text.length == 0 || memchr(text.at, ']', (size_t)(begin - text.at)) == NULL || begin[-1] != ' ')
		return false;
	move_begin(spot, begin);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (spot->kind != KIND_FORMULA || strcmp(words[i].word, "wrap") == 0 || strcmp(words[i].word, "on") == 0)
			offer(spot, words[i].word, words[i].about);
	return true;
}

/* A type: what can be reached from `before` in one step, and names. */
static void offer_type(struct spot *spot, sw_str text, const sw_type *before)
{
	if (offer_type_words(spot, text))
		return;
	text = sw_str_trim((sw_str){text.at, text.length});
	struct inside inside = look_inside(text);
	if (inside.bracket == '{') {
		offer_axes(spot, text.at, inside.token);
		return;
	}
	move_begin(spot, text.at);
	offer_named_types(spot, false);
	if (before)
		each_move(spot, before, take_type);
}

static bool is_command(const struct spot *spot, const char *name)
{
	return spot->command && strcmp(spot->command->name, name) == 0;
}

static bool shows_plan(const struct spot *spot)
{
	return sw_str_is(spot->first, "plan") || sw_str_is(spot->first, "heights") || sw_str_is(spot->first, "traffic");
}

void offer_result(struct spot *spot);

static void offer_sets_of_formula(struct spot *spot)
{
	if (spot->session->state.formula == NULL)
		return;
	offer(spot, "alpha", "the part of the input that is held");
	offer(spot, "beta", "the part that is needed");
	offer(spot, "gamma", "what is computed");
}

/* The arrays of the formula of which something moves. */
void offer_arrays(struct spot *spot)
{
	const struct kept_formula *kept = spot->session->state.formula;
	const sw_computation *computation = kept ? kept->computation : NULL;
	for (int k = 0; computation && k < computation->formula.arrays; k++) {
		sw_str name = computation->formula.array[k].name;
		char text[80];
		snprintf(text, sizeof(text), "%.*s", AS_SHOWN(name));
		if (computation->array[k].relation && !(k > 0 && computation->array[k].local))
			offer(spot, text,
				k > 0 ? "from the part held to the part needed" : "from where it is made to where it is kept");
	}
}

void offer_type_argument(struct spot *spot)
{
	const struct state *state = &spot->session->state;
	bool reach = is_command(spot, "to") && state->has[DEFINED_FROM];
	if (is_command(spot, "show") && shows_plan(spot)) {
		offer_result(spot);
		return;
	}
	if (is_command(spot, "show")) {
		offer(spot, "from", "the present type of the array");
		offer(spot, "to", "the wanted type");
		offer_sets_of_formula(spot);
	}
	offer_type(spot, spot->argument, reach ? &state->from : NULL);
}

/* What a format takes for a plan, and what a picture is of. */
void offer_exported(struct spot *spot)
{
	offer_all(spot, view_choice);
	for (int i = 0; picture_command(i); i++)
		offer(spot, picture_command(i), "a picture of this command");
	offer_result(spot);
}

/* ---- formulas ---- */

static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The indices that the formula has up to here, and the next letter that is free. */
static void offer_indices(struct spot *spot, const char *text, const char *end)
{
	static const char letters[] = "ijklmn";
	bool is_next = true;
	for (const char *letter = letters; *letter; letter++) {
		const char name[2] = {*letter, '\0'};
		bool used = is_used(name, text, end);
		if (used || is_next)
			offer(spot, name, used ? "an index" : "a new index");
		is_next = is_next && used;
	}
}

/* Names of arrays, which are those of types; in brackets their indices. */
void offer_formula(struct spot *spot)
{
	sw_str text = spot->argument;
	const char *begin = text.at + text.length;
	if (offer_type_words(spot, text))
		return;
	while (begin > text.at && is_of_name(begin[-1]))
		begin--;
	move_begin(spot, begin);
	if (look_inside(text).bracket)
		offer_indices(spot, text.at, begin);
	else
		offer_named_types(spot, true);
}

void offer_definition(struct spot *spot)
{
	const char *equals = memchr(spot->argument.at, '=', spot->argument.length);
	if (equals) {
		const char *end = spot->argument.at + spot->argument.length;
		offer_type(spot, (sw_str){equals + 1, (size_t)(end - equals - 1)}, NULL);
	}
}

/* The type on the left of the arrow. */
static bool read_left(const struct spot *spot, sw_str text, sw_type *type)
{
	const struct named_type *named = session_type(spot->session, sw_str_trim(text));
	bool tile = named && !named->failed && !named->is.words;
	if (tile)
		*type = named->is.type;
	return tile ||
		(spot->session->state.has[DEFINED_MESH] &&
			sw_type_parse(&spot->session->state.mesh, sw_str_trim(text), type, NULL));
}

void offer_redistribution(struct spot *spot)
{
	sw_str text = spot->argument, arrow = line_arrow(text);
	sw_type left;
	bool known = read_left(spot, (sw_str){text.at, (size_t)(arrow.at - text.at)}, &left);
	if (arrow.length) {
		const char *right = arrow.at + arrow.length;
		offer_type(spot, (sw_str){right, (size_t)(text.at + text.length - right)}, known ? &left : NULL);
	} else if (known && text.length && text.at[text.length - 1] == ' ') {
		move_begin(spot, text.at + text.length);
		offer(spot, "~>", "becomes");
	} else {
		offer_type(spot, text, NULL);
	}
}

void offer_mesh(struct spot *spot)
{
	const struct state *state = &spot->session->state;
	sw_text text = {0};
	if (state->has[DEFINED_MESH])
		sw_mesh_print(&state->mesh, &text);
	if (state->has[DEFINED_MESH])
		offer_more(spot, sw_text_get(&text), "the present mesh");
	sw_text_free(&text);
}

/* ---- operations ---- */

static void take_call(struct spot *spot, const char *call, const sw_type *after)
{
	sw_text text = {0};
	type_text(spot, after, &text);
	offerf(spot, call, "makes %s", sw_text_get(&text));
	sw_text_free(&text);
}

static const sw_type *type_by_hand(const struct spot *spot)
{
	const struct state *state = &spot->session->state;
	const struct hand_step *hand = session_hand(state, false);
	return hand ? &hand->after : state->has[DEFINED_FROM] ? &state->from : NULL;
}

static void offer_dimensions(struct spot *spot, const char *token)
{
	const sw_type *type = type_by_hand(spot);
	move_begin(spot, token);
	for (int i = 0; type && i < type->rank; i++) {
		char number[12];
		snprintf(number, sizeof(number), "%d", i);
		if (fits(spot, number)) {
			char about[80];
			snprintf(about, sizeof(about), "dimension of %lld, tile %lld", (long long)type->global[i],
				(long long)type->tile[i]);
			offer_row(spot, number, true, about);
		}
	}
}

/* How the operation's usage calls its n-th argument: "alltoall(FROM, TO[, FACTOR])". */
static sw_str usage_argument(sw_str operation, int n)
{
	sw_op op = sw_op_named(operation);
	const char *at = op < SW_COLLECTIVES ? strchr(sw_collective_of(op)->usage, '(') : NULL;
	for (; at && n > 0; n--)
		at = strpbrk(at + 1, ",)");
	if (!at || *at == ')')
		return (sw_str){"", 0};
	at += 1 + strspn(at + 1, " [,");
	return (sw_str){at, strcspn(at, ",[]() ")};
}

static void offer_call_argument(struct spot *spot, const struct inside *inside)
{
	sw_str head = sw_str_trim((sw_str){spot->argument.at, (size_t)(inside->at - spot->argument.at)});
	sw_str name = usage_argument(head, inside->commas);
	if (sw_str_is(name, "DIM") || sw_str_is(name, "FROM") || sw_str_is(name, "TO"))
		offer_dimensions(spot, inside->token);
	else if (sw_str_is(name, "AXIS") || sw_str_is(name, "AXES"))
		offer_axes(spot, inside->at, inside->token);
}

/* `allreduce across cpu in server`, word by word: forms, levels and factors. */
static void offer_grouped(struct spot *spot, const struct inside *inside)
{
	static const struct {
		const char *word, *about;
	} forms[] = {
#define X(id, word, other, about) {word, about},
		SW_GROUP_FORMS(X)
#undef X
	};
	const struct placing *placing = spot->session->state.placing;
	sw_str before = sw_str_trim((sw_str){spot->argument.at, (size_t)(inside->token - spot->argument.at)});
	int words = 0;
	for (size_t i = 0; i < before.length; i++)
		words += before.at[i] != ' ' && (i == 0 || before.at[i - 1] == ' ');
	move_begin(spot, inside->token);
	for (size_t i = 0; words == 1 && i < sizeof(forms) / sizeof(*forms); i++)
		offer(spot, forms[i].word, forms[i].about);
	if (words == 3)
		offer(spot, "in", "an ancestor; the root without");
	if (words != 2 && words != 4)
		return;
	offer(spot, "root", "all devices");
	for (int j = 0; placing && j < placing->system.count; j++)
		offerf(spot, placing->system.level[j].name, "a level of %lld", (long long)placing->system.level[j].size);
}

static bool is_group_form(const struct spot *spot, const struct inside *inside)
{
	const char *blank = memchr(spot->argument.at, ' ', spot->argument.length);
	sw_str op = {spot->argument.at, blank ? (size_t)(blank - spot->argument.at) : 0};
	return !inside->bracket && blank && spot->session->state.placing && sw_chunk_op_named(op) != SW_OP_COUNT;
}

void offer_call(struct spot *spot)
{
	struct inside inside = look_inside(spot->argument);
	if (is_group_form(spot, &inside)) {
		offer_grouped(spot, &inside);
		return;
	}
	const sw_type *before = type_by_hand(spot);
	if (inside.bracket == '(') {
		offer_call_argument(spot, &inside);
		return;
	}
	if (inside.bracket == '{') {
		offer_axes(spot, inside.at, inside.token);
		return;
	}
	if (before)
		each_move(spot, before, take_call);
	for (int i = 0; i < SW_COLLECTIVES; i++)
		offer(spot, sw_collective_of((sw_op)i)->name, sw_collective_of((sw_op)i)->usage);
}

/* ---- schedules ---- */

/* Before the first command the loops are those of the formula's letters. */
static void offer_first_loops(struct spot *spot, const sw_formula *formula)
{
	for (int k = 0; k < formula->letters; k++) {
		const char name[2] = {formula->letter[k], '\0'};
		offerf(spot, name, "a loop of %lld", (long long)formula->size[k]);
	}
}

static void offer_loops(struct spot *spot)
{
	const struct kept_schedule *kept = session_kept_schedule(&spot->session->state);
	const struct kept_formula *formula = spot->session->state.formula;

	if (!kept && formula)
		offer_first_loops(spot, &formula->computation->formula);
	for (int k = 0; kept && k < kept->schedule->loops; k++) {
		const sw_schedule_loop *loop = &kept->schedule->loop[k];
		char name[SW_NAME_SIZE];
		snprintf(name, sizeof(name), "%.*s", (int)loop->name.length, loop->name.at);
		offerf(spot, name, "a loop of %lld", (long long)loop->extent);
	}
}

static void offer_all_arrays(struct spot *spot)
{
	const struct kept_formula *formula = spot->session->state.formula;

	for (int k = 0; formula && k < formula->computation->formula.arrays; k++) {
		sw_str array = formula->computation->formula.array[k].name;
		char name[SW_NAME_SIZE];
		snprintf(name, sizeof(name), "%.*s", (int)array.length, array.at);
		offer(spot, name, "an array");
	}
}

/* What stands in the brackets of a command: loops, and what else it takes. */
static void offer_in_brackets(struct spot *spot, sw_str command)
{
	if (sw_str_starts(command, "communicate(") || sw_str_starts(command, "precompute("))
		offer_all_arrays(spot);
	offer_loops(spot);
	if (sw_str_starts(command, "distribute("))
		offer_more(spot, "Grid(", "the machine, as numbers or axes");
	if (sw_str_starts(command, "parallelize(")) {
		offer(spot, "threads", "on threads of a processor");
		offer(spot, "reduce", "whose sums are added up");
	}
	for (int k = 0; sw_str_starts(command, "substitute(") && sw_schedule_kernel_at(k); k++)
		offer(spot, sw_schedule_kernel_at(k)->name, sw_schedule_kernel_at(k)->statement);
}

/* The next command of a chain, or what stands in its brackets. */
void offer_schedule(struct spot *spot)
{
	struct inside inside = look_inside(spot->argument);
	const char *dot = spot->argument.length ? memrchr(spot->argument.at, '.', spot->argument.length) : NULL;
	if (inside.bracket) {
		sw_str all = spot->argument;
		move_begin(spot, inside.token);
		offer_in_brackets(spot, dot ? sw_str_behind(all, (size_t)(dot + 1 - all.at)) : all);
		return;
	}
	for (int n = 0; sw_schedule_algorithm_at(n) && !memchr(spot->argument.at, '.', spot->argument.length); n++)
		offer_more(spot, sw_schedule_algorithm_at(n)->name, sw_schedule_algorithm_at(n)->about);
	const char *about;
	for (int n = 0; taken_name(n, &about) && !memchr(spot->argument.at, '.', spot->argument.length); n++)
		offer_more(spot, taken_name(n, &about), about);
	if (dot)
		move_begin(spot, dot);
	for (int n = 0; sw_schedule_command_at(n); n++) {
		const sw_schedule_command_row *row = sw_schedule_command_at(n);
		char text[40];
		snprintf(text, sizeof(text), ".%s(", row->word);
		offer_more(spot, text, row->effect);
	}
}

/* ---- systems, placements and sums over them ---- */

#define MOST_PLACEMENTS 40
#define MOST_REDUCTIONS 20

void offer_levels(struct spot *spot)
{
	if (spot->argument.length && memchr(spot->argument.at, ' ', spot->argument.length))
		return;
	for (int n = 0; sw_system_name_at(n); n++)
		offer_more(spot, sw_system_name_at(n), "a system of the second paper; a number of nodes follows");
	offer_more(spot, "{", "levels with their ports: {node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}");
}

/* Rows of the list that was shown last: all have the axes and levels of now, or none has. */
static void offer_listed_placements(struct spot *spot)
{
	const struct kept_placements *kept = spot->session->placements;
	for (int i = 0; kept && i < kept->count && i < MOST_PLACEMENTS; i++) {
		char number[12];
		sw_text text = {0};
		snprintf(number, sizeof(number), "%d", i + 1);
		sw_placement_print(&kept->placement[i], &text);
		offerf(spot, number, "%s, row %d of `placements`", sw_text_get(&text), i + 1);
		sw_text_free(&text);
	}
}

static void offer_matrices(struct spot *spot)
{
	const struct placing *placing = spot->session->state.placing;
	int64_t size[SW_MAX_PLACED];
	sw_placement placement;
	if (!placing || !placing->has_axes)
		return;
	for (int i = 0; i < placing->axes.count; i++)
		size[i] = placing->axes.axis[i].size;
	bool more = sw_placement_first(&placing->system, size, placing->axes.count, &placement);
	for (int n = 0; more && n < MOST_PLACEMENTS; n++) {
		sw_text text = {0};
		sw_text_add_char(&text, '[');
		sw_placement_print(&placement, &text);
		sw_text_add_char(&text, ']');
		offer(spot, sw_text_get(&text), "a row for each axis, a column for each level");
		sw_text_free(&text);
		more = sw_placement_next(&placing->system, &placement);
	}
}

void offer_placements(struct spot *spot)
{
	sw_str text = sw_str_trim(spot->argument);
	if (sw_str_starts(text, "megatron ") || sw_str_starts(text, "jax "))
		return;
	move_begin(spot, text.at);
	offer_listed_placements(spot);
	offer_matrices(spot);
	offer_more(spot, "megatron ", "the order of Megatron: tp-cp-ep-dp-pp tp=4 dp=4 pp=4");
	offer_more(spot, "jax ", "mesh_shape and dcn_mesh_shape: (2,8) (4,1)");
}

/* `{data, shard} f32[1024]`: axes in the braces, then the array. */
void offer_summed(struct spot *spot)
{
	struct inside inside = look_inside(spot->argument);
	const struct state *state = &spot->session->state;
	const char *end = spot->argument.at + spot->argument.length;
	bool closed = spot->argument.length && memchr(spot->argument.at, '}', spot->argument.length);
	if (inside.bracket == '{') {
		offer_axes(spot, inside.at, inside.token);
	} else if (!closed) {
		offer_more(spot, "{", "the axes to sum over, with commas between them");
	} else if (end[-1] == ' ' || inside.token < end) {
		move_begin(spot, inside.token);
		for (int i = 0; spot->kind == KIND_SUMMED && i < SW_DTYPE_COUNT; i++) {
			char text[24];
			snprintf(text, sizeof(text), "%s[", sw_dtype_name((sw_dtype)i));
			if (!inside.bracket)
				offer_more(spot, text, state->has[DEFINED_SHAPE] ? "" : "the array whose terms the devices hold");
		}
	}
}

/* Programs by number, the fastest first; they take a while where hierarchies are deep. */
void offer_reductions(struct spot *spot)
{
	struct invocation run = {.session = spot->session, .arena = spot->out->arena};
	sw_diag diag;
	sw_plan *plans;
	int count;
	if (!reductions_as_plans(&run, spot->out->arena, MOST_REDUCTIONS, &plans, &count, &diag))
		return;
	for (int i = 0; i < count; i++) {
		char number[12];
		const char *steps = strstr(plans[i].name, ": ");
		snprintf(number, sizeof(number), "%d", i + 1);
		offer(spot, number, steps ? steps + 2 : "");
	}
	offer_all(spot, reduction_choice);
}

/* ---- products ---- */

void offer_product(struct spot *spot)
{
	static const struct {
		const char *equation, *about;
	} usual[] = {
		{"ij,jk->ik ", "a product of two matrices"},
		{"bij,bjk->bik ", "one for each b"},
		{"ij,j->i ", "a matrix and a vector"},
		{"bd,df->bf ", "activations and weights"},
	};
	sw_str text = spot->argument;
	const char *blank = text.length ? memchr(text.at, ' ', text.length) : NULL, *end = text.at + text.length;
	struct inside inside = look_inside(text);
	for (size_t i = 0; !blank && i < sizeof(usual) / sizeof(*usual); i++)
		offer_more(spot, usual[i].equation, usual[i].about);
	if (!blank || (inside.bracket && inside.bracket != '{'))
		return;
	if (inside.bracket) {
		offer_axes(spot, inside.at, inside.token);
		return;
	}
	move_begin(spot, inside.token);
	offer_named_types(spot, false);
	if (inside.commas > 1 && (end[-1] == ' ' || inside.token < end))
		offer(spot, "as", "the type wanted for the product");
}

/* ---- nodes, results, numbers ---- */

static void offer_node(struct spot *spot, const sw_walk *walk, const sw_node *node)
{
	char number[12];
	sw_text tile = {0};
	snprintf(number, sizeof(number), "%d", node->id);
	sw_walk_print_place(walk, node->place, &tile);
	bool by_tile = typed(spot).length && *typed(spot).at == '[';
	offerf(spot, by_tile ? sw_text_get(&tile) : number, "%s %s %lld, distance %s, %s%s",
		by_tile ? number : sw_text_get(&tile), sw_walk_words_of(walk)->size, (long long)node->size,
		words_cost(walk, node->distance).text, words_node(node->state),
		node->is_goal      ? ", the goal" :
			node->is_start ? ", the start" :
							 "");
	sw_text_free(&tile);
}

void offer_nodes(struct spot *spot)
{
	const struct kept_walk *kept = session_begun(spot->session);
	sw_node node;
	for (int id = 1; kept && id <= sw_walk_seen(kept->walk) && spot->out->count < MOST_NODES; id++)
		if (sw_walk_node(kept->walk, id, &node))
			offer_node(spot, kept->walk, &node);
}

void offer_result(struct spot *spot)
{
	const struct session *session = spot->session;
	for (int n = session->result_count; n > 0 && session_result(session, n); n--) {
		const sw_plan *plan = &session_result(session, n)->plan;
		char name[16];
		snprintf(name, sizeof(name), "$%d", n);
		offerf(spot, name, "%s, %d steps, cost %lld", plan->origin ? plan->origin : sw_strategy_name(plan->strategy),
			plan->program.steps, (long long)plan->cost);
	}
	offer_all(spot, strategy_choice);
}

/* `plan` takes the number of a plan too; who looks for a strategy sees no numbers. */
void offer_planned(struct spot *spot)
{
	bool numbered = spot->argument.length && *spot->argument.at == '$';
	if (numbered && spot->option == OPTION_COUNT && strcmp(spot->command->name, "plan") == 0)
		offer_result(spot);
	else
		offer_all(spot, strategy_choice);
}

void offer_verified(struct spot *spot)
{
	offer_result(spot);
	for (int kind = 0; kind < SW_STATEMENT_KINDS; kind++)
		offer(spot, sw_statement_kind_name((sw_statement_kind)kind),
			"a statement of the paper, tested on random cases");
}

void offer_statements(struct spot *spot)
{
	sw_statement_kind kind = sw_statement_kind_named(spot->first);
	for (int n = 0; sw_statement_at(n); n++) {
		const sw_statement *statement = sw_statement_at(n);
		sw_str number = sw_str_of(statement->number);
		if (statement->kind == kind && sw_statement_of(SW_PAPER_COUNT, kind, number) == statement)
			offer(spot, statement->number, statement->about);
	}
}

static void offer_steps(struct spot *spot)
{
	const struct kept_plan *kept = spot->session->state.plan;
	for (int i = 0; kept && i <= kept->plan.program.steps; i++) {
		char number[12];
		snprintf(number, sizeof(number), "%d", i);
		offerf(spot, number, i ? "after %s" : "before the first step",
			i ? sw_collective_of(kept->plan.program.step[i - 1].op)->name : "");
	}
}

void offer_number(struct spot *spot)
{
	if (spot->option == OPTION_STEP)
		offer_steps(spot);
	if (spot->option == OPTION_NODE)
		offer_nodes(spot);
}

static int rank_now(const struct spot *spot)
{
	const struct state *state = &spot->session->state;
	return state->has[DEFINED_FROM] ? state->from.rank : state->has[DEFINED_SHAPE] ? state->shape.rank : 0;
}

void offer_pairs(struct spot *spot)
{
	int rank = rank_now(spot);
	for (int i = 0; i < rank; i++)
		for (int j = 0; j < rank; j++) {
			char pair[24];
			snprintf(pair, sizeof(pair), "%d,%d", i, j);
			if (i != j)
				offer(spot, pair, "");
		}
}

void offer_fixes(struct spot *spot)
{
	begin_at_comma(spot);
	for (int i = 0; i < rank_now(spot); i++) {
		char text[24];
		snprintf(text, sizeof(text), "%d=", i);
		offer_more(spot, text, "tile of this dimension");
	}
}

/* Its first and its last element. */
void offer_elements(struct spot *spot)
{
	const struct state *state = &spot->session->state;
	sw_text first = {0}, last = {0};
	for (int i = 0; state->has[DEFINED_FROM] && i < state->from.rank; i++) {
		sw_text_addf(&first, "%s0", i ? "," : "");
		sw_text_addf(&last, "%s%lld", i ? "," : "", (long long)state->from.global[i] - 1);
	}
	if (first.length) {
		offer(spot, sw_text_get(&first), "the first element");
		offer(spot, sw_text_get(&last), "the last element");
	}
	sw_text_free(&first);
	sw_text_free(&last);
}

/* ---- files ---- */

static bool is_folder(const char *folder, const char *name)
{
	sw_text path = {0};
	struct stat info;
	sw_text_addf(&path, "%s/%s", folder, name);
	bool yes = stat(sw_text_get(&path), &info) == 0 && S_ISDIR(info.st_mode);
	sw_text_free(&path);
	return yes;
}

/* The whole name as a word of the language; a folder's quotes stay open. */
static void offer_file(struct spot *spot, sw_str folder, const char *name, bool is_dir)
{
	sw_text path = {0}, word = {0};
	sw_text_add_str(&path, folder);
	sw_text_add(&path, name);
	sw_text_add(&path, is_dir ? "/" : "");
	line_print_word((sw_str){sw_text_get(&path), path.length}, &word);
	bool quoted = word.length && *word.data == '"';
	if (quoted && is_dir)
		word.data[--word.length] = '\0';
	if (!path.failed && !word.failed)
		offer_row(spot, word.data, is_dir, "");
	sw_text_free(&path);
	sw_text_free(&word);
}

void offer_files(struct spot *spot)
{
	sw_str word = typed(spot);
	struct dirent **entries;
	if (word.length && (*word.at == '"' || *word.at == '\''))
		word = (sw_str){word.at + 1, word.length - 1};
	const char *slash = word.length ? memrchr(word.at, '/', word.length) : NULL;
	sw_str folder = {word.at, slash ? (size_t)(slash - word.at) + 1 : 0};
	sw_str begin = {word.at + folder.length, word.length - folder.length};
	char *path = sw_arena_copy(spot->out->arena, folder.length ? folder.at : ".", folder.length ? folder.length : 1);
	int count = path ? scandir(path, &entries, NULL, alphasort) : -1;
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		bool hidden = *name == '.' && (!begin.length || name[1] == '\0' || strcmp(name, "..") == 0);
		if (!hidden && strncmp(name, begin.at, begin.length) == 0 && spot->out->count < MOST_FILES)
			offer_file(spot, folder, name, is_folder(path, name));
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* A file, unless a type has begun. */
void offer_compared(struct spot *spot)
{
	bool types = line_arrow(spot->argument).length || sw_str_starts(sw_str_trim(spot->argument), "[");
	(types ? offer_redistribution : offer_files)(spot);
}

/* ---- the table ---- */
