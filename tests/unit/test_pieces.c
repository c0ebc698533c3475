/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of tiles: packed they say what regions say that are listed element by element; the table of collectives, the graph of contexts
 * and transfers agree about what groups make of them.
 */
#include <string.h>

#include <shardwalk/pieces.h>
#include <shardwalk/plan.h>
#include <shardwalk/reduction.h>
#include <shardwalk/transfers.h>

#include "arena.h"
#include "draw.h"
#include "kit.h"
#include "placement/contexts.h"

/* ---- as holdings ---- */

/* A plan of one value, of which devices have the pieces that were drawn. */
static void draw_pieces(draw *random, sw_plan *plan)
{
	static const char *const types[] = {"f32[4{x}8, 3]+{y}", "f32[5, 7]+{x,y}", "f32[2, 3{y}6, 4]+{x}", "f32[]+{y}"};
	sw_mesh mesh;
	sw_diag diag;
	sw_pieces *pieces = SW_NEW(arena, sw_pieces, 1);
	sw_text ends = {0};
	const char *type = types[draw_below(random, 4)];

	memset(plan, 0, sizeof *plan);
	assert_true(sw_mesh_parse(sw_str_of("{x: 2, y: 2}"), &mesh, &diag));
	sw_text_addf(&ends, "%s ~> %s", type, type);
	assert_true(sw_problem_parse(&mesh, sw_str_of(sw_text_get(&ends)), &plan->problem, &diag));
	sw_text_free(&ends);
	assert_true(sw_plan_room(plan, 1, arena));
	plan->program.steps = 1;
	plan->program.value[1] = plan->program.value[0];
	plan->program.value[1].type = NULL;
	int64_t terms = sw_type_terms(&plan->problem.from);
	assert_true(sw_pieces_make(pieces, 4, 1 + draw_below(random, 6), terms, arena, &diag));
	for (int64_t d = 0; d < 4; d++) {
		int set = 1 + draw_below(random, (1 << terms) - 1);
		uint64_t bits[6] = {0};

		for (int p = 0; p < pieces->count; p++)
			for (int64_t t = 0; t < terms && draw_below(random, 3) > 0; t++)
				bits[p] |= (uint64_t)(set >> t & 1) << t;
		assert_true(sw_pieces_put(pieces, d, bits));
	}
	plan->program.value[1].pieces = pieces;
}

/* The piece that has an element of a tile. */
static int piece_of(const sw_pieces *pieces, int64_t size, int64_t element)
{
	int p = 0;

	while (element >= sw_piece_begin(size, pieces->count, p + 1))
		p++;
	return p;
}

static bool sums_alike(const sw_pieces *pieces, int64_t d)
{
	const uint64_t *terms = NULL;

	for (int p = 0; p < pieces->count; p++) {
		if (!sw_pieces_has(pieces, d, p))
			continue;
		if (terms != NULL && *terms != *sw_pieces_terms(pieces, d, p))
			return false;
		terms = sw_pieces_terms(pieces, d, p);
	}
	return true;
}

/* Element by element of the tile. */
static void same_elements(const sw_plan *plan, const sw_holding *holding, int64_t d)
{
	const sw_pieces *pieces = plan->program.value[1].pieces;
	const sw_type *type = &plan->problem.from;
	int64_t size = sw_type_localsize(type), offset[SW_MAX_DIMS], index[SW_MAX_DIMS], held = 0;
	sw_family family;
	sw_indices summed = sw_holding_summed(holding, d, &family);

	sw_type_offset(&plan->problem.mesh, type, d, offset);
	for (int64_t e = 0; e < size; e++) {
		int64_t rest = e;

		for (int i = type->rank - 1; i >= 0; i--) {
			index[i] = offset[i] + rest % type->tile[i];
			rest /= type->tile[i];
		}
		int piece = piece_of(pieces, size, e);
		bool has = sw_pieces_has(pieces, d, piece);
		assert_int_equal(sw_holding_has(holding, d, index), has);
		held += has;
		for (int64_t t = 0; has && t < pieces->terms; t++)
			assert_int_equal(sw_indices_has(&summed, t), *sw_pieces_terms(pieces, d, piece) >> t & 1);
	}
	assert_int_equal(sw_holding_size(holding, d), held);
}

static void packed_pieces_are_the_regions_that_are_listed(void **state)
{
	draw random = draw_start("packed_pieces_are_the_regions_that_are_listed");
	int listed = 0;

	(void)state;
	for (int n = 0; n < 2000; n++) {
		sw_arena_mark mark = sw_arena_here(arena);
		sw_holding holding;
		sw_plan plan;
		bool alike = true;

		draw_pieces(&random, &plan);
		for (int64_t d = 0; d < 4; d++)
			alike = alike && sums_alike(plan.program.value[1].pieces, d);
		assert_int_equal(sw_plan_holding(&plan, 1, arena, &holding), alike);
		for (int64_t d = 0; alike && d < 4; d++)
			same_elements(&plan, &holding, d);
		listed += alike;
		sw_arena_back(arena, mark);
	}
	assert_true(listed > 100);
}

/* ---- the table and the graph of contexts ---- */

/* Factors of two devices each: a class of devices is one device then. */
static void make_twos(int factors, sw_hierarchy *hierarchy)
{
	sw_placement placement = {.axes = 1, .levels = factors};

	for (int f = 0; f < factors; f++)
		placement.factor[0][f] = 2;
	sw_hierarchy_make(&placement, SW_HIERARCHY_SUMMED_LEVELS, 1, true, hierarchy);
}

static void same_shares(const struct sw_context_held *held, const sw_pieces *pieces)
{
	for (int64_t d = 0; d < pieces->devices; d++)
		for (int p = 0; p < pieces->count; p++)
			assert_int_equal(held->share[d * pieces->count + p], *sw_pieces_terms(pieces, d, p));
}

static sw_step draw_step(draw *random, int factors)
{
	int ancestor = draw_below(random, factors), form = draw_below(random, 3);
	int slice = ancestor + 1 < factors ? ancestor + 1 + draw_below(random, factors - ancestor - 1) : ancestor;

	if (slice == ancestor)
		form = SW_FORM_INSIDE;
	return form == SW_FORM_INSIDE ?
		(sw_step){.op = sw_chunk_ops[draw_below(random, SW_CHUNK_OPS)], .by = {SW_FORM_INSIDE, ancestor, 0, NULL}} :
		(sw_step){.op = sw_chunk_ops[draw_below(random, SW_CHUNK_OPS)],
			.by = {(sw_group_form)form, slice, ancestor, NULL}};
}

static void contexts_and_the_table_agree(void **state)
{
	draw random = draw_start("contexts_and_the_table_agree");
	struct sw_context_held *held = SW_NEW(arena, struct sw_context_held, 2);
	sw_hierarchy *hierarchy = SW_NEW(arena, sw_hierarchy, 1);
	int taken = 0, refused = 0;

	(void)state;
	for (int n = 0; n < 2000; n++) {
		sw_arena_mark mark = sw_arena_here(arena);
		int factors = 1 + draw_below(&random, 3), devices = 1 << factors;
		sw_pieces pieces;

		make_twos(factors, hierarchy);
		assert_true(sw_pieces_start(&pieces, devices, devices, devices, NULL, arena, NULL));
		sw_context_held_start(factors, held);
		for (int k = 0; k < 8; k++) {
			sw_step step = draw_step(&random, factors);
			int64_t grouped, size;
			const int32_t *member = sw_named_members(hierarchy, &step.by, arena, &grouped, &size);
			sw_breach breach;

			assert_true(sw_pieces_step(&pieces, step.op, member, grouped, size, &breach));
			bool may = breach.premise == SW_PREMISE_HOLDS;
			held[1] = held[0];
			assert_int_equal(sw_context_held_step(factors, &step, &held[1]), may);
			if (may)
				held[0] = held[1];
			same_shares(&held[0], &pieces);
			*(may ? &taken : &refused) += 1;
		}
		assert_int_equal(sw_context_held_done(factors, &held[0]), sw_pieces_done(&pieces));
		sw_arena_back(arena, mark);
	}
	assert_true(taken > 1000 && refused > 1000);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(packed_pieces_are_the_regions_that_are_listed),
		TEST(contexts_and_the_table_agree),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
