# viperbench: build, run and test. `make run` and `make test` do everything themselves.
# SPDX-License-Identifier: GPL-3.0-or-later

CC       ?= cc
BUILD    ?= build
OPT      ?= -O2
# Strict floating point: no contraction, no fast-math, so that results are bitwise equal everywhere.
CFLAGS   ?= $(OPT) -g
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
FP       := -ffp-contract=off -fopenmp
PKGS     := hdf5 gsl lua5.4 jansson libmd
DEP_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
DEP_LIBS   = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lhdf5_hl -lpthread -ldl -lm
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(FP) $(CFLAGS) -Isrc $(DEP_CFLAGS) -MMD -MP

COMMIT := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
DIRTY  := $(shell test -z "$$(git status --porcelain --untracked-files=no 2>/dev/null)" && echo 0 || echo 1)

# Sources under src/viper/cpu whose names end in _real.c are built once per precision.
REAL_SRC := $(wildcard src/viper/cpu/*_real.c)
SRC      := $(filter-out $(REAL_SRC) src/harness/main.c,$(wildcard src/*/*.c src/viper/*/*.c reference/*/*.c))
LIB_OBJ  := $(SRC:%.c=$(BUILD)/%.o) $(REAL_SRC:%.c=$(BUILD)/%.f32.o) $(REAL_SRC:%.c=$(BUILD)/%.f64.o)
TESTS    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

all: bin/viperbench

bin/viperbench: $(BUILD)/src/harness/main.o $(BUILD)/libviperbench.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ $(DEP_LIBS)

$(BUILD)/libviperbench.a: $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/%.f32.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -DVIPER_PRECISION=32 -c -o $@ $<

$(BUILD)/%.f64.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -DVIPER_PRECISION=64 -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/tests/%: tests/%.c $(BUILD)/libviperbench.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests -o $@ $< $(BUILD)/libviperbench.a $(shell pkg-config --libs check) $(DEP_LIBS)

tests: $(TESTS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.PHONY: all tests
.SECONDARY:
