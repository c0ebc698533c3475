/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of appendix A of the paper on placements, as they are installed with the samples: samples/placement/published.jsonl.
 */
#include "command/placement/measured.h"

static const char *const published[] = {
#include "placement/published.lines"
};

void measured_published(sw_text *text)
{
	for (size_t i = 0; i < sizeof published / sizeof *published; i++)
		sw_text_add(text, published[i]);
}
