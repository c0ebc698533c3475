/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One program whose steps are the kernels, each at several sizes, and rates from their times.
 */
#include "launch/kernels.h"

#include <math.h>
#include <string.h>

#include <shardwalk/planned.h>

#include "launch/job.h"

enum { PRODUCTS = 5, EDGES = 5, LAUNCHES = 2 };

/* What is large for a cache is larger than what a product needs to be fast. */
static const int64_t product_edge[PRODUCTS] = {16, 48, 144, 400, 720}, tile_edge[EDGES] = {16, 96, 288, 720, 1440};

static const struct shape {
	sw_kernel kernel;
	const char *statement; /* of two operands of one size */
	int sizes;
	const int64_t *edge;
	int tiles; /* read and written */
} kinds[] = {
	{SW_KERNEL_PRODUCT, "einsum \"ij,jk->ik\" a%lld b%lld", PRODUCTS, product_edge, 0},
	{SW_KERNEL_EACH, "relu a%lld", EDGES, tile_edge, 2},
	{SW_KERNEL_PAIRS, "add a%lld b%lld", EDGES, tile_edge, 3},
	{SW_KERNEL_EXP, "exp a%lld", EDGES, tile_edge, 2},
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds), MOST = KINDS * EDGES };

static void write_inputs(const int64_t *edge, int sizes, bool products, sw_text *text)
{
	for (int i = 0; i < sizes; i++) {
		bool again = false;
		for (int k = 0; k < EDGES; k++)
			again |= products && tile_edge[k] == edge[i];
		for (int side = 0; side < 2 && !again; side++)
			sw_text_addf(text, "%s%c%lld : [%lld, %lld]", products || i || side ? ", " : "", "ab"[side],
				(long long)edge[i], (long long)edge[i], (long long)edge[i]);
	}
}

/* Every device computes the same: whole tiles of its own. */
static void write_program(int ranks, sw_text *text)
{
	sw_text_addf(text, "mesh {x: %d}\nfn kernels(", ranks);
	write_inputs(tile_edge, EDGES, false, text);
	write_inputs(product_edge, PRODUCTS, true, text);
	sw_text_addf(text, ") -> ? {\n");
	for (int k = 0; k < KINDS; k++)
		for (int i = 0; i < kinds[k].sizes; i++) {
			long long edge = (long long)kinds[k].edge[i];
			sw_text_addf(text, "  v%d = ", k * EDGES + i);
			sw_text_addf(text, kinds[k].statement, edge, edge);
			sw_text_add(text, "\n");
		}
	sw_text_add(text, "  return v0\n}\n");
}

/* ---- from times to rates ---- */

static double amount_of(const struct shape *shape, int64_t edge)
{
	double e = (double)edge;
	return shape->kernel == SW_KERNEL_PRODUCT ? 2 * e * e * e : 4.0 * shape->tiles * e * e;
}

/* The smallest takes the time of the start, and nearly nothing else; work takes some of it however small it is. */
static int fit(const struct shape *shape, const struct timed *step, sw_kernel_rate *rate)
{
	double alpha = step[0].seconds.median;
	for (int i = 0; i < shape->sizes; i++) {
		double seconds = step[i].seconds.median, amount = amount_of(shape, shape->edge[i]);
		if (seconds <= 0)
			return 0;
		alpha = fmin(alpha, seconds);
		rate[i] = (sw_kernel_rate){shape->kernel, (int64_t)amount, alpha, amount};
		if (shape->kernel == SW_KERNEL_PRODUCT)
			rate[i].size = shape->edge[i];
	}
	for (int i = 0; i < shape->sizes; i++) {
		double seconds = step[i].seconds.median;
		rate[i].alpha = alpha;
		rate[i].rate /= fmax(seconds - alpha, 0.05 * seconds);
	}
	return shape->sizes;
}

static bool take(const struct records *records, const char *name, sw_arena *arena, struct calibration *calibration,
	sw_diag *diag)
{
	const struct times *times = records_merge(records, name);
	calibration->kernel = SW_NEW(arena, sw_kernel_rate, MOST);
	calibration->kernels = 0;
	if (!calibration->kernel)
		return sw_diag_memory(diag);
	int step = 0;
	for (int k = 0; times && k < KINDS && step + kinds[k].sizes <= times->count; step += kinds[k++].sizes)
		calibration->kernels += fit(&kinds[k], &times->step[step], calibration->kernel + calibration->kernels);
	if (times && times->library)
		calibration->library = sw_arena_copy(arena, times->library, strlen(times->library));
	return true;
}

bool kernels_measure(const struct invocation *run, const struct launch_options *options, sw_arena *arena,
	struct calibration *calibration, sw_diag *diag)
{
	struct job job = {.run = run, .options = *options};
	const sw_plan_options plan = {.strategy = SW_FUSED};
	sw_text text = {0};
	sw_program program;
	sw_program planned;
	write_program(options->ranks, &text);
	bool ok = job_start(&job, "calibrate: products", diag) &&
		sw_program_parse((sw_str){sw_text_get(&text), text.length}, NULL, job.arena, &program, diag) &&
		sw_program_plan(&program, NULL, &plan, job.arena, &planned, diag) && job_add_program(&job, &planned, diag);
	job_expect(&job, LAUNCHES);
	for (int launch = 0; ok && launch < LAUNCHES; launch++) {
		job.options.number = launch + 1;
		ok = job_launch(&job, 0, diag);
	}
	ok = ok && take(&job.records, "kernels", arena, calibration, diag);
	job_end(&job);
	sw_text_free(&text);
	return ok;
}
