/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims about placements and the hierarchies of their factors: section 3.4 and appendix B of seed 001.
 */
#include "theory/claims.h"

#include <shardwalk/number.h>

enum {
	PLACED_LEVELS = 4,
	PLACED_AXES = 3,
	PLACED_STEPS = 4 /* of programs that are listed */
};

/* A placement on a small system, and what is summed. */
typedef struct placed_case {
	sw_system system;
	sw_placement placement;
	uint32_t summed;
	sw_hierarchy_kind kind; /* whose instructions are looked at */
	sw_hierarchy hierarchy;
} placed_case;

/* ---- drawing ---- */

static bool placed_system(sw_draw *draw, int64_t most, sw_system *system)
{
	static const int64_t sizes[] = {1, 2, 2, 2, 2, 3};
	*system = (sw_system){.count = 2 + sw_draw_below(draw, PLACED_LEVELS - 1), .devices = 1};
	for (int j = 0; j < system->count; j++) {
		system->level[j].size = sizes[sw_draw_below(draw, 6)];
		system->level[j].name[0] = 'l';
		system->level[j].name[1] = (char)('0' + j);
		system->devices *= system->level[j].size;
	}
	return system->devices > 1 && system->devices <= most;
}

/* Each prime factor of each level goes to some axis. */
static void placed_matrix(sw_draw *draw, const sw_system *system, sw_placement *placement)
{
	*placement = (sw_placement){.axes = 1 + sw_draw_below(draw, PLACED_AXES), .levels = system->count};
	for (int j = 0; j < system->count; j++) {
		int64_t primes[63];
		int count = sw_prime_factors(system->level[j].size, primes);
		for (int i = 0; i < placement->axes; i++)
			placement->factor[i][j] = 1;
		for (int p = 0; p < count; p++)
			placement->factor[sw_draw_below(draw, placement->axes)][j] *= primes[p];
	}
}

static int64_t placed_axis(const placed_case *one, int axis)
{
	int64_t size = 1;
	for (int j = 0; j < one->placement.levels; j++)
		size *= one->placement.factor[axis][j];
	return size;
}

/* false: an axis has size 1, or nothing is summed. */
static bool placed_draw(sw_draw *draw, int64_t most, placed_case *one)
{
	int64_t summed = 1;
	if (!placed_system(draw, most, &one->system))
		return false;
	placed_matrix(draw, &one->system, &one->placement);
	one->summed = 1 + (uint32_t)sw_draw_below(draw, (1 << one->placement.axes) - 1);
	for (int i = 0; i < one->placement.axes; i++) {
		if (placed_axis(one, i) == 1)
			return false;
		summed *= one->summed >> i & 1 ? placed_axis(one, i) : 1;
	}
	one->kind = sw_draw_below(draw, 2) ? SW_HIERARCHY_COLUMNS : SW_HIERARCHY_ROWS;
	sw_hierarchy_make(&one->placement, one->kind, one->summed, false, &one->hierarchy);
	return summed > 1;
}

/* ---- as a script ---- */

static void placed_script(const placed_case *one, sw_try *work)
{
	sw_text *text = work->script;
	work->devices = one->system.devices;
	sw_text_clear(text);
	sw_text_add(text, "system ");
	sw_system_print(&one->system, text);
	sw_text_add(text, "\naxes {");
	for (int i = 0; i < one->placement.axes; i++)
		sw_text_addf(text, "%s%c: %lld", i ? ", " : "", 'a' + i, (long long)placed_axis(one, i));
	sw_text_add(text, "}\nplace [");
	sw_placement_print(&one->placement, text);
	sw_text_add(text, "]\nreduce {");
	for (int i = 0, n = 0; i < one->placement.axes; i++)
		if (one->summed >> i & 1)
			sw_text_addf(text, "%s%c", n++ ? ", " : "", 'a' + i);
	sw_text_addf(text, "} f32[%lld]\nshow hierarchies\n", (long long)one->system.devices);
}

static void placed_script_groups(const placed_case *one, const sw_group_name *name, sw_try *work)
{
	static const char *const words[SW_FORM_COUNT] = {"inside", "across", "masters"};
	placed_script(one, work);
	sw_text_addf(work->script, "set hierarchy %s\nshow groups %s %d", sw_hierarchy_letter(one->kind),
		words[name->form], name->slice);
	sw_text_addf(work->script, name->form == SW_FORM_INSIDE ? "\n" : " in %d\n", name->ancestor);
}

/* ---- theorem 3.2, lemmas B.1, B.7, B.8 ---- */

sw_outcome sw_claim_expressive(const sw_statement_row *row, sw_draw *draw, sw_try *work)
{
	placed_case *one = SW_NEW_ZERO(work->arena, placed_case, 1);
	sw_expressive said;
	if (!one)
		return sw_claim_memory(work);
	if (!placed_draw(draw, work->most, one) || ((row->which & SW_ONE_AXIS) && (one->summed & (one->summed - 1))))
		return SW_NO_CASE;
	if (!sw_expressive_compare(&one->placement, one->summed, false, PLACED_STEPS, work->arena, &said, work->diag))
		return SW_FAILS;
	placed_script(one, work);
	for (int a = 0; a < SW_HIERARCHY_COUNT; a++)
		for (int b = 0; b < SW_HIERARCHY_COUNT; b++)
			if ((row->which & SW_SAYS(a, b)) && !said.includes[a][b])
				return sw_refute(work,
					"%s does not express everything that %s does: %lld programs against "
					"%lld",
					sw_hierarchy_letter((sw_hierarchy_kind)a), sw_hierarchy_letter((sw_hierarchy_kind)b),
					(long long)said.programs[a], (long long)said.programs[b]);
	return SW_HOLDS;
}

/* ---- instructions ---- */

static int64_t placed_product(const placed_case *one, int from, int to)
{
	int64_t product = 1;
	for (int i = from; i < to; i++)
		product *= sw_hierarchy_size(&one->hierarchy, i);
	return product;
}

static bool placed_instruction(sw_draw *draw, const placed_case *one, int form, sw_group_name *name)
{
	int count = one->hierarchy.count;
	name->words = NULL;
	name->form = (sw_group_form)(form == SW_ANY_FORM ? sw_draw_below(draw, SW_FORM_COUNT) : form);
	name->ancestor = 0;
	name->slice = sw_draw_below(draw, count + 1);
	if (name->form == SW_FORM_INSIDE)
		return true;
	if (name->slice > 0)
		name->ancestor = sw_draw_below(draw, name->slice);
	return name->slice > 0;
}

/* The digit of a device in a factor, of which each is one digit in hierarchies b and c. */
static int64_t placed_digit(const placed_case *one, int64_t device, int factor)
{
	const sw_placed_digit *digit = &one->hierarchy.digit[one->hierarchy.first[factor]];
	return device / digit->stride % digit->size;
}

/* Do the members of a group differ in the factors from `from` up to `to` only? */
static bool placed_differ_within(const placed_case *one, const int64_t *member, int64_t size, int from, int to)
{
	for (int64_t m = 1; m < size; m++)
		for (int i = 0; i < one->hierarchy.count; i++)
			if ((i < from || i >= to) && placed_digit(one, member[m], i) != placed_digit(one, member[0], i))
				return false;
	return true;
}

sw_outcome sw_claim_parallel(const sw_statement_row *row, sw_draw *draw, sw_try *work)
{
	placed_case *one = SW_NEW_ZERO(work->arena, placed_case, 1);
	sw_group_name name;
	int64_t groups, size;
	(void)row;
	if (!one)
		return sw_claim_memory(work);
	if (!placed_draw(draw, work->most, one) || !placed_instruction(draw, one, SW_FORM_ACROSS, &name))
		return SW_NO_CASE;
	const int64_t *list = sw_named_groups(&one->hierarchy, &name, work->arena, &groups, &size);
	if (!list)
		return sw_claim_memory(work);
	int64_t want = placed_product(one, name.ancestor, name.slice);
	placed_script_groups(one, &name, work);
	if (size != want || groups != one->system.devices / want)
		return sw_refute(work, "factors imply %lld groups of %lld, but there are %lld of %lld",
			(long long)(one->system.devices / want), (long long)want, (long long)groups, (long long)size);
	for (int64_t g = 0; g < groups; g++)
		if (!placed_differ_within(one, list + g * size, size, name.ancestor, name.slice))
			return sw_refute(work, "group %lld differs in a factor that is not between ancestor and slice",
				(long long)g);
	return SW_HOLDS;
}

/* The factors that the lemma of a form speaks of: all of them are to be 1 or summed. */
static bool placed_breaks(const placed_case *one, const sw_group_name *name)
{
	int from = name->form == SW_FORM_INSIDE ? name->slice : name->ancestor;
	int to = name->form == SW_FORM_ACROSS ? name->slice : one->hierarchy.count;
	for (int i = from; i < to; i++) {
		const sw_placed_digit *digit = &one->hierarchy.digit[one->hierarchy.first[i]];
		if (digit->size > 1 && !(one->summed >> digit->axis & 1))
			return true;
	}
	return false;
}

/* Does a group have devices that differ along an axis which is not summed? */
static bool placed_crosses(const placed_case *one, const int64_t *list, int64_t groups, int64_t size)
{
	for (int64_t d = 0; d < groups * size; d++)
		for (int i = 0; i < one->placement.axes; i++)
			if (!(one->summed >> i & 1) &&
				sw_placement_coordinate(&one->placement, list[d], i) !=
					sw_placement_coordinate(&one->placement, list[d - d % size], i))
				return true;
	return false;
}

sw_outcome sw_claim_unusable(const sw_statement_row *row, sw_draw *draw, sw_try *work)
{
	placed_case *one = SW_NEW_ZERO(work->arena, placed_case, 1);
	sw_group_name name;
	int64_t groups, size;
	bool used;
	if (!one)
		return sw_claim_memory(work);
	if (!placed_draw(draw, work->most, one) || !placed_instruction(draw, one, row->which, &name))
		return SW_NO_CASE;
	const int64_t *list = sw_named_groups(&one->hierarchy, &name, work->arena, &groups, &size);
	if (!list)
		return sw_claim_memory(work);
	bool any = row->which == SW_ANY_FORM;
	if (size == 1 || !(any ? placed_crosses(one, list, groups, size) : placed_breaks(one, &name)))
		return SW_NO_CASE;
	const sw_placed_sum sum = {&one->placement, one->summed, one->kind};
	if (!sw_expressive_uses(&sum, PLACED_STEPS, &name, 1, work->arena, &used, work->diag))
		return SW_FAILS;
	placed_script_groups(one, &name, work);
	return used ? sw_refute(work, "a program of up to %d steps makes the sum and has these groups", PLACED_STEPS) :
				  SW_HOLDS;
}
