/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardings of XLA as protos and as pictures.
 */
#ifndef SW_NOTATION_REWRITTEN_H
#define SW_NOTATION_REWRITTEN_H

#include "foreign/notation/read.h"

/* Is the text a proto, or a picture? */
bool sw_is_rewritten(sw_str text);

/* Reads it as the sharding that XLA prints for it.  Errors: N01 at all of it. */
bool sw_read_rewritten(sw_reader *reader);

#endif
