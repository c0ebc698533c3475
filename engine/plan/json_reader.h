/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan file: its tables of fields, and what the parts of its reader share.
 */
#ifndef SHARDWALK_PLAN_JSON_READER_H
#define SHARDWALK_PLAN_JSON_READER_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/plan.h>

#include "base/json_read.h"

/* The fields of a plan, of a step, of an axis, of the padding of an end; in the order in which they are written. */
enum { SW_BUDGET_FIELDS = 2, SW_FIGURE_FIELDS = 12, SW_SEARCH_FIELDS = 4 };
enum { SW_STEP_FIELDS = 3, SW_AXIS_FIELDS = 3, SW_PADDING_FIELDS = 4 };
extern const sw_field sw_budget_fields[SW_BUDGET_FIELDS], sw_figure_fields[SW_FIGURE_FIELDS];
extern const sw_field sw_search_fields[SW_SEARCH_FIELDS], sw_step_fields[SW_STEP_FIELDS];
extern const sw_field sw_axis_fields[SW_AXIS_FIELDS], sw_padding_fields[SW_PADDING_FIELDS];

typedef struct sw_plan_reader {
	sw_json_in in;
	sw_plan *plan;
	bool prefix; /* its steps may end anywhere */
} sw_plan_reader;

/* A list that names each device once; NULL in *out without a diagnostic where the key is not there. */
bool sw_reader_ids(const sw_plan_reader *r, json_t *object, const char *key, const int64_t **out);

/* A type over the plan's mesh, which may not name another element type than `dtype`. */
bool sw_reader_type(const sw_plan_reader *r, json_t *object, const char *key, sw_dtype dtype, sw_type *type);

/* The steps of the plan with their types, groups, sources and maps (json_read_step.c). */
bool sw_reader_steps(sw_plan_reader *r, json_t *root);

/* The devices at the places of the mesh, and the step that changes over to others. */
bool sw_reader_order(sw_plan_reader *r, json_t *root);

#endif
