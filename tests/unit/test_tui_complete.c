/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion without a terminal: what may stand at the end of a text, for a session of given lines; and any text at
 * all, which must do no harm.
 */
#include "command/command.h"
#include "shell/complete.h"
#include "command/script.h"

#include "kit/draw.h"
#include "kit/kit.h"

static const char lines[] = "mesh {rows: 4, \"odd name\": 6}\n"
							"type tall = [3{rows}12, 12]\n"
							"from [3{rows}12, 2{\"odd name\"}12]\n"
							"to [2{\"odd name\"}12, 3{rows}12]\n"
							"set ascii always\n";

static void open_session(struct session *session)
{
	static struct console console;
	console = console_of_process();
	assert_true(session_init(session, &console));
	session->console->out = fopen("/dev/null", "w");
	assert_non_null(session->console->out);
	session->console->quiet = true;
	script_run_text(session, "test", lines);
	assert_int_equal(session->failures, 0);
	session->interactive = true;
}

static void close_session(struct session *session)
{
	fclose(session->console->out);
	session->console->out = stdout;
	session_end(session);
}

static bool has(const struct candidates *found, const char *text)
{
	for (int i = 0; i < found->count; i++)
		if (strcmp(found->row[i].text, text) == 0)
			return true;
	return false;
}

static const struct by_kind_row {
	const char *text;
	size_t begin; /* of the word */
	const char *there;
	const char *absent; /* or NULL */
} by_kind_rows[] = {
	{"", 0, "mesh", "tall"},
	{"pl", 0, "plan", "mesh"},
	{"  pl", 2, "plan", NULL},
	{"plan ", 5, "naive", "$1"},
	{"help --", 5, "--keyword=", "--man="},
	{"mesh {x: 4}; pl", 13, "plan", NULL},
	{"mesh {x: 4};", 12, "plan", NULL},
	{"from ", 5, "tall", "from"},
	{"from [3{", 8, "rows", NULL},
	{"from [3{", 8, "\"odd name\"", NULL},
	{"from [3{rows}12, 2{", 19, "\"odd name\"", "rows"},
	{"from [3{rows}12,\n2{", 19, "\"odd name\"", "rows"},
	{"from [12] sh", 10, "shift", "over"},
	{"type u = [12] on 0 un", 19, "union", NULL},
	{"compute y[i] = x[i] wr", 20, "wrap", NULL},
	{"compute y[i] = x[i] ", 20, "on", "union"},
	{"compute y[i] = x[i] --", 20, "--json", "on"},
	{"compute y[i] = x[i] --j", 20, "--json", NULL},
	{"ta", 0, "tall", NULL},
	{"tall ", 5, "~>", NULL},
	{"tall ~> ", 8, "tall", NULL},
	{"to ", 3, "[12, 2{\"odd name\"}12]", NULL},
	{"apply ", 6, "allgather(0)", "dynslice(0, rows)"},
	{"apply alltoall(", 15, "1", "2"},
	{"apply alltoall(1, ", 18, "0", NULL},
	{"apply dynslice(0, ", 18, "rows", NULL},
	{"plan ", 5, "exact", "--json"},
	{"plan --", 5, "--json", "--step="},
	{"plan --model=", 13, "volume", NULL},
	{"plan --model ", 13, "volume", NULL},
	{"plan --model volume ", 20, "exact", NULL},
	{"plan --without alltoall,", 24, "allgather", NULL},
	{"step ", 5, NULL, NULL},
	{"plan exact ", 11, "--json", NULL},
	{"set ", 4, "width", NULL},
	{"set model ", 10, "volume", NULL},
	{"set budget ", 11, "2x", "none"},
	{"set live ", 9, "none", NULL},
	{"show ", 5, "tiles", "from"},
	{"show tiles ", 11, "from", NULL},
	{"show plan ", 10, "exact", "from"},
	{"show mesh --element ", 20, "11,11", "12,12"},
	{"show tiles --dims ", 18, "1,0", "1,1"},
	{"explain ", 8, "T04", NULL},
	{"explain alltoa", 8, "alltoall", NULL},
	{"explain sh", 8, "shardy", NULL},
	{"explain cal", 8, "calibrated", NULL},
	{"hardware ", 9, "default", NULL},
	{"hardware v", 9, "v5e", "h100"},
	{"hardware mine = ", 16, NULL, NULL},
	{"help ", 5, "mesh", NULL},
	{"export ", 7, "plan", NULL},
	{"export svg out.svg ", 19, "tiles", "--json"},
	{"export svg out.svg pa", 19, "pareto", "plan"},
	{"help --man ", 11, "settings", NULL},
	{"nonsense ", 9, NULL, NULL},
	{"show mesh | le", 12, NULL, NULL},
	{"system ", 7, "p2-a100", NULL},
	{"system p2-v", 7, "p2-v100-fitted", "p2-a100"},
	{"system p2-v100 ", 15, NULL, NULL},
	{"reduce ", 7, "{", "rows"},
	{"reduce {", 8, "rows", "f32["},
	{"reduce {rows, ", 14, "\"odd name\"", "rows"},
	{"reduce {rows} ", 14, "f32[", "rows"},
	{"reduce {rows} bf", 14, "bf16[", "f32["},
	{"placements {", 12, "rows", NULL},
	{"place ", 6, "megatron ", "[[2 4] [2 4]]"},
	{"einsum ", 7, "ij,jk->ik ", "tall"},
	{"einsum ij,jk->ik ", 17, "tall", "as"},
	{"einsum ij,jk->ik [4{", 20, "rows", NULL},
	{"einsum ij,jk->ik tall, tall ", 28, "as", "ij,jk->ik "},
	{"einsum ij,jk->ik tall, tall a", 28, "as", "tall"},
	{"einsum ij,jk->ik tall, tall as ", 31, "tall", NULL},
	{"einsum ij,jk->ik tall, tall --l", 28, "--limit=", NULL},
	{":pl", 1, "plan", NULL},
};

/* What is there decides what is offered: matrices of the axes, rows of a list, programs of the sum. */
static void placements_and_reductions(void **state)
{
	struct session session;
	struct candidates found;
	(void)state;
	open_session(&session);
	script_run_text(&session, "test",
		"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]\nplace [[2 4] [2 4]]");
	complete(&session, sw_str_of("reduce {"), &found);
	assert_true(has(&found, "data") && has(&found, "shard"));
	candidates_free(&found);
	complete(&session, sw_str_of("place "), &found);
	assert_true(has(&found, "[[2 4] [2 4]]") && has(&found, "[[1 8] [4 2]]") && !has(&found, "1"));
	candidates_free(&found);
	complete(&session, sw_str_of("place [[2"), &found);
	assert_true(has(&found, "[[2 4] [2 4]]") && !has(&found, "[[1 8] [4 2]]"));
	candidates_free(&found);
	script_run_text(&session, "test", "placements");
	complete(&session, sw_str_of("place "), &found);
	assert_true(has(&found, "1") && has(&found, "3") && !has(&found, "4"));
	candidates_free(&found);
	complete(&session, sw_str_of("reductions "), &found);
	assert_true(has(&found, "1") && has(&found, "2"));
	assert_non_null(strstr(found.row[0].about, "reducescatter inside"));
	candidates_free(&found);
	close_session(&session);
}

/* Of a formula those arrays of which something moves. */
static void arrays_that_are_entered(void **state)
{
	struct session session;
	struct candidates found;
	(void)state;
	open_session(&session);
	script_run_text(&session, "test",
		"mesh {x: 4}\ntype u = [3{x}12]\ntype y = u\ntype w = u\ncompute y[i] = u[i-1] + w[i]");
	complete(&session, sw_str_of("enter "), &found);
	assert_true(has(&found, "u") && !has(&found, "w") && !has(&found, "y"));
	candidates_free(&found);
	close_session(&session);
}

/* Where a product was asked for last, its ways are compared. */
static void ways_of_a_product(void **state)
{
	struct session session;
	struct candidates found;
	(void)state;
	open_session(&session);
	complete(&session, sw_str_of("run --compare "), &found);
	assert_true(has(&found, "fused") && !has(&found, "ways"));
	candidates_free(&found);
	static const struct kept_product product = {.text = "ij,j->i [4, 4], [4] as [4]"};
	session.state.product = &product;
	session.state.subject = SUBJECT_PRODUCT;
	complete(&session, sw_str_of("run --compare "), &found);
	assert_true(has(&found, "ways") && !has(&found, "fused"));
	candidates_free(&found);
	close_session(&session);
}

/* After `compute` rows of `compare` are, one behind another. */
static void schedules_in_turns(void **state)
{
	struct session session;
	struct candidates found;
	(void)state;
	open_session(&session);
	script_run_text(&session, "test", "mesh {x: 4}\ntype u = [3{x}12]\ntype y = u\ncompute y[i] = u[i-1]");
	complete(&session, sw_str_of("run --compare cannon,"), &found);
	assert_true(has(&found, "summa") && has(&found, "own") && has(&found, "pdgemm") && !has(&found, "fused"));
	candidates_free(&found);
	close_session(&session);
}

/* Behind `schedule` stand algorithms, other rows of `compare`, and commands. */
static void schedules_by_name(void **state)
{
	struct session session;
	struct candidates found;
	(void)state;
	open_session(&session);
	complete(&session, sw_str_of("schedule "), &found);
	assert_true(has(&found, "cannon") && has(&found, "best") && has(&found, "owner") && has(&found, "einsum") &&
		has(&found, "own"));
	candidates_free(&found);
	complete(&session, sw_str_of("schedule .divide(i, io, ii, 2)"), &found);
	assert_false(has(&found, "best"));
	candidates_free(&found);
	close_session(&session);
}

static void plans_by_number(void **state)
{
	struct session session;
	struct candidates found;
	(void)state;
	open_session(&session);
	script_run_text(&session, "test", "plan");
	complete(&session, sw_str_of("plan $"), &found);
	assert_true(has(&found, "$1"));
	candidates_free(&found);
	complete(&session, sw_str_of("plan --strategy $"), &found);
	assert_false(has(&found, "$1"));
	candidates_free(&found);
	close_session(&session);
}

static void by_kind(void **state)
{
	const struct by_kind_row *row = *state;
	struct session session;
	open_session(&session);
	struct candidates found;
	complete(&session, sw_str_of(row->text), &found);
	if (row->there && (!has(&found, row->there) || found.begin != row->begin))
		fail_msg("'%s' does not offer '%s' at %zu", row->text, row->there, row->begin);
	if (!row->there)
		assert_int_equal(found.count, 0);
	if (row->absent && has(&found, row->absent))
		fail_msg("'%s' offers '%s'", row->text, row->absent);
	candidates_free(&found);
	close_session(&session);
}

/* What is offered goes on with what was typed (names of files may gain quotes). */
static void check_offer(const char *text, const struct candidates *found)
{
	assert_true(found->begin <= strlen(text));
	const char *word = text + found->begin;
	for (int i = 0; i < found->count; i++)
		if (!strchr("\"'", *word) && *found->row[i].text != '"' &&
			strncmp(found->row[i].text, word, strlen(word)) != 0)
			fail_msg("'%s' offers '%s' at %zu", text, found->row[i].text, found->begin);
}

static void any_text(void **state)
{
	(void)state;
	static const char *const pieces[] = {"mesh ", "type ", "from ", "to ", "apply ", "plan ", "show ", "set ",
		"goto ", "explain ", "export ", "batch ", "tall", "rows", "\"odd name\"", "alltoall", "dynslice", "tiles",
		"model ", "--", "--model", "--without=", "=", "[", "]", "{", "}", "(", ")", ",", ", ", ";", " ", "\n", "\"",
		"'", "#", " # ", "~>", "->", "|", " > ", "$1", "3", "12", "-", "\\", "\xC3\xB6", "\xFF", ".", "/", "x",
		"reduce ", "place ", "placements ", "system ", "reductions ", "einsum ", "compute ", "schedule ", "as ", ":",
		"ij,jk->ik "};
	draw from = draw_start("any_text");
	struct session session;
	open_session(&session);
	for (int n = 0; n < 20000; n++) {
		char text[256] = "";
		size_t length = 0;
		for (int k = draw_below(&from, 9); k >= 0; k--)
			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s",
				pieces[draw_below(&from, (int)(sizeof(pieces) / sizeof(*pieces)))]);
		struct candidates found;
		complete(&session, (sw_str){text, length}, &found);
		check_offer(text, &found);
		candidates_free(&found);
	}
	close_session(&session);
}

static void lists_fit(void **state)
{
	(void)state;
	struct session session;
	struct candidates found;
	open_session(&session);
	complete(&session, sw_str_of("explain "), &found);
	assert_true(found.count > 20);
	for (int width = 1; width < 130; width += 3)
		for (int rows = 1; rows < 40; rows += 5) {
			sw_text text = {0};
			candidates_print(&found, width, rows, &text);
			int count = 0, column = 0;
			for (size_t i = 0; i < text.length; i++) {
				column = text.data[i] == '\n' ? 0 : column + 1;
				count += text.data[i] == '\n';
				assert_true(column <= width);
			}
			assert_true(count >= 1 && count <= (rows > 1 ? rows : 2));
			sw_text_free(&text);
		}
	candidates_free(&found);
	close_session(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(by_kind, by_kind_rows, text),
		TEST(schedules_by_name),
		TEST(placements_and_reductions),
		TEST(plans_by_number),
		TEST(arrays_that_are_entered),
		TEST(ways_of_a_product),
		TEST(schedules_in_turns),
		TEST(any_text),
		TEST(lists_fit),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
