/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of two sharded arrays as lines of a batch.
 */
#include "command/batch/lines.h"

#include <math.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/problem_json.h>
#include <shardwalk/program_text.h>
#include <shardwalk/ways.h>

#include "command/programs/product.h"
#include "command/programs/product_ways.h"
#include "session/machine.h"

enum { WAYS_LISTED_MOST = 6 };

bool product_line_asked(json_t *line)
{
	const struct problem_json of = {.json = line};

	return problem_text(&of, "einsum").at != NULL || sw_str_starts(problem_text(&of, "text"), "jnp.");
}

/* What the line asks for. */
struct asked {
	struct problem_json *of;
	sw_product product;
	const sw_machine *machine; /* NULL: elements */
	sw_diag *diag;
};

/* ---- reading ---- */

static bool refuse_at_key(const struct asked *a, const char *key)
{
	return sw_json_refuse_shifted(&a->of->in, key);
}

static bool read_type_at(struct asked *a, const char *key, sw_type *type)
{
	json_t *line = a->of->json;
	sw_str text = problem_text(a->of, key);
	sw_dtype dtype;
	bool given;

	if (text.at == NULL)
		return sw_json_refuse(&a->of->in, SW_B03, key, "is not a type");
	if (!sw_type_parse(&a->product.mesh, text, type, a->diag))
		return refuse_at_key(a, key);
	if (!sw_json_read_dtype(&a->of->in, line, "dtype", &dtype, &given))
		return false;
	if (given && !type->dtype_given) {
		type->dtype = dtype;
		type->dtype_given = true;
	}
	return true;
}

static bool read_letters(struct asked *a)
{
	sw_product *p = &a->product;
	const json_t *as = json_object_get(a->of->json, "as");

	p->wanted = as != NULL && !json_is_null(as);
	if (!sw_equation_parse(problem_text(a->of, "einsum"), &p->equation, a->diag))
		return refuse_at_key(a, "einsum");
	return read_type_at(a, "a", &p->a) && read_type_at(a, "b", &p->b) &&
		(!p->wanted || read_type_at(a, "as", &p->as));
}

/* A text of another notation says all. */
static bool read_product(struct asked *a, sw_str text)
{
	if (text.at == NULL)
		return read_letters(a);
	return sw_product_read(&a->product.mesh, text, a->of->arena, &a->product, a->diag) || refuse_at_key(a, "text");
}

static bool read_machine(struct asked *a)
{
	sw_str name = problem_text(a->of, "hardware");

	if (name.at == NULL)
		return true;
	return machine_find(SW_MODEL_ROOFLINE, name.at, a->product.mesh.devices, &a->machine, a->diag) ||
		refuse_at_key(a, "hardware");
}

/* ---- the answer ---- */

static void add_question(const struct asked *a, struct fields *out)
{
	if (a->machine != NULL)
		field_str(out, "hardware", problem_text(a->of, "hardware"));
	field_mesh(out, "mesh", &a->product.mesh);
	if (problem_text(a->of, "text").at != NULL)
		field_str(out, "text", problem_text(a->of, "text"));
	product_ends_fields(&a->product, out);
}

/* What a text of another notation comes to. */
static void add_meaning(const struct asked *a, struct fields *out)
{
	const sw_product *p = &a->product;
	sw_type type;
	sw_diag diag;

	if (sw_product_local(&p->mesh, &p->equation, &p->a, &p->b, &type, &diag))
		field_type(out, "local", &p->mesh, &type, false);
	else
		field_text(out, "local", diag.rule);
}

static void field_elements(struct fields *in, const char *key, double elements)
{
	if (fabs(elements) < 0x1p63)
		field_int(in, key, (int64_t)elements);
	else if (isfinite(elements))
		field_number(in, key, elements);
	else
		field_null(in, key);
}

static void add_front(const sw_ways *ways, struct fields *out)
{
	struct fields *front = field_list(out, "front");
	const sw_way *last = NULL;

	for (int64_t n = 0; n < ways->count; n++) {
		const sw_way *way = &ways->way[n];
		bool same = last != NULL && last->cost >= way->cost && last->flops == way->flops &&
			last->memory == way->memory;
		struct fields *corner = !way->front || same ? NULL : field_list(front, NULL);

		if (corner == NULL)
			continue;
		field_elements(corner, NULL, way->cost);
		field_int(corner, NULL, way->flops);
		field_int(corner, NULL, way->memory);
		last = way;
	}
}

static bool add_live(const struct asked *a, struct fields *out)
{
	const json_t *bounds = json_object_get(a->of->json, "live");
	struct fields *list = bounds == NULL ? NULL : field_list(out, "live");

	for (size_t k = 0; k < json_array_size(bounds); k++) {
		const json_t *bound = json_array_get(bounds, k);
		sw_arena *arena = sw_arena_new();
		sw_ways_options options = {.pulse = a->of->pulse,
			.live = json_integer_value(json_is_object(bound) ? json_object_get(bound, "live") : bound)};
		sw_ways ways;
		bool ok = arena != NULL ? sw_ways_find(&a->product, &options, arena, &ways, a->diag) :
								  sw_diag_memory(a->diag);

		if (ok) {
			struct fields *one = field_object(list, NULL);

			field_int(one, "live", options.live);
			field_elements(one, "cost", ways.least);
		}
		sw_arena_free(arena);
		if (!ok)
			return false;
	}
	return true;
}

static bool add_timed(const sw_ways *ways, struct fields *out, sw_diag *diag)
{
	const struct rows rows = product_ways_rows(ways, sw_smaller(ways->count, WAYS_LISTED_MOST), 0);

	field_number(out, "least_sum_seconds", ways->least_sum);
	field_number(out, "least_overlap_seconds", ways->least_overlap);
	return rows_list(&rows, out, "ways", diag);
}

static bool add_ways(struct asked *a, struct fields *out)
{
	sw_ways_options options = {.machine = a->machine,
		.pulse = a->of->pulse,
		.by = a->machine != NULL ? SW_WAYS_BY_OVERLAP : SW_WAYS_BY_COST};
	sw_ways ways;

	if (!sw_ways_find(&a->product, &options, a->of->arena, &ways, a->diag))
		return false;
	if (a->machine != NULL)
		return add_timed(&ways, out, a->diag);
	product_fields(&a->product, out);
	field_elements(out, "cost", ways.least);
	field_bool(out, "proved", ways.proved);
	if (!ways.complete)
		field_bool(out, "complete", false);
	const struct rows best = product_ways_rows(&ways, 1, WAYS_NAMED);
	if (ways.count > 0 && !rows_members(&best, field_object(out, "one_best"), a->diag))
		return false;
	add_front(&ways, out);
	return add_live(a, out);
}

static bool answer(struct asked *a)
{
	struct fields *out = problem_fields(a->of, "shardwalk.ways/1");
	bool meaning = problem_text(a->of, "text").at != NULL;

	add_question(a, out);
	if (meaning)
		add_meaning(a, out);
	else if (!add_ways(a, out))
		return false;
	return true;
}

/* As text: the equation, and what it costs. */
static bool answer_text(struct asked *a)
{
	sw_ways_options options = {.machine = a->machine, .pulse = a->of->pulse};
	sw_text equation = {0};
	sw_ways ways;

	if (!sw_ways_find(&a->product, &options, a->of->arena, &ways, a->diag))
		return false;
	sw_equation_print(&a->product.equation, &equation);
	problem_words(a->of, "%-13s cost %12.0f  %lld ways", sw_text_get(&equation), ways.least, (long long)ways.priced);
	sw_text_free(&equation);
	return true;
}

bool product_line(struct problem_json *of, sw_diag *diag)
{
	struct asked a = {.of = of, .diag = diag};

	if (!sw_json_read_mesh(&of->in, of->json, "mesh", &a.product.mesh) ||
		!read_product(&a, problem_text(of, "text")) || !read_machine(&a))
		return false;
	return of->for_programs ? answer(&a) : answer_text(&a);
}
