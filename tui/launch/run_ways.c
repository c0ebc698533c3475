/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present product on MPI ranks: its best way, or several beside each other.
 */
#include "launch/run_ways.h"

#include <shardwalk/simulate.h>

#include "command/programs/product_ways.h"
#include "launch/run_program.h"
#include "views/draw.h"

static bool refuse_compare(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	sw_diag_set(diag, SW_L13, line_span(run->position->text, word->raw), "a product has ways, not strategies");
	sw_diag_expected(diag, "--compare ways");
	return false;
}

/* The fastest of the ways where the model counts seconds, or the one that costs least. */
static bool run_best(struct job *job, const struct product_ways *found, sw_diag *diag)
{
	sw_program planned;
	int64_t number;
	double seconds;

	if (!product_way_best(job->run, found, &number, &seconds, &planned, diag))
		return false;
	if (seconds >= 0)
		answer_remark(job->run->session, "way %lld of %lld, predicted to be the fastest: %s", (long long)number,
			(long long)found->ways.priced, words_seconds(seconds).text);
	else
		answer_remark(job->run->session, "way 1 of %lld, which costs least: `model calibrated` uses the fastest",
			(long long)found->ways.priced);
	return run_planned(job, &planned, diag);
}

/* Plans of all of them, and what every launch has to know beforehand. */
static bool plan_several(struct job *job, const struct product_ways *found, int64_t count, sw_program *planned,
	sw_diag *diag)
{
	for (int64_t n = 0; n < count; n++)
		if (!product_way_planned(job->run, found, n + 1, &planned[n], diag) ||
			!run_planned_fits(job->run, &planned[n], diag))
			return false;
	return true;
}

static bool launch_way(struct job *job, const sw_program *planned, sw_diag *diag)
{
	sw_data data;

	job->count = 0;
	return sw_data_make(planned, job->run->arena, &data, diag) && job_add_program(job, planned, diag) &&
		job_launch(job, 0, diag);
}

/* All ways are launched once before any is launched again, so that what else the machine does meets them alike. */
static bool launch_several(struct job *job, const sw_program *planned, int64_t count, sw_diag *diag)
{
	int64_t launches = option_number(job->run, OPTION_LAUNCHES, 1);

	job_expect(job, (int)(launches * count));
	for (int64_t launch = 0; launch < launches; launch++)
		for (int64_t n = 0; n < count; n++) {
			job->options.number = (int)launch + 1;
			if (!launch_way(job, &planned[n], diag))
				return false;
		}
	return true;
}

static bool run_several(struct job *job, struct product_ways *found, int64_t count, sw_diag *diag)
{
	sw_program *planned = SW_NEW(job->run->arena, sw_program, count + 1);

	if (planned == NULL)
		return sw_diag_memory(diag);
	if (!plan_several(job, found, count, planned, diag) || !job_start(job, "run: ways of a product", diag))
		return false;
	run_name_samples(job);
	bool ok = launch_several(job, planned, count, diag);
	sw_diag more = {.code = SW_OK};
	bool kept = run_keep_samples(job, ok ? diag : &more);
	if (job_keep(job) != NULL)
		session_ran_ways(job->run->session, found->key);
	return ok && kept && (job->lines || compare_ways((struct invocation *)job->run, diag));
}

bool run_product(struct job *job, sw_diag *diag)
{
	const struct word *compare = option_given(job->run, OPTION_COMPARE);
	struct product_ways *found = SW_NEW(job->run->arena, struct product_ways, 1);
	int64_t count;

	if (found == NULL)
		return sw_diag_memory(diag);
	if (compare != NULL && !sw_str_is(compare->text, "ways"))
		return refuse_compare(job->run, compare, diag);
	if (!product_ways_find(job->run, found, diag) || !product_ways_counted(job->run, found, &count, diag))
		return false;
	job->options.ranks = (int)found->product.mesh.devices;
	return compare != NULL ? run_several(job, found, count, diag) : run_best(job, found, diag);
}
