/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements as other libraries write them: recorded lines, random ones against the owner that each library's rule gives, ScaLAPACK's
 * numroc, matrices there and back, refusals with their places.
 */
#include <shardwalk/distribution.h>
#include <shardwalk/emit.h>
#include <shardwalk/notation.h>
#include <shardwalk/plan.h>

#include <inttypes.h>
#include <unistd.h>

#include <jansson.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/problem.h"

/* ---- reading ---- */

/* What each device has of a text, over this mesh; NULL: over its own. */
static sw_holding held_by(const sw_mesh *mesh, const char *text)
{
	const sw_notation_context context = {.mesh = mesh, .rank = -1};
	sw_sharding *s = SW_NEW(arena, sw_sharding, 1);
	sw_type *type = SW_NEW(arena, sw_type, 1);
	const sw_distribution *words;
	sw_holding holding;
	sw_diag diag = {.code = SW_OK};

	if (!sw_sharding_parse(sw_str_of(text), &context, arena, s, &diag) ||
		!sw_sharding_any(s, mesh != NULL ? mesh : &s->mesh, NULL, arena, type, &words, &diag))
		fail_msg("%s: %s, %s, %s", text, diag.message, diag.expected, diag.found);
	assert_true(sw_holding_of_any(mesh != NULL ? mesh : &s->mesh, type, words, NULL, arena, &holding));
	return holding;
}

static sw_holding held_of(const sw_mesh *mesh, const char *text)
{
	sw_distribution *read = SW_NEW(arena, sw_distribution, 1);
	sw_holding holding;
	sw_diag diag;

	if (!sw_distribution_parse(mesh, sw_str_of(text), NULL, arena, read, &diag))
		fail_msg("%s: %s", text, diag.message);
	assert_true(sw_holding_of_distribution(mesh, read, NULL, arena, &holding));
	return holding;
}

static const char *text_of(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static int64_t number_of(const json_t *list, size_t i)
{
	return (int64_t)json_number_value(json_array_get(list, i));
}

static void each_line(const char *name, void (*check)(const json_t *line))
{
	FILE *file = cases_open(name);
	char *line = NULL;
	size_t room = 0;
	int lines = 0;

	if (file == NULL)
		skip();
	for (; getline(&line, &room, file) > 0; lines++) {
		json_t *object = json_loads(line, JSON_DECODE_INT_AS_REAL, NULL); /* sums of indices may be large */
		assert_non_null(object);
		sw_arena_clear(arena);
		check(object);
		json_decref(object);
	}
	assert_true(lines > 0);
	free(line);
	fclose(file);
}

/* ---- recorded placements ---- */

/* Every element, by its row-major index, lies where the line says. */
static void check_line(const json_t *line, const sw_mesh *mesh)
{
	sw_holding holding = held_by(mesh, text_of(line, "text"));
	const json_t *sets = json_object_get(line, "sets"), *shape = json_object_get(line, "shape");
	int64_t elements = 1;

	assert_int_equal(holding.rank, json_array_size(shape));
	for (int dim = 0; dim < holding.rank; dim++)
		elements *= number_of(shape, (size_t)dim);
	for (int64_t d = 0; d < holding.devices; d++)
		for (int64_t n = 0; n < elements; n++) {
			int64_t index[SW_MAX_DIMS], rest = n;
			bool right = false;
			for (int dim = holding.rank - 1; dim >= 0; dim--) {
				index[dim] = rest % holding.global[dim];
				rest /= holding.global[dim];
			}
			const json_t *set = json_array_get(sets, (size_t)d);
			for (size_t i = 0; i < json_array_size(set); i++) {
				const json_t *f = json_array_get(set, i);
				int64_t at = n - number_of(f, 0), step = number_of(f, 2);
				right = right || (at >= 0 && at / step < number_of(f, 3) && at % step < number_of(f, 1));
			}
			if (sw_holding_has(&holding, d, index) != right)
				fail_msg("%s: device %" PRId64 ", element %" PRId64, text_of(line, "name"), d, n);
		}
}

/* Over the mesh of the line, and over as many devices without axes for it. */
static void foreign_line(const json_t *line)
{
	int64_t devices = (int64_t)json_number_value(json_object_get(line, "devices"));
	sw_mesh plain = {.devices = 1};

	assert_true(sw_mesh_add(&plain, sw_str_of("d"), devices, NULL));
	if (text_of(line, "mesh") != NULL) {
		sw_mesh mesh = mesh_of(text_of(line, "mesh"));
		check_line(line, &mesh);
	}
	check_line(line, &plain);
}

static void recorded_placements(void **state)
{
	(void)state;
	each_line("imp-foreign.jsonl", foreign_line);
}

/* ---- recorded matrices ---- */

static void add_descriptor(const json_t *line, const char *end, sw_text *text)
{
	char key[8];
	snprintf(key, sizeof key, "desc%s", end);
	const json_t *desc = json_object_get(line, key);
	snprintf(key, sizeof key, "grid%s", end);
	const json_t *grid = json_object_get(line, key);
	snprintf(key, sizeof key, "order%s", end);
	for (size_t i = 0; i < 9; i++)
		sw_text_addf(text, "%s%" PRId64, i > 0 ? ", " : "(", number_of(desc, i));
	sw_text_addf(text, ") on %" PRId64 " x %" PRId64 "%s", number_of(grid, 0), number_of(grid, 1),
		strcmp(text_of(line, key), "C") == 0 ? " column-major" : "");
}

static void same_as_type(const sw_mesh *mesh, const sw_sharding *s, const char *type)
{
	sw_type *read = SW_NEW(arena, sw_type, 1);
	const sw_distribution *words;
	sw_holding own, right = held_of(mesh, type);
	sw_diag diag;

	if (!sw_sharding_any(s, mesh, NULL, arena, read, &words, &diag))
		fail_msg("%s: %s", type, diag.message);
	assert_int_equal(read->dtype, SW_F64);
	assert_true(sw_holding_of_any(mesh, read, words, NULL, arena, &own));
	if (!sw_holding_equal(&own, &right))
		fail_msg("%.*s is not %s", (int)s->words.length, s->words.at, type);
}

/* The call of pdgemr2d with the descriptors of the line is its problem. */
static void lapack_line(const json_t *line)
{
	const json_t *sub = json_object_get(line, "sub"), *desc = json_object_get(line, "desca");
	sw_mesh mesh = mesh_of(text_of(line, "mesh"));
	sw_sharding *end = SW_NEW(arena, sw_sharding, 2);
	sw_text text = {0};
	sw_diag diag;
	bool whole = json_is_null(sub);
	int64_t ia = whole ? 1 : number_of(sub, 0), ja = whole ? 1 : number_of(sub, 1);

	sw_text_addf(&text, "CALL PDGEMR2D(%" PRId64 ", %" PRId64 ", A, %" PRId64 ", %" PRId64 ", ",
		whole ? number_of(desc, 2) : number_of(sub, 2), whole ? number_of(desc, 3) : number_of(sub, 3), ia, ja);
	add_descriptor(line, "a", &text);
	sw_text_addf(&text, ", B, %" PRId64 ", %" PRId64 ", ", ia, ja);
	add_descriptor(line, "c", &text);
	sw_text_add(&text, ", ICTXT)");
	if (!sw_gemr2d_parse(sw_str_of(sw_text_get(&text)), NULL, arena, &end[0], &end[1], &diag))
		fail_msg("%s: %s, %s", sw_text_get(&text), diag.message, diag.expected);
	same_as_type(&mesh, &end[0], text_of(line, "from"));
	same_as_type(&mesh, &end[1], text_of(line, "to"));
	sw_text_free(&text);
}

static void recorded_matrices(void **state)
{
	(void)state;
	each_line("imp-lapack.jsonl", lapack_line);
}

/* ---- random descriptors ---- */

/* NUMROC of ScaLAPACK: how many rows or columns process `iproc` has. */
static int64_t numroc(int64_t n, int64_t nb, int64_t iproc, int64_t isrc, int64_t nprocs)
{
	int64_t mydist = (nprocs + iproc - isrc) % nprocs, nblocks = n / nb;
	int64_t count = nblocks / nprocs * nb, extrablks = nblocks % nprocs;

	if (mydist < extrablks)
		return count + nb;
	return mydist == extrablks ? count + n % nb : count;
}

struct matrix {
	int64_t size[2], block[2], first[2], grid[2];
	bool turned;
};

static void draw_matrix(draw *random, struct matrix *m)
{
	for (int dim = 0; dim < 2; dim++) {
		m->size[dim] = 1 + draw_below(random, 40);
		m->block[dim] = 1 + draw_below(random, 9);
		m->grid[dim] = 1 + draw_below(random, 4);
		m->first[dim] = draw_below(random, (int)m->grid[dim]);
	}
	m->turned = draw_below(random, 2) == 1;
}

static void print_matrix(const struct matrix *m, char *text, size_t room)
{
	snprintf(text, room,
		"DESC = (1, 0, %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
		") on %" PRId64 " x %" PRId64 "%s",
		m->size[0], m->size[1], m->block[0], m->block[1], m->first[0], m->first[1],
		numroc(m->size[0], m->block[0], m->first[0], m->first[0], m->grid[0]), m->grid[0], m->grid[1],
		m->turned ? " column-major" : "");
}

/* Is the text the same as what the holding has? */
static void prints_back(const char *text)
{
	sw_sharding *s = SW_NEW(arena, sw_sharding, 1);
	sw_text again = {0};
	sw_diag diag;
	sw_holding a = held_by(NULL, text);

	assert_true(sw_sharding_parse(sw_str_of(text), NULL, arena, s, &diag));
	if (!sw_sharding_print(s, SW_NOTATION_SCALAPACK, arena, &again, &diag))
		fail_msg("%s: %s", text, diag.message);
	sw_holding b = held_by(NULL, sw_text_get(&again));
	if (!sw_holding_equal(&a, &b))
		fail_msg("%s printed as %s", text, sw_text_get(&again));
	sw_text_free(&again);
}

static void local_sizes_are_numroc(void **state)
{
	draw random = draw_start("numroc");

	(void)state;
	for (int n = 0; n < 3000; n++) {
		struct matrix m;
		char text[256];
		sw_arena_clear(arena);
		draw_matrix(&random, &m);
		print_matrix(&m, text, sizeof text);
		sw_holding holding = held_by(NULL, text);
		assert_int_equal(holding.devices, m.grid[0] * m.grid[1]);
		for (int64_t d = 0; d < holding.devices; d++) {
			int64_t row = m.turned ? d % m.grid[0] : d / m.grid[1], column = m.turned ? d / m.grid[0] : d % m.grid[1];
			int64_t rows = numroc(m.size[0], m.block[0], row, m.first[0], m.grid[0]),
					columns = numroc(m.size[1], m.block[1], column, m.first[1], m.grid[1]);
			if (sw_holding_size(&holding, d) != rows * columns)
				fail_msg("%s: device %" PRId64, text, d);
		}
		if (n % 10 == 0)
			prints_back(text);
	}
}

/* ---- random placements against the owner by the rule of the library ---- */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t mod(int64_t a, int64_t b)
{
	return a - floor_div(a, b) * b;
}

/* Each element of one dimension is on the device that `owner` says, and on no other. */
static void check_owners(const char *text, int64_t devices, const int64_t *owner, int64_t size)
{
	sw_mesh mesh = {.devices = 1};

	assert_true(sw_mesh_add(&mesh, sw_str_of("x"), devices, NULL));
	sw_holding holding = held_by(&mesh, text);
	assert_int_equal(holding.global[0], size);
	for (int64_t d = 0; d < devices; d++)
		for (int64_t i = 0; i < size; i++)
			if (sw_holding_has(&holding, d, &i) != (owner[i] == d))
				fail_msg("%s: device %" PRId64 ", index %" PRId64, text, d, i);
}

static void chapel_owners(void **state)
{
	static const char *const kinds[] = {"blockDist", "Stencil", "cyclicDist", "BlockCyclic"};
	draw random = draw_start("chapel");

	(void)state;
	for (int n = 0; n < 2000; n++) {
		int64_t low = draw_below(&random, 21) - 10, size = 1 + draw_below(&random, 30),
				locales = 1 + draw_below(&random, 6), start = draw_below(&random, 21) - 10,
				block = 1 + draw_below(&random, 5), extent = 1 + draw_below(&random, 30), owner[64];
		int kind = draw_below(&random, 4);
		char text[256], map[128];
		sw_arena_clear(arena);
		for (int64_t i = 0; i < size; i++) {
			int64_t at = low + i, by = floor_div((at - start) * locales, extent);
			owner[i] = kind <= 1 ? (at < start           ? 0 :
										   by >= locales ? locales - 1 :
														   by) :
				kind == 2        ? mod(at - start, locales) :
								   mod(floor_div(at - start, block), locales);
		}
		snprintf(map, sizeof map,
			kind <= 1 ? "boundingBox={%" PRId64 "..#%" PRId64 "}" : "startIdx=%" PRId64 ", blocksize=%" PRId64, start,
			kind <= 1 ? extent : block);
		snprintf(text, sizeof text, "{%" PRId64 "..%" PRId64 "} dmapped new %s(%s)", low, low + size - 1, kinds[kind],
			map);
		check_owners(text, locales, owner, size);
	}
}

static void hpf_owners(void **state)
{
	draw random = draw_start("hpf");

	(void)state;
	for (int n = 0; n < 2000; n++) {
		int64_t size = 1 + draw_below(&random, 12), factor = 1 + draw_below(&random, 3),
				offset = draw_below(&random, 6), processors = 1 + draw_below(&random, 5),
				block = 1 + draw_below(&random, 5), all = factor * size + offset + draw_below(&random, 5), owner[64];
		bool backward = draw_below(&random, 2), cyclic = draw_below(&random, 2);
		char text[256], index[64], format[32];
		sw_arena_clear(arena);
		for (int64_t i = 1; i <= size; i++) {
			int64_t at = backward ? factor * (size + 1 - i) + offset : factor * i + offset,
					ceil = (all + processors - 1) / processors;
			owner[i - 1] = cyclic ? (at - 1) / block % processors : (at - 1) / ceil;
		}
		if (backward)
			snprintf(index, sizeof index, "%" PRId64 "-%" PRId64 "*I", factor * (size + 1) + offset, factor);
		else
			snprintf(index, sizeof index, "%" PRId64 "*I+%" PRId64, factor, offset);
		snprintf(format, sizeof format, cyclic ? "CYCLIC(%" PRId64 ")" : "BLOCK", block);
		snprintf(text, sizeof text,
			"REAL X(%" PRId64 ")\n!HPF$ TEMPLATE T(%" PRId64 ")\n!HPF$ ALIGN X(I) WITH T(%s)\n"
			"!HPF$ DISTRIBUTE T(%s) ONTO P(%" PRId64 ")",
			size, all, index, format, processors);
		check_owners(text, processors, owner, size);
	}
}

/* ---- the same in two notations ---- */

static const struct same_row {
	const char *mesh, *text, *type;
} same_rows[] = {
	{"{x: 4}", "local sizes 5 4 3 1", "[5+4+3+1{x}13]"},
	{"{x: 4}", "PETSc local sizes: [5, 4, 3, 1] of 13 x 9", "[5+4+3+1{x}13, 9]"},
	{"{x: 4}", "Tpetra::Map local sizes 5, 0, 8, 0", "[5+0+8+0{x}13]"},
	{"{x: 4}", "ownership ranges 0 5 9 12 13", "[5+4+3+1{x}13]"},
	{"{x: 4}", "PETSC_DECIDE, 13", "[{x}13] by balanced"},
	{"{d: 6}", "PETSC_DECIDE, 13 on 4", "[{x}13] by balanced over {x: 4}"},
	{"{r: 2, c: 3}", "rowsplit [0, 3, 7] colsplit [0, 4, 5, 9] owners [[0, 1, 2], [3, 4, 5]]",
		"[3+4{r}7, 4+1+4{c}9]"},
	{"{d: 4}", "rowsplit [0, 3, 7] colsplit [0, 4, 9] owners [[0, 0], [3, 1]]",
		"[7, 9] on 0 only 0:3, : union [7, 9] on 3 only 3:7, 0:4 union [7, 9] on 1 only 3:7, 4:9"},
	{"{r: 2, c: 3}", "DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5)", "[2{r,..}9, 2{c,..}9]"},
	{"{r: 2, c: 3}", "int desca[9] = {1, ictxt, 9, 9, 2, 2, 1, 0, 5}; // on 2 x 3", "[2{r@1,..}9, 2{c,..}9]"},
	{"{r: 2, c: 3}", "DESCA = (/ 1, 0, 9, 9, 200, 2, 1, 2, 9 /) on 2 x 3", "[9{r@1,..}9, 2{c@2,..}9]"},
	{"{d: 6}", "CALL DESCINIT(DESCA, 9, 9, 2, 2, 0, 0, ICTXT, 5, INFO) on 2 x 3",
		"[2{r,..}9, 2{c,..}9] over {r: 2, c: 3}"},
	{"{d: 6}", "{0..<8, 1..8} dmapped new dmap(new Block({0..<8, 1..8}))", "[{r}8, {c}8] by floor over {r: 3, c: 2}"},
	{"{d: 6}", "blockDist.createDomain({1..8}) on 4", "[{x}8] by floor over {x: 4}"},
	{"{d: 6}", "var A = cyclicDist.createArray(1..8, 1..8, real, targetLocales=reshape(Locales, {0..1, 0..2}))",
		"[1{r,..}8, 1{c,..}8] over {r: 2, c: 3}"},
	{"{x: 4}", "const Space = {1..8}; const D: domain(1) dmapped blockDist(boundingBox=Space) = Space;",
		"[{x}8] by floor"},
	{"{r: 2, c: 3}", "PROCESSORS P(2,3); REAL*8 A(9,9); DISTRIBUTE (CYCLIC(2), CYCLIC) ONTO P :: A",
		"f64[2{r,..}9, 1{c,..}9]"},
	{"{x: 4}", "REAL, DIMENSION(13, 5) :: A ; DISTRIBUTE A(BLOCK, *) ONTO P(4)", "[{x}13, 5] by ceil"},
	{"{x: 4}", "REAL A(13) ; DISTRIBUTE A(GEN_BLOCK((/5,4,3,1/))) ONTO P(4)", "[5+4+3+1{x}13]"},
	{"{r: 2, c: 3}",
		"REAL B(6,8) ; TEMPLATE T(8,6) ; ALIGN B(I,J) WITH T(J,I) ; DISTRIBUTE T(CYCLIC(2), BLOCK) ONTO P(2,3)",
		"[2{c}6, 2{r,..}8]"},
	{"{r: 2, c: 3}", "REAL X(8) ; TEMPLATE T(8,6) ; ALIGN X(I) WITH T(I,*) ; DISTRIBUTE T(BLOCK, BLOCK) ONTO P(2,3)",
		"[4{r}8]"},
	{"{r: 2, c: 3}", "REAL X(8) ; TEMPLATE T(8,6) ; ALIGN X(I) WITH T(I,3) ; DISTRIBUTE T(BLOCK, BLOCK) ONTO P(2,3)",
		"[4{r}8, 2{c}6] only :, 2 through i to 8"},
	{"{r: 2, c: 3}",
		"REAL X(8,5) ; TEMPLATE T(8) ; ALIGN X(I,*) WITH T(I) ; DISTRIBUTE T(CYCLIC) ONTO P(6) ; column-major",
		"[1{x,..}8, 5] over {x: 6}"},
	{"{x: 3}", "REAL X(6) ; DISTRIBUTE X(INDIRECT((/1,1,3,2,2,1/))) ONTO P(3)", "[6] at {0: 0-1 5; 1: 3-4; 2: 2}"},
	{"{x: 3}", "PROCESSORS P(0:2) ; REAL*8 X(0:5) ; DISTRIBUTE X(INDIRECT([0,2,0,2,0,2])) ONTO P",
		"f64[6] at {0: 0 2 4; 1: ; 2: 1 3 5}"},
	{"{x: 2}",
		"REAL X(3) ; TEMPLATE T(6) ; ALIGN X(I) WITH T(2*I) ; DISTRIBUTE T(INDIRECT((/2,1,2,2,1,1/))) ONTO P(2)",
		"[3] at {0: 0 2; 1: 1}"},
	{"{x: 4}", "INTEGER A(0:9), B(0:9) ; ALIGN B(:) WITH A(:) ; DISTRIBUTE A(CYCLIC) ONTO P(4)", "i32[1{x,..}10]"},
	{"{x: 2, y: 2}", "(_StridedShard(0, split_factor=4), Shard(0)) on mesh (2, 2) of 16", "[2{x,..2,y}16]"},
	{"{x: 2}", "(_StridedShard(1, sf=3),) on mesh (2,) of 5 x 12", "[5, 2{x,..}12]"},
	{"{x: 2}", "(_StridedShard(0, split_factor=2),) on mesh (2,) of 5 x 2",
		"[5, 2] on 0 only 0:2, : union [5, 2] on 0 only 3, : union [5, 2] on 1 only 2, : union [5, 2] on 1 only 4, :"},
};

static void same_in_two(void **state)
{
	const struct same_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_holding a = held_by(&mesh, row->text), b = held_of(&mesh, row->type);
	sw_text has = {0};

	if (!sw_holding_equal(&a, &b)) {
		sw_holding_print(&a, 0, &has);
		fail_msg("%s is not %s: device 0 has %s", row->text, row->type, sw_text_get(&has));
	}
}

/* ---- refusals ---- */

static const struct refused_row {
	const char *text;
	sw_code code;
	const char *at;      /* what is marked */
	const char *says[3]; /* words of the answer */
} refused_rows[] = {
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 0) on 2 x 3", SW_N01, "(1, 0, 9, 9, 2, 2, 0, 0)", {"9", "LLD", "8"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5, 6) on 2 x 3", SW_N01, "(1, 0, 9, 9, 2, 2, 0, 0, 5, 6)", {"9", "more"}},
	{"DESC = (501, 0, 9, 2, 0, 5, 0) on 1 x 6", SW_N01, "501", {"501", "band", "DTYPE 1"}},
	{"DESC = (2, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3", SW_N01, "2", {"DTYPE"}},
	{"DESC = (1, 0, 0, 9, 2, 2, 0, 0, 5) on 2 x 3", SW_N01, "0", {"M", "at least 1"}},
	{"DESC = (1, 0, 9, 9, -2, 2, 0, 0, 5) on 2 x 3", SW_N01, "-2", {"MB", "at least 1"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 2, 0, 5) on 2 x 3", SW_N01, "2", {"RSRC", "0 to 1"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 3, 5) on 2 x 3", SW_N01, "3", {"CSRC", "0 to 2"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 4) on 2 x 3", SW_N01, "4", {"LLD", "at least 5"}},
	{"DESC = (1, 0, 9, m, 2, 2, 0, 0, 5) on 2 x 3", SW_N01, "m", {"whole number", "N"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5)", SW_N03, "(1, 0, 9, 9, 2, 2, 0, 0, 5)", {"grid", "on 2 x 3"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x", SW_N01, NULL, {"size of the grid"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 4 x 3", SW_N05, NULL, {"12", "6"}},
	{"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5 on 2 x 3", SW_N01, "on", {"closing bracket"}},
	{"local sizes of 3", SW_N01, NULL, {"each process"}},
	{"local sizes 5 4 of 10", SW_N01, "10", {"9"}},
	{"ownership ranges 0 5 3", SW_N01, NULL, {"ascend"}},
	{"rowsplit [0, 3, 2] colsplit [0, 4] owners [[0], [1]]", SW_N01, "[0, 3, 2]", {"ascends"}},
	{"rowsplit [0, 3] colsplit [0, 4] owners [[0], [1]]", SW_N01, "[[0], [1]]", {"1 x 1"}},
	{"rowsplit [0, 3] colsplit [0, 4] owners [[7]]", SW_N05, NULL, {"8", "6"}},
	{"{1..9} dmapped new fooDist({1..9})", SW_N01, "fooDist", {"blockDist"}},
	{"{1..8 by 2} dmapped new blockDist({1..8})", SW_N01, NULL, {"stride"}},
	{"{8..1} dmapped new blockDist({1..8})", SW_N01, NULL, {"empty"}},
	{"Space dmapped new cyclicDist(startIdx=1)", SW_N03, "cyclicDist", {"indices are unknown"}},
	{"{1..8} dmapped new blockCycDist(startIdx=1)", SW_N01, "blockCycDist", {"blocksize"}},
	{"{1..8} dmapped new blockCycDist(startIdx=(1,1), blocksize=2)", SW_N01, NULL, {"startIdx", "2"}},
	{"REAL X(24) ; DISTRIBUTE X(BLOCK(5)) ONTO P(4)", SW_N01, "BLOCK", {"24", "BLOCK(6)"}},
	{"REAL X(4) ; DISTRIBUTE X(INDIRECT((/1,2,2/))) ONTO P(2)", SW_N01, "INDIRECT((/1,2,2/))", {"4 processors", "3"}},
	{"REAL X(4) ; DISTRIBUTE X(INDIRECT((/1,2,3,2/))) ONTO P(2)", SW_N01, "INDIRECT((/1,2,3,2/))",
		{"processor 3", "1 to 2"}},
	{"REAL X(4) ; DISTRIBUTE X(INDIRECT(MAP)) ONTO P(2)", SW_N01, "MAP", {"INDIRECT((/1,1,3,2/))"}},
	{"REAL X(4,2) ; DISTRIBUTE X(INDIRECT((/1,2,2,1/)), *) ONTO P(2)", SW_N03, "X", {"several dimensions"}},
	{"REAL X(24) ; DISTRIBUTE X(BLOCK, *) ONTO P(4)", SW_N03, "X", {"dimensions"}},
	{"REAL X(24) ; DISTRIBUTE X(WEIRD) ONTO P(4)", SW_N01, "WEIRD", {"CYCLIC(4)"}},
	{"REAL X(24) ; TEMPLATE T(24) ; ALIGN X(I) WITH T(2*I) ; DISTRIBUTE T(BLOCK) ONTO P(4)", SW_N01, "2*I",
		{"48", "24"}},
	{"REAL X(24) ; TEMPLATE T(24) ; ALIGN X(I) WITH T(I*I) ; DISTRIBUTE T(BLOCK) ONTO P(4)", SW_N01, NULL,
		{"affine"}},
	{"REAL X(24) ; ALIGN X(I) WITH Y(I) ; REAL Y(24) ; ALIGN Y(I) WITH X(I) ; !HPF$ PROCESSORS P(4)", SW_N01, NULL,
		{"cycle"}},
};

static void refused_placement(void **state)
{
	const struct refused_row *row = *state;
	sw_mesh mesh = mesh_of("{d: 6}");
	const sw_notation_context context = {.mesh = &mesh, .rank = -1};
	sw_sharding *s = SW_NEW(arena, sw_sharding, 1);
	sw_type type;
	const sw_distribution *words;
	sw_diag diag = {.code = SW_OK};
	char all[1024];

	if (sw_sharding_parse(sw_str_of(row->text), &context, arena, s, &diag) &&
		sw_sharding_any(s, &mesh, NULL, arena, &type, &words, &diag))
		fail_msg("%s was accepted", row->text);
	snprintf(all, sizeof all, "%s; %s; %s; %s", diag.message, diag.expected, diag.found, diag.hint);
	if (diag.code != row->code)
		fail_msg("%s: %s", row->text, all);
	for (size_t i = 0; i < COUNT(row->says) && row->says[i] != NULL; i++)
		if (strstr(all, row->says[i]) == NULL)
			fail_msg("%s: not said: %s; but: %s", row->text, row->says[i], all);
	sw_str marked = {row->text + diag.at.begin, diag.at.end - diag.at.begin};
	if (row->at != NULL && !sw_str_is(marked, row->at))
		fail_msg("%s: marked '%.*s': %s", row->text, (int)marked.length, marked.at, all);
}

/* ---- calls ---- */

#define CALL_A "(1,0,9,9,2,2,0,0,5) on 2 x 3"
#define CALL_B "(1,1,9,9,3,3,0,0,3) on 3 x 2"

static const struct call_row {
	const char *text, *from, *to; /* NULL: it is refused, and `from` is said */
} call_rows[] = {
	{"CALL PDGEMR2D(9, 9, A, 1, 1, " CALL_A ", B, 1, 1, " CALL_B ", ICTXT)", "f64[2{r,..}9, 2{c,..}9]",
		"f64[3{r,..}9, 3{c,..}9]"},
	{"Cpsgemr2d(4, 5, A, 3, 1, " CALL_A ", B, 2, 2, " CALL_B ", ctxt);", "f32[2{r,..}9, 2{c,..}9] crop 2:6, 0:5",
		"f32[3{r,..}9, 3{c,..}9] crop 1:5, 1:6"},
	{"pzgemr2d_(&m, &n, a, &one, &one, desca, b, &one, &one, descb, &ctxt); int m = 4", NULL, "M"},
	{"int desca[9] = {1, ctxt, 9, 9, 2, 2, 0, 0, 5}; // on 2 x 3\nint descb[9];\n"
	 "descinit_(descb, 9, 9, 3, 3, 0, 0, ctxt, 3, &info); // on 3 x 2\nint m = 4, n = 9, one = 1;\n"
	 "Cpigemr2d(m, n, A, one, one, desca, B, one, one, descb, ctxt);",
		"i32[2{r,..}9, 2{c,..}9] only 0:4, 0:9", "i32[3{r,..}9, 3{c,..}9] only 0:4, 0:9"},
	{"CALL PDGEMR2D(9, 9, A, 2, 1, " CALL_A ", B, 1, 1, " CALL_B ", ICTXT)", NULL, "M of DESCA of at least 10"},
	{"CALL PDGEMR2D(9, 9, A, 1, 1, " CALL_A ", B, 1, 3, " CALL_B ", ICTXT)", NULL, "JB of at most 1"},
	{"CALL PDGEMR2D(9, 9, A, 0, 1, " CALL_A ", B, 1, 1, " CALL_B ", ICTXT)", NULL, "IA of at least 1"},
	{"CALL PDGEMR2D(9, 0, A, 1, 1, " CALL_A ", B, 1, 1, " CALL_B ", ICTXT)", NULL, "N of at least 1"},
	{"CALL PDGEMR2D(9, 9, A, 1, 1, DESCA, B, 1, 1, " CALL_B ", ICTXT)", NULL, "DESCA"},
	{"CALL PDGEMR2D(9, 9, A, 1, 1, " CALL_A ", B, 1, 1, " CALL_B ")", NULL, "11 arguments"},
	{"CALL PXGEMR2D(9, 9, A, 1, 1, " CALL_A ", B, 1, 1, " CALL_B ", ICTXT)", NULL, "no such routine"},
	{"CALL PDGEMR2D(9, 9, A, 1, 1, " CALL_A, NULL, "never closed"},
};

static void read_call(void **state)
{
	const struct call_row *row = *state;
	sw_sharding *end = SW_NEW(arena, sw_sharding, 2);
	sw_diag diag = {.code = SW_OK};

	assert_true(sw_notation_is_gemr2d(sw_str_of(row->text)));
	bool ok = sw_gemr2d_parse(sw_str_of(row->text), NULL, arena, &end[0], &end[1], &diag);
	if (row->from == NULL) {
		char all[1024];
		snprintf(all, sizeof all, "%s; %s; %s", diag.message, diag.expected, diag.found);
		if (ok || strstr(all, row->to) == NULL)
			fail_msg("%s: not said: %s; but: %s", row->text, row->to, all);
		assert_true(diag.at.end > diag.at.begin && diag.at.end <= strlen(row->text));
		return;
	}
	if (!ok)
		fail_msg("%s: %s, %s", row->text, diag.message, diag.expected);
	assert_true(sw_str_is(end[0].words, row->from));
	assert_true(sw_str_is(end[1].words, row->to));
}

/* ---- matrices of ScaLAPACK ---- */

static const struct matrix_row {
	const char *mesh, *type, *printed; /* or why it is none */
	bool is;
} matrix_rows[] = {
	{"{d: 6}", "[2{r,..}9, 2{c@1,..}9] over {r: 2, c: 3}", "2 2 0 1 2 x 3", true},
	{"{d: 6}", "[2{r,..}9, 2{c@1,..}9] over {c: 3, r: 2}", "2 2 0 1 2 x 3 C", true},
	{"{d: 6}", "[2{r,..}9, 2{c@1,..}9] over {c: 3, r: 2} crop 2:5, 1:9", "2 2 0 1 2 x 3 C crop 2 5 1 9", true},
	{"{d: 6}", "[2{r,..}9, 2{c,..}9] over {r: 2, c: 2} only 2:5, :", "2 2 0 0 2 x 2 only 2 5 0 9", true},
	{"{x: 2, y: 3}", "[2{x}4, {y}7] by ceil", "2 3 0 0 2 x 3", true},
	{"{x: 4}", "[3{x}12, 5]", "3 5 0 0 4 x 1", true},
	{"{x: 2, y: 2}", "[1{y,x}4, 5]", "1 5 0 0 4 x 1", true},
	{"{x: 4}", "[5+4+3+1{x}13, 2]", "one size", false},
	{"{x: 4}", "[12, 12]", "copies", false},
	{"{x: 4}", "[12, 12] on 1", "not the first devices", false},
	{"{x: 4}", "[3{x}12]", "two dimensions", false},
	{"{x: 4}", "[3{x}12, 3]+", "one size", false},
	{"{x: 2, y: 2}", "[6{x}12, 3]+{y}", "terms", false},
	{"{x: 4}", "[1{x,..}13, 2] shift 1", "first element", false},
};

static void is_matrix(void **state)
{
	const struct matrix_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_block_cyclic m;
	sw_type type;
	const sw_distribution *words;
	const char *why_not;
	char text[128];
	sw_diag diag;

	assert_true(sw_type_parse_any(&mesh, sw_str_of(row->type), NULL, arena, &type, &words, &diag));
	bool is = sw_block_cyclic_of(&mesh, &type, words, arena, &m, &why_not);
	if (strcmp(row->type, "[3{x}12, 3]+") == 0)
		return; /* a tile type: `+` sums over no axis */
	if (is != row->is)
		fail_msg("%s: %s", row->type, is ? "it is one" : why_not);
	if (!is) {
		assert_non_null(strstr(why_not, row->printed));
		return;
	}
	int length = snprintf(text, sizeof text,
		"%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " x %" PRId64 "%s", m.block[0], m.block[1],
		m.first[0], m.first[1], m.grid[0], m.grid[1], m.turned ? " C" : "");
	if (m.part)
		snprintf(text + length, sizeof text - (size_t)length, " %s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
			m.cropped ? "crop" : "only", m.low[0], m.high[0], m.low[1], m.high[1]);
	assert_string_equal(text, row->printed);
}

/* ---- the program ---- */

static const char *const exported[] = {
	"f64[2{r,..}9, 2{c@1,..}9] over {r: 2, c: 3} ~> f64[3{r,..}9, 3{c,..}9] over {c: 2, r: 3}",
	"f32[2{r,..}9, 2{c,..}9] over {r: 2, c: 3} crop 2:6, 0:5 ~> f32[3{r,..}9, 3{c,..}9] over {r: 3, c: 2} crop 1:5, 1:6",
	"c128[6, 1{d}6] ~> c128[1{d}6, 6]",
	"i32[2{r,..}9, 2{c,..}9] over {r: 2, c: 2} ~> i32[2{r,..}9, 2{c,..}9] over {r: 2, c: 2} only 2:5, 1:9",
};

static void program_compiles(void **state)
{
	const char *ends = *(const char *const *)*state;
	const sw_plan_options options = {.strategy = SW_DIRECT};
	sw_mesh mesh = mesh_of("{d: 6}");
	sw_problem problem;
	sw_plan plan;
	sw_text text = {0};
	sw_diag diag;
	char name[] = "/tmp/pastedXXXXXX.c", command[128];

	if (!sw_problem_parse_any(&mesh, sw_str_of(ends), false, NULL, arena, &problem, &diag) ||
		!sw_plan_find(&problem, &options, arena, &plan, &diag) ||
		!sw_emit(SW_EMIT_SCALAPACK, &plan, NULL, arena, &text, &diag))
		fail_msg("%s: %s", ends, diag.message);
	if (system("command -v mpicc.mpich >/dev/null 2>&1") != 0) {
		sw_text_free(&text);
		skip();
	}
	int file = mkstemps(name, 2);
	assert_true(file >= 0);
	assert_int_equal(write(file, sw_text_get(&text), text.length), text.length);
	close(file);
	snprintf(command, sizeof command, "mpicc.mpich -Wall -Wextra -Werror -fsyntax-only %s", name);
	int status = system(command);
	unlink(name);
	sw_text_free(&text);
	assert_int_equal(status, 0);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(recorded_placements),
		TEST(recorded_matrices),
		TEST(local_sizes_are_numroc),
		TEST(chapel_owners),
		TEST(hpf_owners),
		ROWS(same_in_two, same_rows, text),
		ROWS(refused_placement, refused_rows, text),
		ROWS(read_call, call_rows, text),
		ROWS(is_matrix, matrix_rows, type),
		TEXTS(program_compiles, exported),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
