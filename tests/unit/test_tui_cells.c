/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of films: for plans of every theory, at every step, what is drawn of each element, and of each of its terms, is who has it when
 * the plan is executed here, by transfers or by chunks; with a device that is looked at, what that has is lit and nothing else (of a
 * sum the terms that it adds, by sw_owners_adds).
 */
#include <locale.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/owners.h>

#include "command/programs/moments.h"
#include "kit/carried.h"
#include "kit/pictures.h"
#include "kit/problem.h"
#include "views/draw.h"
#include "views/strip.h"
#include "views/tiles.h"

#define ROOM 240 /* rows and columns of a picture, that each element has a cell of its own */

/* Who has what by an execution. */
struct truth {
	bool (*has)(const struct truth *of, int k, int64_t device, const int64_t *index);
	int64_t (*at)(const struct truth *of, int k, const int64_t *index, int64_t term);
	int64_t (
		*beside)(const struct truth *of, int k, const int64_t *index); /* NULL: nobody has anything beside its home */
	const sw_owners *owners;
	const sw_mesh *mesh;
	const sw_type *array;
	const sw_plan *plan;
	struct moment *moment;  /* of transfers */
	uint64_t **chunk;       /* of each value: of device and chunk the terms */
	const int64_t *of_term; /* of each term the device that began with it */
	int chunks;
};

/* ---- the picture as it is read ---- */

#define UPPER_HALF 0x2580
#define HIDDEN (-1)

struct read {
	int lines, columns;
	struct {
		int role;
		char sign[24];
	} cell[4 * ROOM][ROOM];
};

static bool is_line(const struct canvas *canvas, int x, int y)
{
	return canvas_cell_at(canvas, x, y)->lines != 0;
}

static void read_sign(const struct canvas *canvas, int x, int y, int across, char *sign)
{
	int n = 0;
	for (int i = 0; i < across; i++) {
		uint32_t glyph = canvas_cell_at(canvas, x + i, y)->glyph;
		if (glyph > ' ')
			sign[n++] = glyph < 128 ? (char)glyph : '.';
	}
	sign[n] = '\0';
}

/* Of colours two lines of elements in a row of cells, of which the lower may be empty; of signs one.  Behind the sign of what is pinned no lower
 * half is seen. */
static void read_row(const struct strip *strip, const struct canvas *canvas, int y, struct read *read)
{
	int column = 0, lower = 0, hidden = 0;
	for (int x = 1; x + strip->across < canvas->width; x += strip->across) {
		while (is_line(canvas, x, y))
			x++;
		if (x + strip->across >= canvas->width)
			break;
		const struct cell *cell = canvas_cell_at(canvas, x + strip->across - 1, y);
		bool seen = strip->per == 2 && cell->glyph == UPPER_HALF;
		assert_in_range(column, 0, ROOM - 1);
		read->cell[read->lines][column].role = cell->role;
		read_sign(canvas, x, y, strip->across, read->cell[read->lines][column].sign);
		read->cell[read->lines + 1][column].role = seen ? cell->lower : HIDDEN;
		hidden += strip->per == 2 && !seen;
		lower += seen && cell->lower != ROLE_TEXT;
		column++;
	}
	assert_true(hidden <= 1 && (lower == 0 || lower + hidden == column));
	read->columns = column;
	read->lines += lower ? 2 : 1;
}

static void read_picture(const struct strip *strip, int k, struct read *read)
{
	struct canvas canvas = {0};
	canvas_reset(&canvas, strip_extent(strip, k, 1));
	strip_picture(strip, k, &canvas, 0, 0);
	assert_int_equal(canvas.height, strip_extent(strip, k, 0));
	read->lines = read->columns = 0;
	for (int y = 1; y + 1 < canvas.height; y++)
		if (!is_line(&canvas, 1, y))
			read_row(strip, &canvas, y, read);
	canvas_free(&canvas);
}

/* ---- what should be there ---- */

/* The device whose colour a line of an element has; UNLIT: none, as the one that is looked at has not got it. */
#define UNLIT (-2)
static int64_t expected(const struct truth *truth, const struct strip *strip, int k, const int64_t *index,
	int64_t term)
{
	bool sums = sw_owners_terms(strip->of) > 1;
	if (strip->lit >= 0 && !truth->has(truth, k, strip->lit, index))
		return UNLIT;
	int64_t beside = truth->beside && strip->lit < 0 && !sums ? truth->beside(truth, k, index) : -1;
	bool now = sums || strip->anew >> strip_place(strip, k) & 1; /* without tiles colours say who has it then */
	int64_t device = beside >= 0 ? beside : truth->at(truth, now ? k : strip->born, index, term);
	bool lacks = strip->lit >= 0 && sums && !sw_owners_adds(strip->of, k, strip->lit, index, term);
	return lacks ? UNLIT : device;
}

static void check_cell(const struct truth *truth, const struct strip *strip, int k, const struct read *read, int line,
	int column)
{
	int64_t index[SW_MAX_DIMS] = {0};
	int row = line / strip->zoom, term = row % strip->terms;
	if (strip->opt->element)
		memcpy(index, strip->opt->element, sizeof index);
	if (strip->dims[0] != VIEW_ALL)
		index[strip->dims[0]] = row / strip->terms;
	if (strip->dims[1] != VIEW_ALL)
		index[strip->dims[1]] = column / (strip->per == 2 ? strip->zoom : 1);
	int64_t device = expected(truth, strip, k, index, term);
	enum role role = device == UNLIT ? ROLE_UNLIT : device < 0 ? ROLE_DIM : owners_role(&strip->signs, device);
	bool pinned = strip->opt->element && memcmp(index, strip->opt->element, sizeof index) == 0;
	if (read->cell[line][column].role != (int)role && read->cell[line][column].role != HIDDEN)
		fail_msg("step %d, element [%d, %d], term %d: role %d, not %d of device %d", k, (int)index[0], (int)index[1],
			term, read->cell[line][column].role, (int)role, (int)device);
	if (strip->per == 1 && device >= 0 && !pinned)
		assert_string_equal(read->cell[line][column].sign, owners_sign(&strip->signs, device).text);
}

static int check_picture(const struct truth *truth, const struct strip *strip, int k)
{
	static struct read read;
	int zoomed = strip->per == 2 ? strip->zoom : 1;
	assert_true(strip->unit[0] == 1 && strip->unit[1] == 1);
	assert_int_equal(strip->terms, sw_owners_terms(strip->of));
	if (k < strip->born)
		return 0;
	if (strip->opt->element && strip->units[1] * zoomed == 1)
		return 0;
	read_picture(strip, k, &read);
	assert_int_equal(read.lines, strip->units[0] * strip->terms * strip->zoom);
	assert_int_equal(read.columns, strip->units[1] * zoomed);
	for (int line = 0; line < read.lines; line++)
		for (int column = 0; column < read.columns; column++)
			check_cell(truth, strip, k, &read, line, column);
	return 1;
}

/* All moments of two dimensions, of all devices or what one has. */
static int check_strip(const struct truth *truth, struct view_options *opt, const int dims[2])
{
	int pictures = 0, steps = sw_owners_steps(truth->owners);
	struct strip strip;
	opt->width = (steps + 2) * (ROOM + STRIP_GAP);
	strip_start(&strip, truth->owners, truth->mesh, opt);
	strip_window(&strip, 4 * ROOM);
	strip_shape(&strip, truth->array, dims);
	for (int k = 0; k <= steps; k++)
		pictures += check_picture(truth, &strip, k);
	return pictures;
}

/* In colours and in signs, and each pair of dimensions at an index of the others. */
static int check_film(const struct truth *truth, draw *random)
{
	int64_t element[SW_MAX_DIMS] = {0};
	int pictures = 0, rank = truth->array->rank;
	struct view_options opt = view_options_default(80);
	for (int64_t lit = -1; lit < truth->mesh->devices; lit++)
		for (int letters = 0; letters < 2; letters++) {
			int dims[2] = {rank < 2 ? VIEW_ALL : draw_below(random, rank), rank < 1 ? VIEW_ALL : 0};
			if (rank > 1)
				dims[1] = (dims[0] + 1 + draw_below(random, rank - 1)) % rank;
			for (int i = 0; i < rank; i++)
				element[i] = draw_below(random, (int)truth->array->global[i]);
			opt.element = rank > 2 ? element : NULL;
			opt.device = lit < 0 ? VIEW_ALL : lit;
			opt.letters = letters;
			pictures += check_strip(truth, &opt, dims);
		}
	return pictures;
}

/* ---- executed by transfers ---- */

static bool tile_has(const struct truth *of, int k, int64_t device, const int64_t *index)
{
	int rank = of->array->rank;
	const int64_t *at = of->moment[k].tiles.at + device * rank, *tile = of->plan->program.value[k].tile;
	for (int i = 0; i < rank; i++)
		if (index[i] < at[i] || index[i] >= at[i] + tile[i])
			return false;
	return true;
}

static int64_t first_by_transfers(const struct truth *of, int k, const int64_t *index, int64_t term)
{
	const int64_t *order = sw_plan_order(of->plan, k);
	for (int64_t slot = 0; slot < of->mesh->devices; slot++) {
		int64_t device = order ? order[slot] : slot;
		if (terms_on(of->plan, k, &of->moment[k], device, index) >> term & 1)
			return device;
	}
	return -1;
}

/* Of sums that a later value has more of than the first the terms are not those of the beginning. */
static int check_tiles(const sw_plan *plan, draw *random, sw_arena *arena)
{
	struct truth truth = {.has = tile_has,
		.at = first_by_transfers,
		.owners = sw_owners_of_plan(plan, arena, NULL),
		.mesh = &plan->problem.mesh,
		.array = &plan->problem.from,
		.plan = plan,
		.moment = SW_NEW(arena, struct moment, plan->program.steps + 1)};
	assert_true(truth.owners && truth.moment);
	if (sw_owners_terms(truth.owners) != sw_owners_holding(truth.owners, 0)->terms)
		return 0;
	carry_begin(plan, arena, &truth.moment[0]);
	for (int k = 0; k < plan->program.steps; k++)
		carry_out(plan, k, arena, &truth.moment[k], &truth.moment[k + 1]);
	return check_film(&truth, random);
}

static void redistributions_at_random(void **state)
{
	static const int64_t axes[][3] = {{2, 2, 2}, {4, 2, 1}, {2, 3, 2}, {8, 2, 1}, {3, 3, 1}};
	static const sw_strategy strategies[] = {SW_EXACT, SW_FUSED, SW_PAPER, SW_NAIVE, SW_XLA, SW_DIRECT};
	draw random = draw_start("cells of redistributions");
	sw_arena *arena = sw_arena_new();
	int pictures = 0;
	(void)state;
	for (int n = 0; n < 60; n++) {
		sw_problem problem;
		sw_plan plan;
		sw_plan_options options = {.strategy = strategies[n % COUNT(strategies)]};
		sw_arena_clear(arena);
		draw_problem(&random, axes[draw_below(&random, COUNT(axes))], 3, 1 + draw_below(&random, 3), &problem);
		if (sw_plan_find(&problem, &options, arena, &plan, NULL))
			pictures += check_tiles(&plan, &random, arena);
	}
	assert_true(pictures > 500);
	sw_arena_free(arena);
}

/* Sums over axes that cut nothing at either end, and some that are left. */
static void draw_sums(draw *random, sw_problem *problem)
{
	for (int a = 0; a < problem->mesh.count; a++) {
		sw_part part = {a, 1, problem->mesh.axis[a].size}, sums[SW_MAX_PARTS];
		bool cuts = false;
		for (int i = 0; i < problem->from.first[problem->from.rank]; i++)
			cuts = cuts || sw_type_part(&problem->from, i).axis == a;
		int count = sw_type_sums(&problem->from, sums);
		if (cuts || draw_below(random, 3) == 0)
			continue;
		sums[count++] = part;
		assert_true(sw_type_set_sums(&problem->mesh, &problem->from, sums, count, NULL));
	}
}

static void sums_at_random(void **state)
{
	static const int64_t axes[][3] = {{2, 2, 2}, {4, 2, 1}, {2, 3, 1}, {2, 4, 1}, {3, 3, 1}};
	static const sw_strategy strategies[] = {SW_EXACT, SW_FUSED, SW_SUM_FIRST};
	draw random = draw_start("cells of sums");
	sw_arena *arena = sw_arena_new();
	int pictures = 0;
	(void)state;
	for (int n = 0; n < 120; n++) {
		sw_problem problem;
		sw_plan plan;
		sw_plan_options options = {.strategy = strategies[n % COUNT(strategies)]};
		sw_arena_clear(arena);
		draw_problem(&random, axes[draw_below(&random, COUNT(axes))], 3, 1 + draw_below(&random, 2), &problem);
		draw_sums(&random, &problem);
		bool small = problem.from.global[0] <= 8 && (problem.from.rank < 2 || problem.from.global[1] <= 24);
		if (small && sw_type_terms(&problem.from) > 1 && sw_plan_find(&problem, &options, arena, &plan, NULL) &&
			sw_plan_first_pieces(&plan) < 0)
			pictures += check_tiles(&plan, &random, arena);
	}
	assert_true(pictures > 200);
	sw_arena_free(arena);
}

/* ---- reduction programs, executed chunk by chunk ---- */

/* What the members of one group have after a step: of each chunk a set of terms, of nothing the empty one. */
static void group_step(sw_op op, const int32_t *member, int64_t size, int chunks, uint64_t *chunk)
{
	uint64_t sum[64] = {0};
	int had[64], count = 0;
	for (int c = 0; c < chunks; c++) {
		for (int64_t m = 0; m < size; m++)
			sum[c] |= chunk[member[m] * chunks + c];
		if (chunk[member[0] * chunks + c])
			had[count++] = c;
	}
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < chunks; c++) {
			bool keeps = op != SW_REDUCE || m == 0;
			if (op == SW_REDUCESCATTER) {
				keeps = false;
				for (int64_t i = m * count / size; i < (m + 1) * count / size; i++)
					keeps = keeps || had[i] == c;
			}
			chunk[member[m] * chunks + c] = keeps ? sum[c] : 0;
		}
}

static int chunk_of(const struct truth *of, const int64_t *index)
{
	int64_t at = 0, size = 1;
	int chunk = 0;
	for (int i = 0; i < of->array->rank; i++) {
		at = at * of->array->tile[i] + index[i] % of->array->tile[i];
		size *= of->array->tile[i];
	}
	while (sw_piece_begin(size, of->chunks, chunk + 1) <= at)
		chunk++;
	return chunk;
}

static int64_t slot_of(const struct truth *of, int k, int64_t device)
{
	const int64_t *order = sw_plan_order(of->plan, k);
	int64_t slot = 0;
	while ((order ? order[slot] : slot) != device)
		slot++;
	return slot;
}

/* Is the element in the tile that the slot has a part of? */
static bool in_tile(const struct truth *of, int64_t slot, const int64_t *index)
{
	int64_t offset[SW_MAX_DIMS];
	sw_type_offset(of->mesh, of->array, slot, offset);
	for (int i = 0; i < of->array->rank; i++)
		if (index[i] < offset[i] || index[i] >= offset[i] + of->array->tile[i])
			return false;
	return true;
}

static uint64_t chunk_terms(const struct truth *of, int k, int64_t slot, const int64_t *index)
{
	return in_tile(of, slot, index) ? of->chunk[k][slot * of->chunks + chunk_of(of, index)] : 0;
}

static bool chunk_has(const struct truth *of, int k, int64_t device, const int64_t *index)
{
	return chunk_terms(of, k, slot_of(of, k, device), index) != 0;
}

static int64_t first_by_chunks(const struct truth *of, int k, const int64_t *index, int64_t term)
{
	const int64_t *order = sw_plan_order(of->plan, k);
	for (int64_t slot = 0; slot < of->mesh->devices; slot++)
		if (chunk_terms(of, k, slot, index) >> term & 1)
			return order ? order[slot] : slot;
	return -1;
}

/* Each slot begins with the term that its type gives it, of all of its tile. */
static void execute_chunks(struct truth *of, sw_arena *arena)
{
	int64_t devices = of->mesh->devices, all = devices * of->chunks;
	of->chunk = SW_NEW(arena, uint64_t *, of->plan->program.steps + 1);
	of->chunk[0] = SW_NEW(arena, uint64_t, all);
	for (int64_t i = 0; i < all; i++)
		of->chunk[0][i] = UINT64_C(1) << sw_type_term(of->mesh, of->array, i / of->chunks);
	for (int k = 0; k < of->plan->program.steps; k++) {
		const sw_step *step = &of->plan->program.step[k];
		of->chunk[k + 1] = SW_NEW(arena, uint64_t, all);
		memcpy(of->chunk[k + 1], of->chunk[k], (size_t)all * sizeof(uint64_t));
		assert_non_null(step->groups);
		for (int64_t n = 0; n < step->grouped; n += step->group_size)
			group_step(step->op, step->groups + n, step->group_size, of->chunks, of->chunk[k + 1]);
	}
}

static int check_chunks(const sw_plan *plan, draw *random)
{
	sw_arena *arena = sw_arena_new();
	struct truth truth = {.has = chunk_has,
		.at = first_by_chunks,
		.owners = sw_owners_of_plan(plan, arena, NULL),
		.mesh = &plan->problem.mesh,
		.array = &plan->problem.from,
		.plan = plan,
		.chunks = sw_plan_pieces_of_tile(plan)};
	int pictures = 0;
	if (truth.owners) {
		truth.chunks = truth.chunks > 0 ? truth.chunks : (int)sw_type_terms(truth.array);
		assert_in_range(truth.chunks, 1, 64);
		execute_chunks(&truth, arena);
		pictures = check_film(&truth, random);
	}
	sw_arena_free(arena);
	return pictures;
}

static const struct reduced {
	const char *lines;
} reduced[] = {
	{"system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 8}\nplace 1\nreduce {data} f32[16]"},
	{"system {node: 2 @ 8GB/s shared, gpu: 2 @ 270GB/s}\naxes {data: 4}\nplace 1\nreduce {data} f32[6, 5]"},
	{"system {node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}\naxes {data: 4, model: 2}\nplace 1\nreduce {data} f32[4, 4]"},
	{"system {a: 2 @ 1GB/s, b: 2 @ 9GB/s, c: 2 @ 90GB/s}\naxes {data: 8}\nplace 1\nreduce {data} f32[19]"},
	{"system {node: 3 @ 8GB/s shared, gpu: 2 @ 270GB/s}\naxes {data: 6}\nplace 1\nreduce {data} f32[2, 3, 4]"},
};

static void reduction_programs(void **state)
{
	draw random = draw_start("cells of reduction programs");
	int pictures = 0, programs = 0;
	(void)state;
	for (size_t i = 0; i < COUNT(reduced); i++) {
		struct session session;
		struct screen *screen = stage_open(&session, reduced[i].lines);
		assert_int_equal(session.failures, 0);
		for (int n = 0; n < 5; n++) {
			char line[40];
			snprintf(line, sizeof line, "reductions %d", 1 + draw_below(&random, 12));
			screen_take_line(screen, line);
			int drawn = session.state.plan ? check_chunks(&session.state.plan->plan, &random) : 0;
			programs += drawn > 0;
			pictures += drawn;
		}
		stage_close(&session);
	}
	assert_true(programs > 8);
	assert_true(pictures > 200);
}

/* ---- ends of any kind, and programs ---- */

static bool owners_have(const struct truth *of, int k, int64_t device, const int64_t *index)
{
	return sw_owners_has(of->owners, k, device, index);
}

/* By the sets that say what a device has. */
static bool set_has(const struct truth *of, int k, int64_t device, const int64_t *index)
{
	sw_arena *arena = sw_arena_new();
	sw_region region;
	bool has = false;
	assert_true(sw_holding_region(sw_owners_holding(of->owners, k), slot_of(of, k, device), arena, &region));
	for (int n = 0; n < region.count && !has; n++) {
		has = true;
		for (int i = 0; i < region.rank; i++)
			has = has && sw_indices_has(&region.set[n * region.rank + i], index[i]);
	}
	sw_arena_free(arena);
	return has;
}

static int64_t first_by_asking(const struct truth *of, int k, const int64_t *index, int64_t term)
{
	const int64_t *order = sw_plan_order(of->plan, k);
	assert_int_equal(term, 0);
	for (int64_t slot = 0; slot < of->mesh->devices; slot++)
		if (of->has(of, k, order ? order[slot] : slot, index))
			return order ? order[slot] : slot;
	return -1;
}

static const struct lines {
	const char *lines;
} any_ends[] = {
	{"shape f32[6,12]\n{devices=[2,3]<=[6]} ~> {devices=[3,2]<=[6]}\nplan"},
	{"shape f32[8,8]\nNamedSharding(Mesh('x': 4, 'y': 2), P('x', 'y')) ~> NamedSharding(Mesh('t': 4), P('t'))\nplan direct"},
	{"mesh {x: 4}\nf32[{x}10, 6] by balanced ~> f32[10, {x}6] by balanced\nplan"},
	{"mesh {x: 3, y: 2}\nf32[{x}7, {y}5] by ceil ~> f32[{y}7, {x}5] by floor\nplan"},
	{"set uneven pad\nmesh {x: 4, y: 2}\nshape f32[10,7]\nP('x', 'y') ~> P('y', 'x')\nplan"},
};

static void ends_of_any_kind(void **state)
{
	const struct lines *row = *state;
	draw random = draw_start("cells of any ends");
	struct session session;
	stage_open(&session, row->lines);
	assert_int_equal(session.failures, 0);
	const sw_plan *plan = &session.state.plan->plan;
	sw_arena *arena = sw_arena_new();
	const struct truth truth = {.has = set_has,
		.at = first_by_asking,
		.owners = sw_owners_of_plan(plan, arena, NULL),
		.mesh = &plan->problem.mesh,
		.array = &plan->problem.from,
		.plan = plan};
	assert_non_null(truth.owners);
	assert_true(check_film(&truth, &random) > 0);
	sw_arena_free(arena);
	stage_close(&session);
}

static const struct lines programs[] = {
	{"mesh {x: 2, y: 2}\ntype A = f32[4{x}8, 4{y}8]\ntype B = f32[4{x}8, 4{y}8]\n"
	 "einsum ij,jk->ik A, B as [4{x}8, 4{y}8]\nways 2"},
	{"mesh {x: 4}\ntype B = f64[4{x}16]\ntype A = f64[4{x}16]\ncompute A(i) = B(i) + B(i+1)"},
	{"mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9"},
	{"mesh {x: 2, y: 3}\nschedule summa m=7 n=9 k=8"},
	{"mesh {x: 2, y: 2}\nschedule pumma m=7 n=9 k=8"},
	{"mesh {x: 2, y: 2, z: 2}\nschedule johnson m=6 n=4 k=6"},
	{"program mesh {x: 2, y: 2} fn main(a : f32[4{x}8, 3{y}6, 2]) -> f32[8, 3{y}6, 2] { b = redistribute a as f32[4{y}8, "
	 "3{x}6, 2] c = relu b d = redistribute c as f32[8, 3{y}6, 2] return d }"},
};

static int64_t owner_at(const struct truth *of, int k, const int64_t *index, int64_t term)
{
	return sw_owners_at(of->owners, k, index, term);
}

static int64_t owner_beside(const struct truth *of, int k, const int64_t *index)
{
	return sw_owners_beside(of->owners, k, index);
}

/* Whose owners are those of tiles and boxes by test_moments. */
static void arrays_of_programs(void **state)
{
	const struct lines *row = *state;
	draw random = draw_start("cells of programs");
	struct session session;
	int pictures = 0;
	stage_open(&session, row->lines);
	assert_int_equal(session.failures, 0);
	const sw_moments *moments = session_moments(&session, NULL);
	assert_non_null(moments);
	for (int a = 0; a < moments->arrays; a++) {
		const struct truth truth = {.has = owners_have,
			.at = owner_at,
			.beside = owner_beside,
			.owners = moments->owners[a],
			.mesh = &moments->program->mesh,
			.array = moments->program->value[moments->first[a]].type};
		pictures += check_film(&truth, &random);
	}
	assert_true(pictures > 20);
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(redistributions_at_random),
		TEST(sums_at_random),
		TEST(reduction_programs),
		ROWS(ends_of_any_kind, any_ends, lines),
		ROWS(arrays_of_programs, programs, lines),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
