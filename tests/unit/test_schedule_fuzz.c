/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules only change when and where: drawn ones have one result each, and texts that are damaged are refused where they are.
 */
#include "kit.h"

#include <shardwalk/number.h>

#include "arena.h"
#include "kit/mutate.h"
#include "schedules.h"

static draw source;

static int below(int n)
{
	return draw_below(&source, n);
}

enum { COMMANDS = 9, TEXTS_DRAWN = 4000 };

static const struct statement {
	const char *text, *arrays, *letters; /* arrays: names with their letters */
} statements[] = {
	{"A(i,j) = B(i,k) * C(k,j)", "A ij B ik C kj", "ijk"},
	{"a(i) = B(i,j) * c(j) + d(i)", "a i B ij c j d i", "ij"},
	{"a(i) += B(i,j)*c(j) - 2*d(i)", "a i B ij c j d i", "ij"},
	{"A(i,j) = B(i,j) + 3*C(j,i)", "A ij B ij C ji", "ij"},
	{"A(i,j) += B(j,i)", "A ij B ji", "ij"},
	{"a(i) = b(j)", "a i b j", "ij"},
	{"a = B(i,j) * C(i,j)", "a . B ij C ij", "ij"},
	{"A(i,j) = B(i,k) * B(j,k)", "A ij B ik B jk", "ijk"},
	{"A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", "A il B ijk C jl D kl", "iljk"},
};

/* ---- drawing ---- */

typedef struct drawn {
	const struct statement *statement;
	sw_mesh *mesh;
	sw_schedule_problem problem;
	sw_text script; /* the commands that were legal */
	const sw_schedule *schedule;
	int names;
} drawn;

static int64_t size_of(const struct statement *statement, char letter, const int64_t *size)
{
	return size[strchr(statement->letters, letter) - statement->letters];
}

static void draw_mesh(sw_mesh *mesh)
{
	sw_text text = {0};
	int axes = 1 + below(3), deeper = below(3) == 0 && axes > 1 ? 1 + below((int)axes - 1) : axes;

	for (int axis = 0; axis < axes; axis++)
		sw_text_addf(&text, "%sd%d: %d", axis == 0 ? "{" : axis == deeper ? "; " : ", ", axis, 1 + below(3));
	sw_text_add(&text, "}");
	assert_true(sw_mesh_parse(sw_str_of(sw_text_get(&text)), mesh, NULL));
	sw_text_free(&text);
}

/* Each axis cuts a dimension, fixes a coordinate, or does neither. */
static void draw_home(const sw_mesh *mesh, struct schedule_home *home)
{
	home->mesh = mesh;
	for (int axis = 0; axis < mesh->count; axis++) {
		int kind = below(4);
		home->place[axis] = (struct schedule_place){-1, -1};
		if (kind < 2 && home->rank > 0)
			home->place[axis].dim = below((int)home->rank);
		else if (kind == 2)
			home->place[axis].at = below((int)mesh->axis[axis].size);
		home->order[home->order_count++] = axis;
	}
	home->rule = (sw_holding_rule){.region = schedule_home_region, .of = home};
	sw_holding_of_rule(mesh->devices, home->rank, home->size, &home->rule, &home->holding);
}

static void draw_problem(drawn *d)
{
	struct schedule_home *home = SW_NEW_ZERO(arena, struct schedule_home, 8);
	sw_schedule_array array[8] = {0};
	int64_t size[8];
	int arrays = 0;
	sw_diag diag;

	d->statement = &statements[below((int)COUNT(statements))];
	d->mesh = SW_NEW_ZERO(arena, sw_mesh, 1);
	draw_mesh(d->mesh);
	for (int k = 0; k < 8; k++)
		size[k] = 1 + below(6);
	sw_str rest = sw_str_of(d->statement->arrays);
	while (rest.length > 0) {
		sw_str name = sw_str_word(&rest), letters = sw_str_word(&rest);
		struct schedule_home *is = &home[arrays];
		is->rank = letters.at[0] == '.' ? 0 : (int)letters.length;
		if (arrays > 0 && sw_str_equal(array[arrays - 1].name, name)) { /* one array, two accesses: sizes are equal */
			size[1] = size[0];
			home[0].size[1] = size[0];
			array[0].size[1] = size[0];
			continue;
		}
		for (int k = 0; k < is->rank; k++)
			is->size[k] = size_of(d->statement, letters.at[k], size);
		array[arrays] = (sw_schedule_array){.name = name, .rank = is->rank, .home = &is->holding};
		memcpy(array[arrays].size, is->size, sizeof is->size);
		arrays++;
	}
	for (int k = 0; k < arrays; k++)
		draw_home(d->mesh, &home[k]);
	if (!sw_schedule_problem_of(sw_str_of(d->statement->text), d->mesh, array, arrays, arena, &d->problem, &diag))
		fail_msg("%s: %s", d->statement->text, diag.message);
	d->problem.from_home = below(8) == 0;
}

static sw_str loop_drawn(const drawn *d)
{
	return d->schedule->loop[below((int)d->schedule->loops)].name;
}

#define NAME(str) (int)(str).length, (str).at

static void draw_command(drawn *d, sw_text *text)
{
	sw_str a = loop_drawn(d), b = loop_drawn(d);
	int n = d->names;

	switch (below(9)) {
	case 0:
	case 1:
		sw_text_addf(text, "divide(%.*s, o%d, n%d, %d)", NAME(a), n, n, 1 + below(4));
		break;
	case 2:
		sw_text_addf(text, "split(%.*s, o%d, n%d, %d)", NAME(a), n, n, 1 + below(4));
		break;
	case 3:
		sw_text_addf(text, "reorder({%.*s, %.*s})", NAME(a), NAME(b));
		break;
	case 4:
	case 5:
		sw_text_addf(text, "distribute(%.*s)", NAME(a));
		break;
	case 6:
		sw_text_addf(text, "rotate(%.*s, {%.*s}, r%d)", NAME(a), NAME(b), n);
		break;
	case 7:
		sw_text_addf(text, "communicate(%.*s, %.*s)",
			NAME(d->problem.formula.array[below((int)d->problem.formula.arrays)].name), NAME(a));
		break;
	default:
		sw_text_addf(text, "collapse(%.*s, %.*s, f%d)", NAME(a), NAME(b), n);
	}
}

/* Takes drawn commands that are legal, after which the schedule can still be lowered. */
static const sw_lowering *draw_schedule(drawn *d)
{
	const sw_lowering *lowering;

	d->schedule = sw_schedule_new(&d->problem, arena);
	lowering = sw_lowering_of(d->schedule, arena, NULL);
	assert_non_null(lowering);
	for (d->names = 0; d->names < COMMANDS && d->schedule->loops > 0; d->names++) {
		sw_text text = {0};
		sw_diag diag = {0};
		draw_command(d, &text);
		char *kept = sw_arena_copy(arena, sw_text_get(&text), text.length);
		const sw_schedule *next = sw_schedule_read(d->schedule, sw_str_of(kept), arena, NULL, &diag);
		const sw_lowering *lowered = next != NULL ? sw_lowering_of(next, arena, &diag) : NULL;
		assert_true(lowered != NULL || diag.code != SW_OK);
		if (lowered != NULL && lowered->steps <= 200) {
			d->schedule = next;
			lowering = lowered;
			sw_text_addf(&d->script, ".%s", kept);
		}
		sw_text_free(&text);
	}
	return lowering;
}

static void tell(const drawn *d, uint64_t number, const char *what, const sw_diag *diag)
{
	sw_text mesh = {0};

	sw_mesh_print(d->mesh, &mesh);
	fail_msg("schedule %d: %s: %s\n%s over %s\n%s", (int)number, what, diag->message, d->statement->text,
		sw_text_get(&mesh), sw_text_get(&d->script));
}

/* ---- properties ---- */

/* Bounds are as tight as what points touch, where an array is read once. */
static bool bounds_are_tight(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit)
{
	sw_boxes need;
	sw_region touched;
	int64_t low, high;

	assert_true(sw_lowering_need(lowering, fetch, step, unit, arena, &need));
	assert_true(sw_lowering_touched(lowering, fetch, step, unit, arena, &touched));
	if (need.count != 1)
		return need.count > 0 || touched.count == 0;
	for (int dim = 0; dim < need.rank; dim++) {
		low = INT64_MAX;
		high = 0;
		for (int k = 0; k < touched.count; k++) {
			const sw_indices *set = &touched.set[k * need.rank + dim];
			for (int n = 0; n < set->count; n++) {
				const sw_family *f = &set->family[n];
				low = sw_smaller(low, f->first);
				high = sw_larger(high, f->first + (f->count - 1) * f->step + f->run);
			}
		}
		if (low != need.at[2 * dim] || high != need.at[2 * dim + 1])
			return false;
	}
	return true;
}

static void check_bounds(const drawn *d, uint64_t number, const sw_lowering *lowering)
{
	for (int fetch = 0; fetch < lowering->fetches; fetch++) {
		int array = lowering->fetch[fetch].array, level = lowering->fetch[fetch].level,
			levels = (int)sw_mesh_levels(d->mesh);
		if (array == 0 && level < levels)
			continue; /* copies have boxes for what is given to them, too */
		for (int64_t step = 0; step < lowering->steps; step += lowering->fetch[fetch].every)
			for (int64_t unit = 0; unit < sw_schedule_units(d->mesh, level); unit++)
				if (!bounds_are_tight(lowering, fetch, step, unit)) {
					sw_diag diag = {.message = "bounds differ from what is touched"};
					tell(d, number, "needs", &diag);
				}
	}
}

/* Volumes and memory do not depend on who sends. */
static void check_totals(const drawn *d, uint64_t number, const sw_lowering *lowering)
{
	sw_schedule_totals with, without;
	sw_diag diag = {0};
	size_t list = (size_t)d->mesh->devices * sizeof(int64_t);

	if (!sw_lowering_totals(lowering, true, NULL, arena, &with, &diag) ||
		!sw_lowering_totals(lowering, false, NULL, arena, &without, &diag) ||
		!sw_lowering_exact(lowering, NULL, &with, &diag))
		tell(d, number, "totals", &diag);
	snprintf(diag.message, sizeof diag.message, "volume %lld with senders, %lld without, exact %lld",
		(long long)with.volume, (long long)without.volume, (long long)with.exact);
	if (with.volume != without.volume || memcmp(with.received, without.received, list) != 0 ||
		memcmp(with.peak, without.peak, list) != 0 || memcmp(with.peak_overlap, without.peak_overlap, list) != 0)
		tell(d, number, "totals", &diag);
	if (sw_mesh_levels(d->mesh) == 1 && lowering->steps == 1 && with.exact > with.volume)
		tell(d, number, "exact volume", &diag);
	for (int64_t p = 0; p < d->mesh->devices; p++) {
		int64_t most = 0;
		for (int64_t step = 0; step < lowering->steps; step++)
			most = sw_larger(most, sw_lowering_live(lowering, (int)sw_mesh_levels(d->mesh), p, step, false, arena));
		snprintf(diag.message, sizeof diag.message, "processor %d has %lld, and step by step %lld", (int)p,
			(long long)with.peak[p], (long long)most);
		if (most != with.peak[p])
			tell(d, number, "live memory", &diag);
	}
}

static void check_result(const drawn *d, uint64_t number, const sw_lowering *lowering)
{
	sw_schedule_result wanted, found;
	sw_diag diag = {0};

	assert_true(sw_schedule_reference(&d->problem, arena, &wanted, &diag));
	if (!sw_lowering_run(lowering, NULL, arena, &found, &diag))
		tell(d, number, "run", &diag);
	snprintf(diag.message, sizeof diag.message, "checksum %lld, not %lld", (long long)found.checksum,
		(long long)wanted.checksum);
	if (found.checksum != wanted.checksum || found.sum != wanted.sum || found.points != wanted.points)
		tell(d, number, "result", &diag);
}

/* A schedule that is read again from its text is the same. */
static void check_text(const drawn *d)
{
	sw_text one = {0}, other = {0};
	sw_diag diag;
	const sw_schedule *again = d->script.length > 0 ? sw_schedule_read(sw_schedule_new(&d->problem, arena),
														  sw_str_of(sw_text_get(&d->script)), arena, NULL, &diag) :
													  d->schedule;

	assert_non_null(again);
	sw_schedule_print(d->schedule, &one);
	sw_schedule_print(again, &other);
	assert_string_equal(sw_text_get(&one), sw_text_get(&other));
	sw_text_free(&one);
	sw_text_free(&other);
}

static void drawn_schedules_have_one_result(void **state)
{
	const char *wanted = getenv("SCHEDULES");
	uint64_t schedules = wanted != NULL ? strtoull(wanted, NULL, 10) : 300;

	(void)state;
	for (uint64_t number = 0; number < schedules; number++) {
		drawn d = {0};
		draw_problem(&d);
		const sw_lowering *lowering = draw_schedule(&d);
		check_text(&d);
		check_bounds(&d, number, lowering);
		check_totals(&d, number, lowering);
		check_result(&d, number, lowering);
		sw_text_free(&d.script);
		sw_arena_clear(arena);
	}
}

/* ---- damaged texts ---- */

static const char chain[] =
	".distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2)).divide(k, ko, ki, 2) // as before\n"
	".reorder({ko,ii,ji,ki}).rotate(ko, {io,jo}, kos).collapse(ii, ji, f).communicate(A, jo)\n"
	".communicate({B,C}, kos).precompute(B(i,k)*C(k,j), W).parallelize(f, threads);";

static void is_in_text(const sw_diag *diag, size_t length)
{
	assert_true(diag->code != SW_OK && diag->message[0] != '\0');
	assert_true(diag->at.begin <= diag->at.end && diag->at.end <= length);
}

static void damaged_chains_are_refused_where_they_are(void **state)
{
	static const char product[] = "A(i,j) = B(i,k) * C(k,j)";
	static mutant m;
	int refused = 0;

	(void)state;
	for (int n = 0; n < TEXTS_DRAWN; n++) {
		sw_diag diag = {0};
		const sw_schedule_problem *problem = schedule_squares("{x: 2, y: 2}", sw_str_of(product), arena, &diag);
		mutant_draw(&m, &source, chain);
		const sw_schedule *schedule = sw_schedule_read(sw_schedule_new(problem, arena), (sw_str){m.text, m.length},
			arena, NULL, &diag);
		if (schedule == NULL) {
			is_in_text(&diag, m.length);
			refused++;
		} else if (sw_lowering_of(schedule, arena, &diag) == NULL)
			assert_true(diag.code != SW_OK);
		sw_arena_clear(arena);
	}
	assert_true(refused > TEXTS_DRAWN / 4);
}

static void damaged_statements_are_refused_where_they_are(void **state)
{
	static const char sum[] = "A(i,j) += B(i,k) * C(k,j) + 3*B(j,i)";
	static mutant m;
	int refused = 0;

	(void)state;
	for (int n = 0; n < TEXTS_DRAWN; n++) {
		sw_diag diag = {0};
		mutant_draw(&m, &source, sum);
		if (schedule_squares("{x: 2, y: 2}", (sw_str){m.text, m.length}, arena, &diag) == NULL) {
			is_in_text(&diag, m.length);
			refused++;
		}
		sw_arena_clear(arena);
	}
	assert_true(refused > TEXTS_DRAWN / 4);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(drawn_schedules_have_one_result),
		TEST(damaged_chains_are_refused_where_they_are),
		TEST(damaged_statements_are_refused_where_they_are),
	};
	source = draw_start("schedules");
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
