#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A run fills its picture while it goes on: with a launcher of the test's own, which waits for files between what it measures.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"

cat >"$TMP/launcher" <<END
#!/bin/sh
case \$1 in --version) echo "HYDRA build details:"; echo "    Version: 4.0.2"; exit ;; esac
launch=\$(echo "\$*" | sed 's/.*--launch \([0-9]*\).*/\1/')
wait_for() { until [ -e "$TMP/\$1" ] || [ -e "$TMP/all" ]; do sleep 0.05; done; }
for word; do
	case \$word in *.json) ;; *) continue ;; esac
	name=\$(grep -o '"name": *"[^"]*"' "\$word" | head -n 1 | cut -d '"' -f 4)
	spread='{"median": 0.002, "p10": 0.001, "p90": 0.003, "max": 0.004}'
	echo '{"schema": "shardwalk.run/1", "record": "start", "plan": "'\$name'", "host": "here", "hosts": 1, "cores": 2, "ranks": 4, "transport": "shared", "launch": '\$launch'}'
	wait_for "\$launch.\$name.step"
	echo '{"record": "step", "step": 1, "op": "alltoall", "seconds": '\$spread', "bytes": 4000000, "course_seconds": [0.002, 0.001, 0.003]}'
	wait_for "\$launch.\$name"
	echo '{"record": "total", "seconds": '\$spread', "bytes": 4000000}'
	echo '{"record": "check", "verified": true}'
	echo '{"record": "complete"}'
done
END
printf '#!/bin/sh\n' >"$TMP/executor"
chmod +x "$TMP/launcher" "$TMP/executor"
EXTRA="PAGER= SHARDWALK_MPIEXEC=$TMP/launcher SHARDWALK_EXEC=$TMP/executor XDG_STATE_HOME=$TMP"

may() { for what; do touch "$TMP/$what"; done; }

start 100 30
shown 'shardwalk> *$'
line 'mesh {x: 2, y: 2}; [4{x}8, 4{y}8] ~> [8, 2{y,x}8]; plan fused'
shown 'shardwalk> *$'
line 'tui'
shown '\? help'
text 6
sees 'nothing was run' 'no plan was run yet'
sees 'and the bar says what runs it' 'm measure'

text m
sees 'the title says how far it is' 'times  launch 1 of 1, 1 plan .*a adds a strategy, C-c stops *$'
sees 'before the first times it says what is under way' 'under way: fused, step 1 of 2, alltoall'
sees 'and when the first times come' 's so far; the first times and the time left come when'
sees 'seconds are counted meanwhile' '[1-9][0-9]* s so far'
sees 'the bar says what stops it' '^C-c stop '
may 1.fused.step
sees 'what was measured has its bar' '1 alltoall.* 2\.00 ms  .*█├.*┃'
sees 'with repetitions in order' '┤ +▅▁█ *$'
lacks 'nothing is said of the end' 'every element'
text m
sees 'a second run is refused, with the way out' 'a run is under way; C-c ends it'
text 4
sees 'another view opens meanwhile' '^━ plan\*'
sees 'which says how far the run is' 'run: launch 1 of 1, 1 plan, about .* left: fused, 1 step measured'
text 6
sees 'and back' 'times  launch 1 of 1'
tmux resize-window -x 90 -y 28
sees 'the picture follows the window' '^━ times\*  run ━{70,}$'
tmux resize-window -x 100 -y 30
text q
sees 'leaving asks' 'stop it and leave the picture\? y/n'
text n
sees 'and goes on' 'run: launch 1 of 1'

text a
sees 'it is asked which strategy is added' 'strategy to add:.*$'
line nonesuch
sees 'one that is none is refused' "strategy 'nonesuch'"
text a
shown 'strategy to add:'
line naive
sees 'a strategy is added' 'naive joins at the next launch'
may 1.fused 2.fused 2.naive.step
sees 'to the next launch, as often as compare' 'launch 2 of 5, 2 plans, about [0-9]+ (s|min) left'
sees 'both have rows' '1 fused .*┃'
sees 'that of the plan that runs has the steps so far' '2 naive +2\.00 ms\+ '
keys C-c
sees 'C-c ends it' 'stopped: the ranks were ended'
sees 'and what was measured stays' 'result \$[0-9]+: 2 plans'
sees 'with a word on the end' 'the run did not finish'

text a
shown 'strategy to add:'
line paper
sees 'a alone runs those of the last run and one more' 'launch 1 of 5, 3 plans'
may all
sees 'to their end' '3 plans, medians of 5 launches'
sees 'with a legend' 'least, median, most of the launches'
sees 'and a word on the proof' 'every element of every rank was right'

rm -f "$TMP/all" "$TMP"/[0-9]*
text m
shown 'times  launch 1 of 1'
keys C-c 7
sees 'a key behind C-c is for what comes when it was ended' 'strategies side by side'
text 6
shown 'm measure'

text m
shown 'times  launch 1 of 1'
text :
shown '^then> *$'
line 'show mesh'
shown 'runs when the command has ended'
keys Escape
shown 'launch 1 of 1.* then: show mesh *$'
text q
shown 'stop it and leave the picture'
text y
sees 'leaving ends the run and gives the prompt back' '^shardwalk> *$'
sees 'and says what waited for its end' 'it waited and did not run: show mesh'
line 'show times'
sees 'the session goes on' 'medians of 5 launches'
ends 'nothing of the run is left' "$TMP/launcher"

line 'tui'
shown '\? help'
text :
line 'run'
sees 'what was typed is stopped by what the bar says' '^C-c stop '
keys C-c
shown 'Enter runs'
keys Escape
shown '\? help'

rm -f "$TMP/all" "$TMP"/[0-9]*
text m
shown 'times  launch 1 of 1'
text :
sees 'the prompt opens while a run goes on' '^then> *$'
line 'show mesh'
sees 'its line waits' 'runs when the command has ended: show mesh'
keys Escape
sees 'the picture says that it does' 'launch 1 of 1.* then: show mesh *$'
printf 'q\ny\n' >"$TMP/pasted"
tmux load-buffer "$TMP/pasted"
tmux paste-buffer -p
sees 'what is pasted meanwhile is no keys' '^then> \(3 lines\)'
keys Escape
shown '^then> *$'
text 'help qu'
shown '^then> help qu$'
may all
sees 'the line runs when the run has ended' '4 devices, 2 axes'
sees 'what was not finished stays' '^shardwalk> help qu$'
keys Escape
shown '^shardwalk> *$'
keys Escape
shown '\? help'

rm -f "$TMP/all" "$TMP"/[0-9]*
text m
shown 'times  launch 1 of 1'
text :
shown '^then> *$'
line 'show mesh'
shown 'runs when the command has ended'
keys C-c
sees 'what waits for work that is stopped is at the prompt again' '^shardwalk> show mesh$'
keys Escape
shown '^shardwalk> *$'
keys Escape
shown '\? help'
rm -f "$TMP/all" "$TMP"/[0-9]*
text q
shown 'shardwalk> *$'

line 'run --launches 2'
may 1.fused.step 1.fused
sees 'at the prompt the time that is left is shown' 'run: launch 2 of 2, 1 plan, about [0-9]+ (s|min) left: '
keys C-c
shown 'shardwalk> *$'
line quit
ended 'it ends'
finish
