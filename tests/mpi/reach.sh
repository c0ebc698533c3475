#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Hosts that cannot be reached are shown in mpiexec's words, with host and launcher; a launcher that says nothing, too.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'reach'
cd "$TMP" || exit 1
problem='mesh {x: 2}; [4{x}8] ~> [8]'

# Launchers of mpiexec are found by PATH: one that says what ssh does, and waits as mpiexec does then.
mkdir bin
launcher() { # WORDS
	printf '#!/bin/sh\n%s\n' "$1" >bin/ssh
	chmod +x bin/ssh
}
reached() { # NAME WORDS OPTIONS
	launcher "$2"
	PATH="$TMP/bin:$PATH" "$SHARDWALK" -c "$problem; run $3" >out 2>err
	equal "$1: fails" 3 $?
}

reached 'a name that is none' 'echo "ssh: Could not resolve hostname elsewhere: Name or service not known" >&2; exit 255' '--hosts elsewhere'
holds 'host and launcher' "^error\[E04\]: host 'elsewhere' cannot be reached by ssh" err
holds 'the words' '^found: ssh: Could not resolve hostname elsewhere: Name or service not known' err
holds 'what to look at' '^help: no host has this name: check `--hosts`' err
lacks 'no rank hangs' 'hang' err

reached 'which of two' 'echo "ssh: connect to host there port 22: Connection refused" >&2; exit 255' '--hosts here,there'
holds 'is the one that is named' "host 'there' cannot be reached by ssh" err

printf 'elsewhere\n' >hosts
reached 'by a file' 'echo "Permission denied (publickey,password)." >&2; exit 255' '--hostfile hosts'
holds 'is shown' "a host of '.*hosts' cannot be reached by ssh" err
holds 'without a password' 'without a password' err

reached 'a launcher that waits' 'exec sleep 600' '--hosts elsewhere --timeout 1'
holds 'and says nothing' "no rank started within 1 s: host 'elsewhere' may be out of reach of ssh" err
holds 'is not said as words' '^found: nothing from mpiexec' err
ends 'nothing runs on' "$TMP/bin/ssh"
finish
