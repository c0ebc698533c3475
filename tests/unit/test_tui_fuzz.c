/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whatever a script or a file of problems says, the session lives on: answers are JSON where JSON was asked for, and
 * every refusal has a code, a message and a position inside the line.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include <jansson.h>

#include "command/command.h"
#include "kit/mutate.h"
#include "screen/screen.h"
#include "kit/kit.h"

#define SCRIPTS 150
#define SCRIPT_LINES 12
#define BATCHES 6
#define BATCH_LINES 60
#define FILE_NAME "fuzzed-problems"

/* ---- a session that prints into memory ---- */

static void drop_text(void *context, bool message, const char *text, size_t length)
{
	(void)context, (void)message, (void)text, (void)length;
}

static void drop_canvas(void *context, const struct canvas *canvas)
{
	(void)context, (void)canvas;
}

static void drop_progress(void *context, const char *line)
{
	(void)context, (void)line;
}

static bool endless; /* what runs ends only by a signal */

static bool go_on(void *context)
{
	(void)context;
	return !endless;
}

static void keep_terminal(void *context, bool lent)
{
	(void)context, (void)lent;
}

static void nothing_left(void *context)
{
	(void)context;
}

static const struct console_taker taker = {.text = drop_text,
	.canvas = drop_canvas,
	.progress = drop_progress,
	.wipe = nothing_left,
	.beat = go_on,
	.release_terminal = keep_terminal};

static void open_session(struct session *session)
{
	static struct console console;
	console = console_of_process();
	assert_true(session_init(session, &console));
	session->json = true;
	session->console->taker = &taker;
}

/* What a line answers on standard output; the caller frees it. */
static char *run_line(struct session *session, const struct position *position)
{
	char *answer = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&answer, &length);

	assert_non_null(out);
	session->console->out = out;
	statement_run_line(session, position);
	session->leaving = false;
	fclose(out);
	session->console->out = stdout;
	return answer;
}

/* ---- what it answered ---- */

static size_t characters_of(sw_str line)
{
	size_t count = 0;

	for (size_t i = 0; i < line.length; i++)
		count += ((unsigned char)line.at[i] & 0xC0) != 0x80;
	return count;
}

static bool is_words(json_t *value)
{
	return json_string_length(value) > 0;
}

static const char *fault_of(json_t *error, sw_str line)
{
	json_int_t column = json_integer_value(json_object_get(error, "column"));
	json_int_t length = json_integer_value(json_object_get(error, "length"));

	if (!is_words(json_object_get(error, "code")) || !is_words(json_object_get(error, "message")))
		return "no code or message";
	if (strcmp(json_string_value(json_object_get(error, "code")), "E01") == 0)
		return "no memory";
	if (column < 0 || length < 0 || (size_t)column > line.length + 1)
		return "a position outside";
	if (column > 0 && line.length == characters_of(line) && (size_t)(column + length) > line.length + 2)
		return "a position that ends outside";
	return NULL;
}

/* An answer is one object, or several, one after the other; returns how many of them are errors. */
static int check_answer(const char *answer, sw_str line)
{
	json_error_t why;
	int errors = 0;

	for (size_t at = strspn(answer, " \n"); answer[at]; at += strspn(answer + at, " \n")) {
		json_t *root = json_loads(answer + at, JSON_DISABLE_EOF_CHECK, &why);
		if (!root)
			fail_msg("no JSON (%s): '%.*s' answers %s", why.text, (int)line.length, line.at, answer + at);
		json_t *error = json_object_get(root, "error");
		const char *fault = error ? fault_of(error, line) : NULL;
		if (!is_words(json_object_get(root, "schema")) || fault)
			fail_msg("%s: '%.*s' answers %s", fault ? fault : "no schema", (int)line.length, line.at, answer + at);
		errors += error != NULL;
		json_decref(root);
		at += (size_t)why.position;
	}
	return errors;
}

/* ---- scripts ---- */

static const char *const statements[] = {"mesh {x: 4, y: 6}", "mesh {x: 2, y: 2, z: 2}",
	"mesh {node: 2 @ 10GB/s 20us, 'odd one': 3}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
	"redistribute f32[12,12] A -> B", "type A = [3{x}12, 2{y}12]", "type B = [2{y}12, 12]", "shape bf16[12, 12]",
	"from A", "to [12, {x}12]", "budget 2x", "budget 300MB", "model volume", "set moves several; set search astar",
	"set unit bytes", "plan", "plan exact --budget 2x --live none", "plan paper --without allpermute --maps",
	"compare --model volume", "verify --memory 1kB", "verify naive --full", "step 3; back", "continue", "finish",
	"frontier", "edges [6,1] --refused", "goto 2; path", "apply allgather(0)", "apply alltoall [[0,2]] [[1,2]]",
	"apply dynslice(0, x:(1)2)", "apply allpermute [2{y}12, 3{x}12]", "undo", "normalize", "show mesh",
	"show type [3{x}12, 2{y}12]", "show tiles --dims 0,1 --fix 0=1 --step 1", "show devices --device 3",
	"show heights --bytes", "show graph --node 2 --refused", "show traffic $1 --step 1", "show plan naive",
	"explain T04", "explain {devices=[2,1,4]<=[4,2]T(1,0)}", "explain {devices=[4]3,2,1,0} ~> {devices=[4]<=[4]}",
	"explain S01R", "explain replica_groups=[4,2]<=[2,4]T(1,0)", "explain 17 over 8",
	"redistribute f32[12,12] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}",
	"redistribute f32[24,24] P('x',None) -> (Shard(1), Shard(0))", "from S0R",
	"to #sdy.sharding<@mesh, [{}, {\"y\":(1)2}]>", "import f32[16,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}",
	"advise --for jax", "advise --for shardy --json", "help plan", "help -k tile", "info", "# a comment",
	"set width 40; set ascii always"};

/* Programs are not started, and files not written, by chance. */
static bool is_harmless(const mutant *m)
{
	for (size_t i = 0; i + 1 < m->length; i++)
		if (memcmp(m->text + i, "ru", 2) == 0 || memcmp(m->text + i, "ca", 2) == 0)
			return false;
	return !memchr(m->text, '\n', m->length);
}

static int run_mutant(struct session *session, const mutant *m, int number)
{
	char *text = mutant_copy(m);
	struct position position = {.file = "script", .line = number, .text = {text, m->length}};
	char *answer = run_line(session, &position);
	int errors = check_answer(answer, position.text);

	free(answer);
	free(text);
	return errors;
}

static void scripts_are_run_or_refused(void **state)
{
	draw from = draw_start("scripts");
	int errors = 0;
	mutant m;

	(void)state;
	for (int script = 0; script < SCRIPTS; script++) {
		struct session session;

		open_session(&session);
		for (int line = 1; line <= SCRIPT_LINES; line++) {
			const char *text = statements[line <= 1 ? 0 :
					line <= 2                       ? 3 :
													  draw_below(&from, sizeof(statements) / sizeof(*statements))];
			mutant_draw(&m, &from, text);
			if (line <= 2 && draw_below(&from, 4))
				mutant_start(&m, text);
			if (is_harmless(&m))
				errors += run_mutant(&session, &m, line);
		}
		screen_free(&session);
		session_end(&session);
	}
	assert_true(errors > SCRIPTS);
}

/* ---- files of problems ---- */

static const char *const problems[] = {
	"{\"name\": \"a\", \"mesh\": \"{x: 4, y: 6}\", \"dtype\": \"bf16\", \"from\": \"[3{x}12, 2{y}12]\", \"to\": \"[2{y}12, 3{x}12]\"}",
	"{\"id\": 7, \"mesh\": {\"x\": 4}, \"from\": \"[3{x}12]\", \"to\": \"[12]\", \"shape\": [12]}",
	"{\"mesh\": [{\"axis\": \"x\", \"size\": 4}], \"from\": \"f32[3{x}12]\", \"to\": \"[12]\", \"dtype\": null}",
	"{\"mesh\": null, \"shape\": [8, 8], \"from\": \"{devices=[4,1]<=[4]}\", \"to\": \"{devices=[4,1]3,2,1,0}\"}",
	("{\"mesh\": {\"x\": 2, \"y\": 2}, \"mesh_device_ids\": [3, 2, 1, 0], \"to_mesh\": {\"x\": 4}, \"shape\": [8, 8], \"from\": "
	 "\"P('x', 'y')\", \"to\": \"P('x')\"}"),
	"{x: 4, y: 2} [3{x}12, 4] ~> [12, 2{y}4]  # as text",
	"{\"odd one\": 4} [3{\"odd one\"}12] -> [12]",
};

/* Comments are left out, and an end of line would make two lines. */
static bool is_one_problem(const mutant *m)
{
	sw_str line = sw_str_trim((sw_str){m->text, m->length});

	return !memchr(m->text, '\n', m->length) && !(line.length && *line.at == '#');
}

static int write_problems(draw *from, mutant *lines)
{
	FILE *file = fopen(FILE_NAME, "w");
	int count = 0;

	assert_non_null(file);
	while (count < BATCH_LINES) {
		mutant *m = &lines[count];
		mutant_draw(m, from, problems[draw_below(from, sizeof(problems) / sizeof(*problems))]);
		if (!is_one_problem(m))
			continue;
		fwrite(m->text, 1, m->length, file);
		fputc('\n', file);
		count++;
	}
	fclose(file);
	return count;
}

/* One line out for each line in. */
static int check_lines(char *answer, const mutant *lines, int count)
{
	int errors = 0, n = 0;
	char *rest = answer;

	for (char *line; (line = strsep(&rest, "\n")) && (rest || *line); n++) {
		assert_true(n < count);
		errors += check_answer(line, (sw_str){lines[n].text, lines[n].length});
	}
	assert_int_equal(n, count);
	return errors;
}

static void problems_are_answered_line_by_line(void **state)
{
	draw from = draw_start("problems");
	mutant *lines = calloc(BATCH_LINES, sizeof(*lines));
	int errors = 0;

	(void)state;
	assert_non_null(lines);
	for (int batch = 0; batch < BATCHES; batch++) {
		struct position position = {.line = 1, .text = sw_str_of("batch " FILE_NAME)};
		struct session session;

		int count = write_problems(&from, lines);
		open_session(&session);
		char *answer = run_line(&session, &position);
		errors += check_lines(answer, lines, count);
		free(answer);
		screen_free(&session);
		session_end(&session);
	}
	unlink(FILE_NAME);
	free(lines);
	assert_in_range(errors, BATCHES, BATCHES * BATCH_LINES - 1);
}

/* ---- every command with every option ---- */

/* A value for each option that takes one, and which may be right for some of its commands. */
static const char *const option_values[OPTION_COUNT] = {
#define VALUE(id, text) [OPTION_##id] = text,
	VALUE(STRATEGY, "fused") VALUE(MODEL, "volume") VALUE(BUDGET, "4x") VALUE(LIVE, "none") VALUE(WITHOUT,
		"allpermute") VALUE(PROVE, "10ms") VALUE(BY, "cost") VALUE(FOLD, "line") VALUE(VARY, "i=4..16") VALUE(LIMIT,
		"2") VALUE(LENGTH, "2") VALUE(MEMORY, "1MiB") VALUE(STEP, "1") VALUE(HOP, "1") VALUE(BESIDE, "naive")
		VALUE(DIMS, "0,1") VALUE(FIX, "0=0") VALUE(DEVICE, "1") VALUE(ELEMENT, "0,0") VALUE(TILE, "0") VALUE(WAY, "1")
			VALUE(NODE, "1") VALUE(RANKS, "2") VALUE(REPS, "1") VALUE(WARMUP, "1") VALUE(LAUNCHES, "1")
				VALUE(TRANSPORT, "auto") VALUE(DTYPE, "f32") VALUE(TIMEOUT, "5") VALUE(HOSTS, "localhost")
					VALUE(HOSTFILE, "hosts") VALUE(LAUNCHER, "ssh") VALUE(COMPARE, "fused,paper") VALUE(SWEEP,
						"1KiB:4KiB") VALUE(SAMPLES, "samples") VALUE(UNEVEN, "pad") VALUE(ANSWER, "relation")
						VALUE(MEASURE, "live") VALUE(WIDTH, "60") VALUE(TAKE, "1") VALUE(MESH, "'{data: 4, fsdp: 6}'")
							VALUE(MODULE, "module") VALUE(TO, "[12,12]") VALUE(TIMES, "3") VALUE(FOR, "shardy")
								VALUE(ADVISE, "jax") VALUE(FORM, "shard_map") VALUE(RANDOM, "5") VALUE(SEED, "2")
									VALUE(PROBLEMS, "2") VALUE(DEVICES, "4") VALUE(STRATEGIES, "fused,paper")
										VALUE(RUN, "1") VALUE(SCALE, "0.5") VALUE(RESUME, "journal") VALUE(PACE, "1")
											VALUE(OVERLAP, "off") VALUE(IN_PLACE, "off") VALUE(EVERY, "2")
												VALUE(RECORD, "film.cast") VALUE(KEYWORD, "tile")
													VALUE(MAN, "commands") VALUE(GROW, "4,8")
#undef VALUE
};

/* Runs what the line says, with its answers as JSON; how many of these there were, and how many were errors. */
static int ask_json(struct session *session, const char *text, int *errors)
{
	struct position position = {.file = "script", .line = 1, .text = sw_str_of(text)};
	char *answer = run_line(session, &position);
	int found = check_answer(answer, position.text);
	bool any = answer[strspn(answer, " \n")] != '\0';

	*errors += found;
	free(answer);
	return any;
}

/* The lines of an example that are before the command, which comes back as its last line has it, with a file for standard
 * output. */
static void follow_example(struct session *session, const struct command *command, sw_text *line)
{
	char *copy = strdup(command->example), *rest = copy;
	int errors = 0;

	for (char *text; (text = strsep(&rest, "\n"));) {
		sw_str first = line_first(sw_str_of(text));
		if (!sw_str_is(first, command->name)) {
			ask_json(session, text, &errors);
			continue;
		}
		size_t length = strlen(text);
		bool output = length > 2 && strcmp(text + length - 2, " -") == 0;
		sw_text_clear(line);
		sw_text_addf(line, "%.*s%s", (int)(length - output), text, output ? "written" : "");
	}
	free(copy);
}

/* Answers it, and is an answer there? */
static bool option_is_answered(const struct command *command, int option, int *errors)
{
	struct session session;
	sw_text line = {0};

	open_session(&session);
	follow_example(&session, command, &line);
	session.json = !command->options.has[OPTION_JSON];
	sw_text_add(&line, session.json ? "" : " --json");
	if (option >= 0)
		sw_text_addf(&line, " --%s", option_rows[option].name);
	if (option >= 0 && option_rows[option].value)
		sw_text_addf(&line, " %s", option_values[option]);
	endless = option == OPTION_FOLLOW;
	bool answered = ask_json(&session, sw_text_get(&line), errors);
	endless = false;
	sw_text_free(&line);
	screen_free(&session);
	session_end(&session);
	return answered;
}

static void every_option_answers_in_json(void **state)
{
	const struct command *command = *state;
	int refused = 0;

	for (int option = -1; option < OPTION_COUNT; option++) {
		if (option == OPTION_JSON || (option >= 0 && !command->options.has[option]))
			continue;
		if (option >= 0 && option_rows[option].value && !option_values[option])
			fail_msg("--%s has no value here", option_rows[option].name);
		if (!option_is_answered(command, option, &refused) && command->options.has[OPTION_JSON])
			fail_msg("'%s --%s' answers nothing", command->name, option >= 0 ? option_rows[option].name : "json");
	}
}

int main(void)
{
	const char *folder = getenv("TMPDIR");
	const struct kit_test tests[] = {
		TEST(scripts_are_run_or_refused),
		TEST(problems_are_answered_line_by_line),
		{"every_option_answers_in_json", every_option_answers_in_json, commands, &commands->name,
			(size_t)command_count, sizeof(*commands), NULL, NULL},
	};
	setenv("SHARDWALK_MPIEXEC", "/nowhere/mpiexec", 1); /* nothing is started here */
	if (chdir(folder ? folder : "/tmp") != 0)
		return 1;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
