/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A schedule as a program of the paper: machine, placements, tensors, statement and chain.
 *
 * Source: seed 003, figure 2.
 */
#include <assert.h>

#include <shardwalk/distal.h>
#include <shardwalk/schedule_program.h>

typedef struct writer {
	const sw_schedule *schedule;
	const sw_array_type *type;
	const sw_mesh *mesh;
	sw_arena *arena;
	sw_text *text;
	sw_diag *diag;
} writer;

/* The words of C++ for types of elements. */
static const char *const words[SW_DTYPE_COUNT] =
	{[SW_F32] = "float", [SW_F64] = "double", [SW_I32] = "int32_t", [SW_I64] = "int64_t"};

/* ---- the machine ---- */

static void add_machine(const writer *w)
{
	sw_text_add(w->text, "Machine m(");
	for (int level = 0; level < sw_mesh_levels(w->mesh); level++) {
		int first, end;
		sw_mesh_level(w->mesh, level, &first, &end);
		sw_text_add(w->text, level > 0 ? ", Grid(" : "Grid(");
		for (int axis = first; axis < end; axis++)
			sw_text_addf(w->text, "%s%lld", axis > first ? ", " : "", (long long)w->mesh->axis[axis].size);
		sw_text_add_char(w->text, ')');
	}
	sw_text_add(w->text, ");\n");
}

/* ---- arrays ---- */

static bool refuse_place(const writer *w, int k, const char *why)
{
	sw_str name = w->schedule->problem->formula.array[k].name;

	sw_diag_set(w->diag, SW_P06, (sw_span){0, 0},
		"the placement of '%.*s' cannot be expressed: "
		"%s",
		(int)name.length, name.at, why);
	sw_diag_hint(w->diag, "`explain distal` describes the notation");
	return false;
}

static bool add_array(const writer *w, int k)
{
	const sw_formula_array *array = &w->schedule->problem->formula.array[k];
	const sw_type *type = &w->type[k].type;
	const char *why = "it is not one of the notation", *word = words[type->dtype];
	int length = (int)array->name.length;
	sw_distal distal;

	if (!sw_distal_of(w->mesh, type, w->type[k].words, w->arena, &distal, &why))
		return refuse_place(w, k, why);
	sw_text_addf(w->text, "\nDistribution at%.*s(m, \"", length, array->name.at);
	if (!sw_distal_print(w->mesh, &distal, w->text, &why))
		return refuse_place(w, k, why);
	sw_text_addf(w->text, "\");\nFormat in%.*s({", length, array->name.at);
	for (int d = 0; d < array->rank; d++)
		sw_text_add(w->text, d > 0 ? ", Dense" : "Dense");
	sw_text_addf(w->text, "}, at%.*s);\nTensor<%s> %.*s({", length, array->name.at, word ? word : "double", length,
		array->name.at);
	for (int d = 0; d < array->rank; d++)
		sw_text_addf(w->text, "%s%lld", d > 0 ? ", " : "", (long long)array->size[d]);
	sw_text_addf(w->text, "}, in%.*s);\n", length, array->name.at);
	return true;
}

/* ---- the whole ---- */

static void add_chain(const writer *w)
{
	const sw_schedule *schedule = w->schedule;
	sw_str left = schedule->problem->formula.array[0].name;

	sw_text_add_char(w->text, '\n');
	sw_text_add_str(w->text, sw_str_trim(schedule->problem->statement));
	sw_text_add(w->text, ";\n");
	if (schedule->commands == 0)
		return;
	sw_text_addf(w->text, "%.*s.schedule()", (int)left.length, left.at);
	for (int n = 0; n < schedule->commands; n++) {
		sw_text_add(w->text, "\n    .");
		sw_schedule_print_command(schedule, n, w->text);
	}
	sw_text_add(w->text, ";\n");
}

bool sw_schedule_write_distal(const sw_schedule *schedule, const sw_array_type *type, sw_arena *arena, sw_text *text,
	sw_diag *diag)
{
	const writer w = {schedule, type, schedule->problem->mesh, arena, text, diag};
	size_t start = text->length;
	bool written = true;

	assert(schedule->problem->formula.arrays > 0);
	add_machine(&w);
	for (int k = 0; k < schedule->problem->formula.arrays && written; k++)
		written = add_array(&w, k);
	if (written)
		add_chain(&w);
	if (!written && text->data != NULL)
		text->data[text->length = start] = '\0';
	return written && (!text->failed || sw_diag_memory(diag));
}
