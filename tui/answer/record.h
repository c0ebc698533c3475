/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a terminal showed, as an asciicast (version 2): a line of JSON with its size, then one for each piece of output with
 * the seconds since the beginning.
 */
#ifndef SHARDWALK_ANSWER_RECORD_H
#define SHARDWALK_ANSWER_RECORD_H

#include <stdbool.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "canvas/canvas.h"

struct recording;

/* NULL: no memory.  A terminal of unknown height (0) is taken as one of 24 rows. */
struct recording *recording_new(int width, int height, const char *title);
void recording_free(struct recording *recording);

/* What was written to the terminal; a new line begins at its left. */
void recording_write(struct recording *recording, const char *text, size_t length);

/* A picture that fills the terminal: of the rows those that changed.  Another size of it is told. */
void recording_frame(struct recording *recording, const struct canvas *canvas, const struct canvas_style *style);

/* Writes the file: beside its place, and moved there when it is complete.  Errors: B02, E01. */
bool recording_save(const struct recording *recording, const char *name, sw_diag *diag);

#endif
