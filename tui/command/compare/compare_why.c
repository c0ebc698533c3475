/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why the first of several plans is the first: by how much it costs less than the next, and what that one spends more on.
 */
#include "command/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "views/draw.h"

/* What a plan spends, by operation; and what it asks of a machine. */
struct spending {
	const sw_plan *plan;
	const char *name;
	double spent[SW_COLLECTIVES];
	int uses[SW_COLLECTIVES];
	int64_t rounds;
	double bytes, packed;
};

static struct spending spending_of(const sw_plan *plan)
{
	struct spending s = {.plan = plan, .name = compare_name(plan)};
	for (int k = 0; k < plan->program.steps; k++) {
		sw_load load = {0};
		sw_step_load(plan, k, &load);
		s.spent[plan->program.step[k].op] += plan->program.step[k].model_cost;
		s.uses[plan->program.step[k].op]++;
		s.rounds += load.rounds;
		s.bytes += load.bytes;
		s.packed += load.packed;
	}
	return s;
}

/* ---- amounts ---- */

/* As many digits as it takes to see a difference of one part in `ratio`. */
static int digits_for(double ratio)
{
	int digits = ratio > 1 && ratio < 1.01 ? 1 - (int)floor(log10(ratio - 1)) : 3;
	return digits < 9 ? digits : 9;
}

static struct words time_words(double seconds, int digits)
{
	static const struct {
		double factor;
		const char *unit;
	} units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
	struct words words = words_seconds(seconds);
	int u = 0;
	if (digits <= 3 || seconds <= 0)
		return words;
	while (u < 3 && seconds * units[u].factor < 1)
		u++;
	double n = seconds * units[u].factor;
	int decimals = digits - 1 - (int)floor(log10(n));
	snprintf(words.text, sizeof(words.text), "%.*f\u00a0%s", decimals > 0 ? decimals : 0, n, units[u].unit);
	return words;
}

static struct words amount_words(const sw_plan *plan, double amount, int digits)
{
	return sw_model_is_timed(plan->model) ? time_words(amount, digits) : words_count(sw_nearest(amount));
}

static const char *unit_of(const sw_plan *plan, double amount)
{
	return sw_model_is_timed(plan->model) ? "" : plural(sw_nearest(amount), " element", " elements");
}

/* ---- why the next costs more ---- */

/* Operations whose share in the difference is worth telling. */
static unsigned telling(const struct spending *a, const struct spending *b)
{
	double most = 0;
	unsigned ops = 0;
	for (int op = 0; op < SW_COLLECTIVES; op++)
		most = fmax(most, fabs(a->spent[op] - b->spent[op]));
	for (int op = 0; op < SW_COLLECTIVES; op++)
		if (fabs(a->spent[op] - b->spent[op]) > most * 0.02)
			ops |= 1u << op;
	return ops;
}

/* Those of `ops` that the plan uses, the dearest first; how many. */
static int dearest_first(const struct spending *s, unsigned ops, int order[SW_COLLECTIVES])
{
	int count = 0;
	for (int op = 0; op < SW_COLLECTIVES; op++) {
		if (!(ops >> op & 1) || !s->uses[op])
			continue;
		int at = count++;
		for (; at > 0 && s->spent[order[at - 1]] < s->spent[op]; at--)
			order[at] = order[at - 1];
		order[at] = op;
	}
	return count;
}

/* "12 elements on 2 alltoalls and 6 on 1 allpermute"; false where it uses none of them. */
static bool add_spending(const struct spending *s, unsigned ops, int digits, bool unit, sw_text *text)
{
	int order[SW_COLLECTIVES], count = dearest_first(s, ops, order);
	for (int i = 0; i < count; i++) {
		const char *name = sw_collective_of((sw_op)order[i])->name;
		int uses = s->uses[order[i]];
		sw_text_addf(text, "%s%s%s on %d\u00a0%s%s",
			!i                ? "" :
				i + 1 < count ? ", " :
								" and ",
			amount_words(s->plan, s->spent[order[i]], digits).text,
			unit && !i ? unit_of(s->plan, s->spent[order[i]]) : "", uses, name, uses == 1 ? "" : "s");
	}
	return count > 0;
}

static void add_reason(const struct spending *best, const struct spending *other, int digits, sw_text *text)
{
	unsigned ops = telling(other, best);
	sw_text mine = {0};
	sw_text_addf(text, ": %s spends ", other->name);
	add_spending(other, ops, digits, true, text);
	if (add_spending(best, ops, digits, false, &mine))
		sw_text_addf(text, ", %s %s", best->name, sw_text_get(&mine));
	else
		sw_text_addf(text, ", which %s does not need", best->name);
	sw_text_free(&mine);
}

/* Of times: bytes that are the same leave rounds and packing to tell of. */
static void add_load(const struct spending *best, const struct spending *other, sw_text *text)
{
	if (!sw_model_is_timed(best->plan->model) || fabs(best->bytes - other->bytes) > best->bytes * 1e-9)
		return;
	if (other->rounds > best->rounds)
		sw_text_addf(text, " (the same bytes in %s instead of %s)",
			words_plural(other->rounds, "round", "rounds").text, words_count(best->rounds).text);
	else if (other->rounds == best->rounds && other->packed > best->packed * (1 + 1e-9))
		sw_text_add(text, " (the same bytes in as many rounds, but more packing)");
	else if (other->rounds <= best->rounds && other->packed <= best->packed)
		sw_text_add(text, " (the same bytes at a lower rate)");
}

static void add_ratio(const sw_plan *best, const sw_plan *other, double ratio, sw_text *text)
{
	const char *name = compare_name(best);
	sw_text_addf(text, "%s, the next, costs ", compare_name(other));
	if (best->model_cost <= 0)
		sw_text_addf(text, "%s%s and %s nothing", amount_words(other, other->model_cost, 3).text,
			unit_of(other, other->model_cost), name);
	else if (ratio < 1 + 1e-5)
		sw_text_addf(text, "the same as %s within 0.001\u00a0%%", name);
	else if (ratio < 1.5)
		sw_text_addf(text, "%.2g\u00a0%% more than %s", (ratio - 1) * 100, name);
	else if (ratio < 99.5)
		sw_text_addf(text, "%.3g times as much as %s", ratio, name);
	else if (ratio < 9e17)
		sw_text_addf(text, "%s times as much as %s", words_count(sw_nearest(ratio)).text, name);
	else
		sw_text_addf(text, "far more than %s", name);
}

static void add_next(const sw_plan *best, const sw_plan *other, sw_text *text)
{
	struct spending mine = spending_of(best), theirs = spending_of(other);
	double ratio = best->model_cost > 0 ? other->model_cost / best->model_cost : 0;
	add_ratio(best, other, ratio, text);
	add_reason(&mine, &theirs, digits_for(ratio), text);
	add_load(&mine, &theirs, text);
}

/* ---- what costs the same, and what costs less ---- */

/* How one that costs the same by other steps differs. */
static void add_other_steps(sw_plan *const *plans, const struct plan_facts *facts, int other, sw_text *text)
{
	double times[] = {facts[0].predicted, facts[other].predicted};
	int digits = digits_for(times[0] > 0 ? times[1] / times[0] : 0);
	sw_text_addf(text, "; %s takes ", compare_name(plans[other]));
	if (times[0] >= 0 && compare_rounded(times[0]) < compare_rounded(times[1]))
		sw_text_addf(text, "more time, %s instead of %s", time_words(times[1], digits).text,
			time_words(times[0], digits).text);
	else if (plans[0]->program.steps < plans[other]->program.steps)
		sw_text_addf(text, "more steps, %d instead of %d", plans[other]->program.steps, plans[0]->program.steps);
	else
		sw_text_add(text, "different steps, as many and no longer");
}

static void add_tie(sw_plan *const *plans, const struct plan_facts *facts, int tied, sw_text *text)
{
	int same = 0, other = 0;
	for (int i = tied - 1; i > 0; i--) {
		bool steps = compare_same_steps(plans[0], plans[i]);
		same += steps;
		other = steps ? other : i;
	}
	sw_text_addf(text, "%s costs as much as %s", compare_name(plans[0]), compare_name(plans[1]));
	if (tied > 2)
		sw_text_addf(text, " and %d more", tied - 2);
	if (same && !other)
		sw_text_addf(text, ", which take%s the same steps", tied == 2 ? "s" : "");
	else if (same)
		sw_text_addf(text, ", of which %d take%s the same steps", same, same == 1 ? "s" : "");
	if (other)
		add_other_steps(plans, facts, other, text);
}

/* The cheapest of those that a bound excludes, where it costs less than the best. */
static void add_excluded(sw_plan *const *plans, int from, int count, sw_text *text)
{
	if (from == count || compare_rounded(plans[from]->model_cost) >= compare_rounded(plans[0]->model_cost))
		return;
	bool high = plans[from]->budget > 0 && plans[from]->height > plans[from]->budget;
	int digits = digits_for(plans[from]->model_cost > 0 ? plans[0]->model_cost / plans[from]->model_cost : 0);
	sw_text_addf(text, "; %s would cost less, %s%s instead of %s, but is above the %s", compare_name(plans[from]),
		amount_words(plans[from], plans[from]->model_cost, digits).text,
		unit_of(plans[from], plans[from]->model_cost), amount_words(plans[0], plans[0]->model_cost, digits).text,
		high ? "budget" : "limit on live memory");
}

void compare_why(sw_plan *const *plans, const struct plan_facts *facts, int count, sw_text *text)
{
	int tied = 1, within = 1;
	while (within < count && !compare_is_over(plans[within]))
		within++;
	while (tied < within && compare_rounded(plans[tied]->model_cost) <= compare_rounded(plans[0]->model_cost))
		tied++;
	if (count < 2)
		return;
	if (tied > 1)
		add_tie(plans, facts, tied, text);
	if (tied > 1 && tied < within)
		sw_text_add(text, "; ");
	if (tied < within)
		add_next(plans[0], plans[tied], text);
	if (within == 1)
		sw_text_addf(text, "%s is the only one within its limits", compare_name(plans[0]));
	add_excluded(plans, within, count, text);
	sw_text_add(text, ".");
}

/* ---- why it is not taken ---- */

/* The plan that is taken by this strategy, with a reduction program in it. */
static bool is_mixed(const sw_plan *plan, sw_strategy set)
{
	return set == SW_FUSED && plan->origin && strcmp(plan->origin, "mixed") == 0;
}

void compare_not_taken(sw_plan *const *plans, const struct plan_facts *facts, int count, sw_strategy set,
	sw_text *text)
{
	const char *best = compare_name(plans[0]), *name = sw_strategy_name(set);
	int at = 0;
	while (at < count && (plans[at]->origin || plans[at]->strategy != set))
		at++;
	if (!at || at == count || facts[at].same == 1 || compare_is_over(plans[0]) || is_mixed(plans[0], set))
		return;
	if (plans[0]->origin)
		sw_text_addf(text,
			"`plan` uses %s, the strategy that is set; %s is not the plan of a "
			"strategy.",
			name, best);
	else if (plans[0]->strategy == SW_DIRECT)
		sw_text_addf(text,
			"`plan` still uses %s, because direct is not a collective: it sends point-to-point messages. `plan "
			"direct` uses it.",
			name);
	else
		sw_text_addf(text, "`plan` uses %s, the strategy that is set; `plan %s` uses the first.", name, best);
}
