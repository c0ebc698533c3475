/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the collectives of a module move: as rows, and the sentences above them.
 */
#ifndef SHARDWALK_VIEWS_COLLECTIVES_H
#define SHARDWALK_VIEWS_COLLECTIVES_H

#include <shardwalk/arena.h>
#include <shardwalk/traffic.h>

#include "answer/rows.h"

/* All of them, as they are in the text. */
struct rows collectives_rows(const sw_traffic *traffic);

/* In the order of this word (import.h) as far as they know it, largest first where it is NULL, or folded by another (NULL: not); what
 * that takes lives in the arena.  Error: E01. */
bool collectives_arrange(struct rows *rows, const char *by, const char *fold, sw_arena *arena, sw_diag *diag);

/* Those that are no steps of a chain and move something, arranged so. */
bool collectives_others(const sw_traffic *traffic, const char *by, const char *fold, sw_arena *arena,
	struct rows *rows, sw_diag *diag);

/* "24 MiB of 31 MiB are one all-reduce, moe.py:41", where one line moves more than half; else nothing. */
void collectives_most(const sw_traffic *traffic, sw_text *text);

/* How many bytes reach a device, how many of them in chains, and what the others are.  `called`: the program is not partitioned yet,
 * and calls them itself; `beside`: it asks for redistributions, too. */
void collectives_total(const sw_traffic *traffic, bool called, bool beside, sw_text *text);

#endif
