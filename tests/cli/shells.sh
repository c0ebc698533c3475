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
equal 'nothing for a size' '' "$(offered plan --budget '')"
"$SHARDWALK" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort >commands
offered '' | grep '^[a-z]*$' | sort >words
equal 'every command' '' "$(comm -23 commands words)"
if command -v zsh >/dev/null; then status 'zsh reads it' 0 zsh -n for-zsh; else skip 'zsh reads it' 'there is no zsh'; fi
finish
