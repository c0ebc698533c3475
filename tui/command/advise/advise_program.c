/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `advise` on a program, or on one product: where to add a constraint.
 */
#include "command/advise/advise_program.h"

#include <string.h>

#include <shardwalk/emit.h>

#include "answer/watch.h"
#include "command/advise/advise_code.h"
#include "command/programs/product.h"
#include "command/programs/spmd.h"
#include "views/draw.h"

struct found_advice {
	sw_product product;
	const char *name[3];
	sw_product_advice advice;
};

struct advised {
	struct invocation *run;
	sw_advise_target target;
	const sw_machine *machine;
	const struct kept_program *program; /* NULL: one product */
	int count;
	struct found_advice *found;
	sw_pulse *pulse;
};

static const char *const system_names[SW_ADVISE_COUNT] = {"XLA", "DTensor", "Shardy"};

bool advise_program_asked(const struct invocation *run)
{
	const struct state *state = &run->session->state;
	bool ends = state->has[DEFINED_FROM] && state->has[DEFINED_TO];

	if (argument(run, 0) || state->entered || (state->subject == SUBJECT_PROBLEM && ends))
		return false;
	return state->program || state->product;
}

/* ---- what is asked ---- */

static bool refuse_options(const struct invocation *run, sw_diag *diag)
{
	static const enum option others[] = {OPTION_FORM, OPTION_SEVERAL, OPTION_BUDGET, OPTION_WITHOUT};

	for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
		const struct word *word = option_given(run, others[k]);

		if (!word)
			continue;
		sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "this option does not apply to advice about products");
		sw_diag_hint(diag,
			"`enter N` makes a redistribution of the program the problem, which `advise` is "
			"then about");
		return refuse_at(run, word->raw, diag);
	}
	return true;
}

static const char *name_of(struct advised *a, sw_str name)
{
	return sw_arena_copy(a->run->arena, name.at, name.length);
}

static bool take_statement(struct advised *a, const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	struct found_advice *found = &a->found[a->count++];
	const sw_value *made = &program->value[sw_program_kept(program, s)];
	const sw_value *of[2];

	for (int k = 0; k < 2; k++)
		of[k] = &program->value[sw_program_source(program, step->operand[k])];

	found->product = (sw_product){.mesh = program->mesh,
		.equation = *step->equation,
		.a = *of[0]->type,
		.b = *of[1]->type,
		.wanted = true,
		.as = *made->type};
	found->name[0] = name_of(a, of[0]->name);
	found->name[1] = name_of(a, of[1]->name);
	found->name[2] = name_of(a, made->name);
	return found->name[0] && found->name[1] && found->name[2];
}

static bool take_program(struct advised *a, sw_diag *diag)
{
	const sw_program *program = &a->program->program;

	a->found = SW_NEW_ZERO(a->run->arena, struct found_advice, program->steps + 1);
	if (!a->found)
		return sw_diag_memory(diag);
	if (sw_program_open(program)) {
		sw_diag_set(diag, SW_A10, (sw_span){0, 0}, "some types of the program are open");
		sw_diag_hint(diag, "`assign` chooses them; then `advise` says how to make the system follow");
		return false;
	}
	for (int s = 0; s < program->steps; s++)
		if (program->step[s].equation && !take_statement(a, program, s))
			return sw_diag_memory(diag);
	return true;
}

static bool take_product(struct advised *a, sw_diag *diag)
{
	struct found_advice *found = SW_NEW_ZERO(a->run->arena, struct found_advice, 1);

	a->found = found;
	a->count = 1;
	if (!found)
		return sw_diag_memory(diag);
	found->product = a->run->session->state.product->of;
	if (!found->product.wanted) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no type is given for the product");
		sw_diag_hint(diag, "`einsum ... as TYPE` gives it; then `advise` says what to write");
		return false;
	}
	found->name[0] = "A";
	found->name[1] = "B";
	found->name[2] = "C";
	return true;
}

static bool take(struct advised *a, sw_diag *diag)
{
	const struct state *state = &a->run->session->state;

	const struct kept_formula *formula = state->program ? state->program->formula : NULL;
	if (state->subject == SUBJECT_PRODUCT || !state->program || (formula && formula->product))
		return take_product(a, diag);
	if (!sw_program_of_tiles(&state->program->program, diag))
		return false;
	a->program = state->program;
	return take_program(a, diag);
}

static bool look(struct advised *a, sw_diag *diag)
{
	const sw_product_advice_options options = {a->target, a->machine, a->pulse};

	for (int k = 0; k < a->count; k++)
		if (!sw_advise_product(&a->found[k].product, &options, a->run->arena, &a->found[k].advice, diag))
			return false;
	return true;
}

/* ---- fields ---- */

static bool is_better(const struct advised *a, const struct found_advice *found)
{
	return sw_product_advice_is_better(&found->advice, a->target);
}

static void add_types(const sw_mesh *mesh, const sw_type *const type[3], struct fields *in)
{
	static const char *const keys[] = {"a", "b", "product"};

	for (int k = 0; k < 3; k++)
		field_type(in, keys[k], mesh, type[k], false);
}

static void add_seconds(struct fields *in, double seconds)
{
	if (seconds >= 0)
		field_number(in, "comm_seconds", seconds);
}

static void add_now(const struct found_advice *found, struct fields *in)
{
	const sw_xla_product *now = &found->advice.now;
	const sw_type *const type[3] = {&now->stop[0][now->stops[0] - 1], &now->stop[1][now->stops[1] - 1],
		&now->stop[2][0]};

	field_int(in, "cost", now->cost);
	field_int(in, "flops", now->flops);
	add_seconds(in, now->seconds);
	add_types(&found->product.mesh, type, in);
	field_bool(in, "allreduce", now->allreduce);
}

static void add_then(const struct found_advice *found, struct fields *in)
{
	const sw_product_advice *advice = &found->advice;
	const sw_type *const type[3] = {&advice->multiplied[0], &advice->multiplied[1], &advice->multiplied[2]};

	field_int(in, "cost", advice->cost);
	field_int(in, "flops", advice->flops);
	add_seconds(in, advice->seconds);
	add_types(&found->product.mesh, type, in);
}

static void add_one(const struct advised *a, const struct found_advice *found, struct fields *in)
{
	const sw_product_advice *advice = &found->advice;
	const sw_product *p = &found->product;
	sw_text text = {0};
	struct fields *list;

	field_text(in, "name", found->name[2]);
	product_ends_fields(p, in);
	field_bool(in, "gains", advice->gains);
	field_text(in, "why", advice->why);
	if (advice->known)
		add_now(found, field_object(in, "now"));
	else
		field_null(in, "now");
	if (!advice->gains)
		return;
	add_then(found, field_object(in, "then"));
	field_bool(in, "offer", !is_better(a, found));
	advise_falls_fields(&advice->weight, in);
	list = field_list(in, "constraints");
	for (int k = 0; k < 3; k++)
		if (advice->constrained[k]) {
			struct fields *one = field_object(list, NULL);

			field_text(one, "of", found->name[k]);
			field_type(one, "type", &p->mesh, &advice->type[k], false);
		}
	sw_emit_product_advice(a->target, p, advice, found->name, &text);
	field_printed(in, "code", &text);
}

static void add_fields(const struct advised *a)
{
	struct fields *out = document_fields(a->run->answer, "shardwalk.product_advice/1"), *list;

	field_text(out, "for", sw_advise_name(a->target));
	field_mesh(out, "mesh", a->count ? &a->found->product.mesh : &a->program->program.mesh);
	list = field_list(out, "products");
	for (int k = 0; k < a->count; k++)
		add_one(a, &a->found[k], field_object(list, NULL));
}

/* ---- words ---- */

/* ": A as [..], B as [..], cost 3584, 196 608 flops" */
static void add_price(const struct found_advice *found, const sw_type *const type[2], int64_t cost, int64_t flops,
	double seconds, sw_text *text)
{
	for (int k = 0; k < 2; k++) {
		sw_text_addf(text, "%s%s as ", k ? ", " : " ", found->name[k]);
		sw_type_print(&found->product.mesh, type[k], false, text);
	}
	sw_text_addf(text, ": cost %s, %s flops", words_count(cost).text, words_count(flops).text);
	if (seconds >= 0)
		sw_text_addf(text, ", %s of communication", words_seconds(seconds).text);
}

/* Which operands become larger tiles. */
static const char *gathered(const struct found_advice *found)
{
	const sw_xla_product *now = &found->advice.now;
	bool grows[2];

	for (int k = 0; k < 2; k++)
		grows[k] = sw_type_localsize(&now->stop[k][now->stops[k] - 1]) >
			sw_type_localsize(k ? &found->product.b : &found->product.a);
	if (grows[0] && grows[1])
		return "gathers both operands and multiplies";
	if (grows[0] || grows[1])
		return "gathers one operand and multiplies";
	return now->allreduce ? "multiplies and reduces" : "multiplies";
}

static void say_now(const struct advised *a, const struct found_advice *found)
{
	const sw_xla_product *now = &found->advice.now;
	sw_text text = {0};

	if (!found->advice.known) {
		document_say(a->run->answer, 2, "%s", found->advice.why);
		return;
	}
	const sw_type *const type[2] = {&now->stop[0][now->stops[0] - 1], &now->stop[1][now->stops[1] - 1]};
	add_price(found, type, now->cost, now->flops, now->seconds, &text);
	document_say(a->run->answer, 2, "by itself %s %s%s", system_names[a->target], gathered(found),
		sw_text_get(&text));
	sw_text_free(&text);
}

/* "352 elements a device of 512, 2.00 us, for 4096 more flops" */
static void add_savings(const sw_product_advice *advice, sw_text *text)
{
	int64_t less = advice->now.cost - advice->cost, more = advice->flops - advice->now.flops;
	double seconds = advice->now.seconds >= 0 && advice->seconds >= 0 ? advice->now.seconds - advice->seconds : 0;

	if (less > 0)
		sw_text_addf(text, "%s elements a device of %s", words_count(less).text, words_count(advice->now.cost).text);
	if (seconds > 0)
		sw_text_addf(text, "%s%s of communication", text->length > 0 ? ", " : "", words_seconds(seconds).text);
	if (more < 0)
		sw_text_addf(text, "%s%s flops", text->length > 0 ? ", " : "", words_count(-more).text);
	if (less < 0)
		sw_text_addf(text, ", for %s more elements a device", words_count(-less).text);
	if (seconds < 0)
		sw_text_addf(text, ", for %s more of communication", words_seconds(-seconds).text);
	if (more > 0)
		sw_text_addf(text, ", for %s more flops", words_count(more).text);
}

static void say_then(const struct advised *a, const struct found_advice *found)
{
	const sw_product_advice *advice = &found->advice;
	const sw_type *const type[2] = {&advice->multiplied[0], &advice->multiplied[1]};
	sw_text text = {0};

	if (!advice->gains) {
		document_say(a->run->answer, 2,
			advice->known ? "no constraint makes it cheaper" :
							"no constraint is needed: the operands multiply in place");
		return;
	}
	add_price(found, type, advice->cost, advice->flops, advice->seconds, &text);
	document_say(a->run->answer, 2, "with the lines below it multiplies%s", sw_text_get(&text));
	sw_text_clear(&text);
	if (advice->known)
		add_savings(advice, &text);
	if (text.length > 0)
		document_say(a->run->answer, 2, "saves %s", sw_text_get(&text));
	sw_text_free(&text);
}

static void say_statement(const struct advised *a, const struct found_advice *found)
{
	sw_text equation = {0}, as = {0};

	sw_equation_print(&found->product.equation, &equation);
	sw_type_print(&found->product.mesh, &found->product.as, false, &as);
	document_say(a->run->answer, 0, "%s = einsum \"%s\" %s %s as %s", found->name[2], sw_text_get(&equation),
		found->name[0], found->name[1], sw_text_get(&as));
	sw_text_free(&equation);
	sw_text_free(&as);
	say_now(a, found);
	say_then(a, found);
}

/* Of products by DTensor and Shardy it is not known what happens without the lines, so that nothing is compared. */
static void add_offer_head(const struct advised *a, const struct found_advice *found, sw_text *text)
{
	const sw_product_advice *advice = &found->advice;

	sw_text_addf(text, "\n%s: ", found->name[2]);
	if (!advice->known) {
		sw_text_addf(text,
			"it is not known what %s does by itself, so this is an "
			"offer:\n\n",
			system_names[a->target]);
		return;
	}
	if (advice->flops > advice->now.flops)
		sw_text_addf(text, "flops rise from %s to %s,\n", words_count(advice->now.flops).text,
			words_count(advice->flops).text);
	advise_code_changes(&advice->weight, found->product.a.dtype, text);
	sw_text_add(text, ".\nAn offer, if that is worth it:\n\n");
}

/* First what is to be written, then each offer with its numbers. */
static void add_lines(const struct advised *a, bool better, sw_text *text)
{
	for (int k = 0; k < a->count; k++) {
		const struct found_advice *found = &a->found[k];

		if (!found->advice.gains || is_better(a, found) != better)
			continue;
		if (better && text->length == 0)
			sw_text_add(text, "\nWrite in your program:\n\n");
		if (!better)
			add_offer_head(a, found, text);
		sw_emit_product_advice(a->target, &found->product, &found->advice, found->name, text);
	}
}

static void add_code(const struct advised *a)
{
	sw_text text = {0};

	add_lines(a, true, &text);
	add_lines(a, false, &text);
	if (text.length > 0) {
		document_lines(a->run->answer, &text);
		if (a->target == SW_ADVISE_JAX)
			answer_hint(a->run->session,
				"with axes of explicit sharding write `jax.sharding.reshard` for the operands, and `out_sharding=` in the "
				"product");
	}
	sw_text_free(&text);
}

static void add_words(const struct advised *a)
{
	if (a->count == 0)
		document_say(a->run->answer, 0,
			"the program has no product: `enter N` first, then `advise` is about a redistribution");
	for (int k = 0; k < a->count; k++)
		say_statement(a, &a->found[k]);
	add_code(a);
	if (a->target == SW_ADVISE_JAX && a->count > 0)
		answer_hint(a->run->session,
			"the rules for what XLA does with a product give the cost of %d of %d products recorded from jaxlib 0.10.2",
			SW_XLA_RIGHT, SW_XLA_RECORDED);
}

bool advise_program(struct invocation *run, sw_advise_target target, sw_diag *diag)
{
	struct advised a = {.run = run, .target = target};
	struct watch watch;

	if (!refuse_options(run, diag) || !take(&a, diag) ||
		!program_machine(run->session, a.count ? a.found->product.mesh.devices : 1, &a.machine, diag))
		return false;
	watch_start(&watch, run->session->console);
	a.pulse = &watch.pulse;
	bool ok = look(&a, diag);
	watch_end(&watch);
	if (!ok)
		return false;
	add_fields(&a);
	add_words(&a);
	return true;
}
