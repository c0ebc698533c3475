/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings: one table says each one's name, values, default and meaning.  `set`, `budget` and `model` change them, options of a
 * command override them for that command, `info`, help, completion and the manual list them.
 */
#ifndef SHARDWALK_SESSION_SETTINGS_H
#define SHARDWALK_SESSION_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/text.h>
#include <shardwalk/uneven.h>

/* The same answer on every machine: a proof is bounded by what it looks at, not by a clock. */
#define PROVED_A_MILLISECOND 500

/* Identifier, name, kind, low, high, default, words to choose from, meaning. */
#define SETTINGS(X) \
	X(STRATEGY, "strategy", WORD, 0, 0, "fused", setting_strategies, "how `plan` and `batch` find a plan") \
	X(MODEL, "model", WORD, 0, 0, "paper", setting_models, "how a step is priced") \
	X(HARDWARE, "hardware", WORD, 0, 0, "default", setting_hardware, \
		"machine that the models latency and roofline assume") \
	X(BUDGET, "budget", SIZE, 1, INT64_MAX, "1x", NULL, \
		"largest tile: elements, bytes (300MB, 1.5GiB), or times the larger end (2x)") \
	X(LIVE, "live", SIZE, 1, INT64_MAX, "none", NULL, \
		"largest sum of a step's tiles before and after, written like budget") \
	X(WITHOUT, "without", OPERATIONS, 0, 0, "none", NULL, "forbidden operations, with commas between them") \
	X(UNEVEN, "uneven", WORD, 0, 0, "refuse", setting_uneven, \
		"sizes that do not divide: refused, padded as XLA pads them, or cut by a rule, as after `by`") \
	X(ALLREDUCE, "allreduce", WORD, 0, 0, "ring", setting_allreduces, \
		"how one all-reduce of a reduction program runs: NCCL's ring, or its trees") \
	X(MASTERS, "masters", WORD, 0, 0, "allreduce", setting_masters, \
		"what the first devices of units may do together in `reductions`") \
	X(HIERARCHY, "hierarchy", WORD, 0, 0, "e", setting_hierarchies, \
		"the factors that steps on chunks name: a levels, b columns, c rows, d summed axes, e the same level " \
		"by level") \
	X(PROVE, "prove", TIME, 0, 0, "10ms", NULL, \
		"what `plan` may spend on a proof beyond its search if axes have several primes") \
	X(PLAN_MEMORY, "plan_memory", BYTES, 1, INT64_MAX, "64MiB", NULL, \
		"bytes that one search may take: states of `plan` and `batch`, programs of a sum, ways of a product") \
	X(MOVES, "moves", WORD, 0, 0, "single", setting_moves, "dimensions that one move of the walk may change") \
	X(SEARCH, "search", WORD, 0, 0, "dijkstra", setting_searches, "order in which the walk visits nodes") \
	X(TIMES, "times", TIMES, 1, INT64_MAX, "1", NULL, \
		"how often plans are executed, 96 or 96x1000; `plan`, `show plan` and `import` multiply by it") \
	X(UNIT, "unit", WORD, 0, 0, "elements", setting_units, "the unit of heights and traffic") \
	X(MEMORY, "memory", BYTES, 1, INT64_MAX, "512MiB", NULL, \
		"bytes of data that `verify` may hold, and of tables that `assign` and `ways` may hold") \
	X(MAX_RANKS, "max_ranks", NUMBER, 1, 1048576, "32", NULL, \
		"the most MPI ranks that `run` starts without asking; a script must raise it") \
	X(COLOR, "color", WORD, 0, 0, "auto", setting_choices, "colours in answers and messages") \
	X(ASCII, "ascii", WORD, 0, 0, "auto", setting_choices, "ASCII instead of Unicode in pictures") \
	X(BACKGROUND, "background", WORD, 0, 0, "auto", setting_backgrounds, \
		"background of the terminal; auto: as COLORFGBG or the terminal says") \
	X(SAFE, "safe", WORD, 0, 0, "off", setting_switch, \
		"read-only: nothing is run, written or started; once on, it stays on") \
	X(MOUSE, "mouse", WORD, 0, 0, "off", setting_switch, \
		"mouse on the screens; it replaces the terminal's own selection") \
	X(FOCUS, "focus", WORD, 0, 0, "return", setting_prompts, \
		"after a command at the prompt of the screens, the focus goes back to the picture, or stays") \
	X(OPENS, "opens", WORD, 0, 0, "film", setting_opens, \
		"on the screens, a new plan opens its film if no view of a plan has the focus; stay: nothing opens") \
	X(PACE, "pace", NUMBER, 20, 60000, "400", NULL, "milliseconds between steps that play on the screens") \
	X(WIDTH, "width", NUMBER, 0, 1000, "0", NULL, "columns of pictures and tables; 0: those of the terminal, or 80")

enum setting {
#define X(id, name, kind, low, high, initial, words, about) SETTING_##id,
	SETTINGS(X)
#undef X
		SETTING_COUNT
};

#define SETTING_BIT(id) ((uint64_t)1 << SETTING_##id)

enum setting_kind {
	SETTING_KIND_WORD, /* one of the words */
	SETTING_KIND_SIZE, /* elements, bytes or a factor; `none` where the default says so */
	SETTING_KIND_BYTES,
	SETTING_KIND_OPERATIONS,
	SETTING_KIND_NUMBER,
	SETTING_KIND_TIMES, /* numbers with x between them; their product */
	SETTING_KIND_TIME /* 0, 10ms, 2s: counted in ways that are looked at, PROVED_A_MILLISECOND of them a millisecond */
};

/* The n-th word that a setting may have, NULL after the last. */
typedef const char *setting_word(int n);

struct setting_row {
	const char *name;
	enum setting_kind kind;
	int64_t low, high;
	const char *initial;
	setting_word *word;
	const char *about;
};
extern const struct setting_row setting_rows[SETTING_COUNT];

/* An amount of memory as a person writes it. */
struct size {
	enum { SIZE_NONE, SIZE_ELEMENTS, SIZE_BYTES, SIZE_TIMES } unit;
	double factor; /* SIZE_TIMES */
	int64_t count; /* elements or bytes */
	sw_unit scale; /* in which it was written */
};

struct setting_value {
	char text[64];  /* as it was written */
	int64_t number; /* NUMBER, TIMES; TIME: ways; WORD: index of the word; OPERATIONS: bits 1 << sw_op */
	struct size size;
};

struct settings {
	struct setting_value value[SETTING_COUNT];
};

void settings_init(struct settings *settings);

/* Are all written alike?  A value's text says all about it. */
bool settings_equal(const struct settings *a, const struct settings *b);

/* The setting with this name or unambiguous beginning; SETTING_COUNT where there is none: L08 or L09. */
enum setting setting_named(sw_str name, sw_diag *diag);

/* Reads a value.  Errors: L11 to L13, S04, S05, C01; positions count from the start of `text`. */
bool setting_read(enum setting setting, sw_str text, struct setting_value *value, sw_diag *diag);

/* Adds what values a setting may have: "fused | exact | ...", "0 to 1000". */
void setting_print_range(enum setting setting, sw_text *text);

/* In which unit messages tell of two sizes: of whichever was written in bytes. */
sw_unit size_unit(const struct size *first, const struct size *second);

/* The size in elements for this problem: 0 for SIZE_NONE.  Bytes are rounded down.  Errors: L12. */
bool size_elements(const struct size *size, const sw_problem *problem, int64_t *elements, sw_diag *diag);

static inline bool setting_is(const struct settings *settings, enum setting setting, const char *word)
{
	return sw_str_is(sw_str_of(settings->value[setting].text), word);
}

/* The rule of sizes that do not divide which a value of `uneven` names; NULL: it names none. */
const sw_uneven_rule *setting_rule(sw_str name);

#endif
