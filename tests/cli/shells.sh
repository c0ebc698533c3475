#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What bash offers behind shardwalk when Tab is pressed, from the table of commands; zsh reads what is written for it.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1
command -v bash >/dev/null || { skip 'words for shells' 'there is no bash'; exit 0; }

status 'for bash' 0 "$SHARDWALK" completion bash
cp out for-bash
status 'for zsh' 0 "$SHARDWALK" completion zsh
cp out for-zsh
refused 'for no other' L12 'one of bash, zsh' "$SHARDWALK" completion fish

offered() { # WORD...: for the last of them
	bash -c '. ./for-bash; COMP_WORDS=(shardwalk "$@"); COMP_CWORD=$#; _shardwalk; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

equal 'a command' normalize "$(offered norm)"
equal 'an option of the program' '--version' "$(offered --ver)"
equal 'an option of the command, behind what it is about' '--strategy' "$(offered plan '{x: 4}' '[{x}4] ~> [4]' --strategy)"
equal 'no option of another' '' "$(offered mesh --strat)"
equal 'a value of an option' 'fused' "$(offered plan --strategy fu)"
equal 'models' "$(printf 'ports\npaper' | sort)" "$(offered compare --model p | sort)"
equal 'an argument' 'exact' "$(offered plan ex)"
equal 'a file' 'for-bash' "$(offered open for-b)"
equal 'a file of sums' 'for-bash' "$(offered run for-b)"
equal 'nothing for a size' '' "$(offered plan --budget '')"
"$SHARDWALK" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort >commands
offered '' | grep '^[a-z]*$' | sort >words
equal 'every command' '' "$(comm -23 commands words)"

## zsh: what becomes of lines when Tab is pressed behind them, in a terminal

command -v zsh >/dev/null || { skip 'zsh reads it' 'there is no zsh'; finish; }
mkdir functions
cp for-zsh functions/_shardwalk
cat >tab.zsh <<'END'
zmodload zsh/zpty || exit 3
zpty -b shell zsh -f -i
zpty -w shell 'tell() { print -r -- "<$BUFFER>"; BUFFER=; zle reset-prompt }; zle -N tell; bindkey "^O" tell'
zpty -w shell "$1; print rea''dy"
shift
zpty -r shell seen '*ready*'
for line; do
	zpty -n -w shell "$line"$'\t\x0f'
	zpty -r shell seen '*<*>*' || exit 1
	seen=${seen##*<}
	print -r -- "${seen%%>*}"
done
zpty -d shell
END
tabbed='shardwalk normalize 
shardwalk plan --strategy fused 
shardwalk --version 
shardwalk open for-bash 
shardwalk mesh --strat
'
for how in 'fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D' 'autoload -Uz compinit; compinit -u -D; . ./for-zsh'; do
	zsh -f tab.zsh "$how" 'shardwalk norm' 'shardwalk plan --strategy fu' 'shardwalk --ver' 'shardwalk open for-b' 'shardwalk mesh --strat' >out 2>&1
	equal "zsh after: $how" "$tabbed" "$(cat out)
"
done
finish
