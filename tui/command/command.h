/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands: one row each in one table.
 *
 * The parser of arguments, `help`, `--help`, suggestions, completion and the manual read the table; the kind of an
 * argument or option says how it is cut from the line, what may stand there, and what completes it.
 */
#ifndef SHARDWALK_COMMAND_COMMAND_H
#define SHARDWALK_COMMAND_COMMAND_H

#include <stdbool.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>

#include "answer/show.h"
#include "language/line.h"
#include "session/session.h"

/* Kinds of arguments and of options' values: identifier, what may stand there, and what else is not usual of it. */
#define KINDS(X) \
	X(NONE, "", ) \
	X(FLAG, "", ) \
	X(MESH, "a mesh, {x: 4, y: 6}", .rest = true, .complete = offer_mesh) \
	X(TYPE, "a type, [3{x}12, 2{y}12], or the name of one", .rest = true, .complete = offer_type_argument) \
	X(TARGET, "a type as `to` takes it, in one word or in quotes", .complete = offer_type_argument) \
	X(SHAPE, "an array's shape, f32[12,12]", .rest = true) \
	X(DEFINITION, "NAME = TYPE", .rest = true, .complete = offer_definition) \
	X(REDISTRIBUTION, "TYPE ~> TYPE", .rest = true, .complete = offer_redistribution) \
	X(OPERATION, "an operation with its arguments, allgather(0)", .rest = true, .complete = offer_call) \
	X(TILE_OR_NODE, "a node's number or its local type, [6,1]", .rest = true, .complete = offer_nodes) \
	X(TEXT, "text", .rest = true) \
	X(PRODUCT, "EQ A, B as C, ij,jk->ik [4, 6], [6, 8] as [4, 8]", .rest = true, .signs = true, \
		.complete = offer_product) \
	X(FORMULA, "a formula, y[i] = 2*x[i] - x[i-1]", .rest = true, .signs = true, .complete = offer_formula) \
	X(COMMANDS, "commands of a schedule, .divide(i, io, ii, 3).reorder({io, ii})", .rest = true, .signs = true, \
		.complete = offer_schedule) \
	X(PARAM, "NAME = NUMBER", .rest = true) \
	X(HARDWARE, "hardware by its name, or NAME = 50GB/s 2us", .rest = true, .choice = hardware_choice, \
		.complete = offer_choices) \
	X(VALUE, "a value of the setting", .rest = true, .complete = offer_setting_value) \
	X(LEVELS, "a system in levels, {node: 4 @ 8GB/s shared, gpu: 16}, or p2-a100 4", .rest = true, \
		.complete = offer_levels) \
	X(PLACEMENT, "a row of `placements`, [[2 4] [2 4]], megatron tp-dp-pp tp=4 dp=4, or jax (2,8) (4,1)", \
		.rest = true, .complete = offer_placements) \
	X(SUMMED, "{AXIS, ...} and the type of the sum", .rest = true, .complete = offer_summed) \
	X(SUMS, "{AXIS, ...} BYTES, ...", .rest = true, .complete = offer_summed) \
	X(SETTING, "the name of a setting", .complete = offer_settings, .shell = SHELL_WORDS) \
	X(PLANNED, "a strategy", .choice = strategy_choice, .listed = true, .complete = offer_planned, \
		.shell = SHELL_WORDS) \
	X(STRATEGY, "a strategy", .read = value_setting, .setting = SETTING_STRATEGY, .choice = strategy_choice, \
		.complete = offer_choices, .shell = SHELL_WORDS) \
	X(MODEL, "a cost model", .read = value_setting, .setting = SETTING_MODEL, .choice = model_choice, \
		.listed = true, .complete = offer_choices, .shell = SHELL_WORDS) \
	X(BUDGET, "elements, bytes (300MB, 1.5GiB) or a factor (2x)", .read = value_setting, .setting = SETTING_BUDGET, \
		.complete = offer_sizes) \
	X(LIVE, \
		"a size, written like a " \
		"budget", \
		.read = value_setting, .setting = SETTING_LIVE, .complete = offer_live) \
	X(BYTES, "bytes, 512MiB", .read = value_setting, .setting = SETTING_MEMORY) \
	X(TIME, "a time, 10ms or 2s", .read = value_setting, .setting = SETTING_PROVE) \
	X(OPERATIONS, "names of operations, with commas between them", .read = value_setting, \
		.setting = SETTING_WITHOUT, .complete = offer_operations, .shell = SHELL_WORDS) \
	X(NUMBER, "a number", .read = value_number, .complete = offer_number) \
	X(REDUCTION, "the number of a program, or a published one by its name", .choice = reduction_choice, \
		.what = "program", .hint = "`reductions` lists them by number, `compare` those with names", .listed = true, \
		.complete = offer_reductions) \
	X(UNEVEN, "refuse, pad or the name of a rule", .read = value_setting, .setting = SETTING_UNEVEN, \
		.choice = uneven_choice, .complete = offer_choices, .shell = SHELL_WORDS) \
	X(ANSWER, "plan or relation", .read = value_choice, .choice = answer_choice, .what = "answer", \
		.hint = "plan and relation are known", .complete = offer_choices, .shell = SHELL_WORDS) \
	X(MOVE, "a redistribution by its number, or an array of the formula", .complete = offer_arrays) \
	X(TIMES, "a number of times, 96 or 96x1000", .read = value_setting, .setting = SETTING_TIMES) \
	X(VIEW, "a view", .choice = view_choice, .listed = true, .complete = offer_choices, .shell = SHELL_WORDS) \
	X(MOMENT, "the number of a step, or a plan, $1 or a strategy", .rest = true, .complete = offer_result) \
	X(RESULT, "a plan by its number, $1, or a strategy to plan by; or a file of sums", .complete = offer_result, \
		.shell = SHELL_FILES) \
	X(VERIFIED, "a plan, $1 or a strategy; or lemma, theorem, principle, corollary or case; or table 4", \
		.complete = offer_verified) \
	X(STATEMENT, "the number of a lemma or the like, 4.6, or B.7 of placements", .rest = true, \
		.complete = offer_statements) \
	X(COMPARED, "a file with problems, a plan, $1 or a strategy, or TYPE ~> TYPE", .rest = true, \
		.complete = offer_compared, .shell = SHELL_FILES) \
	X(EXPORTED, "a plan, $1 or a strategy; for a picture a view with what `show` takes", .rest = true, \
		.complete = offer_exported) \
	X(CODE, "a code of an error, T04, a word, or lemma 4.6", .rest = true, .complete = offer_codes) \
	X(COMMAND, "a command", .complete = offer_commands, .shell = SHELL_WORDS) \
	X(FORMAT, "a format", .read = value_choice, .choice = format_choice, .what = "format", \
		.hint = "`help export` lists them", .listed = true, .complete = offer_choices, .shell = SHELL_WORDS) \
	X(FILE, "a file", .complete = offer_files, .shell = SHELL_FILES) \
	X(PROGRAM, "a file with a program, its text, or - for standard input", .rest = true, .complete = offer_files, \
		.shell = SHELL_FILES) \
	X(SOURCE, "a file, a line of a log or two shardings, or - for standard input", .rest = true, \
		.complete = offer_files, .shell = SHELL_FILES) \
	X(DIMS, "two dimensions, 0,1", .complete = offer_pairs) \
	X(FIX, "tile numbers, DIMENSION=TILE,...", .complete = offer_fixes) \
	X(ELEMENT, "an index in each dimension with commas between them, 5,7", .complete = offer_elements) \
	X(SECONDS, "seconds, 60 or 2.5", .read = value_real) \
	X(TRANSPORT, "auto, shared or messages", .read = value_choice, .choice = transport_choice, \
		.complete = offer_choices, .shell = SHELL_WORDS) \
	X(OVERLAP, "on or off", .read = value_choice, .choice = overlap_choice, .complete = offer_choices, \
		.shell = SHELL_WORDS) \
	X(MEASURE, "height or live", .read = value_choice, .choice = measure_choice) \
	X(SHARE, "a number above 0 and at most 1", .read = value_real) \
	X(STRATEGIES, "strategies with commas between them, fused,paper", .read = value_strategies, \
		.complete = offer_several_strategies, .shell = SHELL_WORDS) \
	X(RIVALS, "strategies with commas between them, fused,paper", .complete = offer_rivals, .shell = SHELL_WORDS) \
	X(SIZES, "bytes per device from and to, 1KiB:64MiB", .read = value_sizes) \
	X(COUNTS, "numbers above 0 with commas between them, 1,2,4,8", .read = value_counts) \
	X(HOSTS, "names of hosts with commas between them", ) \
	X(DTYPE, "the name of an element type", .read = value_dtype) \
	X(WORD, "a word", ) \
	X(ORDER, "a column of the answer", .read = value_column, .complete = offer_columns) \
	X(FOLD, "a column of the answer in which several rows have the same value", .read = value_column, \
		.complete = offer_columns) \
	X(LAYOUT, "a layout of the screens", .read = value_choice, .choice = layout_choice, .what = "layout", \
		.hint = "`help layout` lists them", .complete = offer_choices, .shell = SHELL_WORDS) \
	X(SCREEN, "a view of the screens", .read = value_choice, .choice = pane_choice, .what = "view", \
		.hint = "`help focus` lists them", .complete = offer_choices, .shell = SHELL_WORDS) \
	X(SYSTEM, "jax, dtensor or shardy", .read = value_system, .choice = system_choice, .complete = offer_choices, \
		.shell = SHELL_WORDS) \
	X(WALK, "one of those that `walk` lists", .read = value_choice, .choice = walk_choice, .what = "walk", \
		.hint = "`walk` lists what can be walked", .complete = offer_choices) \
	X(SHELL, "bash or zsh", .read = value_choice, .choice = shell_choice, .what = "shell", \
		.hint = "bash and zsh are known", .unknown = SW_L12, .complete = offer_choices, .shell = SHELL_WORDS) \
	X(TABLE, "a table of the manual", .read = value_choice, .choice = manual_choice, .what = "table", \
		.hint = "`help help` says more", .complete = offer_choices)

enum kind {
#define X(id, ...) KIND_##id,
	KINDS(X)
#undef X
		KIND_END
};

struct invocation;
struct spot; /* of completion */
struct value;

/* The range that numbers have to be in; 0 and 0: it depends, and the command reads it. */
struct range {
	int64_t low, high;
};

typedef bool value_reader(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	struct value *value, sw_diag *diag);

/* A word that may stand somewhere; its name is NULL after the last. */
struct choice_row {
	const char *name, *about;
};
typedef struct choice_row choice_function(int n);
choice_function ways_order_choice, strategy_choice, model_choice, system_choice, view_choice, format_choice,
	walk_choice, hardware_choice, transport_choice, measure_choice, answer_choice, overlap_choice, uneven_choice,
	manual_choice, reduction_choice;

/* A function that has the rows of a table as choices: CHOICES(view_choice, view_count, views[n].name, views[n].about). */
#define CHOICES(id, most, ...) \
	struct choice_row id(int n) \
	{ \
		return n < (most) ? (struct choice_row){__VA_ARGS__} : (struct choice_row){NULL, NULL}; \
	}

/* Which of the words of a kind it is, from 0; -1: none, or several begin like this. */
int choice_named(enum kind kind, sw_str word, sw_diag *diag);

/* What a shell may offer. */
enum shell_offers {
	SHELL_NOTHING,
	SHELL_WORDS, /* to which no session adds */
	SHELL_FILES
};

struct kind_row {
	const char *about;
	bool rest;               /* it takes the rest of the statement */
	bool signs;              /* words that begin with one dash belong to it */
	value_reader *read;      /* NULL: the command reads it, as it depends on more than the word */
	enum setting setting;    /* of value_setting: that it is like */
	choice_function *choice; /* the words that it may be; NULL: others too */
	const char *what,
		*hint;       /* how messages call one that is not known, and where they are listed; NULL: by `about` */
	sw_code unknown; /* of such a message; OK: L08 */
	bool listed;     /* help lists the words */
	void (*complete)(struct spot *spot); /* NULL: nothing can be said */
	enum shell_offers shell;
};
extern const struct kind_row kind_rows[KIND_END]; /* table.c */

/* Options of commands: identifier, name, short letter or 0, name of its value, kind, meaning, range of a number. */
#define OPTIONS(X) \
	X(STRATEGY, "strategy", 0, "NAME", STRATEGY, "how to find a plan") \
	X(MODEL, "model", 0, "NAME", MODEL, "how to price a step") \
	X(BUDGET, "budget", 0, "SIZE", BUDGET, "largest tile: elements, bytes (300MB) or a factor (2x)") \
	X(LIVE, "live", 0, "SIZE", LIVE, "largest sum of a step's tiles before and after") \
	X(WITHOUT, "without", 0, "OP,...", OPERATIONS, "forbid operations") \
	X(PROVE, "prove", 0, "TIME", TIME, "the limit of a proof beyond the search, instead of the setting `prove`") \
	X(JSON, "json", 0, NULL, FLAG, "answer in JSON") \
	X(MAPS, "maps", 0, NULL, FLAG, "add the base offsets of every device after every step") \
	X(RENUMBER, "renumber", 0, NULL, FLAG, "renumber the target's devices so that most elements stay in place") \
	X(BY, "by", 0, "ORDER", ORDER, "the column to sort by, or what counts") \
	X(FOLD, "fold", 0, "WORD", FOLD, "merge rows with the same value in this column, and add them up") \
	X(VARY, "vary", 0, "L=A..B", WORD, \
		"plot both times of the first three ways against the size of a letter, b=64..8192") \
	X(LIMIT, "limit", 0, "N", NUMBER, "at most N problems, or rows of a list") \
	X(LENGTH, "length", 0, "N", NUMBER, "programs of at most N steps, instead of 5", 1, SW_MAX_REDUCTION_STEPS) \
	X(PREFIX, "prefix", 0, NULL, FLAG, "also steps that do not end on `to`, as far as they go") \
	X(FULL, "full", 0, NULL, FLAG, "execute with the data at full size, whatever memory it needs") \
	X(MEMORY, "memory", 0, "BYTES", BYTES, "bytes of data that may be held") \
	X(STEP, "step", 0, "N", NUMBER, "after step N of the plan; 0: before the first") \
	X(BESIDE, "beside", 0, "NAME", STRATEGY, "draw the plan of this strategy below it, on the same time axis") \
	X(WAY, "way", 0, "N", NUMBER, "of a product: draw way N below it, on the same time axis", 1, INT32_MAX) \
	X(ONE_WAY, "one-way", 0, NULL, FLAG, "use only one direction of each link, around a ring") \
	X(HOP, "hop", 0, "N", NUMBER, "only hop N of the rounds, from what is held before it", 0, INT32_MAX) \
	X(DIMS, "dims", 0, "I,J", DIMS, "the two dimensions that are shown") \
	X(FIX, "fix", 0, "I=K,...", FIX, "show tile K of dimension I instead of folding it") \
	X(DEVICE, "device", 0, "N", NUMBER, "mark this device, and always show it") \
	X(ELEMENT, "element", 0, "I,J,...", ELEMENT, "mark what holds this element") \
	X(TILE, "tile", 0, "N", NUMBER, "with --element: follow the whole tile that has it after step N", 0, INT32_MAX) \
	X(NODE, "node", 0, "N", NUMBER, "mark this node, and show what is around it", 0, INT32_MAX) \
	X(REFUSED, "refused", 0, NULL, FLAG, "also what is not allowed, and why") \
	X(LANES, "lanes", 0, NULL, FLAG, "the search as rows in the order of visits, with a lane for each parent") \
	X(BYTES, "bytes", 0, NULL, FLAG, "bytes instead of elements") \
	X(RANKS, "ranks", 0, "N", NUMBER, "MPI ranks; fewer than devices run on a part of the mesh") \
	X(REPS, "reps", 0, "N", NUMBER, \
		"timed repetitions of each step (default: 15 to 101, depending on its " \
		"time)", \
		1, 1000000) \
	X(WARMUP, "warmup", 0, "N", NUMBER, "repetitions before the timed ones, instead of 3", 0, 1000000) \
	X(LAUNCHES, "launches", 0, "N", NUMBER, \
		"launches of each plan, whose median counts (default: 5 with --compare, 3 for calibrate, otherwise " \
		"1)", \
		1, 1000) \
	X(TRANSPORT, "transport", 0, "NAME", TRANSPORT, "how data moves inside a host: auto takes shared memory") \
	X(THROTTLE, "throttle", 0, NULL, FLAG, \
		"simulate the ports of the system on one host, all slowed by one " \
		"factor") \
	X(COLLECTIVES, "collectives", 0, NULL, FLAG, \
		"also run MPI's own collectives (for an exchange, the one that fits its pattern), in turns") \
	X(OVERLAP, "overlap", 0, "NAME", OVERLAP, "compute formulas while messages travel: on, or off to compare") \
	X(IN_PLACE, "in-place", 0, "NAME", OVERLAP, "schedules: read a neighbour's tiles in place: on, or off to copy") \
	X(DTYPE, "dtype", 0, "NAME", DTYPE, "compute with elements of this type: f32, f64, i32 or i64") \
	X(TIMEOUT, "timeout", 0, "S", SECONDS, "seconds without progress before the run is ended, instead of 60", 0, \
		1000000) \
	X(HOSTS, "hosts", 0, "HOST,...", HOSTS, "start the ranks on these hosts") \
	X(HOSTFILE, "hostfile", 0, "FILE", FILE, "start the ranks on the hosts that this file names") \
	X(LAUNCHER, "launcher", 0, "NAME", WORD, "how mpiexec reaches the hosts: ssh, slurm, ...") \
	X(COMPARE, "compare", 0, "A,B,...", RIVALS, \
		"run the plans of these strategies, or these schedules, or the `ways` of a product, or `alltoallw`, in " \
		"turns, launch by launch") \
	X(SWEEP, "sweep", 0, "A:B", SIZES, \
		"run the plan, or predict its times, with arrays of many sizes, each twice the size before") \
	X(GROW, "grow", 0, "N,...", COUNTS, \
		"on so many devices, with sizes that grow so that memory per device stays the same") \
	X(SAMPLES, "samples", 0, "FILE", FILE, "write every measured time to a file, as CSV") \
	X(DRY_RUN, "dry-run", 0, NULL, FLAG, "start nothing: show the ranks, their memory and the command line") \
	X(UNEVEN, "uneven", 0, "RULE", UNEVEN, \
		"sizes that do not divide: refuse, pad or a rule, instead of the setting `uneven`") \
	X(ANSWER, "answer", 0, "WHAT", ANSWER, \
		"the answer for two ends: a plan, or the relation (who needs what from whom, between types of any kind)") \
	X(MEASURE, "measure", 0, "NAME", MEASURE, "what counts as memory: height or live") \
	X(WIDTH, "width", 0, "N", NUMBER, "columns of the picture, instead of the setting `width`", VIEW_MIN_WIDTH, \
		1000) \
	X(TAKE, "take", 0, "N", NUMBER, "take row N of the table as the problem") \
	X(MESH, "mesh", 0, "MESH", MESH, "the program's mesh, whose axes are used: {data: 2, fsdp: 4}") \
	X(FOLLOW, "follow", 0, NULL, FLAG, "keep reading while the file grows, and show new warnings, until Ctrl-C") \
	X(MODULE, "module", 0, "FILE", FILE, \
		"find the values of warnings in this module from before partitioning, HLO or StableHLO") \
	X(TO, "to", 0, "TYPE", TARGET, "compare with the cost of another target") \
	X(MERGED, "merged", 0, NULL, FLAG, "a plan, and its form with neighbouring steps merged") \
	X(TIMES, "times", 0, "N", TIMES, "count N executions; 96x1000: layers times steps") \
	X(FOR, "for", 0, "NAME", SYSTEM, "whose program it is: jax, dtensor or shardy") \
	X(ADVISE, "advise", 0, "NAME", SYSTEM, "waypoints for this system instead of plans") \
	X(FORM, "form", 0, "NAME", WORD, "the form of JAX code: constraint or shard_map") \
	X(SEVERAL, "several", 0, NULL, FLAG, \
		"also waypoints for which XLA must merge all-to-alls of several dimensions") \
	X(RANDOM, "random", 0, "N", NUMBER, "number of random cases, instead of 2000", 1, 100000000) \
	X(SEED, "seed", 0, "N", NUMBER, \
		"the seed of the random cases, instead of 1: the same seed gives the same " \
		"cases", \
		0, INT64_MAX) \
	X(PROBLEMS, "problems", 0, "N", NUMBER, \
		"number of problems, instead of 1000 random ones or all of a " \
		"file", \
		1, 10000000) \
	X(DEVICES, "devices", 0, "N", NUMBER, "number of devices of random problems, instead of 8", 2, \
		SW_EVALUATION_DEVICES) \
	X(STRATEGIES, "strategies", 0, "A,B,...", STRATEGIES, \
		"plan by these strategies, instead of paper,fused,xla; the first two are plotted against each other") \
	X(RUN, "run", 0, "N", NUMBER, "execute the plans of the first N problems on MPI ranks", 1, 10000000) \
	X(SCALE, "scale", 0, "X", SHARE, "the share of an array's elements to execute, instead of 0.1", 0, 1) \
	X(RESUME, "resume", 0, "FILE", FILE, "write results to this file as they come, and continue from those it has") \
	X(PACE, "pace", 0, "MS", NUMBER, "play it: how many milliseconds each answer stays", 0, 60000) \
	X(RECORD, "record", 0, "FILE", FILE, \
		"play it, and write what the terminal showed to this file, as an asciicast") \
	X(UNSPLIT, "unsplit", 0, NULL, FLAG, "axes of any size, even if a statement assumes primes") \
	X(EVERY, "every", 0, "K", NUMBER, "exchange only before every K-th step, as much as K steps need", 1, INT64_MAX) \
	X(KEYWORD, "keyword", 'k', "WORD", TEXT, "search the help for a word") \
	X(MAN, "man", 0, "TABLE", TABLE, "print a table as a part of the manual page")

enum option {
#define X(id, ...) OPTION_##id,
	OPTIONS(X)
#undef X
		OPTION_COUNT
};
/* A set of options: {OPTION(JSON), OPTION(MAPS)}. */
struct option_set {
	bool has[OPTION_COUNT];
};
#define OPTION(id) .has[OPTION_##id] = true

struct option_row {
	const char *name;
	char letter;
	const char *value; /* NULL: a flag */
	enum kind kind;
	const char *about;
	struct range range;
};
extern const struct option_row option_rows[OPTION_COUNT];

#define COMMAND_PARAMETERS 3
#define COMMAND_TABLES 6

struct parameter {
	const char *name;
	enum kind kind;
	bool optional;
};

#define COMMAND_GIVEN (32 + OPTION_COUNT) /* options in one statement: each, and some more often */

/* A command with its arguments, as it is about to run. */
struct invocation {
	struct session *session;
	const struct command *command;
	const struct position *position;
	sw_str statement;
	sw_arena *arena; /* ends with the command */
	struct document *answer;
	int count; /* of arguments */
	struct word argument[COMMAND_PARAMETERS];
	const struct value *read[COMMAND_PARAMETERS]; /* what the arguments say; NULL: the command reads it */
	struct position *elsewhere; /* where a command says that it failed at another line than its own; may be NULL */
	int given_count;
	struct given {
		enum option option;
		struct word name, value;
		const struct value *read; /* NULL: the command reads it */
	} given[COMMAND_GIVEN];
};

/* Columns of tables that are answered. */
struct rows; /* answer/rows.h */
extern const struct rows compared_way_words, contender_words, growth_words, product_ways_words, ranked_words,
	reductions_words, walk_edge_words, walk_node_words, walk_words;

/* Runs the command of a statement that was read; rows of its answer are as --by and --fold say. */
bool invocation_run(struct invocation *run, sw_diag *diag);

/* The words that --by, or --fold, takes, each once; how many. */
#define COLUMN_WORDS 96
int command_columns(const struct command *command, bool folds, struct choice_row word[COLUMN_WORDS]);

/* Runs a command.  Positions in `diag` count from the start of the line (line_refuse). */
typedef bool command_function(struct invocation *run, sw_diag *diag);

struct command {
	const char *name;
	const char *area; /* "define", as `help` groups them */
	struct parameter parameter[COMMAND_PARAMETERS];
	struct range range; /* of numbers among the arguments */
	struct option_set options;
	bool changes;        /* the state: a snapshot is taken */
	bool raw;            /* the rest of the line is raw text, but for options at its ends */
	bool fields;         /* it answers in fields too, where these are asked for, though nobody is told of --json */
	bool flows;          /* it answers as it works: nothing waits for its end */
	bool repeats;        /* an empty line runs it again */
	int late;            /* the release that it came with, 0: the first; beginnings stay with older ones */
	const char *view;    /* of the screens, that shows what it makes; NULL: none of its own */
	bool statement;      /* a word of the command line that starts with it is a statement of its own */
	const char *about;   /* one sentence, lower case, no full stop */
	const char *help;    /* more, in sentences; NULL: nothing more to say */
	const char *example; /* lines of the language that run */
	bool bare;           /* under --json its text is not wrapped: it runs other commands, or writes a file */
	const struct rows *rows[COMMAND_TABLES]; /* whose columns order and fold what it answers; NULL after the last */
	choice_function *orders;                 /* what --by takes beside them, and the command reads; NULL: nothing */
	command_function *run;
};

/* All of them: table.c, above all folders. */
extern const struct command commands[];
extern const int command_count;

/* The command with this name or unambiguous beginning; NULL: L01, L09. */
const struct command *command_named(sw_str name, sw_diag *diag);

/* Does it take options at all? */
bool command_has_options(const struct command *command);

/* Does it take this one, and is that for others than who builds the program?  `help` and completion tell of no other. */
bool command_offers(const struct command *command, enum option option);

/* The command with exactly this name, or NULL. */
const struct command *command_exact(sw_str name);

/* Is the rest of a line after this first word raw text? */
bool command_is_raw(sw_str first);

/* Adds how it is called: "plan [STRATEGY] [--json]"; options one by one only with `options`. */
void command_print_usage(const struct command *command, bool options, sw_text *text);

/* ---- reading a statement ---- */

/* Cuts a statement into the arguments and options of its command.  Errors: L01 to L05, L09, memory. */
bool invocation_read(struct invocation *run, sw_diag *diag);

/* A mesh without `src_mesh =` or the like in front of it. */
sw_str mesh_without_name(sw_str text);

/* Takes words as arguments and options of `run->command`; are those that it needs there?  Then their values are read. */
bool invocation_take(struct invocation *run, const struct word *words, int count, sw_diag *diag);
bool invocation_complete(struct invocation *run, sw_diag *diag);

/* The i-th argument, NULL where it was left out. */
const struct word *argument(const struct invocation *run, int i);

/* The value of an option as given last, NULL where it was not. */
const struct word *option_given(const struct invocation *run, enum option option);

/* Is none of these options given, which OPTION_COUNT ends?  Else L02 at the option: "`--sweep` is for plans", with the hint. */
bool options_fit(const struct invocation *run, const enum option *others, const char *are_for, const char *hint,
	sw_diag *diag);
bool wants_json(const struct invocation *run);

/* Says that the position of a diagnostic is this word; what the engine said about the word's raw text moves there. */
bool refuse_at(const struct invocation *run, sw_str slice, sw_diag *diag);

/* The position of a diagnostic is one of a text of many lines, that of a file: its line is shown instead of the statement. */
bool refuse_inside(const struct invocation *run, const char *file, sw_str text, sw_diag *diag);

/* A failure that concerns a file is marked at its name; returns false. */
bool refuse_at_file(const struct invocation *run, const struct word *word, sw_diag *diag);

/* Writes the text to the file, or answers it where the file is -, and frees it. */
bool answer_file(const struct invocation *run, const struct word *file, sw_text *text, sw_diag *diag);

/* ---- values by kind, with their positions in the line ---- */

/* "'WORD' is ...", at the word; returns false.  AS_SHOWN: a word in a message, as much as one reads, for "%.*s". */
#define AS_SHOWN(str) (int)((str).length < 60 ? (str).length : 60), (str).at
bool refuse_word(const struct invocation *run, const struct word *word, sw_diag *diag, sw_code code,
	const char *format, ...) __attribute__((format(printf, 5, 6)));

/* What a word says, by its kind. */
#define COUNTS_MOST 16

struct value {
	int64_t number; /* the index of a name, an element type or a system too */
	double real;
	int64_t sizes[2]; /* bytes from and to */
	sw_strategy strategy[SW_STRATEGY_COUNT];
	int64_t counts[COUNTS_MOST];
	int count; /* of strategies, or of counts */
	struct setting_value setting;
};

/* Reads a word where its kind can be read by itself; else *value is NULL. */
bool read_value(const struct invocation *run, const struct word *word, enum kind kind, struct range range,
	const struct value **value, sw_diag *diag);
value_reader value_number, value_real, value_choice, value_setting, value_strategies, value_sizes, value_dtype,
	value_system, value_counts, value_column;

/* What is given of an option, NULL where it is not; the parser has read it.  The others say what stands for it then: of a setting
 * that is the setting. */
const struct value *option_value(const struct invocation *run, enum option option);
int64_t option_number(const struct invocation *run, enum option option, int64_t otherwise);
double option_real(const struct invocation *run, enum option option, double otherwise);
const struct setting_value *option_setting(const struct invocation *run, enum option option);

/* The same of the i-th argument, and the text of an option as a C string in the invocation's arena. */
int64_t argument_number(const struct invocation *run, int i, int64_t otherwise);
const char *option_text(const struct invocation *run, enum option option);

/* Whole numbers whose range the command knows.  Errors: L11, L12.  Where the word is NULL, or the option is not given, the number
 * stays. */
bool read_count(const struct invocation *run, const struct word *word, int64_t low, int64_t high, int64_t *number,
	sw_diag *diag);
bool option_count(const struct invocation *run, enum option option, int64_t low, int64_t high, int64_t *number,
	sw_diag *diag);

/* What --device names, of so many: a number, or a name on the mesh of the session; unchanged where it is not given. */
bool option_device(const struct invocation *run, int64_t devices, int64_t *device, sw_diag *diag);

/* Numbers with blanks or a comma between them, no more than `room`: how many, 0 where there is something else. */
int read_numbers(sw_str text, int64_t *number, int room);

/* `$3`: is it that? */
bool read_result(const struct word *word, int64_t *number);

/* One of the words that the command knows: its index, from 0.  L13. */
struct word_list {
	const char *refusal;     /* "'%.*s' is no measure of memory" */
	const char *const *word; /* NULL after the last */
	const char *expected;
};
bool option_choice(const struct invocation *run, enum option option, const struct word_list *list, int *index,
	sw_diag *diag);

/* What a word says of a setting. */
bool read_setting(const struct invocation *run, const struct word *word, enum setting setting,
	struct setting_value *value, sw_diag *diag);

/* Strategies with commas between them, each once.  Errors: S04; L13 where there is none. */
bool read_strategies(const struct invocation *run, const struct word *word, struct value *value, sw_diag *diag);

/* Makes what the text says the mesh of the session, as the command `mesh` does.  Errors at the text. */
bool problem_set_mesh(struct invocation *run, sw_str text, sw_diag *diag);

/* The same of a mesh that was read: what it does not fit is dropped. */
void problem_take_mesh(struct session *session, const sw_mesh *mesh);

/* The mesh is this one, and nothing else changes but that a system, which is of another mesh, is dropped. */
void problem_put_mesh(struct session *session, const sw_mesh *mesh);

/* Makes it the problem, whose words live as long as the session, with its mesh; `found_mesh`: the names of its axes are made up. */
bool problem_take(struct invocation *run, const sw_problem *problem, bool found_mesh, sw_diag *diag);

/* Makes it `from`, over the mesh of the session. */
void problem_take_from(struct invocation *run, const struct any_type *type);

/* Makes `FROM ~> TO` the problem, as the command `redistribute` does.  Errors at the text. */
bool problem_set_ends(struct invocation *run, sw_str text, sw_diag *diag);

/* A type as text or as the name of one; the shape's element type where it has none of its own. */
bool read_type(const struct invocation *run, sw_str text, sw_type *type, sw_diag *diag);

/* The same of a type of any kind, which lives in the arena. */
bool read_any_type(const struct invocation *run, sw_str text, sw_arena *arena, struct any_type *type, sw_diag *diag);

/* Which name of a type is nearest; the beginning of a single one is.  NULL: none. */
const char *nearest_type_name(const struct session *session, sw_str name);

/* What types with words may refer to in this session: its types, `from` and `to`, files, the rule of sizes that do not divide. */
struct names_here {
	const struct invocation *run;
	sw_arena *arena;
	sw_distribution_names names;
};
const sw_distribution_names *names_here(const struct invocation *run, sw_arena *arena, struct names_here *here);

/* Where a shape was given, a type has to be of this shape, and takes its element type.  T09 at `text`. */
bool fit_shape(const struct invocation *run, sw_str text, sw_type *type, sw_diag *diag);

/* Is it a name of the language, which stands for a type? */
bool is_type_name(sw_str text);

/* The present plan, or the one that `$N` names, or one by the strategy that is named.  Where there is none yet it
 * is made, and becomes the present one. */
bool read_plan(const struct invocation *run, const struct word *word, const sw_plan **plan, sw_diag *diag);

/* The same, of a plan that ends on `to`: steps by hand may lead elsewhere.  P07. */
bool read_solution(const struct invocation *run, const struct word *word, const sw_plan **plan, sw_diag *diag);

/* Reads --element, which is given, `5,7`: an index in each dimension of the array of `type`.  Error: L02. */
bool read_element_option(const struct invocation *run, const sw_type *type, int64_t element[SW_MAX_DIMS],
	sw_diag *diag);

/* The name of a file as a C string in the invocation's arena. */
const char *file_name(const struct invocation *run, const struct word *word);

/* The same; a file that is not here may stand beside the script that names it. */
const char *file_beside(const struct invocation *run, const struct word *word);

/* ---- running ---- */

/* Runs all statements of a line; failures are reported and counted.  false: an open bracket or quote at its end,
 * and the session is interactive, so that the line may go on; nothing ran then. */
bool statement_run_line(struct session *session, const struct position *position);

/* Is this a pasted warning, or `import` with one in several lines?  Then `joined` gets the statement that imports it. */
bool import_joins(sw_str line, sw_text *joined);

/* How these lines end when they are cut into statements: LINE_END, LINE_OPEN or LINE_BAD. */
enum line_end command_line_end(sw_str text);

/* Is a bracket or quote open at the end of the line, so that a person may go on with it? */
bool command_line_is_open(const struct session *session, const struct position *position);

/* Runs one statement, a slice of the position's line. */
bool statement_run(struct session *session, const struct position *position, sw_str statement);

/* Runs one statement; what it answers is added to a document in place of being shown.  Pieces of it live as long as `arena` and the
 * session.  Not for commands that answer as they work. */
bool statement_answer(struct session *session, const struct position *position, sw_str statement, sw_arena *arena,
	struct document *answer, sw_diag *diag);

/* Draws a diagnostic on standard error, counts it, and prints it as JSON where that was asked for. */
void command_report(struct session *session, const struct position *position, const sw_diag *diag, bool json);

/* ---- the functions of the rows; folders above have more ---- */

command_function command_mesh, command_type, command_shape, command_from, command_to, command_redistribute,
	command_budget, command_model, command_set;
command_function command_plan, command_compare, command_verify, command_simulate;
command_function command_advise;
command_function command_einsum, command_ways, command_compute, command_tasks, command_schedule, command_param;
command_function command_hardware, command_pareto;
command_function command_system, command_axes, command_place, command_placements, command_reduce, command_reductions;
command_function command_step, command_back, command_continue, command_finish, command_frontier, command_edges,
	command_goto, command_path, command_walk;
command_function command_apply, command_undo, command_redo, command_normalize, command_adjoint, command_replace;
command_function command_show, command_film, command_explain;
command_function command_program, command_enter, command_leave, command_assign;
command_function command_import, command_export, command_open, command_save, command_source, command_batch;
command_function command_help, command_clear, command_tour, command_info, command_quit;

/* Is it the code of an error, an operation, or a word that `explain` tells of? */
bool explain_knows(sw_str word);

#endif
