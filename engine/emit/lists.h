/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups, pairs and shardings as XLA writes them.
 */
#ifndef SW_EMIT_LISTS_H
#define SW_EMIT_LISTS_H

#include "emit/array_ops.h"

/* Adds `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`: of a type on at most SW_MAX_EMIT_DEVICES devices. */
bool sw_xla_sharding(const sw_emitter *e, const sw_type *type, sw_text *text);

/* Adds `[4,2]<=[8]`, or the groups themselves where they are no such grid. */
void sw_xla_groups(const sw_device_step *device_step, sw_text *text);

#endif
