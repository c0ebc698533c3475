/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as a graph of instructions, which the readers of HLO and of StableHLO both fill.  Types, literals, attributes and
 * locations stay slices of the text until somebody asks.
 */
#ifndef SW_FOREIGN_GRAPH_H
#define SW_FOREIGN_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#include "foreign/module/ops.h"
#include "base/after.h"
#include "program/names.h"

/* In HLO every instruction is the one value that it makes, and both have the same number. */
typedef struct graph_value {
	sw_str name, type; /* name: without `%` */
	sw_str sharding;   /* of an argument that says it; empty: it does not */
	int op, index;     /* the instruction that makes it, and which of its results; op -1: an argument */
	int loop;          /* of an argument: the loop whose values it is one of, -1: none */
} graph_value;

typedef struct graph_instruction {
	hlo_op op;
	bool root;
	bool fused;                /* HLO: it stood in a fusion */
	int computation;           /* that it is in, not in one inside of that */
	int operands, first;       /* operand k is the value graph->operand[first + k] */
	int users;                 /* places where its results are operands; HLO: and 1 for the root */
	int results, first_result; /* StableHLO: values, one after the other */
	int child[2],
		children; /* computations: of a loop its condition and its body, else the first, of which others are next */
	int args, first_arg; /* StableHLO, a loop: what its computations see, values one after the other */
	int callee;          /* StableHLO, a call: the function; -1: none that the module has */
	int64_t line;
	size_t at;          /* StableHLO: byte of the statement */
	sw_str name, shape; /* HLO: of the value */
	sw_str inside;      /* HLO: what stands in the parentheses */
	sw_str word, loc;   /* StableHLO: the operation's name, and what stands in `loc(...)` */
	sw_str attributes;  /* StableHLO: the statement from the operation's name on, without its location */
} graph_instruction;

/* A computation of HLO; in StableHLO a region, as a function, a loop and a branch have. */
typedef struct graph_computation {
	sw_str name; /* of a region inside a function: the function's */
	bool entry;
	int first, count; /* instructions, with those of computations inside */
	int root;         /* the instruction that makes, or returns, what it gives; -1: none */
	int next;         /* of the same instruction, -1: none */
	int loop;         /* the loop that it is the body or the condition of; -1: none */
} graph_computation;

typedef struct graph_function {
	sw_str name;
	int computation;
	int args, first_arg;
	sw_str results; /* `(tensor<...> {...}, ...)` as the text has them */
	size_t at;
	int64_t line;
	int64_t
		makes; /* instructions, with those of what it calls, at most MLIR_MANY; 0: it calls itself, so nobody knows */
} graph_function;

typedef struct graph_mesh {
	sw_str name, text; /* text: `<["x"=4]>` */
} graph_mesh;

typedef struct graph_module {
	sw_str name;
	sw_str front;                 /* HLO: what stands before the first computation */
	sw_str around;                /* StableHLO: where its locations are defined */
	int64_t partitions, replicas; /* 1 where nothing is said */
	const sw_diag *cut; /* HLO: N06, where the text breaks off, and nothing more is read; NULL: it does not */
	int64_t cut_line;   /* StableHLO: where the text ends inside of it; 0: it does not */
	sw_arena *arena;    /* of everything in it */
	int computations, instructions, operands, values, functions, meshes;
	graph_computation *computation;
	graph_instruction *instruction;
	int32_t *operand;   /* values; -1: not there */
	graph_value *value; /* NULL: HLO */
	graph_function *function;
	graph_mesh *mesh;
	graph_mesh given;    /* StableHLO: what a mesh is that no line defines; text empty: not known */
	sw_names names;      /* of computations of HLO, of functions of StableHLO */
	sw_names mesh_names; /* of several meshes or functions with one name the first */
	struct mlir_locs *locs;
} graph_module;

#define HLO_DIMS 32 /* of a local tensor, with the dimensions that reshapes add for a while */

typedef struct hlo_shape {
	bool typed; /* dtype is one of ours */
	sw_dtype dtype;
	int rank;
	int64_t dim[HLO_DIMS];
	bool laid_out;
	int major[HLO_DIMS]; /* dimensions from the major-most in memory to the innermost */
} hlo_shape;

/* The value that is operand k of an instruction, or -1. */
int graph_operand(const graph_module *module, int instruction, int k);
int graph_operand_of(const graph_module *module, const graph_instruction *at, int k);

/* The instruction that makes a value; -1: it is an argument, or none. */
int graph_maker(const graph_module *module, int value);

/* As the text has it; empty where the value is -1, or the text does not say it. */
sw_str graph_type(const graph_module *module, int value);

/* The number after a key in the header of a module, from 1 on; as it was where there is none. */
void graph_header_number(sw_str line, const char *key, int64_t *number);

/* The number after the largest one below `limit` in a text, `{{0,1},{2,3}}`; 1: there is none. */
int64_t graph_behind_all(sw_str text, int64_t limit);

#endif
