/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of the strategies.
 */
#include <shardwalk/plan.h>

static const struct {
	const char *name, *about;
} strategies[] = {
#define X(id, name, about) {name, about},
	SW_STRATEGIES(X)
#undef X
};

const char *sw_strategy_name(sw_strategy strategy)
{
	return strategies[strategy].name;
}

const char *sw_strategy_about(sw_strategy strategy)
{
	return strategies[strategy].about;
}

bool sw_strategy_parse(sw_str name, sw_strategy *strategy, sw_diag *diag)
{
	const char *names[SW_STRATEGY_COUNT];

	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		names[s] = strategies[s].name;
		if (sw_str_is(name, names[s])) {
			*strategy = (sw_strategy)s;
			return true;
		}
	}
	sw_diag_set(diag, SW_S04, (sw_span){0, name.length}, "no strategy is called '%.*s'", (int)name.length, name.at);
	int near = sw_str_nearest(name, names, SW_STRATEGY_COUNT);
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '%s'?", names[near]);
	else
		sw_diag_hint(diag,
			"strategies are: naive, paper, exact, fused, xla, shardy, dtensor, dtensor-min-cost, direct");
	return false;
}
