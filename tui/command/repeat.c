/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans that are executed many times: in every layer, at every step of a training.
 */
#include "command/repeat.h"

#include <shardwalk/number.h>

#include "session/machine.h"

bool repeat_amount(int64_t amount, int64_t times, const char *what, int64_t *out, sw_diag *diag)
{
	*out = amount;
	if (amount < 0 || sw_mul(amount, times, out))
		return true;
	sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "%lld times %lld %s are more than can be counted", (long long)times,
		(long long)amount, what);
	sw_diag_hint(diag, "`--times` (setting `times`) takes a smaller number");
	return false;
}

bool repeat_refuse(const struct invocation *run, sw_diag *diag)
{
	const struct word *word = option_given(run, OPTION_TIMES);
	if (word)
		diag->at = line_span(run->position->text, word->raw);
	return false;
}

static int64_t received_bytes(const sw_plan *plan)
{
	return sw_nearest(sw_plan_volume(plan) * sw_dtype_bytes(plan->problem.from.dtype));
}

static void add_seconds(const sw_plan *plan, const sw_machine *machine, struct repeated *sum)
{
	bool timed = sw_model_is_timed(plan->model);
	double once = timed ? plan->model_cost : machine ? sw_predict_seconds(plan, -1, machine) : -1;
	sum->seconds = once < 0 ? -1 : once * (double)sum->times;
	sum->machine = timed ? plan->machine : machine ? machine->name : NULL;
}

static bool repeat_sum(const struct session *session, const sw_plan *plan, int64_t times, struct repeated *sum,
	sw_diag *diag)
{
	const char *hardware = session->state.settings.value[SETTING_HARDWARE].text;
	const sw_machine *machine = NULL;
	*sum = (struct repeated){.times = times};
	if (times < 2)
		return true;
	if (!machine_find(SW_MODEL_LATENCY, hardware, plan->problem.mesh.devices, &machine, NULL))
		machine = NULL;
	add_seconds(plan, machine, sum);
	return repeat_amount(plan->cost, times, "elements", &sum->cost, diag) &&
		repeat_amount(sum->cost, sw_dtype_bytes(plan->problem.from.dtype), "bytes", &sum->bytes, diag) &&
		repeat_amount(received_bytes(plan), times, "bytes", &sum->received, diag);
}

bool repeat_plan(const struct invocation *run, const sw_plan *plan, struct repeated *sum, sw_diag *diag)
{
	int64_t times = option_setting(run, OPTION_TIMES)->number;
	return repeat_sum(run->session, plan, times, sum, diag) || repeat_refuse(run, diag);
}

struct repeated repeat_session(const struct session *session, const sw_plan *plan)
{
	struct repeated sum;
	int64_t times = session->state.settings.value[SETTING_TIMES].number;
	return plan && repeat_sum(session, plan, times, &sum, NULL) ? sum : (struct repeated){.times = 1};
}

static const sw_field repeated_rows[] = {
	SW_FIELD("times", INT, struct repeated, times),
	SW_FIELD("cost", INT, struct repeated, cost),
	SW_FIELD("cost_bytes", INT, struct repeated, bytes),
	SW_FIELD("received_bytes", INT, struct repeated, received),
	SW_FIELD("seconds", NUMBER, struct repeated, seconds),
	SW_FIELD("machine", TEXT, struct repeated, machine),
};

void repeat_fields(const struct repeated *sum, struct fields *in)
{
	static const sw_fields table = SW_FIELDS(repeated_rows, struct repeated);
	if (sum->times > 1)
		field_struct(in, "repeated", &table, sum);
}
