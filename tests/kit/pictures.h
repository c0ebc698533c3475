/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Screens as pictures: in three sizes, each without colour, in colour and in ASCII; and what holds for any of them.
 */
#ifndef TESTS_KIT_PICTURES_H
#define TESTS_KIT_PICTURES_H

#include "answer/svg.h"
#include "kit/stage.h"

static const struct {
	int width, height;
} picture_sizes[] = {{80, 24}, {120, 36}, {200, 50}};

static const struct {
	const char *name;
	struct canvas_style style;
} picture_styles[] = {
	{"", {0}},
	{" in colour", {.colors = 256, .attributes = true}},
	{" ascii", {.ascii = true}},
};

/* ---- SVG ---- */

/* Blocks are shapes there, lines have no glyph. */
static inline bool is_letter(uint32_t code)
{
	return code > ' ' && code != 0xa0 && (code < 0x2580 || code > 0x259f) && code != CELL_RIGHT_HALF;
}

static inline void letters_add(sw_text *text, uint32_t code)
{
	if (is_letter(code))
		sw_text_addf(text, "%x ", (unsigned)code);
}

/* A character of SVG, and where the next one begins. */
static inline uint32_t svg_code(const char **at)
{
	static const struct {
		const char *name;
		uint32_t code;
	} names[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
	for (size_t i = 0; i < COUNT(names); i++) {
		if (strncmp(*at, names[i].name, strlen(names[i].name)) == 0) {
			*at += strlen(names[i].name);
			return names[i].code;
		}
	}
	if (strncmp(*at, "&#x", 3) == 0) {
		char *end;
		uint32_t code = (uint32_t)strtoul(*at + 3, &end, 16);
		*at = end + 1;
		return code;
	}
	return (unsigned char)*(*at)++;
}

/* The letters of a picture in their order, of its canvas and of its SVG. */
static inline void letters_of_svg(const char *svg, sw_text *letters)
{
	for (const char *at = strstr(svg, "<text "); at; at = strstr(at, "<text ")) {
		const char *end = strstr(at, "</text>");
		while (at < end) {
			if (*at == '<')
				at = strchr(at, '>') + 1;
			else
				letters_add(letters, svg_code(&at));
		}
	}
}

static inline void assert_svg_same(const struct canvas *canvas)
{
	const struct svg_options options = {.name = "picture", .about = ""};
	sw_text svg = {0}, drawn = {0}, found = {0};
	svg_add(canvas, &options, &svg);
	for (int y = 0; y < canvas->height; y++)
		for (int x = 0; x < canvas->width; x++)
			letters_add(&drawn, canvas_cell_at(canvas, x, y)->glyph);
	letters_of_svg(sw_text_get(&svg), &found);
	assert_string_equal(sw_text_get(&drawn), sw_text_get(&found));
	sw_text_free(&svg);
	sw_text_free(&drawn);
	sw_text_free(&found);
}

/* ---- rows ---- */

static inline void assert_rows_fit(const char *text, int width, bool ascii)
{
	char row[4096];
	for (const char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		assert_true(end && (size_t)(end - text) < sizeof(row));
		snprintf(row, sizeof(row), "%.*s", (int)(end - text), text);
		if (canvas_text_width(row) > width)
			fail_msg("a row is wider than %d: %s", width, row);
		for (const char *at = row; *at && ascii; at++)
			assert_in_range((unsigned char)*at, ' ', '~');
	}
}

/* ---- all of them ---- */

static inline void picture_add(const struct canvas *canvas, int style, sw_text *all)
{
	sw_text text = {0};
	canvas_print(canvas, &picture_styles[style].style, &text);
	sw_text_addf(all, "== %dx%d%s\n", canvas->width, canvas->height, picture_styles[style].name);
	sw_text_add(all, sw_text_get(&text));
	if (!picture_styles[style].style.colors)
		assert_rows_fit(sw_text_get(&text), canvas->width, picture_styles[style].style.ascii);
	sw_text_free(&text);
}

/* Draws the screen in all sizes and styles. */
static inline void pictures_add(struct screen *screen, sw_text *all)
{
	for (size_t i = 0; i < COUNT(picture_sizes); i++) {
		struct canvas canvas = {0};
		screen_compose(screen, picture_sizes[i].width, picture_sizes[i].height, &canvas);
		assert_svg_same(&canvas);
		for (size_t k = 0; k < COUNT(picture_styles); k++)
			picture_add(&canvas, (int)k, all);
		canvas_free(&canvas);
	}
}

#endif
