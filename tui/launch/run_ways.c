/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present product on MPI ranks: its first way, or several beside each other.
 */
#include "launch/run_ways.h"

#include <shardwalk/simulate.h>

#include "command/programs/product_ways.h"
#include "launch/run_program.h"
#include "views/draw.h"

static bool refuse_compare(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	sw_diag_set(diag, SW_L13, line_span(run->position->text, word->raw),
		"a product is run in ways, not by strategies");
	sw_diag_expected(diag, "--compare ways");
	return false;
}

/* The first of the ways, which is the fastest where the model counts seconds. */
static bool run_first(struct job *job, const struct product_ways *found, sw_diag *diag)
{
	const sw_way *way = found->ways.way;
	sw_planned planned;

	if (!product_way_planned(job->run, found, 1, &planned, diag))
		return false;
	if (found->ways.timed)
		answer_remark(job->run->session, "way 1 of %lld, the fastest as predicted: %s", (long long)found->ways.count,
			words_seconds(way->comm + way->math).text);
	else
		answer_remark(job->run->session, "way 1 of %lld, which costs least: `model calibrated` takes the fastest",
			(long long)found->ways.count);
	return run_planned(job, &planned, diag);
}

static bool launch_way(struct job *job, const struct product_ways *found, int64_t number, sw_diag *diag)
{
	sw_planned *planned = SW_NEW(job->arena, sw_planned, 1);

	if (planned == NULL)
		return sw_diag_memory(diag);
	job->count = 0;
	return product_way_planned(job->run, found, number, planned, diag) && run_planned_fits(job->run, planned, diag) &&
		job_add_program(job, planned, diag) && run_launch_all(job, diag);
}

/* What was measured before a failure is kept. */
static bool run_several(struct job *job, struct product_ways *found, int64_t count, sw_diag *diag)
{
	bool ok = true;

	if (!job_start(job, "run: ways of a product", diag))
		return false;
	run_name_samples(job);
	for (int64_t n = 1; n <= count && ok; n++)
		ok = launch_way(job, found, n, diag);
	sw_diag more = {.code = SW_OK};
	bool kept = run_keep_samples(job, ok ? diag : &more);
	if (job_keep(job) != NULL)
		session_ran_ways(job->run->session, found->key);
	if (!ok || !kept || job->lines)
		return ok && kept;
	return compare_ways((struct invocation *)job->run, diag);
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
	return compare != NULL ? run_several(job, found, count, diag) : run_first(job, found, diag);
}
