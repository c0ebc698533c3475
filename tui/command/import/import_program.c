/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a text computes: modules of StableHLO, and products as JAX and the scaling book write them, become the present program.
 */
#define _GNU_SOURCE
#include "command/import/import.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/program_text.h>

#include "answer/watch.h"
#include "command/programs/spmd.h"

bool import_mesh_before(struct import *import, sw_diag *diag)
{
	const struct state *state = &import->run->session->state;
	sw_mesh *copy = SW_NEW(import->run->arena, sw_mesh, 1);
	if (!copy)
		return sw_diag_memory(diag);
	*copy = state->mesh;
	import->mesh_before = state->has[DEFINED_MESH] ? copy : NULL;
	return true;
}

/* ---- modules ---- */

/* Only what moves, and no sum: the table of import says as much. */
static bool only_moves(const sw_program *program)
{
	for (int s = 0; s < program->steps; s++)
		if (sw_op_computes(program->step[s].op) || sw_type_terms(sw_program_from(program, s)) > 1)
			return false;
	return true;
}

/* Statements, and those of them that are products. */
static int count_operations(const sw_program *program, int *products)
{
	int operations = 0;
	*products = 0;
	for (int s = 0; s < program->steps; s++) {
		operations += program->step[s].why == SW_STEP_WRITTEN;
		*products += program->step[s].equation != NULL;
	}
	return operations;
}

static bool read_module(const struct import *import, sw_arena *arena, sw_program *program, sw_program_import *found,
	sw_diag *diag)
{
	struct watch watch;
	watch_start(&watch, import->run->session->console);
	bool ok = sw_program_read_module(import->text, import->mesh_before, &watch.pulse, arena, program, found, diag);
	watch_end(&watch);
	return ok;
}

static void say_lefts(const struct import *import, const sw_program_import *found)
{
	sw_text text = {0};
	long long count = 0;
	for (int i = 0; i < found->lefts; i++) {
		count += found->left[i].count;
		if (i < 4)
			sw_text_addf(&text, "%s%s from line %lld", i ? ", " : "", found->left[i].name,
				(long long)found->left[i].line);
	}
	if (found->lefts > 4)
		sw_text_addf(&text, " and %d more", found->lefts - 4);
	if (count)
		answer_remark(import->run->session,
			"%lld %s not supported; each ends a chain, and its result is an "
			"input: %s",
			count, plural((int64_t)count, "operation is", "operations are"), sw_text_get(&text));
	sw_text_free(&text);
}

static void say_found(const struct import *import, const sw_program *program, const sw_program_import *found)
{
	struct session *session = import->run->session;
	int products, operations = count_operations(program, &products);
	bool beside = session->state.subject == SUBJECT_PROBLEM;
	answer_remark(session, "read as a program of %d %s, %d of them %s: %s", operations,
		plural(operations, "operation", "operations"), products, plural(products, "a product", "products"),
		beside ? "`program` shows it, and the row taken is the problem" :
				 "it is now the present program; `program` shows it");
	say_lefts(import, found);
	for (int i = 0; i < found->conflicts && i < 3; i++)
		answer_remark(session, "line %lld, %s: %s; `assign` chooses how it is computed",
			(long long)found->conflict[i].line, found->conflict[i].rule ? found->conflict[i].rule : "types",
			found->conflict[i].why);
	if (found->conflicts > 3)
		answer_remark(session, "and %d more like it", found->conflicts - 3);
	if (found->results > 1)
		answer_remark(session, "of %d results, the first that is computed is returned", found->results);
	if (sw_program_open(program))
		answer_remark(session, "values without a sharding are open: `assign` finds the types of least cost");
}

/* What was made of the module, and what was not: an object of the answer. */
static void add_computes(const struct import *import, const sw_program *program, const sw_program_import *found)
{
	struct fields *in = field_object(document_fields(import->run->answer, NULL), "computes"), *list;
	int products;
	field_int(in, "operations", count_operations(program, &products));
	field_int(in, "products", products);
	field_bool(in, "open", sw_program_open(program));
	list = field_list(in, "left");
	for (int i = 0; i < found->lefts; i++) {
		struct fields *left = field_object(list, NULL);
		field_text(left, "name", found->left[i].name);
		field_int(left, "line", (int64_t)found->left[i].line);
		field_int(left, "count", found->left[i].count);
	}
	list = field_list(in, "conflicts");
	for (int i = 0; i < found->conflicts; i++) {
		struct fields *conflict = field_object(list, NULL);
		field_int(conflict, "line", (int64_t)found->conflict[i].line);
		field_text(conflict, "rule", found->conflict[i].rule);
		field_text(conflict, "why", found->conflict[i].why);
	}
	field_int(in, "results", found->results);
}

/* The table or the row is answered already; that the module is no program is a remark. */
static bool say_no_program(const struct import *import, const sw_diag *why)
{
	struct session *session = import->run->session;
	if (why->code == SW_N09)
		answer_remark(session, "not read as a program: line %lld, %s, but a program has %s",
			(long long)import_line_at(import->text, why->at.begin), why->message, why->expected);
	else if (why->at.end > why->at.begin)
		answer_remark(session, "not read as a program: line %lld: %s",
			(long long)import_line_at(import->text, why->at.begin), why->message);
	else
		answer_remark(session, "not read as a program: %s", why->message);
	return true;
}

/* What the module itself has wrong: an axis that its mesh lacks, sizes that do not divide. */
static bool is_damaged(const sw_diag *diag)
{
	return (diag->code >= SW_T01 && diag->code <= SW_T17) || diag->code == SW_N05;
}

static bool is_final(const sw_diag *diag)
{
	return diag->code == SW_S03 || diag->code == SW_E01;
}

/* It is no program; `rows`: there was an answer before. */
static bool refuse_program(const struct import *import, bool rows, const sw_diag *why, sw_diag *diag)
{
	bool told = is_damaged(why) || why->code == SW_N09;
	if (!is_final(why) && rows)
		return !told || say_no_program(import, why);
	if (!is_final(why) && !told)
		return true;
	*diag = *why;
	return import_refuse(import, diag);
}

/* A row that was taken stays what commands are about, and the program is beside it. */
static bool keep_program(const struct import *import, const sw_program *program, bool rows, sw_diag *diag)
{
	struct state *state = &import->run->session->state;
	bool row_taken = rows && (import->takes || import->imports.count == 1);
	if (!program_keep(import->run, program, import_source(import), !rows, diag))
		return false;
	if (row_taken)
		state->subject = SUBJECT_PROBLEM;
	return true;
}

static bool take_module(struct import *import, sw_arena *arena, bool rows, bool *taken, sw_diag *diag)
{
	sw_program program;
	sw_program_import found;
	sw_diag why = {.code = SW_OK};
	if (!read_module(import, arena, &program, &found, &why))
		return refuse_program(import, rows, &why, diag);
	if (rows && only_moves(&program))
		return true;
	if (!keep_program(import, &program, rows, &why)) {
		*diag = why;
		return rows && !is_final(&why) && say_no_program(import, &why);
	}
	*taken = true;
	say_found(import, &program, &found);
	if (!rows && !program_answer(import->run, diag))
		return false;
	add_computes(import, &program, &found);
	return true;
}

/* ---- lines of JAX ---- */

static bool take_jax(struct import *import, sw_arena *arena, sw_diag *diag)
{
	sw_program program;
	sw_program_import found;
	struct watch watch;
	watch_start(&watch, import->run->session->console);
	bool ok = sw_program_read_jax(import->text, import->mesh_before, &watch.pulse, arena, &program, &found, diag);
	watch_end(&watch);
	if (!ok)
		return import_refuse(import, diag);
	if (!program_keep(import->run, &program, import_source(import), false, diag))
		return false;
	say_found(import, &program, &found);
	return true;
}

bool import_jax(struct import *import, bool *taken, sw_diag *diag)
{
	*taken = sw_program_is_jax(import->text);
	if (!*taken)
		return true;
	sw_arena *arena = sw_arena_new();
	bool ok = arena ? take_jax(import, arena, diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	return ok && program_answer(import->run, diag);
}

bool import_as_program(struct import *import, bool rows, bool *taken, sw_diag *diag)
{
	sw_arena *arena = NULL;
	*taken = false;
	if (!sw_program_is_module(import->text) || option_given(import->run, OPTION_FOLLOW))
		return true;
	arena = sw_arena_new();
	bool ok = arena ? take_module(import, arena, rows, taken, diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	return ok;
}

/* ---- lines ---- */

/* `jnp.einsum('ij,jk->ik', ...)` as a program of one step. */
static bool print_line(const sw_mesh *mesh, const sw_product *product, sw_text *text)
{
	sw_text_add(text, "mesh ");
	sw_mesh_print(mesh, text);
	sw_text_add(text, " fn product(A: ");
	sw_type_print(mesh, &product->a, true, text);
	sw_text_add(text, ", B: ");
	sw_type_print(mesh, &product->b, true, text);
	sw_text_add(text, ") -> ?");
	sw_text_add(text, " { C = einsum \"");
	sw_equation_print(&product->equation, text);
	sw_text_add(text, product->wanted ? "\" A B as ? D = redistribute C as " : "\" A B as ?");
	if (product->wanted)
		sw_type_print(mesh, &product->as, true, text);
	sw_text_add(text, product->wanted ? " return D }" : " return C }");
	return !text->failed;
}

static int arrays_in(sw_str text)
{
	int count = 0;
	for (size_t i = 0; i < text.length; i++)
		count += text.at[i] == '[';
	return count;
}

/* `A[I, J] B[J, K] -> C[I, K]`; one array before the arrow is a pair of shardings. */
static bool is_book_line(sw_str text)
{
	const char *open = memchr(text.at, '[', text.length), *arrow = memmem(text.at, text.length, "->", 2);
	char first = open && open + 1 < text.at + text.length ? open[1] : '\0';
	bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
	return letter && arrow && arrays_in(text) == 3 && arrays_in((sw_str){text.at, (size_t)(arrow - text.at)}) == 2;
}

static bool is_line(sw_str text)
{
	static const char *const calls[] = {"einsum(", "matmul(", ".dot(", " @ "};
	bool called = false;
	if (!text.length || memchr(text.at, '\n', text.length))
		return false;
	if (sw_product_form_of(text) == SW_PRODUCT_BOOK)
		return is_book_line(text);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		called = called || memmem(text.at, text.length, calls[i], strlen(calls[i]));
	return called && sw_product_form_of(text) == SW_PRODUCT_JAX && arrays_in(text) >= 2;
}

static bool read_line(struct import *import, const sw_mesh *mesh, sw_str text, sw_diag *diag)
{
	sw_product product;
	sw_text printed = {0};
	sw_program program;
	bool ok = sw_product_read(mesh, text, import->arena, &product, diag);
	if (!ok) {
		sw_diag_shift(diag, (size_t)(text.at - import->text.at));
		return import_refuse(import, diag);
	}
	ok = print_line(mesh, &product, &printed) || sw_diag_memory(diag);
	ok = ok &&
		sw_program_parse((sw_str){sw_text_get(&printed), printed.length}, NULL, import->arena, &program, diag) &&
		program_keep(import->run, &program, import_source(import), true, diag);
	sw_text_free(&printed);
	if (!ok)
		return false;
	answer_remark(import->run->session,
		"read as a program of one product, now the present program; `einsum` with the same text lists its "
		"ways");
	return program_answer(import->run, diag);
}

bool import_line(struct import *import, bool *taken, sw_diag *diag)
{
	sw_str text = sw_str_trim(import->text);
	const sw_mesh *mesh = import->mesh_before;
	*taken = is_line(text);
	if (!*taken)
		return true;
	if (mesh)
		return read_line(import, mesh, text, diag);
	sw_diag_set(diag, SW_N03, (sw_span){0, 0}, "no mesh is given for the product");
	sw_diag_expected(diag, "a mesh with its axes, such as mesh {x: 4, y: 2}");
	return import_refuse(import, diag);
}
