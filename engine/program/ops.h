/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of what programs compute: of each operation its words and its functions, for those who read, type and execute programs.
 */
#ifndef SW_PROGRAM_OPS_H
#define SW_PROGRAM_OPS_H

#include <shardwalk/cost.h>
#include <shardwalk/simulate.h>

/* The largest absolute value of an array, and how far it may be off. */
typedef struct sw_extent {
	double most, error;
} sw_extent;

/* What a device, or the whole array, has to work with. */
typedef struct sw_work {
	const void *const *operand;
	void *result, *room;
	const sw_multiplier *by; /* NULL: letter by letter */
	int64_t device;          /* whose tiles they are */
} sw_work;

/* `count` elements of the result from those of one operand, or of two. */
typedef void sw_each(const void *a, const void *b, void *out, int64_t count);

/* Element by element, by the element types that are computed with; and as C of `a[i]` and `b[i]`, whose type is `value`: in the type
 * `number` nothing overflows without a rule, and EXP(x) is e to the power of x. */
typedef struct sw_each_of {
	sw_each *f32, *f64, *i32, *i64;
	const char *c;
} sw_each_of;

/* How a result becomes larger than its operands, and what is rounded with it. */
typedef enum sw_growth {
	SW_GROWS_NOT,
	SW_GROWS_TWICE,
	SW_GROWS_AS_SUM,
	SW_GROWS_AS_PRODUCT,
	SW_GROWS_AS_POWER, /* of e */
	SW_GROWTHS
} sw_growth;

/* How a result is made. */
typedef enum sw_making {
	SW_MADE_BY_PLAN, /* it is not computed */
	SW_MADE_BY_BODY,
	SW_MADE_BY_PRODUCT,
	SW_MADE_BY_ELEMENT,
	SW_MADE_BY_FORMULA,
	SW_MADE_AT_START, /* of a schedule ... */
	SW_MADE_BY_MESSAGES,
	SW_MADE_BY_LEAF,
	SW_MAKINGS
} sw_making;

struct sw_form_lister; /* forms.c */
struct sw_typing;      /* typing.h */

/* Columns of the tables.  The type of the value of a step, where that is said beside it. */
typedef bool sw_typer(struct sw_typing *typing, const sw_step *step, const sw_value *value, bool typed, sw_type *made,
	sw_diag *diag);
/* The type of a result, of operands in these types. */
typedef bool sw_rule(const sw_mesh *mesh, sw_op op, const sw_equation *equation, const sw_type *const *use,
	sw_type *computed, sw_diag *diag);
/* Adds every choice of types in which operands are used. */
typedef bool sw_former(struct sw_form_lister *lister);
/* Of step `s`, on a device: the elements of room, the operations, the seconds once it has begun (negative: not known), the work. */
typedef int64_t sw_room_of(const sw_program *program, int s);
typedef double sw_flops_of(const sw_program *program, int s);
typedef double sw_seconds_of(const sw_machine *machine, const sw_program *program, int s);
typedef bool sw_runner(const sw_program *program, int s, const sw_work *work); /* false: no memory */
/* The same on whole arrays. */
typedef bool sw_referrer(const sw_reference *whole, int s, int part, int parts);
/* Of a result that is rounded, of `terms` terms; 0: it is a tile in a body. */
typedef sw_extent sw_extent_of(const sw_program *program, int s, const sw_extent *operand, double terms, double unit);
/* What is known of a result; false: too much to be exact. */
typedef bool sw_expecter(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result);

/* What operations have in common whose results are made alike. */
typedef struct sw_workings {
	const char *rule;  /* its name */
	const char *tiles; /* what a body has to bring, in words */
	sw_typer *type;    /* NULL: by the rule */
	sw_room_of *room;  /* NULL: none */
	sw_flops_of *flops;
	sw_seconds_of *seconds;
	sw_runner *run;         /* NULL: nothing is computed */
	sw_referrer *reference; /* NULL: whole arrays stay */
	sw_extent_of *extent;
	sw_expecter *expect;
	bool sends;  /* and then messages bring something, though not by a plan */
	bool shares; /* its whole array is that of its first operand */
} sw_workings;

/* In the words of other languages; NULL where these have none. */
typedef struct sw_words {
	const char *python;   /* `%a` and `%b` are operands, `%n` is the module, and `negative` negates */
	const char *outside;  /* the same outside bodies, where that differs */
	const char *jax;      /* the last word of a call that is read */
	bool jax_sums;        /* JAX has a rule for operands that are sums */
	const char *torch;    /* a function of tiles */
	const char *mlir;     /* an operation of StableHLO, ... */
	const char *constant; /* ... and the second operand of what is a function of one */
	const char *c;        /* the name of a function */
} sw_words;

typedef struct sw_operation {
	sw_making made;
	int operands;                /* -1: any number */
	bool statement, call;        /* where it is written: as a statement of the program, as a call in a body */
	const char *elsewhere;       /* what a refusal adds where it may not be written; NULL: nothing */
	const sw_equation *equation; /* that is not written; NULL: there is none, or it is */
	sw_rule *rule;               /* NULL: the type is said beside it */
	sw_former *forms;            /* NULL: it uses operands as they lie */
	sw_kernel kernel;            /* that begins */
	const sw_each_of *each;      /* element by element; NULL: it is not */
	sw_growth grows;
	sw_words words;
} sw_operation;

const sw_operation *sw_operation_of(sw_op op);
const sw_workings *sw_workings_of(sw_op op);

/* The operation of this name, or SW_OP_COUNT. */
sw_op sw_operation_named(sw_str name);

/* Adds the names of those that are written as statements, or as calls: `relu, exp`. */
void sw_operations_list(bool calls, sw_text *text);

/* Is it a word of the language, which names no value? */
bool sw_program_reserved(sw_str name);

/* The operation of steps of a schedule that do this. */
sw_op sw_op_that_does(sw_does does);

/* The equation of SW_MATMUL: ij,jk->ik. */
extern const sw_equation sw_matrix_product;

sw_typer sw_type_moved, sw_type_of_body;

/* Of a product; of one operand, which is to be whole, or may be a sum; of two in one type; of two, letter by letter. */
sw_rule sw_rule_product, sw_rule_whole, sw_rule_unary, sw_rule_alike, sw_rule_elements;

/* To a type that is given; by an equation; letter by letter, each dimension its own; in one type for all, without sums; and with them. */
sw_former sw_forms_moved, sw_forms_product, sw_forms_elements, sw_forms_whole, sw_forms_alike;

sw_room_of sw_product_room, sw_body_room;
sw_flops_of sw_product_work, sw_elements_work, sw_body_work, sw_formula_flops, sw_iteration_flops;
sw_seconds_of sw_product_time, sw_elements_time, sw_body_time, sw_formula_time, sw_iteration_time;
sw_runner sw_product_run, sw_elements_run, sw_body_run, sw_formula_execute, sw_iteration_begin, sw_iteration_compute;
sw_referrer sw_product_reference, sw_elements_reference, sw_body_reference, sw_formula_reference,
	sw_iteration_reference, sw_start_reference;
sw_extent_of sw_same_extent, sw_product_extent, sw_elements_extent, sw_body_extent, sw_formula_extent,
	sw_iteration_extent;
sw_expecter sw_expect_same, sw_expect_product, sw_expect_elements, sw_expect_body, sw_expect_formula,
	sw_expect_iteration;

#endif
