/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings: the table, and reading values by their kind.
 */
#include "session/settings.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/uneven.h>
#include <shardwalk/collective.h>
#include <shardwalk/number.h>

#include "language/names.h"
#include "session/machine.h"

static const char *setting_strategies(int n)
{
	return n < SW_STRATEGY_COUNT ? sw_strategy_name((sw_strategy)n) : NULL;
}

static const char *setting_models(int n)
{
	return n < SW_MODEL_COUNT ? sw_model_name((sw_model)n) : NULL;
}

static const char *setting_hardware(int n)
{
	const sw_hardware *row = hardware_at(n);
	return row ? row->name : NULL;
}

#define WORDS(name, ...) \
	static const char *name(int n) \
	{ \
		static const char *const words[] = {__VA_ARGS__}; \
		return n < (int)(sizeof(words) / sizeof(*words)) ? words[n] : NULL; \
	}

/* Two words, and the rules. */
static const char *setting_uneven(int n)
{
	int rule = n - 2;
	return n == 0                   ? "refuse" :
		n == 1                      ? "pad" :
		rule < SW_UNEVEN_RULE_COUNT ? sw_uneven_name((sw_uneven_rule)rule) :
									  NULL;
}

WORDS(setting_allreduces, "ring", "tree")
WORDS(setting_masters, "allreduce", "all")
WORDS(setting_hierarchies, "a", "b", "c", "d", "e")
WORDS(setting_moves, "single", "several")
WORDS(setting_searches, "dijkstra", "astar")
WORDS(setting_units, "elements", "bytes")
WORDS(setting_choices, "auto", "always", "never")
WORDS(setting_switch, "off", "on")
WORDS(setting_prompts, "return", "stay")
WORDS(setting_opens, "film", "stay")
WORDS(setting_backgrounds, "auto", "dark", "light")

const struct setting_row setting_rows[SETTING_COUNT] = {
#define X(id, name, kind, low, high, initial, words, about) \
	{name, SETTING_KIND_##kind, low, high, initial, words, about},
	SETTINGS(X)
#undef X
};

static const char *row_name(const void *context, int n)
{
	(void)context;
	return n < SETTING_COUNT ? setting_rows[n].name : NULL;
}

enum setting setting_named(sw_str name, sw_diag *diag)
{
	int found = name_find(&(struct names){row_name, NULL, "setting", "`set` lists them all"}, name, SW_L08, diag);
	return found < 0 ? SETTING_COUNT : (enum setting)found;
}

void settings_init(struct settings *settings)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		setting_read((enum setting)i, sw_str_of(setting_rows[i].initial), &settings->value[i], NULL);
}

bool settings_equal(const struct settings *a, const struct settings *b)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		if (strcmp(a->value[i].text, b->value[i].text) != 0)
			return false;
	return true;
}

void setting_print_range(enum setting setting, sw_text *text)
{
	assert((unsigned)setting < SETTING_COUNT);
	const struct setting_row *row = &setting_rows[setting];
	for (int i = 0; row->word && row->word(i); i++)
		sw_text_addf(text, "%s%s", i ? " | " : "", row->word(i));
	if (row->kind == SETTING_KIND_NUMBER)
		sw_text_addf(text, "%lld to %lld", (long long)row->low, (long long)row->high);
	if (row->kind == SETTING_KIND_SIZE)
		sw_text_add(text, "elements | bytes | FACTORx");
	if (row->kind == SETTING_KIND_BYTES)
		sw_text_add(text, "bytes");
	if (row->kind == SETTING_KIND_TIME)
		sw_text_add(text, "0 | us | ms | s");
	if (row->kind == SETTING_KIND_OPERATIONS)
		sw_text_add(text, "OPERATION,...");
	if (row->kind == SETTING_KIND_TIMES)
		sw_text_add(text, "N | NxM");
	if (strcmp(row->initial, "none") == 0)
		sw_text_add(text, " | none");
}

/* ---- values ---- */

static sw_span whole(sw_str text)
{
	return (sw_span){0, text.length};
}

static const struct {
	const char *name;
	double factor;
	int unit;
	sw_unit scale;
} size_units[] = {
	{"", 1, SIZE_ELEMENTS, SW_UNIT_ELEMENTS},
	{"x", 1, SIZE_TIMES, SW_UNIT_ELEMENTS},
	{"B", 1, SIZE_BYTES, SW_UNIT_BYTES},
	{"kB", 1e3, SIZE_BYTES, SW_UNIT_DECIMAL},
	{"KB", 1e3, SIZE_BYTES, SW_UNIT_DECIMAL},
	{"MB", 1e6, SIZE_BYTES, SW_UNIT_DECIMAL},
	{"GB", 1e9, SIZE_BYTES, SW_UNIT_DECIMAL},
	{"TB", 1e12, SIZE_BYTES, SW_UNIT_DECIMAL},
	{"KiB", 1024.0, SIZE_BYTES, SW_UNIT_BINARY},
	{"MiB", 1048576.0, SIZE_BYTES, SW_UNIT_BINARY},
	{"GiB", 1073741824.0, SIZE_BYTES, SW_UNIT_BINARY},
	{"TiB", 1099511627776.0, SIZE_BYTES, SW_UNIT_BINARY},
};

static bool refuse_size(sw_str text, sw_code code, const char *why, sw_diag *diag)
{
	sw_diag_set(diag, code, whole(text), "'%.*s' %s", (int)(text.length < 60 ? text.length : 60), text.at, why);
	sw_diag_expected(diag, "elements, bytes (300MB, 1.5GiB) or a factor (2x)");
	sw_diag_hint(diag, "for instance 2x: twice the larger tile of the two ends");
	return false;
}

/* Digits, and perhaps a point and digits: strtod accepts more than a person should write. */
static size_t number_length(sw_str text)
{
	size_t at = 0, digits = 0;
	for (bool point = false; at < text.length; at++) {
		bool is_digit = text.at[at] >= '0' && text.at[at] <= '9';
		if (!is_digit && (point || text.at[at] != '.'))
			break;
		point |= !is_digit;
		digits += is_digit;
	}
	return digits ? at : 0;
}

/* 32.55 * 1e9 is 32550000000, though not in binary. */
static int64_t whole_of(double amount)
{
	double nearest = rint(amount);
	return (int64_t)(fabs(amount - nearest) <= amount * 1e-15 ? nearest : amount);
}

static bool read_size(sw_str text, struct size *size, sw_diag *diag)
{
	char number[40];
	size_t length = number_length(text);
	if (!length)
		return refuse_size(text, SW_L11, "is not a size", diag);
	if (length >= sizeof(number))
		return refuse_size(text, SW_L12, "is too large", diag);
	memcpy(number, text.at, length);
	number[length] = '\0';
	sw_str unit = {text.at + length, text.length - length};
	size_t row = 0, rows = sizeof(size_units) / sizeof(*size_units);
	while (row < rows && !sw_str_is(unit, size_units[row].name))
		row++;
	if (row == rows)
		return refuse_size(text, SW_L11, "has an unknown unit", diag);
	double amount = strtod(number, NULL) * size_units[row].factor;
	bool exact = size_units[row].unit != SIZE_TIMES && size_units[row].factor == 1;
	int64_t count = 0;
	if (exact && !sw_read_int((sw_str){number, length}, &count, NULL))
		return refuse_size(text, strchr(number, '.') ? SW_L11 : SW_L12,
			strchr(number, '.') ? "is not a whole number" : "is too large", diag);
	if (amount >= 9.2e18)
		return refuse_size(text, SW_L12, "is too large", diag);
	if (amount <= 0)
		return refuse_size(text, SW_L12, "is not more than 0", diag);
	*size = (struct size){.unit = size_units[row].unit,
		.factor = amount,
		.count = exact ? count : whole_of(amount),
		.scale = size_units[row].scale};
	return true;
}

static bool read_operations(sw_str text, int64_t *bits, sw_diag *diag)
{
	const char *names[SW_COLLECTIVES];
	for (int i = 0; i < SW_COLLECTIVES; i++)
		names[i] = sw_collective_of((sw_op)i)->name;
	*bits = 0;
	for (size_t at = 0; at <= text.length;) {
		const char *comma = at < text.length ? memchr(text.at + at, ',', text.length - at) : NULL;
		size_t end = comma ? (size_t)(comma - text.at) : text.length;
		sw_str name = sw_str_trim((sw_str){text.at + at, end - at});
		sw_op op = sw_op_named(name);
		if (op == SW_OP_COUNT) {
			int near = sw_str_nearest(name, names, SW_COLLECTIVES);
			sw_diag_set(diag, SW_C01, (sw_span){at, end}, "there is no operation '%.*s'", (int)name.length, name.at);
			sw_diag_expected(diag, "dynslice, allgather, alltoall, allpermute or exchange");
			if (near >= 0)
				sw_diag_hint(diag, "did you mean '%s'?", names[near]);
			return false;
		}
		*bits |= 1 << op;
		at = end + 1;
	}
	return true;
}

static bool read_number(const struct setting_row *row, sw_str text, int64_t *number, sw_diag *diag)
{
	bool overflow = false;
	bool ok = sw_read_int(text, number, &overflow);
	if (ok && *number >= row->low && *number <= row->high)
		return true;
	sw_diag_set(diag, ok || overflow ? SW_L12 : SW_L11, whole(text), "'%.*s' is %s",
		(int)(text.length < 60 ? text.length : 60), text.at, ok || overflow ? "out of range" : "not a number");
	sw_diag_expected(diag, "%lld to %lld", (long long)row->low, (long long)row->high);
	return false;
}

/* "96x1000": a layer, and a step of training. */
static bool read_times(sw_str text, int64_t *product, sw_diag *diag)
{
	*product = 1;
	for (size_t at = 0; at <= text.length;) {
		size_t end = at;
		int64_t factor = 0;
		bool overflow = false;
		while (end < text.length && text.at[end] != 'x' && text.at[end] != '*')
			end++;
		bool ok = sw_read_int((sw_str){text.at + at, end - at}, &factor, &overflow);
		if (!ok || factor < 1 || !sw_mul(*product, factor, product)) {
			sw_diag_set(diag, ok || overflow ? SW_L12 : SW_L11, whole(text), "'%.*s' is %s",
				(int)(text.length < 60 ? text.length : 60), text.at,
				ok || overflow ? "out of range" : "not a number of times");
			sw_diag_expected(diag, "96, or 96x1000: layers times steps; at least 1");
			return false;
		}
		at = end + 1;
	}
	return true;
}

static bool read_time(sw_str text, int64_t *ways, sw_diag *diag)
{
	static const struct {
		const char *unit;
		double milliseconds;
	} units[] = {{"us", 1e-3}, {"ms", 1}, {"s", 1e3}};
	char number[24];
	size_t length = number_length(text), row = 0;
	sw_str unit = {text.at + length, text.length - length};
	while (row < sizeof(units) / sizeof(*units) && !sw_str_is(unit, units[row].unit))
		row++;
	bool zero = sw_str_is(text, "0");
	if (!zero && (length == 0 || length >= sizeof(number) || row == sizeof(units) / sizeof(*units))) {
		sw_diag_set(diag, SW_L11, whole(text),
			"'%.*s' is not a "
			"time",
			(int)(text.length < 60 ? text.length : 60), text.at);
		sw_diag_expected(diag, "0, microseconds (500us), milliseconds (10ms) or seconds (2s)");
		return false;
	}
	memcpy(number, text.at, zero ? 0 : length);
	number[zero ? 0 : length] = '\0';
	double amount = zero ? 0 : strtod(number, NULL) * units[row].milliseconds * PROVED_A_MILLISECOND;
	*ways = sw_nearest(amount);
	return true;
}

struct row_words {
	const struct setting_row *row;
};

static const char *value_word(const void *context, int n)
{
	return ((const struct row_words *)context)->row->word(n);
}

static bool read_word(enum setting setting, sw_str text, struct setting_value *value, sw_diag *diag)
{
	sw_strategy strategy;
	sw_model model;
	const struct row_words words = {&setting_rows[setting]};
	const struct names names = {value_word, &words, "value", ""};
	bool own_words = setting == SETTING_STRATEGY || setting == SETTING_MODEL || setting == SETTING_HARDWARE;
	int found = name_find(&names, text, SW_L13, own_words ? NULL : diag);
	if (found < 0 && setting == SETTING_STRATEGY)
		return sw_strategy_parse(text, &strategy, diag);
	if (found < 0 && setting == SETTING_MODEL)
		return sw_model_parse(text, &model, diag);
	if (found < 0 && setting == SETTING_HARDWARE)
		return hardware_named(text, diag) != NULL;
	if (found < 0)
		return false;
	value->number = found;
	snprintf(value->text, sizeof(value->text), "%s", setting_rows[setting].word(found));
	return true;
}

static bool read_by_kind(enum setting setting, sw_str text, struct setting_value *value, sw_diag *diag)
{
	const struct setting_row *row = &setting_rows[setting];
	if (strcmp(row->initial, "none") == 0 && sw_str_is(text, "none"))
		return true;
	switch (row->kind) {
	case SETTING_KIND_NUMBER:
		return read_number(row, text, &value->number, diag);
	case SETTING_KIND_TIMES:
		return read_times(text, &value->number, diag);
	case SETTING_KIND_TIME:
		return read_time(text, &value->number, diag);
	case SETTING_KIND_OPERATIONS:
		return read_operations(text, &value->number, diag);
	case SETTING_KIND_BYTES:
		if (!read_size(text, &value->size, diag))
			return false;
		return value->size.unit != SIZE_TIMES || refuse_size(text, SW_L11, "is not a number of bytes", diag);
	default:
		return read_size(text, &value->size, diag);
	}
}

bool setting_read(enum setting setting, sw_str text, struct setting_value *value, sw_diag *diag)
{
	assert((unsigned)setting < SETTING_COUNT);
	struct setting_value read = {.number = 0};
	if (setting_rows[setting].kind == SETTING_KIND_WORD) {
		if (!read_word(setting, text, &read, diag))
			return false;
	} else {
		if (!read_by_kind(setting, text, &read, diag))
			return false;
		snprintf(read.text, sizeof(read.text), "%.*s", (int)text.length, text.at);
	}
	*value = read;
	return true;
}

sw_unit size_unit(const struct size *first, const struct size *second)
{
	return first->scale != SW_UNIT_ELEMENTS ? first->scale : second->scale;
}

bool size_elements(const struct size *size, const sw_problem *problem, int64_t *elements, sw_diag *diag)
{
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to);
	double most = (double)(from > to ? from : to);
	*elements = 0;
	if (size->unit == SIZE_ELEMENTS)
		*elements = size->count;
	if (size->unit == SIZE_BYTES)
		*elements = size->count / sw_dtype_bytes(problem->from.dtype);
	if (size->unit == SIZE_TIMES && size->factor == 1)
		*elements = from > to ? from : to;
	else if (size->unit == SIZE_TIMES)
		*elements = most * size->factor < 9.2e18 ? (int64_t)(most * size->factor) : INT64_MAX;
	if (size->unit == SIZE_NONE || *elements > 0)
		return true;
	sw_diag_set(diag, SW_L12, (sw_span){0, 0}, "the budget is less than one element");
	sw_diag_hint(diag, "one element takes %d bytes", sw_dtype_bytes(problem->from.dtype));
	return false;
}

const sw_uneven_rule *setting_rule(sw_str name)
{
	static const sw_uneven_rule rules[] = {
#define X(id, name, words, who) SW_UNEVEN_##id,
		SW_UNEVEN_RULES(X)
#undef X
	};
	sw_uneven_rule rule = sw_uneven_named(name);
	return rule == SW_UNEVEN_RULE_COUNT ? NULL : &rules[rule];
}
