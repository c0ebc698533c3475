/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands that say how is computed: workspaces and kernels.
 */
#include "schedule/state.h"

#include <string.h>

#include "base/scan.h"
#include "program/formula.h"

/* ---- precompute ---- */

/* The letters of an access of the formula, a bit each. */
static uint32_t letters_of(const sw_formula *formula, const sw_formula_access *access)
{
	uint32_t letters = 0;

	for (int d = 0; d < formula->array[access->array].rank; d++)
		letters |= UINT32_C(1) << sw_formula_letter(formula, access->index[d].letter);
	return letters;
}

static bool same_factor(const sw_formula *a, const sw_formula_factor *x, const sw_formula *b,
	const sw_formula_factor *y)
{
	if (x->kind != y->kind)
		return false;
	if (x->kind != SW_FACTOR_ACCESS)
		return sw_str_equal(x->word, y->word);
	const sw_formula_access *p = &a->access[x->access], *q = &b->access[y->access];
	int rank = a->array[p->array].rank;
	if (!sw_str_equal(a->array[p->array].name, b->array[q->array].name) || rank != b->array[q->array].rank)
		return false;
	for (int d = 0; d < rank; d++)
		if (!sw_index_equal(&p->index[d], &q->index[d]))
			return false;
	return true;
}

/* Finds the factors of `part` among those of a term, each once: a bit for each that is among them; 0: not all are. */
static uint64_t factors_in(const sw_formula *formula, const sw_formula_term *term, const sw_formula *part)
{
	const sw_formula_term *wanted = &part->sum.term[0];
	uint64_t taken = 0;

	for (int k = 0; k < wanted->factors; k++) {
		bool found = false;
		for (int n = 0; n < term->factors && n < 64 && !found; n++)
			if ((taken >> n & 1) == 0 && same_factor(formula, &term->factor[n], part, &wanted->factor[k])) {
				taken |= UINT64_C(1) << n;
				found = true;
			}
		if (!found)
			return 0;
	}
	return taken;
}

/* The letters of those factors that what is made outside of them has, too. */
static uint32_t letters_kept(const sw_formula *formula, const sw_formula_term *term, uint64_t taken)
{
	uint32_t inside = 0, outside = (UINT32_C(1) << formula->kept) - 1;

	for (int n = 0; n < term->factors && n < 64; n++)
		if (term->factor[n].kind == SW_FACTOR_ACCESS) {
			uint32_t letters = letters_of(formula, &formula->access[term->factor[n].access]);
			*(taken >> n & 1 ? &inside : &outside) |= letters;
		}
	return inside & outside;
}

/* What can be computed first: the accesses on the right. */
static void hint_factors(sw_draft *draft)
{
	const sw_formula *formula = &draft->problem->formula;
	sw_text text = {0};

	for (int k = 0; k < formula->accesses; k++)
		if (formula->access[k].term >= 0 && formula->access[k].at.end <= draft->problem->statement.length) {
			sw_span at = formula->access[k].at;
			sw_text_add(&text, text.length > 0 ? ", " : "");
			sw_text_add_str(&text, (sw_str){draft->problem->statement.at + at.begin, at.end - at.begin});
		}
	sw_diag_hint(draft->diag, "one of %s, or a product of several of one term", sw_text_get(&text));
	sw_text_free(&text);
}

static bool refuse_part(sw_draft *draft, sw_str text)
{
	sw_draft_refuse(draft, SW_D30, text,
		"%s is not a product of factors of one "
		"term",
		sw_scan_quote(text).text);
	sw_diag_expected(draft->diag, "factors of %.*s", SW_STR_ARGS(draft->problem->statement));
	hint_factors(draft);
	return false;
}

/* A workspace has the letters of one term: what is added to others is added where they meet. */
static bool refuse_sum(sw_draft *draft, sw_str text, int terms)
{
	sw_draft_refuse(draft, SW_D30, text, "%s is a sum of %d terms, but a workspace takes one",
		sw_scan_quote(text).text, terms);
	sw_diag_expected(draft->diag, "factors of one term of %.*s", SW_STR_ARGS(draft->problem->statement));
	sw_diag_hint(draft->diag, "a precompute for each term, with a workspace of its own");
	return false;
}

/* Reads the product as the right side of a formula. */
static bool read_part(sw_draft *draft, sw_str text, sw_formula *part)
{
	sw_text whole = {0};
	sw_diag diag;

	sw_text_add(&whole, "workspace_ = ");
	sw_text_add_str(&whole, text);
	size_t length = whole.length;
	const char *kept = sw_text_keep(&whole, draft->arena);
	if (kept == NULL)
		return sw_diag_memory(draft->diag);
	if (!sw_formula_parse((sw_str){kept, length}, NULL, draft->arena, part, &diag))
		return refuse_part(draft, text);
	if (part->sum.terms > 1)
		return refuse_sum(draft, text, part->sum.terms);
	return !part->sum.term[0].minus || refuse_part(draft, text);
}

bool sw_apply_precompute(sw_draft *draft, const sw_command *command)
{
	const sw_formula *formula = &draft->problem->formula;
	sw_str text = command->argument[0], name = command->argument[1];
	sw_formula part;

	if (!read_part(draft, text, &part))
		return false;
	for (int k = 0; k < formula->sum.terms; k++) {
		uint64_t taken = factors_in(formula, &formula->sum.term[k], &part);
		if (taken == 0)
			continue;
		if (!sw_draft_free(draft, name))
			return false;
		if (!SW_GROW(draft->arena, draft->workspace, draft->workspaces, draft->workspace_room, 2))
			return sw_diag_memory(draft->diag);
		draft->workspace[draft->workspaces++] = (sw_workspace){name,
			letters_kept(formula, &formula->sum.term[k], taken)};
		return sw_draft_relate(draft, "precompute(%.*s,%.*s)", SW_STR_ARGS(text), SW_STR_ARGS(name));
	}
	return refuse_part(draft, text);
}

/* ---- substitute ---- */

/* Letters of the statement as those of a kernel, while they are compared; 0: not yet. */
typedef struct match {
	const sw_formula *formula, *kernel;
	uint32_t fixed; /* letters whose loops are outside */
	char is[SW_MAX_LETTERS];
} match;

static bool match_letter(match *m, int letter, char as)
{
	for (int k = 0; k < m->formula->letters; k++)
		if (k != letter && m->is[k] == as)
			return false;
	if (m->is[letter] != 0)
		return m->is[letter] == as;
	m->is[letter] = as;
	return true;
}

static bool match_access(match *m, const sw_formula_access *access, const sw_formula_access *kernel)
{
	int rank = m->formula->array[access->array].rank, next = 0;

	for (int d = 0; d < rank; d++) {
		int letter = sw_formula_letter(m->formula, access->index[d].letter);
		if (m->fixed >> letter & 1)
			continue;
		if (next == m->kernel->array[kernel->array].rank || !match_letter(m, letter, kernel->index[next++].letter))
			return false;
	}
	return next == m->kernel->array[kernel->array].rank;
}

/* Do the factors from number k of the kernel on match some that are left? */
static bool match_factors(match *m, const sw_formula_term *term, int k, uint32_t left)
{
	const sw_formula_term *wanted = &m->kernel->sum.term[0];

	if (k == wanted->factors)
		return left == 0;
	for (int n = 0; n < term->factors; n++) {
		match here = *m;
		if ((left >> n & 1) == 0 || term->factor[n].kind != SW_FACTOR_ACCESS)
			continue;
		if (match_access(&here, &m->formula->access[term->factor[n].access],
				&m->kernel->access[wanted->factor[k].access]) &&
			match_factors(&here, term, k + 1, left & ~(UINT32_C(1) << n)))
			return true;
	}
	return false;
}

/* Does the statement, at fixed values of some letters, compute what the kernel does? */
static bool matches(sw_draft *draft, const sw_schedule_kernel *kernel, uint32_t fixed)
{
	const sw_formula *formula = &draft->problem->formula;
	const sw_formula_term *term = &formula->sum.term[0];
	sw_formula made;

	if (!sw_formula_parse(sw_str_of(kernel->statement), NULL, draft->arena, &made, NULL))
		return false;
	match m = {.formula = formula, .kernel = &made, .fixed = fixed};
	return formula->sum.terms == 1 && !term->minus && term->factors == made.sum.term[0].factors &&
		term->factors < 32 && match_access(&m, &formula->access[0], &made.access[0]) &&
		match_factors(&m, term, 0, (UINT32_C(1) << term->factors) - 1);
}

/* Does a variable come from this one? */
static bool comes_from(const sw_draft *draft, int variable, int from)
{
	const sw_variable *is = &draft->variable[from];

	if (variable == from)
		return true;
	if (is->kind == SW_VARIABLE_LOOP)
		return false;
	return comes_from(draft, variable, is->of) ||
		(is->kind == SW_VARIABLE_CUT && comes_from(draft, variable, is->inner));
}

/* The letters that no loop of the list comes from; *single: each loop comes from a letter of its own. */
static uint32_t letters_outside(const sw_draft *draft, const sw_names *names, bool *single)
{
	uint32_t inside = 0;

	*single = true;
	for (int k = 0; k < names->count; k++) {
		uint32_t from = 0;
		for (int letter = 0; letter < draft->problem->formula.letters; letter++)
			if (comes_from(draft, names->variable[k], letter))
				from |= UINT32_C(1) << letter;
		*single = *single && (from & (from - 1)) == 0 && (inside & from) == 0;
		inside |= from;
	}
	return ((UINT32_C(1) << draft->problem->formula.letters) - 1) & ~inside;
}

static bool refuse_kernel(sw_draft *draft, sw_str name)
{
	const char *names[16];
	int count = 0;

	for (; sw_schedule_kernel_at(count) != NULL && count < 16; count++)
		names[count] = sw_schedule_kernel_at(count)->name;
	int near = sw_str_nearest(name, names, count);
	sw_draft_refuse(draft, SW_D32, name, "there is no kernel %s", sw_scan_quote(name).text);
	sw_diag_expected(draft->diag, "gemm, gemv, ttv, ttm, mttkrp, dot or innerprod");
	if (near >= 0)
		sw_diag_hint(draft->diag, "did you mean '%s'?", names[near]);
	return false;
}

/* The order in which the listed loops are the innermost ones, as a command. */
static bool refuse_outer(sw_draft *draft, const sw_names *names, sw_str where)
{
	sw_text order = {0};

	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < draft->loops; k++) {
			bool listed = false;
			for (int n = 0; n < names->count; n++)
				listed = listed || names->variable[n] == draft->loop[k];
			if (listed != (pass == 1) || draft->variable[draft->loop[k]].distributed)
				continue;
			sw_text_add(&order, order.length > 0 ? "," : "");
			sw_text_add_str(&order, draft->variable[draft->loop[k]].name);
		}
	sw_draft_refuse(draft, SW_D31, where, "these are not the innermost of the loops %s", sw_draft_loops(draft));
	sw_diag_expected(draft->diag, "the last loops");
	sw_diag_hint(draft->diag,
		"reorder({%s}) first, or name all loops from the outermost of them "
		"inward",
		sw_text_get(&order));
	sw_text_free(&order);
	return false;
}

static bool check_loops(sw_draft *draft, const sw_names *names, sw_str where)
{
	for (int k = 0; k < names->count; k++) {
		const sw_variable *is = &draft->variable[names->variable[k]];
		if (is->distributed) {
			sw_draft_refuse(draft, SW_D20, names->name[k], "'%.*s' is in space, but a kernel runs on one device",
				SW_STR_ARGS(names->name[k]));
			sw_diag_expected(draft->diag, "loops in time: %s", sw_draft_in_time(draft));
			return false;
		}
	}
	for (int k = 0; k < names->count; k++)
		if (sw_draft_place(draft, names->variable[k]) < draft->loops - names->count)
			return refuse_outer(draft, names, where);
	for (int k = 0; k < names->count; k++)
		if (draft->variable[names->variable[k]].communicates) {
			sw_draft_refuse(draft, SW_D34, names->name[k], "something is communicated under '%.*s'",
				SW_STR_ARGS(names->name[k]));
			sw_diag_expected(draft->diag, "loops without communicate");
			sw_diag_hint(draft->diag, "communicate it under a loop outside the kernel");
			return false;
		}
	return true;
}

static bool refuse_match(sw_draft *draft, const sw_schedule_kernel *kernel, sw_str where)
{
	sw_draft_refuse(draft, SW_D33, where, "'%s' computes %s", kernel->name, kernel->statement);
	sw_diag_expected(draft->diag, "a kernel of %.*s", SW_STR_ARGS(draft->problem->statement));
	sw_diag_hint(draft->diag, "no kernel computes that: without `substitute` the loops do");
	for (int k = 0; sw_schedule_kernel_at(k) != NULL; k++)
		if (matches(draft, sw_schedule_kernel_at(k), 0))
			sw_diag_hint(draft->diag, "'%s' computes that, over one loop for each letter",
				sw_schedule_kernel_at(k)->name);
	return false;
}

bool sw_apply_substitute(sw_draft *draft, const sw_command *command)
{
	const sw_schedule_kernel *kernel = sw_schedule_kernel_named(command->argument[1]);
	sw_names names;
	sw_text list = {0};
	bool single;

	if (kernel == NULL)
		return refuse_kernel(draft, command->argument[1]);
	if (!sw_draft_loop_list(draft, command->argument[0], &names) || !check_loops(draft, &names, command->argument[0]))
		return false;
	if (draft->kernel != NULL)
		return sw_draft_refuse(draft, SW_D31, command->argument[0], "'%s' runs the innermost loops already",
			draft->kernel->name);
	uint32_t outside = letters_outside(draft, &names, &single);
	if (!single || !matches(draft, kernel, outside))
		return refuse_match(draft, kernel, command->argument[1]);
	draft->kernel = kernel;
	for (int k = 0; k < names.count; k++) {
		draft->variable[names.variable[k]].leaf = true;
		sw_text_add(&list, k > 0 ? "," : "");
		sw_text_add_str(&list, names.name[k]);
	}
	bool related = sw_draft_relate(draft, "substitute({%s},%s)", sw_text_get(&list), kernel->name);
	sw_text_free(&list);
	return related;
}
