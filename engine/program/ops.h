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
} sw_work;

/* `count` elements of the result from those of one operand, or of two. */
typedef void sw_each(const void *a, const void *b, void *out, int64_t count);

/* Element by element, by the element types that are computed with. */
typedef struct sw_each_of {
	sw_each *f32, *f64, *i32, *i64;
} sw_each_of;

/* How large a result element by element becomes, from its operands. */
typedef struct sw_growth {
	double factor;    /* of the first operand */
	bool times_other; /* the factor is the bound of the second */
	bool plus_other;
	bool exponential;
} sw_growth;

struct sw_form_lister; /* forms.c */
struct sw_typing;      /* typing.h */

typedef struct sw_computation {
	const char *name;
	const char *about;
	int operands;         /* -1: any number */
	bool statement, call; /* where it is written: as a statement of the program, as a call in a body */
	enum sw_with_sums sums;
	const char *tiles;           /* what a body has to bring, in words */
	const sw_equation *equation; /* that is not written; NULL: there is none, or it is */
	const char *elsewhere;       /* what a refusal adds where it may not be written; NULL: nothing */
	/* the type of the value of a step, where that is said beside it; NULL: by the rule */
	bool (*type)(struct sw_typing *typing, const sw_program_step *step, const sw_value *value, bool typed,
		sw_type *made, sw_diag *diag);
	/* the type of the result, of operands in these types; NULL: it is said beside it */
	bool (*rule)(const sw_mesh *mesh, sw_program_op op, const sw_equation *equation, const sw_type *const *use,
		sw_type *computed, sw_diag *diag);
	/* every choice of types in which operands are used; NULL: it uses them as they lie */
	bool (*forms)(struct sw_form_lister *lister);
	int64_t (*room)(const sw_program *program, int s); /* elements; NULL: none */
	double (*flops)(const sw_program *program, int s); /* of a device; NULL: none */
	double (*seconds)(const sw_machine *machine, const sw_program *program,
		int s);       /* once it has begun; NULL: not known */
	sw_kernel kernel; /* that begins */
	void (*run)(const sw_program *program, int s,
		const sw_work *work); /* on the tiles of a device; NULL: nothing is computed */
	bool (*reference)(const sw_reference *whole, int s, int part, int parts); /* on whole arrays; NULL: they stay */
	/* of a result that is rounded, of `terms` terms; 0: it is a tile in a body */
	sw_extent (*extent)(const sw_program *program, int s, const sw_extent *operand, double terms, double unit);
	/* what is known of the result; false: too much to be exact */
	bool (*expect)(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
		sw_expectation *scratch, sw_expectation *result);
	const sw_each_of *each; /* element by element; NULL: it is not */
	sw_growth growth;
	sw_extent (*each_extent)(sw_extent a, sw_extent b, double unit);
} sw_computation;

const sw_computation *sw_computation_of(sw_program_op op);

/* The operation of this name, or SW_DO_COUNT. */
sw_program_op sw_program_op_named(sw_str name);

/* Is it a word of the language, which names no value? */
bool sw_program_reserved(sw_str name);

/* The equation of SW_DO_MATMUL: ij,jk->ik. */
extern const sw_equation sw_matrix_product;

/* Columns of the table.  Types: type.c, and rules.c. */
bool sw_type_moved(struct sw_typing *typing, const sw_program_step *step, const sw_value *value, bool typed,
	sw_type *made, sw_diag *diag);
bool sw_type_of_body(struct sw_typing *typing, const sw_program_step *step, const sw_value *value, bool typed,
	sw_type *made, sw_diag *diag);
bool sw_rule_moved(const sw_mesh *mesh, sw_program_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag);
bool sw_rule_product(const sw_mesh *mesh, sw_program_op op, const sw_equation *equation, const sw_type *const *use,
	sw_type *computed, sw_diag *diag);
bool sw_rule_unary(const sw_mesh *mesh, sw_program_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag);
bool sw_rule_alike(const sw_mesh *mesh, sw_program_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag);
bool sw_rule_elements(const sw_mesh *mesh, sw_program_op op, const sw_equation *none, const sw_type *const *use,
	sw_type *computed, sw_diag *diag);

/* Forms: forms.c.  To a type that is given; by an equation; letter by letter, each dimension its own; in one type for all, without sums;
 * and with them. */
bool sw_forms_moved(struct sw_form_lister *lister);
bool sw_forms_product(struct sw_form_lister *lister);
bool sw_forms_elements(struct sw_form_lister *lister);
bool sw_forms_whole(struct sw_form_lister *lister);
bool sw_forms_alike(struct sw_form_lister *lister);

/* Work of a device: compute.c. */
int64_t sw_product_room(const sw_program *program, int s);
int64_t sw_body_room(const sw_program *program, int s);
double sw_product_work(const sw_program *program, int s);
double sw_elements_work(const sw_program *program, int s);
double sw_body_work(const sw_program *program, int s);
void sw_product_run(const sw_program *program, int s, const sw_work *work);
void sw_elements_run(const sw_program *program, int s, const sw_work *work);
void sw_body_run(const sw_program *program, int s, const sw_work *work);

/* Its time: seconds.c. */
double sw_product_time(const sw_machine *machine, const sw_program *program, int s);
double sw_elements_time(const sw_machine *machine, const sw_program *program, int s);
double sw_body_time(const sw_machine *machine, const sw_program *program, int s);

/* Whole arrays: reference.c. */
bool sw_product_reference(const sw_reference *whole, int s, int part, int parts);
bool sw_elements_reference(const sw_reference *whole, int s, int part, int parts);
bool sw_body_reference(const sw_reference *whole, int s, int part, int parts);
sw_extent sw_same_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit);
sw_extent sw_product_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit);
sw_extent sw_elements_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit);
sw_extent sw_body_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit);

/* Of sums of `summed` products. */
sw_extent sw_extent_of_products(sw_extent a, sw_extent b, double summed, double unit);

/* What is known of data: data.c. */
bool sw_expect_same(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result);
bool sw_expect_product(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result);
bool sw_expect_elements(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result);
bool sw_expect_body(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result);

#endif
