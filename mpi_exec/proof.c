/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing tiles with whole arrays.
 */
#include "proof.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/local.h>
#include <shardwalk/number.h>

#include "watch.h"

bool ex_proof_lay_out(ex_proof *proof, ex_values *values, sw_arena *arena, ex_fault *fault)
{
	sw_diag diag = {0};
	*proof = (ex_proof){.values = values, .share.file = -1};
	if (!sw_data_make(values->program, arena, &proof->data, &diag))
		return ex_fault_of(fault, &diag);
	proof->bytes = sw_reference_bytes(values->program);
	if (proof->bytes < 0 || !sw_add(proof->bytes, 64, &proof->bytes))
		return ex_fault_set(fault, EX_NO, "T10", "the arrays are too large");
	return true;
}

int64_t ex_proof_bytes(const ex_proof *proof)
{
	return proof->bytes;
}

bool ex_proof_open(ex_proof *proof, sw_arena *arena, ex_fault *fault)
{
	ex_team *team = proof->values->team;
	sw_diag diag = {0};
	bool ok = ex_share_open(&proof->share, team->local, proof->bytes, fault);
	if (!ex_agree(team, ok, fault))
		return false;
	int64_t first = proof->bytes * team->local_rank / team->local_ranks,
			end = proof->bytes * (team->local_rank + 1) / team->local_ranks;
	ok = ex_share_reserve(&proof->share, first, end - first, fault);
	if (ok && !sw_reference_make(&proof->data, proof->share.at, arena, &proof->whole, &diag))
		ok = ex_fault_of(fault, &diag);
	proof->by = (sw_multiplier){ex_blas_multiply, &proof->values->blas};
	proof->whole.by = &proof->by;
	return ex_agree(team, ok, fault);
}

void ex_proof_close(ex_proof *proof)
{
	if (proof->share.at)
		ex_share_close(&proof->share);
}

/* ---- this rank's tiles ---- */

/* A value as this rank holds it. */
typedef struct held {
	ex_proof *proof;
	int value;
	const sw_type *type;
	int64_t base[SW_MAX_DIMS], term;
} held;

/* The slot of the mesh in which a rank lies. */
static int64_t slot_of(const sw_mesh *mesh, int64_t rank)
{
	int64_t slot = rank;
	for (int64_t i = 0; mesh->order && i < mesh->devices; i++)
		if (mesh->order[i] == rank)
			slot = i;
	return slot;
}

static void place_of(const void *user, int rank, int64_t *base, int64_t *term)
{
	const held *h = user;
	const sw_mesh *mesh = &h->proof->values->program->mesh;
	int64_t slot = slot_of(mesh, rank);
	sw_type_offset(mesh, h->type, slot, base);
	*term = sw_type_term(mesh, h->type, slot);
}

static held held_of(ex_proof *proof, int value)
{
	held h = {.proof = proof, .value = value, .type = proof->values->program->value[value].type};
	place_of(&h, proof->values->team->rank, h.base, &h.term);
	return h;
}

/* An input that is of no tile type. */
static void store_input(ex_proof *proof, int input)
{
	if (!sw_data_store(&proof->data, input, proof->values->team->rank, ex_values_tile(proof->values, input)))
		ex_watch_end("out of memory, while data was made", "fewer elements take less");
	ex_watch_work();
}

void ex_proof_fill(ex_proof *proof)
{
	for (int i = 0; i < proof->values->program->inputs; i++) {
		const held h = held_of(proof, i);
		if (proof->values->program->value[i].words) {
			store_input(proof, i);
			continue;
		}
		sw_data_fill(&proof->data, i, h.base, h.type->tile, h.term, ex_values_tile(proof->values, i));
		ex_watch_work();
	}
	ex_run_alone(&proof->values->all);
}

/* ---- comparing ---- */

static int64_t differs(const void *user, const void *found, const void *right, int64_t count)
{
	const held *h = user;
	ex_proof *proof = h->proof;
	return sw_compare(h->type->dtype, found, right, count, 2 * proof->whole.error[h->value], &proof->off);
}

/* They are in the scratch of the values, all of the tile. */
static void right_sums(const void *user, int64_t at, int64_t count, void *out)
{
	const held *h = user;
	int64_t size = sw_dtype_bytes(h->type->dtype);
	memcpy(out, h->proof->values->scratch + at * size, (size_t)(count * size));
}

static bool compare_whole(const held *h, const ex_tile *tile, const char *found, ex_wrong *wrong)
{
	const char *right = h->proof->values->scratch;
	int64_t at = differs(h, found, right, sw_type_localsize(h->type)), size = sw_dtype_bytes(tile->dtype);
	if (at >= 0)
		ex_wrong_say(wrong, tile, h->proof->values->team->rank, at, right + at * size, found + at * size);
	return at < 0;
}

/* What this rank stores of a value that is of no tile type.  Sums of such values are compared where they are finished. */
static bool compare_stored(const held *h, ex_wrong *wrong)
{
	ex_values *values = h->proof->values;
	const sw_program *program = values->program;
	int rank = values->team->rank;
	sw_arena *arena = sw_arena_new();
	sw_holding holding;
	sw_local local;
	int64_t base = 0, at = -1;
	bool known = arena && sw_program_holding(program, h->value, arena, &holding) &&
		sw_program_local(program, h->value, rank, arena, &local) &&
		sw_reference_store(&h->proof->whole, h->value, rank, values->scratch);
	if (!known)
		ex_watch_end("out of memory, while data was compared", "fewer elements take less");
	const ex_tile tile = {1, h->type->dtype, &local.size, &base};
	const char *found = ex_values_stored(values, h->value);
	int64_t size = sw_dtype_bytes(tile.dtype);
	if (holding.terms == 1)
		at = differs(h, found, values->scratch, local.size);
	if (at >= 0) {
		ex_wrong_say(wrong, &tile, rank, at, values->scratch + at * size, found + at * size);
		wrong->dims = h->type->rank;
		sw_local_element(&local, at, wrong->index, wrong->position);
	}
	sw_arena_free(arena);
	return at < 0;
}

/* The tile that this rank holds against its part of the whole array.  What a sum comes to is compared where it is finished, too. */
static bool compare(ex_proof *proof, int value, ex_wrong *wrong)
{
	ex_values *values = proof->values;
	const held h = held_of(proof, value);
	const ex_tile tile = {h.type->rank, h.type->dtype, h.type->tile, h.base};
	const char *found = ex_values_stored(values, value);
	if (values->program->value[value].words)
		return compare_stored(&h, wrong);
	const ex_terms terms = {tile, found, sw_type_terms(h.type), place_of, right_sums, differs, &h};
	sw_reference_cut(h.type, proof->whole.array[value], h.base, values->scratch);
	proof->bound = fmax(proof->bound, 2 * proof->whole.error[value]);
	return terms.terms > 1 ? ex_terms_check(&terms, values->team, wrong) : compare_whole(&h, &tile, found, wrong);
}

bool ex_proof_value(ex_proof *proof, int value, ex_wrong *wrong)
{
	assert(value >= 0 && value < proof->values->program->values);
	ex_team *team = proof->values->team;
	int step = sw_program_maker(proof->values->program, value);
	bool made = true;
	if (step < 0)
		sw_reference_input(&proof->whole, value, team->local_rank, team->local_ranks);
	else
		made = sw_reference_step(&proof->whole, step, team->local_rank, team->local_ranks);
	ex_watch_work();
	ex_team_barrier(team);
	if (step >= 0)
		sw_reference_error(&proof->whole, value);
	bool right = compare(proof, value, wrong) && made;
	ex_watch_work();
	return right;
}
