/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences below the lines of advice: so much is saved, or more or less, and why.
 */
#include "command/advise/advise_sure.h"

#include <assert.h>

#include "views/draw.h"

/* Nothing else uses the value: then it depends on what the value has before the lines, and on the way back. */
static void say_alone(const struct advice_picture *picture, sw_text *text)
{
	if (!picture->said)
		sw_text_add(text,
			"Nothing else in the module uses x, but the compiler chose its first sharding and may choose "
			"another one\nthen: more or less may be saved. Compile again to see.\n");
	else if (picture->back != NULL)
		sw_text_add(text,
			"Nothing else in the module uses x: forward, the lines save as much as stated; backward, that or "
			"less,\nbecause the gradient may arrive in another sharding.\n");
	else
		sw_text_add(text, "Nothing else in the module uses x: the lines save as much as stated.\n");
}

/* What else uses the value gets it as the last line leaves it. */
static void say_uses(const struct advice_picture *picture, sw_text *text)
{
	bool counted = picture->others > 0 && !picture->gradient;

	sw_text_addf(text, "Other uses of x%s get it as the last line leaves it, and may move more or less%s\n",
		picture->back != NULL && !picture->gradient ? ", in the gradient too," : "", counted ? ":" : ".");
	if (counted)
		sw_text_addf(text, "%s of the module.\n",
			words_plural(picture->others, "other operation", "other operations").text);
}

void advise_sure_warning(const struct advice_picture *picture, sw_text *text)
{
	assert(picture->others >= -1);
	if (picture->alike == 0)
		return;
	if (picture->back == NULL)
		sw_text_add(text, "\n");
	if (picture->chosen)
		sw_text_add(text,
			"The partitioner chose the second sharding for the uses of the value, and may choose another one "
			"then:\nmore or less may be saved. Compile again to see.\n");
	else
		(picture->others == 0 && !picture->gradient ? say_alone : say_uses)(picture, text);
	if (picture->alike > 1)
		sw_text_addf(text, "The warning came %lld times, about similar values: each needs lines of its own.\n",
			(long long)picture->alike);
}

void advise_sure_row(const struct kept_left_out *kept, bool lines, sw_text *text)
{
	const char *const sentences[] = {kept->bound, lines ? kept->unsure : NULL};

	for (int k = 0; k < 2; k++)
		if (sentences[k] != NULL)
			sw_text_addf(text, "\n%s\n", sentences[k]);
}
