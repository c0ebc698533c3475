/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps in groups of devices, on chunks: `apply allreduce inside node`, and `verify` of what they make.
 *
 * A sequence by hand is one of types or one of chunks: what devices hold after a reduce is no type.
 */
#include "command/placement/grouped.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/reduction_plan.h>

#include "canvas/table.h"
#include "command/placement/placement.h"
#include "command/placement/reduction.h"

#define GROUPS_SHOWN 4

/* ---- reading ---- */

bool is_grouped(sw_str text)
{
	bool printed = sw_str_starts(sw_str_trim(text), "(");
	sw_str op = sw_str_word(&text), form = sw_str_word(&text);
	bool word = form.length > 0 && ((*form.at >= 'a' && *form.at <= 'z') || (*form.at >= 'A' && *form.at <= 'Z'));

	return printed || (sw_chunk_op_named(op) != SW_OP_COUNT && word);
}

/* ---- the steps ---- */

static sw_hierarchy_kind kind_of(const struct session *session)
{
	const struct hand_step *last = session_hand(&session->state, true);

	return last != NULL ? last->hierarchy : hierarchy_asked(session);
}

bool grouped_start(const struct session *session, sw_arena *arena, sw_summing *summing, sw_diag *diag)
{
	const struct placing *placing = session->state.placing;
	struct sum sum;

	if (!need_placement(session, diag) || !need_sum(session, &sum, diag))
		return false;
	const sw_placed_sum placed = {&placing->placement, sum.axes, kind_of(session)};
	return sw_summing_start(&placing->system, &placing->axes, &placed, arena, summing, diag);
}

int grouped_steps(const struct session *session, sw_arena *arena, sw_step **steps)
{
	const struct hand_step *step = session_hand(&session->state, true);
	int count = step != NULL ? step->count : 0;

	*steps = SW_NEW(arena, sw_step, count + 1);
	for (; *steps != NULL && step != NULL; step = step->before)
		(*steps)[step->count - 1] = step->step;
	return *steps != NULL ? count : 0;
}

bool grouped_after(const struct session *session, int count, sw_arena *arena, sw_summing *summing, sw_diag *diag)
{
	sw_step *steps;
	int there = grouped_steps(session, arena, &steps);
	bool ok = grouped_start(session, arena, summing, diag);

	for (int k = 0; ok && k < count && k < there; k++)
		ok = sw_summing_apply(summing, &steps[k], arena, diag);
	return ok;
}

bool only_grouped(const struct session *session)
{
	return session_hand(&session->state, true) != NULL && session->state.plan == NULL;
}

/* ---- the steps as a plan ---- */

static bool price_steps(struct session *session, const sw_summing *summing, sw_ports *ports, double bytes,
	sw_arena *arena, sw_plan *program)
{
	sw_step *steps;
	int count = grouped_steps(session, arena, &steps);

	*program = (sw_plan){.program.steps = count, .program.step = steps};
	if (steps == NULL || count > SW_MAX_REDUCTION_STEPS ||
		!sw_ports_make(summing->system, summing->sum.placement, summing->sum.summed, allreduce_asked(session), ports,
			NULL))
		return false;
	return sw_reduction_price(ports, bytes, program);
}

/* Steps that end on the sum are a plan, where ports have bandwidths: to be shown, run and exported. */
static void keep_as_plan(struct session *session, const sw_summing *summing)
{
	sw_arena *arena = sw_arena_new();
	sw_ports *ports = arena ? SW_NEW(arena, sw_ports, 1) : NULL;
	struct sum sum;
	sw_problem problem;
	sw_plan program, plan;
	bool made = ports != NULL && summing->sum.kind == SW_HIERARCHY_SUMMED_LEVELS && sw_summing_done(summing) &&
		present_sum(session, &sum) == 1 && price_steps(session, summing, ports, sum.bytes, arena, &program) &&
		session_problem(session, &problem, NULL) &&
		reduction_as_plan(ports, &problem, &program, -1, arena, &plan, NULL);

	if (!made) {
		sw_arena_free(arena);
		return;
	}
	plan.origin = "by hand";
	session_keep_plan(session, arena, &plan);
}

/* ---- answers ---- */

static void add_devices(const sw_system *system, const int64_t *device, int64_t count, sw_text *text)
{
	for (int64_t m = 0; m < sw_smaller(count, 8); m++) {
		sw_text_add(text, m > 0 ? " " : "");
		sw_system_print_device(system, device[m], text);
	}
	if (count > 8)
		sw_text_add(text, " ..");
}

static void say_groups(const struct invocation *run, const sw_summing *summing, const sw_step *step)
{
	bool all = summing->system->devices <= SW_MAX_MAP_DEVICES;
	const sw_hierarchy *hierarchy = all ? &summing->hierarchy : &summing->small;
	int64_t groups, size, *list = sw_named_groups(hierarchy, &step->by, run->arena, &groups, &size);
	sw_text text = {0};

	for (int64_t g = 0; list != NULL && g < sw_smaller(groups, GROUPS_SHOWN); g++) {
		for (int64_t m = 0; m < size && !all; m++)
			list[g * size + m] = summing->device[list[g * size + m]];
		sw_text_add(&text, g > 0 ? " {" : "{");
		add_devices(summing->system, list + g * size, size, &text);
		sw_text_add(&text, "}");
	}
	document_line(run->answer, "   %lld %s of %lld: %s%s", (long long)groups, groups == 1 ? "group" : "groups",
		(long long)size, sw_text_get(&text), groups > GROUPS_SHOWN ? " .." : "");
	sw_text_free(&text);
}

static int shares_in(const sw_summing *summing, int device, int chunk)
{
	const uint64_t *row = sw_pieces_terms(&summing->pieces, device, chunk);
	int shares = 0;

	for (int w = 0; w < summing->pieces.words; w++)
		shares += __builtin_popcountll(row[w]);
	return shares;
}

/* `1` or `1-4`: how many shares are in the chunks that a device holds. */
static void add_shares(const sw_summing *summing, int device, sw_text *text)
{
	int least = 0, most = 0;

	for (int c = 0; c < summing->shares; c++) {
		int shares = shares_in(summing, device, c);

		if (shares > 0 && (least == 0 || shares < least))
			least = shares;
		most = shares > most ? shares : most;
	}
	if (most == 0)
		return;
	sw_text_addf(text, least == most ? "%d" : "%d-%d", least, most);
	sw_text_addf(text, " of %d", summing->shares);
}

struct holding {
	sw_text devices, pieces, shares;
	int count;
	int64_t member[9];
};

static bool same_holding(const struct holding *holding, sw_text *pieces, sw_text *shares)
{
	return strcmp(sw_text_get(&holding->pieces), sw_text_get(pieces)) == 0 &&
		strcmp(sw_text_get(&holding->shares), sw_text_get(shares)) == 0;
}

/* Devices that hold the same chunks, with as many shares, are one row. */
static int gather_holdings(const sw_summing *summing, struct holding *rows, int room)
{
	int count = 0;

	for (int d = 0; d < summing->devices; d++) {
		sw_text pieces = {0}, shares = {0};
		int r = 0;

		sw_pieces_print(&summing->pieces, d, &pieces);
		add_shares(summing, d, &shares);
		while (r < count && !same_holding(&rows[r], &pieces, &shares))
			r++;
		if (r == count && count < room)
			rows[count++] = (struct holding){.pieces = pieces, .shares = shares};
		else {
			sw_text_free(&pieces);
			sw_text_free(&shares);
		}
		if (r < count && rows[r].count++ < 8)
			rows[r].member[rows[r].count - 1] = summing->device[d];
	}
	return count;
}

#define HOLDINGS_SHOWN 16

static void add_holdings(const struct invocation *run, const sw_summing *summing)
{
	static const struct column columns[] = {COLUMN_LEFT("  devices", ROLE_NUMBER), COLUMN_LEFT("hold", ROLE_TEXT),
		COLUMN_LEFT("shares in each", ROLE_NUMBER), {0}};
	struct table *table = document_table(run->answer, columns);
	struct holding rows[HOLDINGS_SHOWN + 1] = {0};
	int count = gather_holdings(summing, rows, HOLDINGS_SHOWN + 1);

	for (int r = 0; r < count; r++) {
		sw_text devices = {0};

		sw_text_add(&devices, "  ");
		if (r == HOLDINGS_SHOWN)
			sw_text_add(&devices, "others");
		else
			add_devices(summing->system, rows[r].member, rows[r].count, &devices);
		table_add_text(table, &devices);
		table_add(table, "%s", r == HOLDINGS_SHOWN ? "" : sw_text_get(&rows[r].pieces));
		table_add(table, "%s", r == HOLDINGS_SHOWN ? "" : sw_text_get(&rows[r].shares));
		sw_text_free(&rows[r].pieces);
		sw_text_free(&rows[r].shares);
	}
}

static void say_followed(const struct invocation *run, const sw_summing *summing)
{
	int64_t sums = summing->system->devices / sw_larger(summing->shares, 1);

	if (summing->few)
		document_line(run->answer, "   two devices of each factor are shown: the others are like the second");
	else if (summing->devices < summing->system->devices)
		document_line(run->answer, "   the first of %lld sums is shown: the others are like it", (long long)sums);
}

static void say_step(const struct invocation *run, const sw_summing *summing, const struct hand_step *step)
{
	sw_text text = {0};

	sw_step_print(summing->system, &summing->hierarchy, &step->step, &text);
	document_line(run->answer, "%d  %s%s", step->count, sw_text_get(&text),
		sw_summing_done(summing) ? "  (every device has the sum)" : "");
	sw_text_free(&text);
	say_groups(run, summing, &step->step);
	add_holdings(run, summing);
	say_followed(run, summing);
}

/* ---- apply ---- */

bool hand_goes_on(const struct session *session, bool on_chunks, sw_diag *diag)
{
	static const struct {
		const char *works_on, *example;
	} kinds[] = {{"types", "allgather(0)"}, {"chunks", "`allgather inside root`"}};

	if (session_hand(&session->state, !on_chunks) == NULL)
		return true;
	sw_diag_set(diag, SW_C02, (sw_span){0, 0}, "the sequence works on %s, but this step on %s",
		kinds[!on_chunks].works_on, kinds[on_chunks].works_on);
	sw_diag_hint(diag,
		"continue with steps such as %s, or start over: `undo` takes steps back, `reduce` drops "
		"them",
		kinds[!on_chunks].example);
	return false;
}

static bool same_hierarchy(const struct session *session, sw_diag *diag)
{
	const struct hand_step *last = session_hand(&session->state, true);

	if (last == NULL || last->hierarchy == hierarchy_asked(session))
		return true;
	sw_diag_set(diag, SW_C02, (sw_span){0, 0}, "the earlier steps were read with hierarchy %s",
		sw_hierarchy_letter(last->hierarchy));
	sw_diag_hint(diag, "`set hierarchy %s` continues them; `reduce` starts over",
		sw_hierarchy_letter(last->hierarchy));
	return false;
}

bool apply_grouped(struct invocation *run, sw_str text, sw_diag *diag)
{
	struct session *session = run->session;
	const struct hand_step *last = session_hand(&session->state, true);
	sw_summing *summing = SW_NEW(run->arena, sw_summing, 1);
	sw_step step;

	if (summing == NULL)
		return sw_diag_memory(diag);
	if (!hand_goes_on(session, true, diag) || !same_hierarchy(session, diag))
		return refuse_at(run, text, diag);
	if (!grouped_after(session, last != NULL ? last->count : 0, run->arena, summing, diag))
		return false;
	if (!sw_step_parse(text, summing->system, &summing->hierarchy, &step, diag) ||
		!sw_summing_apply(summing, &step, run->arena, diag))
		return refuse_at(run, text, diag);
	session_drop_plan(session);
	if (!session_add_hand(session,
			&(struct hand_step){.step = step, .on_chunks = true, .hierarchy = summing->sum.kind}, diag))
		return false;
	keep_as_plan(session, summing);
	say_step(run, summing, session->state.hand);
	return true;
}

/* ---- verify ---- */

static bool holds_sum(const sw_summing *summing, int device)
{
	for (int c = 0; c < summing->shares; c++)
		if (shares_in(summing, device, c) < summing->shares)
			return false;
	return true;
}

/* The first device that lacks something, and how much it has of what. */
static void name_unfinished(const sw_summing *summing, sw_text *text)
{
	int device = 0, chunk = 0;

	while (device + 1 < summing->devices && holds_sum(summing, device))
		device++;
	sw_system_print_device(summing->system, summing->device[device], text);
	if (sw_pieces_held(&summing->pieces, device) < summing->shares) {
		sw_text_add(text, " holds ");
		sw_pieces_print(&summing->pieces, device, text);
		sw_text_addf(text, " of %d", summing->shares);
		return;
	}
	while (chunk + 1 < summing->shares && shares_in(summing, device, chunk) == summing->shares)
		chunk++;
	sw_text_addf(text, " holds %d of the %d shares of chunk %d", shares_in(summing, device, chunk), summing->shares,
		chunk);
}

static bool refuse_unfinished(const sw_summing *summing, int count, sw_diag *diag)
{
	sw_text text = {0};

	name_unfinished(summing, &text);
	sw_diag_set(diag, SW_P07, (sw_span){0, 0}, "after %d %s there is no sum yet: %s", count,
		count == 1 ? "step" : "steps", sw_text_get(&text));
	sw_diag_hint(diag, "`reductions` lists the programs that end with the sum");
	sw_text_free(&text);
	return false;
}

bool grouped_reach_the_sum(const struct invocation *run, sw_diag *diag)
{
	sw_summing *summing = SW_NEW(run->arena, sw_summing, 1);
	sw_step *steps;
	int count = grouped_steps(run->session, run->arena, &steps);

	if (summing == NULL || steps == NULL)
		return sw_diag_memory(diag);
	return grouped_after(run->session, count, run->arena, summing, diag) &&
		(sw_summing_done(summing) || refuse_unfinished(summing, count, diag));
}

/* No steps that hold their premises come to this. */
static bool refuse_wrong(const sw_verdict *verdict, sw_diag *diag)
{
	return sw_diag_set(diag, SW_P04, (sw_span){0, 0},
		"a device ends with a number that is not the sum of "
		"chunk %lld",
		(long long)verdict->wrong.index[1]);
}

static void say_verified(const struct invocation *run, const sw_summing *summing, int count, int64_t numbers)
{
	document_line(run->answer, "verified: after %d %s every device holds the sum of every chunk", count,
		count == 1 ? "step" : "steps");
	document_line(run->answer, "   %lld numbers on %d devices are right, one for each chunk", (long long)numbers,
		summing->devices);
	say_followed(run, summing);
}

static void add_verified(const struct invocation *run, const sw_summing *summing, int count, int64_t numbers)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.verify/1");

	field_bool(fields, "verified", true);
	field_int(fields, "steps", count);
	field_int(fields, "devices", summing->devices);
	field_int(fields, "chunks", summing->shares);
	field_int(fields, "elements", numbers);
	field_bool(fields, "symbolic", false);
}

bool verify_grouped(struct invocation *run, sw_diag *diag)
{
	sw_summing *summing = SW_NEW(run->arena, sw_summing, 1);
	sw_step *steps;
	int count = grouped_steps(run->session, run->arena, &steps);
	sw_plan plan;
	sw_verdict verdict;

	if (summing == NULL || steps == NULL)
		return sw_diag_memory(diag);
	if (!grouped_after(run->session, count, run->arena, summing, diag))
		return false;
	if (!sw_summing_done(summing))
		return refuse_unfinished(summing, count, diag);
	if (!sw_summing_plan(summing, steps, count, run->arena, &plan, diag) ||
		!sw_plan_verify(&plan, NULL, &verdict, diag))
		return false;
	if (!verdict.right)
		return refuse_wrong(&verdict, diag);
	add_verified(run, summing, count, verdict.elements);
	say_verified(run, summing, count, verdict.elements);
	return true;
}
