/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking times.
 */
#include "timing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "requests.h"
#include "watch.h"

enum { WAYS = 3, EXCHANGE = WAYS, ALL_WAYS, PASSES = 4 };
static const double IN_CACHE = 1e-3;

static void perform(ex_run *run, int k, int way)
{
	bool collectives = run->collectives;
	run->collectives = collectives && way != EXCHANGE;
	if (way == 0 || way == EXCHANGE)
		ex_run_step(run, k);
	else
		ex_run_reference(run, k, way == 1 ? EX_PLAIN : EX_STREAM);
	run->collectives = collectives;
}

/* One repetition; its start and end on this rank, and where `used` is no NULL the processor time of every step. */
static void repetition(ex_run *run, int k, int way, double *start, double *end, double *used)
{
	int first = k < 0 ? 0 : k, last = k < 0 ? run->program->count : k + 1;
	ex_team_barrier(run->team);
	*start = ex_now();
	for (int i = first; i < last; i++) {
		double before = used ? ex_run_used() : 0;
		perform(run, i, way);
		if (used)
			used[i] = ex_run_used() - before;
	}
	*end = ex_now();
}

void ex_timing_combine(ex_team *team, double *start, double *end, int count)
{
	if (team->hosts == 1) {
		ex_team_reduce(team, start, count, MPI_MIN);
		ex_team_reduce(team, end, count, MPI_MAX);
	}
	for (int i = 0; i < count; i++)
		start[i] = end[i] - start[i];
	if (team->hosts > 1)
		ex_team_reduce(team, start, count, MPI_MAX);
}

int ex_timing_reps(const ex_run *run, double seconds)
{
	return sw_run_repetitions(seconds, run->transport == EX_MESSAGES);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

sw_spread ex_spread_of(double *scratch, int count)
{
	assert(count >= 1);
	qsort(scratch, (size_t)count, sizeof(double), compare);
	double middle = count % 2 ? scratch[count / 2] : 0.5 * (scratch[count / 2 - 1] + scratch[count / 2]);
	return (sw_spread){.median = middle,
		.p10 = scratch[(count - 1) / 10],
		.p90 = scratch[count - 1 - (count - 1) / 10],
		.max = scratch[count - 1]};
}

static sw_spread spread_of(const double *sample, int count, double *scratch)
{
	memcpy(scratch, sample, sizeof(double) * (size_t)count);
	return ex_spread_of(scratch, count);
}

static double warm_up(ex_run *run, int k, int count, int ways)
{
	double start = 0, end = 0, seconds = 0;
	for (int i = 0; i < (count ? count : 1); i++) {
		for (int way = ways - 1; way >= 0; way--)
			repetition(run, k, way, &start, &end, NULL);
		ex_timing_combine(run->team, &start, &end, 1);
		seconds = start;
	}
	return seconds;
}

/* How the times went, one after the other. */
static void follow_course(const double *sample, int reps, double *scratch, ex_timed *timed)
{
	timed->courses = reps < EX_COURSE ? reps : EX_COURSE;
	for (int i = 0; i < timed->courses; i++) {
		int from = (int)((int64_t)i * reps / timed->courses), to = (int)((int64_t)(i + 1) * reps / timed->courses);
		timed->course[i] = spread_of(sample + from, to - from, scratch).median;
	}
}

/* What a step takes by its samples, and how they went. */
static void take_samples(double *sample, int reps, double *scratch, ex_timed *timed)
{
	*timed = (ex_timed){.reps = reps, .step_sample = sample, .step = spread_of(sample, reps, scratch)};
	follow_course(sample, reps, scratch, timed);
}

bool ex_timing_evaluate(double *sample, int count, int reps, sw_arena *arena, ex_timed *timed)
{
	assert(reps >= 1);
	double *scratch = SW_NEW(arena, double, reps), *part = SW_NEW(arena, double, count + 1);
	if (!scratch || !part)
		return false;
	for (int k = 0; k <= count; k++) {
		take_samples(sample + (int64_t)k * reps, reps, scratch, &timed[k]);
		part[k] = timed[k].step.median;
	}
	timed[count].part = part;
	return true;
}

bool ex_timing_beside(double *sample, sw_arena *arena, ex_timed *timed)
{
	double *scratch = SW_NEW(arena, double, timed->reps);
	if (!scratch)
		return false;
	timed->reference_sample = sample;
	timed->reference = spread_of(sample, timed->reps, scratch);
	return true;
}

static void evaluate(double *sample, double *scratch, int reps, int ways, ex_timed *timed)
{
	take_samples(sample, reps, scratch, timed);
	if (ways < WAYS)
		return;
	sw_spread plain = spread_of(sample + reps, reps, scratch), stream = spread_of(sample + 2 * reps, reps, scratch);
	timed->reference_store = stream.median < plain.median ? EX_STREAM : EX_PLAIN;
	timed->reference = timed->reference_store == EX_STREAM ? stream : plain;
	timed->reference_sample = sample + (timed->reference_store == EX_STREAM ? 2 : 1) * reps;
}

/* What each step has of the time of all.  Ranks that share a core are in different steps at the same moment, so no clock on the
 * wall tells: the processor time that all ranks use does.  `used` holds that of every step, one repetition after the other. */
static bool share_out(ex_team *team, double *used, int steps, int reps, sw_arena *arena, ex_timed *timed)
{
	double *sample = SW_NEW(arena, double, 2 * reps), sum = 0;
	timed->part = SW_NEW(arena, double, steps + 1);
	if (!sample || !timed->part)
		return false;
	ex_team_reduce(team, used, reps * steps, MPI_SUM);
	for (int k = 0; k < steps; k++) {
		for (int i = 0; i < reps; i++)
			sample[i] = used[i * steps + k];
		sum += timed->part[k] = spread_of(sample, reps, sample + reps).median;
	}
	for (int k = 0; k < steps; k++)
		timed->part[k] = sum > 0 ? timed->step.median * timed->part[k] / sum : 0;
	return true;
}

/* How often it is done without a clock before each time.  What fits into a cache comes there only after several passes where a
 * streaming copy has just put it out. */
static int untimed(int ways, double seconds)
{
	if (ways == 1 || seconds >= EX_TIMING_SHORT)
		return 0;
	return seconds < IN_CACHE ? PASSES : 1;
}

/* Is it done by the collective of an exchange's pattern, beside which the exchange itself is timed? */
static bool has_exchange(const ex_run *run, int k)
{
	return run->program->count == 1 && k <= 0 && ex_pattern_call(run, 0) != NULL;
}

/* A repetition of everything that is compared. */
struct turn {
	int k, ways, steps;
	bool exchange;
	double seconds; /* about what one takes */
};

static void take_turn(ex_run *run, const struct turn *turn, int i, int reps, double *start, double *end, double *used)
{
	double unused;
	for (int way = 0; way < ALL_WAYS; way++) {
		int n = way * reps + i;
		if (way == EXCHANGE ? !turn->exchange : way >= turn->ways)
			continue;
		for (int pass = untimed(turn->ways, turn->seconds); pass > 0; pass--)
			repetition(run, turn->k, way, &unused, &unused, NULL);
		repetition(run, turn->k, way, &start[n], &end[n], way || !turn->steps ? NULL : used + i * turn->steps);
	}
}

bool ex_timing_take(ex_run *run, int k, const ex_protocol *protocol, sw_arena *arena, ex_timed *timed)
{
	struct turn turn = {.k = k,
		.ways = protocol->reference ? WAYS : 1,
		.steps = k < 0 ? run->program->count : 0,
		.exchange = has_exchange(run, k)};
	turn.seconds = warm_up(run, k, protocol->warmup, turn.ways);
	int reps = protocol->reps > 0 ? protocol->reps : ex_timing_reps(run, turn.seconds);
	double *start = SW_NEW_ZERO(arena, double, ALL_WAYS *reps), *end = SW_NEW_ZERO(arena, double, ALL_WAYS *reps);
	double *used = SW_NEW(arena, double, reps *turn.steps + 1);
	if (!start || !end || !used)
		return false;
	for (int i = 0; i < reps; i++)
		take_turn(run, &turn, i, reps, start, end, used);
	ex_timing_combine(run->team, start, end, ALL_WAYS * reps);
	if (k >= 0)
		ex_run_step(run, k);
	evaluate(start, end, reps, turn.ways, timed);
	if (turn.exchange) {
		timed->exchange_sample = start + EXCHANGE * reps;
		timed->exchange = spread_of(timed->exchange_sample, reps, end);
	}
	return share_out(run->team, used, turn.steps, reps, arena, timed);
}

/* One repetition of all steps, each between barriers; its seconds, and those of all behind them, `stride` apart. */
static void repeat_row(ex_run *run, const int *outer, double *seconds, int64_t stride)
{
	int count = run->program->count;
	for (int k = 0; k < count; k++) {
		ex_team_barrier(run->team);
		double begin = ex_now();
		ex_run_step(run, k);
		ex_team_barrier(run->team);
		double taken = ex_now() - begin;
		seconds[outer[k] * stride] += taken;
		seconds[outer[count] * stride] += taken;
	}
}

bool ex_timing_row(ex_run *run, const int *outer, int reps, sw_arena *arena, ex_timed *timed)
{
	int count = outer[run->program->count];
	double *sample = SW_NEW_ZERO(arena, double, (int64_t)reps *(count + 1));
	if (!sample)
		return false;
	for (int i = 0; i < reps; i++)
		repeat_row(run, outer, sample + i, reps);
	return ex_timing_evaluate(sample, count, reps, arena, timed);
}

/* ---- choosing how to copy ---- */

enum { ROUNDS = 4, REMEMBERED = 256, BLOCK = 256 << 10 };
static const int64_t TRIAL = 64 << 20; /* bytes that land in one trial: more than caches hold, about 8 ms */
static const int64_t FITS = 32 << 20;  /* less than that may be in a cache when it is done again */
static const double WORTH_IT = 0.95;
static const int64_t ALL_STEPS = 512 << 20; /* beyond it no step finds in the cache what the one before left there */

typedef struct kind {
	bool from_gaps, into_gaps;
	int run, landing;      /* powers of two; of its root */
	ex_choice best, plain; /* of all, of plain stores */
} kind;

/* What this launch has found out. */
static kind remembered[REMEMBERED];
static int remembered_count;

static int log_two(int64_t n)
{
	int log = 0;
	while (n >>= 1)
		log++;
	return log;
}

/* The same with steps half as large. */
static int log_root_two(int64_t n)
{
	int log = log_two(n);
	return 2 * log + (log > 0 && n >> (log - 1) == 3);
}

static kind kind_of(const ex_step *step)
{
	kind it = {.landing = log_root_two(step->landing)};
	int64_t run = INT64_MAX;
	for (int i = 0; i < step->ins; i++) {
		it.from_gaps |= !ex_shape_from_whole(&step->in[i].shape);
		it.into_gaps |= !ex_shape_into_whole(&step->in[i].shape);
		run = step->in[i].shape.run < run ? step->in[i].shape.run : run;
	}
	it.run = it.from_gaps || it.into_gaps ? log_two(run) : 0;
	return it;
}

static const kind *recall(const kind *it)
{
	for (int i = 0; i < remembered_count; i++)
		if (remembered[i].from_gaps == it->from_gaps && remembered[i].into_gaps == it->into_gaps &&
			remembered[i].run == it->run && remembered[i].landing == it->landing)
			return &remembered[i];
	return NULL;
}

static ex_choice choice_number(int c)
{
	return (ex_choice){.push = c & 1, .store = c & 2 ? EX_STREAM : EX_PLAIN, .block = c & 4 ? BLOCK : 0};
}

/* Seconds of processor time per core, over all ranks: unlike those on the clock they do not count what busy neighbours
 * take, so that the choice is the same on a quiet and on a busy machine. */
static double try_choice(ex_run *run, int k, ex_choice choice, int part, int parts)
{
	ex_team *team = run->team;
	ex_team_barrier(team);
	double used = ex_run_part(run, k, choice, part, parts);
	ex_team_reduce(team, &used, 1, MPI_SUM);
	int cores = team->cores * team->hosts;
	return used / (cores < team->ranks ? cores : team->ranks);
}

/* What may fit into a cache is tried as it goes when it is done again. */
static double try_again(ex_run *run, int k, ex_choice choice, int part, int parts)
{
	if (run->program->steps[k].landing < FITS)
		try_choice(run, k, choice, part, parts);
	return try_choice(run, k, choice, part, parts);
}

/* Tries everything turn by turn, each time another part, so that nobody finds his part in the cache.  The first round does not
 * count: its first trials find what came before them there. */
static void find_best(ex_run *run, int k, kind *it, int parts)
{
	int kinds = it->from_gaps || it->into_gaps ? 8 : 4, part = 0;
	double least = 1e300, least_plain = 1e300;
	for (int t = 0; t < ROUNDS; t++) {
		for (int c = 0; c < kinds; c++) {
			ex_choice choice = choice_number(c);
			double seconds = try_again(run, k, choice, part++ % parts, parts);
			if (t > 0 && seconds < least) {
				least = seconds;
				it->best = choice;
			}
			if (t > 0 && choice.store == EX_PLAIN && seconds < least_plain) {
				least_plain = seconds;
				it->plain = choice;
			}
		}
	}
}

/* Does the step copy anything inside a host, on any rank? */
static bool copies(ex_run *run, int k)
{
	double any = run->partner_count[k] > 0 || run->messages[k].count == 0;
	ex_team_reduce(run->team, &any, 1, MPI_MAX);
	return any > 0;
}

/* The step's kind with what is best for it; NULL where nothing is to be chosen. */
static const kind *tune_step(ex_run *run, int k)
{
	const ex_step *step = &run->program->steps[k];
	if (step->passes || step->adds || step->fills || !copies(run, k))
		return NULL;
	kind it = kind_of(step);
	double common[4] = {it.from_gaps, it.into_gaps, -it.run, it.landing};
	ex_team_reduce(run->team, common, 4, MPI_MAX);
	it = (kind){.from_gaps = common[0] > 0,
		.into_gaps = common[1] > 0,
		.run = (int)-common[2],
		.landing = (int)common[3]};
	const kind *before = recall(&it);
	if (before)
		return before;
	find_best(run, k, &it, 1 + (int)(run->program->steps[k].landing / TRIAL));
	kind *entry = &remembered[remembered_count < REMEMBERED ? remembered_count++ : 0];
	*entry = it;
	return entry;
}

static double try_all(ex_run *run, const ex_choice *choice)
{
	double seconds = 0;
	for (int k = 0; k < run->program->count; k++)
		seconds += try_choice(run, k, choice[k], 0, 1);
	return seconds;
}

/* Streaming stores, best for each step alone, leave nothing in the cache for the next. */
static bool plain_is_better(ex_run *run, const ex_choice *best, const ex_choice *plain)
{
	double least[2] = {1e300, 1e300};
	int64_t landing = 0;
	for (int k = 0; k < run->program->count; k++)
		landing += run->program->steps[k].landing;
	if (run->program->count < 2 || landing > ALL_STEPS)
		return false;
	for (int t = 0; t < ROUNDS; t++)
		for (int v = 0; v < 2; v++) {
			double seconds = try_all(run, v ? plain : best);
			if (landing < FITS)
				seconds = try_all(run, v ? plain : best);
			if (t > 0 && seconds < least[v])
				least[v] = seconds;
		}
	return least[1] < WORTH_IT * least[0];
}

void ex_timing_tune(ex_run *run, ex_choice *plain)
{
	for (int k = 0; k < run->program->count; k++) {
		const kind *it = tune_step(run, k);
		if (it)
			run->choice[k] = it->best;
		plain[k] = it ? it->plain : run->choice[k];
	}
	if (plain_is_better(run, run->choice, plain))
		memcpy(run->choice, plain, sizeof(*plain) * (size_t)run->program->count);
}
