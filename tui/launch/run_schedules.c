/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last formula on MPI ranks by several schedules, in turns.
 */
#include "launch/run_schedules.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/algorithm.h>
#include <shardwalk/schedule_program.h>
#include <shardwalk/simulate.h>

#include "answer/order.h"
#include "command/compare/compare_schedules.h"
#include "command/compare/taken.h"
#include "command/programs/algorithm.h"
#include "command/programs/planned.h"
#include "command/programs/schedule.h"
#include "command/programs/within.h"
#include "language/names.h"
#include "launch/run_program.h"
#include "views/draw.h"

#define PDGEMM "pdgemm"

bool schedules_are_compared(const struct invocation *run)
{
	return option_given(run, OPTION_COMPARE) != NULL && schedules_are_present(run->session);
}

static bool is_pdgemm(const struct rival *rival)
{
	return strcmp(rival->name, PDGEMM) == 0;
}

/* ---- names ---- */

const char *schedules_name(int n, const char **about)
{
	const sw_schedule_algorithm *algorithm;
	const char *name;

	for (int k = 0; (name = taken_name(k, about)) != NULL; k++)
		if (n-- == 0)
			return name;
	for (int k = 0; (algorithm = sw_schedule_algorithm_at(k)) != NULL; k++)
		if (sw_schedule_algorithm_named(sw_str_of(algorithm->name)) == algorithm && n-- == 0) {
			*about = algorithm->about;
			return algorithm->name;
		}
	*about = "ScaLAPACK's product of matrices";
	return n == 0 ? PDGEMM : NULL;
}

static const char *name_at(const void *context, int n)
{
	const char *about;
	(void)context;

	return schedules_name(n, &about);
}

static bool is_listed(const struct rivals *rivals, const char *name)
{
	bool listed = false;

	for (int n = 0; n < rivals->count; n++)
		listed = listed || strcmp(rivals->rival[n].name, name) == 0;
	return listed;
}

bool rivals_read(struct rivals *rivals, const struct word *word, sw_diag *diag)
{
	static const struct names names = {.at = name_at, .what = "schedule", .hint = "`compare` lists them"};
	const struct invocation *run = rivals->job->run;

	for (size_t at = 0; at < word->text.length;) {
		sw_str text = sw_str_split(word->text, &at, SW_NESTING_PLAIN);
		int number = name_find(&names, text, SW_L13, diag);
		if (number < 0)
			return refuse_at(run, text, diag);
		const char *name = name_at(NULL, number);
		if (is_listed(rivals, name))
			continue;
		assert(rivals->count < RIVALS_MOST);
		rivals->rival[rivals->count++] = (struct rival){.name = name};
	}
	if (rivals->count > 0)
		return true;
	sw_diag_set(diag, SW_L13, line_span(run->position->text, word->raw), "no schedule is named");
	sw_diag_expected(diag, "names with commas between them, cannon,summa");
	return false;
}

/* ---- each of them ---- */

static void leave_out(const struct rivals *rivals, struct rival *rival, const char *why)
{
	rival->why = sw_arena_copy(rivals->job->run->arena, why, strlen(why));
	if (rival->why == NULL)
		rival->why = "out of memory";
}

/* A name that a function may have: `einsum` is a word of programs. */
static const char *plan_name(const char *name, sw_arena *arena)
{
	sw_text text = {0};

	for (const char *at = name; *at != '\0'; at++)
		sw_text_add_char(&text, *at == '-' ? '_' : *at);
	if (strcmp(name, "einsum") == 0)
		sw_text_add(&text, "_way");
	return sw_text_keep(&text, arena);
}

/* Makes it the schedule of the session: as it was found where the formula grew, else as `schedule NAME` does; `own` is the present one, where there
 * is one. */
static bool take(const struct rivals *rivals, const struct rival *rival, sw_diag *why)
{
	const struct invocation *run = rivals->job->run;
	sw_text text = {0};

	if (rival->found != NULL && rival->found->recipe != NULL) {
		sw_recipe recipe = *rival->found->recipe;
		recipe.remark = NULL;
		run->session->state.types = NULL; /* it has its own */
		return algorithm_take_recipe(rivals->growth->run, &recipe, false, why);
	}
	if (strcmp(rival->name, "own") == 0 && schedule_is_subject(&run->session->state))
		return true;
	sw_text_addf(&text, "schedule %s", rival->name);
	bool ok = statement_within(run, (sw_str){sw_text_get(&text), text.length}, why);
	sw_text_free(&text);
	return ok;
}

/* Its program. */
static bool plan_taken(const struct rivals *rivals, struct rival *rival, sw_diag *why)
{
	const struct invocation *run = rivals->job->run;
	sw_data data;

	rival->plan = plan_name(rival->name, run->arena);
	bool ok = (rival->plan != NULL || sw_diag_memory(why)) && take(rivals, rival, why) &&
		planned_present(run, run->arena, &rival->planned, why) &&
		sw_data_make(&rival->planned, run->arena, &data, why);
	rival->planned.name = sw_str_of(ok ? rival->plan : "");
	rival->key = ok ? contest_key(run) : NULL;
	return ok;
}

static void tell_mesh(const struct rivals *rivals, const struct rival *rival)
{
	sw_text mesh = {0};

	sw_mesh_print(&rival->planned.mesh, &mesh);
	answer_remark(rivals->job->run->session, "%s: on mesh %s", rival->name, sw_text_get(&mesh));
	sw_text_free(&mesh);
}

/* Ranks of one launch are as many for all. */
static void check_mesh(const struct rivals *rivals, struct rival *rival)
{
	const sw_mesh *here = &rivals->job->run->session->state.mesh;
	sw_text why = {0};

	assert(here->devices > 0);
	if (rival->planned.mesh.devices == here->devices) {
		if (rivals->growth == NULL && !sw_mesh_equal(&rival->planned.mesh, here))
			tell_mesh(rivals, rival);
		return;
	}
	sw_text_addf(&why, "it runs on %lld devices, but the launch has %lld ranks",
		(long long)rival->planned.mesh.devices, (long long)here->devices);
	leave_out(rivals, rival, sw_text_get(&why));
	sw_text_free(&why);
}

/* ---- pdgemm ---- */

/* Why it cannot be loaded here; NULL: it can. */
static const char *no_scalapack(void)
{
	const char *named = getenv("SHARDWALK_SCALAPACK");
	const char *files[] = {named != NULL ? named : "libscalapack-mpich.so.2.2",
		named != NULL ? NULL : "libscalapack-mpich.so"};
	void *handle = NULL;

	for (size_t n = 0; n < sizeof files / sizeof *files && handle == NULL; n++)
		handle = files[n] != NULL ? dlopen(files[n], RTLD_LAZY | RTLD_LOCAL) : NULL;
	if (handle == NULL)
		return named != NULL ? "SHARDWALK_SCALAPACK does not name a library" :
							   "libscalapack-mpich.so cannot be loaded: install the package "
							   "libscalapack-mpich2.2";
	dlclose(handle);
	return NULL;
}

/* Its arrays are those of the first schedule; of SUMMA where there is none. */
static bool take_arrays(const struct rivals *rivals, struct rival *rival, sw_diag *why)
{
	struct rival summa = {.name = "summa"};

	for (int n = 0; n < rivals->count; n++) {
		const struct rival *other = &rivals->rival[n];
		if (other == rival || other->why != NULL || sw_program_lowering(&other->planned) == NULL)
			continue;
		rival->planned = other->planned;
		return true;
	}
	bool taken = plan_taken(rivals, &summa, why);
	rival->planned = summa.planned;
	return taken;
}

static void plan_pdgemm(const struct rivals *rivals, struct rival *rival, sw_diag *why)
{
	const char *missing = no_scalapack(), *why_not;
	sw_schedule_product product;

	if (missing != NULL) {
		leave_out(rivals, rival, missing);
		return;
	}
	if (!take_arrays(rivals, rival, why)) {
		leave_out(rivals, rival, why->message);
		return;
	}
	if (!sw_program_product(&rival->planned, &product, &why_not))
		leave_out(rivals, rival, why_not);
	else if (rival->planned.value[0].type->dtype != SW_F64)
		leave_out(rivals, rival, "it multiplies only f64, but these are not");
	rival->plan = PDGEMM;
	rival->planned.name = sw_str_of(PDGEMM);
}

/* false: memory is short, or it was stopped. */
static bool plan_rival(const struct rivals *rivals, struct rival *rival, sw_diag *diag)
{
	struct session *session = rivals->job->run->session;
	struct state before;
	sw_diag why = {.code = SW_OK};

	session_try(session, &before);
	if (is_pdgemm(rival))
		plan_pdgemm(rivals, rival, &why);
	else if (!plan_taken(rivals, rival, &why))
		leave_out(rivals, rival, why.message);
	session_try_end(session, &before);
	if (rival->why == NULL)
		check_mesh(rivals, rival);
	if (why.code == SW_E01 || why.code == SW_S03)
		*diag = why;
	return why.code != SW_E01 && why.code != SW_S03;
}

/* Behind the others, whose arrays it takes. */
bool rivals_plan(struct rivals *rivals, sw_diag *diag)
{
	for (int last = 0; last < 2; last++)
		for (int n = 0; n < rivals->count; n++) {
			struct rival *rival = &rivals->rival[n];

			if (is_pdgemm(rival) == (last > 0) && rival->why == NULL && !plan_rival(rivals, rival, diag))
				return false;
		}
	return true;
}

/* ---- launches ---- */

bool rivals_add(const struct rivals *rivals, sw_diag *diag)
{
	struct job *job = rivals->job;

	for (int n = 0; n < rivals->count; n++) {
		const struct rival *rival = &rivals->rival[n];
		if (rival->why == NULL &&
			(!run_planned_fits(job->run, &rival->planned, diag) || !job_add_program(job, &rival->planned, diag)))
			return false;
		if (rival->why == NULL && is_pdgemm(rival)) {
			job->other[job->count - 1] = true;
			job->options.pdgemm = PDGEMM;
		}
	}
	return true;
}

static bool need_one(const struct rivals *rivals, sw_diag *diag)
{
	const struct job *job = rivals->job;

	if (job->count > 0)
		return true;
	sw_diag_set(diag, SW_L13, line_span(job->run->position->text, option_given(job->run, OPTION_COMPARE)->raw),
		"no schedule is left: %s: %s", rivals->rival[0].name, rivals->rival[0].why);
	sw_diag_hint(diag, "`compare` lists those that run here");
	return false;
}

/* A rank has no ScaLAPACK, which this host has: pdgemm is left out of the job.  false: that is not it, or nothing else is there. */
static bool drop_pdgemm(struct rivals *rivals, sw_diag *diag)
{
	struct job *job = rivals->job;
	int at = 0;

	while (at < job->count && !job->other[at])
		at++;
	if (diag->code != SW_E02 || at == job->count || job->count == 1 || strncmp(diag->message, "ScaLAPACK", 9) != 0)
		return false;
	for (int n = 0; n < rivals->count; n++)
		if (is_pdgemm(&rivals->rival[n]) && rivals->rival[n].why == NULL)
			leave_out(rivals, &rivals->rival[n], diag->message);
	job->count--;
	for (int k = at; k < job->count; k++) {
		job->plan[k] = job->plan[k + 1];
		job->file[k] = job->file[k + 1];
		job->planned[k] = job->planned[k + 1];
		job->other[k] = job->other[k + 1];
	}
	job->other[job->count] = false;
	job->options.pdgemm = NULL;
	*diag = (sw_diag){.code = SW_OK};
	return true;
}

bool rivals_launch(struct rivals *rivals, int usual, sw_diag *diag)
{
	struct job *job = rivals->job;
	int64_t launches = option_number(job->run, OPTION_LAUNCHES, usual);

	assert(job->count > 0 && usual > 0);
	job->options.ranks = (int)job->plan[0]->problem.mesh.devices;
	job_expect(job, (int)launches);
	for (int64_t i = 0; i < launches; i++) {
		job->options.number = (int)i + 1;
		bool ok = job_launch(job, (int)(i % job->count), diag);
		if (!ok && !drop_pdgemm(rivals, diag))
			return false;
		i -= !ok;
	}
	return true;
}

/* ---- what is told ---- */

const struct times *rival_times(const struct kept_run *kept, const struct rival *rival)
{
	const struct times *times = rival->why == NULL ? records_merge(&kept->records, rival->plan) : NULL;

	return times != NULL && times->total.seconds.median > 0 ? times : NULL;
}

/* The file that another schedule multiplies by; NULL: not known. */
static const char *leaf_file(const struct rivals *rivals, const struct kept_run *kept)
{
	for (int n = 0; n < rivals->count; n++) {
		const struct rival *rival = &rivals->rival[n];
		const struct times *times = is_pdgemm(rival) ? NULL : rival_times(kept, rival);
		if (times != NULL && times->library_file != NULL)
			return times->library_file;
	}
	return NULL;
}

/* A ratio with pdgemm says something only where both multiply by the same file. */
static bool is_compared(const struct rivals *rivals, const struct kept_run *kept, const struct rival *rival)
{
	const struct times *times = is_pdgemm(rival) ? rival_times(kept, rival) : NULL;
	const char *leaf = leaf_file(rivals, kept);

	return times == NULL || leaf == NULL ||
		(times->library_file != NULL && *leaf != '\0' && strcmp(times->library_file, leaf) == 0);
}

/* "of the least median: cannon 1.00, summa 1.31". */
static void tell_ratios(const struct rivals *rivals, const struct kept_run *kept)
{
	double least = 0, median[RIVALS_MOST] = {0};
	sw_text text = {0};

	for (int n = 0; n < rivals->count; n++) {
		const struct rival *rival = &rivals->rival[n];
		const struct times *times = rival_times(kept, rival);
		median[n] = times != NULL && is_compared(rivals, kept, rival) ? times->total.seconds.median : 0;
		least = median[n] > 0 && (!(least > 0) || median[n] < least) ? median[n] : least;
	}
	for (int n = 0; n < rivals->count; n++)
		if (median[n] > 0)
			sw_text_addf(&text, "%s%s %.2f", text.length > 0 ? ", " : "", rivals->rival[n].name, median[n] / least);
	if (text.length > 0)
		document_line(rivals->job->run->answer, "medians as multiples of the smallest: %s", sw_text_get(&text));
	sw_text_free(&text);
}

/* The blocks that were best, each once, over all launches. */
static void add_blocks(const struct kept_run *kept, sw_text *text)
{
	int64_t told[RIVALS_MOST];
	int count = 0;

	for (int i = 0; i < kept->records.count; i++) {
		const struct times *times = &kept->records.times[i];
		int64_t block = 0;
		bool new = times->plan != NULL &&strcmp(times->plan, PDGEMM) == 0 && count < RIVALS_MOST;
		for (int k = 0; new &&k < times->count; k++)
			block = times->step[k].block > 0 ? times->step[k].block : block;
		for (int n = 0; n < count; n++)
			new = new &&told[n] != block;
		if (!new || block == 0)
			continue;
		sw_text_addf(text, "%s%lld", count > 0 ? ", " : "", (long long)block);
		told[count++] = block;
	}
}

/* What its matrices took on their way to blocks and back. */
static double conversion_of(const struct times *times)
{
	double seconds = 0;

	for (int k = 0; k < times->count; k++)
		seconds += times->step[k].block > 0 ? 0 : times->step[k].seconds.median;
	return seconds;
}

static void tell_pdgemm(const struct rivals *rivals, const struct kept_run *kept, const struct rival *rival)
{
	const struct times *times = rival_times(kept, rival);
	const char *leaf = leaf_file(rivals, kept);
	sw_text text = {0};

	if (times == NULL)
		return;
	sw_text_add(&text, "pdgemm: the product alone, in blocks of ");
	add_blocks(kept, &text);
	sw_text_addf(&text, ", the best of 32 to 256; plus %.3g ms to blocks and back; ", 1e3 * conversion_of(times));
	if (leaf == NULL || is_compared(rivals, kept, rival))
		sw_text_addf(&text, "%s multiplies by %s", leaf == NULL ? "it" : "as the others it", times->library_file);
	else
		sw_text_addf(&text, "it multiplies by %s, the others by %s: there is no ratio", times->library_file,
			*leaf != '\0' ? leaf : "a plain loop");
	document_line(rivals->job->run->answer, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

static void tell_left_out(const struct rivals *rivals)
{
	const struct job *job = rivals->job;

	for (int n = 0; n < rivals->count; n++) {
		const struct rival *rival = &rivals->rival[n];
		if (rival->why == NULL)
			continue;
		if (job->lines)
			answer_remark(job->run->session, "%s: left out: %s", rival->name, rival->why);
		else
			document_line(job->run->answer, "%s: left out: %s", rival->name, rival->why);
	}
}

const struct kept_run *rivals_keep(const struct rivals *rivals)
{
	struct job *job = rivals->job;
	const struct kept_run *kept = job_keep(job);

	for (int n = 0; kept != NULL && n < rivals->count; n++)
		if (rivals->rival[n].key != NULL && rivals->rival[n].why == NULL)
			session_ran_formula(job->run->session, rivals->rival[n].key, rivals->rival[n].plan);
	return kept;
}

static bool answer_times(const struct rivals *rivals, sw_diag *diag)
{
	struct job *job = rivals->job;
	const struct kept_run *kept = rivals_keep(rivals);

	if (kept == NULL || job->lines) {
		tell_left_out(rivals);
		return true;
	}
	struct view_input in = {.times = &kept->records, .times_number = kept->number};
	bool ok = view_answer(job->run, view_times, &in, NULL, diag);
	tell_ratios(rivals, kept);
	for (int n = 0; n < rivals->count; n++)
		if (is_pdgemm(&rivals->rival[n]))
			tell_pdgemm(rivals, kept, &rivals->rival[n]);
	tell_left_out(rivals);
	return ok;
}

/* ---- without ranks ---- */

struct dry {
	const char *name;
	int64_t ranks, values, steps, bytes;
};

static const struct row_column dry_columns[] = {
	ROW_AT("name", "schedule", WORD, struct dry, name, .role = ROLE_LABEL),
	ROW_AT("ranks", "ranks", COUNT, struct dry, ranks),
	ROW_AT("values", "values", COUNT, struct dry, values),
	ROW_AT("steps", "steps", COUNT, struct dry, steps),
	ROW_AT("bytes", "memory", BYTES, struct dry, bytes),
};

int64_t rival_bytes(const struct rival *rival, sw_diag *diag)
{
	int64_t bytes = sw_simulate_bytes(&rival->planned);

	if (bytes < 0)
		sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "the memory of all ranks overflows");
	return bytes;
}

/* What a run of each would need, and the line that starts it; nothing is started. */
static bool answer_dry_run(const struct rivals *rivals, sw_diag *diag)
{
	struct job *job = rivals->job;
	struct document *answer = job->run->answer;
	struct fields *fields = document_fields(answer, "shardwalk.dry_run/1");
	struct dry dry[RIVALS_MOST];
	sw_text command = {0};
	int count = 0;

	job->options.ranks = (int)job->plan[0]->problem.mesh.devices;
	for (int n = 0; n < rivals->count; n++) {
		const struct rival *rival = &rivals->rival[n];
		if (rival->why != NULL)
			continue;
		dry[count] = (struct dry){rival->name, job->options.ranks, rival->planned.values, rival->planned.steps,
			rival_bytes(rival, diag)};
		if (dry[count++].bytes < 0)
			return false;
	}
	const struct rows rows = ROWS_OF(dry_columns, dry, count);
	job_print(job, &command);
	bool ok = rows_answer(&rows, answer, fields, "schedules", diag);
	field_text(fields, "command", sw_text_get(&command));
	document_line(answer, "memory of all ranks, including the whole arrays for comparison");
	document_line(answer, "command  %s", sw_text_get(&command));
	sw_text_free(&command);
	tell_left_out(rivals);
	return ok;
}

bool run_schedules(struct job *job, sw_diag *diag)
{
	/* Options that speak of plans, or of one program. */
	static const enum option others[] = {OPTION_SWEEP, OPTION_COLLECTIVES, OPTION_LIMIT, OPTION_COUNT};
	struct rivals *rivals = SW_NEW_ZERO(job->run->arena, struct rivals, 1);
	sw_diag more = {.code = SW_OK};

	if (rivals == NULL)
		return sw_diag_memory(diag);
	rivals->job = job;
	if (!options_fit(job->run, others, "for plans, not for schedules", "`run --compare cannon,summa --launches 5`",
			diag) ||
		!rivals_read(rivals, option_given(job->run, OPTION_COMPARE), diag) || !rivals_plan(rivals, diag) ||
		!job_start(job, "run: schedules", diag) || !rivals_add(rivals, diag) || !need_one(rivals, diag))
		return false;
	if (option_given(job->run, OPTION_DRY_RUN))
		return answer_dry_run(rivals, diag);
	run_name_samples(job);
	bool ok = rivals_launch(rivals, COMPARED_LAUNCHES, diag);
	bool kept = run_keep_samples(job, ok ? diag : &more);
	bool answered = answer_times(rivals, ok && kept ? diag : &more);
	return ok && kept && answered;
}
