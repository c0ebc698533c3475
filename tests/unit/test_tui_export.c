/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exports: what becomes of cells, lines, bars and words in SVG; quoting in XML, DOT and Markdown; pieces of words.
 */
#include <locale.h>

#include "canvas/glyphs.h"
#include "kit/draw.h"
#include "answer/color.h"
#include "export/dot.h"
#include "answer/document.h"
#include "answer/svg.h"
#include "answer/xml.h"
#include "kit/kit.h"

static struct canvas canvas_of(int width)
{
	struct canvas canvas = {0};
	canvas_reset(&canvas, width);
	return canvas;
}

static char *svg_of(const struct canvas *canvas, sw_text *text)
{
	const struct svg_options options = {.name = "a <name>",
		.about = "\"about\" & more",
		.in_page = true,
		.number = 3};
	svg_add(canvas, &options, text);
	assert_false(text->failed);
	return text->data;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no %s in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("there is %s in:\n%s", part, text);
}

/* ---- XML ---- */

static const struct codes_row {
	uint32_t code;
	const char *written;
} codes[] = {{'a', "a"}, {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "'"}, {0xe9, "&#xe9;"},
	{0x65e5, "&#x65e5;"}, {0x1f600, "&#x1f600;"}, {0, "&#xfffd;"}, {7, "&#xfffd;"}, {0x7f, "&#xfffd;"},
	{0xd800, "&#xfffd;"}, {0xfffe, "&#xfffd;"}, {0xffff, "&#xfffd;"}, {0x1ffff, "&#xfffd;"}, {0x110000, "&#xfffd;"}};

static void codes_are_escaped(void **state)
{
	const struct codes_row *row = *state;
	sw_text text = {0};
	xml_add_code(&text, row->code);
	assert_string_equal(sw_text_get(&text), row->written);
	sw_text_free(&text);
}

static const struct bytes_row {
	const char *words, *written;
} bytes[] = {{"日😀", "&#x65e5;&#x1f600;"},
	{"\xff"
	 "a",
		"&#xfffd;a"},
	{"\xc3", "&#xfffd;"}, {"\x80\x80", "&#xfffd;&#xfffd;"},
	{"\xe6\x97"
	 "a",
		"&#xfffd;a"},
	{"\xed\xa0\x80", "&#xfffd;"}, {"\xf7\xbf\xbf\xbf", "&#xfffd;"}};

static void bytes_become_ascii(void **state)
{
	const struct bytes_row *row = *state;
	sw_text text = {0};
	xml_add(&text, row->words);
	assert_string_equal(sw_text_get(&text), row->written);
	sw_text_free(&text);
}

static void words_are_escaped(void **state)
{
	(void)state;
	sw_text text = {0};
	xml_addf(&text, "%s", "{\"x\": 4} & <größe>\033");
	assert_string_equal(sw_text_get(&text), "{&quot;x&quot;: 4} &amp; &lt;gr&#xf6;&#xdf;e&gt;&#xfffd;");
	sw_text_free(&text);
}

/* ---- SVG ---- */

static void a_picture_is_as_large_as_what_is_drawn(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(500);
	int columns, rows;
	svg_extent(&canvas, &columns, &rows);
	assert_int_equal(columns, 1);
	assert_int_equal(rows, 1);
	canvas_put(&canvas, 3, 2, ROLE_TEXT, "abc");
	canvas_put(&canvas, 0, 4, ROLE_TEXT, "   ");
	svg_extent(&canvas, &columns, &rows);
	assert_int_equal(columns, 6);
	assert_int_equal(rows, 3);
	sw_text text = {0};
	assert_has(svg_of(&canvas, &text), "width=\"72\" height=\"72\" viewBox=\"0 0 72 72\"");
	assert_has(text.data, "aria-labelledby=\"name3 about3\"");
	assert_has(text.data,
		"<title id=\"name3\">a &lt;name&gt;</title>\n<desc id=\"about3\">&quot;about&quot; &amp; more</desc>");
	assert_lacks(text.data, "<style>");
	assert_lacks(text.data, "<?xml");
	sw_text_free(&text);
	canvas_free(&canvas);
}

/* Runs of one role; their blanks are theirs, and each says where it stands. */
static void text_is_runs_in_their_columns(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(40);
	canvas_put(&canvas, 2, 0, ROLE_TITLE, "one two   a<b");
	canvas_put(&canvas, 15, 0, ROLE_TYPE, "x");
	sw_text text = {0};
	assert_has(svg_of(&canvas, &text),
		"<text xml:space=\"preserve\" y=\"14\">"
		"<tspan x=\"0\" textLength=\"18\" lengthAdjust=\"spacingAndGlyphs\">  </tspan>"
		"<tspan class=\"title\" x=\"18\" textLength=\"90\" lengthAdjust=\"spacingAndGlyphs\">one two   </tspan>"
		"<tspan class=\"title\" x=\"108\" textLength=\"27\" lengthAdjust=\"spacingAndGlyphs\">a&lt;b</tspan>"
		"<tspan class=\"type\" x=\"135\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\">x</tspan></text>\n");
	sw_text_free(&text);
	canvas_free(&canvas);
}

static void wide_glyphs_take_two_columns_and_marks_none(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(40);
	canvas_put(&canvas, 0, 0, ROLE_TEXT, "a日本e\xcc\x81→b");
	sw_text text = {0};
	assert_has(svg_of(&canvas, &text),
		"<tspan x=\"0\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\">a</tspan>"
		"<tspan x=\"9\" textLength=\"36\" lengthAdjust=\"spacingAndGlyphs\">&#x65e5;&#x672c;</tspan>"
		"<tspan x=\"45\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\">e&#x301;</tspan>"
		"<tspan x=\"54\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\">&#x2192;</tspan>"
		"<tspan x=\"63\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\">b</tspan>");
	sw_text_free(&text);
	canvas_free(&canvas);
}

static void lines_that_touch_are_one(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(20);
	canvas_box(&canvas, 0, 0, 4, 3, ROLE_BORDER, 0);
	canvas_hline(&canvas, 0, 4, 3, ROLE_BORDER, LINE_HEAVY);
	canvas_vline(&canvas, 6, 0, 2, ROLE_BUDGET, LINE_DASHED);
	sw_text text = {0};
	assert_has(svg_of(&canvas, &text),
		"<path class=\"border\" d=\"M4.5 9.5H31.5M4.5 45.5H31.5M4.5 9.5V45.5M31.5 9.5V45.5\"/>\n");
	assert_has(text.data, "<path class=\"heavy border\" d=\"M4.5 81.5H22.5\"/>\n");
	assert_has(text.data, "<path class=\"dashed budget\" d=\"M58.5 9.5V27.5\"/>\n");
	assert_lacks(text.data, "<text");
	sw_text_free(&text);
	canvas_free(&canvas);
}

static void bars_are_boxes(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(40);
	canvas_bar(&canvas, 1, 0, 10, ROLE_BAR, 2.5, 10);
	canvas_bar_up(&canvas, 5, 2, 2, ROLE_LIVE, 1, 4);
	canvas_put_glyph(&canvas, 9, 2, ROLE_HEAT4, GLYPH_SHADE2);
	sw_text text = {0};
	assert_has(svg_of(&canvas, &text), "<rect class=\"box bar\" x=\"9\" y=\"1\" width=\"22.5\" height=\"16\"/>\n");
	assert_has(text.data, "<rect class=\"box live\" x=\"45\" y=\"45\" width=\"9\" height=\"9\"/>\n");
	assert_has(text.data,
		"<rect class=\"box heat-4\" x=\"81\" y=\"37\" width=\"9\" height=\"16\" fill-opacity=\"0.6\"/>\n");
	assert_lacks(text.data, "<text");
	sw_text_free(&text);
	canvas_free(&canvas);
}

static void a_file_has_the_roles_it_uses(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(20);
	const struct svg_options options = {.name = "n", .about = "a"};
	canvas_put(&canvas, 0, 0, ROLE_AXIS1, "x");
	sw_text text = {0};
	svg_add(&canvas, &options, &text);
	assert_int_equal(strncmp(text.data, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ", 44), 0);
	assert_has(text.data, ".shardwalk .axis-1{color:#000000}\n.shardwalk .on-axis-1{fill:#5fafd7}\n");
	assert_has(text.data, "@media screen and (prefers-color-scheme:dark){\n");
	assert_has(text.data, ".shardwalk .axis-1{color:#5fafd7}\n.shardwalk .on-axis-1{fill:none}\n");
	assert_has(text.data, "<rect class=\"on-axis-1\" x=\"0\" y=\"0\" width=\"9\" height=\"18\"/>\n");
	assert_lacks(text.data, ".axis-2{");
	sw_text_free(&text);
	canvas_free(&canvas);
}

/* The paper or the ground behind it is never nearer than 3 : 1 to text. */
static void pale_colours_are_not_for_text(void **state)
{
	(void)state;
	sw_text text = {0};
	svg_add_style(NULL, &text);
	assert_true(color_is_pale(195, true));
	assert_false(color_is_pale(195, false));
	assert_false(color_is_pale(-1, true));
	assert_has(text.data, ".shardwalk tspan.heat-1{fill:#e4e6ea}\n");
	sw_text_free(&text);
}

static void colours_are_those_of_terminals(void **state)
{
	static const struct {
		int number;
		const char *color;
	} rows[] = {{16, "#000000"}, {231, "#ffffff"}, {74, "#5fafd7"}, {214, "#ffaf00"}, {232, "#080808"},
		{255, "#eeeeee"}};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		sw_text text = {0};
		color_add(&text, rows[i].number);
		assert_string_equal(sw_text_get(&text), rows[i].color);
		sw_text_free(&text);
	}
}

/* Any canvas: columns of text are not lost, and every tag is closed. */
static void count_tags(const char *text, int *open, int *close)
{
	*open = *close = 0;
	for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
		const char *end = strchr(at, '>');
		assert_non_null(end);
		bool ends = at[1] == '/', whole = end[-1] == '/';
		*open += !ends && !whole;
		*close += ends;
	}
}

static void scribble(draw *from, struct canvas *canvas)
{
	static const uint32_t glyphs[] = {'a', '<', '&', 0x65e5, 0x2588, 0x2592, 0x2584, 0x258b, 0x25cf, 0xffff, 0x301,
		' '};
	for (int i = draw_below(from, 120); i > 0; i--) {
		int x = draw_below(from, 34) - 2, y = draw_below(from, 12) - 1, length = 1 + draw_below(from, 9);
		enum role role = (enum role)draw_below(from, ROLE_COUNT);
		unsigned weight = (unsigned)draw_below(from, 4) * LINE_HEAVY;
		switch (draw_below(from, 4)) {
		case 0:
			canvas_hline(canvas, x, y, length, role, weight);
			break;
		case 1:
			canvas_vline(canvas, x, y, length, role, weight);
			break;
		case 2:
			canvas_paint(canvas, x, y, length, role);
			break;
		default:
			canvas_put_glyph(canvas, x, y, role, glyphs[draw_below(from, COUNT(glyphs))]);
		}
	}
}

static void every_canvas_is_well_formed(void **state)
{
	draw from = draw_start("canvases");
	(void)state;
	for (int i = 0; i < 400; i++) {
		struct canvas canvas = canvas_of(1 + draw_below(&from, 40));
		sw_text text = {0};
		int open, close;
		scribble(&from, &canvas);
		svg_of(&canvas, &text);
		count_tags(text.data, &open, &close);
		assert_int_equal(open, close);
		assert_null(strstr(text.data, "d=\"\""));
		for (const char *at = text.data; *at; at++)
			assert_in_range((unsigned char)*at, '\n', 0x7e);
		sw_text_free(&text);
		canvas_free(&canvas);
	}
}

/* ---- DOT ---- */

static void strings_of_dot_are_quoted(void **state)
{
	(void)state;
	sw_text text = {0};
	dot_add_string(&text, "{\"odd \\ name\": 2}\nnext\x01");
	assert_string_equal(sw_text_get(&text), "\"{\\\"odd \\\\ name\\\": 2}\\nnext\"");
	sw_text_free(&text);
}

static void open_problem(sw_mesh *mesh, sw_problem *problem, const char *axes, const char *ends)
{
	sw_diag diag = {.code = SW_OK};
	if (!sw_mesh_parse(sw_str_of(axes), mesh, &diag) || !sw_problem_parse(mesh, sw_str_of(ends), problem, &diag))
		fail_msg("%s", diag.message);
}

static int count_of(const char *text, const char *part)
{
	int count = 0;
	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		count++;
	return count;
}

static void a_walk_grows_into_its_graph(void **state)
{
	sw_mesh mesh;
	sw_problem problem;
	const sw_walk_options options = {.model = SW_MODEL_PAPER};
	(void)state;
	open_problem(&mesh, &problem, "{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]");
	sw_walk *walk = sw_walk_new(&problem, &options, NULL);
	assert_non_null(walk);
	for (int step = 0; step < 5; step++) {
		sw_text text = {0};
		assert_true(dot_add_walk(walk, &text, NULL));
		assert_int_equal(strncmp(text.data, "digraph search {\n", 17), 0);
		assert_int_equal(count_of(text.data, ", visited "), sw_walk_settled(walk));
		assert_int_equal(count_of(text.data, "rounded,dotted"), sw_walk_seen(walk) - sw_walk_settled(walk));
		assert_int_equal(count_of(text.data, " start"), 1);
		int ids[16], path = sw_walk_goal(walk) ? sw_walk_path(walk, sw_walk_goal(walk), ids, 16) : 0;
		if (path)
			assert_int_equal(count_of(text.data, "style=bold"), path - 1);
		else
			assert_has(text.data, "label=\"[2, 3]\\nsize 6\", style=\"rounded,dashed\"");
		sw_text_free(&text);
		sw_walk_step(walk, NULL);
	}
	assert_true(sw_walk_done(walk));
	sw_walk_free(walk);
}

static void a_plan_is_a_chain(void **state)
{
	sw_mesh mesh;
	sw_problem problem;
	sw_plan plan;
	const sw_plan_options options = {.strategy = SW_PAPER, .model = SW_MODEL_PAPER};
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	(void)state;
	open_problem(&mesh, &problem, "{\"a b\": 4}", "f32[3{\"a b\"}12, 12] ~> [12, 3{\"a b\"}12]");
	assert_true(sw_plan_find(&problem, &options, arena, &plan, NULL));
	dot_add_plan(&plan, &text);
	assert_int_equal(plan.program.steps, 1);
	assert_has(text.data, "s0 [label=\"f32[3{\\\"a b\\\"}12, 12]\\n36 elements, 144 B\"");
	assert_has(text.data, "s0 -> s1 [label=\"alltoall(0, 1, 4)\\ncost 36, groups of 4\\nlive 72\"];\n");
	assert_int_equal(count_of(text.data, " -> "), plan.program.steps);
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* ---- reports ---- */

static const struct {
	const char *words, *pieces;
} words_rows[] = {{"", ""}, {"plain", "(plain)"}, {"`a` b", "<a>( b)"}, {"b `a`", "(b )<a>"},
	{"x `a` y `b` z", "(x )<a>( y )<b>( z)"}, {"one ` alone", "(one )(` alone)"}, {"``", "<>"}, {"`", "(`)"},
	{"`a` `", "<a>( )(`)"}};

static void words_fall_into_pieces(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(words_rows); i++) {
		const char *words = words_rows[i].words;
		sw_text text = {0};
		sw_str piece;
		bool code;
		while (words_piece(&words, &piece, &code))
			sw_text_addf(&text, code ? "<%.*s>" : "(%.*s)", (int)piece.length, piece.at);
		assert_string_equal(sw_text_get(&text), words_rows[i].pieces);
		sw_text_free(&text);
	}
}

static void add_words(struct document *document, void (*add)(struct document *document, sw_text *text),
	const char *words)
{
	sw_text text = {0};
	sw_text_add(&text, words);
	add(document, &text);
}

static void markdown_means_what_it_says(void **state)
{
	const struct canvas_style style = {.ascii = true};
	struct document document;
	sw_text text = {0};
	(void)state;
	document_start(&document, 80);
	add_words(&document, document_words, "a_b *c* [d]\u00a0<e> `x_y` #");
	add_words(&document, document_item, "one");
	add_words(&document, document_item, "two");
	add_words(&document, document_code, "```\nfour ```` here");
	assert_true(document_write_markdown(&document, &style, &text, NULL));
	assert_string_equal(sw_text_get(&text),
		"a\\_b \\*c\\* \\[d\\] \\<e\\> `x_y` \\#\n\n1. one\n2. two\n\n"
		"`````\n```\nfour ```` here\n`````\n");
	sw_text_free(&text);
	document_clear(&document);
}

static void html_means_what_it_says(void **state)
{
	struct document document;
	sw_text text = {0};
	(void)state;
	document_start(&document, 80);
	add_words(&document, document_words, "a < b & `x<y`");
	add_words(&document, document_item, "one");
	add_words(&document, document_item, "two");
	add_words(&document, document_code, "{\"x\": 4} ~> <>");
	assert_true(document_write_html(&document, &text, NULL));
	assert_string_equal(sw_text_get(&text),
		"<p>a &lt; b &amp; <code>x&lt;y</code></p>\n<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n"
		"<pre>{&quot;x&quot;: 4} ~&gt; &lt;&gt;</pre>\n</body>\n</html>\n");
	sw_text_free(&text);
	document_clear(&document);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	static const struct kit_test tests[] = {
		ROWS(codes_are_escaped, codes, written),
		ROWS(bytes_become_ascii, bytes, written),
		TEST(words_are_escaped),
		TEST(a_picture_is_as_large_as_what_is_drawn),
		TEST(text_is_runs_in_their_columns),
		TEST(wide_glyphs_take_two_columns_and_marks_none),
		TEST(lines_that_touch_are_one),
		TEST(bars_are_boxes),
		TEST(a_file_has_the_roles_it_uses),
		TEST(pale_colours_are_not_for_text),
		TEST(colours_are_those_of_terminals),
		TEST(every_canvas_is_well_formed),
		TEST(strings_of_dot_are_quoted),
		TEST(a_walk_grows_into_its_graph),
		TEST(a_plan_is_a_chain),
		TEST(words_fall_into_pieces),
		TEST(markdown_means_what_it_says),
		TEST(html_means_what_it_says),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
