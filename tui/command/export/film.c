/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film as a file: each tenth of a step, for a time in proportion to its step where that is known.
 */
#include "command/export/film.h"

#include <assert.h>

#include <shardwalk/json.h>

#include "answer/svg.h"
#include "command/compare/compare.h"
#include "command/export/picture.h"
#include "command/placement/sum_look.h"
#include "command/programs/moments.h"
#include "session/present.h"
#include "views/draw.h"

#define MOMENTS_MOST 200
#define PARTS 10           /* moments of a step */
#define SECONDS_A_STEP 1.5 /* on average */
#define SECONDS_LEAST 0.4

#define PICTURES_WIDE 8    /* beside each other in a file, which is as wide as they need; more scroll */
#define PICTURE_COLUMNS 32 /* of each of them */
#define PAGE_ROWS 44       /* of a page, about, */
#define CAST_ROWS 24       /* and of a terminal */

/* What the file is made of. */
struct shown {
	const struct invocation *run;
	const sw_plan *plan; /* NULL: it is the film of a program */
	const sw_moments *of;
	int steps, parts; /* moments of a step, the one after it included */
	int moments, columns, rows;
};

/* Moment `k` as the step that has passed, and the part of the next. */
static void moment_at(const struct shown *shown, int k, struct view_options *options)
{
	options->step = k / shown->parts;
	options->passed = k % shown->parts / (double)shown->parts;
}

static bool take(const struct shown *shown, int k, struct canvas *canvas, sw_diag *diag)
{
	struct session *session = shown->run->session;
	struct view_options options = view_options_default(shown->columns);
	struct view_input in = {.plan = shown->plan, .moments = shown->of};
	sw_arena *arena = sw_arena_new();
	assert(k >= 0 && k < shown->moments);
	options.height = shown->rows;
	moment_at(shown, k, &options);
	if (shown->plan) {
		in.measured = compare_times(session, shown->plan);
		in.look = sum_look_in_film(session, shown->plan, options.step, options.passed, arena);
	}
	bool taken = arena ? view_film(&in, &options, canvas, diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	return taken;
}

/* How long moment `k` is seen. */
static double seconds_of(const struct shown *shown, int k)
{
	const sw_machine *timed = session_timing(shown->run->session);
	int step = k / shown->parts;
	double all = shown->plan ? film_seconds(timed, shown->plan, -1) : 0,
		   own = shown->plan && step < shown->steps ? film_seconds(timed, shown->plan, step) : 0;
	double seconds = all > 0 && own > 0 ? own / all * SECONDS_A_STEP * shown->steps : SECONDS_A_STEP;
	seconds = seconds < SECONDS_LEAST ? SECONDS_LEAST : seconds;
	return step < shown->steps ? seconds / shown->parts : seconds;
}

/* ---- a still ---- */

static bool add_still(const struct shown *shown, sw_text *text, sw_diag *diag)
{
	struct canvas canvas = {0};
	sw_text about = {0};
	bool taken = take(shown, 0, &canvas, diag);
	picture_about(shown->run->session, &about);
	const struct svg_options options = {.name = "film", .about = sw_text_get(&about)};
	if (taken)
		svg_add(&canvas, &options, text);
	canvas_free(&canvas);
	sw_text_free(&about);
	return taken;
}

/* ---- a page ---- */

static bool add_moment(const struct shown *shown, int k, sw_text *text, sw_diag *diag)
{
	struct canvas canvas = {0};
	const struct svg_options options = {.name = "film", .about = "", .in_page = true, .number = k};
	bool taken = take(shown, k, &canvas, diag);
	if (taken) {
		sw_text_addf(text, "<div class=\"moment\" data-seconds=\"%.3f\"%s>\n", seconds_of(shown, k),
			k ? " hidden" : "");
		svg_add(&canvas, &options, text);
		sw_text_add(text, "</div>\n");
	}
	canvas_free(&canvas);
	return taken;
}

static const char script[] =
	"<script>\n"
	"const moments = [...document.querySelectorAll('.moment')];\n"
	"let now = 0, timer = 0;\n"
	"function show(k) {\n"
	"  moments[now].hidden = true;\n"
	"  now = (k + moments.length) % moments.length;\n"
	"  moments[now].hidden = false;\n"
	"}\n"
	"function play() {\n"
	"  timer = setTimeout(() => { show(now + 1); play(); }, 1000 * moments[now].dataset.seconds);\n"
	"}\n"
	"function pause() { clearTimeout(timer); timer = 0; }\n"
	"document.addEventListener('keydown', key => {\n"
	"  if (key.key === ' ') { timer ? pause() : play(); key.preventDefault(); }\n"
	"  if (key.key === 'ArrowRight' || key.key === 'ArrowLeft') { pause(); show(now + (key.key === 'ArrowRight' ? 1 : -1)); }\n"
	"});\n"
	"document.addEventListener('click', () => timer ? pause() : play());\n"
	"play();\n"
	"</script>\n";

static bool add_page(const struct shown *shown, sw_text *text, sw_diag *diag)
{
	bool taken = true;
	sw_text_add(text,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"UTF-8\"/>\n<title>film</title>\n<style>\n"
		"body { margin: 2em; background: #fff; color: #1b1f24; font-family: sans-serif }\n"
		"svg { max-width: 100%; height: auto }\n");
	svg_add_style(NULL, text);
	sw_text_add(text, "</style>\n</head>\n<body>\n");
	for (int k = 0; k < shown->moments && taken; k++)
		taken = add_moment(shown, k, text, diag);
	sw_text_add(text, "<p>Space or a click pauses and plays, Left and Right move by a tenth of a step.</p>\n");
	sw_text_add(text, script);
	sw_text_add(text, "</body>\n</html>\n");
	return taken;
}

/* ---- a cast ---- */

static void add_event(double at, const sw_text *screen, sw_text *text)
{
	sw_json json;
	sw_json_start(&json, text, true);
	json.digits = 6;
	sw_json_open(&json, '[', false);
	sw_json_number(&json, at);
	sw_json_string(&json, "o");
	sw_json_str(&json, (sw_str){sw_text_get(screen), screen->length});
	sw_json_close(&json);
	sw_text_add_char(text, '\n');
}

/* The screen is cleared, and lines begin at its left. */
static void add_screen(const struct canvas *canvas, sw_text *screen)
{
	const struct canvas_style style = {.colors = 256, .attributes = true};
	sw_text lines = {0};
	canvas_print(canvas, &style, &lines);
	sw_text_add(screen, "\033[H\033[2J");
	for (size_t i = 0; i < lines.length; i++) {
		if (lines.data[i] == '\n')
			sw_text_add_char(screen, '\r');
		sw_text_add_char(screen, lines.data[i]);
	}
	sw_text_free(&lines);
}

static void add_head(const struct shown *shown, int rows, sw_text *text)
{
	sw_text_addf(text, "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": \"film\"}\n", shown->columns,
		rows);
}

static bool add_cast(const struct shown *shown, sw_text *text, sw_diag *diag)
{
	sw_text events = {0};
	double at = 0;
	int rows = 1;
	bool taken = true;
	for (int k = 0; k < shown->moments && taken; k++) {
		struct canvas canvas = {0};
		sw_text screen = {0};
		taken = take(shown, k, &canvas, diag);
		if (taken) {
			add_screen(&canvas, &screen);
			add_event(at, &screen, &events);
			rows = canvas.height >= rows ? canvas.height + 1 : rows;
		}
		at += seconds_of(shown, k);
		sw_text_free(&screen);
		canvas_free(&canvas);
	}
	add_head(shown, rows, text);
	sw_text_add_str(text, (sw_str){sw_text_get(&events), events.length});
	sw_text_free(&events);
	return taken;
}

/* ---- what was asked for ---- */

static const struct writer {
	const char *end;
	bool page;
	bool (*add)(const struct shown *shown, sw_text *text, sw_diag *diag);
} writers[] = {{".svg", true, add_still}, {".html", true, add_page}, {".cast", false, add_cast}};
enum { WRITERS = sizeof(writers) / sizeof(*writers) };

static const struct writer *writer_of(sw_str name)
{
	if (sw_str_is(name, "-"))
		return writers;
	for (int i = 0; i < WRITERS; i++) {
		sw_str end = sw_str_of(writers[i].end);
		if (name.length > end.length &&
			sw_str_is((sw_str){name.at + name.length - end.length, end.length}, writers[i].end))
			return &writers[i];
	}
	return NULL;
}

/* A terminal has the columns that it has; a page has as many as are needed. */
static void count_moments(struct shown *shown, bool page)
{
	int pictures = shown->steps + 1 < PICTURES_WIDE ? shown->steps + 1 : PICTURES_WIDE;
	int columns = film_columns(pictures, PICTURE_COLUMNS);
	shown->rows = page ? PAGE_ROWS : CAST_ROWS;
	if (page && !option_given(shown->run, OPTION_WIDTH) && shown->columns < columns)
		shown->columns = columns;
	shown->parts = PARTS;
	while (shown->parts > 1 && (int64_t)shown->steps * shown->parts + 1 > MOMENTS_MOST)
		shown->parts--;
	shown->moments = shown->steps * shown->parts + 1;
}

static bool find_shown(struct shown *shown, bool page, sw_diag *diag)
{
	struct session *session = shown->run->session;
	if (moments_are_subject(&session->state)) {
		shown->of = session_moments(session, diag);
		shown->steps = shown->of ? shown->of->count : 0;
	} else if (session_plan(session, &shown->plan, diag)) {
		shown->steps = shown->plan->program.steps;
	}
	count_moments(shown, page);
	return shown->of || shown->plan;
}

bool export_film(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag)
{
	const struct word *file = argument(run, 1);
	const struct writer *writer = writer_of(file->text);
	struct shown shown = {.run = run, .columns = picture_width(run)};
	(void)format;
	(void)plan;
	if (!writer) {
		sw_diag_set(diag, SW_L02, line_span(run->position->text, file->raw),
			"the name '%.*s' does not say "
			"what to write",
			AS_SHOWN(file->text));
		sw_diag_expected(diag, "a name that ends in .svg, .html or .cast; or - for SVG");
		return false;
	}
	if (!find_shown(&shown, writer->page, diag))
		return false;
	if (shown.moments > MOMENTS_MOST && writer != writers) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0},
			"the film has %d pictures, but a file has at most "
			"%d",
			shown.moments, MOMENTS_MOST);
		return false;
	}
	return writer->add(&shown, text, diag);
}
