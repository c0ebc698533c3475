/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A redistribution as it stands in a statement, cut once: `[mesh MESH] [SHAPE] FROM ~> TO`.
 */
#ifndef SHARDWALK_COMMAND_ENDS_H
#define SHARDWALK_COMMAND_ENDS_H

#include "command/command.h"

/* How the text of a type is written.  Everybody who reads one asks here. */
enum written {
	WRITTEN_AS_NAME, /* which may be of no type that the session has */
	WRITTEN_AS_TYPE,
	WRITTEN_AS_SHARDING, /* of another system */
	WRITTEN_UNKNOWN      /* in no notation that is read */
};

/* Names of the session's types come before the notations of other systems; without a session there are none. */
enum written written_as(const struct session *session, sw_str text);

/* Slices of the statement, trimmed; empty where nothing stands there. */
struct ends {
	sw_str mesh, shape;
	sw_str from, to; /* of a trace A -> B -> C of another system its first and its last */
	sw_str arrow;
	bool foreign; /* one end is a sharding of another system */
};

void ends_cut(const struct session *session, sw_str text, sw_arena *arena, struct ends *ends);

/* The next `~>`; parts with `->` between them are a trace.  Empty, at the end of `text`, where there is none. */
sw_str ends_stop(sw_str text);

/* What stands behind a slice of `text`. */
sw_str ends_behind(sw_str text, sw_str slice);

#endif
