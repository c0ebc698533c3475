/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trying blocks.
 */
#include "trial.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "requests.h"
#include "watch.h"

static const int64_t blocks[] = {32, 64, 128, 256};
enum { BLOCKS = sizeof blocks / sizeof *blocks, AGAIN = 2 };
static const double SHORT = 0.25; /* seconds: what takes less is done more often */

/* The matrices of one trial, as this rank has them. */
typedef struct matrices {
	double *a, *b, *c;
} matrices;

static double *room_for(const ex_trial *trial, int64_t rows, int64_t columns, int64_t block)
{
	size_t bytes = ((size_t)ex_scalapack_elements(&trial->library, rows, columns, block) + 1) * sizeof(double);
	double *room = malloc(bytes);
	if (room)
		memset(room, 0, bytes);
	return room;
}

static bool make_matrices(const ex_trial *trial, matrices *m)
{
	const sw_schedule_product *p = &trial->product;
	int64_t block = trial->block;
	m->a = room_for(trial, p->m, p->n, block);
	m->b = room_for(trial, p->b_turned ? p->k : p->m, p->b_turned ? p->m : p->k, block);
	m->c = room_for(trial, p->c_turned ? p->n : p->k, p->c_turned ? p->k : p->n, block);
	return m->a && m->b && m->c;
}

static void free_matrices(matrices *m)
{
	free(m->a);
	free(m->b);
	free(m->c);
}

/* BLACS return while their messages are on the way: these go on only as long as the sender calls MPI. */
void ex_trial_multiply(const ex_trial *trial, const ex_team *team, const void *b, const void *c, void *a)
{
	ex_scalapack_multiply(&trial->library, &trial->product, trial->block, b, c, a);
	ex_watch_work();
	ex_barrier(team->world);
}

/* Of the rank that takes longest. */
static double time_once(ex_trial *trial, ex_team *team, const matrices *m)
{
	ex_team_barrier(team);
	double begin = MPI_Wtime();
	ex_trial_multiply(trial, team, m->b, m->c, m->a);
	double seconds = MPI_Wtime() - begin;
	ex_team_reduce(team, &seconds, 1, MPI_MAX);
	return seconds;
}

static bool time_block(ex_trial *trial, ex_team *team, double *seconds, ex_fault *fault)
{
	matrices m;
	bool made = make_matrices(trial, &m) ||
		ex_fault_set(fault, EX_LACKS, "E01", "out of memory, while blocks for pdgemm were tried");
	bool all = ex_agree(team, made, fault);
	*seconds = all ? time_once(trial, team, &m) : 0;
	for (int n = 0; all && n < AGAIN && *seconds < SHORT; n++) {
		double again = time_once(trial, team, &m);
		*seconds = again < *seconds ? again : *seconds;
	}
	free_matrices(&m);
	return all;
}

static bool choose_block(ex_trial *trial, ex_team *team, ex_fault *fault)
{
	double least = 0, seconds;
	int64_t best = blocks[0];
	for (int i = 0; i < BLOCKS; i++) {
		trial->block = blocks[i];
		if (!time_block(trial, team, &seconds, fault))
			return false;
		best = i == 0 || seconds < least ? blocks[i] : best;
		least = i == 0 || seconds < least ? seconds : least;
	}
	trial->block = best;
	return true;
}

static void choose_grid(ex_trial *trial, int ranks)
{
	trial->grid[0] = 1;
	for (int64_t rows = 1; rows * rows <= ranks; rows++)
		trial->grid[0] = ranks % rows == 0 ? rows : trial->grid[0];
	trial->grid[1] = ranks / trial->grid[0];
}

static bool fits(const sw_schedule_product *p, ex_fault *fault)
{
	return (p->m <= INT_MAX && p->n <= INT_MAX && p->k <= INT_MAX) ||
		ex_fault_set(fault, EX_NO, "P06", "ScaLAPACK counts rows and columns in 32 bits");
}

bool ex_trial_take(ex_trial *trial, ex_team *team, const sw_schedule_product *product, ex_fault *fault)
{
	*trial = (ex_trial){.product = *product, .library = {.system = -1, .context = -1}};
	choose_grid(trial, team->ranks);
	bool ok = fits(product, fault) && ex_blas_find(&trial->blas, fault) &&
		ex_scalapack_load(&trial->library, &trial->blas, fault);
	if (!ex_agree(team, ok, fault))
		return false;
	ok = ex_scalapack_open(&trial->library, team->world, trial->grid, fault);
	return ex_agree(team, ok, fault) && choose_block(trial, team, fault);
}

void ex_trial_close(ex_trial *trial)
{
	ex_scalapack_close(&trial->library);
}
