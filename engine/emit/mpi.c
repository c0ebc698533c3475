/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as an MPI program: tables of tiles, groups and steps, between parts that are the same for all plans.
 */
#include "emit/write.h"

#include "array/parts.h"
#include "emit/mpi_body.h"
#include "step/transfers.h"

#define HINT_SIZE "a smaller array, or an array of structures as one element"

/* How a step is run: the function of the program, and what that needs. */
static const struct runner {
	const sw_sending *sending;
	unsigned need;
	const char *function;
	bool fills;
} runners[] = {
	{&sw_sends_nothing, SW_MPI_PAD, "run_pad", true},
	{&sw_sends_kept, SW_MPI_KEEP, "run_keep", true},
	{&sw_sends_terms, SW_MPI_SCATTER, "run_scatter", false},
	{&sw_sends_all_terms, SW_MPI_SUM, "run_sum", false},
	{&sw_sends_nothing, SW_MPI_SLICE, "run_slice", false},
	{&sw_sends_tiles, SW_MPI_GATHER, "run_gather", false},
	{&sw_sends_pieces, SW_MPI_SWAP, "run_alltoall", false},
	{&sw_sends_whole, SW_MPI_PERMUTE, "run_permute", false},
	{&sw_sends_dealt, SW_MPI_EXCHANGE, "run_exchange", false},
};

static const struct runner *runner_of(const sw_step *step)
{
	for (size_t n = 0; n < sizeof runners / sizeof *runners; n++)
		if (runners[n].sending == sw_collective_of(step->op)->sending &&
			runners[n].fills == sw_collective_of(step->op)->fills)
			return &runners[n];
	return NULL;
}

static bool has_runners(const sw_emitter *e)
{
	for (int k = 0; k < e->plan->count; k++)
		if (runner_of(&e->plan->steps[k]) == NULL)
			return sw_emit_refuse(e, "`run` runs it", "the program has no function for step %d, '%s'", k + 1,
				sw_collective_of(e->plan->steps[k].op)->name);
	return true;
}

static unsigned needs(const sw_emitter *e)
{
	const sw_plan *plan = e->plan;
	unsigned all = sw_emit_has_sums(e) ? 0 : SW_MPI_WHOLE;

	for (int k = 0; k < plan->count; k++)
		all |= runner_of(&plan->steps[k])->need;
	return all;
}

static void add_parts(const sw_emitter *e, const sw_mpi_part *part, unsigned all)
{
	for (; part->text; part++)
		if (!part->need || (part->need & all))
			sw_text_add(e->text, part->text);
}

/* Messages count elements in an int. */
static bool fits(const sw_emitter *e)
{
	for (int k = 0; k <= e->plan->count; k++) {
		int64_t size = 1;

		for (int i = 0; i < e->rank; i++)
			size *= sw_plan_tile_at(e->plan, k)[i];
		if (size > INT32_MAX)
			return sw_emit_refuse(e, HINT_SIZE, "a tile of %lld elements is more than one MPI message may count",
				(long long)size);
	}
	return true;
}

/* ---- sums ---- */

/* How C and MPI call what adds. */
static const struct {
	const char *c, *mpi;
} values[SW_DTYPE_COUNT] = {
	[SW_I8] = {"int8_t", "MPI_INT8_T"},
	[SW_U8] = {"uint8_t", "MPI_UINT8_T"},
	[SW_I16] = {"int16_t", "MPI_INT16_T"},
	[SW_U16] = {"uint16_t", "MPI_UINT16_T"},
	[SW_I32] = {"int32_t", "MPI_INT32_T"},
	[SW_U32] = {"uint32_t", "MPI_UINT32_T"},
	[SW_F32] = {"float", "MPI_FLOAT"},
	[SW_I64] = {"int64_t", "MPI_INT64_T"},
	[SW_U64] = {"uint64_t", "MPI_UINT64_T"},
	[SW_F64] = {"double", "MPI_DOUBLE"},
	[SW_C64] = {"float _Complex", "MPI_C_FLOAT_COMPLEX"},
	[SW_C128] = {"double _Complex", "MPI_C_DOUBLE_COMPLEX"},
};

static bool adds(const sw_emitter *e)
{
	sw_dtype dtype = e->plan->problem.from.dtype;

	if (!sw_emit_has_sums(e) || values[dtype].c)
		return true;
	return sw_emit_refuse(e, "`run` adds them", "MPI has no type that adds %s", sw_dtype_name(dtype));
}

static int32_t *numbers_of_slots(const sw_emitter *e, int64_t (*of)(const sw_mesh *, const sw_type *, int64_t),
	const sw_type *type)
{
	int32_t *number = SW_NEW(e->arena, int32_t, e->devices);

	for (int64_t slot = 0; number && slot < e->devices; slot++)
		number[e->by_device ? sw_device_at(e->plan->problem.mesh.order, slot) : slot] =
			(int32_t)of(&e->plan->problem.mesh, type, slot);
	return number;
}

/* The first slot of those whose terms make up one value together with this one. */
static int64_t first_of_sum(const sw_mesh *mesh, const sw_type *type, int64_t slot)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_sums(type, parts);

	for (int k = 0; k < count; k++) {
		int64_t stride = sw_part_stride(mesh, parts[k]);

		slot -= slot / stride % parts[k].size * stride;
	}
	return slot;
}

static bool add_table(const sw_emitter *e, const char *name, const int32_t *number)
{
	if (!number)
		return sw_diag_memory(e->diag);
	sw_text_addf(e->text, "static const int %s[DEVICES] = {", name);
	for (int64_t d = 0; d < e->devices; d++)
		sw_text_addf(e->text, "%s%d,", d % 16 ? " " : "\n\t", (int)number[d]);
	sw_text_add(e->text, "\n};\n");
	return true;
}

/* Who holds which term in the beginning, and who adds up with whom in the end. */
static bool add_terms(const sw_emitter *e)
{
	const sw_problem *problem = &e->plan->problem;

	sw_emit_line(e,
		"\n/* Elements that add, terms of a value before the first step, and devices whose terms make one at the end. */");
	sw_emit_line(e, "typedef %s value;\n#define ADDEND %s\n#define FIRST_TERMS %lld", values[problem->from.dtype].c,
		values[problem->from.dtype].mpi, (long long)sw_type_terms(&problem->from));
	return add_table(e, "first_term", numbers_of_slots(e, sw_type_term, &problem->from)) &&
		add_table(e, "last_sum", numbers_of_slots(e, first_of_sum, &problem->to));
}

/* Of each step that makes terms of copies, who keeps its tile. */
static bool add_keepers(const sw_emitter *e)
{
	sw_device_step m;

	sw_emit_line(e, "\n/* Copies that become terms: 1 for the devices that keep theirs. */");
	for (int k = 0; k < e->plan->count; k++) {
		if (!sw_emit_device_step(e, k, &m))
			return false;
		if (!m.keeps)
			continue;
		sw_text_addf(e->text, "static const char keeper_%d[DEVICES] = {", k + 1);
		for (int64_t d = 0; d < e->devices; d++)
			sw_text_addf(e->text, "%s%d", d ? ", " : "", m.keeps[d]);
		sw_text_add(e->text, "};\n");
	}
	sw_text_add(e->text, "static const char *const keeper_list[STEPS] = {");
	for (int k = 0; k < e->plan->count; k++) {
		const sw_collective *row = sw_collective_of(e->plan->steps[k].op);

		sw_text_add(e->text, k ? ", " : "");
		if (row->fills && !row->gathers)
			sw_text_addf(e->text, "keeper_%d", k + 1);
		else
			sw_text_add(e->text, "NULL");
	}
	sw_emit_line(e, "};");
	return true;
}

static void add_head(const sw_emitter *e)
{
	sw_text_add(e->text, "/* Redistribution of an array over MPI ranks, written by shardwalk.\n *\n");
	sw_emit_remark_problem(e, " *   ");
	sw_emit_line(e,
		" *\n * mpicc -O2 -o reshard THIS_FILE.c && mpiexec -n %lld ./reshard\n *\n"
		" * The array is row-major on every rank. It ends with status 1 where an element is wrong.\n */",
		(long long)e->devices);
}

static void add_sizes(const sw_emitter *e)
{
	sw_emit_line(e, "#define DEVICES %lld /* the rank is the number of the device */", (long long)e->devices);
	sw_emit_line(e, "#define DIMS %d", e->rank ? e->rank : 1);
	sw_emit_line(e, "#define STEPS %d", e->plan->count);
	sw_emit_line(e, "#define ELEMENT %d /* bytes of an element, %s */", sw_dtype_bytes(e->plan->problem.from.dtype),
		sw_dtype_name(e->plan->problem.from.dtype));
	sw_emit_line(e, "#define REPEAT 5 /* the best time counts */\n");
}

static void add_row(const sw_emitter *e, const int64_t *number)
{
	static const int64_t scalar = 1;

	sw_text_add(e->text, "{");
	sw_emit_numbers(e->text, e->rank ? number : &scalar, e->rank ? e->rank : 1);
	sw_text_add(e->text, "}");
}

static void add_tiles(const sw_emitter *e)
{
	sw_text_add(e->text, "static const long long global_size[DIMS] = ");
	add_row(e, e->plan->problem.from.global);
	sw_emit_line(e, ";\n\n/* The tile of a device before each step, and at the end. */");
	sw_emit_line(e, "static const long long tile[STEPS + 1][DIMS] = {");
	for (int k = 0; k <= e->plan->count; k++) {
		sw_text_add(e->text, "\t");
		add_row(e, sw_plan_tile_at(e->plan, k));
		sw_text_add(e->text, ",\n");
	}
	sw_emit_line(e, "};\n");
}

/* ---- digits ---- */

static int most_digits(const sw_emitter *e)
{
	int most = 0;

	for (int k = 0; k <= e->plan->count; k++) {
		const sw_type *type = sw_emit_type_at(e, k);

		for (int i = 0; type && i < e->rank; i++)
			if (type->first[i + 1] - type->first[i] > most)
				most = type->first[i + 1] - type->first[i];
	}
	return most;
}

static void add_start(const sw_emitter *e, const sw_type *type)
{
	sw_digit digit[SW_MAX_PARTS];
	int count = sw_digits_of_type(&e->plan->problem.mesh, type, digit);

	sw_text_add(e->text, "\t{");
	for (int i = 0; i < e->rank; i++) {
		int found = 0;

		sw_text_add(e->text, i ? ", {" : "{");
		for (int n = 0; n < count; n++)
			if (digit[n].dim == i)
				sw_text_addf(e->text, "%s{%lld, %lld, %lld}", found++ ? ", " : "", (long long)digit[n].stride,
					(long long)digit[n].size, (long long)(digit[n].weight * type->tile[i]));
		sw_text_add(e->text, found ? "}" : "{0, 0, 0}}");
	}
	sw_text_add(e->text, e->rank ? "},\n" : "{{0, 0, 0}}},\n");
}

static void add_listed_start(const sw_emitter *e, int k)
{
	if (sw_emit_type_at(e, k))
		return;
	sw_text_addf(e->text, "static const long long start_%d[DEVICES * DIMS] = {", k);
	for (int64_t d = 0; d < e->devices; d++) {
		sw_text_add(e->text, d % 4 ? " " : "\n\t");
		sw_emit_numbers(e->text, e->map[k] + d * e->rank, e->rank);
		sw_text_add(e->text, ",");
	}
	sw_text_add(e->text, "\n};\n");
}

static void add_starts(const sw_emitter *e)
{
	for (int k = 0; k <= e->plan->count; k++)
		add_listed_start(e, k);
	sw_emit_line(e,
		"/* Where tiles begin: by a digit of the device's number, or listed where it is no such sum. "
		"*/");
	sw_emit_line(e, "static const struct digit digits[STEPS + 1][DIMS][%d] = {", most_digits(e) + 1);
	for (int k = 0; k <= e->plan->count; k++) {
		if (sw_emit_type_at(e, k))
			add_start(e, sw_emit_type_at(e, k));
		else
			sw_text_add(e->text, "\t{{{0, 0, 0}}},\n");
	}
	sw_emit_line(e, "};");
	sw_text_add(e->text, "static const long long *const starts[STEPS + 1] = {");
	for (int k = 0; k <= e->plan->count; k++) {
		sw_text_add(e->text, k ? ", " : "");
		sw_text_addf(e->text, sw_emit_type_at(e, k) ? "NULL" : "start_%d", k);
	}
	sw_emit_line(e, "};");
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
static void add_lists(const sw_emitter *e, const char *name, const list *of)
{
	int most = 0;

	for (int k = 0; k < e->plan->count; k++) {
		most = of[k].digits > most ? of[k].digits : most;
		add_list(e, name, k, &of[k]);
	}
	sw_emit_line(e, "static const struct digit %s_digits[STEPS][%d] = {", name, most + 1);
	for (int k = 0; k < e->plan->count; k++)
		add_list_digits(e, &of[k]);
	sw_emit_line(e, "};");
	sw_text_addf(e->text, "static const int *const %s_list[STEPS] = {", name);
	for (int k = 0; k < e->plan->count; k++) {
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

static bool add_groups(const sw_emitter *e)
{
	list *of = SW_NEW_ZERO(e->arena, list, e->plan->count);
	sw_device_step m;

	if (!of)
		return sw_diag_memory(e->diag);
	sw_emit_line(e, "\n/* Groups: the devices that work together, in the order of their pieces. */");
	sw_text_add(e->text, "static const int group_size[STEPS] = {");
	for (int k = 0; k < e->plan->count; k++) {
		if (!sw_emit_device_step(e, k, &m))
			return false;
		sw_text_addf(e->text, "%s%lld", k ? ", " : "", (long long)m.size);
		if (m.size)
			list_of_groups(&m, &of[k]);
	}
	sw_emit_line(e, "};");
	add_lists(e, "group", of);
	return true;
}

static bool add_sources(const sw_emitter *e)
{
	list *of = SW_NEW_ZERO(e->arena, list, e->plan->count);

	if (!of)
		return sw_diag_memory(e->diag);
	for (int k = 0; k < e->plan->count; k++)
		if (sw_collective_of(e->plan->steps[k].op)->permutes) {
			of[k].device = e->steps[k].source;
			of[k].count = e->devices;
			of[k].digits = sw_emit_digits(e, of[k].device, e->devices, of[k].digit);
		}
	sw_emit_line(e, "\n/* Permutations: the device whose tile each device gets. */");
	add_lists(e, "source", of);
	return true;
}

/* ---- senders of exchanges ---- */

static void add_numbers(const sw_emitter *e, const char *name, int k, const int32_t *number, int64_t count)
{
	list numbers = {.device = number, .count = count};

	add_list(e, name, k, &numbers);
}

/* Lists the senders of step k, where a tile has several holders. */
static bool add_senders_of(const sw_emitter *e, int k, bool *listed)
{
	const sw_type *from = &e->plan->problem.from;
	sw_tiles before = {.rank = e->rank, .devices = e->devices, .global = from->global};
	sw_tiles after = before;
	before.tile = sw_plan_tile_at(e->plan, k);
	before.at = e->map[k];
	after.tile = sw_plan_tile_at(e->plan, k + 1);
	after.at = e->map[k + 1];
	const sw_transfers *t = sw_transfers_new(&e->steps[k], &before, &after, e->arena, e->diag);

	if (t == NULL)
		return false;
	*listed = t->sender != NULL;
	if (*listed) {
		add_numbers(e, "first", k, t->first_sender, e->devices + 1);
		add_numbers(e, "sender", k, t->sender, t->first_sender[e->devices]);
	}
	return true;
}

static void add_list_names(const sw_emitter *e, const char *table, const char *name, const bool *listed)
{
	sw_text_addf(e->text, "static const int *const %s[STEPS] = {", table);
	for (int k = 0; k < e->plan->count; k++)
		if (listed[k])
			sw_text_addf(e->text, "%s%s_%d", k ? ", " : "", name, k + 1);
		else
			sw_text_addf(e->text, "%sNULL", k ? ", " : "");
	sw_emit_line(e, "};");
}

static bool add_senders(const sw_emitter *e)
{
	bool *listed = SW_NEW_ZERO(e->arena, bool, e->plan->count), done = listed != NULL || sw_diag_memory(e->diag);

	sw_emit_line(e,
		"\n/* Exchanges: who sends each device what it needs, in turn; NULL: everyone that holds some of it. */");
	for (int k = 0; done && k < e->plan->count; k++)
		if (sw_collective_of(e->plan->steps[k].op)->dealt)
			done = add_senders_of(e, k, &listed[k]);
	if (!done)
		return false;
	add_list_names(e, "sender_first", "first", listed);
	add_list_names(e, "sender_list", "sender", listed);
	return true;
}

/* ---- the steps ---- */

static void add_steps(const sw_emitter *e)
{
	sw_emit_line(e, "static const struct step steps[STEPS + 1] = {");
	for (int k = 0; k < e->plan->count; k++) {
		sw_text_add(e->text, "\t{\"");
		sw_emit_remark_step(e, k, e->text);
		sw_emit_line(e, "\", %s},", runner_of(&e->plan->steps[k])->function);
	}
	sw_emit_line(e, "\t{NULL, NULL}\n};\n");
}

bool sw_emit_mpi(sw_emitter *e)
{
	if (!has_runners(e) || !fits(e) || !adds(e))
		return false;
	unsigned all = needs(e);

	add_head(e);
	add_parts(e, sw_mpi_head, all);
	add_sizes(e);
	add_parts(e, sw_mpi_digit, all);
	add_tiles(e);
	add_starts(e);
	if ((all & SW_MPI_GROUPS) && !add_groups(e))
		return false;
	if ((all & SW_MPI_PERMUTE) && !add_sources(e))
		return false;
	if ((all & SW_MPI_EXCHANGE) && !add_senders(e))
		return false;
	if ((all & SW_MPI_KEEP) && !add_keepers(e))
		return false;
	if (!(all & SW_MPI_WHOLE) && !add_terms(e))
		return false;
	add_parts(e, sw_mpi_middle, all);
	add_parts(e, sw_mpi_adding, all);
	add_steps(e);
	if (!(all & SW_MPI_WHOLE))
		add_parts(e, sw_mpi_terms, all);
	add_parts(e, sw_mpi_tail, all);
	return true;
}
