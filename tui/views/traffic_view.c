/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who sends how much to whom: senders down, receivers across, shaded by amount; with figures where they fit.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/draw.h"
#include "views/followed.h"
#include "views/general.h"
#include "views/holding.h"
#include "views/scheduled.h"
#include "views/traffic.h"

#define BLOCKS_MOST 64
#define ROWS_MOST 32 /* where no height is asked for */

struct matrix {
	const struct view_input *in; /* of the plan, or of the program; NULL: of a schedule alone */
	const sw_plan *plan;
	const sw_mesh *mesh;
	const struct traffic *traffic;
	double scale; /* bytes or 1 */
	double most;  /* largest amount in a cell */
	int label, cell;
	bool figures;
	const int64_t *element;                         /* that is followed; NULL: none */
	bool sends[BLOCKS_MOST], receives[BLOCKS_MOST]; /* holds it before, after */
	bool carries[BLOCKS_MOST][BLOCKS_MOST];         /* from and to: the element, or what the device sends and gets */
	bool any_carried;
};

static const uint32_t shades[9] = {GLYPH_DOT, GLYPH_SHADE1, GLYPH_SHADE1, GLYPH_SHADE2, GLYPH_SHADE2, GLYPH_SHADE3,
	GLYPH_SHADE3, GLYPH_FULL, GLYPH_FULL};

static int heat_of(const struct matrix *matrix, double amount)
{
	if (!(amount > 0))
		return 0;
	int level = (int)(amount / matrix->most * 8 + 0.999);
	return level < 1 ? 1 : level > 8 ? 8 : level;
}

static double amount_at(const struct matrix *matrix, int row, int column)
{
	return matrix->traffic->sent[row * matrix->traffic->blocks + column] * matrix->scale;
}

static void block_text(const struct matrix *matrix, int block, bool whole, char text[64])
{
	int64_t from = block * matrix->traffic->block, to = from + matrix->traffic->block - 1;
	to = to < matrix->traffic->devices ? to : matrix->traffic->devices - 1;
	if (from == to || !whole)
		snprintf(text, 64, "%.31s", words_device(matrix->mesh, from).text);
	else
		snprintf(text, 64, "%.31s-%.31s", words_device(matrix->mesh, from).text, words_device(matrix->mesh, to).text);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static void matrix_layout(struct matrix *matrix, int width)
{
	const struct traffic *traffic = matrix->traffic;
	char text[64];
	int figure = 1, head = 1;
	for (int row = 0; row < traffic->blocks; row++) {
		block_text(matrix, row, true, text);
		matrix->label = larger(matrix->label, (int)strlen(text));
		block_text(matrix, row, false, text);
		head = larger(head, (int)strlen(text));
		for (int column = 0; column < traffic->blocks; column++) {
			double amount = amount_at(matrix, row, column);
			matrix->most = amount > matrix->most ? amount : matrix->most;
			figure = larger(figure, (int)strlen(words_amount(amount).text));
		}
	}
	matrix->most = matrix->most > 0 ? matrix->most : 1;
	int room = (width - matrix->label - 4) / traffic->blocks;
	matrix->figures = room >= larger(figure + 2, head + 1);
	matrix->cell = matrix->figures ? larger(figure + 2, head + 1) : room > head ? head + 1 : room >= 2 ? 2 : 1;
	matrix->cell = matrix->figures || matrix->cell < 4 ? matrix->cell : 4;
}

static void cell_draw(const struct matrix *matrix, struct canvas *out, int x, int y, int row, int column)
{
	double amount = amount_at(matrix, row, column);
	int level = heat_of(matrix, amount);
	bool carries = matrix->carries[row][column];
	enum role role = carries ? ROLE_CURRENT : role_of_heat(level);
	if (matrix->figures) {
		canvas_put_glyph(out, x, y, role, carries ? GLYPH_STAR : shades[level]);
		if (amount > 0)
			canvas_put_right(out, x + 1, y, matrix->cell - 2, role, words_amount(amount).text);
		return;
	}
	for (int i = 0; i < (matrix->cell > 1 ? matrix->cell - 1 : 1); i++)
		canvas_put_glyph(out, x + i, y, role, carries && i == 0 ? GLYPH_STAR : shades[level]);
}

/* Numbers of receivers over the columns, as many as do not touch. */
static void receivers_draw(const struct matrix *matrix, struct canvas *out, int x, int y)
{
	int free = x;
	for (int column = 0; column < matrix->traffic->blocks; column++) {
		char text[64];
		int at = x + column * matrix->cell;
		block_text(matrix, column, false, text);
		if (at < free || at + (int)strlen(text) > out->width)
			continue;
		free = canvas_put(out, at, y, ROLE_LABEL, text) + 1;
	}
}

/* Who has some of the tile, or the element of a program, then. */
static void holders_after(struct matrix *matrix, const struct view_options *opt, int k, bool on[BLOCKS_MOST])
{
	struct followed followed;
	followed_new(&followed, matrix->in, k, opt);
	for (int64_t device = 0; followed.arena && followed.has && device < matrix->mesh->devices; device++)
		on[device / matrix->traffic->block] |= followed.has[device];
	followed_free(&followed);
}

static void followed_holders_find(struct matrix *matrix, const struct view_options *opt)
{
	int steps = followed_steps(matrix->in);
	bool one = opt->step > 0 && opt->step <= steps;
	holders_after(matrix, opt, one ? opt->step - 1 : 0, matrix->sends);
	holders_after(matrix, opt, one ? opt->step : steps, matrix->receives);
	matrix->element = opt->element;
}

/* The same of a plan between types that are no tile types. */
static void general_holders_find(struct matrix *matrix, const struct view_input *in, const struct view_options *opt)
{
	const sw_plan *plan = matrix->plan;
	struct view_options both = {.step = VIEW_ALL};
	struct general general;
	sw_arena *arena = sw_arena_new();
	if (arena && general_choose(in, &both, arena, &general, NULL)) {
		matrix->element = opt->element;
		for (int64_t device = 0; device < plan->problem.mesh.devices; device++) {
			matrix->sends[device / matrix->traffic->block] |= sw_holding_has(&general.held[0], device, opt->element);
			matrix->receives[device / matrix->traffic->block] |= sw_holding_has(&general.held[1], device,
				opt->element);
		}
	}
	sw_arena_free(arena);
}

/* Who has the followed element before and after the step, or before the first and after the last one. */
static void holders_find(struct matrix *matrix, const struct view_input *in, const struct view_options *opt)
{
	const sw_plan *plan = matrix->plan;
	if (opt->element && opt->tile.of) {
		followed_holders_find(matrix, opt);
		return;
	}
	if (opt->element && is_general(in)) {
		general_holders_find(matrix, in, opt);
		return;
	}
	bool one = opt->step > 0 && opt->step <= plan->program.steps;
	struct holding before = holding_of_step(plan, one ? opt->step - 1 : 0);
	struct holding after = holding_of_step(plan, one ? opt->step : plan->program.steps);
	if (!opt->element || !holding_known(&before) || !holding_known(&after))
		return;
	matrix->element = opt->element;
	for (int64_t slot = 0; slot < plan->problem.mesh.devices; slot++) {
		if (holding_has(&before, slot, opt->element))
			matrix->sends[sw_device_at(before.ids, slot) / matrix->traffic->block] = true;
		if (holding_has(&after, slot, opt->element))
			matrix->receives[sw_device_at(after.ids, slot) / matrix->traffic->block] = true;
	}
}

static void carries_take(void *user, int64_t from, int64_t to)
{
	struct matrix *matrix = user;
	matrix->carries[from / matrix->traffic->block][to / matrix->traffic->block] = true;
	matrix->any_carried = true;
}

/* Of the step, or of all. */
static void carries_find(struct matrix *matrix, const struct view_options *opt)
{
	int steps = followed_steps(matrix->in);
	bool one = opt->step > 0 && opt->step <= steps;
	for (int k = one ? opt->step - 1 : 0; k < (one ? opt->step : steps); k++)
		followed_each(matrix->in, k, opt, carries_take, matrix);
}

static int carries_note(const struct matrix *matrix, const struct view_options *opt, struct canvas *out, int y)
{
	sw_text text = {0};
	if (!matrix->any_carried)
		return y;
	followed_print(matrix->in, opt, &text);
	y = draw_note(out, 0, y, ROLE_NOTE,
		opt->tile.of     ? "★ carries some of %s" :
			opt->element ? "★ carries %s" :
						   "★ what %s sends and gets",
		sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* Signs at the edges: at the left who has it before, above who has it after. */
static void holders_draw(const struct matrix *matrix, struct canvas *out, int x, int y)
{
	for (int i = 0; i < matrix->traffic->blocks; i++) {
		if (matrix->sends[i])
			canvas_put_glyph(out, x - 1, y + 1 + i, ROLE_CURRENT, GLYPH_CURRENT);
		if (matrix->receives[i])
			canvas_put_glyph(out, x + i * matrix->cell, y, ROLE_CURRENT, GLYPH_RECEIVES);
	}
}

static int holders_note(const struct matrix *matrix, const struct view_options *opt, struct canvas *out, int y)
{
	sw_text text = {0};
	if (!matrix->element)
		return y;
	followed_print(matrix->in, opt, &text);
	y = draw_note(out, 0, y, ROLE_NOTE, "▶ has %s%s before, ▼ after", opt->tile.of ? "some of " : "",
		sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int matrix_draw(const struct matrix *matrix, struct canvas *out, int y, int64_t mark)
{
	int blocks = matrix->traffic->blocks, x = matrix->label + 2;
	receivers_draw(matrix, out, x + 1, y);
	canvas_box(out, x - 1, y + 1, blocks * matrix->cell + 3 - (matrix->cell > 1), blocks + 2, ROLE_BORDER, 0);
	for (int row = 0; row < blocks; row++) {
		char text[64];
		bool marked = mark >= 0 && mark / matrix->traffic->block == row;
		block_text(matrix, row, true, text);
		canvas_put_right(out, 0, y + 2 + row, matrix->label, marked ? ROLE_CURRENT : ROLE_LABEL, text);
		for (int column = 0; column < blocks; column++)
			cell_draw(matrix, out, x + column * matrix->cell, y + 2 + row, row, column);
	}
	holders_draw(matrix, out, x, y + 1);
	return y + blocks + 3;
}

/* Which shades stand in the picture. */
static void levels_used(const struct matrix *matrix, bool used[9])
{
	for (int row = 0; row < matrix->traffic->blocks; row++)
		for (int column = 0; column < matrix->traffic->blocks; column++)
			used[heat_of(matrix, amount_at(matrix, row, column))] = true;
}

static int legend_draw(const struct matrix *matrix, struct canvas *out, int y, const char *unit)
{
	bool used[9] = {false};
	int x = canvas_put(out, 0, y, ROLE_NOTE, "sent:");
	levels_used(matrix, used);
	for (int level = 0; level < 9; level++) {
		char text[128] = "none";
		if (!used[level])
			continue;
		if (level)
			snprintf(text, sizeof(text), "to %s", words_amount(matrix->most * level / 8).text);
		if (x + 4 + (int)strlen(text) > out->width) {
			x = 2;
			y++;
		}
		canvas_put_glyph(out, x + 1, y, role_of_heat(level), shades[level]);
		x = canvas_put(out, x + 3, y, ROLE_NOTE, text) + 1;
	}
	y = draw_note(out, 0, y + 1, ROLE_NOTE, "%s, senders down, receivers across", unit);
	if (matrix->traffic->block > 1)
		y = draw_note(out, 0, y, ROLE_NOTE, "a cell is what %s send to %s in total",
			words_plural(matrix->traffic->block, "device", "devices").text, words_count(matrix->traffic->block).text);
	return y;
}

/* ---- the steps in figures ---- */

static struct words words_exact(double n)
{
	return n < 1e15 ? words_count((int64_t)n) : words_amount(n);
}

static int step_draw(const struct view_input *in, struct canvas *out, int y, int k, const struct view_options *opt)
{
	const sw_plan *plan = in->plan;
	bool marked = opt->step > 0 && opt->step <= plan->program.steps && opt->step == k + 1;
	double scale = opt->bytes ? sw_dtype_bytes(plan->problem.from.dtype) : 1;
	double each = traffic_per_device(plan, k);
	sw_text text = {0};
	sw_text_addf(&text, "%s%d ", marked ? ">" : " ", k + 1);
	sw_plan_print_step(plan, k, &text);
	if (each == 0)
		sw_text_add(&text, ": nothing is sent");
	else if (each > 0)
		sw_text_addf(&text, ": a device sends %s%s %s",
			sw_collective_of(plan->program.step[k].op)->among == SW_AMONG_PAIRS ? "at most " : "",
			words_exact(each * scale).text, opt->bytes ? "bytes" : "elements");
	sw_text_add(&text, followed_moves(in, k, opt) ? "  ★" : "");
	y = draw_note(out, 0, y, marked ? ROLE_CURRENT : ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

#define STEPS_MOST 8 /* rows; of more steps those in the middle are folded */

static int folded_draw(const sw_plan *plan, struct canvas *out, int y, struct stretch steps, double scale)
{
	double most = -1;
	sw_text text = {0};
	for (int64_t k = steps.from; k <= steps.to; k++) {
		double each = traffic_per_device(plan, (int)k);
		most = each > most ? each : most;
	}
	sw_text_addf(&text, " %lld to %lld: %s", (long long)steps.from + 1, (long long)steps.to + 1,
		words_plural(steps.to - steps.from + 1, "step", "steps").text);
	if (most >= 0)
		sw_text_addf(&text, ", a device sends at most %s in each", words_exact(most * scale).text);
	y = draw_note(out, 0, y, ROLE_NOTE, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* The steps with what they send; number `marked` (from 1 on, 0: none) is the one that is shown. */
static int steps_draw(const struct view_input *in, struct canvas *out, int y, int marked,
	const struct view_options *opt)
{
	const sw_plan *plan = in->plan;
	struct stretch stretches[STRETCHES_MAX];
	int count = fold_stretches(plan->program.steps, STEPS_MOST, marked - 1, stretches);
	double scale = opt->bytes ? sw_dtype_bytes(plan->problem.from.dtype) : 1;
	for (int i = 0; i < count; i++) {
		int k = (int)stretches[i].from;
		y = stretch_folded(stretches[i]) ? folded_draw(plan, out, y, stretches[i], scale) :
										   step_draw(in, out, y, k, opt);
	}
	return y;
}

static int totals_draw(const struct matrix *matrix, struct canvas *out, int y, const char *unit)
{
	const struct traffic *traffic = matrix->traffic;
	double most = 0;
	if (!(traffic->total > 0))
		return draw_note(out, 0, y, ROLE_TEXT, "nothing goes from device to device");
	for (int i = 0; i < traffic->blocks; i++)
		most = traffic->out[i] > most ? traffic->out[i] : most;
	y = draw_note(out, 0, y, ROLE_TEXT, "total %s %s between devices; at most %s by one %s",
		words_exact(traffic->total * matrix->scale).text, unit, words_exact(most * matrix->scale).text,
		traffic->block > 1 ? "block" : "device");
	if (traffic->block > 1)
		y = draw_note(out, 0, y, ROLE_TEXT, "%s of these stay inside their block",
			words_exact(traffic->inside * matrix->scale).text);
	return y;
}

static int traffic_rows(const struct view_options *opt)
{
	int rows = opt->height > 20 ? opt->height - 14 : opt->height ? 6 : ROWS_MOST;
	int columns = (opt->width - 16) / 2;
	rows = rows < columns ? rows : columns;
	return rows > BLOCKS_MOST ? BLOCKS_MOST : rows < 2 ? 2 : rows;
}

static bool traffic_read(struct traffic *traffic, const sw_plan *plan, int step, int rows, sw_diag *why)
{
	*traffic = (struct traffic){0};
	if (plan->problem.mesh.devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(why, SW_S08, (sw_span){0, 0}, "too many devices to show who sends to whom");
	if (!traffic_new(traffic, plan->problem.mesh.devices, rows))
		return sw_diag_memory(why);
	for (int k = 0; k < plan->program.steps; k++)
		if ((step <= 0 || step == k + 1) && !traffic_add(traffic, plan, k, why))
			return false;
	return true;
}

/* ---- schedules ---- */

/* The processor that stands for a unit of a level: the first of it; of a node's copy that of the node of the other end. */
static int64_t processor_of(const sw_mesh *mesh, const sw_fetch *fetch, int64_t unit, int64_t other)
{
	int64_t each = mesh->devices / sw_schedule_units(mesh, fetch->level);
	int64_t node = mesh->devices / sw_schedule_units(mesh, fetch->level > 1 ? fetch->level - 1 : 1);

	return unit != SW_NODE_COPY ? unit * each : other * each / node * node;
}

static bool schedule_add(struct traffic *traffic, const sw_lowering *lowering, int64_t step, sw_arena *arena)
{
	const sw_mesh *mesh = lowering->schedule->problem->mesh;
	sw_schedule_messages messages;

	if (!sw_lowering_messages(lowering, step, arena, &messages))
		return false;
	for (int64_t k = 0; k < messages.count; k++) {
		const sw_schedule_message *message = &messages.message[k];
		const sw_fetch *fetch = &lowering->fetch[message->fetch];
		traffic_add_message(traffic, processor_of(mesh, fetch, message->from, message->to),
			processor_of(mesh, fetch, message->to, message->from), (double)message->elements);
	}
	return true;
}

/* The messages of one step (from 1), or of all (0). */
static bool schedule_read(struct traffic *traffic, const sw_lowering *lowering, int64_t step, int rows)
{
	sw_arena *arena = sw_arena_new();
	int64_t first = step > 0 ? step - 1 : 0, end = step > 0 ? step : lowering->steps;
	bool ok = arena != NULL && traffic_new(traffic, lowering->schedule->problem->mesh->devices, rows);

	for (int64_t k = first; ok && k < end; k++)
		ok = schedule_add(traffic, lowering, k, arena);
	sw_arena_free(arena);
	return ok;
}

/* What is followed in the moments of the program marks its cells, too. */
static void marked_draw(struct matrix *matrix, const struct view_options *opt, struct canvas *out, int y)
{
	matrix_layout(matrix, opt->width);
	y = totals_draw(matrix, out, y, "elements");
	if (!(matrix->traffic->total > 0))
		return;
	if (matrix->in && opt->element)
		followed_holders_find(matrix, opt);
	if (matrix->in)
		carries_find(matrix, opt);
	y = legend_draw(matrix, out, matrix_draw(matrix, out, y + 1, opt->device), "elements");
	if (matrix->in)
		holders_note(matrix, opt, out, carries_note(matrix, opt, out, y));
}

static bool schedule_traffic(const struct view_input *in, const struct view_options *opt, struct canvas *out,
	sw_diag *diag)
{
	const struct schedule_look *look = in->schedule;
	int64_t step = opt->step >= 0 ? opt->step : look->step;
	struct traffic traffic = {0};
	char rest[64] = "of all steps";
	bool read = schedule_read(&traffic, look->lowering, step, traffic_rows(opt));

	if (step > 0)
		snprintf(rest, sizeof rest, "of step %lld of %lld", (long long)step, (long long)look->lowering->steps);
	if (read) {
		struct matrix matrix = {.in = in->moments ? in : NULL,
			.mesh = look->schedule->problem->mesh,
			.traffic = &traffic,
			.scale = 1};
		struct view_options at = *opt;
		at.step = (int)step;
		marked_draw(&matrix, &at, out, draw_title(out, 0, "traffic", rest));
	}
	traffic_free(&traffic);
	return read || sw_diag_memory(diag);
}

/* ---- programs ---- */

static bool take_move(void *user, const sw_moment_move *move)
{
	traffic_add_message(user, move->from, move->to, (double)move->elements);
	return true;
}

/* What moves in one moment (from 1), or in all (0), of all arrays. */
static bool moments_read(struct traffic *traffic, const sw_moments *moments, int step, int rows, sw_diag *why)
{
	sw_arena *arena = sw_arena_new();
	int first = step > 0 ? step : 1, last = step > 0 ? step : moments->count;
	bool ok = (arena && traffic_new(traffic, moments->program->mesh.devices, rows)) || sw_diag_memory(why);
	for (int k = first; ok && k <= last; k++) {
		sw_arena_clear(arena);
		ok = sw_moments_each_move(moments, k, arena, take_move, traffic, why);
	}
	sw_arena_free(arena);
	return ok;
}

static void moments_traffic(const struct view_input *in, const struct view_options *opt, struct canvas *out)
{
	const sw_moments *moments = in->moments;
	bool one = opt->step > 0 && opt->step <= moments->count;
	struct traffic traffic = {0};
	sw_diag why = {0};
	char rest[64] = "of all steps of the program";
	if (one)
		snprintf(rest, sizeof rest, "of step %d of %d of the program", opt->step, moments->count);
	int y = draw_title(out, 0, "traffic", rest);
	struct matrix matrix = {.in = in, .mesh = &moments->program->mesh, .traffic = &traffic, .scale = 1};
	if (moments_read(&traffic, moments, one ? opt->step : 0, traffic_rows(opt), &why))
		marked_draw(&matrix, opt, out, y);
	else
		draw_note(out, 0, y, ROLE_NOTE, "no picture: %s", why.message);
	traffic_free(&traffic);
}

bool view_traffic(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct traffic traffic;
	sw_diag why = {0};
	if (!in->plan && !in->schedule && !in->moments)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!draw_begin("traffic", opt, out))
		return true;
	if (in->schedule)
		return schedule_traffic(in, opt, out, diag);
	if (in->moments) {
		moments_traffic(in, opt, out);
		return true;
	}
	const sw_plan *plan = in->plan;
	bool one = opt->step > 0 && opt->step <= plan->program.steps;
	const char *unit = opt->bytes ? "bytes" : "elements";
	char rest[64] = "of all steps";
	if (one)
		snprintf(rest, sizeof(rest), "of step %d", opt->step);
	int y = draw_title(out, 0, "traffic", rest);
	y = steps_draw(in, out, y, one ? opt->step : 0, opt);
	if (!traffic_read(&traffic, plan, one ? opt->step : 0, traffic_rows(opt), &why)) {
		draw_note(out, 0, y, ROLE_NOTE, "no picture: %s", why.message);
	} else {
		struct matrix matrix = {.in = in, .plan = plan, .mesh = &plan->problem.mesh, .traffic = &traffic};
		matrix.scale = opt->bytes ? sw_dtype_bytes(plan->problem.from.dtype) : 1;
		matrix_layout(&matrix, opt->width);
		y = totals_draw(&matrix, out, y, unit);
		if (traffic.total > 0) {
			holders_find(&matrix, in, opt);
			carries_find(&matrix, opt);
			y = matrix_draw(&matrix, out, y + 1, opt->device);
			y = carries_note(&matrix, opt, out, legend_draw(&matrix, out, y, unit));
			holders_note(&matrix, opt, out, y);
		}
	}
	traffic_free(&traffic);
	return true;
}
