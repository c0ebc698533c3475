/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing: of one tile the ranks that hold its terms compare a share each, part by part.
 */
#include "compare.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "requests.h"
#include "watch.h"

/* Bytes that a rank gets at once, of all that hold a tile; bytes that are added up at once; ranks. */
enum { ROOM = 1 << 20, BLOCK = 16 << 10, MOST = 4096 };

void ex_unravel(int dims, const int64_t *size, int64_t i, int64_t *index)
{
	for (int d = dims - 1; d >= 0; d--) {
		index[d] = i % size[d];
		i /= size[d];
	}
}

void ex_wrong_say(ex_wrong *wrong, const ex_tile *tile, int device, int64_t at, const void *expected,
	const void *found)
{
	assert(at >= 0 && tile->dims <= SW_MAX_DIMS);
	size_t bytes = (size_t)sw_dtype_bytes(tile->dtype);
	*wrong = (ex_wrong){.any = true,
		.device = device,
		.dims = tile->dims,
		.dtype = tile->dtype,
		.terms = 1,
		.copy_of = -1,
		.origin_device = -1};
	ex_unravel(tile->dims, tile->size, at, wrong->position);
	for (int i = 0; i < tile->dims; i++)
		wrong->index[i] = tile->base[i] + wrong->position[i];
	memcpy(wrong->expected, expected, bytes);
	memcpy(wrong->found, found, bytes);
}

/* ---- terms ---- */

/* The ranks whose tiles lie where this rank's does, ascending, and a part of what they hold. */
typedef struct part {
	const ex_terms *of;
	int holders;
	const int *device;
	const int64_t *term;
	int64_t at, count, size; /* elements of the tile; bytes of one */
	const char *all;         /* holder after holder */
	ex_wrong *wrong;
} part;

static const char *held_by(const part *p, int n)
{
	return p->all + n * p->count * p->size;
}

/* The first holder of the term. */
static int first_with(const part *p, int64_t term)
{
	int n = 0;
	while (n < p->holders && p->term[n] != term)
		n++;
	return n;
}

/* Of holder `n`, or of the sum where `copy` is -1: `count` elements from number `done` of the part on. */
static bool compare(const part *p, int n, int copy, int64_t done, int64_t count, const char *found, const char *right)
{
	int64_t i = p->of->differs(p->of->user, found, right, count);
	if (i < 0)
		return true;
	ex_wrong_say(p->wrong, &p->of->tile, p->device[n], p->at + done + i, right + i * p->size, found + i * p->size);
	p->wrong->terms = p->of->terms;
	p->wrong->term = p->term[n];
	p->wrong->copy_of = copy < 0 ? -1 : p->device[copy];
	return false;
}

static bool copies_equal(const part *p)
{
	bool equal = true;
	for (int n = 0; equal && n < p->holders; n++) {
		int first = first_with(p, p->term[n]);
		equal = first == n || compare(p, n, first, 0, p->count, held_by(p, n), held_by(p, first));
	}
	return equal;
}

static bool terms_add_up(const part *p)
{
	_Alignas(64) char sum[BLOCK], right[BLOCK];
	const ex_adder *adder = ex_adder_of(p->of->tile.dtype);
	bool equal = true;
	for (int64_t done = 0, n; equal && done < p->count; done += n) {
		n = sw_smaller(BLOCK / p->size, p->count - done);
		memset(sum, 0, (size_t)(n * p->size));
		for (int64_t t = 0; t < p->of->terms; t++)
			ex_add_to(adder, sum, held_by(p, first_with(p, t)) + done * p->size, n * p->size);
		p->of->right(p->of->user, p->at + done, n, right);
		equal = compare(p, 0, -1, done, n, sum, right);
	}
	return equal;
}

static int list_holders(const ex_terms *of, const ex_team *team, int *device, int64_t *term)
{
	int64_t base[SW_MAX_DIMS];
	int count = 0;
	for (int rank = 0; rank < team->ranks; rank++) {
		of->place(of->user, rank, base, &term[count]);
		device[count] = rank;
		count += memcmp(base, of->tile.base, (size_t)of->tile.dims * sizeof *base) == 0;
	}
	return count;
}

/* From element `at` of the tile on, of which `left` are left: each holder gets its share of what all hold; where these are fewer than
 * holders, each gets all.  How many went round. */
static int64_t bring(part *p, MPI_Comm comm, int64_t at, int64_t left, void *all)
{
	const char *mine = p->of->data + at * p->size;
	int64_t most = ROOM / p->holders / p->size, share = sw_smaller(most, left / p->holders);
	int number;
	MPI_Request request;
	MPI_Comm_rank(comm, &number);
	p->count = share > 0 ? share : sw_smaller(most, left);
	p->at = at + share * number;
	(share > 0 ? ex_ialltoall : ex_iallgather)(comm, mine, all, p->count * p->size, &request);
	ex_wait(&request);
	return share > 0 ? share * p->holders : p->count;
}

bool ex_terms_check(const ex_terms *of, const ex_team *team, ex_wrong *wrong)
{
	static _Alignas(64) char all[ROOM];
	static int device[MOST];
	static int64_t term[MOST];
	part p = {.of = of,
		.device = device,
		.term = term,
		.size = sw_dtype_bytes(of->tile.dtype),
		.all = all,
		.wrong = wrong};
	int64_t elements = 1;
	MPI_Comm comm;
	bool right = true;
	assert(team->ranks <= MOST);
	p.holders = list_holders(of, team, device, term);
	for (int i = 0; i < of->tile.dims; i++)
		elements *= of->tile.size[i];
	MPI_Comm_split(team->world, device[0], team->rank, &comm);
	for (int64_t at = 0; at < elements;) {
		at += bring(&p, comm, at, elements - at, all);
		right = right && copies_equal(&p) && terms_add_up(&p);
		ex_watch_work();
	}
	MPI_Comm_free(&comm);
	return right;
}
