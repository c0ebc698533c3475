/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds: what a machine takes for a step of a plan.
 *
 * A step takes alpha for each of its rounds, the time for the bytes that cross to other devices, and the time for packing
 * them where the moved blocks are not whole in memory.  What stays on the device is not counted.  Under the model `roofline` it
 * takes the longer of its hops and its bytes.
 */
#ifndef SHARDWALK_COST_H
#define SHARDWALK_COST_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/plan.h>

#pragma GCC visibility push(default)

/* Parameters for one operation in groups of one size, at one amount of bytes per device. */
typedef struct sw_rate {
	sw_op op;
	int64_t group;    /* devices that work together; 0: any */
	int64_t bytes;    /* per device that it was found at; 0: any */
	double alpha;     /* seconds per round */
	double bandwidth; /* bytes per second and device */
	double copy;      /* bytes per second and device, of packing on one side */
} sw_rate;

/* How many times as long the bytes of a step take that lie in runs of so many bytes, of which one in `parts` is wanted at a
 * time: 1 at least.  Runs of whole lines (multiples of SW_LINE bytes) and of powers of two below are measured apart. */
typedef struct sw_run_rate {
	int64_t bytes;
	int64_t parts; /* 0: any number */
	double source, target,
		both;     /* where they are runs in the source, in the target, in both, with runs of the same length */
	double slice; /* in the source of a slice: nobody reads the rest */
	double sum;   /* in the source of a sum: a piece of every term is read at a time */
	int64_t tile; /* bytes of the tiles in which it was found: small ones stay in a cache; 0: any */
} sw_run_rate;

#define SW_LINE 64

/* What a device computes in one go: a product of matrices; relu, neg or scale; add or mul; exp. */
typedef enum sw_kernel {
	SW_KERNEL_PRODUCT,
	SW_KERNEL_EACH,
	SW_KERNEL_PAIRS,
	SW_KERNEL_EXP,
	SW_KERNEL_COUNT
} sw_kernel;

/* "product", "each", "pairs", "exp", and back; SW_KERNEL_COUNT: there is none of this name. */
const char *sw_kernel_name(sw_kernel kernel);
sw_kernel sw_kernel_named(sw_str name);

/* How fast it computes: a product at 3 / (1/m + 1/n + 1/k), the harmonic mean of its sizes; all else at the bytes that are read and
 * written.  Of f32: a product of f64 takes twice as long. */
typedef struct sw_kernel_rate {
	sw_kernel kernel;
	int64_t size; /* that it was found at */
	double alpha; /* seconds to begin */
	double rate;  /* per second and device: floating-point operations of a product, else bytes */
} sw_kernel_rate;

typedef struct sw_hardware sw_hardware; /* hardware.h */

/* A machine is its rates: by the formulas of hardware, or measured ones.  Of these the nearest group size counts; between
 * two amounts of bytes, two lengths of runs, two numbers of parts and two sizes of tiles it is interpolated. */
struct sw_machine {
	const char *name;            /* of the hardware, as `hardware` lists it; may be NULL */
	double start;                /* seconds to begin one pass of packing */
	bool links;                  /* links that the mesh gives to its axes replace alpha and bandwidth there */
	bool roofline;               /* a step takes the longer of its hops and its bytes; it has hardware */
	const sw_hardware *hardware; /* NULL: what is measured */
	int count;
	const sw_rate *rate;
	int runs;               /* longer runs than any take no longer than whole tiles */
	const sw_run_rate *run; /* by ascending bytes for each number of parts and size of tiles */
	int kernels;
	const sw_kernel_rate *kernel; /* by ascending size for each; what was not measured takes no known time */
	/* a machine that prices steps with groups by itself, below 0 where it cannot; NULL: by its rates */
	double (*seconds)(const sw_machine *machine, const sw_plan *plan, int step);
	const void *own; /* what it knows then */
};

/* The machine of the model `latency`: round figures of a fast network. */
const sw_machine *sw_machine_default(void);

/* The same for any model in seconds; `calibrated` has none of its own, and gets that of `latency`. */
const sw_machine *sw_machine_of_model(sw_model model);

/* What a step asks of a machine, per device. */
typedef struct sw_load {
	int64_t group; /* devices that work together */
	int64_t rounds;
	double bytes;      /* that come from another device */
	double tile;       /* bytes of the larger of its tiles, before and after */
	double packed;     /* bytes that are packed or unpacked: counted once for each side */
	int64_t passes;    /* of packing */
	double source_run; /* bytes of the contiguous runs in which what is copied lies in the source; 0: whole tiles */
	double target_run;
	double source_parts; /* of how many runs this is one, of those between which no more than a page lies */
	double target_parts;
} sw_load;

/* The load of step `step` (from 0). */
void sw_step_load(const sw_plan *plan, int step, sw_load *load);

/* Predicted seconds of step `step` (from 0), of all steps for step < 0; negative where the machine has no rate for it. */
double sw_predict_seconds(const sw_plan *plan, int step, const sw_machine *machine);

/* Seconds of `amount` operations or bytes by one kernel at a size, without its beginning: between two sizes the rate is interpolated,
 * beyond them it is the nearest.  Negative where none was measured. */
double sw_kernel_seconds(const sw_machine *machine, sw_kernel kernel, double size, double amount);

/* Seconds that a kernel takes to begin, of those that were measured; 0: none was. */
double sw_kernel_start(const sw_machine *machine, sw_kernel kernel);

/* Floating-point operations a second: those of the hardware, or of the fastest product that was measured; 0: not known. */
double sw_machine_flops(const sw_machine *machine);

/* Seconds that a step needs for its hops, and for its bytes: under the model `roofline` it takes the longer of the two. */
typedef struct sw_roofline {
	double hops, bytes;
} sw_roofline;

/* What bounds step `step` (from 0) on a machine of that model. */
sw_roofline sw_predict_roofline(const sw_plan *plan, int step, const sw_machine *machine);

static inline double sw_roofline_seconds(sw_roofline bound)
{
	return bound.hops > bound.bytes ? bound.hops : bound.bytes;
}

/* "latency" or "bandwidth". */
static inline const char *sw_roofline_bound(sw_roofline bound)
{
	return bound.hops >= bound.bytes ? "latency" : "bandwidth";
}

#pragma GCC visibility pop

#endif
