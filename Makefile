# SPDX-License-Identifier: GPL-3.0-or-later
# viperbench: build, run and test. `make run` and `make test` install what is missing themselves;
# `make help` lists the rest.

## What can be set on the command line, as in `make CC=clang V=1 test`.
CC       ?= cc
AR       ?= ar
BUILD    ?= build
OPT      ?= -O2
SANITIZE ?=
CFLAGS   ?= $(OPT) -g1 $(SANITIZE:%=-fsanitize=% -fno-sanitize-recover=all -fno-omit-frame-pointer)
LDFLAGS  ?=
JOBS     ?= $(shell nproc)
V        ?=
DEPS     ?= yes
OUT      ?= results
# What "make run" runs: a showcase of less than a minute.
STUDIES  ?= stretch_bars shockwave octopus_crowd fem_band muscle_contraction
TIME     ?=
RUNS     ?=
FUZZ_CC  ?= clang
PREFIX   ?= /usr/local
DESTDIR  ?=
# CUDA's compiler: where CUDA_HOME says, on the path, or in its usual place; NVCC= builds without it.
NVCC     ?= $(firstword $(wildcard $(CUDA_HOME:%=%/bin/nvcc)) $(shell command -v nvcc 2>/dev/null) \
              $(wildcard /usr/local/cuda/bin/nvcc))

# "make run" computes on the processor where no device is seen: it then does without nvcc, unless its build had it already
# or something is asked of it.
AT_HAND := $(if $(filter run,$(MAKECMDGOALS)),$(if $(filter-out file,$(origin NVCC))$(filter-out undefined,$(origin \
             CUDA_ARCHS))$(filter %nvcc,$(file <$(BUILD)/nvcc)),,$(if $(shell nvidia-smi -L 2>/dev/null),,$(NVCC))))
ifneq ($(AT_HAND),)
NVCC :=
export NVCC
endif

ifeq ($(origin CC),default)
CC := cc
endif
ifeq ($(origin CXX),default)
CXX := $(if $(findstring clang,$(CC)),clang++,c++)
endif
ifeq ($(origin AR),default)
AR := ar
endif
# A build elsewhere keeps its program to itself.
BIN := $(if $(filter build,$(BUILD)),bin,$(BUILD)/bin)/viperbench

Q   := $(if $(V),,@)
# Tells what is made, and its number among all that are (TOTAL, mk/rules.mk).
say  = $(if $(V),,@printf '  %s%-5s %s\n' '$(if $(TOTAL),$(eval MADE += x)$(words $(MADE))/$(TOTAL) )' '$1' '$2')

## Commands, here and in the parts. Each first installs what it needs, then calls make again, which finds it.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) -Otarget
SUBMAKE  = +@$(MAKE) --no-print-directory $(if $(V),,-s) $(PARALLEL)
COMMANDS := all run run-full bench plots site problems info clean help
.DEFAULT_GOAL := all

# In this order: later ones read variables of those before them.
PARTS := $(patsubst %,mk/%.mk,packages flags lanes cuda sources python peers tests coverage aarch64 emulator counts lint install wheel rules)
include $(PARTS)
.PHONY: $(COMMANDS)

all: need-run ## build the program
	@$(if $(NVCC),,echo '$(if $(AT_HAND),No device is seen: "make run" builds no CUDA backend; "make" adds it.,$(strip \
	  )There is no nvcc: this build has no CUDA backend.)')
	$(SUBMAKE) $(BIN) $(PYTHON_LIB)

run: all ## run a showcase of studies in quick size, or STUDIES='...' (all: every study); writes data and figures to results/
	@VIPERBENCH_HOME=. $(BIN) run $(STUDIES) --tier quick --out $(OUT)

run-full: all ## run every study in full size
	@VIPERBENCH_HOME=. $(BIN) run all --tier full --out $(OUT)

bench: all ## measure speed: every study of bench/ in quick size
	@VIPERBENCH_HOME=. $(BIN) bench all --tier quick --out $(OUT)

plots: all ## draw the figures of the studies that were run
	@export VIPERBENCH_HOME=.; for s in `$(BIN) list --names`; do ls $(OUT)/$$s.h5 $(OUT)/bench-$$s.h5 2>/dev/null; done | xargs $(BIN) plot

site: all ## run every study in quick size, and make a gallery of pages in site/
	@VIPERBENCH_HOME=. $(BIN) run all --tier quick --out $(OUT)
	@VIPERBENCH_HOME=. $(BIN) site $(OUT) --out site --force

movies: all ## make movies of the runs that studies name for show, or of STUDIES='...'; MOVIE='--size 640x360' and other options of render
	@VIPERBENCH_HOME=. bash mk/movies.sh $(BIN) $(OUT) '$(if $(filter command,$(word 1,$(origin STUDIES))),$(STUDIES))' $(MOVIE)

problems: all ## recompute the references of all problems, by two computations each
	@VIPERBENCH_HOME=. $(BIN) problem --certify scenarios/problems/references.lua

clean: ## remove what was built; results/ stays
	rm -rf $(BUILD) build-asan build-coverage build-fuzz build-tsan bin

help: ## print this list
	@awk -F ':.*## ' '/^[a-z_.-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' Makefile $(PARTS)
	@echo "With CC=, CFLAGS=, OPT=, BUILD=, JOBS=, OUT= (results), STUDIES= (of run), PREFIX= and DESTDIR= (install),"
	@echo "TIME= (seconds per fuzz target), RUNS= (inputs per target instead; ci: as many as in CI),"
	@echo "V=1 (print commands), DEPS=no (install and check no packages), REQUIRE='h5py paraview' (no skips without these)."

print-%: ## print-VAR: print a variable of the Makefile
	@echo '$* = $($*)'

version = $(or $(shell $1 2>/dev/null | head -n 1),not found)
info: ## print flags, and which dependencies were found
	@$(foreach v,CC BUILD BIN ALL_CFLAGS LDFLAGS LIBS TEST_LIBS COMMIT DIRTY JOBS,\
	  printf '%-12s %s\n' '$v' '$($v)';) echo
	@$(foreach m,$(MODULES) $(PICTURES) check,\
	  printf '%-12s %s\n' '$m' '$(call version,pkg-config --modversion $m)';) echo
	@printf '%-12s %s\n' 'compiler' '$(call version,$(CC) --version)' \
	  'gcc' '$(call version,gcc --version)' \
	  'clang' '$(call version,clang --version)' \
	  'nvcc' '$(if $(NVCC),$(call version,$(NVCC) --version | tail -n 2) ($(NVCC)),not found)' \
	  'CUDA_ARCHS' '$(CUDA_ARCHS)' \
	  'gnuplot' '$(call version,gnuplot --version)' \
	  'h5dump' '$(call version,h5dump --version)' \
	  'h5py' '$(call version,/usr/bin/python3 -c "import h5py; print(h5py.__version__)")' \
	  'pvpython' '$(call version,pvpython --version 2>&1)' \
	  'clang-format' '$(call version,clang-format --version)' \
	  'clang-tidy' '$(call version,clang-tidy --version)' \
	  'cppcheck' '$(call version,cppcheck --version)'
