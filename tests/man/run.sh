#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the examples of the manual: what is between `.Bd` and `.Ed` after a line `.\" test`.  A line `$ COMMAND`
# (continued where it ends in a backslash) is run, and prints the lines after it.  `cat FILE` of a file that is not
# there makes it of these lines.  The examples of a page share a folder.  UPDATE=1 writes what they print into the page.
# The examples that come from the command table are run, too; those of shardwalk-exec where it is built.
. "$SRC/tests/lib.sh"
export LC_ALL=C

EXEC=$BUILD/shardwalk-exec
mkdir "$TMP/bin" && ln -s "$SHARDWALK" "$TMP/bin/shardwalk" && ln -s "$EXEC" "$TMP/bin/shardwalk-exec" || exit
PATH=$TMP/bin:$PATH

## mdoc

plain() {
	sed "s/^\\\\&//; s/\\\\(ti/~/g; s/\\\\(ha/^/g; s/\\\\(ga/\`/g; s/\\\\(aq/'/g; s/\\\\-/-/g; s/\\\\e/\\\\/g"
}

mdoc() {
	sed "s/\\\\/\\\\e/g; s/-/\\\\-/g; s/~/\\\\(ti/g; s/\\^/\\\\(ha/g; s/\`/\\\\(ga/g; s/'/\\\\(aq/g; s/^\\./\\\\\\&./"
}

# The examples of a page as files 1, 2, ...
split() { # PAGE
	awk -v folder="$2" '
		/^\.Ed/ { inside = 0 }
		inside { print >(folder "/" count) }
		/^\.Bd/ && marked { inside = 1; printf "" >(folder "/" ++count) }
		{ marked = /^\.\\" test$/ }' "$1"
}

# The page with what is in these files.
join() { # PAGE FOLDER
	awk -v folder="$2" '
		/^\.Ed/ { inside = 0 }
		!inside { print }
		/^\.Bd/ && marked {
			inside = 1
			file = folder "/" ++count
			while ((getline line <file) > 0)
				print line
		}
		{ marked = /^\.\\" test$/ }' "$1"
}

## One example

perform() {
	[ -n "$command" ] || return 0
	printf '$ %s\n' "$command"
	file=${command#cat }
	[ "$file" = "$command" ] || [ -f "$file" ] || cp "$TMP/body" "$file"
	sh -c "$command" </dev/null 2>&1 | sed 's/ *$//'
}

# Reads an example, prints it as it should be.
play() {
	command=
	: >"$TMP/body"
	while IFS= read -r line; do
		if [ "${line#$ }" != "$line" ]; then
			perform
			command=${line#??}
			: >"$TMP/body"
		elif [ "${command%\\}" != "$command" ] && [ ! -s "$TMP/body" ]; then
			command="$command
$line"
		else
			printf '%s\n' "$line" >>"$TMP/body"
		fi
	done
	perform
}

example() { # PAGE N
	plain <"$2" >"$TMP/said"
	play <"$TMP/said" >"$TMP/found"
	timeless "$TMP/found"
	mdoc <"$TMP/found" >"$TMP/new/$2"
	title="$1, example $2: $(head -n 1 "$TMP/said")"
	if [ -n "$UPDATE" ] || diff -u "$TMP/said" "$TMP/found" >"$TMP/diff"; then
		ok "$title"
	else
		not_ok "$title" "it prints something else"
		sed 's/^/# /' "$TMP/diff"
	fi
}

## The examples of the command table

# Statements that are accepted as a script, beside the files that they name.
statements() { # PAGE
	rm -rf "$TMP/old" "$TMP/work"
	mkdir "$TMP/old" "$TMP/work" && cd "$TMP/work" || exit
	awk -v folder="$TMP/old" '
		/^\.Sh/ { commands = $2 == "COMMANDS" }
		/^\.It/ { name = $3 }
		/^\.Ed/ { inside = 0 }
		inside { print >(folder "/" name) }
		/^\.Bd/ { inside = commands }' "$1"
	shardwalk plan 'mesh {x: 4}' '[3{x}12] ~> [12]' --json >plan.json
	echo '{"mesh": "{x: 4}", "from": "[3{x}12]", "to": "[12]"}' >problems.jsonl
	echo 'mesh {x: 4}' >session.shw
	for file in "$TMP/old"/*; do
		plain <"$file" >script
		title="$(basename "$1"): the example of $(basename "$file")"
		if [ "$(cat script)" = 'calibrate --ranks 2' ]; then
			ok "$title, which tests/mpi/calibrate runs"
			continue
		fi
		shardwalk script >"$TMP/out" 2>"$TMP/err"
		case $?:$(basename "$file") in
		0:*) ok "$title" ;;
		3:tui) ok "$title, which asks for a terminal (tests/terminal has one)" ;;
		3:*) skip "$title" "$(head -n 1 "$TMP/err")" ;;
		*) not_ok "$title" "$(head -n 1 "$TMP/err")" ;;
		esac
	done
}

## The options of the executor, which has no table for the manual

executor_options() { # PAGE
	equal "$1: the options are those of --help" "$("$EXEC" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p')" \
		"$(sed -n 's/^\.It Fl Fl \([a-z-]*\).*/\1/p' "$SRC/man/$1")"
}

## All

page() { # NAME
	rm -rf "$TMP/old" "$TMP/new" "$TMP/work"
	mkdir "$TMP/old" "$TMP/new" "$TMP/work" && cd "$TMP/work" || exit
	split "$SRC/man/$1" "$TMP/old"
	marked=$(grep -c '^\.\\" test$' "$SRC/man/$1")
	equal "$1: every mark comes before an example" "$marked" "$(find "$TMP/old" -type f | wc -l | tr -d ' ')"
	for n in $(seq "$marked"); do
		mv "$TMP/old/$n" "$n" && example "$1" "$n" && rm -f "$n"
	done
	join "$SRC/man/$1" "$TMP/new" >"$TMP/page"
	[ -z "$UPDATE" ] || cp "$TMP/page" "$SRC/man/$1"
}

for source in "$SRC"/man/*.[17]; do
	name=$(basename "$source")
	if [ "$name" = shardwalk-exec.1 ] && [ ! -x "$EXEC" ]; then
		skip "$name: its examples" 'there is no shardwalk-exec'
	else
		page "$name"
	fi
	status "$name is built" 0 test -s "$BUILD/man/$name"
	equal "$name has its tables" '' "$(grep '^\.\\" @' "$BUILD/man/$name")"
done
statements "$BUILD/man/shardwalk.1"
if [ -x "$EXEC" ]; then executor_options shardwalk-exec.1
else skip 'the options of shardwalk-exec' 'it is not built'; fi
finish
