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

void ex_result_write(ex_result *result, const sw_record *record)
{
	if (!result->file || result->failed)
		return;
	sw_text text = {0};
	sw_record_write(record, &text);
	sw_text_add_char(&text, '\n');
	errno = 0;
	bool right = !text.failed && fwrite(text.data, 1, text.length, result->file) == text.length &&
		fflush(result->file) == 0;
	if (!right)
		note_failure(result, result->name);
	sw_text_free(&text);
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
	sw_record record;
	const sw_record_error error = {fault->code, fault->message, fault->hint, fault->status};
	sw_record_start(SW_RECORD_ERROR, &record);
	record.plan = plan;
	record.error = &error;
	ex_result_write(result, &record);
}
