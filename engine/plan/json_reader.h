/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan file: its tables of fields, and what the parts of its reader share.
 */
#ifndef SHARDWALK_PLAN_JSON_READER_H
#define SHARDWALK_PLAN_JSON_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/json_read.h>
#include <shardwalk/plan.h>

/* The fields of a plan, and of a step, those of the value that it makes first; in the order in which they are written. */
enum { SW_BUDGET_FIELDS = 2, SW_FIGURE_FIELDS = 11, SW_SEARCH_FIELDS = 5, SW_VALUE_FIELDS = 1, SW_STEP_FIELDS = 2 };
extern const sw_field sw_budget_fields[SW_BUDGET_FIELDS], sw_figure_fields[SW_FIGURE_FIELDS];
extern const sw_field sw_search_fields[SW_SEARCH_FIELDS];
extern const sw_field sw_value_fields[SW_VALUE_FIELDS], sw_step_fields[SW_STEP_FIELDS];

typedef struct sw_plan_reader {
	sw_json_in in;
	sw_plan *plan;
	bool prefix;        /* its steps may end anywhere */
	int pieces;         /* of a tile; 0: the file has none */
	sw_passing passing; /* of steps that work on pieces */
	const char *base;   /* the path of the object that has the steps: "" or "steps[2].inside." */
} sw_plan_reader;

/* A list that names each device once; NULL in *out without a diagnostic where the key is not there. */
bool sw_reader_ids(const sw_plan_reader *r, json_t *object, const char *key, const int64_t **out);

/* Where step `k` is in the file, with this behind it. */
void sw_reader_at_step(sw_plan_reader *r, int k, const char *behind);

/* What is inside of step `k`, where something is (json_read.c). */
bool sw_reader_inside(const sw_plan_reader *r, json_t *object, int k);

/* The steps of the plan with their types, groups, sources and maps (json_read_step.c). */
bool sw_reader_steps(sw_plan_reader *r, json_t *root);

/* The devices in the slots of the mesh at both ends. */
bool sw_reader_orders(const sw_plan_reader *r, json_t *root);

/* Where no step tells of another order, the first permute brings it. */
bool sw_reader_order_change(const sw_plan_reader *r);

#endif
