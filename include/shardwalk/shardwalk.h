/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All of the engine's public headers.
 */
#ifndef SHARDWALK_SHARDWALK_H
#define SHARDWALK_SHARDWALK_H

#include <shardwalk/number.h>
#include <shardwalk/arena.h>
#include <shardwalk/assign.h>
#include <shardwalk/text.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/moments.h>
#include <shardwalk/type.h>
#include <shardwalk/digit.h>
#include <shardwalk/region.h>
#include <shardwalk/access.h>
#include <shardwalk/local.h>
#include <shardwalk/holding.h>
#include <shardwalk/uneven.h>
#include <shardwalk/distal.h>
#include <shardwalk/distribution.h>
#include <shardwalk/relation.h>
#include <shardwalk/sender.h>
#include <shardwalk/between.h>
#include <shardwalk/collective.h>
#include <shardwalk/computation.h>
#include <shardwalk/pieces.h>
#include <shardwalk/value.h>
#include <shardwalk/sequence.h>
#include <shardwalk/plan.h>
#include <shardwalk/record.h>
#include <shardwalk/theory.h>
#include <shardwalk/evaluation.h>
#include <shardwalk/film.h>
#include <shardwalk/transfers.h>
#include <shardwalk/owners.h>
#include <shardwalk/json.h>
#include <shardwalk/json_read.h>
#include <shardwalk/problem_json.h>
#include <shardwalk/product.h>
#include <shardwalk/formula.h>
#include <shardwalk/formula_parts.h>
#include <shardwalk/program.h>
#include <shardwalk/tasks.h>
#include <shardwalk/task_walk.h>
#include <shardwalk/arithmetic.h>
#include <shardwalk/simulate.h>
#include <shardwalk/planned.h>
#include <shardwalk/program_text.h>
#include <shardwalk/cost.h>
#include <shardwalk/rounds.h>
#include <shardwalk/hardware.h>
#include <shardwalk/walk.h>
#include <shardwalk/placement.h>
#include <shardwalk/reduction.h>
#include <shardwalk/step.h>
#include <shardwalk/summing.h>
#include <shardwalk/context_walk.h>
#include <shardwalk/reduction_plan.h>
#include <shardwalk/notation.h>
#include <shardwalk/traffic.h>
#include <shardwalk/hlo.h>
#include <shardwalk/log.h>
#include <shardwalk/whole.h>
#include <shardwalk/before.h>
#include <shardwalk/advise.h>
#include <shardwalk/emit.h>
#include <shardwalk/ways.h>
#include <shardwalk/schedule.h>
#include <shardwalk/scheme.h>
#include <shardwalk/algorithm.h>
#include <shardwalk/choice.h>
#include <shardwalk/schedule_walk.h>
#include <shardwalk/schedule_program.h>

#endif
