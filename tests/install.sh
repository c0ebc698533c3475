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

# A program of a stranger, linked with the shared library that was installed.
use_library() {
	root=$stage/root/usr
	[ -f "$root/lib/libshardwalk.so" ] || return 0
	{
		echo '#include <shardwalk/shardwalk.h>'
		echo 'int main(void) { return 0; }'
	} >"$stage/use.c"
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -I"$root/include" -o "$stage/use" "$stage/use.c" \
		-L"$root/lib" -Wl,--no-as-needed -lshardwalk || die "the installed library cannot be used"
	LD_LIBRARY_PATH=$root/lib "$stage/use" || die "a program with the installed library does not run"
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
use_headers
installing install
installing uninstall

find "$stage/root" | sort >"$stage/after"
diff "$stage/before" "$stage/after" || die "uninstall did not leave what was there before"
echo "ok install and uninstall"
