#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs into an empty folder, uses what is there, uninstalls, and looks what is left: nothing that was
# not there before.  `make check-install` runs it, with MAKE and CC set.

cd "$(dirname "$0")/.." || exit 2
stage=$(mktemp -d) || exit 2
trap 'rm -rf "$stage"' EXIT

die() {
	echo "check-install: $*" >&2
	exit 1
}

installing() { # GOAL
	${MAKE:-make} "$1" DESTDIR="$stage/root" PREFIX=/usr >"$stage/log" 2>&1 || { cat "$stage/log" >&2; die "make $1 failed"; }
}

# The example that was installed, linked with the shared library that was installed: it plans.
use_library() {
	root=$stage/root/usr
	[ -f "$root/lib/libshardwalk.so" ] || return 0
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -I"$root/include" -o "$stage/plan" \
		"$root/share/shardwalk/samples/library/plan.c" -L"$root/lib" -lshardwalk ||
		die "the installed library cannot be used"
	LD_LIBRARY_PATH=$root/lib "$stage/plan" >"$stage/said" || die "the example does not run"
	grep -q '^cost 18 elements per device, optimal: proved$' "$stage/said" || die "the example finds no plan: $(cat "$stage/said")"
}

# Both shells read what completes words for them; zsh where it is there.
use_completions() {
	bash -n "$stage/root/usr/share/bash-completion/completions/shardwalk" || die "bash does not read its completion"
	command -v zsh >/dev/null || return 0
	zsh -n "$stage/root/usr/share/zsh/site-functions/_shardwalk" || die "zsh does not read its completion"
}

# Each installed header as it is there, and what pkg-config says of the library.
use_headers() {
	for header in "$stage/root/usr/include/shardwalk"/*.h; do
		echo "#include <shardwalk/$(basename "$header")>" >"$stage/header.c"
		${CC:-cc} -std=gnu11 -fsyntax-only -I"$stage/root/usr/include" "$stage/header.c" || die "$header cannot be included"
	done
	command -v pkg-config >/dev/null || return 0
	said=$(PKG_CONFIG_LIBDIR=$stage/root/usr/lib/pkgconfig pkg-config --modversion shardwalk) || die "shardwalk.pc cannot be read"
	[ -n "$said" ] || die "shardwalk.pc names no version"
}

# Some folders are there already, with a file of somebody else in one: those stay.
mkdir -p "$stage/root/usr/bin" "$stage/root/usr/share/man/man1"
echo other >"$stage/root/usr/bin/other"
find "$stage/root" | sort >"$stage/before"

installing install
[ "$(find "$stage/root" -type f | wc -l)" -gt 3 ] || die "nothing was installed"
use_library
use_completions
use_headers
installing install
installing uninstall

find "$stage/root" | sort >"$stage/after"
diff "$stage/before" "$stage/after" || die "uninstall did not leave what was there before"
echo "ok install and uninstall"
