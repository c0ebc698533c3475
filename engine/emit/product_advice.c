/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints around a product as lines for one's own program.
 */
#include <shardwalk/emit.h>

#include "emit/dtensor.h"
#include "emit/mlir.h"

typedef struct lines {
	const sw_product_advice *advice;
	const sw_product *product;
	const char *const *name;
	sw_text *text;
} lines;

static void add_call(const lines *l, const char *function)
{
	sw_text_addf(l->text, "%s = %s(\"", l->name[2], function);
	sw_equation_print(&l->product->equation, l->text);
	sw_text_addf(l->text, "\", %s, %s)\n", l->name[0], l->name[1]);
}

static void add_dtensor(const lines *l, int side, const sw_type *to)
{
	sw_text_addf(l->text, "%s = %s", l->name[side], l->name[side]);
	sw_dtensor_redistribute(l->text, &l->product->mesh, to, NULL);
	sw_text_add_char(l->text, '\n');
}

static void add_shardy(const lines *l, int side)
{
	sw_text_addf(l->text, "%%%s_here = ", l->name[side]);
	sw_shardy_constraint(l->text, &l->product->mesh, &l->advice->type[side], l->name[side]);
}

void sw_emit_product_advice(sw_advise_target target, const sw_product *product, const sw_product_advice *advice,
	const char *const name[3], sw_text *text)
{
	const lines l = {advice, product, name, text};

	for (int side = 0; side < 3; side++) {
		if (side == 2 && target != SW_ADVISE_SHARDY)
			add_call(&l, target == SW_ADVISE_JAX ? "jnp.einsum" : "torch.einsum");
		if (side == 2 && target == SW_ADVISE_DTENSOR && !sw_type_equal(&advice->multiplied[2], &product->as))
			add_dtensor(&l, side, &product->as);
		if (!advice->constrained[side])
			continue;
		if (target == SW_ADVISE_JAX)
			sw_python_constraint(text, name[side], "mesh", &product->mesh, &advice->type[side]);
		else if (target == SW_ADVISE_SHARDY)
			add_shardy(&l, side);
		else if (side < 2)
			add_dtensor(&l, side, &advice->type[side]);
	}
}
