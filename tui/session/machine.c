/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of hardware, and the machines made of them.
 */
#include "session/machine.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "session/calibration.h"

#define OWN_ROWS 32
#define MACHINES 64

static struct {
	sw_arena *arena; /* what is made once stays until the program ends */
	int own_count, machine_count;
	sw_hardware own[OWN_ROWS];
	const char *rates[OWN_ROWS]; /* of own rows, as they were written */
	struct {
		char name[48]; /* of the hardware; "" for what was calibrated */
		int64_t ranks; /* that this was calibrated for */
		sw_model model;
		sw_machine machine;
	} machine[MACHINES];
} registry;

static bool has_arena(sw_diag *diag)
{
	if (!registry.arena)
		registry.arena = sw_arena_new();
	return registry.arena || sw_diag_memory(diag);
}

/* ---- rows ---- */

static int table_count(void)
{
	int count = 0;
	while (sw_hardware_at(count))
		count++;
	return count;
}

const sw_hardware *hardware_at(int n)
{
	assert(n >= 0);
	int own = n - table_count();
	return own < 0 ? sw_hardware_at(n) : own < registry.own_count ? &registry.own[own] : NULL;
}

static const sw_hardware *refuse_calibrated(sw_str name, sw_diag *diag)
{
	sw_diag_set(diag, SW_S11, (sw_span){0, name.length},
		"'%s' is the machine in front of you, which has a model of its own", CALIBRATED_NAME);
	sw_diag_hint(diag, "`model calibrated` plans with it, `calibrate` measures it");
	return NULL;
}

static const sw_hardware *refuse_hardware(sw_str name, const char *const *names, int count, sw_diag *diag)
{
	int near = sw_str_nearest(name, names, count);
	sw_text all = {0};
	for (int k = 0; k < count; k++)
		sw_text_addf(&all, "%s%s", k ? ", " : "", names[k]);
	sw_diag_set(diag, SW_S11, (sw_span){0, name.length}, "there is no hardware '%.*s'",
		(int)(name.length < 60 ? name.length : 60), name.at);
	sw_diag_expected(diag, "%s", sw_text_get(&all));
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '%s'?", names[near]);
	else
		sw_diag_hint(diag, "hardware NAME = 50GB/s 2us defines your own");
	sw_text_free(&all);
	return NULL;
}

const sw_hardware *hardware_named(sw_str name, sw_diag *diag)
{
	const char *names[OWN_ROWS + 64];
	int count = 0;
	for (; hardware_at(count) && count < OWN_ROWS + 64; count++) {
		names[count] = hardware_at(count)->name;
		if (sw_str_is(name, names[count]))
			return hardware_at(count);
	}
	return sw_str_is(name, CALIBRATED_NAME) ? refuse_calibrated(name, diag) :
											  refuse_hardware(name, names, count, diag);
}

static bool refuse_name(sw_str name, sw_code code, const char *why, sw_diag *diag)
{
	sw_diag_set(diag, code, (sw_span){0, 0}, "'%.*s' %s", (int)(name.length < 60 ? name.length : 60), name.at, why);
	sw_diag_hint(diag, "for instance: hardware mine = 50GB/s 2us");
	return false;
}

static bool is_name(sw_str name)
{
	for (size_t i = 0; i < name.length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", name.at[i]))
			return false;
	return name.length > 0 && name.length < 40;
}

static sw_hardware *own_row(sw_str name)
{
	int i = 0;
	while (i < registry.own_count && !sw_str_is(name, registry.own[i].name))
		i++;
	return i < OWN_ROWS ? &registry.own[i] : NULL;
}

static void forget_machine(sw_str name)
{
	for (int i = 0; i < registry.machine_count; i++)
		if (sw_str_is(name, registry.machine[i].name))
			registry.machine[i].name[0] = '\0', registry.machine[i].ranks = -1;
}

bool hardware_define(sw_str name, sw_str text, sw_diag *diag)
{
	sw_hardware row = {.about = "defined in this session", .source = "your own numbers"};
	if (!is_name(name))
		return refuse_name(name, SW_L11, "is not a name: letters, digits, _ and -", diag);
	if (sw_hardware_named(name) || sw_str_is(name, CALIBRATED_NAME))
		return refuse_name(name, SW_S11, "is already in the table: choose another name", diag);
	sw_hardware *at = own_row(name);
	if (!at)
		return refuse_name(name, SW_L12, "is one too many", diag);
	if (!sw_hardware_parse(text, &row, diag) || !has_arena(diag))
		return false;
	row.name = sw_arena_copy(registry.arena, name.at, name.length);
	const char *rates = sw_arena_copy(registry.arena, text.at, text.length);
	if (!row.name || !rates)
		return sw_diag_memory(diag);
	forget_machine(name);
	registry.own_count += at == &registry.own[registry.own_count];
	registry.rates[at - registry.own] = rates;
	*at = row;
	return true;
}

const char *hardware_rates(int n)
{
	int own = n - table_count();
	return own >= 0 && own < registry.own_count ? registry.rates[own] : NULL;
}

/* ---- machines ---- */

static bool make_machine(sw_model model, const char *name, int64_t ranks, sw_machine *machine, sw_diag *diag)
{
	struct calibration calibration = {0};
	sw_text warning = {0};
	if (*name) {
		const sw_hardware *row = hardware_named(sw_str_of(name), diag);
		bool (*make)(const sw_hardware *, sw_arena *,
			sw_machine *) = model == SW_MODEL_ROOFLINE ? sw_hardware_roofline : sw_hardware_machine;
		return row && (make(row, registry.arena, machine) || sw_diag_memory(diag));
	}
	calibration_load(registry.arena, &calibration, &warning);
	bool good = strcmp(calibration_machine(&calibration, false, ranks, registry.arena, machine), "calibrated") == 0;
	machine->name = good ? "this machine" : machine->name;
	if (!good && warning.length)
		sw_diag_set(diag, SW_S10, (sw_span){0, 0}, "%s", sw_text_get(&warning));
	else if (!good && *calibration.strange)
		sw_diag_set(diag, SW_S10, (sw_span){0, 0},
			"the calibration is not from this machine: "
			"%s",
			calibration.strange);
	else if (!good)
		sw_diag_set(diag, SW_S10, (sw_span){0, 0}, "this machine has not been measured yet");
	if (!good)
		sw_diag_hint(diag, "`calibrate` measures it; `model latency` uses round numbers");
	sw_text_free(&warning);
	return good;
}

bool machine_find(sw_model model, const char *hardware, int64_t devices, const sw_machine **machine, sw_diag *diag)
{
	const char *name = model == SW_MODEL_CALIBRATED ? "" : hardware;
	int64_t ranks = *name ? 0 : devices;
	*machine = NULL;
	if (!sw_model_is_timed(model))
		return true;
	if (model == SW_MODEL_PORTS) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "the model ports needs a mesh that is on a system");
		sw_diag_hint(diag, "for instance: system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}");
		return false;
	}
	if (!has_arena(diag))
		return false;
	for (int i = 0; i < registry.machine_count && *name; i++)
		if (registry.machine[i].model == model && registry.machine[i].ranks == ranks &&
			strcmp(registry.machine[i].name, name) == 0)
			return *machine = &registry.machine[i].machine, true;
	sw_machine made;
	if (!make_machine(model, name, ranks, &made, diag))
		return false;
	sw_machine *at = SW_NEW(registry.arena, sw_machine, 1);
	if (*name && registry.machine_count < MACHINES) {
		snprintf(registry.machine[registry.machine_count].name, sizeof(registry.machine->name), "%s", name);
		registry.machine[registry.machine_count].ranks = ranks;
		registry.machine[registry.machine_count].model = model;
		at = &registry.machine[registry.machine_count++].machine;
	}
	if (!at)
		return sw_diag_memory(diag);
	*at = made;
	*machine = at;
	return true;
}

bool machine_time_plan(const sw_machine *machine, sw_plan *plan)
{
	double all = 0, seconds = 0;
	for (int k = 0; k < plan->program.steps && seconds >= 0; k++, all += seconds)
		seconds = sw_predict_seconds(plan, k, machine);
	if (seconds < 0)
		return false;
	for (int k = 0; k < plan->program.steps; k++)
		plan->program.step[k].model_cost = sw_predict_seconds(plan, k, machine);
	plan->model_cost = all;
	return true;
}
