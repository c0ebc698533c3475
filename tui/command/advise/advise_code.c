/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Heads above lines of advice, and the line that flattens dimensions of a mesh.
 */
#include "command/advise/advise_code.h"

#include <string.h>

#include "views/draw.h"

static const struct {
	const char *key, *words;
} weighed[SW_WEIGHED_COUNT] = {
	[SW_WEIGHED_RECEIVED] = {"received", "received bytes"},
	[SW_WEIGHED_PEAK] = {"peak", "the peak"},
	[SW_WEIGHED_TIME] = {"time", "the predicted time"},
};

/* ---- both numbers ---- */

static void add_amount(sw_weighed which, double amount, sw_dtype dtype, sw_text *text)
{
	if (which == SW_WEIGHED_TIME)
		sw_text_add(text, words_seconds(amount).text);
	else if (amount < 9e18 / sw_dtype_bytes(dtype))
		sw_text_add(text, words_bytes((int64_t)(amount + 0.5), dtype).text);
	else
		sw_text_add(text, "very much");
}

static void add_change(const sw_advice_weight *weight, sw_weighed which, sw_dtype dtype, sw_text *text)
{
	unsigned bit = 1u << which;

	sw_text_add(text, weighed[which].words);
	if (((weight->falls | weight->rises) & bit) == 0) {
		sw_text_add(text, which == SW_WEIGHED_RECEIVED ? " stay " : " stays ");
	} else {
		sw_text_add(text, weight->rises & bit ? " rise" : " fall");
		sw_text_add(text, which == SW_WEIGHED_RECEIVED ? " from " : "s from ");
		add_amount(which, weight->now[which], dtype, text);
		sw_text_add(text, " to ");
	}
	add_amount(which, weight->then[which], dtype, text);
}

/* What rises comes first, then what falls, then the rest. */
void advise_code_changes(const sw_advice_weight *weight, sw_dtype dtype, sw_text *text)
{
	const unsigned rest = ~(weight->rises | weight->falls), turns[] = {weight->rises, weight->falls, rest};
	int count = 0;

	for (size_t k = 0; k < sizeof(turns) / sizeof(*turns); k++)
		for (int w = 0; w < SW_WEIGHED_COUNT; w++) {
			if ((turns[k] >> w & 1) == 0 || weight->now[w] < 0 || weight->then[w] < 0)
				continue;
			sw_text_add(text, count++ > 0 ? ",\n" : "");
			add_change(weight, (sw_weighed)w, dtype, text);
		}
}

void advise_code_head(const sw_advice_weight *weight, bool better, sw_dtype dtype, sw_text *text)
{
	sw_text_add(text, "\n");
	if (better) {
		sw_text_add(text, "Write in your program:\n\n");
		return;
	}
	advise_code_changes(weight, dtype, text);
	sw_text_add(text, weight->falls ? ".\nAn offer, if that is worth it:\n\n" : ".\nNone of these falls:\n\n");
}

/* ---- gradients ---- */

/* With its line break, where it has one. */
static sw_str line_at(sw_str code, size_t at)
{
	const char *end = memchr(code.at + at, '\n', code.length - at);

	return (sw_str){code.at + at, end ? (size_t)(end - code.at) + 1 - at : code.length - at};
}

static bool is_constraint(sw_str line)
{
	static const char begin[] = "x = ";

	return line.length >= strlen(begin) && memcmp(line.at, begin, strlen(begin)) == 0;
}

void advise_code_forward(sw_str code, sw_text *text)
{
	sw_str line;

	for (size_t at = 0; at < code.length; at += line.length) {
		line = line_at(code, at);
		if (!is_constraint(line))
			sw_text_add_str(text, line);
	}
	for (size_t end = code.length; end > 0; end -= line.length) {
		size_t begin = end - 1;

		while (begin > 0 && code.at[begin - 1] != '\n')
			begin--;
		line = (sw_str){code.at + begin, end - begin};
		if (is_constraint(line))
			sw_text_add_str(text, line);
	}
}

void advise_code_gradient(sw_text *text)
{
	sw_text_add(text,
		"\nThe value is a gradient, which has no name in a program: x is its forward value. JAX transposes "
		"a\nconstraint on x into one on the gradient, which passes the lines below from last to first.\n");
}

/* ---- flattened dimensions ---- */

static void add_axes(const sw_mesh *mesh, unsigned axes, sw_text *text)
{
	int count = 0;

	for (int k = 0; k < mesh->count; k++)
		if (axes >> k & 1)
			sw_text_addf(text, "%s\"%s\"", count++ > 0 ? ", " : "", mesh->axis[k].name);
}

void advise_flatten_lines(const sw_advice *advice, sw_text *text)
{
	const sw_flattened *flattened = &advice->flattened;

	for (int k = 0; k < flattened->count; k++) {
		sw_text_add(text, "mesh[");
		add_axes(&advice->now.problem.mesh, flattened->axes[k], text);
		sw_text_add(text, "]._flatten()\n");
	}
}

static bool better_flattened(const sw_flattened *flattened)
{
	return flattened->weight.falls != 0 && flattened->weight.rises == 0;
}

/* Which collectives there are then, and what changes. */
static void add_worth(const sw_advice *advice, const char *runs, sw_text *text)
{
	const sw_flattened *flattened = &advice->flattened;

	sw_text_addf(text, "DTensor %s %s in place of %d:\n", runs,
		words_plural(flattened->plans, "collective", "collectives").text, advice->now.program.steps);
	advise_code_changes(&flattened->weight, advice->problem.from.dtype, text);
}

void advise_flatten_say(const sw_advice *advice, sw_text *text)
{
	static const char once[] = ", once where the program makes the mesh (torch 2.11 and later):\n\n";

	if (advice->flattened.count == 0)
		return;
	sw_text_add(text, "\n");
	if (better_flattened(&advice->flattened)) {
		sw_text_addf(text, "Write in your program%s", once);
		advise_flatten_lines(advice, text);
		sw_text_add(text, "\n");
		add_worth(advice, "then runs", text);
	} else {
		sw_text_add(text, "Over flattened dimensions of the mesh ");
		add_worth(advice, "would run", text);
		sw_text_addf(text, ".\nAn offer, as its own warning suggests%s", once);
		advise_flatten_lines(advice, text);
	}
	sw_text_add(text, "\n");
}

/* ---- fields ---- */

static void add_names(unsigned set, struct fields *list)
{
	for (int w = 0; w < SW_WEIGHED_COUNT; w++)
		if (set >> w & 1)
			field_text(list, NULL, weighed[w].key);
}

void advise_falls_fields(const sw_advice_weight *weight, struct fields *in)
{
	add_names(weight->falls, field_list(in, "falls"));
	add_names(weight->rises, field_list(in, "rises"));
}

static void add_flattened(const sw_advice *advice, struct fields *in)
{
	const sw_flattened *flattened = &advice->flattened;
	sw_text lines = {0};

	advise_flatten_lines(advice, &lines);
	field_printed(in, "code", &lines);
	field_int(in, "collectives", flattened->plans);
	advise_falls_fields(&flattened->weight, in);
	sw_text_free(&lines);
}

void advise_weight_fields(const sw_advice *advice, struct fields *in)
{
	advise_falls_fields(&advice->weight, in);
	if (advice->flattened.count > 0)
		add_flattened(advice, field_object(in, "flatten"));
	else
		field_null(in, "flatten");
}
