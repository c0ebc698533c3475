/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as a chain: types are nodes, steps are edges.
 */
#include "export/dot.h"

#include <string.h>

#include <shardwalk/number.h>

#include "answer/color.h"
#include "views/draw.h"

#define NO_BREAK "\xc2\xa0" /* a blank that does not break */

/* How a character stands between quotes; `next` is the one after it.  Control characters are left out. */
static void add_quoted(sw_text *text, char c, char next)
{
	if (c == '"' || c == '\\')
		sw_text_addf(text, "\\%c", c);
	else if (c == '\n')
		sw_text_add(text, "\\n");
	else if (c == NO_BREAK[0] && next == NO_BREAK[1])
		sw_text_add_char(text, ' ');
	else if ((unsigned char)c >= ' ')
		sw_text_add_char(text, c);
}

void dot_add_string(sw_text *text, const char *words)
{
	sw_text_add_char(text, '"');
	for (; *words; words++) {
		add_quoted(text, words[0], words[1]);
		words += strncmp(words, NO_BREAK, 2) == 0;
	}
	sw_text_add_char(text, '"');
}

static void type_words(const sw_plan *plan, int k, sw_text *words)
{
	const sw_type *type = plan->program.value[k].type;
	int rank = plan->problem.from.rank;
	const int64_t *tile = plan->program.value[k].tile;
	if (type) {
		sw_type_print(&plan->problem.mesh, type, true, words);
	} else {
		sw_type_print_tile(tile, rank, words);
		sw_text_add(words, ", no type");
	}
}

static void add_state(const sw_plan *plan, int k, sw_text *text)
{
	sw_text words = {0};
	int64_t size = plan->program.value[k].localsize;
	type_words(plan, k, &words);
	sw_text_addf(&words, "\n%s, %s", words_plural(size, "element", "elements").text,
		words_bytes(size, plan->problem.from.dtype).text);
	sw_text_addf(text, "\ts%d [label=", k);
	dot_add_string(text, sw_text_get(&words));
	if (plan->budget > 0 && size > plan->budget) {
		sw_text_add(text, ", color=\"");
		color_add_role(text, ROLE_WALL);
		sw_text_add(text, "\", tooltip=\"above the budget\"");
	} else if (size == plan->height) {
		sw_text_add(text, ", penwidth=2, tooltip=\"the highest point\"");
	}
	sw_text_add(text, k == 0 || k == plan->program.steps ? ", peripheries=2];\n" : "];\n");
	sw_text_free(&words);
}

/* Costs are those of the model paper; beside them stands that of the plan's own model. */
static void add_model_cost(const sw_plan *plan, double cost, sw_text *words)
{
	if (plan->model == SW_MODEL_PAPER)
		return;
	struct words amount = sw_model_is_timed(plan->model) ? words_seconds(cost) : words_amount(cost);
	sw_text_addf(words, ", %s %s", sw_model_name(plan->model), amount.text);
}

static void add_step(const sw_plan *plan, int k, sw_text *text)
{
	const sw_step *step = &plan->program.step[k];
	sw_text words = {0};
	sw_plan_print_step(plan, k, &words);
	sw_text_addf(&words, "\ncost %s", words_count(step->cost).text);
	add_model_cost(plan, step->model_cost, &words);
	if (step->group_size > 1)
		sw_text_addf(&words, ", groups of %s", words_count(step->group_size).text);
	sw_text_addf(&words, "\nlive %s",
		words_count(plan->program.value[k].localsize + plan->program.value[k + 1].localsize).text);
	sw_text_addf(text, "\ts%d -> s%d [label=", k, k + 1);
	dot_add_string(text, sw_text_get(&words));
	sw_text_add(text, "];\n");
	sw_text_free(&words);
}

static void title_words(const sw_plan *plan, sw_text *words)
{
	sw_text_addf(words, "plan %s over ", plan->origin ? plan->origin : sw_strategy_name(plan->strategy));
	sw_mesh_print(&plan->problem.mesh, words);
	sw_text_addf(words, "\ncost %s", words_count(plan->cost).text);
	add_model_cost(plan, plan->model_cost, words);
	sw_text_addf(words, ", height %s, peak memory %s, budget %s", words_count(plan->height).text,
		words_count(plan->live_peak).text, words_short(plan->budget, plan->problem.from.dtype, plan->unit).text);
}

void dot_add_plan(const sw_plan *plan, sw_text *text)
{
	sw_text title = {0};
	title_words(plan, &title);
	sw_text_add(text, "digraph plan {\n\tlabel=");
	dot_add_string(text, sw_text_get(&title));
	sw_text_add(text,
		";\n\tlabelloc=t;\n\tnode [shape=box, fontname=\"monospace\"];\n"
		"\tedge [fontname=\"monospace\", color=\"");
	color_add_role(text, ROLE_OP);
	sw_text_add(text, "\"];\n");
	for (int k = 0; k <= plan->program.steps; k++)
		add_state(plan, k, text);
	for (int k = 0; k < plan->program.steps; k++)
		add_step(plan, k, text);
	sw_text_add(text, "}\n");
	sw_text_free(&title);
}
