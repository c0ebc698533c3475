/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The policies of the search over layouts: what one is asked within, what it sees, and what it says.
 */
#ifndef SW_SEARCH_POLICY_H
#define SW_SEARCH_POLICY_H

#include <shardwalk/cost.h>
#include <shardwalk/diag.h>

#include "search/moves.h"
#include "search/store.h"

typedef struct sw_search_limits {
	sw_model model;            /* of elements */
	const sw_machine *machine; /* of seconds */
	bool multi_dim;
	unsigned without;    /* bit 1 << sw_op */
	int64_t budget;      /* largest tile */
	int64_t live_budget; /* largest sum of two tiles; 0: none */
	int64_t below;       /* only plans that cost less are of interest */
	int64_t most_edges;  /* give up after so many */
	int64_t most_bytes;  /* or where states would take more; 0: SW_SEARCH_MEMORY */
	const sw_pulse *pulse;
	/* > 0: `below` is above the least cost, and of its ways the one with the least `minor` is wanted, which is at most this; on a
	 * mesh of one prime, under the model paper */
	int64_t tie;
	int64_t scale;                /* of types with sums: costs are counted in parts of an element */
	const struct sw_to_go *to_go; /* and what is missing from local types */
	bool blanks; /* see sw_moves_blank: of paths that are found blanks are named, or their count is 0 */
} sw_search_limits;

/* What the policy `seconds` knows of the machine. */
typedef struct sw_seconds {
	double bytes;                    /* of an element */
	double alpha, bandwidth;         /* the best there is */
	bool placed;                     /* it matters which devices work together */
	double over[SW_MAX_PRIME_PARTS]; /* seconds of a permutation over a part, of tiles as large as those of `to` */
} sw_seconds;

typedef struct sw_policy sw_policy;

typedef struct sw_search {
	const sw_space *space;
	const sw_search_limits *limits;
	const sw_policy *policy;
	sw_moves moves;
	sw_store store;
	int32_t node; /* whose moves are being made */
	sw_state at;  /* and what is known of it */
	bool sliced;  /* in a normal form: only alltoalls, a permutation and the way home follow */
	bool permuted;
	bool stopped; /* the pulse said so */
	int64_t tie;  /* the least `minor` of a way that is known, where that is wanted */
	uint8_t goal[SW_MAX_KEY + 1];
	sw_bound_rule rule;
	sw_seconds seconds;
} sw_search;

struct sw_policy {
	const char *what;  /* is counted */
	bool once;         /* one permutation has to be on the way */
	bool homeward;     /* the gathers home are one edge, to a state of its own */
	bool whole_slices; /* slices cost something: all of them are one edge */

	/* Fills what the policy keeps; rows are those of layouts. */
	void (*init)(sw_search *search);

	/* The cost of the edge from moves.before to moves.now; negative: it may not be taken. */
	int64_t (*price)(const sw_search *search);

	/* What is at least missing from moves.now, in a normal form `sliced`; SW_NEVER: the goal cannot be reached. */
	int64_t (*bound)(const sw_search *search, bool sliced, bool permuted);

	/* Offers what else leads on from moves.now. */
	void (*extra)(sw_search *search);

	/* May one of the moves by moves.op that swap, from moves.now without the sums that it finishes, be of interest?  NULL: yes. */
	bool (*hope)(const sw_search *search);
};

/* Under limits->model. */
extern const sw_policy sw_policy_elements;

/* Costs are picoseconds, on limits->machine: with permutations that may pay; and with all, so that what it finds, or does not
 * find, is proved. */
extern const sw_policy sw_policy_seconds, sw_policy_seconds_all;

/* The optimum over local types, which bounds every plan, and the same with one permutation on the way.  Paths have no gathers
 * home. */
extern const sw_policy sw_policy_local, sw_policy_permuted;

/* Of layouts with sums: costs are counted in parts of elements, limits->scale of them, and limits->to_go says what is missing. */
extern const sw_policy sw_policy_sums, sw_policy_sums_all; /* without permutations, and with all */

#define SW_PICO 1e12

/* Of the parts that neither end uses, and that are cut in one way, makes those alike of which `alike` says so. */
void sw_search_alike(sw_search *search, bool (*alike)(const sw_search *search, int a, int b));

/* Do two parts split by the same prime?  Where costs count elements these are alike. */
bool sw_search_of_one_prime(const sw_search *search, int a, int b);

/* Offers what stands in moves.now by moves.op. */
void sw_search_offer(sw_search *search);

/* Offers the gathers home, which cost so much more. */
void sw_search_offer_home(sw_search *search, int64_t cost, int steps);

static inline bool sw_search_allows(const sw_search *search, sw_op op)
{
	return (search->limits->without >> op & 1) == 0;
}

static inline bool sw_search_live(const sw_search *search, int64_t before, int64_t after)
{
	return search->limits->live_budget == 0 || before + after <= search->limits->live_budget;
}

#endif
