/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random programs against a checker of its own: types are lists of axes, and whether copies are computed alike is asked of every
 * two devices.  And texts of programs that are none: read or refused, with a rule and a place.
 */
#include <shardwalk/program.h>

#include "kit/kit.h"
#include "kit/mutate.h"

#define ROUNDS 4000
#define AXES 3
#define VALUES 8
#define DEVICES 12

static const int axis_size[AXES] = {2, 2, 3};

struct ty {
	int rank;
	long global[2];
	int cuts[2], cut[2][AXES]; /* minor to major */
	unsigned sums;             /* bits of axes */
};

/* What the checker expects: no rule, or one of these. */
struct expected {
	const char *rules[3];
	int count;
};

struct maker {
	draw *from;
	sw_text text;
	struct ty value[VALUES];
	int values;
	struct expected expected;
};

static void breaks(struct maker *m, const char *rule)
{
	m->expected.rules[m->expected.count++] = rule;
}

/* ---- types ---- */

static int coordinate(int device, int axis)
{
	int stride = 1;

	for (int a = AXES - 1; a > axis; a--)
		stride *= axis_size[a];
	return device / stride % axis_size[axis];
}

static long tile_of(const struct ty *t, int d)
{
	long tile = t->global[d];

	for (int i = 0; i < t->cuts[d]; i++)
		tile /= axis_size[t->cut[d][i]];
	return tile;
}

/* Each axis cuts a dimension that it divides, is summed over, or is not used. */
static struct ty draw_parts(draw *from, int rank, const long *global)
{
	struct ty t = {.rank = rank};
	int first = draw_below(from, AXES);

	for (int d = 0; d < rank; d++)
		t.global[d] = global[d];
	for (int i = 0; i < AXES; i++) {
		int axis = (first + i) % AXES, where = draw_below(from, rank + 3);
		if (where < rank && tile_of(&t, where) % axis_size[axis] == 0)
			t.cut[where][t.cuts[where]++] = axis;
		else if (where == rank)
			t.sums |= 1u << axis;
	}
	return t;
}

static void add_type(sw_text *text, const struct ty *t)
{
	static const char names[] = "abc";

	sw_text_add(text, "[");
	for (int d = 0; d < t->rank; d++) {
		sw_text_add(text, d ? ", " : "");
		if (t->cuts[d] > 0) {
			sw_text_addf(text, "%ld{", tile_of(t, d));
			for (int i = 0; i < t->cuts[d]; i++)
				sw_text_addf(text, "%s%c", i ? "," : "", names[t->cut[d][i]]);
			sw_text_add(text, "}");
		}
		sw_text_addf(text, "%ld", t->global[d]);
	}
	sw_text_add(text, "]");
	for (int a = 0, any = 0; a < AXES; a++)
		if (t->sums >> a & 1)
			sw_text_addf(text, "%s%c", any++ ? "," : "+{", names[a]);
	sw_text_add(text, t->sums ? "}" : "");
}

static bool same_sizes(const struct ty *a, const struct ty *b)
{
	return a->rank == b->rank && memcmp(a->global, b->global, sizeof(*a->global) * (size_t)a->rank) == 0;
}

static bool same_cuts(const struct ty *a, int d, const struct ty *b, int e)
{
	return a->cuts[d] == b->cuts[e] && memcmp(a->cut[d], b->cut[e], sizeof(int) * (size_t)a->cuts[d]) == 0;
}

static bool same_type(const struct ty *a, const struct ty *b)
{
	bool same = same_sizes(a, b) && a->sums == b->sums;

	for (int d = 0; same && d < a->rank; d++)
		same = same_cuts(a, d, b, d);
	return same;
}

static unsigned cut_axes(const struct ty *t, int d)
{
	unsigned axes = 0;

	for (int i = 0; i < t->cuts[d]; i++)
		axes |= 1u << t->cut[d][i];
	return axes;
}

static unsigned used_axes(const struct ty *t)
{
	unsigned axes = t->sums;

	for (int d = 0; d < t->rank; d++)
		axes |= cut_axes(t, d);
	return axes;
}

/* ---- rules ---- */

/* The product of two matrices by letters such as "ij,jk->ik". */
static struct ty multiply(struct maker *m, const char *equation, const struct ty *a, const struct ty *b)
{
	const char *letters[2] = {equation, equation + 3}, *result = strchr(equation, '>') + 1;
	const struct ty *operand[2] = {a, b};
	struct ty out = {.rank = (int)strlen(result), .sums = a->sums | b->sums};
	bool size = false, shared = false, axis = false;

	for (int d = 0; d < 4; d++)
		for (int e = 0; e < 4; e++) {
			const struct ty *p = operand[d / 2], *q = operand[e / 2];
			bool one = letters[d / 2][d % 2] == letters[e / 2][e % 2];
			size |= one && p->global[d % 2] != q->global[e % 2];
			shared |= one && !same_cuts(p, d % 2, q, e % 2);
			axis |= !one && (cut_axes(p, d % 2) & cut_axes(q, e % 2)) != 0;
		}
	if (size)
		breaks(m, SW_RULE_SIZE);
	if (size)
		return out;
	if (shared)
		breaks(m, SW_RULE_SHARED);
	if (axis)
		breaks(m, SW_RULE_AXIS);
	if ((a->sums & used_axes(b)) != 0 || (b->sums & used_axes(a)) != 0)
		breaks(m, SW_RULE_PAIRED);
	for (int d = 0; d < 4; d++) {
		const struct ty *p = operand[d / 2];
		const char *at = strchr(result, letters[d / 2][d % 2]);
		if (at == NULL) {
			out.sums |= cut_axes(p, d % 2);
			continue;
		}
		out.global[at - result] = p->global[d % 2];
		out.cuts[at - result] = p->cuts[d % 2];
		memcpy(out.cut[at - result], p->cut[d % 2], sizeof out.cut[0]);
	}
	return out;
}

/* Two devices that are to hold the same tile of `as`, the same term of it. */
static bool hold_one(const struct ty *as, int p, int q)
{
	bool one = true;

	for (int a = 0; a < AXES; a++)
		one &= !(used_axes(as) >> a & 1) || coordinate(p, a) == coordinate(q, a);
	return one;
}

static bool determined(const struct ty *as, const struct ty *operand, int count)
{
	bool alike = true;

	for (int p = 0; p < DEVICES; p++)
		for (int q = 0; q < DEVICES; q++)
			for (int i = 0; i < count && hold_one(as, p, q); i++)
				alike &= hold_one(&operand[i], p, q);
	return alike;
}

/* ---- statements ---- */

static int some_value(struct maker *m)
{
	return draw_below(m->from, m->values);
}

static struct ty draw_unary(struct maker *m)
{
	static const char *const names[] = {"neg", "scale", "relu", "exp"};
	int op = draw_below(m->from, 4), v = some_value(m);

	sw_text_addf(&m->text, "%s v%d", names[op], v);
	if (op >= 2 && m->value[v].sums)
		breaks(m, SW_RULE_NO_SUM);
	return m->value[v];
}

static struct ty draw_binary(struct maker *m)
{
	bool adds = draw_below(m->from, 2);
	int a = some_value(m), b = draw_below(m->from, 2) ? a : some_value(m);

	sw_text_addf(&m->text, "%s v%d v%d", adds ? "add" : "mul", a, b);
	if (!same_sizes(&m->value[a], &m->value[b]) || (adds && !same_type(&m->value[a], &m->value[b])))
		breaks(m, SW_RULE_ALIKE);
	return adds || m->expected.count ? m->value[a] : multiply(m, "ij,ij->ij", &m->value[a], &m->value[b]);
}

static struct ty draw_einsum(struct maker *m)
{
	static const char *const equations[] = {"ij,jk->ik", "ij,kj->ki", "ij,ij->ij", "ij,jk->ki", "ji,jk->ik"};
	const char *equation = equations[draw_below(m->from, 5)];
	int a = some_value(m), b = some_value(m);

	sw_text_addf(&m->text, "einsum \"%s\" v%d v%d", equation, a, b);
	return multiply(m, equation, &m->value[a], &m->value[b]);
}

static struct ty draw_redistribute(struct maker *m)
{
	int v = some_value(m);
	struct ty to = draw_parts(m->from, 2, m->value[v].global);

	if (draw_below(m->from, 16) == 0)
		to.global[0] *= 2;
	sw_text_addf(&m->text, "redistribute v%d as ", v);
	add_type(&m->text, &to);
	if (!same_sizes(&to, &m->value[v]))
		breaks(m, SW_RULE_REDISTRIBUTE);
	return to;
}

/* `as` of a body that returns this tile: any cuts of any array that has it. */
static struct ty draw_as(struct maker *m, const long tile[2])
{
	long one[2] = {tile[0] * DEVICES, tile[1] * DEVICES};
	struct ty as = draw_parts(m->from, 2, one);

	for (int d = 0; d < 2; d++)
		as.global[d] = tile[d] * (one[d] / tile_of(&as, d));
	return as;
}

static struct ty draw_body(struct maker *m)
{
	bool product = draw_below(m->from, 2);
	int v[2] = {some_value(m), some_value(m)};
	struct ty operand[2] = {m->value[v[0]], m->value[v[1]]};
	long tile[2][2], made[2];

	for (int i = 0; i < 2; i++)
		for (int d = 0; d < 2; d++)
			tile[i][d] = tile_of(&operand[i], d) + (draw_below(m->from, 64) == 0);
	sw_text_addf(&m->text, "spmd_op v%d v%d (p : [%ld, %ld], q : [%ld, %ld]) {\n    return (%s p q)\n  } as ", v[0],
		v[1], tile[0][0], tile[0][1], tile[1][0], tile[1][1], product ? "matmul" : "add");
	bool tiles = true;
	for (int i = 0; i < 2; i++)
		for (int d = 0; d < 2; d++)
			tiles &= tile[i][d] == tile_of(&operand[i], d);
	bool fits = product ? tile[0][1] == tile[1][0] : tile[0][0] == tile[1][0] && tile[0][1] == tile[1][1];
	made[0] = tile[0][0];
	made[1] = tile[1][1];
	struct ty as = draw_as(m, made);
	if (draw_below(m->from, 16) == 0)
		as.global[0] *= 2;
	add_type(&m->text, &as);
	if (!tiles)
		breaks(m, SW_RULE_TILE);
	else if (!fits)
		breaks(m, SW_RULE_LOCAL);
	else if (tile_of(&as, 0) != made[0] || tile_of(&as, 1) != made[1])
		breaks(m, SW_RULE_OUT);
	else if (!determined(&as, operand, 2))
		breaks(m, SW_RULE_DETERMINED);
	return as;
}

static void draw_statement(struct maker *m)
{
	static struct ty (*const kinds[])(
		struct maker *) = {draw_unary, draw_binary, draw_einsum, draw_redistribute, draw_body};
	int kind = draw_below(m->from, 5);

	sw_text_addf(&m->text, "  v%d = ", m->values);
	struct ty made = kinds[kind](m);
	if (kind < 3 && !m->expected.count && draw_below(m->from, 3) == 0) {
		made = draw_parts(m->from, made.rank, made.global);
		sw_text_add(&m->text, " as ");
		add_type(&m->text, &made);
	}
	sw_text_add(&m->text, "\n");
	m->value[m->values++] = made;
}

static void draw_program(struct maker *m)
{
	int statements = 1 + draw_below(m->from, 4);

	m->values = 0;
	m->expected.count = 0;
	sw_text_clear(&m->text);
	sw_text_add(&m->text, "mesh {a: 2, b: 2, c: 3}\nfn f(");
	for (; m->values < 3; m->values++) {
		long global[2] = {24, draw_below(m->from, 6) ? 24 : 48};
		m->value[m->values] = draw_parts(m->from, 2, global);
		sw_text_addf(&m->text, "%sv%d : ", m->values ? ", " : "", m->values);
		add_type(&m->text, &m->value[m->values]);
	}
	sw_text_add(&m->text, ") -> ? {\n");
	for (int s = 0; s < statements && !m->expected.count; s++)
		draw_statement(m);
	sw_text_addf(&m->text, "  return v%d\n}\n", m->values - 1);
}

/* ---- the comparison ---- */

static void same_values(const struct maker *m, const sw_program *program)
{
	for (int v = 0, at = 0; v < m->values; v++, at++) {
		sw_text ours = {0}, right = {0};
		while (!sw_program_keeps(program, at))
			at++;
		sw_type_print(&program->mesh, program->value[at].type, false, &ours);
		add_type(&right, &m->value[v]);
		if (strcmp(sw_text_get(&ours), sw_text_get(&right)) != 0)
			fail_msg("v%d is %s, not %s in\n%s", v, sw_text_get(&ours), sw_text_get(&right), sw_text_get(&m->text));
		sw_text_free(&ours);
		sw_text_free(&right);
	}
}

static void same_answer(const struct maker *m, sw_arena *arena)
{
	sw_program program;
	sw_diag diag = {0};
	bool typed = sw_program_parse((sw_str){sw_text_get(&m->text), m->text.length}, NULL, arena, &program, &diag),
		 right = false;

	for (int i = 0; i < m->expected.count && !typed; i++)
		right |= diag.rule != NULL && strcmp(diag.rule, m->expected.rules[i]) == 0;
	if (typed == (m->expected.count > 0) || (!typed && !right))
		fail_msg("%s, but %s in\n%s", typed ? "typed" : diag.message,
			m->expected.count ? m->expected.rules[0] : "nothing is wrong", sw_text_get(&m->text));
	if (typed)
		same_values(m, &program);
}

static void random_programs_are_typed_as_the_checker_types_them(void **state)
{
	const char *asked = getenv("PROBLEMS");
	int rounds = asked ? atoi(asked) : ROUNDS, typed = 0;
	draw from = draw_start("programs");
	struct maker m = {.from = &from};
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int round = 0; round < rounds; round++) {
		draw_program(&m);
		same_answer(&m, arena);
		typed += m.expected.count == 0;
		sw_arena_clear(arena);
	}
	assert_in_range(typed, rounds / 20, rounds - rounds / 20);
	sw_text_free(&m.text);
	sw_arena_free(arena);
}

/* ---- texts that are none ---- */

static const char *const programs[] = {
	"mesh {\"x\": 2}\nfn f(a : [4{\"x\"}8, 6], b : ?[6, 4]) -> ? {\n  # a comment\n  c = einsum \"ij,jk->ik\" a b as ?\n"
	"  d = add c c // more\n  return d\n}\n",
	"mesh {x: 2, y: 3} fn f(a : [4{x}8, 6]+{y}) -> [8, 3{x}6] { b = redistribute a as [8, 3{x}6] return b }",
	"mesh {x: 2} fn f(a : f32[4{x}8, 6], b : [6, 4]) -> [4{x}8, 4] { c = spmd_op a b (p : [4, 6], q : [6, 4]) { r = matmul p q "
	": [4, 4] return (neg r) } as [4{x}8, 4] return c }",
};

static void is_refused_somewhere(const sw_diag *diag, const char *text, size_t length)
{
	if (diag->code == SW_OK || diag->rule == NULL || diag->message[0] == '\0' || diag->at.begin > diag->at.end ||
		diag->at.end > length || diag->also.end > length || (diag->at.end == 0 && length > 0))
		fail_msg("'%s' at %zu-%zu of %zu: %.*s", diag->message, diag->at.begin, diag->at.end, length, (int)length,
			text);
}

static void is_printed_and_read_back(const sw_program *program, sw_arena *arena)
{
	sw_text text = {0}, again = {0};
	sw_program read;
	sw_diag diag = {0};

	sw_program_print(program, &text);
	if (!sw_program_parse((sw_str){sw_text_get(&text), text.length}, NULL, arena, &read, &diag))
		fail_msg("%s: does not read back: %s", diag.message, sw_text_get(&text));
	sw_program_print(&read, &again);
	assert_string_equal(sw_text_get(&text), sw_text_get(&again));
	sw_text_free(&text);
	sw_text_free(&again);
}

static void texts_are_read_or_refused(void **state)
{
	draw from = draw_start("texts");
	sw_arena *arena = sw_arena_new();
	mutant m;
	int read = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		sw_program program;
		sw_diag diag = {0};

		mutant_draw(&m, &from, programs[draw_below(&from, COUNT(programs))]);
		char *text = mutant_copy(&m);
		if (sw_program_parse((sw_str){text, m.length}, NULL, arena, &program, &diag)) {
			is_printed_and_read_back(&program, arena);
			read++;
		} else {
			is_refused_somewhere(&diag, text, m.length);
		}
		free(text);
		sw_arena_clear(arena);
	}
	assert_in_range(read, ROUNDS / 100, ROUNDS - ROUNDS / 100);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(random_programs_are_typed_as_the_checker_types_them),
		TEST(texts_are_read_or_refused),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
