/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whatever the engine is given to read, it reads or refuses: no crash, and every refusal has a code, a message and a
 * place inside the text.  What it reads it prints, and reads back.
 */
#define _GNU_SOURCE
#include <shardwalk/collective.h>
#include <shardwalk/distribution.h>
#include <shardwalk/formula.h>
#include <shardwalk/json.h>
#include <shardwalk/notation.h>
#include <shardwalk/number.h>
#include <shardwalk/plan.h>

#include "kit/mutate.h"
#include "kit/kit.h"

#define ROUNDS 20000

static bool lies_inside(sw_span span, size_t length)
{
	return span.begin <= span.end && span.end <= length;
}

static bool is_text(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

static const char *fault_of(const sw_diag *diag, size_t length)
{
	const sw_code_info *info = sw_code_info_of(diag->code);

	if (diag->code == SW_OK || info == NULL)
		return "no code";
	if (diag->code == SW_E01)
		return "no memory";
	if (diag->message[0] == '\0' || !is_text(diag->message, sizeof diag->message))
		return "no message";
	if (!is_text(diag->expected, sizeof diag->expected) || !is_text(diag->found, sizeof diag->found) ||
		!is_text(diag->hint, sizeof diag->hint) || !is_text(diag->also_label, sizeof diag->also_label))
		return "no text";
	if (!lies_inside(diag->at, length) || !lies_inside(diag->also, length))
		return "a place outside";
	if (diag->at.end == 0 && length > 0)
		return "no place";
	return NULL;
}

static void check_refusal(const sw_diag *diag, const char *text, size_t length)
{
	const char *fault = fault_of(diag, length);

	if (fault != NULL)
		fail_msg("%s: '%s' at %zu-%zu of %zu: %.*s", fault, diag->message, diag->at.begin, diag->at.end, length,
			(int)length, text);
}

/* ---- meshes ---- */

static const char *const meshes[] = {
	"{x: 4, y: 6}",
	"{x: 4}",
	"{\"odd name\": 2, 'b': 3, c_1: 5}",
	"{node: 2 @ 10GB/s 20us, core: 4 @ 1.5TB/s, t: 2 @ 300ns}",
	"{a:2,b:2,c:2,d:2,e:2,f:2,g:2,h:2,i:2,j:2,k:2,l:2,m:2,n:2,o:2,p:2,q:2,r:2,s:2,t:2}",
	"{a: 1099511627776}",
};

static void reads_back_mesh(const sw_mesh *mesh)
{
	sw_text text = {0};
	sw_mesh again;

	sw_mesh_print(mesh, &text);
	if (!sw_mesh_parse((sw_str){sw_text_get(&text), text.length}, &again, NULL) || !sw_mesh_equal(mesh, &again))
		fail_msg("does not read back: %s", sw_text_get(&text));
	sw_text_free(&text);
}

static void meshes_are_read_or_refused(void **state)
{
	draw from = draw_start("meshes");
	mutant m;
	int read = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		sw_mesh mesh;
		sw_diag diag = {0};

		mutant_draw(&m, &from, meshes[draw_below(&from, sizeof meshes / sizeof *meshes)]);
		char *text = mutant_copy(&m);
		if (sw_mesh_parse((sw_str){text, m.length}, &mesh, &diag)) {
			reads_back_mesh(&mesh);
			read++;
		} else {
			check_refusal(&diag, text, m.length);
		}
		free(text);
	}
	assert_in_range(read, ROUNDS / 100, ROUNDS - ROUNDS / 100);
}

/* ---- types and problems ---- */

static const char *const problems[] = {
	"[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
	"f32[{x}12, {y}12] -> [2{y}12, {x}12]",
	"bf16[6{x:(1)2}12, 1{x:(2)2,y}12] ~> bf16[2{y:(2)3,y:(1)2}12, 3{x}12]",
	"[] ~> []",
	"[12, 4]+{y:(2)3,x} ~> [3{x}12, 2{y:(1)2}4] +{y:(2)3}",
	"\"[8{}8, 4{y:6}24]\" ~> [8, 24]",
	"[1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 1, 1, 1, 1, 1, 1] ~> [1, 2, 3, 1{x}4, 5, 1{y}6, 7, 8, 1, 1, 1, 1, 1, 1, 1, 1]",
	"[2305843009213693951] ~> [2305843009213693951]",
};

static void two_axes(sw_mesh *mesh)
{
	assert_true(sw_mesh_parse(sw_str_of("{x: 4, y: 6}"), mesh, NULL));
}

static void reads_back_type(const sw_mesh *mesh, const sw_type *type)
{
	sw_text text = {0};
	sw_type again;

	sw_type_print(mesh, type, type->dtype_given, &text);
	if (!sw_type_parse(mesh, (sw_str){sw_text_get(&text), text.length}, &again, NULL) ||
		!sw_type_equal(type, &again) || again.dtype != type->dtype)
		fail_msg("does not read back: %s", sw_text_get(&text));
	sw_text_free(&text);
}

static void problems_are_read_or_refused(void **state)
{
	draw from = draw_start("problems");
	sw_mesh mesh;
	mutant m;
	int read = 0;

	(void)state;
	two_axes(&mesh);
	for (int round = 0; round < ROUNDS; round++) {
		sw_problem problem;
		sw_diag diag = {0};

		mutant_draw(&m, &from, problems[draw_below(&from, sizeof problems / sizeof *problems)]);
		char *text = mutant_copy(&m);
		if (sw_problem_parse(&mesh, (sw_str){text, m.length}, &problem, &diag)) {
			assert_true(sw_type_redistributable(&problem.from, &problem.to, NULL));
			reads_back_type(&mesh, &problem.from);
			reads_back_type(&mesh, &problem.to);
			read++;
		} else {
			check_refusal(&diag, text, m.length);
		}
		free(text);
	}
	assert_in_range(read, ROUNDS / 100, ROUNDS - ROUNDS / 100);
}

/* ---- distributions ---- */

static const char *const distributions[] = {
	"[1{x,..}13]",
	"f64[2{x@1,..}13, 3{y,..}7] shift 1, -2 wrap",
	"[2{x,..2,y}96, 5] only 2:8:2, :",
	"[5+4+3+1{x}13, 6] by balanced",
	"[{y,x}17]+ by nested on 0,2-3",
	"[2{r,..}9, 2{c,..}9]+{r} over {r: 2, c: 3} on {r: 0} crop 2:8, 1",
	"[6{x}24] union [6{x}24] shift 1 union [24] on {x: 1, y: 0-2} shift -1",
	"[{x}6, 4] by floor through (i+1)/2, 2*j-1 to 3, 8",
	"[13]+ at {0: 0-3 8; 2: 4+2*3 2-3+4*2; 3:}",
};

static bool same_holding(const sw_mesh *mesh, const sw_distribution *a, const sw_distribution *b, sw_arena *arena)
{
	sw_holding one, other;

	return sw_holding_of_distribution(mesh, a, NULL, arena, &one) &&
		sw_holding_of_distribution(mesh, b, NULL, arena, &other) && sw_holding_equal(&one, &other);
}

static void reads_back_distribution(const sw_mesh *mesh, const sw_distribution *read, sw_arena *arena)
{
	sw_text text = {0};
	sw_distribution again;

	sw_distribution_print(mesh, read, read->type.dtype_given, &text);
	if (!sw_distribution_parse(mesh, (sw_str){sw_text_get(&text), text.length}, NULL, arena, &again, NULL) ||
		!same_holding(mesh, read, &again, arena))
		fail_msg("does not read back: %s", sw_text_get(&text));
	sw_text_free(&text);
}

static void distributions_are_read_or_refused(void **state)
{
	draw from = draw_start("distributions");
	sw_arena *arena = sw_arena_new();
	sw_mesh mesh;
	int accepted = 0;

	(void)state;
	two_axes(&mesh);
	for (int round = 0; round < ROUNDS; round++) {
		mutant m;
		sw_distribution read;
		sw_diag diag;
		sw_arena_clear(arena);
		mutant_draw(&m, &from, distributions[draw_below(&from, (int)COUNT(distributions))]);
		char *text = mutant_copy(&m);
		if (sw_distribution_parse(&mesh, (sw_str){text, m.length}, NULL, arena, &read, &diag)) {
			reads_back_distribution(&mesh, &read, arena);
			accepted++;
		} else {
			check_refusal(&diag, text, m.length);
		}
		free(text);
	}
	assert_in_range(accepted, ROUNDS / 50, ROUNDS);
	sw_arena_free(arena);
}

/* ---- placements of other libraries ---- */

static const char *const placements[] = {
	"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3",
	"int desca[9] = {1, ictxt, 9, 9, 3, 2, 1, 2, 6}; // on 2 x 3 column-major",
	"CALL DESCINIT(DESCA, 9, 9, 2, 2, 0, 0, ICTXT, 5, INFO) on 2 x 3",
	"{1..8, 1..8} dmapped new blockDist(boundingBox={1..8, 0..9})",
	"{-3..8} dmapped new blockCycDist(startIdx=1, blocksize=3) on 4",
	"const S = {1..9}; var A = stencilDist.createArray(S, real, fluff=(1,)); on 4",
	"{1..9, 1..9} dmapped Cyclic(startIdx=(1,1), targetLocales=reshape(Locales, {0..1, 0..2}))",
	"REAL X(24) ; TEMPLATE T(72) ; ALIGN X(I) WITH T(3*I) ; DISTRIBUTE T(CYCLIC(4)) ONTO P(3)",
	"PROCESSORS P(2,3); REAL*8 A(0:8,9); DISTRIBUTE (BLOCK(5), CYCLIC) ONTO P :: A ; column-major",
	"REAL B(6,8) ; TEMPLATE T(8,6) ; ALIGN B(I,:) WITH T(:,7-I) ; DISTRIBUTE T(GEN_BLOCK((/5,3/)), *) ONTO P(2)",
	"local sizes 5 4 3 1",
	"PETSc ownership ranges [0, 5, 9, 12, 13] of 13 x 4",
	"PETSC_DECIDE, 13 on 4",
	"rowsplit [0, 3, 7, 10] colsplit [0, 4, 9] owners [[0, 1], [2, 2], [1, 0]]",
	"f64[9, 9] xy->xy",
	"f64[8, 9] row,col->0,row",
	"(_StridedShard(0, split_factor=2), Shard(0)) on mesh (2, 2) of 8 x 6",
	"(_StridedShard(0, sf=2), _StridedShard(1, sf=3)) on mesh (2, 2) of 5 x 7, as released",
	"CALL PDGEMR2D(4, 5, A, 3, 1, (1,0,9,9,2,2,0,0,5) on 2 x 3, B, 2, 2, (1,1,9,9,3,3,0,0,3) on 3 x 2, ICTXT)",
	"int desca[9] = {1, c, 9, 9, 2, 2, 0, 0, 5}; // on 2 x 3\nint m = 4;\nCpdgemr2d(m, 9, A, 1, 1, desca, B, 1, 1, desca, c);",
};

/* The type that says the same is read again from what is printed, and from itself over its mesh. */
static void says_a_type(const sw_sharding *s, sw_arena *arena)
{
	sw_type type, again;
	const sw_distribution *words, *more;
	sw_text text = {0};
	sw_diag diag = {0};

	if (!sw_sharding_any(s, &s->mesh, NULL, arena, &type, &words, &diag))
		fail_msg("%.*s: %s", (int)s->words.length, s->words.at, diag.message);
	sw_type_print_any(&s->mesh, &type, words, type.dtype_given, &text);
	if (!sw_type_parse_any(&s->mesh, (sw_str){sw_text_get(&text), text.length}, NULL, arena, &again, &more, &diag))
		fail_msg("does not read back: %s: %s", diag.message, sw_text_get(&text));
	assert_true((words == NULL) == (more == NULL));
	sw_text_free(&text);
}

/* Reads a text as a placement, or as a call with two. */
static bool read_placement(sw_str text, const sw_mesh *mesh, sw_sharding *ends, sw_arena *arena, sw_diag *diag)
{
	const sw_notation_context context = {.mesh = mesh, .rank = -1};

	ends[1].kind = SW_SHARDING_TILED;
	return sw_notation_is_gemr2d(text) ? sw_gemr2d_parse(text, &context, arena, &ends[0], &ends[1], diag) :
										 sw_sharding_parse(text, &context, arena, &ends[0], diag);
}

static void placements_are_read_or_refused(void **state)
{
	draw from = draw_start("placements");
	sw_arena *arena = sw_arena_new();
	sw_mesh mesh;
	int read = 0;

	(void)state;
	two_axes(&mesh);
	for (int round = 0; round < ROUNDS; round++) {
		mutant m;
		sw_diag diag = {.code = SW_OK};
		sw_arena_clear(arena);
		sw_sharding *ends = SW_NEW_ZERO(arena, sw_sharding, 2);
		mutant_draw(&m, &from, placements[draw_below(&from, (int)COUNT(placements))]);
		char *text = mutant_copy(&m);
		if (!read_placement((sw_str){text, m.length}, round % 2 ? &mesh : NULL, ends, arena, &diag)) {
			check_refusal(&diag, text, m.length);
		} else {
			for (int end = 0; end < 2; end++)
				if (ends[end].kind == SW_SHARDING_WORDS)
					says_a_type(&ends[end], arena);
			read++;
		}
		free(text);
	}
	assert_in_range(read, ROUNDS / 100, ROUNDS);
	sw_arena_free(arena);
}

/* ---- operations by hand ---- */

static const char *const calls[] = {"dynslice(0, x)", "dynslice(0, {x,y})", "allgather(0)", "allgather(1, 3)",
	"alltoall(0, 1)", "alltoall(1, 0, 2)", "allpermute [3{x}12, 2{y}12]", "allpermute", "exchange [2{y}12, 3{x}12]",
	"gather [[0,2],[1,2]]", "alltoall [[0,2]] [[1,2]]", "split [[0,2]]", "split [[0,{x:(1)2}],[1,{y}]]",
	"alltoall(0, 1, {x:(2)2})", "reducescatter(0, {y})", "reducescatter {y:(1)2} [[0,2]] [[1,4]] {x:(2)2,y:(1)2}",
	"allreduce {y}", "zeros {x,y}", "pad(0, 2)", "allpermute [3{x}12, 12]+{y}"};

static const char *const starts[] = {"[3{x}12, 2{y}12]", "[12, 12]", "[1{x,y}24, 4]", "[6{x:(1)2}12, 4{y:(1)3}12]",
	"[12, 12]+{x,y}", "[6{x:(2)2}12, 24]+{y,x:(1)2}"};

static void reads_back_call(const sw_mesh *mesh, const sw_type *before, const sw_type *to, const sw_call *call,
	const sw_type *after)
{
	sw_text text = {0};
	sw_call again;
	sw_type type;

	sw_call_print(mesh, call, &text);
	if (!sw_call_read(mesh, before, to, (sw_str){sw_text_get(&text), text.length}, &again, &type, NULL) ||
		!sw_type_equal(after, &type))
		fail_msg("does not read back: %s", sw_text_get(&text));
	sw_text_free(&text);
}

static void calls_are_applied_or_refused(void **state)
{
	draw from = draw_start("calls");
	sw_mesh mesh;
	sw_type to;
	mutant m;
	int read = 0;

	(void)state;
	two_axes(&mesh);
	assert_true(sw_type_parse(&mesh, sw_str_of("[2{y}12, 3{x}12]"), &to, NULL));
	for (int round = 0; round < ROUNDS; round++) {
		sw_type before, after;
		sw_call call;
		sw_diag diag = {0};

		assert_true(sw_type_parse(&mesh, sw_str_of(starts[draw_below(&from, sizeof starts / sizeof *starts)]),
			&before, NULL));
		mutant_draw(&m, &from, calls[draw_below(&from, sizeof calls / sizeof *calls)]);
		char *text = mutant_copy(&m);
		if (sw_call_read(&mesh, &before, &to, (sw_str){text, m.length}, &call, &after, &diag)) {
			reads_back_call(&mesh, &before, &to, &call, &after);
			read++;
		} else {
			check_refusal(&diag, text, m.length);
		}
		free(text);
	}
	assert_in_range(read, ROUNDS / 100, ROUNDS - ROUNDS / 100);
}

/* ---- plan files ---- */

#define FILES 12
#define FILE_ROUNDS 6000

static char *write_plan(const sw_mesh *mesh, const char *ends, sw_strategy strategy, unsigned flags)
{
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.strategy = strategy};
	sw_problem problem;
	sw_plan plan;
	sw_text text = {0};
	sw_diag diag;

	assert_true(sw_problem_parse(mesh, sw_str_of(ends), &problem, &diag));
	if (!sw_plan_find(&problem, &options, arena, &plan, &diag) || !sw_plan_write(&plan, flags, &text, &diag))
		fail_msg("%s", diag.message);
	sw_arena_free(arena);
	char *copy = strdup(sw_text_get(&text));
	sw_text_free(&text);
	return copy;
}

static void draw_files(char **files)
{
	static const char *const ends[] = {"[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", "[3{x}12, 12] ~> [12, 2{y}12]",
		"bf16[1{x,y}24] ~> bf16[1{y,x}24]"};
	static const sw_strategy strategies[] = {SW_NAIVE, SW_FUSED, SW_DIRECT, SW_PAPER};
	sw_mesh mesh;

	two_axes(&mesh);
	for (int i = 0; i < FILES; i++)
		files[i] = write_plan(&mesh, ends[i % 3], strategies[i / 3],
			(i % 2 ? SW_JSON_LINE : 0) | (i % 5 ? 0 : SW_JSON_MAPS));
}

static void reads_back_plan(const sw_plan *plan, sw_arena *arena)
{
	sw_text text = {0};
	sw_diag diag = {0};
	sw_plan again;

	if (!sw_plan_write(plan, SW_JSON_LINE, &text, &diag) ||
		!sw_plan_read((sw_str){sw_text_get(&text), text.length}, arena, &again, &diag))
		fail_msg("does not read back: %s: %s", diag.message, sw_text_get(&text));
	assert_true(again.cost == plan->cost && again.program.steps == plan->program.steps);
	sw_text_free(&text);
}

static void plans_are_read_or_refused(void **state)
{
	draw from = draw_start("plans");
	sw_arena *arena = sw_arena_new();
	char *files[FILES];
	mutant m;
	int read = 0;

	(void)state;
	draw_files(files);
	for (int round = 0; round < FILE_ROUNDS; round++) {
		sw_plan plan;
		sw_diag diag = {0};

		mutant_draw(&m, &from, files[draw_below(&from, FILES)]);
		char *text = mutant_copy(&m);
		sw_arena_clear(arena);
		if (sw_plan_read((sw_str){text, m.length}, arena, &plan, &diag)) {
			reads_back_plan(&plan, arena);
			read++;
		} else {
			check_refusal(&diag, text, m.length);
		}
		free(text);
	}
	assert_in_range(read, FILE_ROUNDS / 100, FILE_ROUNDS - FILE_ROUNDS / 100);
	for (int i = 0; i < FILES; i++)
		free(files[i]);
	sw_arena_free(arena);
}

/* ---- formulas ---- */

static const char *const formulas[] = {
	"y[i] = 2*x[i] - x[i-1] - x[i+1]",
	"k: y[i, j] = f(x[i+2, j-2], x[i+1, (j+2)/3], b[:]) wrap",
	"y[i] += A[i, j]*x[j] on A",
	"y(i) = f(x(2*i), x(-i+11))",
	"y[i] = f(x[graph lists], x[i/2]) on y",
	"s = -0.5*a[i]*b[i] + f(g(c), 3*a[4])",
};

static bool read_lists(void *context, sw_str name, sw_str *text, sw_diag *diag)
{
	(void)context;
	(void)name;
	(void)diag;
	*text = sw_str_of("1 2\n0\n\n3 0\n");
	return true;
}

static const sw_file_reader lists = {read_lists, NULL};

static void reads_back_formula(const sw_formula *formula, sw_arena *arena)
{
	sw_text text = {0}, second = {0};
	sw_formula again;

	sw_formula_print(formula, &text);
	if (!sw_formula_parse((sw_str){sw_text_get(&text), text.length}, &lists, arena, &again, NULL))
		fail_msg("does not read back: %s", sw_text_get(&text));
	sw_formula_print(&again, &second);
	assert_string_equal(sw_text_get(&text), sw_text_get(&second));
	sw_text_free(&text);
	sw_text_free(&second);
}

/* Small arrays, all of which the only device has, so that it needs no message. */
static void has_needs(sw_formula *formula, draw *from, sw_arena *arena)
{
	sw_holding *held = SW_NEW(arena, sw_holding, formula->arrays);
	sw_points points;
	sw_mesh mesh;

	assert_true(sw_mesh_parse(sw_str_of("{x: 1}"), &mesh, NULL));
	for (int k = 0; k < formula->arrays; k++) {
		int64_t size[SW_MAX_DIMS];
		sw_type type;
		for (int d = 0; d < formula->array[k].rank; d++)
			size[d] = 4 - draw_below(from, 9) / 8;
		assert_true(sw_formula_set_array(formula, k, formula->array[k].rank, size, NULL));
		assert_true(sw_type_replicated(SW_F32, formula->array[k].rank, size, &type, NULL));
		assert_true(sw_holding_of_type(&mesh, &type, NULL, arena, &held[k]));
	}
	if (!sw_formula_fit(formula, NULL))
		return;
	sw_formula_points(formula, &held[sw_formula_place(formula)], &points);
	for (int k = 1; k < formula->arrays; k++) {
		sw_need need;
		sw_region interior, boundary;
		bool local, tight;
		assert_true(
			sw_points_need(&points, k, &held[k], arena, &need) && sw_need_local(&need, &local, &tight) && local);
		assert_true(sw_points_split(&points, &need, 1, 0, arena, &interior, &boundary));
		assert_int_equal(boundary.count, 0);
	}
}

static void formulas_are_read_or_refused(void **state)
{
	draw from = draw_start("formulas");
	sw_arena *arena = sw_arena_new();
	mutant m;
	int read = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		sw_formula formula;
		sw_diag diag = {0};

		sw_arena_clear(arena);
		mutant_draw(&m, &from, formulas[draw_below(&from, sizeof formulas / sizeof *formulas)]);
		char *text = mutant_copy(&m);
		if (sw_formula_parse((sw_str){text, m.length}, &lists, arena, &formula, &diag)) {
			reads_back_formula(&formula, arena);
			has_needs(&formula, &from, arena);
			read++;
		} else {
			check_refusal(&diag, text, m.length);
		}
		free(text);
	}
	assert_in_range(read, ROUNDS / 100, ROUNDS - ROUNDS / 100);
	sw_arena_free(arena);
}

/* ---- bytes that mean nothing ---- */

static void bytes_are_refused(void **state)
{
	draw from = draw_start("bytes");
	sw_arena *arena = sw_arena_new();
	sw_mesh mesh;
	mutant m;

	(void)state;
	two_axes(&mesh);
	for (int round = 0; round < ROUNDS / 4; round++) {
		sw_mesh none;
		sw_type type;
		sw_plan plan;
		sw_diag diag = {0};

		m.length = (size_t)draw_below(&from, 64);
		for (size_t i = 0; i < m.length; i++)
			m.text[i] = (char)draw_below(&from, 256);
		char *text = mutant_copy(&m);
		sw_str str = {text, m.length};
		assert_false(sw_mesh_parse(str, &none, &diag));
		check_refusal(&diag, text, m.length);
		assert_false(sw_type_parse(&mesh, str, &type, &diag));
		check_refusal(&diag, text, m.length);
		assert_false(sw_plan_read(str, arena, &plan, &diag));
		check_refusal(&diag, text, m.length);
		free(text);
	}
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(meshes_are_read_or_refused),
		TEST(problems_are_read_or_refused),
		TEST(distributions_are_read_or_refused),
		TEST(placements_are_read_or_refused),
		TEST(calls_are_applied_or_refused),
		TEST(plans_are_read_or_refused),
		TEST(formulas_are_read_or_refused),
		TEST(bytes_are_refused),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
