#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every option that `help export` lists, for every format: it is taken, or refused at its name with those that the format takes.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1
problem='mesh {x: 2, y: 2}; f32[6{x}12, 6{y}12] ~> f32[6{y}12, 6{x}12]; plan'

"$SHARDWALK" help export >help
options=$(sed -n 's/^  --\([a-z-]*\).*/\1/p' help)
formats=$(sed -n '/PLAN|VIEW/,/^  --/s/^    \([a-z_]*\)  .*/\1/p' help)
equal 'options are listed' yes "$([ "$(echo $options | wc -w)" -gt 25 ] && echo yes)"
equal 'formats are listed' yes "$([ "$(echo $formats | wc -w)" -gt 13 ] && echo yes)"

value() { # OPTION; what it takes
	case $1 in
	strategy) echo naive ;; model) echo paper ;; budget | live) echo 9x ;; without) echo allpermute ;; by) echo cost ;;
	vary) echo b=64..8192 ;; limit | step | hop | device | node | problems | seed | run) echo 1 ;; devices) echo 8 ;;
	dims) echo 0,1 ;; fix) echo 0=0 ;; element) echo 0,0 ;; dtype) echo f32 ;; sweep) echo 1KiB:2KiB ;; measure) echo live ;;
	width) echo 80 ;; strategies) echo naive,fused ;; scale) echo 0.1 ;; resume) echo resume ;;
	esac
}

# Formats of pictures say what their view takes when one is named.
view() { case $1 in svg) echo plan ;; esac; }

for format in $formats; do
	bad=
	for option in $options; do
		"$SHARDWALK" -c "$problem; export $format - $(view $format) --$option $(value $option)" >out 2>err </dev/null
		case $?,$(grep -m 1 -o '^error\[[A-Z0-9]*\]: .*' err) in
		0,*) [ -s out ] || bad="$bad --$option writes nothing;" ;;
		1,*"has no option '--$option'"*) grep -q '^help: ' err || bad="$bad --$option: no hint;" ;;
		1,error*L0[0-9]* | 1,error*S04*"'$(value $option)'"* | 1,error*P06*'reduction programs'*) ;;
		*) bad="$bad --$option: $(head -c 200 err);" ;;
		esac
	done
	equal "$format: every option is taken or refused" '' "$bad"
done

for format in mpi hlo jax plan; do
	status "$format by another strategy" 0 "$SHARDWALK" -c "$problem; export $format one; export $format two --strategy naive"
	cmp -s one two && not_ok "$format is that strategy's" 'nothing changed' || ok "$format is that strategy's"
done
status 'as it is named behind the file' 0 "$SHARDWALK" -c "$problem; export mpi one naive; export mpi two --strategy naive"
same 'the same program' one two
refused 'twice' L02 "the strategy is already named, 'paper'" "$SHARDWALK" -c "$problem; export mpi - paper --strategy naive"
holds 'at the option' '\^\^\^\^\^$' err
refused 'of a plan that is there' L02 "'\$1' is an existing plan" "$SHARDWALK" -c "$problem; export mpi - \$1 --budget 3x"
refused 'of a budget that is too small' S01 'budget' "$SHARDWALK" -c "$problem; export mpi - --budget 1"
refused 'one of a picture' L05 "'export mpi' has no option '--lanes'" "$SHARDWALK" -c "$problem; export mpi - --lanes"
holds 'with those that it takes' '^help: it takes --strategy, --model, --budget, --live, --without, --dtype' err

# A schedule says itself what moves, and constraints leave it to the system: what plans are looked for by is refused.
cat >scheduled <<-'END'
	mesh {x: 2}
	type A = f32[8] x->x
	type B = f32[8] x->0
	compute A(i) = B(i)
	schedule .distribute({i}, {io}, {ii}, Grid(x)).communicate(A, io).communicate(B, io)
END
after() { # WHAT SCRIPT EXPORT
	refused "$1" L05 "no plan is made: $4" "$SHARDWALK" --quiet -c "$(cat "$2")
$3"
	holds "$1: at the option" "^  *|  *$5^^*\$" err
	holds "$1: what to do" '^help: leave the option out' err
}
after 'a schedule by a strategy' scheduled 'export mpi - --strategy naive' 'a schedule itself says what moves' '             '
after 'its plan file' scheduled 'export plan - program --budget 2x' 'a schedule itself says what moves' '                     '
status 'without' 0 "$SHARDWALK" --quiet -c "$(cat scheduled); export mpi -"
printf 'mesh {x: 2}\nfn f(A: f32[8{x}16]) -> f32[16] {\n  b = neg A\n  c = redistribute b as [16]\n  return c\n}\n' >moved.spmd
echo 'program moved.spmd' >moved
after 'constraints by a strategy' moved 'export jax - program --strategy naive' 'the system that runs the program finds the steps' ''
status 'steps by one' 0 "$SHARDWALK" --quiet -c 'program moved.spmd; export mpi - program --strategy naive'
finish
