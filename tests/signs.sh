#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Signs that one idea is said in several places, counted in the sources.  Each is a row: its name, how many there may be, and why
# one is too many; the function of that name prints `FILE:...` for each occurrence.  A limit only falls; one with a `+` is of what
# is wanted, the least that there may be, and only rises.
# `make check-signs` runs it; `tests/signs.sh NAME...` lists these signs by file.

cd "$(dirname "$0")/.." || exit 2

signs() {
	cat <<-'ROWS'
		operations   25  a column of its row answers for an operation (engine/step/collective.c, engine/program/ops.c)
		questions    11  a table by how results are made answers for what is computed
		flags        53  what flags of a row are asked together for is a table by a column of it, or a function (engine/step/row.h)
		chunks        0  a step has a holding after it, of tiles or of chunks: nobody asks which
		steps         1  what is done to values is one kind of step
		programs      1  a list of steps is one kind of list
		views         0  a view says in columns what it is drawn of
		hands        30  who answers does not ask who reads it: fields are NULL where people do (tui/answer/document.h)
		parameters    0  of 8 or more parameters some belong together: a noun is missing
		asserts    590+  a border between modules says what it takes, and who writes an array of fixed length that there is room
	ROWS
}

in_sources() { # PATTERN: the files that match, a line each time
	find engine tui mpi_exec -name '*.[ch]' -exec grep -oHE "$1" {} +
}

# Names out of a header, one from each line that fits: A|B|C.
names() { # HEADER FROM TO LINE: patterns, the name is \1 of LINE
	found=$(sed -n "/^$2/,/^$3/s/^\\t$4.*/\\1/p" "include/shardwalk/$1" | sed 's/, */\n/g' | paste -sd '|' -)
	[ -n "$found" ] || echo "signs: there are no names in include/shardwalk/$1" >&2
	[ -n "$found" ] && echo "$found"
}

# Comparisons with names, and case labels.
asked() { # PATTERN
	in_sources "([=!]=|case) *($1)\\b|\\b($1) *[=!]="
}

operations() {
	collectives=$(names collective.h 'typedef enum sw_op {' '} sw_op;' '\(SW_[A-Z]*\),') || return 2
	others=$(names collective.h '#define SW_COMPUTATIONS' '$' 'X(\([A-Z]*\),') || return 2
	elementwise=$(names collective.h '#define SW_ELEMENTWISE' '$' 'X(\([A-Z]*\),') || return 2
	asked "$collectives|SW_($others|$elementwise)"
}

# Whether, and how, something is computed.
questions() {
	in_sources '\bsw_op_computes\(|[!=]= SW_(MADE_BY|GROWS)_' | grep -v '^engine/program/ops.c'
}

# A row of the table is `row`, or what a function returns; the rules of the checker (`rule_of`) are its own.  A column that is
# compared with one of its values is a flag too.
flags() {
	bools=$(names collective.h 'typedef struct sw_collective {' '} sw_collective;' 'bool \([a-z_, ]*\);') || return 2
	in_sources "(\\brow|\\brule_of\\([^()]*\\)|\\))->($bools)\\b|->(among|terms|told|manner) [!=]= SW_[A-Z]" |
		grep -vE '^engine/step/|:rule_of'
}

chunks() {
	in_sources '(->|\.)chunks\b'
}

steps() {
	grep -oHE '^\} sw_([a-z]+_)*step;' include/shardwalk/*.h
}

programs() {
	grep -oHE '^\	(const )?(struct )?sw_[a-z_]*step \*[a-z_]+;' include/shardwalk/*.h
}

views() {
	in_sources '\bdraw *[=!]=|[=!]= *view_[a-z_]+\b'
}

# Apart from the writers, the parser, and the one place where a statement is run for somebody.
hands() {
	in_sources '\bwants_json\(|\bfor_programs\b|\bas_json\b' | grep -vE '^tui/(answer/|command/(read.c|command.h):)'
}

# A definition begins in the first column, and its body with a line that is a brace; parameters that are functions have commas of
# their own.
parameters() {
	find engine tui mpi_exec include -name '*.[ch]' -exec awk '
		/^[A-Za-z_]/ { head = "" }
		/^[A-Za-z_][A-Za-z_0-9 *]*\(/ || (head != "" && /^[ \t]/) { head = head $0 }
		head ~ /;[ \t]*$/ { head = "" }
		/^\{/ && head != "" {
			gsub(/\/\*[^*]*\*\//, "", head)
			name = head
			sub(/\(.*/, "", name)
			sub(/^[^(]*\(/, "", head)
			sub(/\)[^)]*$/, "", head)
			while (gsub(/\([^()]*\)/, "", head))
				;
			if (gsub(/,/, "", head) >= 7) {
				sub(/.*[ *]/, "", name)
				print FILENAME ":" name
			}
			head = ""
		}' {} +
}

asserts() {
	in_sources '\b(assert|SW_ROOM)\(' | grep -v '^engine/base/room\.h:'
}

by_file() { # FOUND
	[ -z "$1" ] || printf '%s\n' "$1" | cut -d: -f1 | sort | uniq -c | sort -k1,1nr -k2
}

faults=0
while read -r name most why; do
	case " $* " in '  ' | *" $name "*) ;; *) continue ;; esac
	found=$("$name")
	[ "$?" -ne 2 ] || exit 2
	count=$(printf '%s' "$found" | grep -c '')
	[ "$#" -eq 0 ] || by_file "$found"
	bound='at most' beyond=-gt
	case $most in *+) bound='at least' beyond=-lt ;; esac
	most=${most%+}
	echo "$name: $count, $most $bound"
	[ "$count" "$beyond" "$most" ] || continue
	faults=1
	[ "$#" -gt 0 ] || [ "$beyond" = -lt ] || by_file "$found" >&2
	echo "signs: $name: $count, $most $bound; $why" >&2
done <<EOF
$(signs)
EOF
exit "$faults"
