/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module and the warnings of its compiler in one text: the one is read beside the other.
 */
#define _GNU_SOURCE /* memmem */
#include "command/import/import_beside.h"

#include <string.h>

#include "answer/watch.h"
#include "command/foreign.h"

/* Where a line begins an HLO module; the end of the text: none does. */
static size_t module_at(sw_str text)
{
	static const char head[] = "\nHloModule ";
	const char *found = memmem(text.at, text.length, head, sizeof(head) - 1);
	return found ? (size_t)(found - text.at) + 1 : text.length;
}

/* The text with blanks before this byte, so that lines keep their numbers; NULL: no memory. */
static const char *behind(const struct import *import, size_t at)
{
	char *copy = sw_arena_copy(import->arena, import->text.at, import->text.length);
	for (size_t i = 0; copy && i < at; i++)
		copy[i] = copy[i] == '\n' ? '\n' : ' ';
	return copy;
}

/* What a module that is partitioned moves itself. */
static void read_moves(struct import *import, sw_str text, const sw_pulse *pulse, sw_diag *why)
{
	sw_hlo_import *module = SW_NEW_ZERO(import->arena, sw_hlo_import, 1);
	if (!module)
		sw_diag_memory(why);
	else if (sw_hlo_read_module(text, pulse, import->arena, module, why) && module->traffic.bytes > 0)
		import->beside = module;
}

/* A module that cannot be read is said, and the log is answered without it. */
static bool read_module(struct import *import, sw_str text, size_t at, sw_diag *diag)
{
	struct watch watch;
	sw_diag why = {.code = SW_OK};
	long long line = (long long)import_line_at(text, at);
	watch_start(&watch, import->run->session->console);
	import->before = sw_hlo_read_before(text, &watch.pulse, import->arena, &why);
	if (import->before)
		read_moves(import, text, &watch.pulse, &why);
	watch_end(&watch);
	if (why.code == SW_S03 || why.code == SW_E01) {
		*diag = why;
		return false;
	}
	if (import->before)
		answer_remark(import->run->session,
			"line %lld begins an HLO module, which is read like that of --module; import it alone to see its chains",
			line);
	else
		answer_remark(import->run->session, "line %lld begins an HLO module that is not read: %s", line, why.message);
	return true;
}

bool import_beside(struct import *import, sw_diag *diag)
{
	bool given = import->before || import->asked;
	size_t at = import->log->warnings && !import->log->module && !given ? module_at(import->text) :
																		  import->text.length;
	if (import->log->module && import->log->warnings && !given)
		import->asked = import->log;
	if (at >= import->text.length)
		return true;
	const char *text = behind(import, at);
	if (!text)
		return sw_diag_memory(diag);
	return read_module(import, (sw_str){text, import->text.length}, at, diag);
}

/* "XLA warns of it in line 3" */
static bool say_warned(const struct import *import, struct import_row *row, int64_t line)
{
	sw_text text = {0};
	sw_text_addf(&text, "XLA warns about it, line %lld", (long long)line);
	row->means = sw_text_keep(&text, import->arena);
	return row->means != NULL;
}

bool import_beside_join(const struct import *import, struct import_row *rows, int *count, sw_diag *diag)
{
	int kept = 0;
	bool ok = true;
	if (import->asked != import->log)
		return true;
	for (int i = 0; i < *count && ok; i++)
		if (rows[i].asks >= 0 && !rows[rows[i].asks].means)
			ok = say_warned(import, &rows[rows[i].asks], rows[i].line);
	for (int i = 0; i < *count; i++)
		if (rows[i].asks < 0)
			rows[kept++] = rows[i];
	*count = kept;
	return ok || sw_diag_memory(diag);
}
