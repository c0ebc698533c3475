/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map of the engine, folder by folder; a folder includes itself and those before it.
 *
 * The path of a redistribution, from its text to a plan that others run:
 *
 *     array/problem.c reads FROM ~> TO; plan/find.c asks a strategy (plan/find_*.c), which searches (search/) or does
 *     what another system does (peers/) and lowers the result to types and maps (plan/lower*.c); plan/total.c adds up,
 *     plan/group.c says who works with whom, step/transfers.c who sends what; plan/check.c derives everything again,
 *     plan/verify.c executes it here, plan/json_write.c writes it for the executor, emit/ for other systems.
 *
 * What the program may call stands in include/shardwalk/, a header a subject.  `make lint` compares this page with the folders.
 *
 * base/  what everything stands on
 *
 *     after.c              what follows a word, and digits at the start
 *     arena.c              memory that is freed at once
 *     codes.c              what `explain CODE` tells: rule, reason, example of every error
 *     counter.c            how often a loop runs that counts
 *     decode.c             text as files have it: UTF-8, UTF-16, bytes that are none
 *     diag.c               errors as values, and the pulse that long work asks whether it may go on
 *     heap.c               a binary heap that knows where its items stand
 *     json_fields.c        structs as tables of fields, both ways
 *     json_locate.c        finding a value again in a JSON text that a parser has accepted
 *     json_read.c          values by key, with positions in errors
 *     json_write.c         the JSON writer, and errors as JSON
 *     keys.c               a table of keys of bytes
 *     number.c             checked arithmetic, prime factors, and numbers as text
 *     python.c             values in Python syntax: calls, lists, dictionaries, item by item
 *     scan.c               the scanner of meshes and types
 *     text.c               slices, edit distance, and the growing buffer
 *     version.c            which version wrote a document
 *
 * index/  how devices and pieces are counted, and sets of elements
 *
 *     access.c             images of indices under accesses, and what has a given image
 *     access_scan.c        reading indices of accesses
 *     adjacency.c          lists of neighbours, both ways
 *     digits.c             lists of {size, stride}: their texts, merging, groups of devices
 *     family.c             indices of a dimension as runs that come again
 *     local.c              how devices store regions, and what two of them have as nested loops
 *     region.c             elements of an array as products of those
 *     row_major.c          regions as row-major indices
 *
 * array/  meshes, types, problems
 *
 *     block_cyclic.c       which types are block-cyclic over a grid, as ScaLAPACK has matrices
 *     bracket_parse.c      reading the brackets of types
 *     cut.c                how devices share a dimension, in blocks that come round or in pieces
 *     cut_parse.c          reading rounds, first devices, stated pieces
 *     device_list.c        what single devices have, from texts and files of owners
 *     distal.c             placements of tensor distribution notation: boxes, types that say the same
 *     distal_meaning.c     these as text, as statements, as colors
 *     distal_parse.c       reading them
 *     distribution.c       what devices have under any distribution, and its text
 *     distribution_holding.c  what a holding has, written as a distribution
 *     distribution_parse.c reading distributions: unions, names, what belongs to a bracket
 *     distribution_stretch.c  how far devices have the same, moved by a step
 *     distribution_tile.c  which distributions are tile types
 *     dtype.c              element types
 *     holding.c            what every device has of an array, by digits, offsets, regions or a rule
 *     link.c               bandwidth and latency of axes, as text
 *     mesh.c               meshes as values
 *     mesh_parse.c         reading meshes
 *     open_dims.c          dimensions whose cuts a sharding leaves to the compiler
 *     packed.c             the parts of a type in few bytes
 *     parts.c              parts of axes, x:(2)3
 *     prime_parts.c        axes as primes, types as lists of them
 *     problem.c            FROM ~> TO
 *     problem_json.c       meshes, types and problems as JSON, both ways
 *     stretch.c            devices in a row that have the same, moved by a step
 *     type.c               types as values: tiles, offsets, parts
 *     type_parse.c         reading tile types
 *     uneven.c             sizes that do not divide: five rules, padding
 *     words.c              words behind types: on, only, crop, shift
 *
 * step/  collectives, what they do to types, sequences of them
 *
 *     call_apply.c         premises and effect of a step on a type, with the number that broke a premise
 *     call_print.c         printing calls as sw_call_read reads them back
 *     call_read.c          reading operations as a user writes them
 *     collective.c         one row a collective: words, premises, effect
 *     dealt.c              who sends where a tile has several holders
 *     detour.c             a normal form between two types, from what each dimension loses and gains
 *     entries.c            what a step gathers and splits
 *     part_list.c          lists of parts: popping and pushing by factors
 *     adjoint.c            the sequence of the derivative
 *     pieces.c             pieces of tiles, and what groups may do with them
 *     premise.c            premises that fail, in words
 *     rewrite.c            rewriting a sequence into normal form, one lemma at a time
 *     rewrite_sums.c       two neighbours between which sums are finished or made
 *     runs.c               transfers of pieces of tiles
 *     sequence.c           sequences of collectives
 *     transfers.c          which box goes from whom to whom in a step
 *
 * relation/  who needs what of whom between two holdings
 *
 *     blocks.c             what devices have as products of indices, each once, with who has it
 *     finder.c             which of many sets of indices meet one
 *     meetings.c           which blocks meet one
 *     messages.c           lists of messages, and the runs of indices that they are
 *     part.c               blocks that overlap, cut until none do
 *     pattern.c            the names of patterns
 *     relabel.c            the best renumbering, a matching of the most weight
 *     relation.c           predecessors and successors, what nobody holds
 *     relation_json.c      relations as JSON
 *     senders.c            rules by which one of several holders sends
 *     shares.c             what each device gets of a block, and from whom
 *     tally.c              how much every device holds, needs, keeps, receives and sends
 *     traffic.c            who sends and receives how much, without a list of messages
 *
 * cost/  what steps cost
 *
 *     alike.c              what an exchange sends, and the collective that sends the same
 *     hardware.c           the table of hardware, and rates that follow from a row
 *     kernel.c             seconds of what a device computes, by measured rates
 *     latency.c            seconds: the models `latency` and `calibrated`
 *     model.c              models of elements: where the cost of an alltoall is defined
 *     reach.c              from groups, pairs or types to the coordinates along each axis that work together
 *     roofline.c           seconds: the model `roofline`, the longer of hops and bytes
 *     rounds.c             a collective hop by hop, from neighbour to neighbour
 *     routes.c             which links tiles go over that go to any device
 *
 * search/  the cheapest way
 *
 *     blanks.c             parts on a path of which it is not said yet which they are
 *     bound.c              admissible bounds and the cost of gathering home
 *     chain.c              nodes one after the other, walked: rounds, steps
 *     closed_form.c        the cheapest plan with several-dimension moves on a mesh of one prime
 *     distances.c          distances between all types of a shape, from many starts at once
 *     draft.c              a layout that is being changed
 *     layout.c             prime parts of axes laid over dimensions
 *     layout_search.c      A* over layouts, and the path found
 *     local.c              local types as exponents of primes, bounds, moves
 *     local_alltoalls.c    the fewest, or cheapest, alltoalls between two local types
 *     local_by_primes.c    refining both ends prime by prime, and one alltoall for each prime
 *     local_edges.c        the edges out of a node of the graph of local types, in a fixed order
 *     local_path.c         the shortest path over local types at once
 *     moves.c              the generator of moves: parts leave the ends of rows and come to others
 *     moves_sums.c         the same between layouts with sums, and blanks
 *     orders.c             orders of primes, axis by axis
 *     policy_elements.c    policies that count elements
 *     policy_seconds.c     the policy that asks a machine
 *     policy_sums.c        the policy of layouts with sums
 *     row_draft.c          rows of parts: pushing, popping, keys, what two layouts have in common
 *     step_prices.c        seconds of steps between the types of a shape, asked for once each
 *     store.c              states, their queue and their journal
 *     to_go.c              local types with sums: what is missing from each to the goal
 *     type_space.c         all types of a shape, numbered
 *     walk.c               any graph, walked: step, exact undo, run to the end, what one can see of it
 *     walk_local.c         the graph of local types as one that is walked
 *
 * placement/  parallelism axes on systems in levels, and sums over them
 *
 *     context_look.c       contexts in words, the steps out of them, and why others are refused
 *     context_walk.c       contexts as a graph that is walked
 *     contexts.c           the graph of what devices can hold on the way to a sum
 *     expressive.c         which programs each hierarchy can say
 *     hierarchy.c          factors of a placement in five orders, and the groups that an instruction makes
 *     messages.c           messages between devices, and the ports that they pass
 *     orders.c             orders of devices of Megatron and JAX
 *     placement.c          matrices of factors: counted, listed, asked
 *     ports.c              seconds on the ports of levels, and their bound
 *     ports_v100.c         seconds of reduction steps on rings of eight
 *     published.c          what others do: rings, trees, level by level, over one device of each unit
 *     recognise.c          groups of devices as instructions
 *     reductions.c         programs: counted, priced, listed, the fastest
 *     step_text.c          steps of reduction programs as text
 *     summing.c            a sum carried out step by step: who is followed, groups, premises
 *     summing_words.c      how devices are called in refusals
 *     system.c             systems in levels, read and printed
 *
 * peers/  what XLA, Shardy and DTensor do
 *
 *     dtensor_greedy.c     DTensor's greedy planner, and what both planners share
 *     dtensor_search.c     DTensor's search
 *     shardy_parts.c       lists of axes and parts of axes
 *     shardy_reshard.c     Shardy's rounds
 *     sums.c               what is summed at both ends, and when XLA and Shardy sum and cut at once
 *     xla_order.c          orders of devices, as digits and as lists
 *     xla_padding.c        what reaches a device where XLA pads
 *     xla_pairs.c          pairs of dimensions, found one after the other
 *     xla_reshard.c        the patterns of XLA's partitioner and the order in which it tries them
 *     xla_tiling.c         tilings: reshapes and transpositions of an order of devices
 *
 * plan/  strategies, lowering, groups, checking, execution, files
 *
 *     between.c            two types of any kind: what devices have at both ends, and who takes what
 *     between_moves.c      the transfers between them
 *     borrow.c             whom a plan borrows: devices that hold copies at both ends
 *     check.c              the checker: everything in a plan, derived again
 *     check_between.c      its part for the step between types of any kind
 *     check_pieces.c       its part for steps on pieces of tiles
 *     device_order.c       plans for slots, brought to the devices that lie in them
 *     devices.c            virtual devices: boxes move between tiles in memory, and all are compared with what is right
 *     ends.c               does a plan end on `to`?
 *     find_between.c       plans between types of any kind
 *     find.c               sw_plan_find: the frame around the strategies
 *     find_dtensor.c       the strategies dtensor and dtensor-min-cost
 *     find_searched.c      the strategies exact and fused
 *     find_shardy.c        the strategy shardy
 *     find_simple.c        the strategies naive, direct and paper
 *     find_sum_first.c     the strategy sum-first
 *     find_sums.c          the searches of exact and fused between types with sums
 *     find_timed.c         strategies under models in seconds
 *     find_xla.c           the strategy xla; groups from the maps before and after
 *     group.c              who works with whom in every step
 *     inside.c             plans inside of steps
 *     json_fields.c        the fields of a plan file, schema shardwalk.plan/2, one row a key
 *     json_read.c          plans from JSON, schema shardwalk.plan/2
 *     json_read_order.c    orders of devices in plan files
 *     json_read_step.c     the steps of a plan file
 *     json_write.c         plans as JSON, schema shardwalk.plan/2
 *     lines.c              groups of very large meshes, digit by digit
 *     lower.c              paths of the search as steps with types
 *     lower_map.c          or with maps, where types cannot say it
 *     lower_step.c         appending steps to a plan that is being lowered
 *     lower_sums.c         paths over local types with sums
 *     map.c                base offsets of all devices
 *     merge.c              neighbouring steps as one, or why not
 *     mixed.c              sums as a reduction program, and the rest as steps of types
 *     one_step.c           one collective from one end to the other
 *     over_mesh.c          a plan over another mesh of the same devices
 *     owners.c             which device has an element, and each of its terms, after every step; carried.c: the pieces that it goes in
 *     peer.c               what the strategies share that follow another system's planner
 *     piece_type.c         the type that says what devices have where they have pieces, if one does
 *     pieces.c             steps on pieces of tiles: what devices have then, and what they cost
 *     ports_machine.c      the model `ports` for plans over types
 *     print.c              plans and their steps as text
 *     problem_relation.c   problems as relations
 *     record.c             records of runs, schema shardwalk.run/1, one row a key
 *     reduction_latency.c  reduction programs under the model `latency`
 *     reduction_plan.c     a reduction program as a plan on pieces of tiles
 *     reorder.c            steps that change the order of devices on their way
 *     shrink.c             the same problem with fewer elements
 *     singles.c            problems without their axes of size 1, and plans for them over the whole mesh
 *     strategy.c           one row a strategy: name, flags, function
 *     summing_plan.c       steps of a sum by hand as such a plan
 *     tile_numbers.c       the number of the tile that each device holds
 *     time_bound.c         bounds in seconds by what has to arrive
 *     total.c              cost, height, peak memory, normal form of a plan
 *     transfers.c          transfers of the steps of a plan
 *     value_holding.c      values as holdings
 *     verify.c             execution on virtual devices: the proof that a plan does what it says
 *     why.c                why a step is there
 *
 * program/  products of sharded arrays, and programs
 *
 *     arithmetic.c         operations element by element, products letter by letter
 *     assign.c             homes of least total cost
 *     assign_fill.c        a program with the types that were chosen
 *     assign_kept.c        homes and second types of values that are used more than once
 *     assign_live.c        what is held at once, and choices below a bound of it
 *     assign_net.c         a program as choices of homes and of forms
 *     assign_space.c       the types among which is chosen, one space a shape
 *     body.c               bodies: tiles, copies that are computed alike, what they are of whole arrays
 *     computation.c        formulas over arrays of known types: what devices compute, need and send
 *     computation_json.c   these as JSON
 *     compute.c            what a device makes of its tiles, bodies too
 *     costs.c              tables of costs between two choices, made once each
 *     data.c               entries for which arithmetic is exact
 *     eliminate.c          choices left out one by one, and read back
 *     equation.c           equations over letters
 *     forms.c              the types in which a statement can use its operands
 *     formula.c            formulas as values: sizes of letters, products, texts
 *     formula_graph.c      graphs as files: lists of neighbours, Matrix Market
 *     formula_needs.c      what devices need for the points that they compute, and what waits for messages
 *     formula_parts.c      a step by a formula, part by part, while its operand arrives
 *     formula_read.c       reading formulas
 *     formula_run.c        formulas computed row by row
 *     formula_type.c       types of what a formula makes and needs
 *     gemm.c               products over letters as products of matrices
 *     guess.c              values of choices that may be good, without tables
 *     metric.c             distances between all pairs of types
 *     minimum.c            the cheapest of choices that cost two by two
 *     names.c              names that hide each other
 *     narrow.c             choices without the values that no good solution has
 *     ops.c                one row an operation
 *     pairs.c              all types of operands that multiply where their tiles lie
 *     parse.c              reading programs
 *     parse_body.c         reading their bodies
 *     planned.c            programs with plans: values in memory and steps between them
 *     planned_json.c       these as JSON, schema shardwalk.plan/2, both ways
 *     print.c              printing them
 *     product.c            the rule EINSUM: multiplying tiles where they lie
 *     reach.c              after how many steps all devices depend on all
 *     reference.c          a program on whole arrays
 *     room.c               a region of memory for what lives at different times
 *     rules.c              types of global statements
 *     seconds.c            seconds of what a device makes of its tiles
 *     simulate.c           programs on virtual devices, compared with whole arrays
 *     statement.c          formulas as statements: the steps that one is, and what it computes
 *     stored.c             what devices have of values, whatever kind of type says it
 *     task_walk.c          rounds of tasks as a graph that is walked
 *     tasks.c              a formula repeated: rounds, tasks, what depends on what
 *     type.c               typing programs; what moves
 *     way_program.c        a way of a product as a program
 *     ways.c               ways of a product, their prices, and where times turn
 *     xla_product.c        what XLA does to a product
 *
 * schedule/  loops over a statement, cut and placed, and what follows
 *
 *     blocks.c             a product of matrices on block-cyclic copies, as a library multiplies them
 *     boxes.c              lists of boxes, from which others are taken
 *     algorithm.c          the table of published algorithms
 *     algorithm_machine.c  on which machines they run
 *     commands.c           the tables: commands, kernels, errors by name, patterns
 *     compute.c            the commands that say how is computed: workspaces and kernels
 *     cut.c                the commands that cut, fuse and order loops
 *     draft.c              schedules while commands change them
 *     exact.c              what is alive in a step, and what would move if only what points touch did
 *     grid_choice.c        the grid of processors that moves least, or is fastest
 *     grid_figures.c       the largest figures of grids, and their seconds
 *     grid_matrices.c      products of matrices over three axes, and bounds
 *     grids.c              all grids of so many processors, and the nearest to a mesh
 *     index.c              who has what: the different boxes of many units, and those that meet one
 *     letter_sums.c        all steps of one processor, from sums over the values of each letter
 *     leaf.c               a step on the data of one device, and on whole arrays
 *     leaf_chain.c         products of three arrays in it, two of them first; how much that is
 *     lower.c              lowering: axes, steps, fetches, homes
 *     messages.c           who sends what in one step
 *     moments.c            what devices have of each array of a program after every step, and what moves in it
 *     moves.c              what moves in a step, between what devices store
 *     needs.c              what units need, and what they keep of it
 *     notation.c           concrete index notation
 *     pattern.c            what the messages of one fetch are called
 *     place.c              the commands that say where, and when what is needed is fetched
 *     program.c            a lowered schedule as steps of a program
 *     pseudocode.c         schedules as pseudocode
 *     read.c               reading chains of commands
 *     recipe.c             an algorithm for one machine, sizes and names
 *     recipe_choice.c      the best machine and steps for an algorithm
 *     recipe_splits.c      COSMA's strings of splits
 *     refuse.c             reading what commands name, and refusing it
 *     run.c                a schedule run on virtual processors
 *     sets.c               which values letters have while some loops run
 *     scheme.c             schedules of one kind, by formulas
 *     scheme_figures.c     the largest figures of them, from coordinates at which something changes
 *     scheme_live.c        elements alive in them
 *     scheme_pass.c        who sends what goes round
 *     scheme_statement.c   statements as schemes, and schemes as commands
 *     scheme_totals.c      figures of each processor
 *     schedule_walk.c      the steps of a schedule as a graph that is walked
 *     statement.c          statements: formulas over arrays with homes
 *     totals.c             all steps of a schedule, added up
 *     write_distal.c       a schedule as a program of the paper
 *
 * theory/  statements of the papers, tried
 *
 *     case.c               a case as a value, and as a script
 *     claims.c             claims about types and sequences of them
 *     claims_distribution.c  claims about distributions and formulas over them
 *     claims_placed.c      claims about placements and hierarchies
 *     claims_product.c     claims about products of sharded matrices
 *     claims_weak.c        claims about sequences up to permutations
 *     draw.c               drawing cases
 *     evaluation.c         drawing problems as the evaluation of the first paper does
 *     film.c               rewritings, one after the other
 *     low_walk.c           a sequence of low-level steps, with the device map after each
 *     low.c                low-level steps, and the execution of both kinds of sequences on virtual devices
 *     shrink.c             making a case small
 *     space.c              all types over a small mesh, and ways between them
 *     statements.c         one row a statement: what is drawn, what is compared
 *     trial.c              trying a statement on many cases
 *
 * foreign/notation/  shardings as other systems write them
 *
 *     chapel.c             domain maps of Chapel
 *     costa.c              layouts of COSTA: splits and owners
 *     distal.c             tensor distribution notation behind the sizes of an array
 *     dtensor.c            placements of PyTorch's DTensor
 *     dtensor_call.c       where placements stand in calls of PyTorch
 *     dtensor_mesh.c       meshes of DTensor, Paddle, OneFlow
 *     dtensor_print.c      placements, one for each dimension of the mesh, as DTensor and OneFlow print them
 *     entries.c            partition specs that are bare tuples, with one entry for each dimension
 *     groups.c             replica groups, in three versions, and pairs
 *     hlo.c                shardings as XLA prints them, V1 and V2
 *     hpf.c                directives of High Performance Fortran
 *     jax.c                a plan in JAX: by sharding constraints, or where types have sums by reshard calls
 *     jax_mesh.c           JAX's meshes
 *     join.c               two shardings over one mesh
 *     layout.c             TensorFlow's layouts
 *     local_sizes.c        local sizes of PETSc and Tpetra
 *     megatron.c           sharded checkpoints of Megatron
 *     numbered.c           notations that name axes of the mesh by number, dimension by dimension
 *     paper.c              types of the paper, and arrays as the scaling book writes them
 *     parts.c              digits of a sharding's mesh, and finer meshes
 *     pencil.c             pencils of mpi4py-fft
 *     read.c               what the readers of all notations share
 *     rewritten.c          protos and pictures of shardings, as XLA prints these
 *     scalapack.c          descriptors of ScaLAPACK, and calls of p?gemr2d
 *     shard_order.c        DTensor's ShardOrder beside its placements
 *     shardy.c             a plan for Shardy: by sharding constraints, or where types have sums collective by collective
 *     shardy_line.c        lines of a Shardy module
 *     split.c              split of Heat and other message-passing arrays
 *     strided.c            placements of DTensor that no order of axes says
 *     table.c              one row a notation: how a text of it begins, reader, printers
 *     tiles.c              from a sharding to devices, and to a type
 *     two_meshes.c         two shardings over different devices
 *     words.c              texts that say what no tiles say: as types with words
 *
 * foreign/module/  HLO and StableHLO
 *
 *     collectives.c        what the collectives of a program move, understood or not
 *     dialect.c            shapes and attributes, as each front end prints them
 *     graph.c              the graph of instructions that both front ends fill
 *     dims.c               what becomes of the dimensions of operands in results
 *     groups.c             groups and pairs of collectives
 *     hlo_before.c         a module before partitioning: the value that a warning is about
 *     hlo_calls.c          which computations of HLO call which, and how often
 *     hlo_derived.c        what the devices hold of the values of a program, as far as it follows
 *     hlo_form.c           what reshapes, transposes, slices and exchanges do to local tensors
 *     hlo_found.c          what people look for in the sums of a module
 *     hlo_infer.c          the sharding that follows from a chain where nothing says it
 *     hlo_inline.c         fusions of compiled modules, taken apart
 *     hlo_link.c           which instructions only move a value, from where
 *     hlo_plan.c           a plan from the steps of a chain
 *     hlo_read.c           the chains of a module, as plans
 *     hlo_said.c           the lines of the user's program that a chain is of
 *     hlo_source.c         the line of the user's program that an instruction is of
 *     hlo_step.c           takes one instruction of a chain
 *     hlo_text.c           reads the text of HLO modules in one pass
 *     mlir_calls.c         which functions of StableHLO call which, and how many operations they make
 *     mlir_flow.c          shardings along operations of StableHLO
 *     mlir_groups.c        devices of StableHLO: groups, pairs, axes of meshes
 *     mlir_loc.c           locations of operations, which a module has where it was printed with them
 *     mlir_read.c          reads StableHLO statement by statement
 *     mlir_split.c         cuts StableHLO into statements
 *     mlir_text.c          slices of the text of StableHLO
 *     mlir_walk.c          a StableHLO program, walked through as it runs
 *     mlir_weigh.c         what a move of StableHLO brings to a device, as branches are compared by it
 *     ops.c                the one table of operations of HLO and StableHLO
 *     runs.c               how often the parts of a program run while it runs once
 *     scalars.c            the small numbers that place slices and end loops
 *     traffic.c            the rule by which bytes of collectives are counted; groups, rings, halos
 *     trips.c              how often a loop runs
 *
 * foreign/program/  products and programs
 *
 *     book_einsum.c        products as the scaling book writes them
 *     build.c              a program that grows while a text is read
 *     jax_einsum.c         products as JAX writes them
 *     jax_program.c        lines of JAX as a program
 *     mlir_program.c       a function of StableHLO as a program
 *     operand.c            types of operands, slices at commas
 *
 * foreign/log/  warnings and errors
 *
 *     asked.c              constraints of a StableHLO program as pairs of a log
 *     clean.c              a log as a person sees it, each byte with its place; the letters of messages
 *     devices.c            JAX's error of values on different devices
 *     failed.c             DTensor's error of an operation without a sharding
 *     entries.c            two dictionaries of shardings, key by key
 *     jaxpr.c              jaxprs: collectives of shard_map, constraints, the loops around them
 *     jaxpr_axes.c         axes of their collectives as groups and pairs of devices
 *     log.c                a log: its pairs, counted
 *     means.c              what messages of DTensor and JAX mean, what to write in the program
 *     plain.c              lines with two shardings and an arrow
 *     printed.c            what readers of printed programs share: rows, groups, values by their names
 *     resolve.c            from the texts of a pair to a problem
 *     said.c               what DTensor and JAX say of a sharding
 *     scan.c               a log is gone over once: one row a kind of message, and plain lines
 *     traced.c             what PyTorch prints of collectives: DebugMode, graphs, generated code, CommDebugMode
 *     traced_calls.c       which collectives PyTorch calls by which names, and where a line says their sizes
 *     warning.c            XLA's warning "Involuntary full rematerialization"
 *     whole.c              what XLA would say of a problem, compared with what it said
 *
 * advise/  waypoints for other people's programs
 *
 *     advise.c             sw_advise: waypoints for a program
 *     common_type.c        where both ends cut an axis in different ways
 *     finer.c              cutting axes, and saying types again on the axes that come of it
 *     flatten.c            DTensor's collectives over mesh dimensions that are made one
 *     grid.c               states of the grid and the steps between them
 *     hop.c                what a hop costs in the system of the program
 *     meshes.c             between two meshes of different devices
 *     product.c            constraints around a product
 *     route.c              A* over layouts whose edges are hops
 *     sum_points.c         waypoints where terms of a sum wait
 *     target.c             jax, dtensor, shardy
 *     weigh.c              what falls and what rises with advice
 *
 * emit/  plans as programs
 *
 *     array_ops.c          a step as reshapes and transposes around one collective
 *     device_step.c        a step as its devices carry it out
 *     dtensor.c            a plan in PyTorch's DTensor, and lines for one's own program
 *     hlo.c                a plan as an HLO module, in the form that XLA's partitioner dumps
 *     lists.c              devices as XLA lists them
 *     mlir.c               element types and tensors of MLIR
 *     mpi.c                a plan as a program with MPI or NCCL
 *     mpi_body.c           the parts of programs with MPI
 *     mpi_formula.c        their formulas, and the points at which devices compute them
 *     mpi_stored.c         what devices store and send that no tile says
 *     mpi_tables.c         their tables of tiles, groups and steps
 *     product_advice.c     constraints around a product as lines for one's own program
 *     program.c            programs: a row a format, and what the formats share
 *     program_dtensor.c    a program by PyTorch's DTensor, or a plan as one
 *     program_jax.c        a program as JAX with explicit sharding; head and tail of every program of JAX
 *     program_mlir.c       a program as a module with shardings of Shardy, or of XLA
 *     program_mpi.c        a program as C with MPI and CBLAS
 *     program_shard_map.c  a program under JAX's shard_map, or a plan as one
 *     python.c             the parts of Python programs for JAX that do not depend on the steps
 *     reduction.c          steps on pieces of tiles, by MPI and by NCCL
 *     scalapack.c          one call of p?gemr2d between block-cyclic matrices
 *     schedule_mpi.c       a schedule in C over MPI
 *     shard_map.c          the steps of a plan under JAX's shard_map
 *     simplify.c           steps that no single instruction of other systems says, as several
 *     stablehlo.c          a plan as a StableHLO module
 *     table.c              one row a format
 *     type_chain.c         the types that constraints go through
 *     writing.c            steps of programs in other languages: a row for each way in which results are made
 *     write.c              what formats share
 */
#ifndef SHARDWALK_MAP_H
#define SHARDWALK_MAP_H
#endif
