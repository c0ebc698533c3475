/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command `calibrate`: plans of a step there and a step back, of every operation, group size and size, and of short runs,
 * several launches for each transport; and from their times the rates of this machine.
 *
 * Steps are measured as plans run them: one after the other, without a barrier between them, each finding in the cache what the
 * one before has written.  What both take is shared by the processor time that each used.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <shardwalk/number.h>

#include "launch/commands.h"
#include "launch/job.h"
#include "launch/kernels.h"

enum { SIZES = 7, RUNS = 14, GROUPS = 4, DEFAULT_RANKS = 8, REPS = 5, WARMUP = 1, ELEMENT = 4 };

#define BUSY 0.2

/* Without --launches. */
static const int usual_launches[TRANSPORT_COUNT] = {[TRANSPORT_SHARED] = 3, [TRANSPORT_MESSAGES] = 1};

/* No powers of two: tiles that lie such distances apart fight for the same places of a cache. */
static const int64_t size_bytes[SIZES] = {4 << 10, 60 << 10, 960 << 10, 1920 << 10, 3840 << 10, 5760 << 10,
	15360 << 10};
/* By length: whole lines and powers of two below, and what is neither; on both sides only the first count: longer ones wait for
 * memory, on one side after the other. */
static const int64_t run_bytes[RUNS] = {4, 12, 16, 60, 64, 252, 256, 516, 1024, 2052, 4096, 8196, 32768, 65540};
enum { SHORT_RUNS = 6 };

/* The tiles in which runs are measured, by their place in size_bytes: caches seldom hold the first and mostly the second, in
 * which long runs take as long as whole tiles. */
enum { RUN_TILES = 2 };
static const struct {
	int size, runs;
} run_tiles[RUN_TILES] = {{5, RUNS}, {2, 8}};

/* ---- what is measured ---- */

/* A step there; the step back is measured with it (of one that adds terms, what makes terms of the sum), but not where that would take many times as long.  Whole tiles move, or runs of a few bytes that lie together in the source
 * there and in the target back, or in both; of these one in as many as a group has devices is wanted.  x has g devices, y the
 * others. */
static const struct form {
	sw_op op, back;
	bool runs, alone;
	const char *from, *to;
} forms[] = {
	{SW_ALLGATHER, SW_DYNSLICE, false, false, "f32[{y}Y, {x}T]", "f32[{y}Y, T]"},
	{SW_ALLTOALL, SW_ALLTOALL, false, false, "f32[{x}G, G, {y}M]", "f32[G, {x}G, {y}M]"},
	{SW_ALLPERMUTE, SW_ALLPERMUTE, false, false, "f32[{x,y}W]", "f32[{y,x}W]"},
	{SW_EXCHANGE, SW_EXCHANGE, false, false, "f32[{x}G, G, {y}M]", "f32[G, {x}G, {y}M]"},
	{SW_ALLTOALL, SW_ALLTOALL, true, false, "f32[{y}Y, {x}R, C]", "f32[{y}Y, R, {x}C]"},
	{SW_ALLTOALL, SW_ALLTOALL, true, false, "f32[{y}Y, B, {x}G, G, L]", "f32[{y}Y, B, G, {x}G, L]"},
	{SW_DYNSLICE, SW_DYNSLICE, true, true, "f32[{y}Y, R, C]", "f32[{y}Y, R, {x}C]"},
	{SW_REDUCESCATTER, SW_PAD, false, false, "f32[{y}Y, T]+{x}", "f32[{y}Y, {x}T]"},
	{SW_ALLREDUCE, SW_ZEROS, false, false, "f32[{y}Y, T]+{x}", "f32[{y}Y, T]"},
	{SW_REDUCESCATTER, SW_PAD, true, true, "f32[{y}Y, S, C]+{x}", "f32[{y}Y, S, {x}C]"},
};
enum {
	FORMS = sizeof(forms) / sizeof(*forms),
	GATHER = 0,
	WHOLE = 1,
	PERMUTE = 2,
	ONE_SIDE = 4,
	BOTH = 5,
	SLICE = 6,
	SCATTER = 7,
	REDUCE = 8,
	SUM_RUNS = 9
};
enum { THERE, BACK };

/* Group sizes make a difference for gathers and alltoalls; a permutation takes the smallest, an exchange all.  Of runs the
 * fewest and the most parts are measured. */
static bool is_measured(const struct form *form, int group, int groups)
{
	if (form->runs)
		return group == 0 || group == groups - 1;
	const int all = -1,
			  only[SW_AMONG_COUNT] =
				  {[SW_AMONG_NONE] = all, [SW_AMONG_GROUPS] = all, [SW_AMONG_PAIRS] = 0, [SW_AMONG_ALL] = groups - 1};
	int one = only[sw_collective_of(form->op)->among];
	return one == all || one == group;
}

/* A case is a form with a group size and a size, or a length of runs in tiles of a size. */
struct probe {
	int form, size, run;
	int64_t group;
	sw_plan plan;
	char name[80]; /* as progress tells it */
};

struct bench {
	struct job job;
	int ranks, groups;
	int launches[TRANSPORT_COUNT];
	int64_t group[GROUPS];
	int count;
	struct probe *probe;
};

/* What the letters stand for. */
struct letters {
	int64_t group, ranks;
	int64_t elements; /* of a tile after the step, about */
	int64_t run;      /* elements that lie together */
};

static int64_t round_up(int64_t number, int64_t unit)
{
	return (number + unit - 1) / unit * unit;
}

static int64_t letter_value(char letter, const struct letters *are)
{
	switch (letter) {
	case 'G':
		return are->group;
	case 'Y':
		return are->ranks / are->group;
	case 'N':
		return are->elements * are->group;
	case 'T':
		return round_up(are->elements, are->group);
	case 'M':
		return round_up(are->elements, are->group) / are->group * (are->ranks / are->group);
	case 'W':
		return are->elements * are->ranks;
	case 'C':
		return are->run * are->group;
	case 'L':
		return are->run;
	case 'B':
		return are->elements / (are->run * are->group) + 1;
	case 'S':
		return sw_larger(are->elements / (are->run * are->group), 1);
	default:
		return round_up(are->elements / are->run, are->group);
	}
}

static void write_type(const char *pattern, const struct letters *letters, sw_text *text)
{
	for (; *pattern; pattern++)
		if (*pattern >= 'A' && *pattern <= 'Z')
			sw_text_addf(text, "%lld", (long long)letter_value(*pattern, letters));
		else
			sw_text_add_char(text, *pattern);
}

static bool make_problem(const struct probe *probe, int ranks, sw_problem *problem, sw_diag *diag)
{
	const struct form *form = &forms[probe->form];
	struct letters letters = {probe->group, ranks, size_bytes[probe->size] / ELEMENT,
		form->runs ? run_bytes[probe->run] / ELEMENT : 1};
	sw_text mesh = {0}, types = {0};
	sw_text_addf(&mesh, "{x: %lld, y: %lld}", (long long)probe->group, (long long)(ranks / probe->group));
	write_type(form->from, &letters, &types);
	sw_text_add(&types, " ~> ");
	write_type(form->to, &letters, &types);
	bool ok = sw_mesh_parse((sw_str){sw_text_get(&mesh), mesh.length}, &problem->mesh, diag) &&
		sw_problem_parse(&problem->mesh, (sw_str){sw_text_get(&types), types.length}, problem, diag);
	sw_text_free(&mesh);
	sw_text_free(&types);
	return ok;
}

static bool one_step(const struct bench *bench, const sw_problem *problem, sw_op op, sw_plan *plan, sw_diag *diag)
{
	sw_plan_options options = {.strategy = sw_collective_of(op)->among == SW_AMONG_ALL ? SW_DIRECT : SW_FUSED};
	return sw_plan_find(problem, &options, bench->job.arena, plan, diag);
}

/* Puts the step back behind the step there; `plan` is without steps where either takes more than one. */
static bool add_way_back(const struct bench *bench, const sw_problem *problem, sw_op op, sw_plan *plan, sw_diag *diag)
{
	sw_problem home = *problem;
	sw_plan back;
	home.from = problem->to;
	home.to = problem->from;
	if (!one_step(bench, &home, op, &back, diag))
		return false;
	if (!sw_plan_own(plan, 1, bench->job.arena))
		return sw_diag_memory(diag);
	bool both = plan->program.steps == 1 && back.program.steps == 1;
	if (both) {
		plan->program.step[1] = back.program.step[0];
		plan->program.value[2] = back.program.value[1];
	}
	plan->program.steps = both ? 2 : 0;
	plan->problem.to = problem->from;
	plan->has_bound = plan->optimal = false;
	plan->budget = plan->budget > back.budget ? plan->budget : back.budget;
	return sw_plan_total(plan, diag);
}

/* "alltoall, groups of 4, 960 KiB, runs of 64 B" */
static void name_probe(struct probe *probe)
{
	const struct form *form = &forms[probe->form];
	sw_text text = {0};
	sw_text_addf(&text, "%s, groups of %lld, ", sw_collective_of(form->op)->name, (long long)probe->group);
	sw_print_bytes(&text, size_bytes[probe->size]);
	if (form->runs) {
		sw_text_addf(&text, ", runs%s of ", probe->form == BOTH ? " on both sides" : "");
		sw_print_bytes(&text, run_bytes[probe->run]);
	}
	snprintf(probe->name, sizeof(probe->name), "%s", sw_text_get(&text));
	sw_text_free(&text);
}

/* Only plans that begin with the step that is to be measured count. */
static bool add_probe(struct bench *bench, int form, int size, int run, int64_t group, sw_diag *diag)
{
	struct probe *probe = &bench->probe[bench->count];
	sw_op op = forms[form].op;
	sw_problem problem;
	*probe = (struct probe){.form = form, .size = size, .run = run, .group = group};
	name_probe(probe);
	if (!make_problem(probe, bench->ranks, &problem, diag) || !one_step(bench, &problem, op, &probe->plan, diag) ||
		!(forms[form].alone || add_way_back(bench, &problem, op, &probe->plan, diag)))
		return false;
	if (probe->plan.program.steps != (forms[form].alone ? 1 : 2) || probe->plan.program.step[0].op != op)
		return true;
	bench->count++;
	return job_add(&bench->job, &probe->plan, probe->name, diag);
}

/* Divisors of the ranks: the smallest ones, and all. */
static void choose_groups(struct bench *bench)
{
	for (int64_t g = 2; g < bench->ranks && bench->groups < GROUPS - 1; g++)
		if (bench->ranks % g == 0)
			bench->group[bench->groups++] = g;
	bench->group[bench->groups++] = bench->ranks;
}

/* The sizes of a form, or the lengths of its runs in tiles of every size. */
static bool add_form(struct bench *bench, int form, int64_t group, sw_diag *diag)
{
	bool ok = true;
	for (int size = 0; ok && !forms[form].runs && size < SIZES; size++)
		ok = add_probe(bench, form, size, 0, group, diag);
	for (int tile = 0; ok && forms[form].runs && tile < RUN_TILES; tile++)
		for (int run = 0; ok && run < (form == BOTH ? SHORT_RUNS : run_tiles[tile].runs); run++)
			ok = add_probe(bench, form, run_tiles[tile].size, run, group, diag);
	return ok;
}

static bool add_probes(struct bench *bench, sw_diag *diag)
{
	bench->probe = SW_NEW(bench->job.arena, struct probe, FORMS * RUN_TILES * RUNS * GROUPS);
	if (!bench->probe)
		return sw_diag_memory(diag);
	choose_groups(bench);
	for (int form = 0; form < FORMS; form++)
		for (int g = 0; g < bench->groups; g++)
			if (is_measured(&forms[form], g, bench->groups) && !add_form(bench, form, bench->group[g], diag))
				return false;
	return true;
}

/* ---- from times to rates ---- */

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

enum { FIRST_LARGE = 2, PASSES = 10 };

static double median(double *number, int count)
{
	if (!count)
		return 0;
	qsort(number, (size_t)count, sizeof(*number), by_size);
	return (number[(count - 1) / 2] + number[count / 2]) / 2;
}

struct point {
	double seconds; /* 0: not measured */
	sw_load load;
};

static struct point point_of(const struct probe *probe, const struct records *records, int step)
{
	const struct times *times = records_merge(records, probe->name);
	struct point point = {.seconds = times && step < times->count ? times->step[step].part : 0};
	sw_step_load(&probe->plan, step, &point.load);
	return point;
}

static const struct probe *find_probe(const struct bench *bench, struct probe wanted)
{
	for (int i = 0; i < bench->count; i++) {
		const struct probe *probe = &bench->probe[i];
		if (probe->form == wanted.form && probe->size == wanted.size && probe->run == wanted.run &&
			probe->group == wanted.group)
			return probe;
	}
	return NULL;
}

static double rounds_of(const struct point *point)
{
	return point->load.rounds > 0 ? (double)point->load.rounds : 1;
}

static double bytes_of(const struct point *point)
{
	return point->load.bytes > 0 ? point->load.bytes : point->load.packed;
}

/* The time that a step of no bytes would take, from the line through the two smallest sizes, per round. */
static double fit_alpha(const struct point *points)
{
	double b0 = bytes_of(&points[0]), b1 = bytes_of(&points[1]);
	double slope = b1 > b0 ? (points[1].seconds - points[0].seconds) / (b1 - b0) : 0;
	double start = points[0].seconds - slope * b0;
	double least = 0.1 * points[0].seconds, most = 0.95 * points[0].seconds;
	return (start < least ? least : start > most ? most : start) / rounds_of(&points[0]);
}

/* Fills the rates of one operation and group size; how many: all, or none where one was not measured.  However long its start
 * is, bytes take some of a step's time. */
static int fit_rates(const struct point *points, sw_op op, int64_t group, sw_rate *rate)
{
	for (int k = 0; k < SIZES; k++)
		if (points[k].seconds <= 0 || bytes_of(&points[k]) <= 0)
			return 0;
	double alpha = fit_alpha(points);
	for (int k = 0; k < SIZES; k++) {
		double all = points[k].seconds, bytes = bytes_of(&points[k]);
		double speed = bytes / fmax(all - alpha * rounds_of(&points[k]), 0.05 * all);
		bool copies = sw_collective_of(op)->among == SW_AMONG_NONE;
		rate[k] = (sw_rate){op, group, (int64_t)bytes, alpha, copies ? 0 : speed, copies ? speed : 0};
	}
	return SIZES;
}

/* The speeds of all sizes of one operation and group size, in logarithms. */
struct speeds {
	double speed[SIZES], factor;
};

static double *speed_of(sw_rate *rate)
{
	return rate->bandwidth > 0 ? &rate->bandwidth : &rate->copy;
}

static double median_of_size(const struct speeds *speeds, int count, int size)
{
	double found[(FORMS + 1) * GROUPS];
	for (int i = 0; i < count; i++)
		found[i] = speeds[i].speed[size] - speeds[i].factor;
	return median(found, count);
}

/* How much faster a column is than all of them; the small sizes do not count, of which most is the start. */
static double median_factor(const struct speeds *speeds, const double *common)
{
	double found[SIZES];
	for (int k = FIRST_LARGE; k < SIZES; k++)
		found[k - FIRST_LARGE] = speeds->speed[k] - common[k];
	return median(found, SIZES - FIRST_LARGE);
}

/* Inside a host all operations are copies by the same cores: their speed goes by size, and each operation and group size has one
 * factor.  What single measurements say beyond that is by chance. */
static void even_out(sw_rate *rate, int count)
{
	struct speeds speeds[(FORMS + 1) * GROUPS] = {0};
	double common[SIZES];
	int columns = count / SIZES;
	for (int i = 0; i < columns * SIZES; i++)
		speeds[i / SIZES].speed[i % SIZES] = log(*speed_of(&rate[i]));
	for (int pass = 0; pass < PASSES; pass++) {
		for (int k = 0; k < SIZES; k++)
			common[k] = median_of_size(speeds, columns, k);
		for (int i = 0; i < columns; i++)
			speeds[i].factor = median_factor(&speeds[i], common);
	}
	for (int i = 0; i < columns * SIZES; i++)
		if (i % SIZES >= FIRST_LARGE)
			*speed_of(&rate[i]) = exp(common[i % SIZES] + speeds[i / SIZES].factor);
}

static int fit_form(const struct bench *bench, const struct records *records, int form, int64_t group, int step,
	sw_rate *rate)
{
	struct point points[SIZES];
	for (int k = 0; k < SIZES; k++) {
		const struct probe *probe = find_probe(bench, (struct probe){.form = form, .size = k, .group = group});
		points[k] = probe ? point_of(probe, records, step) : (struct point){.seconds = 0};
	}
	return fit_rates(points, step == BACK ? forms[form].back : forms[form].op, group, rate);
}

/* The steps there of whole tiles, in all groups: those that add terms, or those that do not. */
static int fit_whole(const struct bench *bench, const struct records *records, bool adds, sw_rate *rate)
{
	int count = 0;
	for (int g = 0; g < bench->groups; g++)
		for (int form = 0; form < FORMS; form++)
			if (!forms[form].runs && (sw_collective_of(forms[form].op)->terms == SW_TERMS_ADDED) == adds &&
				is_measured(&forms[form], g, bench->groups))
				count += fit_form(bench, records, form, bench->group[g], THERE, rate + count);
	return count;
}

/* Adding n tiles has a speed of its own by size; what makes terms is local, as a slice is. */
static int fit_sums(const struct bench *bench, const struct records *records, bool even, sw_rate *rate)
{
	int count = fit_whole(bench, records, true, rate);
	if (even)
		even_out(rate, count);
	count += fit_form(bench, records, SCATTER, bench->group[0], BACK, rate + count);
	return count + fit_form(bench, records, REDUCE, bench->group[0], BACK, rate + count);
}

/* How many times as long a step takes as it would with whole tiles, by the rates alone; 0: not measured. */
static double slowness_at(const struct bench *bench, const struct records *records, const sw_machine *rates,
	struct probe at, int step)
{
	const struct probe *probe = find_probe(bench, at);
	double seconds = probe ? point_of(probe, records, step).seconds : 0;
	double whole = probe ? sw_predict_seconds(&probe->plan, step, rates) : 0;
	return seconds > 0 && whole > 0 ? fmax(1, seconds / whole) : 0;
}

/* How much slower runs are, of which one in so many parts is wanted; false: not measured. */
static bool fit_run(const struct bench *bench, const struct records *records, const sw_machine *rates,
	struct probe at, sw_run_rate *one)
{
	at.form = ONE_SIDE;
	double source = slowness_at(bench, records, rates, at, THERE),
		   target = slowness_at(bench, records, rates, at, BACK);
	at.form = BOTH;
	double both[] = {slowness_at(bench, records, rates, at, THERE), slowness_at(bench, records, rates, at, BACK)};
	at.form = SLICE;
	double slice = slowness_at(bench, records, rates, at, THERE);
	at.form = SUM_RUNS;
	double sum = slowness_at(bench, records, rates, at, THERE);
	*one = (sw_run_rate){.bytes = run_bytes[at.run],
		.parts = at.group,
		.tile = size_bytes[at.size],
		.source = source,
		.target = target,
		.both = both[0] > 0 && both[1] > 0 ? median(both, 2) : source * target,
		.slice = slice > 0 ? slice : source,
		.sum = sum > 0 ? sum : source};
	return source > 0 && target > 0;
}

/* Of all lengths in tiles of all sizes; how many were measured. */
static int fit_runs(const struct bench *bench, const struct records *records, const sw_machine *rates, int64_t parts,
	sw_run_rate *run)
{
	int count = 0;
	for (int tile = 0; tile < RUN_TILES; tile++)
		for (int k = 0; k < run_tiles[tile].runs; k++) {
			struct probe at = {.size = run_tiles[tile].size, .run = k, .group = parts};
			count += fit_run(bench, records, rates, at, &run[count]);
		}
	return count;
}

static bool fit_transport(const struct bench *bench, const struct records *records, int transport,
	struct calibration *calibration, sw_diag *diag)
{
	sw_rate *rate = SW_NEW(bench->job.arena, sw_rate, (FORMS + 1) * SIZES * GROUPS);
	sw_run_rate *run = SW_NEW(bench->job.arena, sw_run_rate, RUN_TILES * RUNS * GROUPS);
	int runs = 0;
	if (!rate || !run)
		return sw_diag_memory(diag);
	int count = fit_whole(bench, records, false, rate);
	count += fit_form(bench, records, GATHER, bench->group[0], BACK, rate + count);
	if (transport == TRANSPORT_SHARED)
		even_out(rate, count);
	count += fit_sums(bench, records, transport == TRANSPORT_SHARED, rate + count);
	sw_machine rates = {.count = count, .rate = rate};
	for (int g = 0; g < bench->groups; g++)
		if (is_measured(&forms[ONE_SIDE], g, bench->groups))
			runs += fit_runs(bench, records, &rates, bench->group[g], run + runs);
	calibration->rate[transport] = rate;
	calibration->count[transport] = count;
	calibration->run[transport] = run;
	calibration->runs[transport] = runs;
	return count > 0 || sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "nothing could be measured");
}

/* ---- the whole ---- */

/* The median of what the probes measured that lie beside every plan; 0: none did. */
static double probed(const struct records *all, bool hop, sw_arena *arena)
{
	double *found = SW_NEW(arena, double, all->count);
	int count = 0;
	for (int i = 0; found && i < all->count; i++) {
		double one = hop ? all->times[i].hop : all->times[i].bandwidth;
		if (one > 0)
			found[count++] = one;
	}
	return median(found, count);
}

static void describe(const struct bench *bench, const struct records *all, struct calibration *calibration)
{
	char host[256] = "", date[40] = "", mpi[64] = "";
	time_t now = time(NULL);
	struct tm parts;
	sw_arena *arena = bench->job.arena;
	gethostname(host, sizeof(host) - 1);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
	snprintf(mpi, sizeof(mpi), "%s",
		*bench->job.programs.mpi ? bench->job.programs.mpi : "an MPI that does not say its name");
	*calibration = (struct calibration){.there = true,
		.ranks = bench->ranks,
		.cores = all->times[0].cores,
		.hop = probed(all, true, arena),
		.bandwidth = probed(all, false, arena)};
	calibration->host = sw_arena_copy(arena, host, strlen(host));
	calibration->date = sw_arena_copy(arena, date, strlen(date));
	calibration->mpi = sw_arena_copy(arena, mpi, strlen(mpi));
}

/* Rates of a machine that was busy are too low. */
static void tell_busy(const struct bench *bench, const struct records *all)
{
	double most = 0;
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		for (int i = 0; i < all[t].count; i++)
			most = all[t].times[i].others > most ? all[t].times[i].others : most;
	if (most > BUSY)
		answer_remark(bench->job.run->session,
			"other programs used up to %.0f %% of the processors meanwhile: calibrate again when the machine "
			"is idle",
			100 * most);
}

/* Each launch begins with another plan. */
static bool launch_all(struct bench *bench, int count, sw_diag *diag)
{
	for (int launch = 0; launch < count; launch++) {
		bench->job.options.number = launch + 1;
		if (job_launch(&bench->job, launch * bench->job.count / count, diag))
			continue;
		if (diag->code == SW_S03)
			sw_diag_hint(diag, "the calibration is unchanged");
		return false;
	}
	return true;
}

static bool measure(struct bench *bench, struct calibration *calibration, sw_diag *diag)
{
	struct records all[TRANSPORT_COUNT];
	int expected = 0;
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		expected += bench->launches[t];
	job_expect(&bench->job, expected);
	for (int t = 0; t < TRANSPORT_COUNT; t++) {
		bench->job.options.transport = transport_names[t];
		bench->job.records = records_start(bench->job.arena);
		if (!launch_all(bench, bench->launches[t], diag))
			return false;
		all[t] = bench->job.records;
	}
	describe(bench, &all[0], calibration);
	tell_busy(bench, all);
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		if (!fit_transport(bench, &all[t], t, calibration, diag))
			return false;
	bench->job.options.transport = transport_names[TRANSPORT_SHARED];
	if (!kernels_measure(bench->job.run, &bench->job.options, bench->job.arena, calibration, diag))
		return false;
	if (!calibration->kernels)
		answer_remark(bench->job.run->session, "products could not be measured");
	return calibration_store(calibration, diag);
}

static bool answer(const struct invocation *run, const struct calibration *calibration, sw_diag *diag)
{
	sw_text json = {0}, words = {0};
	bool ok = !run->answer->for_programs || calibration_write(calibration, &json, diag);
	calibration_print(calibration, &words);
	document_json(run->answer, &json);
	document_lines(run->answer, &words);
	return ok;
}

/* As many ranks as the mesh has devices, where that is a sensible number. */
static bool read_ranks(const struct invocation *run, int *ranks, sw_diag *diag)
{
	const struct state *state = &run->session->state;
	int64_t most = state->settings.value[SETTING_MAX_RANKS].number,
			number = DEFAULT_RANKS < most ? DEFAULT_RANKS : most;
	int64_t devices = state->has[DEFINED_MESH] ? state->mesh.devices : 0;
	if (devices > 1 && devices <= most)
		number = devices;
	if (!option_count(run, OPTION_RANKS, 2, most, &number, diag))
		return false;
	*ranks = (int)number;
	return number >= 2 ||
		sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "calibration needs at least 2 ranks, but max_ranks is 1");
}

bool command_calibrate(struct invocation *run, sw_diag *diag)
{
	struct bench bench = {.job = {.run = run, .options = run_options(run)}};
	struct calibration calibration;
	if (!read_ranks(run, &bench.ranks, diag))
		return false;
	for (int t = 0; t < TRANSPORT_COUNT; t++)
		bench.launches[t] = (int)option_number(run, OPTION_LAUNCHES, usual_launches[t]);
	bench.job.options.both = true;
	bench.job.options.ranks = bench.ranks;
	bench.job.options.reps = REPS;
	bench.job.options.warmup = WARMUP;
	bench.job.options.total = true;
	bool ok = job_start(&bench.job, "calibrate", diag) && add_probes(&bench, diag) &&
		measure(&bench, &calibration, diag) && answer(run, &calibration, diag);
	job_end(&bench.job);
	return ok;
}
