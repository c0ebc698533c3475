/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs from outside: whatever a reader accepts prints and reads back the same, and no place lies outside of its text.
 */
#ifndef TESTS_KIT_READ_BACK_H
#define TESTS_KIT_READ_BACK_H

#include <shardwalk/program_text.h>

#include "kit/arena.h"
#include "kit/kit.h"
#include "kit/mutate.h"

/* The same program again, and the same text. */
static inline void program_reads_back(const sw_program *program, sw_str from)
{
	sw_text text = {0}, again = {0};
	sw_program read;
	sw_diag diag = {.code = SW_OK};
	sw_program_print(program, &text);
	if (!sw_program_parse((sw_str){sw_text_get(&text), text.length}, NULL, arena, &read, &diag))
		fail_msg("%.*s:\n%s\n%s: %s", (int)from.length, from.at, sw_text_get(&text), sw_code_info_of(diag.code)->name,
			diag.message);
	sw_program_print(&read, &again);
	if (strcmp(sw_text_get(&text), sw_text_get(&again)) != 0)
		fail_msg("%.*s:\n%s\n%s", (int)from.length, from.at, sw_text_get(&text), sw_text_get(&again));
	sw_text_free(&text);
	sw_text_free(&again);
}

static inline bool is_within(sw_span span, size_t length)
{
	return span.begin <= span.end && span.end <= length;
}

/* A reader of programs: of modules of StableHLO, of lines of JAX. */
typedef bool program_reader(sw_str text, const sw_mesh *mesh, const sw_pulse *pulse, sw_arena *arena,
	sw_program *program, sw_program_import *import, sw_diag *diag);

/* Has it read it?  `mesh` may be NULL. */
static inline bool program_is_tried(const mutant *m, program_reader *read, const sw_mesh *mesh)
{
	sw_program program;
	sw_program_import import;
	sw_diag diag = {.code = SW_OK};
	char *copy = mutant_copy(m);
	sw_str text = {copy, m->length};
	sw_arena_mark mark = sw_arena_here(arena);
	bool ok = read(text, mesh, NULL, arena, &program, &import, &diag);
	if (!ok && (diag.code == SW_OK || !is_within(diag.at, m->length) || !is_within(diag.also, m->length)))
		fail_msg("%.*s: code %d at %zu to %zu, also %zu to %zu", (int)m->length, copy, diag.code, diag.at.begin,
			diag.at.end, diag.also.begin, diag.also.end);
	if (ok)
		program_reads_back(&program, text);
	sw_arena_back(arena, mark);
	free(copy);
	return ok;
}

static inline void module_is_tried(const mutant *m)
{
	program_is_tried(m, sw_program_read_module, NULL);
}

#endif
