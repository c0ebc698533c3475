#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Exported pictures and reports: every view, as well-formed SVG with the text that a terminal shows; graphs that Graphviz
# takes; reports that are the same each time; what is refused, and what stays when writing fails.
. "$SRC/tests/lib.sh"
expected=$SRC/tests/pictures
mesh='mesh {x: 4, y: 6}'
ends='f32[3{x}12, 2{y}12] ~> f32[2{y}12, 3{x}12]'
export SOURCE_DATE_EPOCH=86400

cd "$TMP" || exit
printf '%s\n' '{x: 4} [3{x}12, 12] ~> [12, 3{x}12] # one' '{a: 2, c: 2} [4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]' >problems
cat >times <<'END'
{"schema": "shardwalk.run/1", "record": "start", "plan": "fused", "host": "h", "cores": 2, "ranks": 24, "launch": 1, "mpi": "MPICH 4", "transport": "shared"}
{"record": "step", "step": 1, "op": "alltoall", "seconds": {"median": 0.003, "p10": 0.002, "p90": 0.004, "max": 1}, "reference_seconds": {"median": 0.002}, "bytes": 1000000, "bus_bandwidth": 5e8, "predicted_seconds": 0.002}
{"record": "total", "seconds": {"median": 0.003}, "bytes": 1000000}
{"record": "check", "verified": true}
{"record": "complete"}
END
program='program mesh {x: 4, y: 6} fn f(a: [3{x}12, 6], b: [6, 2{y}12]) -> [3{x}12, 2{y}12] {c = einsum "ij,jk->ik" a b return c}'
printf '%s\n' "$program" "$ends" plan 'step 2' 'open times' >session
printf '%s\n' 'system {node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}' 'axes {data: 4, shard: 2}' 'reduce {data} f32[64]' placements 'place 1' \
	'apply reducescatter inside node' >session-sums

printf '%s\n' 'mesh {x: 6}' 'type x = [4{x}24]' 'type y = x' 'compute y[i] = 2*x[i] - x[i-1] - x[i+1]' 'tasks 15' 'step 3' >session-formula
printf '%s\n' 'mesh {x: 3, y: 3}' 'schedule cannon m=9 n=9 k=9' 'step 2' >session-schedule

python=$(command -v python3)

well_formed() { # NAME FILE
	if [ -n "$python" ]; then "$python" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$2" 2>"$TMP/err"
	elif command -v xmllint >/dev/null; then xmllint --noout "$2" 2>"$TMP/err"
	else
		skip "$1" 'there is neither python3 nor xmllint'
		return
	fi
	if [ $? = 0 ]; then ok "$1"; else not_ok "$1" "$(tail -n 1 "$TMP/err")"; fi
}

## Every view

# What one can select in a picture is what the terminal shows, but for lines and bars.  Lines of the list: rows or words, the number
# of the picture, what was asked for.
cat >check.py <<'END'
import itertools, re, sys, xml.dom.minidom

def check(number, by):
    picture = xml.dom.minidom.parse('%s.svg' % number)
    shown = open('%s.txt' % number, encoding='utf-8').read().split('\n')
    rows = {}
    for text in picture.getElementsByTagName('text'):
        runs = text.getElementsByTagName('tspan')
        rows[(int(text.getAttribute('y')) - 14) // 18] = ''.join(run.firstChild.data for run in runs)
        assert all(run.getAttribute('textLength') and int(run.getAttribute('x')) % 9 == 0 for run in runs)
    assert rows, 'there is no text'
    shown = [re.sub('[\u2500-\u257f\u2580-\u2593]', ' ', row).rstrip() for row in shown]
    found = [rows.get(i, '') for i in range(max(len(shown), max(rows) + 1))]
    found = [re.sub('[\u2500-\u257f]', ' ', row).rstrip() for row in found]
    if by == 'words': # long rows of text are broken in pictures
        shown, found = ' '.join(shown).split(), ' '.join(found).split()
    for one, two in itertools.zip_longest(shown, found):
        assert one == two, 'expected "%s", found "%s"' % (one, two)

failed = 0
for line in open('list', encoding='utf-8'):
    by, number, name = line.rstrip('\n').split(' ', 2)
    try:
        check(number, by)
        print('ok %s says what the terminal says' % name)
    except Exception as error:
        print('not ok %s says what the terminal says: %s' % (name, error))
        failed = 1
sys.exit(failed)
END

number=0
session=session
picture() { # STATEMENT rows|words VIEW [ARGS]
	number=$((number + 1)) statement=$1 by=$2
	shift 2
	[ -f before-$session ] || "$SHARDWALK" -f $session >before-$session 2>/dev/null
	"$SHARDWALK" -f $session -c "$statement" 2>/dev/null | tail -n +$(($(wc -l <before-$session) + 1)) >$number.txt
	status "$*" 0 "$SHARDWALK" -f $session -c "export svg $number.svg $*"
	echo "$by $number $*" >>list
}

views=$("$SHARDWALK" help --man views | sed -n 's/^\.It Ic //p')
if [ "$(echo "$views" | grep -c .)" -ge 12 ]; then ok 'all views are known'; else not_ok 'all views are known' "$views"; fi
for view in $views; do
	session=session
	case $view in
	system | placement | groups | state | hierarchies | reductions) session=session-sums ;;
	needs | tasks) session=session-formula ;;
	loops | holds | execution) session=session-schedule ;;
	esac
	case $view in
	compare | pareto) picture "$view" rows "$view" ;;
	histogram) picture 'compare problems' rows histogram problems ;;
	*) picture "show $view" rows "$view" ;;
	esac
done
session=session-formula
picture 'show needs --device 2' rows needs --device 2
session=session
picture 'show tiles [1{x,..}12, 1{y,..}12]' rows tiles '[1{x,..}12, 1{y,..}12]'
picture 'show type [2{x,..}24]' rows type '[2{x,..}24]'
picture 'show devices [13] at {0: 0-3 8; 2: 9-12}' rows devices '[13] at {0: 0-3 8; 2: 9-12}'
picture 'show sets [2{x,..}24]' rows sets '[2{x,..}24]'
picture 'show tiles --step 2 --device 3' rows tiles --step 2 --device 3
picture 'show mesh --step 1 --element 5,7' rows mesh --step 1 --element 5,7
picture 'show traffic --step 1 --element 5,7' rows traffic --step 1 --element 5,7
picture 'show type --step 1 --element 5,7' rows type --step 1 --element 5,7
picture 'show graph --lanes' rows graph --lanes
picture 'show heights --bytes' rows --bytes heights
picture 'show plan naive' rows plan naive
picture 'show tiles [3{x}12, 12]' rows tiles '[3{x}12, 12]'
picture 'explain T04' rows explain T04
picture 'explain [3{x}12, 2{y}12]' words explain '[3{x}12, 2{y}12]'
picture 'frontier' rows frontier
picture 'help plan' rows help plan
picture 'compare problems --limit 1' rows compare problems --limit 1
picture 'hardware' words hardware
if [ -z "$python" ]; then
	skip 'they are XML and say what the terminal says' 'there is no python3'
elif ! "$python" check.py; then
	lib_failed=$((lib_failed + 1))
fi

status 'as wide as asked for' 0 "$SHARDWALK" -f session -c 'export svg wide.svg --width 120 mesh' -c 'export svg narrow.svg plan --width 40'
if [ "$(sed -n 's/.* width="\([0-9]*\)" height.*/\1/p;2q' narrow.svg)" -le 378 ]; then ok 'a narrow picture'
else not_ok 'a narrow picture' "$(sed -n 2p narrow.svg)"; fi

names='mesh {"größe": 2, "日本": 3, "<&>": 2}; from [2{"größe"}4, 2{"日本"}6, 4]'
status 'odd names' 0 "$SHARDWALK" -c "$names; export svg odd.svg type from; export svg mesh.svg mesh; export html odd.html"
for file in odd.svg mesh.svg odd.html; do
	well_formed "are XML in $file" $file
	equal 'are ASCII there' '' "$(LC_ALL=C tr -d '\n -~' <$file)"
done

## A followed element

sw "$mesh; $ends; show mesh --step 1 --element 5,7; show traffic --step 1 --element 5,7; show type --step 1 --element 5,7"
holds 'the mesh marks who holds it' '11[a-z]◀'
equal 'that device alone' 1 "$(grep -c '[0-9][a-z ]◀' out)"
holds 'traffic marks who has it before' '^ 9 ▶'
holds 'and after' '┌─*▼─*┐'
equal 'rulers mark its tile' 5 "$(grep -o '▶[0-9] ' out | wc -l)"
sw "$mesh; $ends; show mesh --element 5,7"
holds 'without a plan one is made' '◀ holds element \[5, 7\]'
sw "$mesh; $ends; show graph --lanes; finish; show graph --lanes; show graph"
equal 'a search in lanes' 1 "$(grep -c '┗━● 4 .*★ goal' out)"
holds 'says what lanes are' '│ from a node to its children'
equal 'before a walk too' 1 "$(grep -c '^▶    ○ 1 \[3, 2\]  *start' out)"

sw "$mesh; $ends; show mesh --step 3"
equal 'lines of the mesh go down too' 2 "$(grep -c '^      │\( │  \)* │  │$' out)"

## What they look like

same_picture() { # NAME EXPECTED ACTUAL: whatever the version
	sed 's/shardwalk [0-9][0-9.]*/shardwalk VERSION/' "$3" >unversioned
	same "$1" "$2" unversioned
}

status 'a small picture' 0 "$SHARDWALK" -c 'mesh {x: 2}' -c 'export svg mesh.svg mesh'
same_picture 'is as expected' "$expected/mesh.svg" mesh.svg
status 'under LC_ALL=C' 0 env LC_ALL=C "$SHARDWALK" -c 'mesh {x: 2}' -c 'export svg ascii.svg mesh'
same_picture 'is the same' "$expected/mesh.svg" ascii.svg
status 'to standard output' 0 "$SHARDWALK" -c 'mesh {x: 2}' -c 'export svg - mesh'
same_picture 'is the same, too' "$expected/mesh.svg" out
status 'to a file with a blank, from the command line' 0 "$SHARDWALK" export svg 'a mesh.svg' mesh 'mesh {x: 2}'
same_picture 'is the same as well' "$expected/mesh.svg" 'a mesh.svg'
status 'under --json' 0 "$SHARDWALK" --json -c "$mesh; $ends; export svg - compare"
well_formed 'it still is a picture' out

## Graphs

status 'a graph of the search' 0 "$SHARDWALK" -c "$mesh; $ends; step 2" -c 'export dot graph.dot graph'
same 'is as expected' "$expected/graph.dot" graph.dot
status 'a graph of the plan' 0 "$SHARDWALK" -c "$mesh; $ends" -c 'export dot plan.dot'
same 'is as expected' "$expected/plan.dot" plan.dot
status 'of another plan' 0 "$SHARDWALK" -c "$mesh; $ends; plan; plan naive" -c 'export dot naive.dot plan $2; export dot first.dot plan $1'
equal 'is another one' 1 "$(grep -c 'plan naive over' naive.dot)"
status 'the same plan by its number' 0 cmp first.dot plan.dot
status 'graphs of a deep mesh' 0 "$SHARDWALK" -c 'mesh {a: 2, "b \ c": 4, c: 6}' \
	-c '[2{a}4, 2{"b \ c"}8, 4{c}24] ~> [4, 8, 1{"b \ c",c}24]; finish' -c 'export dot deep.dot graph; export dot steps.dot plan exact'
# The grammar of Graphviz, as far as it is used: one digraph of statements `ID = ID;`, `ID -> ID [attributes];` and
# `ID [attributes];`, whose edges are between nodes that are declared, once.
cat >dot.py <<'END'
import re, sys

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|->|[{}\[\]=,;])', re.S)
ATTRIBUTES = {'label', 'labelloc', 'rankdir', 'shape', 'style', 'fontname', 'fontsize', 'color', 'fontcolor', 'fillcolor', 'penwidth',
              'peripheries', 'constraint', 'tooltip'}

def tokens(text):
    at, found = 0, []
    while text[at:].strip():
        match = TOKEN.match(text, at)
        assert match, 'no token at "%s"' % text[at:at + 20]
        found.append(match[1])
        at = match.end()
    return found

def is_id(token):
    return token not in ('{', '}', '[', ']', '=', ',', ';', '->')

class Reader:
    def __init__(self, text):
        self.left, self.nodes, self.edges = tokens(text), [], []

    def take(self, wanted=None):
        token = self.left.pop(0)
        assert token == wanted if wanted else is_id(token), 'expected %s, found %s' % (wanted or 'an ID', token)
        return token

    def attributes(self):
        if self.left[0] != '[':
            return
        self.take('[')
        while True:
            name = self.take()
            assert name in ATTRIBUTES, 'unknown attribute ' + name
            self.take('=')
            self.take()
            if self.left[0] == ']':
                return self.take(']')
            self.take(',')

    def statement(self):
        name = self.take()
        if self.left[0] == '=':
            assert name in ATTRIBUTES, 'unknown attribute ' + name
            self.take('=')
            self.take()
        elif self.left[0] == '->':
            self.take('->')
            self.edges.append((name, self.take()))
            self.attributes()
        else:
            if name not in ('graph', 'node', 'edge'):
                self.nodes.append(name)
            self.attributes()
        self.take(';')

    def graph(self):
        self.take('digraph')
        self.take()
        self.take('{')
        while self.left[0] != '}':
            self.statement()
        self.take('}')
        assert not self.left, 'text behind the graph'
        assert self.nodes and len(set(self.nodes)) == len(self.nodes), 'a node is there twice'
        lost = [edge for edge in self.edges if not set(edge) <= set(self.nodes)]
        assert self.edges and not lost, 'an edge to no node: %s' % lost[:1]

Reader(open(sys.argv[1], encoding='utf-8').read()).graph()
END
for file in graph plan naive deep steps; do
	[ -z "$python" ] || status "$file.dot is a graph" 0 "$python" dot.py $file.dot
	! command -v dot >/dev/null || status "Graphviz draws $file.dot" 0 dot -Tsvg -o drawn.svg $file.dot
done
printf 'digraph a { n1 [label="x"]; n1 -> n2; }' >bad.dot
if [ -n "$python" ]; then status 'a graph with an edge to no node is none' 1 "$python" dot.py bad.dot
else skip 'graphs are graphs' 'there is no python3'; fi

## Reports

status 'a small report' 0 "$SHARDWALK" -c 'mesh {x: 2}; from f32[1{x}2]' -c 'export markdown small.md'
same_picture 'is as expected' "$expected/report.md" small.md
status 'a report' 0 "$SHARDWALK" -f session -c 'export markdown report.md; export html report.html'
equal 'has all parts' 'The problem,At first,At the end,The plan,Memory and traffic,Tiles, step by step,Strategies side by side,What to write in a program,The search,Measured,Repeat it' "$(sed -n 's/^## //p' report.md | paste -sd,)"
equal 'every part shows something' 0 "$(grep -c 'shows nothing' report.md)"
equal 'it tells of every step' "$(sed -n 's/.* has a plan of \([0-9]*\) steps.*/\1/p' report.md)" "$(grep -c '^[0-9]*\. `' report.md)"
well_formed 'the page is XML, too' report.html
equal 'it takes nothing from elsewhere' 0 "$(grep -c '<script\|<link\|src=\|url(\|@import\|href=' report.html)"
equal 'it has the pictures of the other one' "$(grep -c '^```text' report.md)" "$(grep -c '<svg ' report.html)"
equal 'it has the day' 1 "$(grep -c '>shardwalk [0-9.]*, 1970-01-02<' report.html)"
status 'once more' 0 "$SHARDWALK" -f session -c 'export html again.html'
status 'it is the same' 0 cmp report.html again.html
sed '1,/^## Repeat it/d; /^```/d; /^.shardwalk. restores/d' report.md >script
status 'its lines run' 0 "$SHARDWALK" -f script -c 'export dot twice.dot plan'
status 'they make the same plan' 0 cmp twice.dot plan.dot
status 'without a problem' 0 "$SHARDWALK" -c 'export markdown -'
equal 'it says so' 1 "$(grep -c '^No mesh was defined\.$' out)"
status 'a problem without a plan' 0 "$SHARDWALK" -c "$mesh; $ends; budget 1" -c 'export markdown -'
equal 'it says why' 1 "$(grep -c '^There is none: ' out)"
status 'under LC_ALL=C' 0 env LC_ALL=C "$SHARDWALK" -f session -c 'export markdown ascii.md'
equal 'it is ASCII' '' "$(LC_ALL=C tr -d '\n -~' <ascii.md)"
if [ -n "$python" ]; then
	status 'a day of today' 0 env -u SOURCE_DATE_EPOCH "$SHARDWALK" -c 'export markdown -'
	equal 'is said' "$(date -u +%F)" "$(sed -n 's/^shardwalk .*, //p' out)"
fi

## What is refused

refused 'no view' L03 'needs a view' "$SHARDWALK" -c "$mesh; export svg picture.svg"
refused 'a view that there is not' L08 'no view' "$SHARDWALK" -c "$mesh; export svg picture.svg nonsense"
refused 'an option of other views' L05 "'compare' has no option" "$SHARDWALK" -c "$mesh; $ends; export svg picture.svg compare --device 1"
refused 'a view without what it shows' L07 'plan' "$SHARDWALK" -c "export svg picture.svg plan"
refused 'no element of the array' L02 'is not an element' "$SHARDWALK" -c "$mesh; $ends; export svg picture.svg tiles --element 5,12"
refused 'an element with an index too few' L02 'is not an element' "$SHARDWALK" -c "$mesh; $ends; export svg picture.svg mesh --element 5"
refused 'an element of no array' L07 'from' "$SHARDWALK" -c "$mesh; export svg picture.svg tiles --element 5,7"
refused 'a width that is none' L12 '24 to 1000' "$SHARDWALK" -c "$mesh; export svg picture.svg mesh --width 5"
refused 'an argument too many' L04 '' "$SHARDWALK" -c "$mesh; export svg picture.svg mesh 3"
refused 'another graph' L08 'graph' "$SHARDWALK" -c "$mesh; $ends; export dot graph.dot tree"
refused 'a plan that is not there' L08 'no result' "$SHARDWALK" -c "$mesh; $ends; export dot graph.dot plan \$7"
refused 'no view for a page' L08 'no view' "$SHARDWALK" -c "$mesh; export html page.html nonsense"
refused 'an option of a report' L05 'a report has no option' "$SHARDWALK" -c "$mesh; export html report.html --bytes"
refused 'a page without what it shows' L07 'plan' "$SHARDWALK" -c "export html page.html plan"
refused 'an option that the format has not' L05 'dot' "$SHARDWALK" -c "$mesh; $ends; export dot graph.dot --bytes"
printf 'mesh {x: 4}\nexport svg p.svg tiles [3{z}12]\n' >script
"$SHARDWALK" script 2>err
equal 'the place is that in the line' ' --> script:2:27' "$(grep -e '-->' err)"

echo old >kept.svg
"$SHARDWALK" -c "$mesh; export svg kept.svg nonsense" 2>/dev/null
equal 'a picture that fails leaves the old file' old "$(cat kept.svg)"
long=$(printf 'n%.0s' 1 2 3 4 5 6 7 8 9 10)
long=$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long$long
echo old >"$long"
status 'no room for the new file beside the old one' 3 "$SHARDWALK" -c "$mesh; export svg $long mesh"
equal 'leaves the old one' old "$(cat "$long")"
status 'a disk that is full' 3 "$SHARDWALK" -c "$mesh; export html /dev/full"

finish
