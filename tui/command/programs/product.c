/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products as a user writes them: letters and types, the scaling book's arrays, or a call of JAX.
 */
#include "command/programs/product.h"

#include <math.h>
#include <string.h>

#include <shardwalk/formula.h>
#include <shardwalk/program_text.h>

#include "session/machine.h"

enum { MOST_OPERANDS = 4 };

/* ---- letters and types ---- */

/* `ij,jk->ik A, B as C`, cut. */
struct letters {
	sw_str equation;
	int count; /* of operands */
	sw_str operand[MOST_OPERANDS];
	sw_str as; /* empty: nothing is wanted */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static sw_str skip(sw_str text, size_t length)
{
	return sw_str_trim((sw_str){text.at + length, text.length - length});
}

/* Is the next word one of letters, and no operand?  Behind an arrow there may be none. */
static bool begins_letters(sw_str rest)
{
	size_t length = 0;
	while (length < rest.length && !is_blank(rest.at[length]))
		if (strchr("[{(,", rest.at[length++]))
			return false;
	return length > 0;
}

static bool goes_on(sw_str word, sw_str rest)
{
	if (sw_str_ends(word, "->"))
		return begins_letters(rest);
	return sw_str_ends(word, ",") || sw_str_starts(rest, "->") || sw_str_starts(rest, ",");
}

/* The equation is one word, in quotes or without, and may have blanks around its commas and its arrow. */
static sw_str take_equation(sw_str *rest)
{
	sw_str text = sw_str_trim(*rest);
	char quote = text.length > 0 && (*text.at == '\'' || *text.at == '"') ? *text.at : 0;
	const char *end = quote ? memchr(text.at + 1, quote, text.length - 1) : NULL;
	size_t length = 0;

	if (end != NULL) {
		*rest = skip(text, (size_t)(end - text.at) + 1);
		return (sw_str){text.at + 1, (size_t)(end - text.at) - 1};
	}
	while (length < text.length) {
		while (length < text.length && !is_blank(text.at[length]) && text.at[length] != '[')
			length++;
		if (!goes_on((sw_str){text.at, length}, skip(text, length)))
			break;
		while (length < text.length && is_blank(text.at[length]))
			length++;
	}
	*rest = skip(text, length);
	return sw_str_trim((sw_str){text.at, length});
}

/* Where an operand ends: at a comma or before `as`, outside of brackets and quotes. */
static size_t operand_end(sw_str text, bool *as)
{
	int depth = 0;

	*as = false;
	for (size_t at = 0; at < text.length; at++) {
		char c = text.at[at];

		depth += (c == '[' || c == '{' || c == '(') - (c == ']' || c == '}' || c == ')');
		if (depth == 0 && c == ',')
			return at;
		*as = depth == 0 && at > 0 && is_blank(text.at[at - 1]) && sw_str_starts(sw_str_behind(text, at), "as") &&
			at + 2 < text.length && is_blank(text.at[at + 2]);
		if (*as)
			return at;
	}
	return text.length;
}

static void cut_letters(sw_str text, struct letters *out)
{
	bool as = false;

	*out = (struct letters){.equation = take_equation(&text)};
	while (text.length > 0 && !as) {
		size_t end = operand_end(text, &as);

		if (out->count < MOST_OPERANDS)
			out->operand[out->count] = sw_str_trim((sw_str){text.at, end});
		out->count++;
		text = end < text.length ? skip(text, end + (as ? 2 : 1)) : (sw_str){text.at + end, 0};
	}
	out->as = as ? text : (sw_str){text.at, 0};
}

static bool refuse_count(const struct invocation *run, const struct letters *l, sw_str text, sw_diag *diag)
{
	sw_type type[3];
	sw_text two = {0};

	for (int k = 0; k < 3 && l->count == 3; k++)
		if (!read_type(run, l->operand[k], &type[k], diag))
			return false;
	if (l->count < 2) {
		sw_diag_set(diag, SW_L03, (sw_span){0, 0}, "a product has two operands, but this has %s",
			l->count == 0 ? "none" : "one");
		sw_diag_expected(diag, "EQ A, B, such as ij,jk->ik [4, 6], [6, 8]");
		return refuse_at(run, (sw_str){text.at + text.length, 0}, diag);
	}
	sw_diag_set(diag, SW_A02, (sw_span){0, 0}, "a product has two operands, but this has %d", l->count);
	sw_diag_expected(diag, "one product at a time");
	if (l->count == 3 && sw_equation_in_two(l->equation, type, &two))
		sw_diag_hint(diag, "the fewest flops: %s", sw_text_get(&two));
	sw_text_free(&two);
	diag->rule = SW_RULE_EQUATION;
	return refuse_at(run, l->equation, diag);
}

/* With the operands' dimensions known, an equation that says too little is told in full. */
static bool refuse_equation(const struct invocation *run, const struct letters *l, sw_diag *diag)
{
	sw_type a, b;
	sw_text meant = {0};
	sw_diag ignored;

	if (l->count == 2 && memchr(l->equation.at, ',', l->equation.length) != NULL &&
		read_type(run, l->operand[0], &a, &ignored) && read_type(run, l->operand[1], &b, &ignored) &&
		sw_equation_complete(l->equation, a.rank, b.rank, &meant))
		sw_diag_hint(diag, "write it out: %s", sw_text_get(&meant));
	sw_text_free(&meant);
	return line_refuse(run->position->text, l->equation, diag);
}

static sw_span dimension_at(const struct invocation *run, sw_str operand, int dim)
{
	const char *open = memchr(operand.at, '[', operand.length);
	size_t at = open ? (size_t)(open - operand.at) + 1 : 0, begin = at;
	int depth = 0;

	for (; at < operand.length; at++) {
		char c = operand.at[at];

		depth += (c == '{') - (c == '}');
		if (depth == 0 && (c == ',' || c == ']') && dim-- == 0)
			break;
		if (depth == 0 && c == ',')
			begin = at + 1;
	}
	sw_str slice = open ? sw_str_trim((sw_str){operand.at + begin, at - begin}) : operand;
	return line_span(run->position->text, slice);
}

/* A letter of two sizes is marked at both. */
static bool refuse_shape(const struct invocation *run, const struct letters *l, const sw_product *p, sw_diag *diag)
{
	const sw_equation *e = &p->equation;

	if (diag->code == SW_A03)
		return refuse_at(run, p->a.rank != e->rank[0] ? l->operand[0] : l->operand[1], diag);
	for (int i = 0; diag->code == SW_A04 && i < e->rank[0]; i++) {
		int k = sw_equation_find(e, SW_EQUATION_B, e->letter[0][i]);

		if (k < 0 || p->a.global[i] == p->b.global[k])
			continue;
		diag->at = dimension_at(run, l->operand[0], i);
		sw_diag_also(diag, dimension_at(run, l->operand[1], k), "and here");
		return false;
	}
	return refuse_at(run, l->operand[1], diag);
}

/* Where one type says its element type, those that say none take it over. */
static void share_dtype(sw_product *p, const sw_type *result)
{
	sw_type *types[] = {&p->a, &p->b, &p->as};

	for (int k = 0; k < (p->wanted ? 3 : 2); k++)
		if (!types[k]->dtype_given) {
			types[k]->dtype = result->dtype;
			types[k]->dtype_given = result->dtype_given;
		}
}

static bool read_letters(const struct invocation *run, sw_str text, sw_product *p, sw_diag *diag)
{
	struct letters l;
	sw_type result;

	cut_letters(text, &l);
	if (l.count > 2)
		return refuse_count(run, &l, text, diag);
	if (!sw_equation_parse(l.equation, &p->equation, diag))
		return refuse_equation(run, &l, diag);
	if (l.count < 2)
		return refuse_count(run, &l, text, diag);
	if (!read_type(run, l.operand[0], &p->a, diag) || !read_type(run, l.operand[1], &p->b, diag))
		return false;
	if (!sw_product_shape(&p->equation, &p->a, &p->b, &result, diag))
		return refuse_shape(run, &l, p, diag);
	p->wanted = l.as.length > 0;
	if (p->wanted && !read_type(run, l.as, &p->as, diag))
		return false;
	share_dtype(p, &result);
	return !p->wanted || sw_type_redistributable(&p->as, &result, diag) || refuse_at(run, l.as, diag);
}

/* ---- in any form ---- */

bool product_read(const struct invocation *run, sw_str text, sw_product *product, sw_diag *diag)
{
	if (!session_need(run->session, DEFINED_MESH, diag))
		return false;
	product->mesh = run->session->state.mesh;
	if (sw_product_form_of(text) == SW_PRODUCT_LETTERS)
		return read_letters(run, text, product, diag);
	return sw_product_read(&run->session->state.mesh, text, run->arena, product, diag) ||
		line_refuse(run->position->text, text, diag);
}

bool product_machine(const struct plan_request *asked, const sw_mesh *mesh, const sw_machine **machine, sw_diag *diag)
{
	*machine = NULL;
	return !sw_model_is_timed(asked->model) || asked->model == SW_MODEL_PORTS ||
		machine_find(asked->model, asked->hardware, mesh->devices, machine, diag);
}

/* ---- as fields ---- */

/* The same product as a formula. */
static void formula_field(const sw_product *p, struct fields *in)
{
	const sw_str name[SW_EQUATION_SIDES] =
		{[SW_EQUATION_A] = sw_str_of("A"), [SW_EQUATION_B] = sw_str_of("B"), [SW_EQUATION_RESULT] = sw_str_of("C")};
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	sw_formula formula;

	if (arena != NULL && sw_formula_of_equation(&p->equation, name, arena, &formula)) {
		sw_formula_print(&formula, &text);
		field_printed(in, "formula", &text);
	}
	sw_arena_free(arena);
}

void product_ends_fields(const sw_product *p, struct fields *in)
{
	sw_text equation = {0};

	sw_equation_print(&p->equation, &equation);
	field_printed(in, "einsum", &equation);
	formula_field(p, in);
	field_type(in, "a", &p->mesh, &p->a, false);
	field_type(in, "b", &p->mesh, &p->b, false);
	if (p->wanted)
		field_type(in, "as", &p->mesh, &p->as, false);
	else
		field_null(in, "as");
}

void product_fields(const sw_product *p, struct fields *in)
{
	unsigned cases = sw_product_cases(&p->mesh, &p->equation, &p->a, &p->b);
	struct fields *list = field_list(in, "cases"), *local = field_object(in, "local");
	sw_type type;
	sw_diag diag;
	int64_t flops;

	for (int k = 0; k < 8; k++)
		if ((cases >> k & 1) != 0)
			field_int(list, NULL, k);
	if (!sw_product_local(&p->mesh, &p->equation, &p->a, &p->b, &type, &diag)) {
		field_text(local, "rule", diag.rule);
		return;
	}
	field_type(local, "type", &p->mesh, &type, false);
	if (sw_product_flops(&p->equation, &p->a, &p->b, &flops, &diag))
		field_int(local, "flops", flops);
}
