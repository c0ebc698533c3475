/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command import: what a framework printed, as problems and plans.
 *
 * The text is a file's, standard input's, or what follows the command.  What it holds says what it is taken for: an HLO
 * module, a plan or the result of a run, else a log with warnings or pairs of shardings.
 */
#define _GNU_SOURCE
#include "answer/watch.h"
#include "command/import/import.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <shardwalk/number.h>
#include <shardwalk/program_text.h>

#include "command/foreign.h"
#include "command/repeat.h"
#include "session/records.h"
#include "host/file.h"
#include "host/interrupt.h"

/* ---- the argument ---- */

static bool is_number(sw_str word)
{
	word = sw_str_behind(word, sw_str_starts(word, "-") ? 1 : 0);
	for (size_t i = 0; i < word.length; i++)
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
	return word.length > 0;
}

/* How many rows there are is known later. */
static bool take_number(struct import *import, const struct word *word, sw_diag *diag)
{
	bool overflow = false;
	import->take = *word;
	import->takes = true;
	if (sw_read_int(word->text, &import->number, &overflow))
		return true;
	import->number = INT64_MAX;
	return overflow || read_count(import->run, &import->take, 1, INT64_MAX, &import->number, diag);
}

static bool is_there(const struct import *import, sw_str name)
{
	struct stat info;
	sw_str text = line_unquote(name, import->run->arena);
	char *copy = sw_arena_copy(import->run->arena, text.at, text.length);
	return copy && text.length && stat(copy, &info) == 0;
}

/* A single word without brackets is a file's name, whether there is such a file or not. */
static bool is_name(sw_str text)
{
	static const char other[] = "{}[]()<>";
	for (size_t i = 0; i < text.length; i++)
		if ((unsigned char)text.at[i] <= ' ' || strchr(other, text.at[i]))
			return false;
	return text.length > 0;
}

/* No row has a negative number; which ones there are is said when they are known. */
static bool take_none(struct import *import, sw_str word)
{
	import->take = (struct word){word, word};
	import->takes = true;
	import->number = 0;
	return true;
}

static void set_file(struct import *import, sw_str name)
{
	import->file = (struct word){name, line_unquote(name, import->run->arena)};
	import->from_file = true;
}

static bool refuse_empty(const struct import *import, sw_diag *diag)
{
	sw_str statement = import->run->statement;
	sw_str end = {statement.at + statement.length, 0};
	sw_diag_set(diag, SW_L03, line_span(import->run->position->text, end), "'import' needs FILE, TEXT or -");
	sw_diag_expected(diag, "%s", kind_rows[KIND_SOURCE].about);
	return false;
}

static bool read_argument(struct import *import, sw_str rest, sw_diag *diag)
{
	const struct word *take = option_given(import->run, OPTION_TAKE);
	if (take && !take_number(import, take, diag))
		return false;
	import->kept = !rest.length && import->takes && import->run->session->imports;
	if (!rest.length)
		return import->kept || refuse_empty(import, diag);
	sw_str last = line_raw_last(rest), before = sw_str_trim((sw_str){rest.at, rest.length - last.length});
	if (is_there(import, rest) || sw_str_is(rest, "-")) {
		set_file(import, rest);
	} else if (is_number(last) && (is_there(import, before) || is_name(before))) {
		set_file(import, before);
		if (sw_str_starts(last, "-"))
			return take_none(import, last);
		return take_number(import, &(struct word){last, last}, diag);
	} else if (is_name(rest)) {
		set_file(import, rest);
	}
	import->text = rest;
	return true;
}

/* ---- the text ---- */

static bool refuse_file(const struct import *import, sw_diag *diag)
{
	if (!diag->at.end)
		diag->at = line_span(import->run->position->text, import->file.raw);
	return false;
}

static bool refuse_keyboard(const struct import *import, sw_diag *diag)
{
	sw_diag_set(diag, SW_B01, (sw_span){0, 0}, "the screens read the keyboard");
	sw_diag_hint(diag, "paste the line after `import`, or name a file");
	return refuse_file(import, diag);
}

static bool refuse_follow(const struct import *import, sw_diag *diag)
{
	sw_diag_set(diag, SW_L03, line_span(import->run->position->text, import->text), "'--follow' needs FILE or -");
	sw_diag_expected(diag, "a log that a build is writing");
	sw_diag_found(diag, "a text, which does not grow");
	return false;
}

/* What gzip has packed breaks off. */
static void say_broken(const struct import *import, const char *name, const sw_text *text, const char *broken)
{
	long long lines = (long long)import_line_at((sw_str){sw_text_get(text), text->length}, text->length);
	if (broken)
		answer_remark(import->run->session, "'%s': %s: it breaks off in line %lld, and only the text before is read",
			name, broken, lines);
}

static bool read_content(struct import *import, sw_diag *diag)
{
	struct console *console = import->run->session->console;
	if (!import->from_file)
		return !option_given(import->run, OPTION_FOLLOW) || refuse_follow(import, diag);
	bool keyboard = sw_str_is(import->file.text, "-") && console->in_terminal;
	if (keyboard && console->taker)
		return refuse_keyboard(import, diag);
	if (option_given(import->run, OPTION_FOLLOW))
		return import_follow(import, diag) || refuse_file(import, diag);
	if (keyboard) {
		console_remark(console, "paste the text, then press Ctrl-D on a line of its own");
		clearerr(stdin);
	}
	const char *name = file_name(import->run, &import->file), *broken;
	if (!file_read_before(name, &import->content, &import->zeros, &broken, diag))
		return refuse_file(import, diag);
	say_broken(import, name, &import->content, broken);
	if (keyboard)
		clearerr(stdin);
	import->text = (sw_str){sw_text_get(&import->content), import->content.length};
	return true;
}

const char *import_source(const struct import *import)
{
	if (!import->from_file)
		return NULL;
	return sw_str_is(import->file.text, "-") ? "standard input" : file_name(import->run, &import->file);
}

int64_t import_line_at(sw_str text, size_t at)
{
	int64_t line = 1;
	for (size_t i = 0; i < at && i < text.length; i++)
		line += text.at[i] == '\n';
	return line;
}

bool import_refuse(const struct import *import, sw_diag *diag)
{
	if (import->kept)
		return false;
	if (!import->from_file)
		return refuse_at(import->run, import->text, diag);
	if (diag->at.end && import->run->elsewhere)
		return refuse_inside(import->run, import_source(import), import->text, diag);
	diag->at = diag->also = (sw_span){0, 0};
	return refuse_file(import, diag);
}

/* ---- nothing in it ---- */

/* Zero bytes became blanks: programs and pictures have other bytes as well that no text has. */
static bool is_binary(const struct import *import)
{
	size_t length = import->text.length < 65536 ? import->text.length : 65536, other = 0;
	for (size_t i = 0; import->zeros && i < length; i++) {
		unsigned char c = (unsigned char)import->text.at[i];
		other += c < ' ' && !strchr("\a\b\t\n\v\f\r\x1b", c);
	}
	return other > length / 256;
}

/* An object of JSON with this word near its start. */
static bool is_json_with(sw_str text, const char *word)
{
	size_t length = text.length < 4096 ? text.length : 4096;
	return text.length && *text.at == '{' && memmem(text.at, length, word, strlen(word)) != NULL;
}

static void say_found(const struct import *import, sw_diag *diag)
{
	const sw_log *log = import->log;
	long long lines = log ? (long long)log->lines : 0;
	if (import->zeros)
		sw_diag_found(diag, "%zu bytes that are not text", import->text.length);
	else if (!sw_str_trim(import->text).length)
		sw_diag_found(diag, import->text.length ? "%zu bytes, all of them blank" : "nothing: it is empty",
			import->text.length);
	else if (log && log->left_out)
		sw_diag_found(diag, "%lld with an arrow; line %lld: %s", (long long)log->left_out, (long long)log->left_line,
			log->left_why.message);
	else
		sw_diag_found(diag, "%lld %s with none of them", lines, plural(lines, "line", "lines"));
}

static const char *way_out(const struct import *import)
{
	if (is_json_with(import->text, "\"from\""))
		return "`batch FILE` reads problems, one on each line";
	if (!import->from_file || (import->log && import->log->left_out))
		return "`help import` says what is read, and has an example";
	return "XLA prints its warnings to standard error, unless TF_CPP_MIN_LOG_LEVEL is above 1; `help import` says what is read";
}

/* A program in which nothing has to move, as far as it says. */
static bool refuse_program(const struct import *import, sw_diag *diag)
{
	const sw_log *log = import->log;
	const char *name = log->module ? log->module : "";
	sw_diag_set(diag, SW_N07, (sw_span){0, 0},
		"the %s%s%s never asks for a sharding of a value that has "
		"another one",
		log->module ? "module" : log->printed, *name ? " " : "", name);
	sw_diag_expected(diag,
		log->module ?
			"sdy.sharding_constraint or @Sharding after arguments with a sharding" :
			"sharding_constraint of a value with a sharding: jax.jit(f, in_shardings=...) gives one to the inputs");
	if (log->cut_line)
		sw_diag_found(diag, "nothing before line %lld, in which the text ends inside the module",
			(long long)log->cut_line);
	else if (log->undefined)
		sw_diag_found(diag, "shardings over the mesh @%s, which no line defines", log->undefined);
	else if (log->unsaid)
		sw_diag_found(diag, "%lld of values whose sharding is unknown, the first in line %lld",
			(long long)log->unsaid, (long long)log->unsaid_line);
	else
		sw_diag_found(diag, "%lld that %s for the present sharding", (long long)log->asked,
			plural(log->asked, "asks", "ask"));
	if (log->undefined)
		sw_diag_hint(diag, "define @%s by `mesh {x: 4, y: 2}` first, or include its line sdy.mesh", log->undefined);
	else
		sw_diag_hint(diag,
			"the partitioned module shows what the compiler moves: --xla_dump_to=DIR --xla_dump_hlo_pass_re=spmd.*");
	return import_refuse(import, diag);
}

/* `((NamedSharding(...), NamedSharding(...)), {})`, as compiled.input_shardings and parameters of jit print; 0: it is none. */
static int64_t shardings_in(sw_str text)
{
	static const char word[] = "NamedSharding(";
	int64_t count = 0;
	text = sw_str_trim(text);
	for (const char *at = text.length && strchr("([{", *text.at) ? text.at : NULL; at; count += at != NULL)
		at = memmem(at + 1, text.length - (size_t)(at + 1 - text.at), word, sizeof(word) - 1);
	return count;
}

static bool refuse_dump(const struct import *import, int64_t count, sw_diag *diag)
{
	sw_diag_set(diag, SW_N07, (sw_span){0, 0}, "%lld %s, but no shape and no target", (long long)count,
		plural(count, "sharding", "shardings"));
	sw_diag_expected(diag,
		"a second dictionary or tuple with the same keys after it or after an arrow, or one sharding alone");
	sw_diag_hint(diag,
		"`shape f32[16,32]` and `import NamedSharding(...)` with one of them make it `from`; the partitioned module says what moves");
	return import_refuse(import, diag);
}

#define KEYS_MOST 68 /* bytes of the keys of one that are shown */

/* Two dictionaries, or tuples, without a common key: those of both are named. */
static bool refuse_keys(const struct import *import, sw_diag *diag)
{
	const sw_log_alone *alone = import->log->alone;
	sw_text text = {0};
	for (int k = 0; k < 2; k++) {
		const char *names = alone[k].names ? alone[k].names : "none";
		bool more = alone[k].count > SW_LOG_NAMES || strlen(names) > KEYS_MOST;
		sw_text_addf(&text, "%s%.*s%s", k ? "; the second has " : "the first has ", KEYS_MOST, names,
			more ? "..." : "");
	}
	sw_diag_set(diag, SW_N07, (sw_span){0, 0}, "the two dictionaries have no key in common");
	sw_diag_expected(diag, "equal keys: the entries of one key are a pair");
	sw_diag_found(diag, "%s", sw_text_get(&text));
	sw_diag_hint(diag, "keys are compared as printed; those of inner dictionaries follow a slash");
	sw_text_free(&text);
	return import_refuse(import, diag);
}

static bool refuse_nothing(const struct import *import, sw_diag *diag)
{
	const char *source = import_source(import);
	const sw_log *log = import->log;
	if (log && (log->module || (log->printed && log->asked)))
		return refuse_program(import, diag);
	if (log && log->entries && !log->count && (log->alone[0].count || log->alone[1].count))
		return refuse_keys(import, diag);
	if (log && log->left_out && log->lines == 1) {
		*diag = log->left_why;
		return import_refuse(import, diag);
	}
	int64_t shardings = shardings_in(import->text);
	if (shardings)
		return refuse_dump(import, shardings, diag);
	if (source)
		sw_diag_set(diag, SW_N07, (sw_span){0, 0}, "nothing in '%s' can be imported", source);
	else
		sw_diag_set(diag, SW_N07, (sw_span){0, 0}, "nothing here can be imported");
	sw_diag_expected(diag,
		"a warning \"Involuntary full rematerialization\", A -> B, an HLO or StableHLO module, a plan or a result");
	say_found(import, diag);
	sw_diag_hint(diag, "%s", way_out(import));
	return import_refuse(import, diag);
}

static bool is_plan(sw_str text)
{
	text = sw_str_trim(text);
	return is_json_with(text, "\"shardwalk.plan/") || (is_json_with(text, "\"shardwalk.") && records_are_in(text));
}

static bool open_content(const struct import *import, sw_diag *diag)
{
	const struct word *word = import->from_file ? &import->file : argument(import->run, 0);
	sw_text copy = {0};
	sw_text_add_str(&copy, import->text);
	bool ok = !copy.failed ? open_text(import->run, word, &copy, diag) : sw_diag_memory(diag);
	sw_text_free(&copy);
	return ok;
}

#define ALONE_MOST ((size_t)1 << 23) /* bytes of one placement, one line or a file of JAX; what is longer is a log */

static bool import_text(struct import *import, sw_diag *diag)
{
	if (sw_hlo_is_module(import->text))
		return import_module(import, diag);
	if (is_plan(import->text))
		return open_content(import, diag);
	bool nothing = is_binary(import), taken = false, put = false;
	if (!nothing &&
		(!import_devices(import, &taken, diag) || (!taken && !import_failed(import, &taken, diag)) ||
			(!taken && !import_put(import, &put, diag))))
		return false;
	if (taken)
		return true;
	if (!import_mesh_before(import, diag))
		return false;
	if (!nothing && !put && import->text.length <= ALONE_MOST &&
		(!import_distal(import, &taken, diag) || (!taken && !import_line(import, &taken, diag)) ||
			(!taken && !import_jax(import, &taken, diag)) || (!taken && !import_placed(import, &taken, diag))))
		return false;
	if (taken)
		return true;
	if (!nothing && !import_log(import, &nothing, diag) && !nothing)
		return false;
	if (!is_binary(import) && !import_as_program(import, !nothing, &taken, diag))
		return false;
	return !nothing || taken || refuse_nothing(import, diag);
}

/* Words that only messages of compilers have. */
static bool is_message(sw_str line)
{
	static const char *const words[] = {"nvoluntary", "redistributing from", "should be divisible by",
		"implies that array axis", "harding propagation failed"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (memmem(line.at, line.length, words[i], strlen(words[i])))
			return true;
	return false;
}

bool import_joins(sw_str line, sw_text *joined)
{
	sw_str first = line_first(line);
	const struct command *exact = command_exact(first), *command = exact ? exact : command_named(first, NULL);
	bool is_import = command && command->run == command_import;
	bool one = is_import && !memchr(line.at, '\n', line.length);
	if (one || (exact && !is_import) || !is_message(line))
		return false;
	if (!is_import)
		sw_text_add(joined, "import ");
	for (size_t i = 0; i < line.length; i++)
		sw_text_add_char(joined, line.at[i] == '\n' || line.at[i] == '\r' ? ' ' : line.at[i]);
	return !joined->failed;
}

/* What a StableHLO module asks for; NULL: `diag` says why. */
static const sw_log *read_asked(const struct import *import, sw_str text, const sw_pulse *pulse, sw_diag *diag)
{
	const struct state *state = &import->run->session->state;
	sw_log *log = SW_NEW_ZERO(import->arena, sw_log, 1);
	sw_log_options options = {.mesh = state->has[DEFINED_MESH] ? &state->mesh : NULL,
		.pads = session_pads(import->run->session),
		.pulse = pulse};
	if (!log && !sw_diag_memory(diag))
		return NULL;
	return sw_log_read(text, &options, import->arena, log, diag) ? log : NULL;
}

/* The module of --module. */
static bool read_before(struct import *import, sw_diag *diag)
{
	struct watch watch;
	const struct word *file = option_given(import->run, OPTION_MODULE);
	if (!file)
		return true;
	const char *name = file_name(import->run, file), *broken;
	if (!file_read_before(name, &import->module_text, NULL, &broken, diag)) {
		diag->at = line_span(import->run->position->text, file->raw);
		return false;
	}
	say_broken(import, name, &import->module_text, broken);
	sw_str text = {sw_text_get(&import->module_text), import->module_text.length};
	watch_start(&watch, import->run->session->console);
	if (sw_program_is_module(text))
		import->asked = read_asked(import, text, &watch.pulse, diag);
	else
		import->before = sw_hlo_read_before(text, &watch.pulse, import->arena, diag);
	watch_end(&watch);
	if (import->before || import->asked)
		return true;
	diag->at = diag->also = line_span(import->run->position->text, file->raw);
	return false;
}

/* The mesh of --mesh is that of the session from here on: `advise` names its axes too.  Quotes around it are left out, so that a
 * mistake in it is marked where it stands. */
static bool set_mesh(const struct import *import, sw_diag *diag)
{
	const struct word *word = option_given(import->run, OPTION_MESH);
	sw_str mesh = word ? word->raw : (sw_str){"", 0};
	mesh = sw_str_unquoted(mesh);
	if (!word || mesh.length)
		return !word || problem_set_mesh(import->run, mesh, diag);
	sw_diag_set(diag, SW_L03, line_span(import->run->position->text, word->raw), "'--mesh' needs MESH");
	sw_diag_expected(diag, "%s", kind_rows[KIND_MESH].about);
	return false;
}

/* The words of --by and --fold, for rows that are kept and shown again. */
static bool read_order(const struct invocation *run, enum option option, const char **word, sw_diag *diag)
{
	const struct word *given = option_given(run, option);
	if (!given)
		return true;
	*(option == OPTION_BY ? &run->answer->arrangement->ordered : &run->answer->arrangement->folded) = true;
	*word = sw_arena_copy(run->session->arena, given->text.at, given->text.length);
	return *word || sw_diag_memory(diag);
}

/* ---- the table that was shown last ---- */

/* All that rows speak of lives in the arena, but for these. */
bool import_answer_all(struct import *import, sw_diag *diag)
{
	struct session *session = import->run->session;
	sw_arena *arena = import->arena;
	const char *machine = import->imports.machine, *name = import_source(import);
	if (!import_answer(import, NULL, diag))
		return false;
	if (!import->imports.count && !import_traffic_of(import))
		return true;
	struct import *copy = SW_NEW(arena, struct import, 1);
	struct kept_imports *kept = SW_NEW(arena, struct kept_imports, 1);
	char *file = name ? sw_arena_copy(arena, name, strlen(name)) : NULL;
	if (!copy || !kept || (name && !file))
		return sw_diag_memory(diag);
	*copy = (struct import){.kept = true,
		.program = import->program,
		.before = import->before,
		.asked = import->asked,
		.beside = import->beside,
		.log = import->log,
		.module = import->module,
		.left_out = import->left_out,
		.left_outs = import->left_outs,
		.imports = import->imports};
	if (file) {
		copy->file = (struct word){sw_str_of(file), sw_str_of(file)};
		copy->from_file = true;
	}
	copy->imports.machine = machine ? sw_arena_copy(arena, machine, strlen(machine)) : NULL;
	*kept = (struct kept_imports){arena, &copy->imports, copy};
	if (session->imports)
		sw_arena_free(session->imports->arena);
	session->imports = kept;
	import->arena = NULL;
	return true;
}

/* `import --take 2` alone takes row 2 of it. */
static bool take_kept(const struct import *import, sw_diag *diag)
{
	struct import kept = *import->run->session->imports->import;
	kept.run = import->run;
	kept.takes = true;
	kept.take = import->take;
	kept.number = import->number;
	kept.arena = sw_arena_new();
	if (!kept.arena)
		return sw_diag_memory(diag);
	const struct import_row *row = import_chosen(&kept, diag);
	bool ok = row && import_take(&kept, row, diag);
	if (!ok)
		diag->at = line_span(import->run->position->text, import->take.raw);
	if (!ok)
		diag->also = (sw_span){0, 0};
	sw_arena_free(kept.arena);
	return ok;
}

bool command_import(struct invocation *run, sw_diag *diag)
{
	struct import import = {.run = run, .placing = run->session->state.placing};
	bool read = read_argument(&import, argument(run, 0)->raw, diag);
	if (read && import.kept)
		return take_kept(&import, diag);
	import.imports.times = option_setting(run, OPTION_TIMES)->number;
	bool ok = read && read_order(run, OPTION_BY, &import.imports.by, diag) &&
		read_order(run, OPTION_FOLD, &import.imports.fold, diag) && set_mesh(&import, diag) &&
		read_content(&import, diag);
	import.arena = ok ? sw_arena_new() : NULL;
	if (ok)
		ok = (import.arena || sw_diag_memory(diag)) && read_before(&import, diag);
	if (ok)
		ok = import.arena ? import_text(&import, diag) : sw_diag_memory(diag);
	sw_arena_free(import.arena);
	sw_text_free(&import.module_text);
	sw_text_free(&import.content);
	return ok;
}
