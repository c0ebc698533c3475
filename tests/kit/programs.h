/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs at random, as texts: products, operations by element and redistributions between random types, sums too.  A statement
 * that is typed wrong is drawn anew.
 */
#ifndef TESTS_KIT_PROGRAMS_H
#define TESTS_KIT_PROGRAMS_H

#include <string.h>

#include <shardwalk/program.h>

#include "kit/draw.h"

/* A value that is there: a letter for each dimension, which says its size. */
struct drawn_value {
	char letters[8];
};

struct drawn_program {
	draw *from;
	sw_text text;
	int count;
	struct drawn_value value[24];
	int axis[3]; /* sizes */
	int axes;
	const char *dtype;
};

static inline int drawn_size(char letter)
{
	static const int sizes[] = {8, 16, 8, 24, 8, 16};
	return sizes[letter - 'i'];
}

/* A type of these letters: each axis cuts one dimension, or is summed over, or is left out. */
static inline void drawn_type(struct drawn_program *p, const char *letters, bool sums, sw_text *text)
{
	int at[3], rank = (int)strlen(letters), terms = 0;
	for (int a = 0; a < p->axes; a++) {
		at[a] = draw_below(p->from, rank + 2) - 1;
		if (at[a] == rank && (!sums || draw_below(p->from, 3)))
			at[a] = -1;
	}
	sw_text_addf(text, "%s[", p->dtype);
	for (int i = 0; i < rank; i++) {
		bool cut = false;
		sw_text_add(text, i ? ", " : "");
		for (int a = 0; a < p->axes; a++)
			if (at[a] == i) {
				sw_text_addf(text, "%s%c", cut ? "," : "{", 'x' + a);
				cut = true;
			}
		sw_text_addf(text, "%s%d", cut ? "}" : "", drawn_size(letters[i]));
	}
	sw_text_add(text, "]");
	for (int a = 0; a < p->axes; a++)
		if (at[a] == rank)
			sw_text_addf(text, "%s%c", terms++ ? "," : "+{", 'x' + a);
	sw_text_add(text, terms ? "}" : "");
}

static inline void drawn_letters(struct drawn_program *p, int most, char *letters)
{
	int count = 0;
	for (char c = 'i'; c < 'o' && count < most; c++)
		if (draw_below(p->from, 6) < most)
			letters[count++] = c;
	if (count == 0)
		letters[count++] = 'i';
	letters[count] = '\0';
	for (int i = count - 1; i > 0; i--) {
		int other = draw_below(p->from, i + 1);
		char swap = letters[i];
		letters[i] = letters[other];
		letters[other] = swap;
	}
}

static inline void drawn_home(struct drawn_program *p, const char *letters)
{
	if (draw_below(p->from, 2))
		return;
	sw_text_add(&p->text, " as ");
	drawn_type(p, letters, true, &p->text);
}

/* Letters of either operand, some of them left out, in any order. */
static inline void drawn_result(struct drawn_program *p, const char *a, const char *b, char *result)
{
	int count = 0;
	for (char c = 'i'; c < 'o' && count < 4; c++)
		if ((strchr(a, c) || strchr(b, c)) && draw_below(p->from, 3))
			result[count++] = c;
	result[count] = '\0';
	for (int i = count - 1; i > 0; i--) {
		int other = draw_below(p->from, i + 1);
		char swap = result[i];
		result[i] = result[other];
		result[other] = swap;
	}
}

static inline void drawn_statement(struct drawn_program *p)
{
	static const char *const ops[] = {"relu", "neg", "scale", "exp"};
	int a = draw_below(p->from, p->count), b = draw_below(p->from, p->count);
	char *letters = p->value[p->count].letters;
	const char *left = p->value[a].letters, *right = p->value[b].letters;
	int kind = draw_below(p->from, 10);
	strcpy(letters, left);
	sw_text_addf(&p->text, "  v%d = ", p->count);
	if (kind < 2) {
		sw_text_addf(&p->text, "redistribute v%d as ", a);
		drawn_type(p, left, true, &p->text);
	} else if (kind < 7) {
		drawn_result(p, left, right, letters);
		sw_text_addf(&p->text, "einsum \"%s,%s->%s\" v%d v%d", left, right, letters, a, b);
		drawn_home(p, letters);
	} else if (kind < 9) {
		sw_text_addf(&p->text, "%s v%d", ops[draw_below(p->from, draw_below(p->from, 4) ? 3 : 4)], a);
		drawn_home(p, letters);
	} else {
		sw_text_addf(&p->text, "%s v%d v%d", draw_below(p->from, 2) ? "add" : "mul", a, a);
		drawn_home(p, letters);
	}
	sw_text_add(&p->text, "\n");
	p->count++;
}

/* Is it typed as far as it goes? */
static inline bool drawn_is_typed(const struct drawn_program *p)
{
	sw_arena *arena = sw_arena_new();
	sw_program program;
	sw_text text = {0};
	sw_text_addf(&text, "%s  return v%d\n}\n", sw_text_get(&p->text), p->count - 1);
	bool typed = arena && sw_program_parse((sw_str){sw_text_get(&text), text.length}, NULL, arena, &program, NULL);
	sw_text_free(&text);
	sw_arena_free(arena);
	return typed;
}

/* Adds a text to `text`. */
static inline void draw_program(draw *from, sw_text *text)
{
	static const char *const meshes[] = {"{x: 2, y: 2}", "{x: 4}", "{x: 2}", "{x: 2, y: 2, z: 2}", "{x: 4, y: 2}"};
	static const int axes[] = {2, 1, 1, 3, 2};
	static const char *const dtypes[] = {"", "", "", "f64", "i32", "i64"};
	int mesh = draw_below(from, 5), inputs = 2 + draw_below(from, 2), statements;
	struct drawn_program p = {.from = from, .axes = axes[mesh], .dtype = dtypes[draw_below(from, 6)]};
	sw_text_addf(&p.text, "mesh %s\nfn main(", meshes[mesh]);
	for (; p.count < inputs; p.count++) {
		drawn_letters(&p, 3, p.value[p.count].letters);
		sw_text_addf(&p.text, "%sv%d : ", p.count ? ", " : "", p.count);
		drawn_type(&p, p.value[p.count].letters, true, &p.text);
	}
	sw_text_add(&p.text, ") -> ? {\n");
	statements = p.count + 1 + draw_below(from, 6);
	for (int tries = 0; p.count < statements && tries < 200; tries++) {
		size_t before = p.text.length;
		drawn_statement(&p);
		if (drawn_is_typed(&p))
			continue;
		p.text.length = before;
		p.text.data[before] = '\0';
		p.count--;
	}
	sw_text_addf(&p.text, "  return v%d\n}\n", p.count - 1);
	sw_text_add(text, sw_text_get(&p.text));
	sw_text_free(&p.text);
}

#endif
