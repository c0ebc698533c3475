/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims about products of sharded matrices: the lemma and the four cases of seed 004.
 *
 * A case is the product C[i, k] of A[i, j] and B[j, k].  It is written as a program, typed by the rules of programs, and
 * executed on virtual devices beside whole arrays.
 */
#include "theory/claims.h"

#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

enum { PRODUCT_AXES = 3 };

/* What an axis cuts of a matrix: nothing, or its first or second letter. */
enum product_cut { CUT_NOTHING, CUT_FIRST, CUT_SECOND };

typedef struct product_case {
	int axes;
	int64_t size[PRODUCT_AXES];
	int a[PRODUCT_AXES], b[PRODUCT_AXES]; /* a product_cut of each axis */
	int64_t i, j, k;
} product_case;

/* ---- drawing ---- */

static int64_t product_letter(sw_draw *draw, const product_case *one, const int *cut, int letter, const int *other,
	int other_letter)
{
	int64_t size = 1 + sw_draw_below(draw, 2);
	for (int x = 0; x < one->axes; x++)
		if (cut[x] == letter || (other && other[x] == other_letter))
			size *= one->size[x];
	return size;
}

static bool product_draw(sw_draw *draw, int64_t most, product_case *one)
{
	int64_t devices = 1;
	one->axes = 1 + sw_draw_below(draw, PRODUCT_AXES);
	for (int x = 0; x < one->axes; x++) {
		one->size[x] = 2 + sw_draw_below(draw, 3);
		one->a[x] = sw_draw_below(draw, 3);
		one->b[x] = sw_draw_below(draw, 3);
		devices *= one->size[x];
	}
	one->i = product_letter(draw, one, one->a, CUT_FIRST, NULL, 0);
	one->j = product_letter(draw, one, one->a, CUT_SECOND, one->b, CUT_FIRST);
	one->k = product_letter(draw, one, one->b, CUT_SECOND, NULL, 0);
	return devices <= most;
}

/* ---- which case it is ---- */

static bool product_shares_axis(const product_case *one)
{
	bool shares = false;
	for (int x = 0; x < one->axes; x++)
		shares = shares || (one->a[x] == CUT_FIRST && one->b[x] == CUT_SECOND);
	return shares;
}

static bool product_cuts_unlike(const product_case *one)
{
	bool unlike = false;
	for (int x = 0; x < one->axes; x++)
		unlike = unlike || (one->a[x] == CUT_SECOND) != (one->b[x] == CUT_FIRST);
	return unlike;
}

static bool product_sums(const product_case *one)
{
	bool sums = false;
	for (int x = 0; x < one->axes; x++)
		sums = sums || (one->a[x] == CUT_SECOND && one->b[x] == CUT_FIRST);
	return sums;
}

/* 1 to 4; 0: it is two of them at once. */
static int product_number(const product_case *one)
{
	bool shares = product_shares_axis(one), unlike = product_cuts_unlike(one);
	return shares && unlike ? 0 : shares ? 4 : unlike ? 2 : product_sums(one) ? 3 : 1;
}

/* ---- as a program ---- */

/* The axes for which `keep` says so, as `{x,y}` in front of a size. */
static void product_dim(const product_case *one, const int *cut, int letter, const bool *keep, int64_t size,
	sw_text *text)
{
	int count = 0;
	for (int x = 0; x < one->axes; x++)
		if (cut[x] == letter && (!keep || keep[x]))
			sw_text_addf(text, "%s%c", count++ ? "," : "{", 'x' + x);
	sw_text_addf(text, "%s%lld", count ? "}" : "", (long long)size);
}

static void product_type(const product_case *one, const int *cut, const bool *keep, int64_t rows, int64_t columns,
	sw_text *text)
{
	sw_text_add(text, "[");
	product_dim(one, cut, CUT_FIRST, keep, rows, text);
	sw_text_add(text, ", ");
	product_dim(one, cut, CUT_SECOND, keep, columns, text);
	sw_text_add(text, "]");
}

/* The result follows the axes of i and of k; one that cuts both stays with i. */
static void product_result(const product_case *one, const bool *keep_a, const bool *keep_b, sw_text *text)
{
	bool keep_k[PRODUCT_AXES];
	for (int x = 0; x < one->axes; x++) {
		bool with_i = one->a[x] == CUT_FIRST && (!keep_a || keep_a[x]);
		keep_k[x] = (!keep_b || keep_b[x]) && !with_i;
	}
	sw_text_add(text, "[");
	product_dim(one, one->a, CUT_FIRST, keep_a, one->i, text);
	sw_text_add(text, ", ");
	product_dim(one, one->b, CUT_SECOND, keep_k, one->k, text);
	sw_text_add(text, "]");
}

/* `+{x}`: the axes along which devices hold terms. */
static void product_terms(const product_case *one, const bool *keep_a, sw_text *text)
{
	int count = 0;
	for (int x = 0; x < one->axes; x++)
		if (one->a[x] == CUT_SECOND && one->b[x] == CUT_FIRST && (!keep_a || keep_a[x]))
			sw_text_addf(text, "%s%c", count++ ? "," : "+{", 'x' + x);
	sw_text_add(text, count ? "}" : "");
}

/* The program; axes for which keep_a, keep_b say no (NULL: all stay) are gathered before the product. */
static void product_program(const product_case *one, const bool *keep_a, const bool *keep_b, sw_text *text)
{
	sw_text_add(text, "mesh {");
	for (int x = 0; x < one->axes; x++)
		sw_text_addf(text, "%s%c: %lld", x ? ", " : "", 'x' + x, (long long)one->size[x]);
	sw_text_add(text, "} fn product(a : ");
	product_type(one, one->a, NULL, one->i, one->j, text);
	sw_text_add(text, ", b : ");
	product_type(one, one->b, NULL, one->j, one->k, text);
	sw_text_add(text, ") -> ");
	product_result(one, keep_a, keep_b, text);
	sw_text_add(text, " { ");
	if (keep_a) {
		sw_text_add(text, "p = redistribute a as ");
		product_type(one, one->a, keep_a, one->i, one->j, text);
		sw_text_add(text, " ");
	}
	if (keep_b) {
		sw_text_add(text, "q = redistribute b as ");
		product_type(one, one->b, keep_b, one->j, one->k, text);
		sw_text_add(text, " ");
	}
	sw_text_addf(text, "t = einsum \"ij,jk->ik\" %s %s as ", keep_a ? "p" : "a", keep_b ? "q" : "b");
	product_result(one, keep_a, keep_b, text);
	product_terms(one, keep_a, text);
	sw_text_add(text, " c = redistribute t as ");
	product_result(one, keep_a, keep_b, text);
	sw_text_add(text, " return c }");
}

/* ---- trying ---- */

/* Types the program; SW_OK, or the rule that refuses it. */
static sw_code product_typed(sw_str text, sw_arena *arena, sw_program *program)
{
	sw_diag refused = {.code = SW_OK};
	return sw_program_parse(text, NULL, arena, program, &refused) ? SW_OK : refused.code;
}

/* Typed, planned and executed, the program makes the product. */
static sw_outcome product_executed(sw_str text, sw_try *work)
{
	const sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_PAPER, .pulse = work->pulse};
	const sw_simulate_options run = {.pulse = work->pulse};
	sw_program *program = SW_NEW_ZERO(work->arena, sw_program, 1);
	sw_program planned;
	sw_simulated result;
	if (!program)
		return sw_claim_memory(work);
	sw_code code = product_typed(text, work->arena, program);
	if (code != SW_OK)
		return sw_refute(work, "the program is refused with %s", sw_code_info_of(code)->name);
	if (!sw_program_plan(program, NULL, &options, work->arena, &planned, work->diag) ||
		!sw_simulate(&planned, &run, &result, work->diag))
		return SW_FAILS;
	return result.right && result.exact ?
		SW_HOLDS :
		sw_refute(work, "device %lld holds a wrong element of the product", (long long)result.wrong.device);
}

/* The case as a product of the language, and its devices. */
static void product_script(const product_case *one, sw_try *work)
{
	sw_text *text = work->script;
	work->devices = 1;
	sw_text_clear(text);
	sw_text_add(text, "mesh {");
	for (int x = 0; x < one->axes; x++) {
		sw_text_addf(text, "%s%c: %lld", x ? ", " : "", 'x' + x, (long long)one->size[x]);
		work->devices *= one->size[x];
	}
	sw_text_add(text, "}\neinsum ij,jk->ik ");
	product_type(one, one->a, NULL, one->i, one->j, text);
	sw_text_add(text, ", ");
	product_type(one, one->b, NULL, one->j, one->k, text);
	sw_text_add(text, "\n");
}

/* The text of the program in the arena; NULL: no memory. */
static const char *product_text(const product_case *one, const bool *keep_a, const bool *keep_b, sw_arena *arena)
{
	sw_text text = {0};
	product_program(one, keep_a, keep_b, &text);
	const char *copy = sw_arena_copy(arena, sw_text_get(&text), text.length);
	sw_text_free(&text);
	return copy;
}

static sw_outcome product_with(const product_case *one, const bool *keep_a, const bool *keep_b, sw_try *work)
{
	const char *text = product_text(one, keep_a, keep_b, work->arena);
	return text ? product_executed(sw_str_of(text), work) : sw_claim_memory(work);
}

/* Without a gather the tiles do not multiply, and the rule that is broken says so. */
static sw_outcome product_refused(const product_case *one, sw_code rule, sw_try *work)
{
	sw_program *program = SW_NEW_ZERO(work->arena, sw_program, 1);
	const char *text = product_text(one, NULL, NULL, work->arena);
	if (!text || !program)
		return sw_claim_memory(work);
	sw_code code = product_typed(sw_str_of(text), work->arena, program);
	return code == rule ?
		SW_HOLDS :
		sw_refute(work, "tiles that do not fit are %s", code == SW_OK ? "multiplied" : "refused for another reason");
}

/* Gathers what A, or else B, has to give up: axes of j that cut one of them only, or axes that cut i and k. */
static sw_outcome product_gathered(const product_case *one, bool first, sw_try *work)
{
	bool keep_a[PRODUCT_AXES], keep_b[PRODUCT_AXES];
	for (int x = 0; x < PRODUCT_AXES; x++) {
		bool shared = one->a[x] == CUT_FIRST && one->b[x] == CUT_SECOND;
		bool summed = one->a[x] == CUT_SECOND && one->b[x] == CUT_FIRST;
		keep_a[x] = !(shared && first) && (one->a[x] != CUT_SECOND || summed);
		keep_b[x] = !(shared && !first) && (one->b[x] != CUT_FIRST || summed);
	}
	return product_with(one, keep_a, keep_b, work);
}

static sw_outcome product_case_right(const product_case *one, int number, sw_try *work)
{
	sw_outcome outcome = SW_HOLDS;
	if (number == 1 || number == 3)
		return product_with(one, NULL, NULL, work);
	outcome = product_refused(one, number == 2 ? SW_A05 : SW_A06, work);
	if (outcome == SW_HOLDS)
		outcome = product_gathered(one, true, work);
	return outcome == SW_HOLDS && number == 4 ? product_gathered(one, false, work) : outcome;
}

/* Tiles multiply where they lie, and the result follows them, unless the summed letter or both matrices are cut alike. */
static sw_outcome product_lemma(const product_case *one, sw_try *work)
{
	sw_program *program = SW_NEW_ZERO(work->arena, sw_program, 1);
	const char *text = product_text(one, NULL, NULL, work->arena);
	bool clean = product_number(one) == 1;
	if (!program || !text)
		return sw_claim_memory(work);
	bool typed = product_typed(sw_str_of(text), work->arena, program) == SW_OK;
	bool follows = typed && sw_type_equal(program->value[program->inputs].type, program->result);
	if (follows != clean)
		return sw_refute(work,
			clean ? "the tiles do not multiply" : "the tiles multiply, and nothing is to be summed");
	return clean ? product_with(one, NULL, NULL, work) : SW_HOLDS;
}

sw_outcome sw_claim_product(const sw_statement_row *row, sw_draw *draw, sw_try *work)
{
	product_case one = {0};
	if (!product_draw(draw, work->most, &one) || (row->which && product_number(&one) != row->which))
		return SW_NO_CASE;
	product_script(&one, work);
	return row->which ? product_case_right(&one, row->which, work) : product_lemma(&one, work);
}
