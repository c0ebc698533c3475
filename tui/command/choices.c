/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of tables as words that may stand in a statement, for reading, help, completion and the manual.
 */
#include <shardwalk/advise.h>
#include <shardwalk/reduction.h>
#include <shardwalk/uneven.h>

#include "command/command.h"
#include "command/export/export.h"
#include "command/placement/reduction.h"
#include "session/machine.h"
#include "session/walks.h"
#include "views/views.h"

#define LISTED(rows) (int)(sizeof(rows) / sizeof(*(rows)))

static const struct choice_row transports[] = {{"auto", "shared memory if all ranks are on one host"},
	{"shared", "only memory of one host"}, {"messages", "only messages of MPI"}},
							   unevens[] = {{"refuse", "refuse, and say what the systems do"},
								   {"pad", "to sizes that divide, as XLA does"},
#define X(id, name, words, who) {name, words},
								   SW_UNEVEN_RULES(X)
#undef X
},
							   overlaps[] = {{"on", "compute while messages travel"},
								   {"off",
									   "after all have "
									   "arrived"}},
							   measures[] = {{"height", ""}, {"live", ""}},
							   answers[] = {{"plan", "a plan"}, {"relation", "who needs what from whom"}};

CHOICES(strategy_choice, SW_STRATEGY_COUNT, sw_strategy_name((sw_strategy)n), sw_strategy_about((sw_strategy)n))
CHOICES(model_choice, SW_MODEL_COUNT, sw_model_name((sw_model)n), sw_model_about((sw_model)n))
CHOICES(system_choice, SW_ADVISE_COUNT, sw_advise_name((sw_advise_target)n), sw_advise_about((sw_advise_target)n))
CHOICES(reduction_choice, SW_ALGORITHM_COUNT + 1,
	n < SW_ALGORITHM_COUNT ? sw_algorithm_name((sw_algorithm)n) : REDUCTION_BEST,
	n < SW_ALGORITHM_COUNT ? sw_algorithm_about((sw_algorithm)n) : "the fastest program of any length")
CHOICES(view_choice, view_count, views[n].name, views[n].about)
CHOICES(format_choice, export_format_count, export_formats[n].name, export_formats[n].about)
CHOICES(walk_choice, SW_WALK_KINDS, session_walk_words((sw_walk_kind)n)->name,
	session_walk_words((sw_walk_kind)n)->about)
CHOICES(hardware_choice, hardware_at(n) ? n + 1 : 0, hardware_at(n)->name, hardware_at(n)->about)
CHOICES(transport_choice, LISTED(transports), transports[n].name, transports[n].about)
CHOICES(uneven_choice, LISTED(unevens), unevens[n].name, unevens[n].about)
CHOICES(answer_choice, LISTED(answers), answers[n].name, answers[n].about)
CHOICES(overlap_choice, LISTED(overlaps), overlaps[n].name, overlaps[n].about)
CHOICES(measure_choice, LISTED(measures), measures[n].name, measures[n].about)
