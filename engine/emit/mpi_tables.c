/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of an MPI program: where tiles lie at each stage, and what each step from one stage to the next needs.
 */
#include "emit/mpi_tables.h"

#include <assert.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "step/transfers.h"

/* How a step is run: the function of the program, and what that needs. */
static const struct runner {
	unsigned need;
	const char *function; /* NULL: there is none */
} runners[SW_MANNER_COUNT] = {
	[SW_MANNER_CUT] = {SW_MPI_SLICE, "run_slice"},
	[SW_MANNER_JOINED] = {SW_MPI_GATHER, "run_gather"},
	[SW_MANNER_SWAPPED] = {SW_MPI_SWAP, "run_alltoall"},
	[SW_MANNER_PERMUTED] = {SW_MPI_PERMUTE, "run_permute"},
	[SW_MANNER_DEALT] = {SW_MPI_EXCHANGE, "run_exchange"},
	[SW_MANNER_SCATTERED] = {SW_MPI_SCATTER, "run_scatter"},
	[SW_MANNER_SUMMED] = {SW_MPI_SUM, "run_sum"},
	[SW_MANNER_KEPT] = {SW_MPI_KEEP, "run_keep"},
	[SW_MANNER_PADDED] = {SW_MPI_PAD, "run_pad"},
};

static struct runner runner_of(const sw_emitter *e, int k)
{
	const sw_step *step = &e->plan->program.step[k];

	if (sw_emit_by_pieces(e, k))
		return (struct runner){SW_MPI_PIECES, sw_mpi_piece_function(step->op)};
	return runners[sw_collective_of(step->op)->manner];
}

static bool has_runners(const sw_emitter *e)
{
	for (int k = 0; k < e->plan->program.steps; k++)
		if (runner_of(e, k).function == NULL)
			return sw_emit_refuse(e, "`run` runs it", "the program has no function for step %d, '%s'", k + 1,
				sw_collective_of(e->plan->program.step[k].op)->name);
	return true;
}

unsigned sw_mpi_needs(const sw_emitter *e)
{
	unsigned all = 0;

	for (int k = 0; k < e->plan->program.steps; k++)
		all |= runner_of(e, k).need;
	return all;
}

void sw_mpi_parts(const sw_emitter *e, const sw_mpi_part *part, uint64_t all)
{
	for (; part->text; part++)
		if (!part->need || (part->need & all))
			sw_text_add(e->text, part->text);
}

void sw_mpi_add_calls(const sw_emitter *e, bool large, uint64_t all)
{
	sw_emit_line(e, "static int me;\nstatic MPI_Datatype element;\n");
	if (large) {
		sw_mpi_parts(e, sw_mpi_large, all);
		return;
	}
	sw_mpi_parts(e, sw_mpi_calls, all);
	sw_mpi_parts(e, sw_mpi_calls_sums, all);
	sw_mpi_parts(e, sw_mpi_calls_stored, all);
}

bool sw_mpi_tile_is_large(const int64_t *tile, int rank)
{
	int64_t size = 1;

	for (int i = 0; i < rank; i++)
		if (!sw_mul(size, tile[i], &size))
			return true;
	return size > INT32_MAX;
}

bool sw_mpi_plan_is_large(const sw_emitter *e)
{
	bool large = false;

	for (int k = 0; k <= e->plan->program.steps; k++)
		large = large || sw_mpi_tile_is_large(e->plan->program.value[k].tile, e->rank);
	return large;
}

bool sw_mpi_can(const sw_emitter *e)
{
	return has_runners(e);
}

/* ---- stages ---- */

int sw_mpi_add_stages(sw_mpi_tables *t, const sw_emitter *e)
{
	int first = t->stages;

	for (int k = 0; k <= e->plan->program.steps; k++)
		t->stage[t->stages++] = (sw_mpi_stage){.e = e,
			.k = k,
			.steps = k < e->plan->program.steps,
			.rank = e->rank,
			.tile = e->plan->program.value[k].tile,
			.type = e->by_device || e->plan->program.value[k].map ? NULL : sw_plan_sums_before(e->plan, k),
			.map = e->map[k]};
	return first;
}

static bool needs(const sw_mpi_tables *t, int n, unsigned need)
{
	const sw_mpi_stage *stage = &t->stage[n];

	return stage->steps && runner_of(stage->e, stage->k).need == need;
}

static int steps_of(const sw_mpi_tables *t)
{
	return t->stages - 1;
}

void sw_mpi_sizes(const sw_mpi_tables *t, sw_dtype dtype, int repeat)
{
	const sw_emitter *e = t->e;

	sw_emit_line(e, "#define DEVICES %lld /* the rank is the number of the device */", (long long)e->devices);
	sw_emit_line(e, "#define DIMS %d", t->dims);
	sw_emit_line(e, "#define STEPS %d", steps_of(t));
	sw_emit_line(e, "#define ELEMENT %d /* bytes of an element, %s */", sw_dtype_bytes(dtype), sw_dtype_name(dtype));
	sw_emit_line(e, "#define REPEAT %d /* the best time counts */\n", repeat);
}

void sw_mpi_row(const sw_mpi_tables *t, const int64_t *number, int rank, int64_t padding)
{
	assert(rank >= 0 && rank <= t->dims);
	sw_text_add(t->e->text, "{");
	for (int i = 0; i < t->dims - rank; i++)
		sw_text_addf(t->e->text, "%lld%s", (long long)padding, i < t->dims - 1 ? ", " : "");
	sw_emit_numbers(t->e->text, number, rank);
	sw_text_add(t->e->text, "}");
}

void sw_mpi_tiles(const sw_mpi_tables *t)
{
	sw_emit_line(t->e, "static const long long tile[STEPS + 1][DIMS] = {");
	for (int n = 0; n < t->stages; n++) {
		sw_text_add(t->e->text, "\t");
		sw_mpi_row(t, t->stage[n].tile, t->stage[n].rank, 1);
		sw_text_add(t->e->text, ",\n");
	}
	sw_emit_line(t->e, "};\n");
}

/* ---- digits ---- */

static int most_digits(const sw_mpi_tables *t)
{
	int most = 0;

	for (int n = 0; n < t->stages; n++) {
		const sw_type *type = t->stage[n].type;

		for (int i = 0; type && i < type->rank; i++)
			if (type->first[i + 1] - type->first[i] > most)
				most = type->first[i + 1] - type->first[i];
	}
	return most;
}

static void add_start(const sw_mpi_tables *t, const sw_type *type)
{
	sw_digit digit[SW_MAX_PARTS];
	int count = sw_digits_of_type(t->mesh, type, digit), padding = t->dims - type->rank;
	sw_text *text = t->e->text;

	sw_text_add(text, "\t{");
	for (int i = -padding; i < type->rank; i++) {
		int found = 0;

		sw_text_add(text, i > -padding ? ", {" : "{");
		for (int n = 0; n < count; n++)
			if (digit[n].dim == i)
				sw_text_addf(text, "%s{%lld, %lld, %lld}", found++ ? ", " : "", (long long)digit[n].stride,
					(long long)digit[n].size, (long long)(digit[n].weight * type->tile[i]));
		sw_text_add(text, found ? "}" : "{0, 0, 0}}");
	}
	sw_text_add(text, "},\n");
}

static void add_listed_start(const sw_mpi_tables *t, int n)
{
	const sw_mpi_stage *stage = &t->stage[n];

	if (stage->type)
		return;
	sw_text_addf(t->e->text, "static const long long start_%d[DEVICES * DIMS] = {", n);
	for (int64_t d = 0; d < t->e->devices; d++) {
		sw_text_add(t->e->text, d % 4 ? " " : "\n\t");
		for (int i = stage->rank; i < t->dims && stage->rank; i++)
			sw_text_add(t->e->text, "0, ");
		sw_emit_numbers(t->e->text, stage->map + d * stage->rank, stage->rank);
		sw_text_add(t->e->text, ",");
	}
	sw_text_add(t->e->text, "\n};\n");
}

void sw_mpi_starts(const sw_mpi_tables *t)
{
	for (int n = 0; n < t->stages; n++)
		add_listed_start(t, n);
	sw_emit_line(t->e,
		"/* The beginning of tiles: by digits of the device's number, or listed if it is not such a sum. "
		"*/");
	sw_emit_line(t->e, "static const struct digit digits[STEPS + 1][DIMS][%d] = {", most_digits(t) + 1);
	for (int n = 0; n < t->stages; n++) {
		if (t->stage[n].type)
			add_start(t, t->stage[n].type);
		else
			sw_text_add(t->e->text, "\t{{{0, 0, 0}}},\n");
	}
	sw_emit_line(t->e, "};");
	sw_text_add(t->e->text, "static const long long *const starts[STEPS + 1] = {");
	for (int n = 0; n < t->stages; n++) {
		sw_text_add(t->e->text, n ? ", " : "");
		sw_text_addf(t->e->text, t->stage[n].type ? "NULL" : "start_%d", n);
	}
	sw_emit_line(t->e, "};");
}

/* ---- lists of devices: groups and sources ---- */

typedef struct list {
	const int32_t *device;
	int64_t count;
	int digits; /* 0: listed */
	sw_digit digit[SW_MAX_DIGITS];
} list;

static void add_list(const sw_emitter *e, const char *name, int k, const list *l)
{
	if (!l->count || l->digits)
		return;
	sw_text_addf(e->text, "static const int %s_%d[%lld] = {", name, k + 1, (long long)l->count);
	for (int64_t n = 0; n < l->count; n++)
		sw_text_addf(e->text, "%s%d,", n % 16 ? " " : "\n\t", (int)l->device[n]);
	sw_text_add(e->text, "\n};\n");
}

static void add_list_digits(const sw_emitter *e, const list *l)
{
	int64_t weight = 1, stride[SW_MAX_DIGITS];

	for (int n = l->digits - 1; n >= 0; n--) {
		stride[n] = weight;
		weight *= l->digit[n].size;
	}
	sw_text_add(e->text, "\t{");
	for (int n = 0; n < l->digits; n++)
		sw_text_addf(e->text, "%s{%lld, %lld, %lld}", n ? ", " : "", (long long)stride[n],
			(long long)l->digit[n].size, (long long)l->digit[n].stride);
	sw_text_add(e->text, l->digits ? "},\n" : "{0, 0, 0}},\n");
}

/* Tables of digits and of lists, one of which each step has. */
static void add_lists(const sw_mpi_tables *t, const char *name, const list *of)
{
	const sw_emitter *e = t->e;
	int most = 0;

	for (int k = 0; k < steps_of(t); k++) {
		most = of[k].digits > most ? of[k].digits : most;
		add_list(e, name, k, &of[k]);
	}
	sw_emit_line(e, "static const struct digit %s_digits[STEPS][%d] = {", name, most + 1);
	for (int k = 0; k < steps_of(t); k++)
		add_list_digits(e, &of[k]);
	sw_emit_line(e, "};");
	sw_text_addf(e->text, "static const int *const %s_list[STEPS] = {", name);
	for (int k = 0; k < steps_of(t); k++) {
		sw_text_add(e->text, k ? ", " : "");
		if (of[k].count && !of[k].digits)
			sw_text_addf(e->text, "%s_%d", name, k + 1);
		else
			sw_text_add(e->text, "NULL");
	}
	sw_emit_line(e, "};");
}

/* The members of a group of a lined step, as digits of the member. */
static void list_of_groups(const sw_device_step *m, list *of)
{
	*of = (list){.device = m->group, .count = m->groups * m->size};
	int count = m->lined ? sw_groups_members(&m->lines, of->digit) : 0;
	of->digits = count > 0 ? count : 0;
}

/* Reads the groups of step n, and of how many members each is; 0: it has none. */
static bool groups_of(const sw_mpi_tables *t, int n, list *of, int64_t *size)
{
	const sw_mpi_stage *stage = &t->stage[n];
	sw_device_step m = {.size = 0};

	*size = 0;
	if (!stage->steps)
		return true;
	if (sw_emit_by_pieces(stage->e, stage->k)) {
		const sw_step *step = &stage->e->steps[stage->k];

		*of = (list){.device = step->groups, .count = step->grouped};
		*size = step->group_size;
		return true;
	}
	if (!sw_emit_device_step(stage->e, stage->k, &m))
		return false;
	*size = m.size;
	if (m.size)
		list_of_groups(&m, of);
	return true;
}

static void add_sizes(const sw_emitter *e, const char *name, const int64_t *number, int count)
{
	sw_text_addf(e->text, "static const int %s[STEPS] = {", name);
	sw_emit_numbers(e->text, number, count);
	sw_emit_line(e, "};");
}

static bool add_groups(const sw_mpi_tables *t)
{
	const sw_emitter *e = t->e;
	list *of = SW_NEW_ZERO(e->arena, list, t->stages);
	int64_t *size = SW_NEW(e->arena, int64_t, t->stages), *grouped = SW_NEW(e->arena, int64_t, t->stages);

	if (!of || !size || !grouped)
		return sw_diag_memory(e->diag);
	for (int n = 0; n < steps_of(t); n++) {
		if (!groups_of(t, n, &of[n], &size[n]))
			return false;
		grouped[n] = of[n].count;
	}
	sw_emit_line(e,
		"\n/* Groups: the devices that work together, in the order of their pieces; and the number of devices in one. */");
	add_sizes(e, "group_size", size, steps_of(t));
	add_sizes(e, "grouped", grouped, steps_of(t));
	add_lists(t, "group", of);
	return true;
}

static bool add_sources(const sw_mpi_tables *t)
{
	const sw_emitter *e = t->e;
	list *of = SW_NEW_ZERO(e->arena, list, t->stages);

	if (!of)
		return sw_diag_memory(e->diag);
	for (int n = 0; n < steps_of(t); n++)
		if (needs(t, n, SW_MPI_PERMUTE)) {
			of[n].device = t->stage[n].e->steps[t->stage[n].k].source;
			of[n].count = e->devices;
			of[n].digits = sw_emit_digits(e, of[n].device, e->devices, of[n].digit);
		}
	sw_emit_line(e, "\n/* Permutations: the device whose tile each device gets. */");
	add_lists(t, "source", of);
	return true;
}

/* ---- senders of exchanges ---- */

static void add_numbers(const sw_emitter *e, const char *name, int n, const int32_t *number, int64_t count)
{
	list numbers = {.device = number, .count = count};

	add_list(e, name, n, &numbers);
}

/* Lists the senders of step n, where a tile has several holders. */
static bool add_senders_of(const sw_mpi_tables *t, int n, bool *listed)
{
	const sw_emitter *e = t->stage[n].e;
	int k = t->stage[n].k;
	const sw_type *from = &e->plan->problem.from;
	sw_tiles before = {.rank = e->rank, .devices = e->devices, .global = from->global};
	sw_tiles after = before;
	before.tile = e->plan->program.value[k].tile;
	before.at = e->map[k];
	after.tile = e->plan->program.value[k + 1].tile;
	after.at = e->map[k + 1];
	const sw_transfers *moved = sw_transfers_new(&e->steps[k], &before, &after, e->arena, e->diag);

	if (moved == NULL)
		return false;
	*listed = moved->sender != NULL;
	if (*listed) {
		add_numbers(e, "first", n, moved->first_sender, e->devices + 1);
		add_numbers(e, "sender", n, moved->sender, moved->first_sender[e->devices]);
	}
	return true;
}

static void add_list_names(const sw_mpi_tables *t, const char *table, const char *name, const bool *listed)
{
	sw_text_addf(t->e->text, "static const int *const %s[STEPS] = {", table);
	for (int n = 0; n < steps_of(t); n++)
		if (listed[n])
			sw_text_addf(t->e->text, "%s%s_%d", n ? ", " : "", name, n + 1);
		else
			sw_text_addf(t->e->text, "%sNULL", n ? ", " : "");
	sw_emit_line(t->e, "};");
}

static bool add_senders(const sw_mpi_tables *t)
{
	const sw_emitter *e = t->e;
	bool *listed = SW_NEW_ZERO(e->arena, bool, t->stages), done = listed != NULL || sw_diag_memory(e->diag);

	sw_emit_line(e,
		"\n/* Exchanges: the devices that send each device what it needs, in turn; NULL: every device that holds some of it. */");
	for (int n = 0; done && n < steps_of(t); n++)
		if (needs(t, n, SW_MPI_EXCHANGE))
			done = add_senders_of(t, n, &listed[n]);
	if (!done)
		return false;
	add_list_names(t, "sender_first", "first", listed);
	add_list_names(t, "sender_list", "sender", listed);
	return true;
}

/* ---- copies that become terms ---- */

/* Of each step that makes terms of copies, who keeps its tile. */
static bool add_keepers(const sw_mpi_tables *t)
{
	const sw_emitter *e = t->e;
	sw_device_step m;

	sw_emit_line(e, "\n/* Copies that become terms: 1 for the devices that keep theirs. */");
	for (int n = 0; n < steps_of(t); n++) {
		if (!needs(t, n, SW_MPI_KEEP))
			continue;
		if (!sw_emit_device_step(t->stage[n].e, t->stage[n].k, &m))
			return false;
		sw_text_addf(e->text, "static const char keeper_%d[DEVICES] = {", n + 1);
		for (int64_t d = 0; d < e->devices; d++)
			sw_text_addf(e->text, "%s%d", d ? ", " : "", m.keeps[d]);
		sw_text_add(e->text, "};\n");
	}
	sw_text_add(e->text, "static const char *const keeper_list[STEPS] = {");
	for (int n = 0; n < steps_of(t); n++) {
		sw_text_add(e->text, n ? ", " : "");
		if (needs(t, n, SW_MPI_KEEP))
			sw_text_addf(e->text, "keeper_%d", n + 1);
		else
			sw_text_add(e->text, "NULL");
	}
	sw_emit_line(e, "};");
	return true;
}

bool sw_mpi_step_tables(const sw_mpi_tables *t, uint64_t all)
{
	return (!(all & SW_MPI_GROUPS) || add_groups(t)) && (!(all & SW_MPI_PERMUTE) || add_sources(t)) &&
		(!(all & SW_MPI_EXCHANGE) || add_senders(t)) && (!(all & SW_MPI_KEEP) || add_keepers(t)) &&
		(!(all & SW_MPI_PIECES) || sw_mpi_piece_tables(t));
}

/* ---- the steps ---- */

void sw_mpi_steps(const sw_mpi_tables *t)
{
	sw_emit_line(t->e, "static const struct step steps[STEPS + 1] = {");
	for (int n = 0; n < steps_of(t); n++) {
		if (!t->stage[n].steps) {
			sw_emit_line(t->e, "\t{NULL, NULL},");
			continue;
		}
		sw_text_add(t->e->text, "\t{\"");
		sw_emit_remark_step(t->stage[n].e, t->stage[n].k, t->e->text);
		sw_emit_line(t->e, "\", %s},", runner_of(t->stage[n].e, t->stage[n].k).function);
	}
	sw_emit_line(t->e, "\t{NULL, NULL}\n};\n");
}

/* ---- sums ---- */

/* How C, MPI and NCCL call what adds; NULL: it adds no such elements. */
static const struct {
	const char *c, *mpi, *nccl;
} addends[SW_DTYPE_COUNT] = {
	[SW_I8] = {"int8_t", "MPI_INT8_T", "ncclInt8"},
	[SW_U8] = {"uint8_t", "MPI_UINT8_T", "ncclUint8"},
	[SW_I16] = {"int16_t", "MPI_INT16_T", NULL},
	[SW_U16] = {"uint16_t", "MPI_UINT16_T", NULL},
	[SW_I32] = {"int32_t", "MPI_INT32_T", "ncclInt32"},
	[SW_U32] = {"uint32_t", "MPI_UINT32_T", "ncclUint32"},
	[SW_F32] = {"float", "MPI_FLOAT", "ncclFloat"},
	[SW_I64] = {"int64_t", "MPI_INT64_T", "ncclInt64"},
	[SW_U64] = {"uint64_t", "MPI_UINT64_T", "ncclUint64"},
	[SW_F64] = {"double", "MPI_DOUBLE", "ncclDouble"},
	[SW_C64] = {"float _Complex", "MPI_C_FLOAT_COMPLEX", NULL},
	[SW_C128] = {"double _Complex", "MPI_C_DOUBLE_COMPLEX", NULL},
};

const char *sw_nccl_addend(sw_dtype dtype)
{
	return addends[dtype].nccl;
}

bool sw_mpi_adds(sw_dtype dtype)
{
	return addends[dtype].c != NULL;
}

void sw_mpi_addend(const sw_emitter *e, sw_dtype dtype)
{
	if (sw_mpi_adds(dtype))
		sw_emit_line(e, "typedef %s value;\n#define ADDEND %s", addends[dtype].c, addends[dtype].mpi);
	else
		sw_emit_line(e, "typedef uint%d_t value; /* of this many bits, never added */", 8 * sw_dtype_bytes(dtype));
}

/* The first slot of those whose terms make up one value together with this one. */
int64_t sw_mpi_first_of_sum(const sw_mesh *mesh, const sw_type *type, int64_t slot)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_sums(type, parts);

	for (int k = 0; k < count; k++) {
		int64_t stride = sw_part_stride(mesh, parts[k]);

		slot -= slot / stride % parts[k].size * stride;
	}
	return slot;
}

bool sw_mpi_device_table(const sw_mpi_tables *t, const char *name,
	int64_t (*of)(const sw_mesh *mesh, const sw_type *type, int64_t slot), const sw_type *type)
{
	const sw_emitter *e = t->e;
	int32_t *number = SW_NEW(e->arena, int32_t, e->devices);

	if (!number)
		return sw_diag_memory(e->diag);
	for (int64_t slot = 0; slot < e->devices; slot++)
		number[t->by_device ? sw_device_at(t->mesh->order, slot) : slot] = (int32_t)of(t->mesh, type, slot);
	sw_text_addf(e->text, "static const int %s[DEVICES] = {", name);
	for (int64_t d = 0; d < e->devices; d++)
		sw_text_addf(e->text, "%s%d,", d % 16 ? " " : "\n\t", (int)number[d]);
	sw_text_add(e->text, "\n};\n");
	return true;
}
