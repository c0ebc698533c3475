/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of arguments and options by their kinds, refused where they stand.
 */
#include "command/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/advise.h>
#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "answer/order.h"
#include "answer/words.h"
#include "command/ends.h"
#include "command/foreign.h"
#include "host/file.h"
#include "language/names.h"
#include "session/present.h"

/* ---- what a word says ---- */

bool refuse_word(const struct invocation *run, const struct word *word, sw_diag *diag, sw_code code,
	const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	sw_diag_set(diag, code, line_span(run->position->text, word->raw), "'%.*s' %s", AS_SHOWN(word->text),
		sw_text_get(&text));
	sw_text_free(&text);
	return false;
}

bool refuse_inside(const struct invocation *run, const char *file, sw_str text, sw_diag *diag)
{
	size_t begin = diag->at.begin < text.length ? diag->at.begin : text.length;
	int number = 1;
	while (begin > 0 && text.at[begin - 1] != '\n')
		begin--;
	for (size_t i = 0; i < begin; i++)
		number += text.at[i] == '\n';
	const char *newline = memchr(text.at + begin, '\n', text.length - begin);
	size_t end = newline ? (size_t)(newline - text.at) : text.length;
	end -= end > begin && text.at[end - 1] == '\r';
	char *line = sw_arena_copy(run->arena, text.at + begin, end - begin);
	if (!line)
		return sw_diag_memory(diag);
	*run->elsewhere = (struct position){file, number, {line, end - begin}};
	bool near = diag->also.end && diag->also.begin >= begin && diag->also.end <= end;
	diag->also = near ? (sw_span){diag->also.begin - begin, diag->also.end - begin} : (sw_span){0, 0};
	diag->at = (sw_span){diag->at.begin - begin, (diag->at.end < end ? diag->at.end : end) - begin};
	return false;
}

/* ---- numbers ---- */

bool read_count(const struct invocation *run, const struct word *word, int64_t low, int64_t high, int64_t *number,
	sw_diag *diag)
{
	bool overflow = false;
	if (!word)
		return true;
	bool ok = sw_read_int(word->text, number, &overflow);
	if (ok && *number >= low && *number <= high)
		return true;
	refuse_word(run, word, diag, ok || overflow ? SW_L12 : SW_L11,
		ok || overflow ? "is out of range" : "is not a number");
	if (high == INT64_MAX)
		sw_diag_expected(diag, "a number of at least %lld", (long long)low);
	else
		sw_diag_expected(diag, "%lld to %lld", (long long)low, (long long)high);
	return false;
}

bool option_count(const struct invocation *run, enum option option, int64_t low, int64_t high, int64_t *number,
	sw_diag *diag)
{
	return read_count(run, option_given(run, option), low, high, number, diag);
}

bool option_device(const struct invocation *run, int64_t devices, int64_t *device, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_DEVICE);
	const sw_mesh *mesh = &run->session->state.mesh;
	int64_t named;
	if (word && sw_mesh_find_device(mesh, word->text, &named) && named < devices) {
		*device = named;
		return true;
	}
	if (read_count(run, word, 0, devices - 1, device, diag))
		return true;
	if (mesh->unit > 0)
		sw_diag_hint(diag, "or by its name, %s to %s", words_device(mesh, 0).text,
			words_device(mesh, mesh->devices - 1).text);
	return false;
}

bool value_number(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	(void)kind;
	return range.low == range.high || read_count(run, word, range.low, range.high, &value->number, diag);
}

/* A number above the lowest. */
bool value_real(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	const char *text = file_name(run, word);
	char *end;
	value->real = strtod(text, &end);
	bool is_number = end != text && !*end;
	if (is_number && value->real > (double)range.low && value->real <= (double)range.high)
		return true;
	refuse_word(run, word, diag, is_number ? SW_L12 : SW_L11, is_number ? "is out of range" : "is not a number");
	sw_diag_expected(diag, "%s", kind_rows[kind].about);
	return false;
}

int read_numbers(sw_str text, int64_t *number, int room)
{
	int count = 0;
	for (text = sw_str_trim(text); text.length > 0 || count == 0;) {
		size_t length = 0;
		while (length < text.length && !strchr(" \t,", text.at[length]))
			length++;
		if (count == room || !sw_read_int((sw_str){text.at, length}, &number[count++], NULL))
			return 0;
		text = sw_str_trim(sw_str_behind(text, length));
		if (!sw_str_starts(text, ","))
			continue;
		text = sw_str_trim(sw_str_behind(text, 1));
		if (text.length == 0)
			return 0;
	}
	return count;
}

bool read_result(const struct word *word, int64_t *number)
{
	return *word->text.at == '$' && sw_read_int(sw_str_behind(word->text, 1), number, NULL);
}

/* ---- words of a list ---- */

static bool choose(const struct invocation *run, const struct word *word, const struct word_list *list, int *index,
	sw_diag *diag)
{
	for (int i = 0; list->word[i]; i++)
		if (sw_str_is(word->text, list->word[i])) {
			*index = i;
			return true;
		}
	sw_diag_set(diag, SW_L13, line_span(run->position->text, word->raw), list->refusal, AS_SHOWN(word->text));
	sw_diag_expected(diag, "%s", list->expected);
	return false;
}

bool option_choice(const struct invocation *run, enum option option, const struct word_list *list, int *index,
	sw_diag *diag)
{
	const struct word *word = option_given(run, option);
	return !word || choose(run, word, list, index, diag);
}
static bool refuse_value(const struct invocation *run, const struct word *word, enum kind kind, sw_diag *diag)
{
	refuse_word(run, word, diag, SW_L13, "is out of range");
	sw_diag_expected(diag, "%s", kind_rows[kind].about);
	return false;
}

static const char *choice_at(const void *context, int n)
{
	return kind_rows[*(const enum kind *)context].choice(n).name;
}

int choice_named(enum kind kind, sw_str word, sw_diag *diag)
{
	const struct kind_row *row = &kind_rows[kind];
	const struct names names = {choice_at, &kind, row->what, row->hint};
	return name_find(&names, word, row->unknown != SW_OK ? row->unknown : SW_L08, diag);
}

bool value_choice(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	const struct kind_row *row = &kind_rows[kind];
	(void)range;
	if (row->what) {
		value->number = choice_named(kind, word->text, diag);
		return value->number >= 0 || refuse_at(run, word->raw, diag);
	}
	while (row->choice((int)value->number).name && !sw_str_is(word->text, row->choice((int)value->number).name))
		value->number++;
	return row->choice((int)value->number).name || refuse_value(run, word, kind, diag);
}

bool value_dtype(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	sw_dtype dtype;
	(void)kind, (void)range;
	if (!sw_dtype_parse(word->text, &dtype, diag))
		return refuse_at(run, word->raw, diag);
	value->number = dtype;
	return true;
}

bool value_system(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	sw_advise_target target;
	(void)kind, (void)range;
	if (!sw_advise_parse(word->text, &target, diag)) {
		diag->at = line_span(run->position->text, word->raw);
		return false;
	}
	value->number = target;
	return true;
}

bool value_setting(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	(void)range;
	return read_setting(run, word, kind_rows[kind].setting, &value->setting, diag);
}

bool read_setting(const struct invocation *run, const struct word *word, enum setting setting,
	struct setting_value *value, sw_diag *diag)
{
	return setting_read(setting, word->text, value, diag) || refuse_at(run, word->raw, diag);
}

bool read_strategies(const struct invocation *run, const struct word *word, struct value *value, sw_diag *diag)
{
	unsigned seen = 0;
	value->count = 0;
	for (size_t at = 0; at < word->text.length;) {
		sw_strategy strategy;
		if (!sw_strategy_parse(sw_str_split(word->text, &at, SW_NESTING_PLAIN), &strategy, diag))
			return refuse_at(run, word->raw, diag);
		if (!(seen & 1u << strategy))
			value->strategy[value->count++] = strategy;
		seen |= 1u << strategy;
	}
	if (value->count)
		return true;
	sw_diag_set(diag, SW_L13, line_span(run->position->text, word->raw), "no strategy is named");
	sw_diag_expected(diag, "%s", kind_rows[KIND_STRATEGIES].about);
	return false;
}

bool value_strategies(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	(void)kind, (void)range;
	return read_strategies(run, word, value, diag);
}

bool is_type_name(sw_str text)
{
	for (size_t i = 0; i < text.length; i++) {
		char c = text.at[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		if (!letter && !(i && c >= '0' && c <= '9'))
			return false;
	}
	return text.length > 0;
}

static const char *type_name_at(const void *context, int n)
{
	const struct named_type *type = ((const struct session *)context)->state.types;
	while (type && n-- > 0)
		type = type->next;
	return type ? type->name : NULL;
}

const char *nearest_type_name(const struct session *session, sw_str name)
{
	const struct names names = {type_name_at, session, "type", ""};
	const char *all[64];
	int count = 0, found = name_find(&names, name, SW_L08, &(sw_diag){.code = SW_OK});
	if (found >= 0)
		return type_name_at(session, found);
	while (count < 64 && type_name_at(session, count)) {
		all[count] = type_name_at(session, count);
		count++;
	}
	int near = name.length < SW_NAME_SIZE ? sw_str_nearest(name, all, count) : -1;
	return near >= 0 ? all[near] : NULL;
}

static bool refuse_name(const struct invocation *run, sw_str name, sw_diag *diag)
{
	const char *near = nearest_type_name(run->session, name);
	sw_diag_set(diag, SW_L08, (sw_span){0, name.length}, "no type is called '%.*s'", AS_SHOWN(name));
	sw_diag_expected(diag, "%s", kind_rows[KIND_TYPE].about);
	if (near)
		sw_diag_hint(diag, "did you mean '%s'?", near);
	else
		sw_diag_hint(diag, "`type NAME = TYPE` defines one");
	return refuse_at(run, name, diag);
}

/* `from` and `to` are names too, where no type has them. */
static bool is_end(const struct invocation *run, sw_str name, struct any_type *type)
{
	const struct state *state = &run->session->state;
	return (sw_str_is(name, "from") && session_any_end(state, DEFINED_FROM, type)) ||
		(sw_str_is(name, "to") && session_any_end(state, DEFINED_TO, type)) ||
		session_formula_type(run->session, name, type);
}

static bool read_named_type(const struct invocation *run, sw_str name, struct any_type *type, sw_diag *diag)
{
	const struct named_type *named = session_type(run->session, name);
	if (named && named->failed && !run->session->interactive) {
		sw_diag_set(diag, SW_L14, line_span(run->position->text, name), "type '%s' failed on line %d", named->name,
			named->failed);
		sw_diag_hint(diag, "fix line %d first", named->failed);
		return false;
	}
	if (named && !named->failed) {
		*type = named->is;
		return true;
	}
	if (!named && is_end(run, name, type))
		return true;
	return refuse_name(run, name, diag);
}

static void print_shape(const sw_type *type, sw_text *text)
{
	sw_text_addf(text, "%s[", sw_dtype_name(type->dtype));
	for (int i = 0; i < type->rank; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "", (long long)sw_type_size(type, i));
	sw_text_add_char(text, ']');
}

/* The engine speaks of two types; here one of them is the shape. */
static bool refuse_shape(const struct invocation *run, sw_str text, const sw_type *type, sw_diag *diag)
{
	sw_text shape = {0}, found = {0};
	print_shape(&run->session->state.shape, &shape);
	print_shape(type, &found);
	sw_diag_set(diag, diag->code, (sw_span){0, 0}, "the type does not have the given shape");
	sw_diag_expected(diag, "%s", sw_text_get(&shape));
	sw_diag_found(diag, "%s", sw_text_get(&found));
	sw_diag_hint(diag, "`shape %s` changes the array", sw_text_get(&found));
	sw_text_free(&shape);
	sw_text_free(&found);
	return refuse_at(run, text, diag);
}

bool fit_shape(const struct invocation *run, sw_str text, sw_type *type, sw_diag *diag)
{
	const struct state *state = &run->session->state;
	if (!state->has[DEFINED_SHAPE])
		return true;
	if (!type->dtype_given) {
		type->dtype = state->shape.dtype;
		type->dtype_given = state->shape.dtype_given;
	}
	if (sw_uneven_same_array(&state->shape, type, diag))
		return true;
	return refuse_shape(run, text, type, diag);
}

/* ---- what types with words refer to ---- */

static const sw_distribution *type_here(const void *of, sw_str name)
{
	const struct names_here *here = of;
	const struct named_type *named = session_type(here->run->session, name);
	sw_distribution *made = SW_NEW(here->arena, sw_distribution, 1);
	struct any_type end;
	if (named && named->failed)
		return NULL;
	if (named)
		end = named->is;
	else if (!is_end(here->run, name, &end))
		return NULL;
	if (!end.words && made && sw_distribution_of_type(&here->run->session->state.mesh, &end.type, here->arena, made))
		return made;
	return end.words;
}

static bool file_here(const void *of, sw_str name, sw_arena *arena, sw_str *text, sw_diag *diag)
{
	const struct names_here *here = of;
	struct word word = {name, name};
	sw_text read = {0};
	bool ok = file_read_text(file_beside(here->run, &word), &read, NULL, diag);
	const char *kept = ok ? sw_arena_copy(arena, sw_text_get(&read), read.length) : NULL;
	if (kept)
		*text = (sw_str){kept, read.length};
	sw_text_free(&read);
	return kept || (ok && sw_diag_memory(diag));
}

const sw_distribution_names *names_here(const struct invocation *run, sw_arena *arena, struct names_here *here)
{
	*here = (struct names_here){.run = run, .arena = arena};
	here->names = (sw_distribution_names){.rule = session_uneven(run->session),
		.pads = session_pads(run->session),
		.named = type_here,
		.file = file_here,
		.of = here};
	return &here->names;
}

static bool read_own_type(const struct invocation *run, sw_str text, sw_arena *arena, struct any_type *type,
	sw_diag *diag)
{
	struct names_here here;
	return sw_type_parse_any(&run->session->state.mesh, text, names_here(run, arena, &here), arena, &type->type,
			   &type->words, diag) ||
		refuse_at(run, text, diag);
}

bool read_any_type(const struct invocation *run, sw_str text, sw_arena *arena, struct any_type *type, sw_diag *diag)
{
	text = sw_str_trim(text);
	if (!session_need(run->session, DEFINED_MESH, diag))
		return false;
	enum written written = written_as(run->session, text);
	if (written == WRITTEN_UNKNOWN)
		return refuse_unknown(run, text, diag);
	type->words = NULL;
	bool ok = written == WRITTEN_AS_NAME ? read_named_type(run, text, type, diag) :
		written == WRITTEN_AS_SHARDING   ? read_foreign_type(run, text, arena, type, diag) :
										   read_own_type(run, text, arena, type, diag);
	return ok && fit_shape(run, text, &type->type, diag);
}

bool read_type(const struct invocation *run, sw_str text, sw_type *type, sw_diag *diag)
{
	struct any_type any;
	text = sw_str_trim(text);
	if (!read_any_type(run, text, run->arena, &any, diag))
		return false;
	*type = any.type;
	if (!any.words)
		return true;
	sw_type_refuse_words(&run->session->state.mesh, &any.type, any.words, (sw_span){0, text.length}, diag);
	return refuse_at(run, text, diag);
}

const char *file_name(const struct invocation *run, const struct word *word)
{
	const char *name = sw_arena_copy(run->arena, word->text.at, word->text.length);
	return name ? name : "";
}

const char *file_beside(const struct invocation *run, const struct word *word)
{
	const char *name = file_name(run, word), *script = run->position->file,
			   *slash = script ? strrchr(script, '/') : NULL;
	if (!slash || !name || *name == '/' || access(name, F_OK) == 0)
		return name;
	sw_text path = {0};
	sw_text_add_str(&path, (sw_str){script, (size_t)(slash + 1 - script)});
	sw_text_add(&path, name);
	const char *beside = sw_text_keep(&path, run->arena);
	return beside && access(beside, F_OK) == 0 ? beside : name;
}

bool value_sizes(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	const char *colon = memchr(word->text.at, ':', word->text.length);
	size_t first = colon ? (size_t)(colon - word->text.at) : 0;
	struct setting_value low, high;
	(void)range;
	if (!colon || !setting_read(SETTING_MEMORY, (sw_str){word->text.at, first}, &low, diag) ||
		!setting_read(SETTING_MEMORY, sw_str_behind(word->text, first + 1), &high, diag) ||
		low.size.count > high.size.count || low.size.count < 1)
		return refuse_value(run, word, kind, diag);
	value->sizes[0] = low.size.count;
	value->sizes[1] = high.size.count;
	return true;
}

bool value_counts(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	sw_str rest = word->text;
	(void)range;
	while (rest.length > 0 || value->count == 0) {
		size_t length = sw_str_outside(rest, 0, SW_NESTING_PLAIN, ",");
		int64_t *count = &value->counts[value->count];
		if (value->count == COUNTS_MOST || !sw_read_int((sw_str){rest.at, length}, count, NULL) || *count < 1)
			return refuse_value(run, word, kind, diag);
		value->count++;
		rest = sw_str_behind(rest, length + (length < rest.length));
	}
	return true;
}

/* ---- columns ---- */

static void add_word(const char *name, const char *about, struct choice_row word[COLUMN_WORDS], int *count)
{
	bool known = *count == COLUMN_WORDS;
	for (int n = 0; n < *count && !known; n++)
		known = strcmp(word[n].name, name) == 0;
	if (!known)
		word[(*count)++] = (struct choice_row){name, about};
}

int command_columns(const struct command *command, bool folds, struct choice_row word[COLUMN_WORDS])
{
	int count = 0;
	for (int n = 0; !folds && command->orders && command->orders(n).name; n++)
		add_word(command->orders(n).name, command->orders(n).about, word, &count);
	for (int t = 0; t < COMMAND_TABLES && command->rows[t]; t++) {
		const char *name;
		for (int n = 0; (name = rows_order_word(command->rows[t], folds, n)); n++)
			add_word(name, "a column of the answer", word, &count);
	}
	return count;
}

/* Is it what the command itself counts by? */
static bool is_own_order(const struct command *command, sw_str word)
{
	for (int n = 0; command->orders && command->orders(n).name; n++)
		if (sw_str_is(word, command->orders(n).name))
			return true;
	return false;
}

static bool has_column(const struct command *command, sw_str word, bool folds)
{
	for (int t = 0; t < COMMAND_TABLES && command->rows[t]; t++)
		if (rows_has(command->rows[t], word, folds, NULL))
			return true;
	return false;
}

static bool refuse_column(const struct invocation *run, const struct word *word, bool folds, sw_diag *diag)
{
	struct choice_row row[COLUMN_WORDS];
	const char *name[COLUMN_WORDS];
	int count = command_columns(run->command, folds, row);
	for (int n = 0; n < count; n++)
		name[n] = row[n].name;
	rows_refuse(word->text, folds, name, count, diag);
	return refuse_at(run, word->raw, diag);
}

bool value_column(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag)
{
	const struct command *command = run->command;
	bool folds = kind == KIND_FOLD, own = !folds && is_own_order(command, word->text);
	(void)range;
	value->number = !own;
	return !command->rows[0] || own || has_column(command, word->text, folds) ||
		refuse_column(run, word, folds, diag);
}

/* ---- what was read ---- */

bool read_value(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	const struct value **value, sw_diag *diag)
{
	const struct kind_row *row = &kind_rows[kind];
	struct value *found = row->read ? SW_NEW_ZERO(run->arena, struct value, 1) : NULL;
	*value = found;
	if (!row->read)
		return true;
	return found ? row->read(run, word, kind, range, found, diag) : sw_diag_memory(diag);
}

const struct value *option_value(const struct invocation *run, enum option option)
{
	for (int i = run->given_count - 1; i >= 0; i--)
		if (run->given[i].option == option)
			return run->given[i].read;
	return NULL;
}

int64_t option_number(const struct invocation *run, enum option option, int64_t otherwise)
{
	const struct value *value = option_value(run, option);
	return value ? value->number : otherwise;
}

double option_real(const struct invocation *run, enum option option, double otherwise)
{
	const struct value *value = option_value(run, option);
	return value ? value->real : otherwise;
}

const struct setting_value *option_setting(const struct invocation *run, enum option option)
{
	const struct value *value = option_value(run, option);
	enum setting setting = kind_rows[option_rows[option].kind].setting;
	return value ? &value->setting : &run->session->state.settings.value[setting];
}

int64_t argument_number(const struct invocation *run, int i, int64_t otherwise)
{
	return argument(run, i) ? run->read[i]->number : otherwise;
}

const char *option_text(const struct invocation *run, enum option option)
{
	const struct word *word = option_given(run, option);
	return word ? file_name(run, word) : NULL;
}
