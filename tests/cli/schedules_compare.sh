#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ways to compute one statement side by side: lines of a batch, compare, pareto, advise, and schedules that are taken from them.
. "$SRC/tests/lib.sh"

contains() { # NAME TEXT PART
	case $2 in
	*"$3"*) ok "$1" ;;
	*) not_ok "$1" "no '$3' in: $2" ;;
	esac
}

# ---- lines of a batch ----
cat >"$TMP/check.py" <<'END'
import json, sys
def differs(case, answer):
    return [k for k in case if case[k] != answer.get(k)] if "algorithms" not in case else [
        (name, k) for name, one in case["algorithms"].items() for k in one
        if one[k] != answer.get("algorithms", {}).get(name, {}).get(k)] + \
        [name for name in answer.get("algorithms", {"none": 0}) if name not in case["algorithms"]]
cases = [json.loads(line) for line in open(sys.argv[1])]
answers = [json.loads(line) for line in open(sys.argv[2])]
wrong = [(c["name"], differs(c, a)) for c, a in zip(cases, answers)
         if differs(c, a) or c["name"] != a.get("name") or a.get("schema") != "shardwalk.schedule/1"]
print(len(cases) == len(answers) and len(cases) > 0, wrong[:2])
END
for kind in compare best; do
	command -v python3 >/dev/null || { skip "lines of distal-$kind" 'no python3'; continue; }
	"$SHARDWALK" batch "$CASES/distal-$kind.jsonl" --json >"$TMP/answers" 2>"$TMP/err"
	equal "every line of distal-$kind is as recorded" 'True []' \
		"$(python3 "$TMP/check.py" "$CASES/distal-$kind.jsonl" "$TMP/answers")"
done
batch() { # LINE: what batch says of it, for programs
	printf '%s\n' "$1" | "$SHARDWALK" batch - --json 2>/dev/null
}
contains 'an algorithm that no machine of so many runs is left out with the reason' \
	"$(batch '{"m": 8, "n": 8, "k": 8, "processors": 7}')" '"johnson": "'
contains 'a number of processors is above 0' "$(batch '{"m": 8, "n": 8, "k": 8, "processors": 0}')" \
	"'processors' is no whole number above 0\", \"file\": \"-\", \"line\": 1, \"column\": 40"
contains 'a size is a number' "$(batch '{"m": "8", "n": 8, "k": 8, "processors": 4}')" "'m' is no whole number above 0"
contains 'so is memory' "$(batch '{"m": 8, "n": 8, "k": 8, "processors": 4, "memory": -2}')" "'memory' is no whole number above 0"
contains 'too many processors are refused' "$(batch '{"m": 8, "n": 8, "k": 8, "processors": 1099511627776}')" '"code": "M05"'
contains 'the best grid of as many is told' \
	"$(batch '{"m": 8, "n": 8, "k": 8, "processors": 2097152, "memory": 1000}')" '"grid": [1, 1, 2097152]'
contains 'people read one line an algorithm' \
	"$(printf '{"name": "p", "m": 8, "n": 8, "k": 8, "processors": 4}\n' | "$SHARDWALK" batch - 2>&1)" \
	'cannon: 2 steps, 128 elements, live'
finish
