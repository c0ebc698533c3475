/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing tiles with whole arrays.
 */
#include "proof.h"

#include <string.h>

#include <shardwalk/number.h>

#include "requests.h"
#include "watch.h"

/* The largest array that is ever a sum of terms, in bytes. */
static int64_t sums_bytes(const sw_program *program)
{
	int64_t most = 0;
	for (int i = 0; i < program->values; i++) {
		const sw_type *type = program->value[i].type;
		if (sw_type_terms(type) > 1)
			most = sw_larger(most, sw_type_globalsize(type) * sw_dtype_bytes(type->dtype));
	}
	return most;
}

bool ex_proof_lay_out(ex_proof *proof, ex_values *values, sw_arena *arena, ex_fault *fault)
{
	sw_diag diag = {0};
	*proof = (ex_proof){.values = values, .share.file = -1, .right = true};
	if (!sw_data_make(values->program, arena, &proof->data, &diag))
		return ex_fault_of(fault, &diag);
	proof->sums_at = sw_reference_bytes(values->program);
	if (proof->sums_at < 0 || !sw_add(proof->sums_at, sums_bytes(values->program) + 64, &proof->bytes))
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
	return ex_agree(team, ok, fault);
}

void ex_proof_close(ex_proof *proof)
{
	if (proof->share.at)
		ex_share_close(&proof->share);
}

/* ---- this rank's tiles ---- */

/* The slot of the mesh in which a rank lies. */
static int64_t slot_of(const ex_proof *proof, int64_t rank)
{
	const sw_mesh *mesh = &proof->values->program->mesh;
	int64_t slot = rank;
	for (int64_t i = 0; mesh->order && i < mesh->devices; i++)
		if (mesh->order[i] == rank)
			slot = i;
	return slot;
}

static void place_of(const ex_proof *proof, const sw_type *type, int64_t rank, int64_t *offset, int64_t *term)
{
	const sw_mesh *mesh = &proof->values->program->mesh;
	int64_t slot = slot_of(proof, rank);
	sw_type_offset(mesh, type, slot, offset);
	*term = sw_type_term(mesh, type, slot);
}

void ex_proof_fill(const ex_proof *proof)
{
	const sw_program *program = proof->values->program;
	for (int i = 0; i < program->inputs; i++) {
		const sw_type *type = program->value[i].type;
		int64_t offset[SW_MAX_DIMS], term;
		place_of(proof, type, proof->values->team->rank, offset, &term);
		sw_data_fill(&proof->data, i, offset, type->tile, term, ex_values_tile(proof->values, i));
		ex_watch_work();
	}
	ex_run_alone(&proof->values->all);
}

/* ---- comparing ---- */

static bool note_wrong(ex_proof *proof, int value, const int64_t *offset, int64_t at, const void *found)
{
	const sw_type *type = proof->values->program->value[value].type;
	const void *right = proof->values->scratch;
	proof->wrong.value = value;
	proof->wrong.device = proof->values->team->rank;
	proof->wrong.expected = sw_element(type->dtype, right, at);
	proof->wrong.found = sw_element(type->dtype, found, at);
	for (int i = type->rank - 1; i >= 0; i--) {
		proof->wrong.position[i] = at % type->tile[i];
		proof->wrong.index[i] = offset[i] + at % type->tile[i];
		at /= type->tile[i];
	}
	return false;
}

/* The tile that this rank holds against its part of the whole array. */
static bool compare_with(ex_proof *proof, int value, const int64_t *offset, const void *found)
{
	const sw_type *type = proof->values->program->value[value].type;
	double bound = 2 * proof->whole.error[value];
	char *right = proof->values->scratch;
	sw_reference_cut(type, proof->whole.array[value], offset, right);
	int64_t at = sw_compare(type->dtype, found, right, sw_type_localsize(type), bound, &proof->off);
	proof->bound = bound > proof->bound ? bound : proof->bound;
	return at < 0 || note_wrong(proof, value, offset, at, found);
}

static bool same_place(const int64_t *a, const int64_t *b, int rank)
{
	return memcmp(a, b, (size_t)rank * sizeof *a) == 0;
}

/* The first rank of the host with the same term of the same tile. */
static int first_holder(const ex_proof *proof, const sw_type *type, const int64_t *offset, int64_t term)
{
	int64_t there[SW_MAX_DIMS], its;
	for (int rank = 0; rank < proof->values->team->ranks; rank++) {
		place_of(proof, type, rank, there, &its);
		if (its == term && same_place(there, offset, type->rank))
			return rank;
	}
	return -1;
}

/* This rank's term joins the others of its tile. */
static void add_term(ex_proof *proof, int value, const int64_t *offset)
{
	const sw_type *type = proof->values->program->value[value].type;
	char *sums = proof->share.at + proof->sums_at, *sum = proof->values->scratch;
	sw_reference_cut(type, sums, offset, sum);
	sw_add_to(type->dtype, sum, ex_values_tile(proof->values, value), sw_type_localsize(type));
	sw_reference_put(type, sums, offset, sum);
}

static void clear_sums(const ex_proof *proof, const sw_type *type)
{
	const ex_team *team = proof->values->team;
	int64_t bytes = sw_type_globalsize(type) * sw_dtype_bytes(type->dtype);
	int64_t first = bytes * team->local_rank / team->local_ranks,
			end = bytes * (team->local_rank + 1) / team->local_ranks;
	memset(proof->share.at + proof->sums_at + first, 0, (size_t)(end - first));
	ex_team_barrier(team);
}

/* Of what all terms come to each rank compares a part. */
static bool compare_range(ex_proof *proof, int value)
{
	const ex_team *team = proof->values->team;
	const sw_type *type = proof->values->program->value[value].type;
	int64_t all = sw_type_globalsize(type), size = sw_dtype_bytes(type->dtype);
	int64_t first = all * team->local_rank / team->local_ranks,
			end = all * (team->local_rank + 1) / team->local_ranks;
	const char *sums = proof->share.at + proof->sums_at, *whole = proof->whole.array[value];
	int64_t at = sw_compare(type->dtype, sums + first * size, whole + first * size, end - first,
		2 * proof->whole.error[value], &proof->off);
	if (at < 0)
		return true;
	at += first;
	proof->wrong.value = value;
	proof->wrong.device = team->rank;
	proof->wrong.expected = sw_element(type->dtype, whole, at);
	proof->wrong.found = sw_element(type->dtype, sums, at);
	for (int i = type->rank - 1; i >= 0; i--) {
		proof->wrong.index[i] = at % type->global[i];
		proof->wrong.position[i] = proof->wrong.index[i] % type->tile[i];
		at /= type->global[i];
	}
	return false;
}

/* Copies of a term are equal, and the terms add up to the array.  Only ranks of one host see each other's tiles. */
static bool compare_sums(ex_proof *proof, int value)
{
	const ex_team *team = proof->values->team;
	const sw_type *type = proof->values->program->value[value].type;
	int64_t offset[SW_MAX_DIMS], term, at = -1;
	place_of(proof, type, team->rank, offset, &term);
	int first = first_holder(proof, type, offset, term);
	clear_sums(proof, type);
	for (int64_t t = 0; t < sw_type_terms(type); t++) {
		if (t == term && first == team->rank)
			add_term(proof, value, offset);
		ex_team_barrier(team);
	}
	const char *mine = ex_values_tile(proof->values, value);
	if (first != team->rank) {
		memcpy(proof->values->scratch, ex_run_at(&proof->values->all, first, proof->values->at[value]),
			(size_t)proof->values->program->value[value].bytes);
		at = sw_compare(type->dtype, mine, proof->values->scratch, sw_type_localsize(type),
			2 * proof->whole.error[value], &proof->off);
	}
	bool right = at < 0 || note_wrong(proof, value, offset, at, mine);
	return right && compare_range(proof, value);
}

static bool sees_all(const ex_proof *proof)
{
	return proof->values->all.transport == EX_SHARED && proof->values->team->hosts == 1;
}

/* What a sum comes to is compared where it is finished, too. */
static bool compare(ex_proof *proof, int value)
{
	const sw_type *type = proof->values->program->value[value].type;
	int64_t offset[SW_MAX_DIMS], term;
	if (sw_type_terms(type) > 1)
		return !sees_all(proof) || compare_sums(proof, value);
	place_of(proof, type, proof->values->team->rank, offset, &term);
	return compare_with(proof, value, offset, ex_values_tile(proof->values, value));
}

/* What the lowest rank has found is everybody's. */
static bool agree(ex_proof *proof, bool right)
{
	ex_team *team = proof->values->team;
	double first = right ? team->ranks : team->rank;
	ex_team_reduce(team, &first, 1, MPI_MIN);
	if ((int)first == team->ranks)
		return true;
	ex_bcast(team->world, &proof->wrong, sizeof(proof->wrong), (int)first);
	proof->right = false;
	return false;
}

bool ex_proof_value(ex_proof *proof, int value)
{
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
	bool right = compare(proof, value) && made;
	ex_watch_work();
	return agree(proof, right);
}
