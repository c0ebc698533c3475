/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements as schemes, and schemes as commands.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/choice.h>

#include "base/room.h"
#include "schedule/scheme.h"

/* ---- from statements ---- */

static int letter_number(const sw_formula *formula, char letter)
{
	for (int n = 0; n < formula->letters; n++)
		if (formula->letter[n] == letter)
			return n;
	return -1;
}

static bool refuse(const char *why, sw_span at, sw_diag *diag)
{
	sw_diag_set(diag, SW_S02, at, "there is no best schedule for this statement");
	sw_diag_expected(diag, "a statement in which each array is read once, and each term has all summed letters");
	sw_diag_found(diag, "%s", why);
	return false;
}

/* The axes of its letters cut an array, and its first dimension is spread over the others. */
static void spread(const sw_scheme *scheme, sw_scheme_array *array)
{
	sw_distal *home = &array->home;

	*home = (sw_distal){.rank = array->rank, .axes = scheme->axes};
	for (int axis = 0; axis < scheme->axes; axis++)
		home->place[axis] = (sw_distal_place){array->rank > 0 ? 0 : -1, array->rank > 0 ? -1 : 0};
	for (int dim = 0; dim < array->rank; dim++)
		home->place[array->letter[dim]].dim = dim;
	for (int dim = 0; dim < array->rank; dim++)
		home->cut[home->cuts++] = array->letter[dim];
	for (int axis = 0; axis < scheme->axes && array->rank > 0; axis++)
		if (!sw_scheme_array_has(array, axis)) {
			SW_ROOM(home->cut, home->cuts);
			home->cut[home->cuts++] = axis;
		}
}

static bool read_access(const sw_formula *formula, const sw_formula_access *access, sw_scheme *scheme, sw_diag *diag)
{
	sw_scheme_array *array = &scheme->array[access->array];

	if (array->home.axes > 0)
		return refuse("an array that is read twice", access->at, diag);
	for (int dim = 0; dim < formula->array[access->array].rank; dim++) {
		int letter = letter_number(formula, access->index[dim].letter);

		assert(letter >= 0 && !sw_scheme_array_has(array, letter));
		array->letter[array->rank++] = letter;
	}
	spread(scheme, array);
	return true;
}

/* Has each term all letters that are summed? */
static bool terms_are_whole(const sw_formula *formula, const sw_scheme *scheme)
{
	for (int term = 0; term < formula->sum.terms; term++)
		for (int letter = formula->kept; letter < formula->letters; letter++) {
			bool found = false;

			for (int n = 1; n < formula->accesses; n++)
				if (formula->access[n].term == term)
					found |= sw_scheme_array_has(&scheme->array[formula->access[n].array], letter);
			if (!found)
				return false;
		}
	return true;
}

bool sw_scheme_of_formula(const sw_formula *formula, sw_scheme *scheme, sw_diag *diag)
{
	sw_scheme made = {.letters = formula->letters,
		.axes = formula->letters,
		.spaces = formula->letters,
		.time = -1,
		.steps = 1,
		.arrays = formula->arrays};

	if (formula->letters > SW_SCHEME_AXES || formula->letters < 1 || formula->arrays > SW_SCHEME_ARRAYS)
		return refuse("too many letters or arrays, or no letter", (sw_span){0, 0}, diag);
	for (int n = 0; n < formula->letters; n++) {
		made.size[n] = formula->size[n];
		made.extent[n] = 1;
		made.space[n] = n;
	}
	for (int n = 0; n < formula->accesses; n++)
		if (!read_access(formula, &formula->access[n], &made, diag))
			return false;
	if (!terms_are_whole(formula, &made))
		return refuse("a term that lacks a summed letter", (sw_span){0, 0}, diag);
	*scheme = made;
	return true;
}

/* ---- fewer axes ---- */

static void drop_axis(sw_scheme *scheme, int axis)
{
	size_t behind = (size_t)(scheme->axes - axis - 1);

	memmove(&scheme->extent[axis], &scheme->extent[axis + 1], behind * sizeof *scheme->extent);
	memmove(&scheme->space[axis], &scheme->space[axis + 1], behind * sizeof *scheme->space);
	memmove(&scheme->turned[axis], &scheme->turned[axis + 1], behind * sizeof *scheme->turned);
	for (int n = 0; n < scheme->arrays; n++) {
		sw_distal *home = &scheme->array[n].home;
		int cuts = 0;

		memmove(&home->place[axis], &home->place[axis + 1], behind * sizeof *home->place);
		for (int cut = 0; cut < home->cuts; cut++)
			if (home->cut[cut] != axis)
				home->cut[cuts++] = home->cut[cut] - (home->cut[cut] > axis);
		home->cuts = cuts;
		home->axes--;
	}
	scheme->axes--;
	scheme->spaces--;
}

void sw_scheme_drop_axes(sw_scheme *scheme)
{
	assert(scheme->axes == scheme->spaces);
	for (int axis = scheme->axes - 1; axis >= 0; axis--)
		if (scheme->extent[axis] == 1 && scheme->axes > 1)
			drop_axis(scheme, axis);
}

/* ---- as commands ---- */

typedef struct printing {
	const sw_scheme *scheme;
	const sw_formula *formula;
	sw_text *text;
	int order[SW_SCHEME_LETTERS]; /* letters in space, then the others */
} printing;

static bool in_space(const sw_scheme *scheme, int letter)
{
	for (int axis = 0; axis < scheme->spaces; axis++)
		if (scheme->space[axis] == letter)
			return true;
	return false;
}

/* `kio`: what is behind the letter is how it was cut. */
static void add_loop(printing *p, int letter, const char *behind, const char *before)
{
	sw_text_add(p->text, before);
	sw_text_add_char(p->text, p->formula->letter[letter]);
	sw_text_add(p->text, behind);
}

static void add_spaces(printing *p, const char *behind)
{
	for (int axis = 0; axis < p->scheme->spaces; axis++)
		add_loop(p, p->scheme->space[axis], behind, axis > 0 ? "," : "{");
	sw_text_add_char(p->text, '}');
}

static const char *inner(const printing *p, int letter)
{
	bool cut = letter == p->scheme->time;

	return in_space(p->scheme, letter) ? (cut ? "ii" : "i") : (cut ? "i" : "");
}

static const char *outer_time(const printing *p)
{
	return in_space(p->scheme, p->scheme->time) ? "io" : "o";
}

static void order_letters(printing *p)
{
	int count = 0;
	bool as_it_is = true;

	for (int axis = 0; axis < p->scheme->spaces; axis++)
		p->order[count++] = p->scheme->space[axis];
	for (int letter = 0; letter < p->scheme->letters; letter++)
		if (!in_space(p->scheme, letter))
			p->order[count++] = letter;
	for (int n = 0; n < count; n++)
		as_it_is &= p->order[n] == n;
	if (as_it_is)
		return;
	sw_text_add(p->text, ".reorder(");
	for (int n = 0; n < count; n++)
		add_loop(p, p->order[n], "", n > 0 ? "," : "{");
	sw_text_add(p->text, "})\n");
}

static void add_distribute(printing *p)
{
	sw_text_add(p->text, ".distribute(");
	add_spaces(p, "");
	sw_text_add_char(p->text, ',');
	add_spaces(p, "o");
	sw_text_add_char(p->text, ',');
	add_spaces(p, "i");
	for (int axis = 0; axis < p->scheme->spaces; axis++)
		sw_text_addf(p->text, "%s%lld", axis > 0 ? "," : ",Grid(", (long long)p->scheme->extent[axis]);
	sw_text_add(p->text, "))\n");
}

static void add_leaf(printing *p)
{
	for (int n = 0; n < p->scheme->letters; n++)
		add_loop(p, p->order[n], inner(p, p->order[n]), n > 0 ? "," : "");
}

static void add_time(printing *p)
{
	int letter = p->scheme->time;

	if (letter < 0)
		return;
	add_loop(p, letter, in_space(p->scheme, letter) ? "i," : ",", ".divide(");
	add_loop(p, letter, outer_time(p), "");
	add_loop(p, letter, inner(p, letter), ",");
	sw_text_addf(p->text, ",%lld)\n", (long long)p->scheme->steps);
	add_loop(p, letter, outer_time(p), ".reorder({");
	sw_text_add_char(p->text, ',');
	add_leaf(p);
	sw_text_add(p->text, "})\n");
}

/* The arrays that are fetched in each step, or the others. */
static void add_communicate(printing *p, bool stepwise, int letter, const char *behind)
{
	int count = 0, n = 0;

	for (int array = 0; array < p->scheme->arrays; array++)
		count += p->scheme->array[array].stepwise == stepwise;
	if (count == 0)
		return;
	sw_text_add(p->text, count > 1 ? ".communicate({" : ".communicate(");
	for (int array = 0; array < p->scheme->arrays; array++)
		if (p->scheme->array[array].stepwise == stepwise) {
			sw_text_add(p->text, n++ > 0 ? "," : "");
			sw_text_add_str(p->text, p->formula->array[array].name);
		}
	sw_text_add(p->text, count > 1 ? "}" : "");
	add_loop(p, letter, behind, ",");
	sw_text_add(p->text, ")\n");
}

/* ---- kernels ---- */

/* A statement with letters numbered by where they are first: "01;02;21;" of a product of matrices. */
typedef struct form {
	int length, letters;
	int letter[SW_SCHEME_LETTERS];
	char text[SW_SCHEME_ARRAYS * (SW_SCHEME_LETTERS + 1) + 1];
} form;

static void form_array(form *form)
{
	SW_ROOM(form->text, form->length);
	form->text[form->length++] = ';';
}

static void form_letter(form *form, int letter)
{
	int n = 0;

	while (n < form->letters && form->letter[n] != letter)
		n++;
	if (n == form->letters) {
		SW_ROOM(form->letter, n);
		form->letter[form->letters++] = letter;
	}
	SW_ROOM(form->text, form->length);
	form->text[form->length++] = (char)('0' + n);
}

static void form_of_scheme(const sw_scheme *scheme, form *form)
{
	for (int array = 0; array < scheme->arrays; array++) {
		form_array(form);
		for (int dim = 0; dim < scheme->array[array].rank; dim++)
			form_letter(form, scheme->array[array].letter[dim]);
	}
}

static void form_of_text(const char *statement, form *form)
{
	bool inside = false;

	for (const char *at = statement; *at != '\0'; at++) {
		bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');

		if (*at == '(' || *at == ')')
			inside = *at == '(';
		else if (letter && inside)
			form_letter(form, *at);
		else if (letter)
			form_array(form);
	}
}

static void add_kernel(printing *p)
{
	const sw_formula_sum *sum = &p->formula->sum;
	const sw_schedule_kernel *kernel;
	form ours = {0};

	if (sum->terms != 1 || sum->term[0].minus || sum->term[0].factors != p->scheme->arrays - 1)
		return;
	form_of_scheme(p->scheme, &ours);
	for (int n = 0; (kernel = sw_schedule_kernel_at(n)) != NULL; n++) {
		form theirs = {0};

		form_of_text(kernel->statement, &theirs);
		if (strcmp(ours.text, theirs.text) == 0) {
			sw_text_add(p->text, ".substitute({");
			add_leaf(p);
			sw_text_addf(p->text, "},%s)\n", kernel->name);
			return;
		}
	}
}

void sw_scheme_print(const sw_scheme *scheme, const sw_formula *formula, sw_text *text)
{
	printing p = {.scheme = scheme, .formula = formula, .text = text};

	assert(scheme->spaces >= 1 && scheme->letters == formula->letters);
	order_letters(&p);
	add_distribute(&p);
	add_time(&p);
	add_communicate(&p, false, scheme->space[scheme->spaces - 1], "o");
	if (scheme->time >= 0)
		add_communicate(&p, true, scheme->time, outer_time(&p));
	add_kernel(&p);
}
