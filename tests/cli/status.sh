#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Exit status, and what goes to which stream.
. "$SRC/tests/lib.sh"
mesh='mesh {x: 4, y: 6}'
ends='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'

status 'a plan is found' 0 "$SHARDWALK" plan "$mesh" "$ends"
holds 'the plan is on standard output' 'cost 18' "$TMP/out"
equal 'nothing is on standard error' '' "$(cat "$TMP/err")"

status 'a wrong type is a failure' 1 "$SHARDWALK" plan "$mesh" '[3{x}13] ~> [13]'
status 'a budget too small is a failure' 1 "$SHARDWALK" plan "$mesh" "$ends" --budget 2
holds 'the refusal says the number that is needed' '6' "$TMP/err"
equal 'a failure answers nothing on standard output' '' "$(cat "$TMP/out")"

status 'an unknown word is wrong usage' 2 "$SHARDWALK" plna
holds 'the nearest command is suggested' "did you mean 'plan'" "$TMP/err"
status 'a beginning of a command is no command on the command line' 2 "$SHARDWALK" redis
status 'an unknown option of the program is wrong usage' 2 "$SHARDWALK" --jsno
holds 'the nearest option is suggested' "did you mean '--json'" "$TMP/err"
status 'an unknown option of a command is wrong usage' 2 "$SHARDWALK" plan "$mesh" "$ends" --budgt 2x
status 'a missing argument is wrong usage' 2 "$SHARDWALK" mesh
status 'a missing value is wrong usage' 2 "$SHARDWALK" -c
status 'too many arguments are wrong usage' 2 "$SHARDWALK" plan "$mesh" "$ends" fused exact

status 'a script that fails' 1 "$SHARDWALK" -c 'mesh {x: 4}; from [5{x}4]; show mesh'
holds 'a script goes on after a failure' '4 devices' "$TMP/out"
status '--bail stops it' 1 "$SHARDWALK" --bail -c 'mesh {x: 4}; from [5{x}4]; show mesh'
equal 'and nothing after it runs' '' "$(cat "$TMP/out")"
status 'quit has a status' 7 "$SHARDWALK" -c 'quit 7; mesh {'
status 'quit without one keeps the failure' 1 "$SHARDWALK" -c 'nonsense; quit'
status 'a script that is not there' 2 "$SHARDWALK" "$TMP/none.shw"
status 'a script that is not there, by -f' 1 "$SHARDWALK" -f "$TMP/none.shw"
status 'a folder is no script' 1 "$SHARDWALK" "$TMP"
status 'an empty script' 0 "$SHARDWALK" -f /dev/null
status 'help' 0 "$SHARDWALK" --help
status 'version' 0 "$SHARDWALK" --version
holds 'the version names the libraries' 'jansson.*readline.*ncurses' "$TMP/out"

status 'a wrong plan file' 1 "$SHARDWALK" open /dev/null
status 'a disk that is full' 3 "$SHARDWALK" export plan "$mesh" "$ends" /dev/full
holds 'says so' 'No space left' "$TMP/err"
"$SHARDWALK" plan "$mesh" "$ends" >/dev/full 2>"$TMP/err"
equal 'an output that is full' 3 $?
holds 'says so as well' 'No space left' "$TMP/err"
"$SHARDWALK" plan "$mesh" "$ends" >&- 2>"$TMP/err"
equal 'an output that is closed' 3 $?
( "$SHARDWALK" help --man commands; echo $? >"$TMP/status" ) 2>"$TMP/err" | true
await test -s "$TMP/status"
case $(cat "$TMP/status") in
141 | 0) ok 'a pipe that nobody reads' ;;
*) not_ok 'a pipe that nobody reads' "status $(cat "$TMP/status")" ;;
esac
yes '{"mesh": "{x: 4}", "from": "[3{x}12]", "to": "[12]"}' 2>/dev/null | head -n 3000 >"$TMP/many"
( "$SHARDWALK" batch "$TMP/many" --json; echo $? >"$TMP/status2" ) 2>"$TMP/err" | head -n 1 >/dev/null
await test -s "$TMP/status2"
equal 'a reader that left ends it with 141' 141 "$(cat "$TMP/status2")"
equal 'in silence' '' "$(cat "$TMP/err")"

mkfifo "$TMP/fifo"
for signal in INT:130 TERM:143 HUP:129; do
	: >"$TMP/out"
	sh -c 'trap - INT; exec "$0" "$1"' "$SHARDWALK" - <"$TMP/fifo" >"$TMP/out" &
	exec 3>"$TMP/fifo"
	echo 'mesh {x: 4}; show mesh' >&3
	await test -s "$TMP/out"
	kill -"${signal%:*}" $!
	exec 3>&-
	wait $!
	equal "SIG${signal%:*}" "${signal#*:}" $?
done
finish
