/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Diagnostics: errors as values with a code, a position, what was expected, what was found, and a hint.
 *
 * A function that can fail returns false (or NULL) and fills the sw_diag it was given, which may be NULL.
 * Nothing else has changed then: out-parameters keep what they held.  The front end draws the diagnostic;
 * the engine only says what is wrong.
 *
 * Wording: the message starts in lower case, names the subject in single quotes, ends without a full stop,
 * and says what is wrong; only the hint says what to do.
 */
#ifndef SHARDWALK_DIAG_H
#define SHARDWALK_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

/* One row a code: the letter is the subject (L language, M mesh, T type, C collective, A arithmetic, F formulas, S search,
 * P plan file and its verification, B batch and files, N notations of others, D where arrays lie and loops run, E environment).  The long explanations are rows of
 * engine/base/codes.c; `explain CODE` prints them. */
#define SW_CODES(X) \
	X(L01, "unknown command") \
	X(L02, "wrong argument") \
	X(L03, "missing argument") \
	X(L04, "too many arguments") \
	X(L05, "unknown option") \
	X(L06, "unbalanced bracket or quote") \
	X(L07, "nothing defined yet") \
	X(L08, "unknown name") \
	X(L09, "ambiguous word") \
	X(L10, "text with invalid bytes") \
	X(L11, "not a number") \
	X(L12, "number out of range") \
	X(L13, "value out of range") \
	X(L14, "depends on a statement that failed") \
	X(L15, "read-only session") \
	X(M01, "mesh syntax") \
	X(M02, "axis named twice") \
	X(M03, "axis size") \
	X(M04, "too many axes") \
	X(M05, "too many devices") \
	X(M06, "axis name") \
	X(M07, "link of an axis") \
	X(T01, "type syntax") \
	X(T02, "unknown axis") \
	X(T03, "axis used twice") \
	X(T04, "sizes do not multiply") \
	X(T05, "size") \
	X(T06, "too many dimensions") \
	X(T07, "unknown element type") \
	X(T08, "part of an axis") \
	X(T09, "different arrays") \
	X(T10, "array too large") \
	X(T11, "sums") \
	X(T12, "word as a name") \
	X(T13, "blocks and rounds") \
	X(T14, "stated pieces") \
	X(T15, "rule of sizes") \
	X(T16, "word after a type") \
	X(T17, "not a tile type") \
	X(C01, "unknown operation") \
	X(C02, "operation arguments") \
	X(C03, "no such dimension") \
	X(C04, "axis already in use") \
	X(C05, "tile not divisible") \
	X(C06, "dimension not partitioned") \
	X(C07, "factor not made of the innermost axes") \
	X(C08, "same dimension gathered and split") \
	X(C09, "gathered and split by different factors") \
	X(C10, "tiles of different shape") \
	X(C11, "factor not made of unused axes") \
	X(C12, "not among the sums") \
	X(C13, "sums of different products") \
	X(C14, "sum that does not divide the tile") \
	X(A01, "program syntax") \
	X(A02, "equation of a product") \
	X(A03, "letters and dimensions") \
	X(A04, "letter of two sizes") \
	X(A05, "letter cut differently") \
	X(A06, "axis that cuts two letters") \
	X(A07, "terms that do not pair") \
	X(A08, "function of a sum") \
	X(A09, "operands of different types") \
	X(A10, "undefined name") \
	X(A11, "number of parameters") \
	X(A12, "parameter of another tile") \
	X(A13, "local operation") \
	X(A14, "local type as written") \
	X(A15, "result of another tile") \
	X(A16, "result not determined") \
	X(A17, "redistribution of another array") \
	X(A18, "return of another type") \
	X(A19, "name defined twice") \
	X(F01, "formula syntax") \
	X(F02, "array without a type") \
	X(F03, "indices and dimensions") \
	X(F04, "letter of two sizes") \
	X(F05, "letter twice") \
	X(F06, "left side on the right") \
	X(F07, "index that is not affine") \
	X(F08, "left side with more than letters") \
	X(F09, "letter without a size") \
	X(F10, "letter as an array") \
	X(F11, "outside of a function") \
	X(F12, "graph of a formula") \
	X(F13, "place of a formula") \
	X(F14, "too large a formula") \
	X(F15, "formula that no schedule computes") \
	X(F17, "result that is not an input") \
	X(F18, "two names of one result") \
	X(F19, "arrays of different element types") \
	X(D11, "schedule syntax") \
	X(D12, "unknown command of a schedule") \
	X(D13, "arguments of a command") \
	X(D14, "unknown loop") \
	X(D15, "loop that no longer exists") \
	X(D16, "name already in use") \
	X(D17, "number of pieces") \
	X(D18, "loop named twice") \
	X(D19, "loops not nested") \
	X(D20, "loop in space") \
	X(D21, "loop of threads") \
	X(D22, "rotation by itself") \
	X(D23, "rotation by a loop inside") \
	X(D24, "loop of a rotation") \
	X(D25, "rotation in space") \
	X(D26, "loop that communicates") \
	X(D27, "communicated twice") \
	X(D28, "unknown array") \
	X(D29, "race") \
	X(D30, "not a part of the statement") \
	X(D31, "not the innermost loops") \
	X(D32, "unknown kernel") \
	X(D33, "kernel of another statement") \
	X(D34, "communication in a kernel") \
	X(D35, "more loops in space than axes") \
	X(D36, "more iterations than processors") \
	X(D40, "machine of an algorithm") \
	X(D41, "steps of an algorithm") \
	X(D42, "splits of COSMA") \
	X(R01, "chunks differ") \
	X(R02, "added twice") \
	X(R03, "indivisible") \
	X(R04, "counts differ") \
	X(R05, "same chunk") \
	X(R06, "root knows less") \
	X(R07, "nothing new") \
	X(R08, "nothing there") \
	X(R09, "axis not summed over") \
	X(S01, "budget too small") \
	X(S02, "no plan") \
	X(S03, "stopped") \
	X(S04, "unknown strategy") \
	X(S05, "unknown cost model") \
	X(S06, "no such node") \
	X(S07, "nowhere to step") \
	X(S08, "too many devices for a map") \
	X(S09, "cost overflows") \
	X(S10, "not calibrated") \
	X(S11, "unknown hardware") \
	X(P01, "not a plan") \
	X(P02, "plan of another version") \
	X(P03, "plan that contradicts itself") \
	X(P04, "wrong element") \
	X(P05, "step that is not a collective") \
	X(P06, "plan that a format cannot express") \
	X(P07, "steps that do not end on `to`") \
	X(P08, "refuted statement") \
	X(B01, "cannot read") \
	X(B02, "cannot write") \
	X(B03, "bad line") \
	X(B04, "not JSON") \
	X(N01, "notation syntax") \
	X(N02, "no tiles to plan with") \
	X(N03, "unknown mesh or shape") \
	X(N04, "list of devices") \
	X(N05, "shardings that do not meet") \
	X(N06, "not an HLO module") \
	X(N07, "nothing to import") \
	X(N08, "in no known notation") \
	X(N09, "more than can be read") \
	X(D01, "levels of a placement") \
	X(D02, "dimensions of a placement") \
	X(D03, "axes of a placement") \
	X(D04, "name twice in a placement") \
	X(D05, "unknown name in a placement") \
	X(D06, "coordinate of a placement") \
	X(E01, "out of memory") \
	X(E02, "missing program or library") \
	X(E03, "terminal") \
	X(E04, "run that ended early")

typedef enum sw_code {
	SW_OK,
#define X(name, title) SW_##name,
	SW_CODES(X)
#undef X
		SW_CODE_COUNT
} sw_code;

/* Bytes [begin, end) of the text that was read.  begin == end == 0: no position. */
typedef struct sw_span {
	size_t begin;
	size_t end;
} sw_span;

/* Names of rules of typing that a refusal may give beside its code. */
#define SW_RULE_SUM "WF-SUM" /* the sums of a type */

typedef struct sw_diag {
	sw_code code;
	const char *rule; /* the rule of typing that is broken, a constant; NULL: the code says all */
	sw_span at;       /* what is wrong */
	sw_span also;     /* the second position, where two disagree; empty otherwise */
	char message[256];
	char also_label[96]; /* what the second position has to do with it */
	char expected[192];
	char found[192];
	char hint[320];
} sw_diag;

/* Fill a diagnostic (NULL is fine).  sw_diag_set starts it anew and returns false, so that a function can
 * say `return sw_diag_set(...)`; the others add to it.  Text that is too long ends in "...". */
bool sw_diag_set(sw_diag *diag, sw_code code, sw_span at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void sw_diag_expected(sw_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sw_diag_found(sw_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sw_diag_hint(sw_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sw_diag_also(sw_diag *diag, sw_span also, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Moves both positions by `offset` bytes: for a caller that handed on a part of its text. */
void sw_diag_shift(sw_diag *diag, size_t offset);

/* Says that memory ran out (E01); returns false. */
bool sw_diag_memory(sw_diag *diag);

/* What `explain` tells of a code. */
typedef struct sw_code_info {
	const char *name;    /* "T04" */
	const char *title;   /* "sizes do not multiply" */
	const char *rule;    /* the rule and its reason, a few sentences */
	const char *example; /* input that breaks it and input that keeps it, as lines of the language */
} sw_code_info;

/* The row of a code; of SW_OK and unknown codes NULL. */
const sw_code_info *sw_code_info_of(sw_code code);

/* Does the code say that the machine lacks something: memory, a program, a terminal, ranks, room to write?  Programs end with
 * a status of its own then, 3, the same for each such code. */
bool sw_code_is_lack(sw_code code);

/* The code with this name, in either case; SW_OK where there is none. */
sw_code sw_code_named(const char *name, size_t length);

/* Errors as files of cases about schedules name them, `tensor-rank` of a `distribution`: one row each. */
typedef struct sw_error_row {
	const char *of;   /* statement, distribution, schedule, lowering */
	const char *name; /* "tensor-rank" */
	sw_code code;
} sw_error_row;

/* The rows, NULL after the last. */
const sw_error_row *sw_error_at(int n);

/* The rules of typing by the names that refusals give, in the order of figures 7 to 9 and of the rules for global
 * statements, each with a code that its breach has; a rule may stand in several rows, of T-SPMD and EINSUM a row is a
 * premise.  NULL after the last. */
typedef struct sw_rule_row {
	const char *rule; /* "E-SHARED" */
	sw_code code;
} sw_rule_row;

const sw_rule_row *sw_rule_at(int n);

/* May the work go on?  Long work asks this now and then; false stops it with code S03, and what was found
 * until then is kept.  `done` and `total` count the unit the caller named (total 0: unknown). */
typedef struct sw_pulse {
	bool (*go_on)(void *context, const char *what, long long done, long long total);
	void *context;
} sw_pulse;

/* True where `pulse` is NULL or says so. */
bool sw_pulse_beat(const sw_pulse *pulse, const char *what, long long done, long long total);

#pragma GCC visibility pop

#endif
