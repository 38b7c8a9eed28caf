# SPDX-License-Identifier: GPL-3.0-or-later
# viperbench: build, run and test. `make run` and `make test` install what is missing themselves;
# `make help` lists the rest.

## What can be set on the command line, as in `make CC=clang V=1 test`.
CC       ?= cc
AR       ?= ar
BUILD    ?= build
OPT      ?= -O2
SANITIZE ?=
CFLAGS   ?= $(OPT) -g $(SANITIZE:%=-fsanitize=% -fno-sanitize-recover=all -fno-omit-frame-pointer)
LDFLAGS  ?=
JOBS     ?= $(shell nproc)
V        ?=
DEPS     ?= yes
OUT      ?= results
TIME     ?=
RUNS     ?=
FUZZ_CC  ?= clang
PREFIX   ?= /usr/local
DESTDIR  ?=
# CUDA's compiler: where CUDA_HOME says, on the path, or in its usual place; NVCC= builds without it.
NVCC     ?= $(firstword $(wildcard $(CUDA_HOME:%=%/bin/nvcc)) $(shell command -v nvcc 2>/dev/null) \
              $(wildcard /usr/local/cuda/bin/nvcc))

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

## Debian packages, by what they are for.
CLANG     := $(findstring clang,$(CC))
PKGS_run  := $(if $(CLANG),clang libomp-dev,gcc) libc6-dev pkg-config libhdf5-dev libgsl-dev \
             liblua5.4-dev libjansson-dev libmd-dev liblapack-dev libsuitesparse-dev libopenblas0-serial \
             libpng-dev libfreetype-dev gnuplot-nox fonts-dejavu-core
PKGS_test := $(PKGS_run) $(if $(CLANG),,g++) check python3-h5py hdf5-tools
PKGS_lint := $(PKGS_test) clang-format clang-tidy cppcheck
PKGS_dist := $(PKGS_test) binutils xz-utils
PKGS_fuzz := $(PKGS_run) clang libclang-rt-dev libomp-dev
PKGS_ci   := $(PKGS_lint) $(PKGS_dist) $(PKGS_fuzz) python3-paraview

## Flags. Strict floating point: no contraction, no fast-math, no -march, so that results are bitwise
## equal everywhere.
MODULES   := hdf5 gsl lua5.4 jansson libmd lapack
PICTURES  := libpng freetype2
WARN      := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
LANGUAGE  := -std=c11 -D_GNU_SOURCE -ffp-contract=off -fopenmp -Wno-psabi
once       = $(if $1,$(firstword $1) $(call once,$(filter-out $(firstword $1),$1)))
DEP_CFLAGS := $(shell pkg-config --cflags $(MODULES) 2>/dev/null)
PICTURE_CFLAGS := $(shell pkg-config --cflags $(PICTURES) 2>/dev/null)
DEP_LIBS   := $(shell pkg-config --libs $(MODULES) $(PICTURES) 2>/dev/null)
LIBS       := $(call once,$(filter -L%,$(DEP_LIBS)) -lhdf5_hl \
                $(filter-out -L% -lm,$(DEP_LIBS)) -lcholmod -lpthread -ldl -lm)
TIDY_CFLAGS := $(LANGUAGE) -Isrc -I. -Itests $(DEP_CFLAGS) $(PICTURE_CFLAGS)
TEST_LIBS  := $(call once,$(filter-out -lm,$(shell pkg-config --libs check 2>/dev/null)) $(LIBS))
# Hardening. What a compiler or a C library does not know is left out; checks of buffers (_FORTIFY_SOURCE) need
# an optimizing compiler, and are left to the sanitizers where these watch. Of an old glibc "3" means 2.
accepts     = $(shell echo '\#include <features.h>' | $(CC) -O2 $1 -Werror -E -x c - >/dev/null 2>&1 && echo '$1')
OPTIMIZED   = $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS))))
FORTIFY    := $(if $(OPTIMIZED),$(if $(SANITIZE)$(findstring _FORTIFY_SOURCE,$(CFLAGS)),, \
                $(or $(call accepts,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)))
HARDEN     := $(strip -fPIE -fstack-protector-strong $(call accepts,-fstack-clash-protection) $(FORTIFY))
HARDEN_LINK := -pie -Wl,-z,relro,-z,now
# Programs of a portable folder find its libraries, and those of libraries, beside themselves first.
RPATH      := -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
# The standard library of C++ is linked statically, and of it what is used: shared, it asks for a newer
# glibc than all else.
TEST_CXX_LINK := -static-libstdc++ -Wl,--gc-sections

## CUDA: machine code for those of these architectures that nvcc knows, and PTX, which drivers compile
## for later ones. Sources that end in _real.cu are built once per arithmetic and precision.
ifneq ($(NVCC),)
CUDA_KNOWN  := $(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch 2>/dev/null))
CUDA_ARCHS  ?= $(filter $(CUDA_KNOWN),75 80 86 89 90 100 120)
CUDA_DIR    := $(abspath $(dir $(realpath $(NVCC)))..)
CUDA_CFLAGS := -DVIPER_CUDA -isystem $(CUDA_DIR)/include
CUDA_LIBS   := $(firstword $(foreach d,lib64 lib,$(wildcard $(CUDA_DIR)/$d/libcudart_static.a))) -lrt -lpthread -ldl
LIBS        += $(CUDA_LIBS)
TEST_LIBS   += $(CUDA_LIBS)
TIDY_CFLAGS += $(CUDA_CFLAGS)
endif
CCACHE      ?= $(shell command -v ccache 2>/dev/null)
NVCC_FLAGS  := -std=c++17 -O3 -Xcompiler -fno-exceptions,-fno-threadsafe-statics,-fPIE,-fstack-protector-strong -Isrc
NVCC_strict := --fmad=false
NVCC_fast   := --use_fast_math -DVIPER_FAST
# One PTX, the lowest architecture's, serves all: compiled once, assembled for each.
CUDA_LEAST   = compute_$(firstword $(CUDA_ARCHS))
NVCC_CODE    = -gencode arch=$(CUDA_LEAST),code=[$(subst $() ,,$(CUDA_LEAST)$(CUDA_ARCHS:%=$(COMMA)sm_%))]
COMMA       := ,

BASE_CFLAGS = $(strip $(LANGUAGE) $(WARN) $(HARDEN) $(CFLAGS))
ALL_CFLAGS  = $(BASE_CFLAGS) -Isrc -I. $(DEP_CFLAGS) -MMD -MP

COMMIT := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
DIRTY  := $(if $(shell git status --porcelain -- Makefile src reference 2>/dev/null),1,0)

## Variants of the sources that end in _lanes.c: instruction set and arithmetic, for each precision.
ifeq ($(shell uname -m),x86_64)
INSTRUCTIONS := v2 v3 v4
else
INSTRUCTIONS := base
endif
LANES_v2     := -march=x86-64-v2 -DVIPER_LANE_BYTES=16
LANES_v3     := -march=x86-64-v3 -DVIPER_LANE_BYTES=32
LANES_v4     := -march=x86-64-v4 -mtune=icelake-server -mprefer-vector-width=512 \
                $(if $(CLANG),,-fschedule-insns -fsched-pressure) -DVIPER_LANE_BYTES=64
LANES_base   := -DVIPER_LANE_BYTES=16
LANES_strict := -ffp-contract=off
# Contraction, and no heed of signed zeros and of what is not finite: sums stay in their order, or
# products could not be fused with them.
LANES_fast   := -ffp-contract=fast -fno-math-errno -fno-trapping-math -fno-signed-zeros \
                -ffinite-math-only -DVIPER_FAST
# The time steps' own loops, which read no input, go without guards of the stack: of block descent these cost 4 % of
# all instructions.
LANES_PLAIN  := -fno-stack-protector $(patsubst -f%,-fno-%,$(filter -fstack-clash-protection,$(HARDEN))) -U_FORTIFY_SOURCE
LANES_OPT    ?= $(if $(SANITIZE),,-O3 -g1)
# All that is inlined into them makes the sanitizers take minutes over each. Of all variants one is watched:
# the strict one of what this machine runs, by the address sanitizer alone. "make asan" takes the others as they
# are without sanitizers (FAST_BUILD).
WATCHED      := $(if $(SANITIZE),$(or $(if $(shell grep -m1 -o avx512vl /proc/cpuinfo),$(filter v4,$(INSTRUCTIONS))),\
                $(if $(shell grep -m1 -o avx2 /proc/cpuinfo),$(filter v3,$(INSTRUCTIONS))),$(firstword $(INSTRUCTIONS)))_strict)
ifneq ($(SANITIZE),)
LANES_strict += -fno-sanitize=undefined
LANES_fast   += -fno-sanitize=all
endif
FAST_BUILD   ?= $(BUILD)
lanes_in      = $(if $(filter-out $(WATCHED),$(if $(SANITIZE),$1)),$(FAST_BUILD),$(BUILD))
PRECISIONS   := f32 f64
VARIANTS     := $(foreach i,$(INSTRUCTIONS),$i_strict $i_fast)

## Sources. Those whose names end in _real.c are built once per precision, those in _lanes.c once per
## precision and variant; those in _cuda.c, and .cu, only where there is nvcc.
MAIN      := src/harness/main.c
REAL_SRC  := $(wildcard src/viper/*/*_real.c)
CUDA_SRC  := $(if $(NVCC),$(wildcard src/*/*.cu src/viper/*/*.cu))
CUDA_REAL := $(filter %_real.cu,$(CUDA_SRC))
CUDA_OBJ  := $(foreach a,strict fast,$(foreach p,$(PRECISIONS),$(CUDA_REAL:%.cu=$(BUILD)/%.$a.$p.o))) \
             $(patsubst %.cu,$(BUILD)/%.cu.o,$(filter-out $(CUDA_REAL),$(CUDA_SRC)))
NO_CUDA   := $(if $(NVCC),,$(wildcard src/*/*_cuda.c src/viper/*/*_cuda.c))
LANES_SRC := $(wildcard src/viper/cpu/*_lanes.c)
SRC       := $(filter-out $(REAL_SRC) $(LANES_SRC) $(NO_CUDA) $(MAIN),$(wildcard src/*/*.c src/viper/*/*.c reference/*/*.c))
LANES_OBJ := $(foreach v,$(VARIANTS),$(foreach p,$(PRECISIONS),$(LANES_SRC:%.c=$(call lanes_in,$v)/%.$v.$p.o)))
LIB_OBJ   := $(CUDA_OBJ) $(LANES_OBJ) $(foreach p,$(PRECISIONS),$(REAL_SRC:%.c=$(BUILD)/%.$p.o)) $(SRC:%.c=$(BUILD)/%.o)
TEST_SRC  := $(sort $(wildcard tests/test_*.c))
TEST_CXX  := $(sort $(wildcard tests/test_*.cpp))
TEST_OBJ  := $(TEST_SRC:%.c=$(BUILD)/%.o) $(TEST_CXX:%.cpp=$(BUILD)/%.o)
HOST_OBJ  := $(foreach p,$(PRECISIONS),$(BUILD)/tests/cuda_host_real.$p.cpp.o)
TESTS     := $(TEST_SRC:%.c=$(BUILD)/%) $(TEST_CXX:%.cpp=$(BUILD)/%)
FAKE_SRC  := $(wildcard tests/fake_*.c)
FAKES     := $(FAKE_SRC:%.c=$(BUILD)/%.so) $(BUILD)/tests/fake_nvml_old.so
# Plug-ins that tests load: built as strangers' are, without our flags.
TEST_PLUGINS := $(patsubst tests/%.c,$(BUILD)/tests/%.so,$(wildcard tests/plugins/*.c))
# Fuzz targets, what they share, and the process of a hostile plug-in; what they watch, for "make fuzz".
FUZZ_SRC  := $(filter-out %/fuzzer.c %/hostile.c,$(wildcard tests/fuzz/*.c))
FUZZ_OBJ  := $(FUZZ_SRC:%.c=$(BUILD)/%.o)
FUZZED    := $(patsubst %.c,$(BUILD)/%.o,$(filter $(patsubst %,src/%/%,base scene mesh solver harness compare render),$(SRC)))
FUZZERS   := $(patsubst tests/fuzz/corpus/%,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/corpus/*))
MAIN_OBJ  := $(MAIN:%.c=$(BUILD)/%.o)
LIB       := $(BUILD)/libviperbench.a
ALL_C     := $(MAIN) $(SRC) $(REAL_SRC) $(LANES_SRC) $(TEST_SRC) $(FAKE_SRC) $(wildcard tests/fuzz/*.c)
ALL_H     := $(wildcard src/*/*.h src/viper/*/*.h reference/*/*.h tests/*.h tests/fuzz/*.h tests/plugins/*.c src/solver/template/*.c src/solver/template/*.cpp) $(TEST_CXX) $(wildcard tests/*.hpp)
VERSION   := $(shell sed -n 's/^.define VB_VERSION "\(.*\)"/\1/p' src/harness/version.h)
DIST      := $(BUILD)/dist/viperbench-$(VERSION)-linux-$(shell uname -m)
SYMBOLS   := src/solver/plugin.symbols
STUDIES   := $(notdir $(basename $(wildcard scenarios/*.lua bench/*.lua)))

Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-5s %s\n' '$1' '$2')

## Commands. Each first installs what it needs, then calls make again, which finds it.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) -Otarget
SUBMAKE  = +@$(MAKE) --no-print-directory $(if $(V),,-s) $(PARALLEL)
COMMANDS := all run run-full bench test tests plots lint asan format clean mutate info help deps \
            dist dist-check regress regold flags install fuzz tsan nightly
# In "make regress NAME..." and "make regold NAME..." the other goals are names of studies.
ifneq ($(filter regress regold,$(firstword $(MAKECMDGOALS))),)
NAMES := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
$(NAMES):
	@:
endif
.PHONY: $(COMMANDS) $(NAMES)

all: need-run ## build the program
	@$(if $(NVCC),,echo 'There is no nvcc: this build has no CUDA backend.')
	$(SUBMAKE) $(BIN)

run: all ## run every study in its quick size; leaves data and figures in results/
	@VIPERBENCH_HOME=. $(BIN) run all --tier quick --out $(OUT)

run-full: all ## the same in full size
	@VIPERBENCH_HOME=. $(BIN) run all --tier full --out $(OUT)

bench: all ## measure speed: every study of bench/ in its quick size
	@VIPERBENCH_HOME=. $(BIN) bench all --tier quick --out $(OUT)

plots: all ## draw the figures of the studies that were run
	@VIPERBENCH_HOME=. $(BIN) plot $(wildcard $(STUDIES:%=$(OUT)/%.h5) $(STUDIES:%=$(OUT)/bench-%.h5))

regress: all ## compare with the gold results: of all studies, or "make regress NAME..."
	@VIPERBENCH_HOME=. PROGRAM=$(BIN) NOW=$(BUILD)/regress tests/regress.sh check $(NAMES)

regold: all ## "make regold NAME...": rewrite these gold results, and tell what moved
	@VIPERBENCH_HOME=. PROGRAM=$(BIN) NOW=$(BUILD)/regress tests/regress.sh regold $(NAMES)

flags: all ## the same with programs built with other flags and by another compiler; slow
	@VIPERBENCH_HOME=. JOBS=$(JOBS) tests/flags.sh $(BUILD)/flags

tests: need-test ## build the program and the tests
	$(SUBMAKE) $(BIN) $(TESTS) $(TEST_PLUGINS)

test: tests ## build and run the tests
	@VIPERBENCH=$(abspath $(BIN)) VIPERBENCH_HOME=$(CURDIR) JOBS=$(JOBS) LOGS=$(BUILD)/tests/logs \
	  tests/run.sh $(TESTS)

asan: all ## the same, built with the address and undefined-behavior sanitizers, in build-asan/
	+@LIMIT=600 $(MAKE) --no-print-directory BUILD=build-asan FAST_BUILD=$(BUILD) NVCC= OPT=-O1 \
	  SANITIZE=address,undefined test

fuzz: need-fuzz all ## feed broken scripts, files and the like to what reads them, TIME=60 s a target
	+@CC=$(FUZZ_CC) JOBS=$(JOBS) TIME='$(or $(TIME),60)' RUNS='$(RUNS)' tests/fuzz/run.sh $(BUILD)

tsan: need-fuzz all ## run what starts threads under ThreadSanitizer, in build-tsan/
	+@CC=$(FUZZ_CC) JOBS=$(JOBS) tests/tsan.sh $(BUILD)

nightly: need-ci ## what is too long for every change: fuzz targets (TIME=600), kills, tsan, flags
	+@TIME=$(TIME) .ci/nightly

mutate: need-test all ## plant wrong signs and factors, each must fail a test; and 1 % of a stiffness in gold
	+@tests/mutate.sh
	@VIPERBENCH_HOME=. CC='$(CC)' FLAGS='$(filter-out -MMD -MP,$(ALL_CFLAGS))' LIBS='$(LIBS)' PROGRAM=$(BIN) \
	  OBJECTS='$(MAIN_OBJ) $(LIB)' JOBS=$(JOBS) tests/mutate_gold.sh

dist: tests need-dist ## a portable folder and its archive, in build/dist/: program, libraries, studies, tests
	@VERSION='$(VERSION)' COMMIT='$(COMMIT)' DIRTY='$(DIRTY)' COMPILER='$(call version,$(CC) --version)' \
	  CUDA='$(or $(CUDA_ARCHS),none)' PLUGINS='$(TEST_PLUGINS)' .ci/dist $(DIST) $(BIN) $(TESTS) $(FAKES)

dist-check: dist ## the same, then unpack the archive elsewhere and try it as strangers would
	@tests/dist.sh $(DIST).tar.xz

lint: need-lint ## check format and code
	$(SUBMAKE) -k $(BUILD)/lint/format $(BUILD)/lint/cppcheck $(ALL_C:%=$(BUILD)/lint/%.tidy)

format: need-lint ## lay out the code
	@clang-format -i $(ALL_C) $(ALL_H)

deps: need-ci ## install everything that any command needs

# What a plug-in needs: its headers, and a folder to begin from.
HEADERS := base/status.h scene/scene.h solver/solver.h
SHARE    = $(DESTDIR)$(PREFIX)/share

install: all ## install the program, its studies, and what plug-in solvers are made with, in PREFIX
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(SHARE)/viperbench/plugin $(SHARE)/pkgconfig
	@install $(BIN) $(DESTDIR)$(PREFIX)/bin
	@for h in $(HEADERS); do install -D -m 644 src/$$h $(DESTDIR)$(PREFIX)/include/viperbench/$$h || exit 1; done
	@cp -R scenarios bench plots README.md LICENSE $(SHARE)/viperbench
	@cp -R src/solver/README.md src/solver/template/. $(SHARE)/viperbench/plugin
	@rm -f $(SHARE)/viperbench/plugin/*.so
	@printf '%s\n' 'Name: viperbench' 'Description: headers for plug-in solvers' \
	  'Version: $(shell sed -n 's/.*VB_VERSION *"\(.*\)"/\1/p' src/harness/version.h)' \
	  'Cflags: -I$(PREFIX)/include/viperbench' >$(SHARE)/pkgconfig/viperbench.pc
	@echo "Installed in $(DESTDIR)$(PREFIX)"

clean: ## remove what was built; results/ stays
	rm -rf $(BUILD) build-asan build-fuzz build-tsan bin

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo "With CC=, CFLAGS=, OPT=, BUILD=, JOBS=, OUT= (results), PREFIX= and DESTDIR= (install),"
	@echo "TIME= (seconds a fuzz target), RUNS= (inputs for each instead; ci: as many as in CI),"
	@echo "V=1 (tell the commands), DEPS=no (install nothing, check nothing), REQUIRE='h5py paraview' (no skips for lack of these)."

need-%:
	@DEPS=$(DEPS) .ci/install $(PKGS_$*)

print-%: ## print-VAR: a variable of the Makefile
	@echo '$* = $($*)'

version = $(or $(shell $1 2>/dev/null | head -n 1),not found)
info: ## flags, and every dependency found or not
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

## Files. Read only where files are asked for.
ifneq ($(filter-out $(COMMANDS) $(NAMES) need-% print-%,$(MAKECMDGOALS)),)

# $(call stamp,NAME,TEXT): a file that is written only when its text changes.
stamp = $(if $(call differs,$(file <$(BUILD)/$1),$2),$(shell mkdir -p $(BUILD))$(file >$(BUILD)/$1,$2))
differs = $(if $(filter x$(subst $() ,_,$1),x$(subst $() ,_,$2)),,yes)
$(call stamp,flags,$(CC) $(ALL_CFLAGS) $(LANES_PLAIN) $(LANES_OPT) $(foreach i,$(INSTRUCTIONS) strict fast,$(LANES_$i)))
$(call stamp,nvcc,$(NVCC) $(NVCC_FLAGS) $(NVCC_strict) $(NVCC_fast) $(NVCC_CODE))
$(call stamp,link,$(CC) $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) $(TEST_CXX_LINK) $(TEST_LIBS))
$(call stamp,objects,$(LIB_OBJ))
$(call stamp,commit,$(COMMIT) $(DIRTY))

$(BIN): $(MAIN_OBJ) $(LIB) $(BUILD)/link $(SYMBOLS)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -Wl,--dynamic-list=$(SYMBOLS) -o $@ $(MAIN_OBJ) $(LIB) $(LIBS)

$(LIB): $(LIB_OBJ) $(BUILD)/objects
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_OBJ)

$(TESTS): $(BUILD)/%: $(BUILD)/%.o $(LIB) $(BUILD)/link
	$(call say,LINK,$@)
	$(Q)$(if $(filter $(@:$(BUILD)/%=%.cpp),$(TEST_CXX))$(filter %.cpp.o,$^),$(CXX) $(TEST_CXX_LINK),$(CC)) -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) $(RPATH) -o $@ $(filter %.o,$^) $(LIB) $(TEST_LIBS)

# Fuzz targets: run over their corpora by a test; and by libFuzzer ("make fuzz"), watched by sanitizers where they
# read what others made. The rest of the program is FAST_BUILD's, as it is.
$(BUILD)/tests/test_fuzz_corpus: $(FUZZ_OBJ) | $(BUILD)/tests/hostile
$(BUILD)/tests/hostile: tests/fuzz/hostile.c src/solver/channel.h src/solver/pack.h src/solver/solver.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -Isrc -o $@ $<

$(BUILD)/tests/fuzzer: $(BUILD)/tests/fuzz/fuzzer.o $(FUZZ_OBJ) $(FUZZED) $(FAST_BUILD)/libviperbench.a $(BUILD)/link
	$(call say,LINK,$@)
	$(Q)$(CC) -fsanitize=fuzzer -fopenmp $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -o $@ $(filter %.o,$^) $(FAST_BUILD)/libviperbench.a $(LIBS)

$(FUZZERS): $(BUILD)/tests/fuzzer | $(BUILD)/tests/hostile
	@mkdir -p $(@D)
	@ln -sf ../tests/fuzzer $@

fuzzers: $(FUZZERS)

# The kernels of the CUDA backend on the host; the terms by themselves there, in C, and on a device;
# phases with notes of what they leave behind, by the CPU backend (in one variant), there and on a
# device.
TERMS_OBJ  := $(foreach p,$(PRECISIONS),$(BUILD)/tests/cuda_terms_real.$p.o)
PHASES_OBJ := $(BUILD)/tests/phases_cpu.o $(foreach p,$(PRECISIONS),$(BUILD)/tests/phases_contact_real.$p.o \
              $(patsubst %.c,$(BUILD)/%.$(firstword $(VARIANTS)).$p.o,$(wildcard tests/phases_*_lanes.c)))
DEVICE_OBJ := $(if $(NVCC),$(foreach p,$(PRECISIONS),$(patsubst %.cu,$(BUILD)/%.strict.$p.o,$(wildcard tests/*_real.cu))))
ON_HOST    := $(addprefix $(BUILD)/tests/test_cuda_,phases studies contact bundle)
$(ON_HOST) $(BUILD)/tests/test_cuda_device: $(TERMS_OBJ) $(PHASES_OBJ)
$(BUILD)/tests/test_cuda_device: $(DEVICE_OBJ)
$(ON_HOST): $(HOST_OBJ)
$(BUILD)/tests/test_cuda_compile: | $(patsubst %.o,%.ptx,$(filter %.f32.o %.f64.o,$(CUDA_OBJ)))
$(BUILD)/%.f32.cpp.o: %.cpp $(BUILD)/flags
	$(call say,CXX,$< (float))
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -Wall -Wextra -Wno-psabi -ffp-contract=off -O2 $(HARDEN) $(CFLAGS) -Isrc -Itests -DVIPER_PRECISION=32 -MMD -MP -c -o $@ $<

$(BUILD)/%.f64.cpp.o: %.cpp $(BUILD)/flags
	$(call say,CXX,$< (double))
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -Wall -Wextra -Wno-psabi -ffp-contract=off -O2 $(HARDEN) $(CFLAGS) -Isrc -Itests -DVIPER_PRECISION=64 -MMD -MP -c -o $@ $<

# $(call lanes-rule,VARIANT,PRECISION)
define lanes-rule
$(BUILD)/%.$1.$2.o: %.c $(BUILD)/flags
	$$(call say,CC,$$< ($1 $2))
	@mkdir -p $$(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LANES_PLAIN) $(LANES_OPT) $(LANES_$(firstword $(subst _, ,$1))) $(LANES_$(lastword $(subst _, ,$1))) \
	  -DVIPER_VARIANT=$1 -DVIPER_PRECISION=$(2:f%=%) -c -o $$@ $$<
endef
$(foreach v,$(VARIANTS),$(foreach p,$(PRECISIONS),$(eval $(call lanes-rule,$v,$p))))

# What the compiler says of the kernels (registers, stack, spills) is kept beside their objects.
# $(call cuda-rule,ARITHMETIC,PRECISION)
define cuda-rule
$(BUILD)/%_real.$1.$2.o: %_real.cu $(BUILD)/nvcc
	$$(call say,NVCC,$$< ($1 $2))
	@mkdir -p $$(@D)
	$(Q)$(CCACHE) $(NVCC) $(NVCC_FLAGS) $(NVCC_$1) $(NVCC_CODE) -DVIPER_ARITHMETIC=$1 -DVIPER_PRECISION=$(2:f%=%) \
	  -Xptxas -v -MMD -MP -MF $$(@:.o=.d) -c -o $$@ $$< 2>$$@.log || { cat $$@.log; exit 1; }

$(BUILD)/%_real.$1.$2.ptx: %_real.cu $(BUILD)/%_real.$1.$2.o
	$$(call say,PTX,$$< ($1 $2))
	$(Q)$(NVCC) $(NVCC_FLAGS) $(NVCC_$1) -arch=$(CUDA_LEAST) -DVIPER_ARITHMETIC=$1 \
	  -DVIPER_PRECISION=$(2:f%=%) --ptx -o $$@ $$<
endef
$(foreach a,strict fast,$(foreach p,$(PRECISIONS),$(eval $(call cuda-rule,$a,$p))))

$(BUILD)/%.cu.o: %.cu $(BUILD)/nvcc
	$(call say,NVCC,$<)
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(NVCC) $(NVCC_FLAGS) $(NVCC_CODE) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(BUILD)/%.f32.o: %.c $(BUILD)/flags
	$(call say,CC,$< (float))
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -DVIPER_PRECISION=32 -c -o $@ $<

$(BUILD)/%.f64.o: %.c $(BUILD)/flags
	$(call say,CC,$< (double))
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -DVIPER_PRECISION=64 -c -o $@ $<

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(EXTRA) -c -o $@ $<

# The headers of the mathematics are the common subset of C11 and C++17: this is compiled as C++.
$(BUILD)/%.o: %.cpp $(BUILD)/flags
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -Wall -Wextra -Wno-psabi $(HARDEN) $(CFLAGS) -Isrc -Itests $(DEP_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/plugins/%.so: tests/plugins/%.c src/solver/template/mass_spring.c src/solver/solver.h src/solver/channel.h src/scene/scene.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -ffp-contract=off -Isrc -fPIC -fvisibility=hidden -shared -o $@ $< -lm

$(BUILD)/tests/test_plugin: | $(TEST_PLUGINS)

$(TEST_OBJ): private EXTRA = -Itests
$(BUILD)/src/render/%.o: private EXTRA = $(PICTURE_CFLAGS)

# Libraries that tests load in place of those of a driver.
$(addprefix $(BUILD)/tests/test_,nvml device_case results_gpu): | $(FAKES)
$(BUILD)/tests/%.so: tests/%.c $(BUILD)/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) -fPIC -shared -o $@ $<

$(BUILD)/tests/%_old.so: tests/%.c $(BUILD)/flags
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) -DFAKE_OLD -fPIC -shared -o $@ $<

CUDA_USERS := $(patsubst %.c,$(BUILD)/%.o,$(filter %_cuda.c %/backends.c %/device_rates.c,$(SRC)))
$(CUDA_USERS): $(BUILD)/nvcc
$(CUDA_USERS): private EXTRA = $(CUDA_CFLAGS)
PROVENANCE := $(BUILD)/src/harness/provenance.o
$(PROVENANCE): $(BUILD)/commit
$(PROVENANCE): private EXTRA = -DVB_COMMIT='"$(COMMIT)"' -DVB_DIRTY=$(DIRTY) \
  -DVB_CFLAGS='"$(subst ",\",$(BASE_CFLAGS))"'

# A file is looked at again when it, or a header that it includes, has changed.
$(BUILD)/lint/%_real.c.tidy: %_real.c $(BUILD)/%_real.f64.o .clang-tidy
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)clang-tidy --quiet $< -- $(TIDY_CFLAGS) -DVIPER_PRECISION=64 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

$(BUILD)/lint/%_lanes.c.tidy: %_lanes.c $(BUILD)/%_lanes.$(firstword $(VARIANTS)).f64.o .clang-tidy
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)clang-tidy --quiet $< -- $(TIDY_CFLAGS) $(LANES_$(firstword $(INSTRUCTIONS))) -DVIPER_PRECISION=64 \
	  -DVIPER_VARIANT=$(firstword $(VARIANTS)) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

$(BUILD)/lint/%.c.tidy: %.c $(BUILD)/%.o .clang-tidy
	$(call say,TIDY,$<)
	@mkdir -p $(@D)
	$(Q)clang-tidy --quiet $< -- $(TIDY_CFLAGS) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

$(BUILD)/lint/format: $(ALL_C) $(ALL_H) .clang-format
	$(call say,FORM,$(words $(ALL_C) $(ALL_H)) files)
	@mkdir -p $(@D)
	$(Q)clang-format --dry-run -Werror $(ALL_C) $(ALL_H)
	@touch $@

# Null as an argument after "..." is right on Linux; the rest is as in .clang-tidy: cppcheck does not know
# that an error's status is never VB_OK.
CPPCHECK_SUPPRESS := missingIncludeSystem varFuncNullUB uninitvar nullPointerRedundantCheck \
  nullPointerArithmeticRedundantCheck shiftTooManyBitsSigned:src/viper/energy/lanes.h
$(BUILD)/lint/cppcheck: $(ALL_C) $(ALL_H)
	$(call say,CHECK,$(words $(ALL_C)) files)
	@mkdir -p $(@D)/cppcheck-files
	$(Q)cppcheck --quiet -j $(JOBS) --cppcheck-build-dir=$(@D)/cppcheck-files --std=c11 --error-exitcode=1 \
	  --enable=warning,performance,portability --inline-suppr -Isrc -I. -Itests -DVIPER_PRECISION=64 \
	  $(CPPCHECK_SUPPRESS:%=--suppress=%) $(ALL_C)
	@touch $@

-include $(LIB_OBJ:.o=.d) $(FUZZ_OBJ:.o=.d) $(HOST_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(TEST_OBJ:.o=.d) \
  $(TERMS_OBJ:.o=.d) $(PHASES_OBJ:.o=.d) $(DEVICE_OBJ:.o=.d)
endif

.DELETE_ON_ERROR:
.SECONDARY:
