# SPDX-License-Identifier: GPL-3.0-or-later
#
# GNU make alone builds shardwalk; `make help` lists what it can do.
#
#   engine/          -> build/libshardwalk.a and build/libshardwalk.so.0
#   tui/           -> build/shardwalk
#   mpi_exec/      -> build/shardwalk-exec, where MPICH is
#   man/           -> build/man/, with the tables that build/shardwalk knows
#   tests/unit/    -> build/tests/test_*; they link the engine, test_tui_* the program's parts too
#   tests/oracle/  -> the searches of 0.1.0, in test_search and bench_oracle only
#   tests/bench/   -> build/bench/bench_*
#
# A source file is built because it stands in its folder: nothing has to be listed here.

VERSION := 0.1.0
ABI := 0

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

## Switches (make VAR=VALUE)
#
#   V=1                          show whole commands instead of `[ CC ] file`
#   BUILD=DIR                    where everything that is made goes
#   CC, CFLAGS, LDFLAGS          the compiler, its optimisation, the linker's options
#   WERROR=1                     warnings are errors
#   SANITIZE=address,undefined   instrumented, in a build folder of its own
#   COVERAGE=1                   count executed lines, in a build folder of its own
#   MPICC=CMD                    the MPICH compiler; empty leaves shardwalk-exec out
#   DESTDIR, PREFIX, BINDIR, LIBDIR, INCLUDEDIR, DATADIR, MANDIR   where `install` puts things

V ?=
WERROR ?=
SANITIZE ?=
COVERAGE ?=

comma := ,
variant := $(subst $(comma),-,$(SANITIZE))$(if $(COVERAGE),coverage)
BUILD ?= build$(if $(variant),/$(variant))

ifneq ($(findstring |$(patsubst %/,%,$(abspath $(BUILD)))/,|$(CURDIR)/),)
$(error BUILD=$(BUILD) holds the sources, and `make clean` removes it: name another folder)
endif

DESTDIR ?=
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man

Q := $(if $(V),,@)
say = $(if $(V),,@printf '[ %-4s ] %s\n' '$(1)' '$(2)')

## Compiler and flags

CFLAGS ?= -O2 -g
LDFLAGS ?=

warnings := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith -Wvla -Wundef
instruments := \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
	$(if $(COVERAGE),--coverage -O0)

# Where the sources stand is nobody's business: the same commit makes the same bytes in any folder.
anywhere := -ffile-prefix-map=$(CURDIR)=.
c_flags := -std=gnu11 $(warnings) $(if $(WERROR),-Werror) $(anywhere) $(CFLAGS) $(instruments)
ld_flags := $(LDFLAGS) $(instruments) -Wl,--as-needed

# $(call libs,PACKAGES,FALL-BACK): pkg-config's word, else the usual names
libs = $(shell pkg-config --libs $(1) 2>/dev/null || echo $(2))
includes = $(shell pkg-config --cflags-only-I $(1) 2>/dev/null)

engine_libs := $(call libs,jansson,-ljansson) -lm
tui_libs := $(call libs,readline,-lreadline) $(call libs,ncursesw,-lncursesw -ltinfo) $(call libs,zlib,-lz) $(engine_libs)
test_libs = $(call libs,cmocka,-lcmocka)
lib_includes := $(sort $(call includes,jansson) $(call includes,readline) $(call includes,ncursesw) $(call includes,zlib))

# Who sees what: only the engine and its tests see the engine's private headers.
engine_flags := -Iinclude -Iengine -fPIC -fno-semantic-interposition -fvisibility=hidden
tui_flags := -Iinclude -Itui -DNCURSES_WIDECHAR=1
exec_flags := -Iinclude -Impi_exec
exec_ld_flags := $(addprefix -Wl$(comma)--export-dynamic-symbol=,mkstemp shm_open shmget ucp_worker_progress ucp_disconnect_nb)
test_flags := -Iinclude -Iengine -Itests -Itests/kit
tui_test_flags := -Iinclude -Itui -Itests -Itests/kit -DNCURSES_WIDECHAR=1
version_flags = -DSW_VERSION='"$(VERSION)"' -DSW_FLAGS='"$(strip $(CFLAGS) $(instruments))"'

## Sources

engine_src := $(sort $(wildcard engine/*/*.c engine/*/*/*.c))
tui_src := $(sort $(wildcard tui/*.c tui/*/*.c tui/*/*/*.c))
exec_src := $(sort $(wildcard mpi_exec/*.c mpi_exec/*/*.c))
test_src := $(sort $(wildcard tests/unit/test_*.c))
test_help_src := $(sort $(wildcard tests/kit/*.c) $(filter-out $(test_src),$(wildcard tests/unit/*.c)))
oracle_src := $(sort $(wildcard tests/oracle/*.c))
bench_src := $(sort $(wildcard tests/bench/bench_*.c))
public_headers := $(sort $(wildcard include/shardwalk/*.h))
engine_headers := $(sort $(wildcard engine/*/*.h engine/*/*/*.h))
tui_headers := $(sort $(wildcard tui/*.h tui/*/*.h tui/*/*/*.h))
exec_headers := $(sort $(wildcard mpi_exec/*.h mpi_exec/*/*.h))

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
all_obj := $(call obj,$(engine_src) $(tui_src) $(exec_src) $(test_src) $(test_help_src) $(oracle_src) $(bench_src))

static_lib := $(BUILD)/libshardwalk.a
shared_lib := $(if $(engine_src),$(BUILD)/libshardwalk.so.$(ABI))
tui_lib := $(BUILD)/obj/tui.a
program := $(if $(tui_src),$(BUILD)/shardwalk)
# Functions whose calls go through a test, which counts them: work is counted, not timed.
through_test_tui_screen := $(addprefix -Wl$(comma)--wrap=,sw_walk_node sw_walk_node_size sw_walk_node_place \
	sw_walk_node_distance sw_walk_node_parent sw_walk_node_order)
tests := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(test_src))
pages := $(if $(program),$(patsubst %,$(BUILD)/%,$(sort $(wildcard man/*.1 man/*.7))))
completions := $(if $(program),$(BUILD)/completion/shardwalk.bash $(BUILD)/completion/shardwalk.zsh)
benches := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(bench_src))

ifneq ($(exec_src),)
ifeq ($(origin MPICC),undefined)
MPICC := $(shell .ci/packages mpicc)
endif
executor := $(if $(MPICC),$(BUILD)/shardwalk-exec)
left_out := $(if $(MPICC),,no MPICH here; Debian has it in: mpich libmpich-dev)
else
executor :=
left_out := mpi_exec/ has no sources
endif

## Build

all: lib $(program) $(executor) $(pages) $(completions) ## the library, the programs and their manual
ifneq ($(left_out),)
	@echo '[ --   ] shardwalk-exec is left out: $(left_out)'
endif

lib: $(static_lib) $(shared_lib) ## the library only

tests: $(tests) ## the unit test programs

# A stamp holds the words a kind of file is made with, and changes only when they do.
stamp = $(BUILD)/stamp/$(1)
stamp_cc = $(CC) $(c_flags) $(engine_flags) $(tui_flags) $(lib_includes) $(test_flags) $(tui_test_flags)
stamp_mpicc = $(MPICC) $(CC) $(c_flags) $(exec_flags)
stamp_link = $(CC) $(ld_flags) $(exec_ld_flags) $(tui_libs) $(engine_src) $(tui_src) $(exec_src) $(test_help_src)
stamp_version = $(version_flags)

$(BUILD)/stamp/%: force
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(stamp_$*))' | cmp -s - $@ || \
		printf '%s\n' '$(subst ','\'',$(stamp_$*))' > $@

# The required libraries are looked for once, so that their lack reads better than a compiler's error.
$(BUILD)/stamp/libraries:
	@mkdir -p $(@D)
	@CC='$(CC)' .ci/packages check build
	@touch $@

compile = $(Q)mkdir -p $(@D) && $(CC) $(c_flags) $(1) $(lib_includes) -MMD -MP -c -o $@ $<

$(BUILD)/obj/engine/%.o: engine/%.c $(call stamp,cc) | $(BUILD)/stamp/libraries
	$(call say,CC,$<)
	$(call compile,$(engine_flags))

# C that is written into exported programs, as texts.
program_parts := $(patsubst engine/%.c.in,$(BUILD)/made/%.parts,$(sort $(wildcard engine/emit/*/*.c.in)))

$(BUILD)/made/%.parts: engine/%.c.in engine/emit/quote.awk
	@mkdir -p $(@D)
	@awk -f engine/emit/quote.awk $< > $@

$(BUILD)/obj/engine/emit/mpi_body.o: $(program_parts)
$(BUILD)/obj/engine/emit/mpi_body.o: engine_flags += -I$(BUILD)/made

# Each element has the same bits wherever it is computed.
$(BUILD)/obj/engine/program/formula_run.o: engine_flags += -ffp-contract=off

$(BUILD)/obj/engine/base/version.o: $(call stamp,version)
$(BUILD)/obj/engine/base/version.o: engine_flags += $(version_flags)

$(BUILD)/obj/tui/host/version.o: tui/host/version.c $(call stamp,cc) $(call stamp,version) | $(BUILD)/stamp/libraries
	$(call say,CC,$<)
	$(call compile,$(tui_flags) $(version_flags))

$(BUILD)/obj/tui/%.o: tui/%.c $(call stamp,cc) | $(BUILD)/stamp/libraries
	$(call say,CC,$<)
	$(call compile,$(tui_flags))

# Measurements that are installed with the samples, as texts.
$(BUILD)/made/placement/published.lines: samples/placement/published.jsonl
	@mkdir -p $(@D)
	@sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n",/' $< > $@

$(BUILD)/obj/tui/command/placement/published.o: $(BUILD)/made/placement/published.lines
$(BUILD)/obj/tui/command/placement/published.o: tui_flags += -I$(BUILD)/made

$(BUILD)/obj/tests/unit/test_tui_%.o: tests/unit/test_tui_%.c $(call stamp,cc) | $(BUILD)/stamp/libraries
	$(call say,CC,$<)
	$(call compile,$(tui_test_flags))

$(BUILD)/obj/tests/bench/bench_tui_%.o: tests/bench/bench_tui_%.c $(call stamp,cc) | $(BUILD)/stamp/libraries
	$(call say,CC,$<)
	$(call compile,$(tui_test_flags))

$(BUILD)/obj/tests/%.o: tests/%.c $(call stamp,cc) | $(BUILD)/stamp/libraries
	$(call say,CC,$<)
	$(call compile,$(test_flags))

$(BUILD)/obj/mpi_exec/version.o: mpi_exec/version.c $(call stamp,mpicc) $(call stamp,version) | $(BUILD)/stamp/libraries
	$(call say,MPI,$<)
	$(Q)mkdir -p $(@D) && MPICH_CC='$(CC)' $(MPICC) $(c_flags) $(exec_flags) $(version_flags) -MMD -MP -c -o $@ $<

$(BUILD)/obj/mpi_exec/%.o: mpi_exec/%.c $(call stamp,mpicc) | $(BUILD)/stamp/libraries
	$(call say,MPI,$<)
	$(Q)mkdir -p $(@D) && MPICH_CC='$(CC)' $(MPICC) $(c_flags) $(exec_flags) $(lib_includes) -MMD -MP -c -o $@ $<

archive = $(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

$(static_lib): $(call obj,$(engine_src)) $(call stamp,link)
	$(call say,AR,$@)
	$(archive)

$(tui_lib): $(call obj,$(filter-out tui/main.c,$(tui_src))) $(call stamp,link)
	$(call say,AR,$@)
	$(archive)

$(BUILD)/libshardwalk.so.$(ABI): $(call obj,$(engine_src)) $(call stamp,link)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) $(ld_flags) -o $@ $(filter %.o,$^) $(engine_libs)

$(BUILD)/shardwalk: $(call obj,$(tui_src)) $(static_lib) $(call stamp,link)
	$(call say,LD,$@)
	$(Q)$(CC) $(ld_flags) -o $@ $(filter %.o %.a,$^) $(tui_libs)

$(BUILD)/shardwalk-exec: $(call obj,$(exec_src)) $(static_lib) $(call stamp,link) $(call stamp,mpicc)
	$(call say,LD,$@)
	$(Q)MPICH_CC='$(CC)' $(MPICC) $(ld_flags) $(exec_ld_flags) -o $@ $(filter %.o %.a,$^) $(engine_libs)

$(BUILD)/man/%: man/% man/expand $(program)
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D) && man/expand $(BUILD)/shardwalk $< > $@

$(BUILD)/completion/shardwalk.%: $(program)
	$(call say,WORDS,$@)
	$(Q)mkdir -p $(@D) && $(BUILD)/shardwalk completion $* > $@

$(BUILD)/tests/test_tui_%: $(BUILD)/obj/tests/unit/test_tui_%.o $(call obj,$(test_help_src)) $(tui_lib) $(static_lib) \
		$(call stamp,link)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ld_flags) $(through_$(@F)) -o $@ $(filter %.o %.a,$^) $(test_libs) $(tui_libs)

$(BUILD)/tests/test_search $(BUILD)/bench/bench_oracle: $(call obj,$(oracle_src))

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(call obj,$(test_help_src)) $(static_lib) $(call stamp,link)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ld_flags) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(test_libs) $(engine_libs)

$(BUILD)/bench/bench_tui_%: $(BUILD)/obj/tests/bench/bench_tui_%.o $(tui_lib) $(static_lib) $(call stamp,link)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ld_flags) -o $@ $(filter %.o %.a,$^) $(test_libs) $(tui_libs)

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(static_lib) $(call stamp,link)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(ld_flags) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(engine_libs)

-include $(all_obj:.o=.d)

.PHONY: all lib tests force
.SECONDARY: $(all_obj)
force:

## Run and test

# Installing first and building in a make of its own: what is installed changes what is built.
again = $(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
sample := samples/tour.sw

run: ## install what is missing, build, open the program on a sample
	@CC='$(CC)' .ci/packages install run
	@$(again) all
	@if [ -t 0 ] && [ -t 1 ]; then exec $(BUILD)/shardwalk --echo -i $(sample); else exec $(BUILD)/shardwalk --echo $(sample); fi

test: ## install what is missing, build, run all tests
	@CC='$(CC)' .ci/packages install test
	@$(again) check

check: all tests ## run all tests, installing nothing; TESTS='NAME...' picks some
	@BUILD=$(BUILD) tests/run $(TESTS)

snapshots: all ## run the tests and take what they print now as what is expected
	@BUILD=$(BUILD) UPDATE=1 tests/run $(or $(TESTS),cli/ man/ samples/)

verify-full: all ## run the tests of whole programs with arrays of full size
	@BUILD=$(BUILD) VERIFY=full tests/run $(or $(TESTS),cli/)

benches: $(benches) ## the benchmarks, not run

bench: all $(benches) ## measure how fast it is
	@BUILD=$(BUILD) tests/run --bench $(TESTS)

peers: all ## compare xla, shardy and dtensor with JAX and PyTorch, where these are installed
	@python3 tests/peers.py $(BUILD)/shardwalk $(SEED)

coverage: ## run the tests and tell which share of the lines they reach
	@$(again) COVERAGE=1 check
	@cd build/coverage && gcov -n $$(find obj -name '*.gcda') 2>/dev/null | \
		awk -F"[':% ]+" '/^File/ { file = $$2 } /^Lines/ && file ~ /^[a-z_]+\// { printf "%6s %%  %s\n", $$3, file; file = "" }' | sort -n

.PHONY: run test check snapshots verify-full benches bench peers coverage

## Lint

lint: check-format check-headers check-layers check-maps check-signs check-exports check-man ## all checks that need no running program

# $(call alone,FLAGS,HEADERS[,COMPILER])
alone = for header in $(2); do $(or $(3),$(CC)) -x c -std=gnu11 $(warnings) -Werror -fsyntax-only $(1) $$header || exit 1; done

# Versions of clang-format differ in what they write; this is the one of Debian 12 and Ubuntu 22.04.
style_version := 14
c_files := $(public_headers) $(engine_headers) $(tui_headers) $(exec_headers) $(engine_src) $(tui_src) $(exec_src) \
	$(wildcard tests/*/*.[ch])

check-format: ## all files have the style of .clang-format
	$(call say,FMT,$(words $(c_files)) files)
	$(Q)if command -v clang-format >/dev/null && clang-format --version | grep -q 'version $(style_version)\.'; then \
		printf '%s\n' $(c_files) | xargs -P 2 -n 40 clang-format --dry-run -Werror; \
		else echo 'no clang-format $(style_version) here: the style is not checked' >&2; fi

format: ## give all files the style of .clang-format
	$(Q)printf '%s\n' $(c_files) | xargs -P 2 -n 40 clang-format -i

check-headers: ## every header compiles by itself, shardwalk.h has all public ones
	$(call say,HEAD,$(words $(public_headers) $(engine_headers) $(tui_headers) $(exec_headers)) headers by themselves)
	$(Q)$(call alone,-Iinclude,$(public_headers))
	$(Q)$(call alone,-Iinclude -Iengine,$(engine_headers))
	$(Q)$(call alone,$(tui_flags) $(lib_includes),$(tui_headers))
	$(Q)$(if $(MPICC),$(call alone,$(exec_flags) $(lib_includes),$(exec_headers),$(MPICC)),true)
	$(Q)for header in $(filter-out shardwalk.h,$(notdir $(public_headers))); do \
		grep -q "<shardwalk/$$header>" include/shardwalk/shardwalk.h || \
		{ echo "include/shardwalk/shardwalk.h lacks $$header" >&2; exit 1; }; done

check-signs: ## signs that one idea is said in several places do not grow; tests/signs.sh NAME lists one by file
	$(call say,SIGN,engine tui mpi_exec)
	$(Q)tests/signs.sh

check-layers: ## nobody includes what stands above him
	$(call say,LAYR,engine tui mpi_exec)
	$(Q)tests/layers.sh

check-maps: ## the maps of engine, program and executor name the files that there are
	$(call say,MAPS,engine/map.h tui/main.c mpi_exec/main.c)
	$(Q)tests/maps.sh

check-exports: $(shared_lib) ## the library exports what its headers declare
	$(call say,NAME,$(shared_lib))
	$(Q)CC='$(CC)' tests/exports.sh $(shared_lib)

check-man: $(pages) ## mandoc finds nothing to say about the manual
	$(call say,LINT,$(pages))
	$(Q)if command -v mandoc >/dev/null; then ! mandoc -Tlint -W style $(pages) | grep -v 'not found: Xr shardwalk'; \
		else echo 'no mandoc here: the manual is not checked' >&2; fi

.PHONY: lint check-maps format check-format check-headers check-layers check-signs check-exports check-man

## Install

# What is installed, as lines `mode source target`.  The list of what was really made stays beside the
# samples, so that `uninstall` removes that, and nothing else.
manifest := $(DATADIR)/shardwalk/installed

define installed
$(foreach file,$(program) $(executor),755 $(file) $(BINDIR)/$(notdir $(file))$(newline))
$(foreach file,$(static_lib),644 $(file) $(LIBDIR)/$(notdir $(file))$(newline))
$(foreach file,$(shared_lib),755 $(file) $(LIBDIR)/$(notdir $(file))$(newline))
$(if $(shared_lib),link libshardwalk.so.$(ABI) $(LIBDIR)/libshardwalk.so)
644 $(BUILD)/shardwalk.pc $(LIBDIR)/pkgconfig/shardwalk.pc
$(foreach file,$(public_headers),644 $(file) $(INCLUDEDIR)/shardwalk/$(notdir $(file))$(newline))
$(foreach file,$(pages),644 $(file) $(MANDIR)/man$(subst .,,$(suffix $(file)))/$(notdir $(file))$(newline))
$(foreach file,$(filter %.bash,$(completions)),644 $(file) $(DATADIR)/bash-completion/completions/shardwalk$(newline))
$(foreach file,$(filter %.zsh,$(completions)),644 $(file) $(DATADIR)/zsh/site-functions/_shardwalk$(newline))
$(foreach file,$(wildcard samples/*.* samples/*/*.*),644 $(file) $(DATADIR)/shardwalk/$(file)$(newline))
endef
define newline


endef
export installed

stamp_pc = $(PREFIX) $(LIBDIR) $(INCLUDEDIR) $(VERSION)

define pkgconfig
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$(INCLUDEDIR)

Name: shardwalk
Description: Planning of array redistributions by collective operations
Version: $(VERSION)
Requires.private: jansson
Libs: -L$${libdir} -lshardwalk
Libs.private: -lm
Cflags: -I$${includedir}
endef
export pkgconfig

$(BUILD)/shardwalk.pc: $(call stamp,pc)
	@echo "$$pkgconfig" > $@

install: all $(BUILD)/shardwalk.pc ## put everything under $(DESTDIR)$(PREFIX)
	@echo "$$installed" | .ci/install put '$(DESTDIR)' $(manifest)

uninstall: ## remove what `install` put there, and the folders it made
	@.ci/install remove '$(DESTDIR)' $(manifest)

check-install: all ## prove that `uninstall` leaves nothing and that the installed library links
	@MAKE='$(MAKE)' CC='$(CC)' tests/install.sh

check-reproducible: all ## prove that builds in two folders are the same bytes
	@MAKE='$(MAKE)' CC='$(CC)' CFLAGS='$(CFLAGS)' BUILD='$(BUILD)' tests/reproducible.sh

.PHONY: install uninstall check-install check-reproducible

## Tidy

dist: ## a source archive of the last commit, build/shardwalk-VERSION.tar.gz
	@mkdir -p $(BUILD)
	$(Q)git archive --prefix=shardwalk-$(VERSION)/ -o $(BUILD)/shardwalk-$(VERSION).tar.gz HEAD
	$(call say,DIST,$(BUILD)/shardwalk-$(VERSION).tar.gz)

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo 'Switches:'
	@sed -n '/^## Switches/,/^[^#]/s/^#   /  /p' $(firstword $(MAKEFILE_LIST))

.PHONY: dist clean help
