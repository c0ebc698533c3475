/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of the systems that advice is for.
 */
#include <assert.h>

#include <shardwalk/advise.h>

static const struct {
	const char *name, *about;
	sw_strategy strategy;
} targets[] = {
#define X(id, name, strategy, about) {name, about, strategy},
	SW_ADVISE_TARGETS(X)
#undef X
};

const char *sw_advise_name(sw_advise_target target)
{
	assert((unsigned)target < SW_ADVISE_COUNT);
	return targets[target].name;
}

const char *sw_advise_about(sw_advise_target target)
{
	assert((unsigned)target < SW_ADVISE_COUNT);
	return targets[target].about;
}

sw_strategy sw_advise_strategy(sw_advise_target target)
{
	assert((unsigned)target < SW_ADVISE_COUNT);
	return targets[target].strategy;
}

bool sw_advise_parse(sw_str name, sw_advise_target *target, sw_diag *diag)
{
	const char *names[SW_ADVISE_COUNT];

	for (int k = 0; k < SW_ADVISE_COUNT; k++) {
		names[k] = targets[k].name;
		if (sw_str_is(name, names[k])) {
			*target = (sw_advise_target)k;
			return true;
		}
	}
	sw_diag_set(diag, SW_L02, (sw_span){0, name.length}, "there is no system '%.*s'",
		(int)(name.length < 60 ? name.length : 60), name.at);
	sw_diag_expected(diag, "jax, dtensor or shardy");
	int near = sw_str_nearest(name, names, SW_ADVISE_COUNT);
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '%s'?", names[near]);
	else
		sw_diag_hint(diag, "advise --for jax says what to write in JAX");
	return false;
}
