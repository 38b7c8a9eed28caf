# SPDX-License-Identifier: GPL-3.0-or-later
# Flags of the C and C++ compilers and of the linker. Strict floating point: no contraction, no fast-math, no
# -march, so that results are bitwise equal everywhere.

MODULES   := gsl lua5.4 jansson libmd md4c lapack
PICTURES  := libpng freetype2 zlib
WARN      := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
LANGUAGE  := -std=c11 -D_GNU_SOURCE -ffp-contract=off -fopenmp -Wno-psabi
once       = $(if $1,$(firstword $1) $(call once,$(filter-out $(firstword $1),$1)))
comma      := ,
# HDF5=PREFIX takes another HDF5 than the system's from PREFIX/include and PREFIX/lib, by the functions of version 1.10.
HDF5_CFLAGS := $(if $(HDF5),-I$(HDF5)/include -DH5_USE_110_API,$(shell pkg-config --cflags hdf5 2>/dev/null))
HDF5_LIBS   := $(if $(HDF5),-L$(HDF5)/lib -Wl$(comma)-rpath$(comma)$(abspath $(HDF5)/lib) -lhdf5,$(shell pkg-config --libs hdf5 2>/dev/null))
DEP_CFLAGS := $(HDF5_CFLAGS) $(shell pkg-config --cflags $(MODULES) 2>/dev/null)
PICTURE_CFLAGS := $(shell pkg-config --cflags $(PICTURES) 2>/dev/null)
DEP_LIBS   := $(HDF5_LIBS) $(shell pkg-config --libs $(MODULES) $(PICTURES) 2>/dev/null)
LIBS       := $(call once,$(filter -L%,$(DEP_LIBS)) -lhdf5_hl \
                $(filter-out -L% -lm,$(DEP_LIBS)) -lcholmod -lblas -lpthread -ldl -lm)
# Tests find what they share by its name alone.
TEST_INCLUDES := -Itests/support -Itests
# What only tests need is compiled quickly. Programs that read, write and ask another program are not optimized at all, and with
# sanitizers, whose checks take longest to optimize, only tests that compute are, most by a model of their own.
# $(call test-opt,SOURCE)
TELLING    := $(foreach f,base cli compare figure report results scene script solver study table,src/$f/%)
COMPUTING  := tests/physics/% tests/viper/% tests/reference/% tests/support/% %.cpp
QUICKLY    := -O0 -U_FORTIFY_SOURCE
test-opt    = $(if $(OPTIMIZED),$(if $(SANITIZE),$(if $(filter $(COMPUTING),$1),-O1,-O0),$(if $(filter $(TELLING:src/%=tests/%),$1),$(QUICKLY),-O1)))
# So is with sanitizers and FEW=yes what reads, writes and tells. $(call brief-opt,SOURCE)
brief-opt   = $(if $(and $(SANITIZE),$(FEW),$(OPTIMIZED)),$(if $(filter $(TELLING),$1),-O0))
TIDY_CFLAGS := $(LANGUAGE) -Isrc -I. $(TEST_INCLUDES) $(DEP_CFLAGS) $(PICTURE_CFLAGS)
TEST_LIBS  := $(call once,$(filter-out -lm,$(shell pkg-config --libs check 2>/dev/null)) $(LIBS))
# Hardening. What a compiler or a C library does not know is left out; checks of buffers (_FORTIFY_SOURCE) need
# an optimizing compiler, and are left to the sanitizers where these watch. Of an old glibc "3" means 2.
accepts     = $(shell echo '\#include <features.h>' | $(CC) -O2 $1 -Werror -E -x c - >/dev/null 2>&1 && echo '$1')
OPTIMIZED   = $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS))))
FORTIFY    := $(if $(OPTIMIZED),$(if $(SANITIZE)$(findstring _FORTIFY_SOURCE,$(CFLAGS)),, \
                $(or $(call accepts,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)))
# All objects can be part of a shared object: that of the tests, that of Python.
HARDEN     := $(strip -fPIC -fstack-protector-strong $(call accepts,-fstack-clash-protection) $(FORTIFY))
HARDEN_LINK := -pie -Wl,-z,relro,-z,now
# Two hundred test programs are linked with the gold linker, where there is one, in a quarter of the time.
TEST_LINKER := $(shell $(CC) -fuse-ld=gold -Wl,--version >/dev/null 2>&1 && echo -fuse-ld=gold)
# Programs of a portable folder find its libraries, and those of libraries, beside themselves first.
RPATH      := -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'
# The standard library of C++ is linked statically, and of it what is used: shared, it asks for a newer
# glibc than all else.
TEST_CXX_LINK := -static-libstdc++ -Wl,--gc-sections

BASE_CFLAGS = $(strip $(LANGUAGE) $(WARN) $(HARDEN) $(CFLAGS))
ALL_CFLAGS  = $(BASE_CFLAGS) -Isrc -I. $(DEP_CFLAGS) -MMD -MP
TEST_CXXFLAGS  = -std=c++17 -Wall -Wextra -Wno-psabi $(HARDEN) $(CFLAGS) $(call test-opt,.cpp) -Isrc $(TEST_INCLUDES) -MMD -MP

COMMIT := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
DIRTY  := $(if $(shell git status --porcelain -- Makefile mk src reference 2>/dev/null),1,0)

# $(call own-flags,SOURCE): what one source gets beyond ALL_CFLAGS.
own-flags = $(strip $(call brief-opt,$1) $(if $(filter tests/%,$1),$(TEST_INCLUDES) $(if $(filter tests/bench/count_steps.c,$1),,$(test-opt))) $(if $(filter src/render/%,$1),$(PICTURE_CFLAGS)) \
              $(if $(filter tests/emulator/% tests/viper/cuda/test_cuda_device% $(CUDA_USERS),$1),$(CUDA_CFLAGS)) $(if $(filter $1,$(PROVENANCE)),$(PROVENANCE_CFLAGS)) \
              $(if $(filter src/viper/cpu/core/variants.c,$1),$(ONLY_CFLAGS)) \
              $(if $(findstring --coverage,$(CFLAGS)),$(if $(filter-out %_lanes.c,$(filter src/%,$1)),-include tests/coverage.h)) \
              $(if $(filter $(addprefix reference/umetani/,element.c lanes.c sweep.c),$1),$(UNROLLED)))
# Loops over three components are unrolled: position-based rods take a sixth less time, those of umetani_joints a quarter. Of
# sanitizers the vectors have the one of addresses alone, or they take half a minute to compile; sweep.c has the same source for
# one rod, and all.
UNROLLED = $(if $(SANITIZE),$(if $(filter %/lanes.c,$1),-fno-sanitize=undefined),$(if $(OPTIMIZED),-O3))
PROVENANCE_CFLAGS = -DVB_COMMIT='"$(COMMIT)"' -DVB_DIRTY=$(DIRTY) -DVB_CFLAGS='"$(subst ",\",$(BASE_CFLAGS))"'
