/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command `simulate`: the present program on virtual devices.
 */
#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "answer/watch.h"
#include "command/programs/schedule.h"
#include "command/programs/planned.h"
#include "views/draw.h"

static bool refuse_wrong(const sw_program *planned, const sw_simulated *result, sw_diag *diag)
{
	const sw_value *value = &planned->value[result->wrong.value];
	sw_text index = {0};
	sw_type_print_tile(result->wrong.index, value->type->rank, &index);
	sw_diag_set(diag, SW_P04, (sw_span){0, 0}, "device %s holds a wrong element %s of '%.*s'",
		words_device_first(&planned->mesh, result->wrong.device).text, sw_text_get(&index), (int)value->name.length,
		value->name.at);
	sw_diag_expected(diag, "%g", result->wrong.expected);
	sw_diag_found(diag, "%g", result->wrong.found);
	if (result->wrong.step >= 0)
		sw_diag_hint(diag, "step %d, %s, made it from correct values", result->wrong.step + 1,
			sw_op_name(planned->step[result->wrong.step].op));
	sw_text_free(&index);
	return false;
}

/* Bodies compute what the devices compute, which need not be a function of whole arrays. */
static bool has_bodies(const sw_program *planned)
{
	for (int s = 0; s < planned->steps; s++)
		if (planned->step[s].body)
			return true;
	return false;
}

static void say_right(struct document *answer, const sw_program *planned, const sw_simulated *result)
{
	struct words values = words_plural(planned->values, "value", "values"),
				 devices = words_plural(planned->mesh.devices, "virtual device", "virtual devices");
	if (result->exact) {
		document_line(answer, "verified: %s on %s, bit for bit equal to whole arrays", values.text, devices.text);
	} else {
		document_line(answer, "within the bound: %s on %s, beside whole arrays", values.text, devices.text);
		document_line(answer, "the largest difference is %.3g, and rounding allows %.3g: no data make", result->off,
			result->bound);
		document_line(answer, "every order of adding exact here, so bits are not compared");
	}
}

static void answer(struct document *answer, const sw_program *planned, const sw_simulated *result)
{
	struct fields *fields = document_fields(answer, "shardwalk.simulate/1");
	field_bool(fields, "verified", result->exact);
	field_int(fields, "values", planned->values);
	field_int(fields, "steps", planned->steps);
	field_int(fields, "devices", planned->mesh.devices);
	field_int(fields, "elements", result->compared);
	field_int(fields, "bytes", result->bytes);
	if (result->summed)
		field_int(fields, "checksum", result->checksum);
	field_number(fields, "largest_difference", result->off);
	field_number(fields, "difference_bound", result->bound);
	say_right(answer, planned, result);
	document_line(answer, "compared  %s after %s", words_plural(result->compared, "element", "elements").text,
		words_plural(planned->steps, "step", "steps").text);
	document_line(answer, "memory    %s with the whole arrays", words_bytes(result->bytes, SW_I8).text);
	if (result->summed)
		document_line(answer, "checksum  %lld", (long long)result->checksum);
	if (has_bodies(planned))
		document_line(answer, "the result of a spmd_op is what its body computes on each device, put together");
}

bool command_simulate(struct invocation *run, sw_diag *diag)
{
	if (schedule_is_subject(&run->session->state))
		return schedule_simulate(run, diag);
	sw_program planned;
	sw_simulated result;
	struct watch watch;
	int64_t memory = option_setting(run, OPTION_MEMORY)->size.count;
	if (!planned_present(run, run->arena, &planned, diag))
		return false;
	watch_start(&watch, run->session->console);
	const sw_simulate_options options = {.memory = option_given(run, OPTION_FULL) ? INT64_MAX : memory,
		.pulse = &watch.pulse};
	bool ok = sw_simulate(&planned, &options, &result, diag);
	watch_end(&watch);
	if (!ok)
		return false;
	if (!result.right)
		return refuse_wrong(&planned, &result, diag);
	answer(run->answer, &planned, &result);
	return true;
}
