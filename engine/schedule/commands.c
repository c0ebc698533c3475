/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of schedules: commands, kernels, errors by name, patterns.
 */
#include "schedule/state.h"

/* ---- commands ---- */

const sw_command_rule sw_command_rules[SW_SCHEDULE_WORD_COUNT] = {
	[SW_SCHEDULE_DIVIDE] = {{"divide", "i, io, ii, PARTS",
								"loop i is in time, has no communicate and is not part of a rotation",
								"D13 to D17, D20, D21, D24, D26",
								"io runs over the parts of i, ii inside of one, so that i = io * extent(ii) + ii",
								"divide(i, io, ii, 2)"},
		4, 4, sw_apply_divide},
	[SW_SCHEDULE_SPLIT] = {{"split", "i, io, ii, SIZE",
							   "loop i is in time, has no communicate and is not part of a rotation",
							   "D13 to D17, D20, D21, D24, D26", "the same in pieces of SIZE iterations",
							   "split(k, ko, ki, 3)"},
		4, 4, sw_apply_split},
	[SW_SCHEDULE_COLLAPSE] = {{"collapse", "i, j, f", "loop j is directly inside i, both as for divide",
								  "D13 to D16, D19 to D21, D24, D26",
								  "f runs over the iterations of both: i = f div extent(j), j = f mod extent(j)",
								  "collapse(i, j, f)"},
		3, 3, sw_apply_collapse},
	[SW_SCHEDULE_REORDER] = {{"reorder", "{i, ...} | i, ...", "rotated loops stay inside the loops that rotate them",
								 "D13 to D15, D18, D23, D31",
								 "the loops get this order, in the places that they have", "reorder({k, i, j})"},
		1, SW_MAX_ARGUMENTS, sw_apply_reorder},
	[SW_SCHEDULE_DISTRIBUTE] =
		{{"distribute", "i, ... | {i, ...}, {io, ...}, {ii, ...}, Grid(PARTS, ...)",
			 "the loops are in time, and no rotation makes them", "D13 to D18, D20, D21, D24 to D26",
			 "the iterations of the loops run at once, one on each device along an axis; the second form "
			 "divides each loop, and moves the outer parts outside",
			 "distribute({i, j}, {io, jo}, {ii, ji}, Grid(2, 2))"},
			1, SW_MAX_ARGUMENTS, sw_apply_distribute},
	[SW_SCHEDULE_COMMUNICATE] = {{"communicate", "T, i | {T, ...}, i",
									 "no kernel runs loop i, and T is not communicated there yet",
									 "D13 to D15, D27, D28, D34",
									 "the part of T needed below i is fetched at once in each iteration of i",
									 "communicate({B, C}, k)"},
		2, 2, sw_apply_communicate},
	[SW_SCHEDULE_ROTATE] = {{"rotate", "t, {i, ...}, r",
								"the loops i, ... are outside t, which is in time and has no communicate",
								"D13 to D16, D18, D20 to D26", "loop r replaces t: t = (r + i + ...) mod extent(t)",
								"rotate(k, {i, j}, ks)"},
		3, 3, sw_apply_rotate},
	[SW_SCHEDULE_PARALLELIZE] = {{"parallelize", "i, threads [, reduce]",
									 "loop i is in time; a summed loop needs reduce",
									 "D13 to D15, D20, D21, D29, D31", "threads of a device do the iterations of i",
									 "parallelize(i, threads)"},
		2, 3, sw_apply_parallelize},
	[SW_SCHEDULE_PRECOMPUTE] = {{"precompute", "B(i,k)*..., W", "factors of one term, as they are in the statement",
									"D11, D13, D16, D30", "the product is computed first, into W",
									"precompute(B(i,k)*C(k,j), W)"},
		2, 2, sw_apply_precompute},
	[SW_SCHEDULE_SUBSTITUTE] =
		{{"substitute", "{i, ...}, KERNEL",
			 "the loops are the innermost ones, in time, without communicate, one for each letter of the kernel",
			 "D13 to D15, D18, D20, D31 to D34", "a kernel runs these loops", "substitute({i, j, k}, gemm)"},
			2, 2, sw_apply_substitute},
};

const sw_schedule_command_row *sw_schedule_command_at(int n)
{
	return n >= 0 && n < SW_SCHEDULE_WORD_COUNT ? &sw_command_rules[n].row : NULL;
}

/* ---- kernels ---- */

static const sw_schedule_kernel kernels[] = {
	{"gemm", "A(i,j) = B(i,k) * C(k,j)"},
	{"gemv", "a(i) = B(i,k) * c(k)"},
	{"ttv", "A(i,j) = B(i,j,k) * c(k)"},
	{"ttm", "A(i,j,l) = B(i,j,k) * C(k,l)"},
	{"mttkrp", "A(i,l) = B(i,j,k) * C(j,l) * D(k,l)"},
	{"dot", "a = b(i) * c(i)"},
	{"innerprod", "a = B(i,j,k) * C(i,j,k)"},
};

const sw_schedule_kernel *sw_schedule_kernel_at(int n)
{
	return n >= 0 && n < (int)(sizeof kernels / sizeof *kernels) ? &kernels[n] : NULL;
}

const sw_schedule_kernel *sw_schedule_kernel_named(sw_str word)
{
	for (size_t at = 0; at + 2 <= word.length; at++)
		if (word.at[at] == ':' && word.at[at + 1] == ':')
			return sw_schedule_kernel_named(sw_str_behind(word, at + 2));
	for (int k = 0; sw_schedule_kernel_at(k) != NULL; k++)
		if (sw_str_same_letters(sw_str_of(kernels[k].name), word))
			return &kernels[k];
	return NULL;
}

/* ---- patterns ---- */

static const struct {
	const char *word, *rule;
} patterns[] = {
#define X(id, word, rule) {word, rule},
	SW_SCHEDULE_PATTERNS(X)
#undef X
};

const char *sw_schedule_pattern_word(sw_schedule_pattern_name name)
{
	return patterns[name].word;
}

const char *sw_schedule_pattern_rule(sw_schedule_pattern_name name)
{
	return patterns[name].rule;
}
