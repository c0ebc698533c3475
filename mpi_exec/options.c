/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the command line of shardwalk-exec.
 */
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/text.h>

typedef enum option {
#define X(id, name, argument, about) EX_##id##_OPTION,
	EX_OPTION_ROWS(X)
#undef X
		OPTION_COUNT
} option;

static const struct {
	const char *name, *argument, *about;
} rows[] = {
#define X(id, name, argument, about) {name, argument, about},
	EX_OPTION_ROWS(X)
#undef X
};

ex_calls ex_options_calls(const ex_options *options, const char *name)
{
	if (options->alltoallw && strcmp(options->alltoallw, name) == 0)
		return EX_BY_ALLTOALLW;
	if (options->alltoallv && strcmp(options->alltoallv, name) == 0)
		return EX_BY_ALLTOALLV;
	return options->collectives ? EX_BY_COLLECTIVES : EX_NO_CALLS;
}

static bool bad_value(option which, const char *value, ex_fault *fault)
{
	ex_fault_set(fault, EX_USAGE, "L13", "'%s' is no value of --%s", value, rows[which].name);
	return ex_fault_hint(fault, "it takes %s", rows[which].argument);
}

static bool read_number(const char *text, int64_t least, int64_t most, int64_t *out)
{
	int64_t n;
	if (!sw_read_int(sw_str_of(text), &n, NULL) || n < least || n > most)
		return false;
	*out = n;
	return true;
}

static bool read_transport(const char *value, ex_options *options)
{
	for (ex_transport t = EX_AUTO; t <= EX_MESSAGES; t++) {
		if (strcmp(value, ex_transport_name(t)) == 0) {
			options->transport = t;
			return true;
		}
	}
	return false;
}

static bool read_seconds(const char *value, double *seconds)
{
	char *end;
	*seconds = strtod(value, &end);
	return end != value && !*end && *seconds > 0 && *seconds <= 1e6;
}

static bool read_count(const char *value, int64_t least, int64_t most, int *out)
{
	int64_t n;
	if (!read_number(value, least, most, &n))
		return false;
	*out = (int)n;
	return true;
}

/* Where a value is kept, and how it is written; of a count what it is at least. */
typedef enum kept_as { BY_READER, AS_FLAG, AS_OFF, AS_TEXT, AS_COUNT } kept_as;

#define FLAG(id, member) [EX_##id##_OPTION] = {AS_FLAG, offsetof(ex_options, member), 0}
#define OFF(id, member) [EX_##id##_OPTION] = {AS_OFF, offsetof(ex_options, member), 0}
#define TEXT(id, member) [EX_##id##_OPTION] = {AS_TEXT, offsetof(ex_options, member), 0}
#define COUNT(id, member, least) [EX_##id##_OPTION] = {AS_COUNT, offsetof(ex_options, member), least}

static const struct {
	kept_as as;
	size_t at;
	int64_t least;
} kept[OPTION_COUNT] = {
	FLAG(COLLECTIVES, collectives),
	OFF(OVERLAP, no_overlap),
	OFF(IN_PLACE, copies),
	TEXT(PDGEMM, pdgemm),
	TEXT(ALLTOALLW, alltoallw),
	TEXT(ALLTOALLV, alltoallv),
	COUNT(REPS, reps, 0),
	FLAG(TOTAL, total),
	FLAG(NO_REFERENCE, no_reference),
	COUNT(WARMUP, warmup, 0),
	FLAG(THROTTLE, throttle),
	TEXT(OUTPUT, output),
	TEXT(SAMPLES, samples),
	COUNT(LAUNCH, launch, 1),
	FLAG(CHECK_STEPS, check_steps),
	FLAG(DRY_RUN, dry_run),
	FLAG(VERSION, version),
	FLAG(HELP, help),
};

/* The options whose values have a form of their own. */
static bool option_read(ex_options *o, option which, const char *value)
{
	switch (which) {
	case EX_TRANSPORT_OPTION:
		return read_transport(value, o);
	case EX_TIMEOUT_OPTION:
		return read_seconds(value, &o->timeout);
	case EX_MEMORY_OPTION:
		return read_number(value, 1, INT64_MAX, &o->memory);
	case EX_FLIP_OPTION:
		return sscanf(value, "%d:%ld", &o->flip_rank, &o->flip_byte) == 2;
	case EX_SWAP_OPTION:
		return sscanf(value, "%d:%ld:%ld", &o->swap_rank, &o->swap_a, &o->swap_b) == 3;
	case EX_FAULT_OPTION:
		return sscanf(value, "%7[a-z]:%d:%d", o->fault, &o->fault_rank, &o->fault_step) == 3;
	default:
		return false;
	}
}

static bool option_set(ex_options *o, option which, const char *value)
{
	void *at = (char *)o + kept[which].at;
	switch (kept[which].as) {
	case AS_FLAG:
		return *(bool *)at = true;
	case AS_OFF:
		*(bool *)at = strcmp(value, "off") == 0;
		return *(bool *)at || strcmp(value, "on") == 0;
	case AS_TEXT:
		*(const char **)at = value;
		return true;
	case AS_COUNT:
		return read_count(value, kept[which].least, 1000000, at);
	default:
		return option_read(o, which, value);
	}
}

static bool unknown_option(sw_str name, ex_fault *fault)
{
	const char *names[OPTION_COUNT];
	for (int i = 0; i < OPTION_COUNT; i++)
		names[i] = rows[i].name;
	int near = sw_str_nearest(name, names, OPTION_COUNT);
	ex_fault_set(fault, EX_USAGE, "L05", "unknown option '--%.*s'", (int)name.length, name.at);
	return near < 0 ? ex_fault_hint(fault, "see shardwalk-exec --help") :
					  ex_fault_hint(fault, "did you mean --%s?", names[near]);
}

/* Reads the option in words[*i], and its value, which may be the next word. */
static bool read_option(int count, char **words, int *i, ex_options *options, ex_fault *fault)
{
	char *word = words[*i] + 2, *equals = strchr(word, '=');
	sw_str name = {word, equals ? (size_t)(equals - word) : strlen(word)};
	int which = 0;
	while (which < OPTION_COUNT && !sw_str_is(name, rows[which].name))
		which++;
	if (which == OPTION_COUNT)
		return unknown_option(name, fault);
	const char *value = equals ? equals + 1 : NULL;
	if (rows[which].argument && !value && *i + 1 < count)
		value = words[++*i];
	if (!rows[which].argument != !value)
		return ex_fault_set(fault, EX_USAGE, value ? "L04" : "L03", "--%s takes %s", rows[which].name,
			rows[which].argument ? rows[which].argument : "no value");
	return option_set(options, (option)which, value) || bad_value((option)which, value, fault);
}

bool ex_options_read(int count, char **words, ex_options *options, ex_fault *fault)
{
	*options = (ex_options){.reps = -1,
		.warmup = 3,
		.timeout = 60,
		.launch = 1,
		.flip_rank = -1,
		.swap_rank = -1,
		.fault_rank = -1,
		.plan = words + 1};
	bool ended = false;
	for (int i = 1; i < count; i++) {
		if (!ended && strcmp(words[i], "--") == 0)
			ended = true;
		else if (!ended && strncmp(words[i], "--", 2) == 0) {
			if (!read_option(count, words, &i, options, fault))
				return false;
		} else {
			words[1 + options->plans++] = words[i];
		}
	}
	if (options->plans || options->help || options->version)
		return true;
	ex_fault_set(fault, EX_USAGE, "L03", "no plan file is named");
	return ex_fault_hint(fault, "mpiexec -n RANKS shardwalk-exec PLAN.json; see shardwalk-exec --help");
}

void ex_options_help(void)
{
	puts("usage: mpiexec -n RANKS shardwalk-exec [OPTIONS] PLAN.json...\n\n"
		 "Runs plans of 'shardwalk plan --json' on as many MPI ranks as their meshes have devices,\n"
		 "proves every element, and writes times as JSON Lines (shardwalk.run/1).\n");
	for (int i = 0; i < OPTION_COUNT; i++) {
		char left[48];
		if (!rows[i].about)
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", rows[i].name, rows[i].argument ? " " : "",
			rows[i].argument ? rows[i].argument : "");
		printf("  %-34s %s\n", left, rows[i].about);
	}
	puts("\nExit status: 0 every plan ran and verified; 1 a plan is wrong or an element was; 2 wrong usage;\n"
		 "3 the environment lacks something (memory, time, room for the result).  A run counts only with\n"
		 "its record \"complete\": launchers combine the statuses of the ranks.");
}
