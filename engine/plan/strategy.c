/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategies: one row each, from SW_STRATEGIES.
 */
#include "plan/strategy.h"

#include <assert.h>

static const sw_strategy_row rows[SW_STRATEGY_COUNT] = {
#define X(id, find, name, flags, about) {name, about, flags, sw_candidates_##find},
	SW_STRATEGIES(X)
#undef X
};

const sw_strategy_row *sw_strategy_row_of(sw_strategy strategy)
{
	assert((unsigned)strategy < SW_STRATEGY_COUNT);
	return &rows[strategy];
}

const char *sw_strategy_name(sw_strategy strategy)
{
	assert((unsigned)strategy < SW_STRATEGY_COUNT);
	return rows[strategy].name;
}

const char *sw_strategy_about(sw_strategy strategy)
{
	assert((unsigned)strategy < SW_STRATEGY_COUNT);
	return rows[strategy].about;
}

bool sw_strategy_is(sw_strategy strategy, unsigned flags)
{
	assert((unsigned)strategy < SW_STRATEGY_COUNT);
	return (rows[strategy].flags & flags) == flags;
}

static void hint_names(const char *const *names, sw_diag *diag)
{
	sw_text list = {0};

	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		sw_text_addf(&list, "%s%s", s ? ", " : "", names[s]);
	sw_diag_hint(diag, "strategies are: %s", sw_text_get(&list));
	sw_text_free(&list);
}

bool sw_strategy_parse(sw_str name, sw_strategy *strategy, sw_diag *diag)
{
	const char *names[SW_STRATEGY_COUNT];

	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		names[s] = rows[s].name;
		if (sw_str_is(name, names[s])) {
			*strategy = (sw_strategy)s;
			return true;
		}
	}
	sw_diag_set(diag, SW_S04, (sw_span){0, name.length}, "there is no strategy '%.*s'", (int)name.length, name.at);
	int near = sw_str_nearest(name, names, SW_STRATEGY_COUNT);
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '%s'?", names[near]);
	else
		hint_names(names, diag);
	return false;
}
