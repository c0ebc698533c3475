/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film as a file: each moment as `film` draws it, for a time in proportion to its step where that is known.
 */
#include "command/export/film.h"

#include <assert.h>

#include <shardwalk/json.h>

#include "answer/svg.h"
#include "command/export/picture.h"
#include "command/programs/moments.h"
#include "views/draw.h"

#define MOMENTS_MOST 200
#define SECONDS_A_STEP 1.5 /* on average */
#define SECONDS_LEAST 0.4

/* What the file is made of. */
struct shown {
	const struct invocation *run;
	const sw_plan *plan; /* NULL: it is the film of a program */
	int moments, columns;
};

static bool take(const struct shown *shown, int k, struct picture *picture, sw_diag *diag)
{
	struct console *console = shown->run->session->console;
	struct canvas_style before = console->style;
	sw_text statement = {0};
	assert(k >= 0 && k < shown->moments);
	sw_text_addf(&statement, "film --step %d", k);
	console->style.colors = 256;
	console->style.ascii = false;
	bool taken = picture_take(shown->run->session, sw_text_get(&statement), shown->columns, picture, diag);
	console->style = before;
	sw_text_free(&statement);
	return taken;
}

/* How long moment `k` is seen. */
static double seconds_of(const struct shown *shown, int k)
{
	int steps = shown->moments - 1;
	double all = shown->plan ? film_seconds(shown->plan, -1) : 0,
		   own = shown->plan && k < steps ? film_seconds(shown->plan, k) : 0;
	double seconds = all > 0 && own > 0 ? own / all * SECONDS_A_STEP * steps : SECONDS_A_STEP;
	return seconds < SECONDS_LEAST ? SECONDS_LEAST : seconds;
}

/* ---- a still ---- */

static bool add_still(const struct shown *shown, sw_text *text, sw_diag *diag)
{
	struct picture picture = {0};
	sw_text about = {0};
	bool taken = take(shown, 0, &picture, diag);
	picture_about(shown->run->session, &about);
	const struct svg_options options = {.name = "film", .about = sw_text_get(&about)};
	if (taken)
		svg_add(&picture.canvas, &options, text);
	picture_free(&picture);
	sw_text_free(&about);
	return taken;
}

/* ---- a page ---- */

static bool add_moment(const struct shown *shown, int k, sw_text *text, sw_diag *diag)
{
	struct picture picture = {0};
	const struct svg_options options = {.name = "film", .about = "", .in_page = true, .number = k};
	bool taken = take(shown, k, &picture, diag);
	if (taken) {
		sw_text_addf(text, "<div class=\"moment\" data-seconds=\"%.3f\"%s>\n", seconds_of(shown, k),
			k ? " hidden" : "");
		svg_add(&picture.canvas, &options, text);
		sw_text_add(text, "</div>\n");
	}
	picture_free(&picture);
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
	sw_text_add(text, "<p>Space or a click pauses and plays, Left and Right move by a step.</p>\n");
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
		struct picture picture = {0};
		sw_text screen = {0};
		taken = take(shown, k, &picture, diag);
		if (taken) {
			add_screen(&picture.canvas, &screen);
			add_event(at, &screen, &events);
			rows = picture.canvas.height >= rows ? picture.canvas.height + 1 : rows;
		}
		at += seconds_of(shown, k);
		sw_text_free(&screen);
		picture_free(&picture);
	}
	add_head(shown, rows, text);
	sw_text_add_str(text, (sw_str){sw_text_get(&events), events.length});
	sw_text_free(&events);
	return taken;
}

/* ---- what was asked for ---- */

static const struct writer {
	const char *end;
	bool (*add)(const struct shown *shown, sw_text *text, sw_diag *diag);
} writers[] = {{".svg", add_still}, {".html", add_page}, {".cast", add_cast}};
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

static bool find_shown(struct shown *shown, sw_diag *diag)
{
	struct session *session = shown->run->session;
	const sw_moments *moments;
	if (moments_are_subject(&session->state)) {
		moments = session_moments(session, diag);
		shown->moments = moments ? moments->count + 1 : 0;
		return moments != NULL;
	}
	if (!session_plan(session, &shown->plan, diag))
		return false;
	shown->moments = shown->plan->program.steps + 1;
	return true;
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
	if (!find_shown(&shown, diag))
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
