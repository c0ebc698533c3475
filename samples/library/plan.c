/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans one redistribution with the library, and prints the plan and how often it takes each operation.
 *
 *     cc plan.c $(pkg-config --cflags --libs shardwalk) -o plan
 *     ./plan '{x: 4, y: 6}' '[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'
 */
#include <stdio.h>

#include <shardwalk/shardwalk.h>

static bool find_plan(const char *axes, const char *ends, sw_arena *arena, sw_plan *plan, sw_diag *diag)
{
	static const sw_plan_options options = {.strategy = SW_FUSED, .prove = 1 << 20};
	sw_problem problem;
	sw_mesh mesh;
	return sw_mesh_parse(sw_str_of(axes), &mesh, diag) && sw_problem_parse(&mesh, sw_str_of(ends), &problem, diag) &&
		sw_plan_find(&problem, &options, arena, plan, diag);
}

static void print_plan(const sw_plan *plan)
{
	int taken[SW_OP_COUNT] = {0};
	sw_text text = {0};
	sw_plan_print(plan, &text);
	for (int k = 0; k < plan->program.steps; k++)
		taken[plan->program.step[k].op]++;
	for (sw_op op = 0; op < SW_OP_COUNT; op++)
		if (taken[op])
			sw_text_addf(&text, "%d %s\n", taken[op], sw_op_name(op));
	fputs(sw_text_get(&text), stdout);
	sw_text_free(&text);
}

int main(int count, char **words)
{
	const char *axes = count > 2 ? words[1] : "{x: 4, y: 6}";
	const char *ends = count > 2 ? words[2] : "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]";
	sw_arena *arena = sw_arena_new();
	sw_diag diag = {.code = SW_OK};
	sw_plan plan;
	bool found = arena && find_plan(axes, ends, arena, &plan, &diag);
	if (found)
		print_plan(&plan);
	else
		fprintf(stderr, "%s: %s\n", sw_code_info_of(diag.code) ? sw_code_info_of(diag.code)->name : "", diag.message);
	sw_arena_free(arena);
	return found ? 0 : 1;
}
