/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film of a program, be it of a product, of a formula or of a schedule: a strip for each array, one below the other, with what moves,
 * and below that what is computed.
 */
#include <assert.h>
#include <stdio.h>

#include <shardwalk/schedule_program.h>
#include <shardwalk/schedule_walk.h>

#include "views/draw.h"
#include "views/film_way.h"
#include "views/program.h"
#include "views/program_time.h"
#include "views/scheduled.h"
#include "views/strip.h"

#define STRIPS_MOST 6
#define PICTURE_ROWS 8 /* where no height is known */
#define ROWS_AROUND 11 /* of all else in a pane */
#define ROWS_TIGHT 28  /* of a pane where rows are few */
#define ROWS_AROUND_BOTH 10
#define ROWS_TIGHT_BOTH 44
#define PICTURES_MOST 64
#define EXACT_MOST 1e6 /* operations that are counted one by one */

struct program_film {
	const sw_moments *moments;
	const char *name;
	struct view_options opt, plain; /* with the element, for its array, and without */
	int about, count, left_out;     /* the step that is under way, else the one before the moment; 0: none */
	bool few;                       /* only arrays that the step changes are drawn */
	int rows;                       /* of a picture; 0: no height is known */
	bool tight; /* there are few rows: what has a row of its own elsewhere is behind something else */
	int array[STRIPS_MOST];
	struct strip strip[STRIPS_MOST];
	int64_t moved[PICTURES_MOST];           /* in the moments in sight; -1: not known */
	bool moves[STRIPS_MOST][PICTURES_MOST]; /* does, or may, an element of an array that is drawn? */
	double flops[PICTURES_MOST];
};

/* ---- which arrays ---- */

static bool is_pinned(const struct program_film *film, int array)
{
	return film->opt.element && array == film->opt.array;
}

/* The last place is kept for the array with the element. */
static void choose(struct program_film *film, int array)
{
	bool waits = film->opt.element && array < film->opt.array;
	if (film->count < STRIPS_MOST - waits)
		film->array[film->count++] = array;
	else
		film->left_out++;
}

/* All of a few; else those that the moment is about; of two programs in few rows those that it changes. */
static bool is_wanted(const struct program_film *film, int about, int array)
{
	const sw_moments *moments = film->moments;
	if (is_pinned(film, array) || moments->count == 0)
		return true;
	if (film->few)
		return sw_moments_changes(moments, about, array);
	return moments->arrays <= 3 || sw_moments_about(moments, about, array);
}

static void choose_arrays(struct program_film *film)
{
	int about = film->about > 0 ? film->about : 1;
	for (int array = 0; array < film->moments->arrays; array++) {
		if (is_wanted(film, about, array))
			choose(film, array);
		else
			film->left_out++;
	}
	if (film->count == 0 && film->moments->arrays > 0)
		choose(film, 0);
}

static const sw_type *type_of(const struct program_film *film, int array)
{
	return film->moments->program->value[film->moments->first[array]].type;
}

static void dims_of(const struct view_options *opt, const sw_type *type, int dims[2])
{
	bool asked = opt->dims[0] >= 0 && opt->dims[1] >= 0 && opt->dims[0] != opt->dims[1];
	dims[0] = type->rank < 2 ? VIEW_ALL : 0;
	dims[1] = type->rank < 1 ? VIEW_ALL : type->rank < 2 ? 0 : 1;
	if (asked && opt->dims[0] < type->rank && opt->dims[1] < type->rank) {
		dims[0] = opt->dims[0];
		dims[1] = opt->dims[1];
	}
}

static void shape(struct program_film *film)
{
	const sw_mesh *mesh = &film->moments->program->mesh;
	int room = film->rows ? film->rows : PICTURE_ROWS * (film->opt.letters ? 1 : 2) / 2 + 2;
	for (int i = 0; i < film->count; i++) {
		int array = film->array[i], dims[2];
		struct strip *strip = &film->strip[i];
		strip_start(strip, film->moments->owners[array], mesh, is_pinned(film, array) ? &film->opt : &film->plain);
		strip_window(strip, room);
		if (strip->count > PICTURES_MOST)
			strip->count = PICTURES_MOST;
		dims_of(&film->opt, type_of(film, array), dims);
		strip_shape(strip, type_of(film, array), dims);
	}
}

static void note_move(struct program_film *film, int array, int i)
{
	for (int a = 0; a < film->count; a++)
		if (film->array[a] == array)
			film->moves[a][i] = true;
}

#define GROUP_COUNTED 10 /* steps of a picture, of which is counted what moves */

static void measure_moment(struct program_film *film, int k, int i, sw_arena *scratch)
{
	film->flops[i] += sw_moments_flops(film->moments, k);
	for (int a = 0; a < film->moments->arrays; a++) {
		bool changes = sw_moments_changes(film->moments, k, a);
		int64_t moved = !changes                  ? 0 :
			film->strip[0].stride > GROUP_COUNTED ? -1 :
													sw_moments_moved(film->moments, k, a, scratch);
		film->moved[i] = moved < 0 || film->moved[i] < 0 ? -1 : film->moved[i] + moved;
		if (moved != 0)
			note_move(film, a, i);
	}
}

/* What moves of the arrays in sight, and what is computed. */
static bool measure(struct program_film *film)
{
	const struct strip *strip = &film->strip[0];
	sw_arena *scratch = sw_arena_new();
	for (int k = strip_next(strip, strip->first); scratch && k >= 0; k = strip_next(strip, k))
		for (int moment = strip_before(strip, k) + 1; moment <= k; moment++)
			measure_moment(film, moment, strip_place(strip, k), scratch);
	sw_arena_free(scratch);
	return scratch != NULL;
}

/* ---- pictures ---- */

static sw_str name_of(const struct program_film *film, int array)
{
	return sw_moments_name(film->moments, array);
}

static void add_name(const struct program_film *film, int array, sw_text *text)
{
	sw_str name = name_of(film, array);
	if (name.length)
		sw_text_add_str(text, name);
	else
		sw_text_addf(text, "value %d", film->moments->first[array]);
}

/* The array that a step makes a value of. */
static int made_by(const struct program_film *film, const sw_moment *moment)
{
	return film->moments->array[sw_program_value_of(film->moments->program, moment->step)];
}

static void moment_text(const struct program_film *film, int k, bool terse, sw_text *text)
{
	const sw_moment *moment = &film->moments->moment[k - 1];
	const sw_step *step = &film->moments->program->step[moment->step];
	assert(k >= 1 && k <= film->moments->count);
	sw_text_addf(text, "%d ", k);
	if (moment->iteration > 0) {
		size_t before = text->length;
		if (moment->iteration <= step->iteration->lowering->steps)
			sw_lowering_print_at(step->iteration->lowering, moment->iteration - 1, text);
		if (text->length == before)
			sw_text_add(text, moment->iteration > step->iteration->lowering->steps ? "sums" : "step");
		return;
	}
	add_name(film, made_by(film, moment), text);
	sw_text_add_char(text, ' ');
	if (moment->plan && !terse)
		sw_plan_print_step(moment->plan, moment->inside, text);
	else
		sw_text_add(text, sw_op_name(moment->plan ? moment->plan->program.step[moment->inside].op : step->op));
}

/* What is above picture `k`.  false: there is no room for all of it. */
static bool name_text(const struct program_film *film, int k, sw_text *text)
{
	const struct strip *strip = &film->strip[0];
	int before = k > strip->first ? STRIP_GAP : 0, room = strip->width + before;
	if (before && strip->stride > 1)
		sw_text_addf(text, "steps %d to %d", strip_before(strip, k) + 1, k);
	else if (k)
		moment_text(film, k, false, text);
	else
		sw_text_add(text, "from");
	if (!k || canvas_text_width(sw_text_get(text)) <= room)
		return true;
	sw_text_clear(text);
	moment_text(film, k, true, text);
	sw_text_add(text, " …");
	return false;
}

/* The steps in sight whose names are shortened, in full. */
static int names_note(const struct program_film *film, struct canvas *out, int y)
{
	const struct strip *strip = &film->strip[0];
	sw_text names = {0};
	for (int k = strip_next(strip, strip->first); k >= 0; k = strip_next(strip, k)) {
		sw_text text = {0};
		if (!name_text(film, k, &text)) {
			sw_text_add(&names, names.length ? "; " : "");
			moment_text(film, k, false, &names);
		}
		sw_text_free(&text);
	}
	if (names.length)
		y = draw_note(out, 0, y, ROLE_OP, "%s", sw_text_get(&names));
	sw_text_free(&names);
	return y;
}

static void names_draw(const struct program_film *film, struct canvas *out, int y)
{
	const struct strip *strip = &film->strip[0];
	for (int k = strip->first; k >= 0; k = strip_next(strip, k)) {
		int before = k > strip->first ? STRIP_GAP : 0, room = strip->width + before;
		sw_text text = {0};
		name_text(film, k, &text);
		canvas_put_center(out, strip_column(strip, k) - before, y, room, k == strip->now ? ROLE_CURRENT : ROLE_OP,
			sw_text_get(&text));
		sw_text_free(&text);
	}
}

/* Says of which array the cell is, and the neighbours of the one with the element. */
static void spot_array(const struct program_film *film, int i)
{
	struct film_spot *spot = film->opt.spot;
	int before = i > 0 ? i - 1 : film->count - 1, after = i + 1 < film->count ? i + 1 : 0;
	spot->array = spot->found ? spot->array : film->array[i];
	if (!is_pinned(film, film->array[i]))
		return;
	spot->above = film->array[before];
	spot->below = film->array[after];
	strip_spot(&film->strip[i], spot);
}

/* Where lines between tiles are missing a gather changes nothing but the number of copies. */
static void copies_draw(const struct strip *strip, int k, struct canvas *out, int y)
{
	int64_t copies = k >= strip->born ? strip_copies(strip, k) : 0;
	char text[32];
	if (copies < 2)
		return;
	snprintf(text, sizeof text, "×%lld", (long long)copies);
	canvas_put_right(out, strip_x(strip, k) + 1, y + strip_extent(strip, k, 0) - 1, strip_extent(strip, k, 1) - 2,
		ROLE_NUMBER, text);
}

static bool any_copies(const struct program_film *film)
{
	for (int i = 0; i < film->count; i++)
		for (int k = film->strip[i].first; k >= 0; k = strip_next(&film->strip[i], k))
			if (k >= film->strip[i].born && strip_copies(&film->strip[i], k) > 1)
				return true;
	return false;
}

/* How many devices work together, where a plan moves it. */
static void arrow_draw(const struct program_film *film, int i, int k, struct canvas *out, int y)
{
	const struct strip *strip = &film->strip[i];
	const sw_moment *moment = &film->moments->moment[k - 1];
	bool own = strip->stride == 1 && moment->plan && made_by(film, moment) == film->array[i];
	int64_t members = own ? sw_step_members(moment->plan, moment->inside) : 0;
	strip_arrow(strip, k, members > 1 ? words_count(members).text : "", out, y);
}

static int strip_row(const struct program_film *film, int i, struct canvas *out, int y)
{
	const struct strip *strip = &film->strip[i];
	int height = strip_tallest(strip);
	sw_text name = {0};
	add_name(film, film->array[i], &name);
	canvas_put_cut(out, 0, y + height / 2, STRIP_MARGIN - 1, ROLE_LABEL, sw_text_get(&name));
	if (film->opt.spot)
		spot_array(film, i);
	for (int k = strip->first; k >= 0; k = strip_next(strip, k)) {
		strip_picture(strip, k, out, strip_x(strip, k), y);
		copies_draw(strip, k, out, y);
		if (k > strip->first && k > strip->born && film->moves[i][strip_place(strip, k)])
			arrow_draw(film, i, k, out, y + height / 2);
	}
	for (int k = strip_next(strip, strip->first); k >= 0; k = strip_next(strip, k))
		strip_travel(strip, k, film->moves[i][strip_place(strip, k)], out, y);
	sw_text_free(&name);
	return y + height;
}

/* ---- what moves, and what is computed under that ---- */

/* A bar with its number behind it. */
struct bar {
	double value, most;
	enum role role;
	struct words number;
	const char *unit; /* "": none */
};

static void bar_draw(const struct program_film *film, int i, const struct bar *bar, struct canvas *out, int y)
{
	const struct strip *strip = &film->strip[0];
	int x = STRIP_MARGIN + i * (strip->width + STRIP_GAP), room = strip->width / 2, behind = 0;
	if (bar->value > 0 && bar->most > 0) {
		canvas_bar(out, x, y, room, bar->role, bar->value, bar->most);
		behind = (int)(bar->value / bar->most * room) + 2;
	}
	int left = strip->width - behind + STRIP_GAP - 1, end = out->width - x - behind;
	left = left < end ? left : end;
	int unit = canvas_text_width(bar->number.text) + 1 + canvas_text_width(bar->unit);
	canvas_put_cut(out, x + behind, y, left, ROLE_NUMBER, bar->number.text);
	if (*bar->unit && unit <= left)
		canvas_putf(out, x + behind, y, ROLE_NUMBER, "%s %s", bar->number.text, bar->unit);
}

static struct bar bar_sent(const struct program_film *film, int i, double most)
{
	static const struct words unknown = {"not known"}, nothing = {"·"};
	int64_t moved = film->moved[i];
	return (struct bar){.value = (double)moved,
		.most = most,
		.role = ROLE_MOVED,
		.unit = moved > 0 ? "elements" : "",
		.number = moved < 0 ? unknown :
			moved           ? words_count(moved) :
							  nothing};
}

static struct bar bar_work(const struct program_film *film, int i, double most)
{
	static const struct words nothing = {"·"};
	double flops = film->flops[i];
	return (struct bar){.value = flops,
		.most = most,
		.role = ROLE_BAR,
		.unit = flops > 0 ? "flops" : "",
		.number = flops <= 0   ? nothing :
			flops < EXACT_MOST ? words_count((int64_t)flops) :
								 words_amount(flops)};
}

static int bars_draw(const struct program_film *film, struct canvas *out, int y)
{
	double moved = 0, flops = 0;
	int count = film->strip[0].count;
	for (int i = 1; i < count; i++) {
		moved = (double)film->moved[i] > moved ? (double)film->moved[i] : moved;
		flops = film->flops[i] > flops ? film->flops[i] : flops;
	}
	canvas_put(out, 0, y, ROLE_LABEL, "sent");
	canvas_put(out, 0, y + 1, ROLE_LABEL, "work");
	for (int i = 1; i < count; i++) {
		const struct bar sent = bar_sent(film, i, moved), work = bar_work(film, i, flops);
		bar_draw(film, i, &sent, out, y);
		bar_draw(film, i, &work, out, y + 1);
	}
	return y + 2;
}

/* Moments side by side, equally long: how long some take is not known. */
static int axis_draw(const struct program_film *film, struct canvas *out, int y)
{
	const struct strip *strip = &film->strip[0];
	int count = film->moments->count, room = film->opt.width - STRIP_MARGIN - 1;
	if (!count)
		return y;
	canvas_put(out, 0, y + 1, ROLE_LABEL, "step");
	canvas_hline(out, STRIP_MARGIN, y + 1, room, ROLE_BORDER, 0);
	for (int k = 0; k <= count && count < room / 2; k++)
		canvas_lines(out, STRIP_MARGIN + (int)((int64_t)k * (room - 1) / count), y + 1, ROLE_BORDER,
			LINE_UP | LINE_DOWN);
	double at = (strip->now + (strip->now < count ? film->opt.passed : 0)) / count;
	int x = STRIP_MARGIN + (int)(at * (room - 1) + 0.5);
	canvas_put_glyph(out, x, y, ROLE_MOVED, GLYPH_RECEIVES);
	if (strip->about > 0) {
		int from = STRIP_MARGIN + (int)((int64_t)(strip->about - 1) * (room - 1) / count),
			to = STRIP_MARGIN + (int)((int64_t)strip->about * (room - 1) / count);
		canvas_hline(out, from, y + 1, to - from + 1, ROLE_MOVED, 0);
	}
	return y + 2;
}

/* ---- words ---- */

/* What is fetched in a step of a schedule, array by array, behind `before`. */
static void add_patterns(const sw_lowering *lowering, int64_t step, const char *before, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	sw_schedule_messages messages;
	sw_schedule_pattern pattern;
	bool known = arena && sw_lowering_messages(lowering, step, arena, &messages), any = false;
	for (int f = 0; known && f < lowering->fetches; f++) {
		if (!sw_lowering_pattern(lowering, f, &messages, arena, &pattern) || !pattern.messages)
			continue;
		sw_text_add(text, any ? "; " : before);
		any = true;
		schedule_print_fetch(lowering, &lowering->fetch[f], text);
		sw_text_add_char(text, ' ');
		schedule_print_pattern(&pattern, &messages, f, text);
	}
	sw_arena_free(arena);
}

/* Where all steps of the film are those of the schedule they are numbered once. */
static void add_schedule_sentence(const sw_iteration *iteration, int64_t step, bool numbered, sw_text *text)
{
	const sw_lowering *lowering = iteration->lowering;
	size_t length = text->length;
	if (step > lowering->steps) {
		sw_text_add(text, "sums go to the devices that keep them");
		return;
	}
	if (!numbered)
		sw_text_addf(text, "step %lld of %lld of the schedule", (long long)step, (long long)lowering->steps);
	add_patterns(lowering, step - 1, numbered ? "" : ": ", text);
	if (text->length == length)
		sw_text_add(text, "nothing is fetched");
}

static void add_sentence(const struct program_film *film, int k, sw_text *text)
{
	const sw_moment *moment = &film->moments->moment[k - 1];
	int value = sw_program_value_of(film->moments->program, moment->step);
	if (moment->iteration > 0)
		add_schedule_sentence(film->moments->program->step[moment->step].iteration, moment->iteration,
			moment->iteration == k, text);
	else if (moment->plan) {
		add_name(film, made_by(film, moment), text);
		sw_text_add(text, " is redistributed: ");
		step_sentence(moment->plan, moment->inside, text);
	} else if (sw_program_origin(film->moments->program, value) != value) {
		add_name(film, made_by(film, moment), text);
		sw_text_add(text, " is redistributed, by no plan so far");
	} else {
		add_name(film, made_by(film, moment), text);
		sw_text_add(text, " = ");
		program_value_text(film->moments->program, value, text);
		sw_text_add(text, ", from what devices have");
	}
}

static int strip_pinned(const struct program_film *film)
{
	for (int i = 0; i < film->count; i++)
		if (is_pinned(film, film->array[i]))
			return i;
	return 0;
}

static struct film_way way_of(const struct program_film *film)
{
	int i = strip_pinned(film);
	const struct strip *strip = &film->strip[i];
	return (struct film_way){.of = strip->of,
		.mesh = &film->moments->program->mesh,
		.rank = strip->rank,
		.name = name_of(film, film->array[i]),
		.now = strip->now,
		.about = film->about,
		.element = film->opt.element,
		.tile = film->opt.tile,
		.device = strip->lit,
		.moments = film->moments,
		.array = film->array[i]};
}

/* What the device that is looked at has of each array, and what it gets and sends. */
static int device_draw(const struct program_film *film, struct canvas *out, int y)
{
	sw_text text = {0};
	for (int i = 0; i < film->count; i++) {
		const struct strip *strip = &film->strip[i];
		if (strip->lit < 0 || strip->now < strip->born)
			continue;
		sw_text_add(&text, text.length ? ", " : "");
		add_name(film, film->array[i], &text);
		sw_text_add_char(&text, ' ');
		sw_owners_print(strip->of, strip->now, strip->lit, &text);
	}
	const struct film_way way = way_of(film);
	if (text.length)
		film_way_add_exchange(&way, &text);
	if (text.length)
		y = draw_note(out, 0, y, ROLE_TEXT, "Device %s has %s.",
			words_device_first(&film->moments->program->mesh, film->strip[0].lit).text, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int sentence_draw(const struct program_film *film, struct canvas *out, int y)
{
	sw_text text = {0};
	if (film->about)
		add_sentence(film, film->about, &text);
	else
		sw_text_add(&text, "before anything moves");
	const struct film_way way = way_of(film);
	y = film->opt.element ? film_way_draw(&way, out, y) : device_draw(film, out, y);
	y = draw_note(out, 0, y, ROLE_TEXT, "%d of %d: %s.", film->about, film->moments->count, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int title_draw(const struct program_film *film, struct canvas *out, int y)
{
	const sw_moments *moments = film->moments;
	const struct strip *strip = &film->strip[0];
	sw_text rest = {0};
	sw_text_addf(&rest, "%d step%s of %s", moments->count, moments->count == 1 ? "" : "s",
		words_plural(moments->arrays, "array", "arrays").text);
	if (sw_program_repeats(moments->program))
		sw_text_addf(&rest, ", one round of %s", words_count(moments->program->rounds).text);
	const struct film_way way = way_of(film);
	if (film->opt.element)
		film_way_add_places(&way, &rest);
	y = strip_title(strip, film->name, &rest, out, y);
	sw_text_free(&rest);
	return y;
}

static int notes_draw(const struct program_film *film, struct canvas *out, int y)
{
	const struct owners *signs = &film->strip[0].signs;
	y = film->strip[0].per == 2 ? owners_note_colour(signs, &film->opt, out, y) :
								  owners_note(signs, &film->opt, out, y);
	if (film->about && film->moments->moment[film->about - 1].iteration > 0 && film->strip[0].beside &&
		film->strip[0].lit < 0)
		y = draw_note(out, 0, y, ROLE_NOTE, "a block in a buffer has the %s of the first device that holds it there",
			film->strip[0].per == 2 ? "colour" : owners_sign_words(signs, &film->opt).text);
	for (int i = 0; i < film->count; i++) {
		sw_text name = {0};
		add_name(film, film->array[i], &name);
		sw_text_add(&name, ": ");
		y = strip_notes(&film->strip[i], sw_text_get(&name), out, y);
		sw_text_free(&name);
	}
	y = draw_note(out, 0, y, ROLE_NOTE, "sent: elements from device to device; work: flops of the busiest device%s%s",
		film->strip[0].lit >= 0 ? "; highlighted: what that device has" : "",
		!film->opt.element    ? "" :
			film->opt.tile.of ? "; highlighted: the tile, ★ its element" :
								"; ★ the element");
	if (any_copies(film))
		y = draw_note(out, 0, y, ROLE_NOTE,
			"×2: 2 devices have each element, or each of its terms; arrows: group size");
	if (film->left_out)
		y = draw_note(out, 0, y, ROLE_NOTE,
			film->few ? "%s not drawn, which the step does not change" :
						"%s that take no part in this step are left out",
			words_plural(film->left_out, film->few ? "array is" : "array", film->few ? "arrays are" : "arrays").text);
	return y;
}

/* ---- one, or two on one axis of time ---- */

#define FILMS_MOST 2

struct program_films {
	int count;
	struct program_film film[FILMS_MOST];
	struct program_clock clock;
};

/* What is followed need not be in the second program. */
static bool has_element(const sw_moments *moments, const struct view_options *opt)
{
	bool inside = opt->element && opt->array < moments->arrays;
	const sw_type *type = inside ? moments->program->value[moments->first[opt->array]].type : NULL;
	for (int i = 0; inside && i < type->rank; i++)
		inside = opt->element[i] < type->global[i];
	return inside;
}

static void film_start(struct program_film *film, const sw_moments *moments, const struct view_options *opt,
	bool both)
{
	*film = (struct program_film){.moments = moments, .name = "film", .opt = *opt, .plain = *opt};
	film->few = both && opt->room > 0 && opt->room < ROWS_TIGHT;
	if (!has_element(moments, opt))
		film->opt.element = NULL;
	if (!film->opt.element)
		film->opt.tile.of = NULL;
	film->plain.element = NULL;
	film->about = opt->step < 0 ? 0 : opt->step < moments->count ? opt->step : moments->count;
	film->about += film->about < moments->count && opt->passed > 0 ? 1 : 0;
	choose_arrays(film);
}

/* The second is at the same time as the first; where nothing takes time at the same step. */
static void second_start(struct program_films *films, const struct view_input *in, const struct view_options *opt)
{
	struct view_options own = *opt;
	bool timed = program_seconds(in->moments, -1, &films->clock) > 0;
	if (timed)
		program_at_seconds(in->beside_moments, program_passed(in->moments, opt, &films->clock), &films->clock, &own);
	else
		own.step = opt->step < in->beside_moments->count ? opt->step : in->beside_moments->count;
	own.spot = NULL;
	film_start(&films->film[1], in->beside_moments, &own, true);
	films->film[1].name = in->beside_name;
	films->count = 2;
}

static bool films_shape(struct program_films *films, sw_diag *diag)
{
	const struct view_options *opt = &films->film[0].opt;
	int room = opt->room ? opt->room : opt->height,
		strips = films->film[0].count + (films->count > 1 ? films->film[1].count : 0);
	bool both = films->count > 1;
	for (int i = 0; i < films->count; i++) {
		struct program_film *film = &films->film[i];
		film->tight = room > 0 && room < (both ? ROWS_TIGHT_BOTH : ROWS_TIGHT);
		film->rows = room ? (room - (both ? ROWS_AROUND_BOTH : ROWS_AROUND)) / (strips ? strips : 1) : 0;
		film->rows = room && film->rows < STRIP_LEAST ? STRIP_LEAST : film->rows;
		shape(film);
		if (!measure(film))
			return sw_diag_memory(diag);
	}
	return true;
}

/* With two of them in few rows the bars are left out. */
static int film_draw(const struct program_films *films, const struct program_film *film, struct canvas *out, int y)
{
	y = title_draw(film, out, y) + (films->count == 1 && strip_spares(&film->opt));
	names_draw(film, out, y++);
	for (int i = 0; i < film->count; i++)
		y = strip_row(film, i, out, y);
	return films->count > 1 && film->tight ? y : bars_draw(film, out, y);
}

static int both_axis_draw(const struct program_films *films, struct canvas *out, int y)
{
	const struct program_film *one = &films->film[0], *other = &films->film[1];
	const struct program_axis axis = {.moments = {one->moments, other->moments},
		.name = {"present", other->name},
		.about = {one->about, other->about},
		.now = program_passed(one->moments, &one->opt, &films->clock),
		.clock = &films->clock,
		.width = one->opt.width};
	int next = program_axis_draw(&axis, out, y);
	return next > y ? next : draw_note(out, 0, y, ROLE_NOTE, "nothing of either has a time that is known");
}

static int times_note(const struct program_films *films, struct canvas *out, int y)
{
	if (films->count == 1)
		return y;
	return draw_note(out, 0, y, ROLE_NOTE, "time: of what moves, by the model of its plans; %s",
		program_lacks_rate(films->film[0].moments, &films->clock) ?
			"computing has none before `set hardware`, and is no part of it" :
			"computing by the rate of the hardware");
}

bool film_of_program(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct program_films films = {.count = 1, .clock = {in->timed, in->hardware}};
	assert(opt->array >= 0);
	if (!strip_begin(opt, out))
		return true;
	film_start(&films.film[0], in->moments, opt, in->beside_moments != NULL);
	if (!films.film[0].count)
		return draw_missing(diag, "array", "the program has no arrays to draw");
	if (in->beside_moments)
		second_start(&films, in, opt);
	if (!films_shape(&films, diag))
		return false;
	int y = 0;
	for (int i = 0; i < films.count; i++)
		y = film_draw(&films, &films.film[i], out, y);
	y = films.count > 1 ? both_axis_draw(&films, out, y) : axis_draw(&films.film[0], out, y);
	y = names_note(&films.film[0], out, sentence_draw(&films.film[0], out, y));
	notes_draw(&films.film[0], out, times_note(&films, out, y));
	return true;
}
