/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing records.
 */
#define _GNU_SOURCE
#include "result.h"

#include <errno.h>
#include <string.h>

static const char STANDARD_OUTPUT[] = "standard output";

static bool cannot_write(ex_fault *fault, const char *name)
{
	ex_fault_set(fault, EX_LACKS, "B02", "cannot write '%s': %s", name, strerror(errno ? errno : EIO));
	return ex_fault_hint(fault, "name a file on a disk with room for it");
}

bool ex_result_flush_output(ex_fault *fault)
{
	bool lost = ferror(stdout) != 0;
	errno = 0;
	return (fflush(stdout) == 0 && !lost) || cannot_write(fault, STANDARD_OUTPUT);
}

bool ex_result_open(ex_result *result, const char *output, const char *samples, ex_fault *fault)
{
	*result = (ex_result){.file = stdout, .name = output ? output : STANDARD_OUTPUT, .samples_name = samples};
	if (output && !(result->file = fopen(output, "ae")))
		return cannot_write(fault, output);
	if (samples && !(result->samples = fopen(samples, "ae")))
		return cannot_write(fault, samples);
	if (result->samples && ftell(result->samples) == 0)
		fputs("plan,what,step,repetition,seconds\n", result->samples);
	return !samples || fflush(result->samples) == 0 || cannot_write(fault, samples);
}

bool ex_result_close(ex_result *result, ex_fault *fault)
{
	bool right = true;
	if (result->samples && (fclose(result->samples) != 0))
		right = cannot_write(fault, result->samples_name);
	if (result->file && result->file != stdout && fclose(result->file) != 0)
		right = cannot_write(fault, result->name);
	result->file = result->samples = NULL;
	return right;
}

/* errno says why. */
static void note_failure(ex_result *result, const char *name)
{
	if (!result->failed)
		cannot_write(&result->fault, name);
	result->failed = true;
}

void ex_result_write(ex_result *result, json_t *record)
{
	if (result->file && record && !result->failed) {
		errno = 0;
		bool right = json_dumpf(record, result->file, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 &&
			fputc('\n', result->file) != EOF && fflush(result->file) == 0;
		if (!right)
			note_failure(result, result->name);
	}
	json_decref(record);
}

void ex_result_sample(ex_result *result, const char *plan, const char *what, int step, int repetition, double seconds)
{
	if (!result->samples || result->failed)
		return;
	errno = 0;
	if (fprintf(result->samples, "\"%s\",%s,%d,%d,%.9g\n", plan, what, step, repetition, seconds) < 0)
		note_failure(result, result->samples_name);
}

void ex_result_flush_samples(ex_result *result)
{
	errno = 0;
	if (result->samples && !result->failed && fflush(result->samples) != 0)
		note_failure(result, result->samples_name);
}

void ex_result_error(ex_result *result, const char *plan, const ex_fault *fault)
{
	ex_result_write(result,
		json_pack("{ss ss ss s{ss ss ss si}}", "schema", "shardwalk.run/1", "record", "error", "plan", plan, "error",
			"code", fault->code, "message", fault->message, "hint", fault->hint, "status", fault->status));
}

static json_t *numbers(const int64_t *number, int count)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++)
		json_array_append_new(list, json_integer(number[i]));
	return list;
}

/* The bytes of a value as one number in hexadecimal digits, the most significant first. */
static json_t *value(const unsigned char *bytes, int64_t count)
{
	char text[40] = "0x";
	for (int64_t i = 0; i < count; i++)
		snprintf(text + 2 + 2 * i, 3, "%02x", bytes[count - 1 - i]);
	return json_string(text);
}

json_t *ex_result_wrong(const ex_wrong *wrong, int rank, int64_t element)
{
	if (!wrong->any)
		return json_null();
	json_t *belongs = json_null();
	if (wrong->belongs)
		belongs = json_pack("{so si}", "index", numbers(wrong->origin, rank), "device", wrong->origin_device);
	return json_pack("{si so so so so so sb}", "device", wrong->device, "place", numbers(wrong->place, rank), "index",
		numbers(wrong->index, rank), "expected", value(wrong->expected, element), "found",
		value(wrong->found, element), "belongs", belongs, "belongs_known", wrong->asked);
}
