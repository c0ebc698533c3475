#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Constraints in branches of a StableHLO program are rows; of several branches the one that moves most bytes counts.
. "$SRC/tests/lib.sh"

# Branches from standard input, between the head of a module and its end.
module() { # NAME
	{
		cat <<'HEAD'
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["dp"=2, "tp"=4]>
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {"dp"}]>}) -> tensor<4096x4096xf32> {
HEAD
		cat
	} >"$TMP/$1.mlir"
}

rows() { # FILE
	status "$1: is read" 0 "$SHARDWALK" --quiet --json -c "import $TMP/$1.mlir"
	tr -d ' \n' <"$TMP/out" | sed 's/"row":/\n/g;s/"traffic":/\nX/' |
		sed -n 's/^[0-9].*"runs":\([0-9]*\),.*"line":\([0-9]*\),.*"untaken":\([a-z]*\),.*/line \2: \1 \3/p' | sort >"$TMP/$1.rows"
	cat "$TMP/$1.rows"
}

is_rows() { # FILE WANTED
	rows "$1" >/dev/null
	printf '%b' "$2" >"$TMP/wanted"
	same "$1: its rows" "$TMP/wanted" "$TMP/$1.rows"
}

# The same value is given, or tp leaves.
module one <<'EOF2'
    %1 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<4096x4096xf32>
    }, {
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }) : (tensor<i32>) -> tensor<4096x4096xf32>
    return %1 : tensor<4096x4096xf32>
  }
}
EOF2
is_rows one 'line 7: 1 false\n'
status 'one branch' 0 "$SHARDWALK" -c "import $TMP/one.mlir"
holds 'says which counts' 'only the branch that moves most counts, for 1 conditional' "$TMP/err"
says 'as XLA moves it' 'XLA now       24 MiB'

# 24 MiB, 56 MiB and 8 MiB: all are rows, the second counts.
module three <<'EOF2'
    %1 = "stablehlo.case"(%arg0) ({
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }, {
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{}, {}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }, {
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{"tp"}, {}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }) : (tensor<i32>) -> tensor<4096x4096xf32>
    return %1 : tensor<4096x4096xf32>
  }
}
EOF2
is_rows three 'line 11: 0 true\nline 5: 0 true\nline 8: 1 false\n'
status 'three branches' 0 "$SHARDWALK" --quiet -c "import $TMP/three.mlir"
holds 'only one is in the total' 'receives 56 MiB\|device receives$'
says 'the others say why' 'in a branch that is not counted, because another one moves more'
status 'one of them' 0 "$SHARDWALK" --quiet -c "import $TMP/three.mlir 2"
says 'says it, too' 'runs   in a branch that is not counted'
status 'ten times' 0 "$SHARDWALK" --quiet -c "import --times 10 $TMP/three.mlir"
holds 'counts ten of one' 'receives 560 MiB\|device receives$'

# By bytes, not by how many: two of 24 and 8 MiB are less than one of 56 MiB, in a loop of three they are more.
looped() { # TRIPS
	module "loop$1" <<EOF2
    %z = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<$1> : tensor<i32>
    %i = stablehlo.constant dense<1> : tensor<i32>
    %1 = "stablehlo.case"(%arg0) ({
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{}, {}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }, {
      %3:2 = stablehlo.while(%a = %z, %b = %arg1) : tensor<i32>, tensor<4096x4096xf32>
      cond {
        %4 = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %5 = stablehlo.add %a, %i : tensor<i32>
        %6 = stablehlo.negate %b : tensor<4096x4096xf32>
        %7 = sdy.sharding_constraint %6 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
        %8 = sdy.sharding_constraint %7 <@mesh, [{"tp"}, {"dp"}]> : tensor<4096x4096xf32>
        stablehlo.return %5, %8 : tensor<i32>, tensor<4096x4096xf32>
      }
      stablehlo.return %3#1 : tensor<4096x4096xf32>
    }) : (tensor<i32>) -> tensor<4096x4096xf32>
    return %1 : tensor<4096x4096xf32>
  }
}
EOF2
}
looped 2
is_rows loop2 'line 18: 0 true\nline 19: 0 true\nline 8: 1 false\n'
looped 3
is_rows loop3 'line 18: 3 false\nline 19: 3 false\nline 8: 0 true\n'

# In a function that a branch calls; what both branches give is known behind them.
module called <<'EOF2'
    %1 = "stablehlo.case"(%arg0) ({
      %2 = func.call @g(%arg1) : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }, {
      %3 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
      stablehlo.return %3 : tensor<4096x4096xf32>
    }) : (tensor<i32>) -> tensor<4096x4096xf32>
    %4 = sdy.sharding_constraint %1 <@mesh, [{}, {}]> : tensor<4096x4096xf32>
    return %4 : tensor<4096x4096xf32>
  }
  func.func private @g(%arg0: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {}]> : tensor<4096x4096xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
    return %1 : tensor<4096x4096xf32>
  }
}
EOF2
is_rows called 'line 11: 1 false\nline 15: 1 false\nline 16: 1 false\nline 8: 0 true\n'

# An if inside of a branch that counts, and one inside of a branch that does not.
module nested <<'EOF2'
    %c = stablehlo.constant dense<true> : tensor<i1>
    %1 = "stablehlo.case"(%arg0) ({
      %2 = "stablehlo.if"(%c) ({
        %3 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
        stablehlo.return %3 : tensor<4096x4096xf32>
      }, {
        stablehlo.return %arg1 : tensor<4096x4096xf32>
      }) : (tensor<i1>) -> tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }, {
      %2 = "stablehlo.if"(%c) ({
        %3 = sdy.sharding_constraint %arg1 <@mesh, [{}, {}]> : tensor<4096x4096xf32>
        stablehlo.return %3 : tensor<4096x4096xf32>
      }, {
        %3 = sdy.sharding_constraint %arg1 <@mesh, [{"tp"}, {}]> : tensor<4096x4096xf32>
        stablehlo.return %3 : tensor<4096x4096xf32>
      }) : (tensor<i1>) -> tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }) : (tensor<i32>) -> tensor<4096x4096xf32>
    return %1 : tensor<4096x4096xf32>
  }
}
EOF2
is_rows nested 'line 15: 1 false\nline 18: 0 true\nline 7: 0 true\n'

# A pair that is in a branch that does not count, and outside of it, counts once.
module both <<'EOF2'
    %1 = "stablehlo.case"(%arg0) ({
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }, {
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{}, {}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }) : (tensor<i32>) -> tensor<4096x4096xf32>
    %5 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
    return %5 : tensor<4096x4096xf32>
  }
}
EOF2
is_rows both 'line 5: 1 false\nline 8: 1 false\n'

# Collectives that a branch calls weigh beside constraints: 448 MiB are more than 24 MiB.
module calls <<'EOF2'
    %1 = "stablehlo.case"(%arg0) ({
      %2 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<4096x4096xf32>) -> tensor<32768x4096xf32>
      stablehlo.return %arg1 : tensor<4096x4096xf32>
    }, {
      %2 = sdy.sharding_constraint %arg1 <@mesh, [{}, {"dp"}]> : tensor<4096x4096xf32>
      stablehlo.return %2 : tensor<4096x4096xf32>
    }) : (tensor<i32>) -> tensor<4096x4096xf32>
    return %1 : tensor<4096x4096xf32>
  }
}
EOF2
is_rows calls 'line 8: 0 true\n'
status 'a collective that moves more' 0 "$SHARDWALK" --quiet -c "import $TMP/calls.mlir"
says 'is counted' '448 MiB'
finish
